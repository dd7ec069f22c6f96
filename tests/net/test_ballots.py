"""Votes on absence: all schedules of small tables, many of larger ones, and each rule by itself."""

from __future__ import annotations

import os
from itertools import combinations, pairwise, product
from random import Random

import pytest

from net.play.ballots import HOLD, MOST, Ballots, Set, mask, unmask, well_formed
from rules.game import Seat
from tests.net.ballot_world import (
    History,
    Outcome,
    View,
    World,
    answer,
    clash,
    joined,
    outcome,
    replica,
    rulings,
    settled,
    subsets,
    with_history,
)

SEED = int(os.environ.get("FARFADET_BALLOT_SEED", "20261130"))

SCHEDULES = 2000
"""Random ones."""

ROUNDS = 2
"""Within so many rounds after all is heard, the step is closed for all who live."""

THREE = frozenset({0, 1, 2})
FOUR = frozenset({0, 1, 2, 3})


def seats(*members: Seat) -> Set:
    return frozenset(members)


def known(me: Seat | None, *histories: History, size: int | None = None) -> Ballots:
    """The ballots of a member of a table where everybody is present."""
    members = len(histories)
    ballots = Ballots(frozenset(range(members)), size or members, me)
    for voter, history in enumerate(histories):
        assert not history or ballots.take(voter, history)
    return ballots


# All states that any schedule of a small table can lead to.


def prefixes(truth: View, me: Seat) -> list[View]:
    """All that ``me`` may know when this is what was voted."""
    return list(
        product(
            *(
                [history] if seat == me else [history[:end] for end in range(len(history) + 1)]
                for seat, history in enumerate(truth)
            )
        )
    )


def histories(world: World, me: Seat, ballots: int) -> list[History]:
    """Everything ``me`` can have voted in so many ballots."""
    if me not in world.present:
        return [()]
    sets = subsets(world.present - {me})
    bits = [HOLD, *(mask(absent) for absent in sets if absent)]
    return [history for length in range(ballots + 1) for history in product(bits, repeat=length)]


@pytest.mark.parametrize(
    ("size", "present", "ballots"),
    [(2, seats(0, 1), 3), (3, THREE, 2), (3, seats(0, 2), 3), (4, THREE, 1), (4, FOUR, 1)],
)
def test_whatever_was_voted_no_two_members_close_differently_for_good(
    size: int, present: Set, ballots: int
) -> None:
    world = World(size, present, present)
    for truth in product(*(histories(world, seat, ballots) for seat in range(size))):
        closed: set[tuple[Seat, Outcome | None]] = {
            (seat, outcome(world, seat, view, frozenset()))
            for seat in present
            for view in prefixes(truth, seat)
        }
        for first, second in product(closed, repeat=2):
            assert first[0] == second[0] or not clash(first, second), (truth, first, second)
        check_rulings(world, truth)


def check_rulings(world: World, truth: View) -> None:
    """A follower finds what an outsider counts, and never a ruling by half or fewer."""
    found = list(rulings(world, truth))
    assert all(low[0] < high[0] for low, high in pairwise(found)), "two rulings in one ballot"
    assert replica(world, None, truth).ruling() == (found[-1] if found else None), truth


def successors(world: World, state: tuple[View, ...], votes: int) -> list[tuple[View, ...]]:
    """All states one step later; no more than ``votes`` votes are cast in all."""
    found = []
    truth = tuple(view[seat] for seat, view in enumerate(state))
    for me in world.present:
        view = state[me]
        changed = [
            with_history(view, voter, truth[voter][: len(view[voter]) + 1])
            for voter in world.present
            if len(view[voter]) < len(truth[voter])
        ]
        ballots = replica(world, me, view)
        said = [ballots.vote(absent) for absent in subsets(world.present - {me}) if absent]
        room = votes - sum(map(len, truth)) + len(view[me])
        changed += [
            with_history(view, me, history)
            for history in (*said, ballots.hold())
            if history is not None and len(history) <= room
        ]
        found += [(*state[:me], new, *state[me + 1 :]) for new in changed]
    return found


def test_in_all_schedules_of_three_members_the_living_agree_in_the_end() -> None:
    world = World(3, THREE, THREE)
    start = (world.blank,) * world.size
    seen, todo = {start}, [start]
    ends: set[tuple[Set, View]] = set()
    for state in todo:
        closed = [(me, outcome(world, me, view, frozenset())) for me, view in enumerate(state)]
        assert not any(clash(a, b) for a, b in combinations(closed, 2)), state
        for living in subsets(world.present):
            if 2 * len(living) > world.size:
                ends.add((living, joined([state[seat] for seat in living])))
        for new in successors(world, state, votes=4):
            if new not in seen:
                seen.add(new)
                todo.append(new)
    for living, view in ends:
        for missing in subsets(THREE - living):
            assert settled(world, living, view, missing, ROUNDS) is not None, (living, view)


# Random schedules of larger tables.


class Voter:
    """One member as it lives through a schedule."""

    def __init__(self, world: World, me: Seat) -> None:
        self.world, self.me = world, me
        self.ballots = Ballots(world.present, world.size, me)
        self.held = world.owing & {me}
        self.closed: Outcome | None = None

    @property
    def view(self) -> View:
        return tuple(map(self.ballots.history, range(self.world.size)))

    def hear(self, voter: Seat, history: History) -> None:
        assert self.ballots.take(voter, history)

    def close(self) -> None:
        missing = self.world.owing - self.held
        self.closed = outcome(self.world, self.me, self.view, missing) or self.closed

    def speak(self, silent: Set, eager: bool) -> History | None:
        """What it publishes (if ``eager``, a vote without need); a vote opens the step again."""
        missing = self.world.owing - self.held
        voted = self.ballots.vote(missing | silent) if eager else None
        said = voted or answer(self.world, self.me, self.view, missing, silent)
        if said is not None:
            self.hear(self.me, said)
            self.closed = self.closed if said[-1] == HOLD else None
            self.close()
        return said


def random_world(random: Random) -> World:
    """Two to five seats, perhaps a referee; some may be absent from before."""
    players = random.randint(2, 5)
    size = players + random.randint(0, 1)
    there = [seat for seat in range(size) if random.random() < 0.85]
    if 2 * len(there) <= size:
        there = list(range(size))
    owing = [seat for seat in there if seat < players and random.random() < 0.8]
    return World(size, frozenset(there), frozenset(owing))


def play(random: Random) -> int:
    """One schedule: loss, delay, repeats, crashes, then calm. Returns how many rulings it had."""
    world = random_world(random)
    members = {me: Voter(world, me) for me in sorted(world.present)}
    living = set(members)
    published: list[tuple[Seat, History]] = []
    suspects = [frozenset(random.sample(sorted(members), count)) for count in (0, 1, 1)]
    happens = ["message", "close", "crash", *["vote"] * 3, *["speak"] * random.randint(2, 6)]
    for _ in range(random.randint(10, 120)):
        me = random.choice(sorted(living))
        member = members[me]
        match random.choice(happens):
            case "message" if world.owing - suspects[2]:
                member.held |= {random.choice(sorted(world.owing - suspects[2]))}
            case "vote" if published:
                member.hear(*random.choice(published))
            case "close":
                member.close()
            case "speak":
                said = member.speak(random.choice(suspects) - {me}, random.random() < 0.5)
                published += [] if said is None else [(me, said)]
            case "crash" if random.random() < 0.1 and 2 * (len(living) - 1) > world.size:
                living.remove(me)
        closed = [(seat, voter.closed) for seat, voter in members.items()]
        assert not any(clash(a, b) for a in closed for b in closed if a[0] != b[0]), closed
    truth = tuple(
        members[seat].ballots.history(seat) if seat in members else () for seat in range(world.size)
    )
    check_rulings(world, truth)
    view = joined([members[me].view for me in living])
    missing = world.owing - frozenset[Seat]().union(*(members[me].held for me in living))
    end = settled(world, frozenset(living), view, missing, ROUNDS)
    assert end is not None, (world, living, view, missing)
    final = [(seat, end if seat in living else voter.closed) for seat, voter in members.items()]
    assert not any(clash(a, b) for a in final for b in final if a[0] != b[0]), final
    return len(list(rulings(world, truth)))


def test_in_random_schedules_of_larger_tables_the_living_agree_in_the_end() -> None:
    ruled = 0
    for number in range(SCHEDULES):
        print(f"FARFADET_BALLOT_SEED={SEED}, schedule {number}")
        ruled += play(Random(f"{SEED}/{number}")) > 0
    assert ruled > SCHEDULES // 10, "the schedules are too tame"


# Each rule by itself.


def test_a_set_travels_as_one_bit_a_member() -> None:
    assert mask([]) == 0
    assert mask([0, 3, 5]) == 41
    assert unmask(0) == frozenset()
    assert all(mask(unmask(bits)) == bits for bits in range(64))


def test_a_lone_vote_rules_nothing_and_binds_its_voter() -> None:
    ballots = known(0, (2,), (), ())
    assert ballots.ruling() is None
    assert not ballots.free()
    assert known(1, (2,), (), ()).free()
    assert (ballots.voters, ballots.proposed) == (seats(0), seats(1))


def test_all_the_others_rule_if_they_are_more_than_half_of_all_members() -> None:
    assert known(0, (2,), (), (2,)).ruling() == (0, seats(1))
    assert known(0, (2,), ()).ruling() is None
    assert known(0, (12,), (12,), (), ()).ruling() is None
    assert known(0, (2,), (), (2,), size=4).ruling() is None
    assert known(0, (2,), (), (4,)).ruling() is None


def test_a_member_that_was_absent_before_neither_votes_nor_hinders() -> None:
    ballots = Ballots(seats(0, 2, 3), 4, 1)
    assert all(ballots.take(seat, (4,)) for seat in (0, 3))
    assert ballots.ruling() is None, "two of four are not enough"
    ballots = Ballots(seats(0, 2, 3, 4), 5, 1)
    assert all(ballots.take(seat, (4,)) for seat in (0, 3, 4))
    assert ballots.ruling() == (0, seats(2))
    assert ballots.free()
    assert ballots.hold() is None


def test_the_highest_ruling_counts_and_only_if_no_later_vote_of_ours_is_alive() -> None:
    one, other = (0, seats(1)), (1, seats(2))
    assert known(None, (2, 4), (0, 4), (2,)).ruling() == other
    assert known(0, (2, 4), (), (2,)).ruling() is None
    assert known(0, (2, 4), (0, 0), (2,)).ruling() == one
    assert known(0, (2, 2), (), (2,)).ruling() == one, "for the same set it may stay alive"
    assert known(1, (2,), (0, 4), (2,)).ruling() is None, "nor those of the member ruled absent"


def test_a_vote_goes_to_the_newest_ballot_and_holds_in_those_it_has_missed() -> None:
    assert known(0, (), (), ()).vote(seats(1)) == (2,)
    assert known(0, (2,), (), ()).vote(seats(1)) is None
    assert known(0, (2,), (), ()).vote(seats(2)) == (2, 4)
    assert known(0, (), (), (0, 0, 2)).vote(seats(1)) == (HOLD, HOLD, 2)
    assert known(0, (2,), (), (0, 2)).vote(seats(1)) == (2, 2)


def test_nobody_votes_for_nothing_or_itself_or_so_that_half_would_rule() -> None:
    ballots = known(0, (), (), ())
    assert ballots.vote(frozenset()) is None
    assert ballots.vote(seats(0, 1)) is None
    assert ballots.vote(seats(1, 2)) is None
    assert Ballots(THREE, 4, 0).vote(seats(3)) is None, "3 is absent already"


def test_votes_of_one_step_run_out() -> None:
    ballots = known(0, (2,) * (MOST - 1), (), (4,) * (MOST - 1))
    history = ballots.vote(seats(2))
    assert history is not None
    assert len(history) == MOST
    assert ballots.take(0, history)
    assert ballots.vote(seats(1)) is None


def test_holding_lets_the_vote_of_another_die() -> None:
    holding = known(1, (4,), (), ()).hold()
    assert holding == (HOLD,)
    assert known(1, (4,), (HOLD,), ()).hold() is None
    assert known(0, (4,), (HOLD,), ()).free()
    assert known(1, (4,), (HOLD,), ()).voters == seats(0)


def test_a_vote_hangs_if_only_the_silent_can_decide_it() -> None:
    assert known(1, (2,), (), ()).hangs(seats(2))
    assert not known(1, (2,), (), ()).hangs(frozenset())
    assert not known(1, (4,), (), ()).hangs(seats(2)), "1 itself can let it die"
    assert not known(1, (2,), (), (4,)).hangs(seats(2)), "it is dead"
    assert not known(1, (2, 4), (0, 4), ()).hangs(seats(2)), "a later ruling has settled it"


def test_a_history_that_contradicts_a_known_one_is_refused() -> None:
    ballots = known(0, (), (4, 1), ())
    assert ballots.take(1, (4,)), "an older one says nothing new"
    assert ballots.history(1) == (4, 1)
    assert not ballots.take(1, (1,))
    assert not ballots.take(1, (4, 4, 4))
    assert ballots.history(1) == (4, 1)
    assert ballots.take(1, (4, 1, 0, 1))
    assert ballots.history(1) == (4, 1, 0, 1)


def test_what_is_no_history_is_known_as_such() -> None:
    for good in ([0], [2], [0, 7], [1] * MOST):
        assert well_formed(good, 3), good
    for bad in ([], None, (2,), "2", [8], [-1], [-1, 2], [True], [1.0], [None], [1] * (MOST + 1)):
        assert not well_formed(bad, 3), bad
