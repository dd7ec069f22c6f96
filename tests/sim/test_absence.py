"""Members that fall silent, are cut off, come back, or vote unfairly: whole simulated tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from net.play import wire
from net.play.audit import Verdict, audit
from net.play.notices import Happened, Notice, Returned, Rewound, Ruled
from net.play.replica import replica
from net.play.roster import BACK
from net.play.table import REOPEN, Table
from net.play.votes import VOTE
from net.play.wire import Message, Refusal, parse
from rules.game import Chosen, Move, Seat
from tests.sim import cheats
from tests.sim.nodes import small_numbers
from tests.sim.world import LIMIT, Tamper, World

SEED = 20261130
KINDS = {
    "taverne": ["keyhash", "key", "shuffled", "share", "commit", "reveal", "result"],
    "gnomia": ["keyhash", "key", "shuffled", "share", "commit", "reveal", "play", "result"],
    "gobelin": ["keyhash", "key", "shuffled", "share", "play", "result"],
}
NIGHT = pytest.mark.nightly
CASES = [
    pytest.param(
        game,
        kind,
        times,
        escrow,
        # By day, each kind once: with escrow, if that is about what escrow is for.
        marks=() if times == 2 and escrow is (kind in {"key", "share"}) else NIGHT,
    )
    for game, kinds in KINDS.items()
    for kind in kinds
    for times in (1, 2)
    for escrow in (False, True)
    # What escrow changes, it changes for cards.
    if times == 2 or not escrow
]


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """No test here needs cards that nobody can read."""
    with small_numbers():
        yield


def ended(world: World) -> Verdict:
    """The verdict on a game that all who have stayed have ended alike."""
    tables = [node.table for node in world.honest]
    assert [table.over for table in tables] == [True] * len(tables), [
        (table.step, sorted(table.owing)) for table in tables
    ]
    assert len({table.transcript.head for table in tables}) == 1
    verdicts = [audit(table.transcript.data()) for table in tables]
    assert {verdict.fault for verdict in verdicts} == {None}
    return verdicts[0]


def events(table: Table) -> list[Happened]:
    """All that has happened at a table, from its transcript."""
    onlooker = replica(table.charter, None)
    for message in table.transcript.messages:
        onlooker.take(message)
        onlooker.work()
    return [notice for notice in onlooker.notices if isinstance(notice, Happened)]


def cut_off(world: World, start: float) -> list[Notice]:
    """Let seat 1 be cut off until the others have ruled it absent; what it is told from then on."""
    world.run(start)
    world.sides = {1}
    while not world.nodes[0].table.roster.absent:
        world.run(world.now + 0.5)
    world.sides = set()
    return overheard(world, 1)


def overheard(world: World, seat: Seat) -> list[Notice]:
    """What a seat's player is told from now on."""
    told, patience = list[Notice](), world.nodes[seat].patience
    listen = patience.told

    def both(notice: Notice) -> None:
        told.append(notice)
        listen(notice)

    patience.told = both  # type: ignore[method-assign]
    return told


def silent(
    tamper: Tamper, game: str = "taverne", seats: int = 4, seed: int = SEED, **terms: bool | int
) -> World:
    """A world in which seat 1 falls silent."""
    world = World(seed, seats, game=game, tampers={1: tamper}, **terms)  # type: ignore[arg-type]
    world.run(400.0)
    return world


@pytest.mark.parametrize(("game", "kind", "times", "escrow"), CASES)
def test_wherever_a_seat_falls_silent_the_game_ends_without_it(
    game: str, kind: str, times: int, escrow: bool
) -> None:
    world = silent(cheats.silent_at(kind, times), game, escrow=escrow)
    verdict = ended(world)
    if 1 in world.cut:
        assert [absence.absent for absence in verdict.absences] == [(1,)]
        assert verdict.absences[0].voters == (0, 2, 3)
        assert verdict.absences[0].disputed == ()
    else:
        # Not every game has so many rounds of every kind.
        assert times == 2
        assert verdict.absences == ()


@pytest.mark.parametrize("limit", [0, LIMIT])
def test_with_two_seats_it_takes_a_referee_to_go_on(limit: int) -> None:
    waiting = silent(cheats.silent_at("commit", 2), "gnomia", 2, limit=limit)
    (node,) = waiting.honest
    assert not node.table.over
    assert node.table.blame is None
    assert node.table.owing == {1}
    with_referee = silent(cheats.silent_at("commit", 2), "gnomia", 2, limit=limit, referee=True)
    (absence,) = ended(with_referee).absences
    assert (absence.absent, absence.voters) == ((1,), (0, 2))


def test_half_of_the_members_cannot_go_on_and_one_more_can() -> None:
    def both(referee: bool) -> World:
        leaving = {seat: cheats.silent_at("commit", 2) for seat in (1, 2)}
        world = World(SEED, 4, tampers=leaving, referee=referee)
        world.run(200.0)
        return world

    assert all(not node.table.over for node in both(referee=False).honest)
    (absence,) = ended(both(referee=True)).absences
    assert absence.absent == (1, 2)


def chosen(table: Table, seat: Seat) -> list[tuple[Move, Sequence[Move], Move]]:
    """What counted as the choices of ``seat``, what could be drawn, and the poorest move."""
    game = table.game
    return [
        (move, game.absent(notice.before, seat), game.default(notice.before, seat))
        for notice in events(table)
        if isinstance(notice.event, Chosen)
        for chooser, move in notice.event.moves
        if chooser == seat
    ]


def test_an_absent_seats_moves_are_drawn_among_all_it_might_make() -> None:
    drawn = set()
    for seed in range(SEED, SEED + 4):
        world = silent(cheats.silent_at("commit"), seed=seed)
        ended(world)
        found = chosen(world.nodes[0].table, 1)
        assert found
        assert all(move in possible for move, possible, _ in found)
        drawn |= {possible.index(move) for move, possible, _ in found}
    assert len(drawn) > 2


def test_who_seals_a_move_and_does_not_open_it_has_made_the_poorest() -> None:
    for times in (1, 3):
        world = silent(cheats.silent_at("reveal", times))
        (absence,) = ended(world).absences
        table = world.nodes[0].table
        kinds = {parse(data).kind for data in table.transcript.steps[absence.step]}
        assert kinds == {"reveal"}
        played = chosen(table, 1)[times - 1]
        assert played[0] == played[2]


@pytest.mark.parametrize("game", ["taverne", "gnomia", "gobelin"])
@pytest.mark.parametrize("escrow", [False, True], ids=["dealt anew", "escrow"])
def test_a_seat_that_was_cut_off_follows_the_others_and_plays_on(game: str, escrow: bool) -> None:
    followed = 0
    for start in (0.6, 2.3):
        world = World(SEED, 4, game=game, limit=LIMIT, escrow=escrow)
        told = cut_off(world, start)
        world.run(400.0)
        verdict = ended(world)
        assert {absence.absent for absence in verdict.absences} == {(1,)}
        assert any(isinstance(notice, Returned) for notice in told)
        followed += any(isinstance(notice, Rewound) for notice in told)
        late = [parse(data) for data in world.nodes[0].table.transcript.messages]
        assert [m for m in late if m.seat == 1][-1].kind == "result"
    # Cut off in the middle of a choice, it had seen things the others then ruled otherwise.
    assert followed > 0 or game != "taverne"


def test_what_a_seat_said_before_it_was_ruled_absent_comes_to_light() -> None:
    world = World(SEED, 4, limit=LIMIT)
    world.run(1.6)
    while 1 in world.nodes[1].table.owing or world.nodes[0].table.owing != {0, 1, 2, 3}:
        world.run(world.now + 0.01)
    # What it says now, nobody hears; the others rule it absent in this very step.
    said = cut_off(world, world.now)
    world.run(400.0)
    verdict = ended(world)
    (absence,) = verdict.absences
    assert (absence.absent, absence.voters) == ((1,), (0, 2, 3))
    assert absence.disputed == (1,)
    assert any(isinstance(notice, Rewound | Ruled) for notice in said)
    assert verdict.data()["absences"][0]["disputed"] == (1,)


def test_a_member_that_votes_one_way_here_and_another_there_is_convicted() -> None:
    def two_faced(world: World, seat: Seat, message: Message) -> dict[Seat, list[bytes]] | None:
        if message.kind != VOTE:
            return None
        other = cheats.forge(world, message, body=[4], seq=0)
        return {0: [message.data], 2: [other], 3: [message.data, other]}

    world = World(
        SEED, 3, tampers={1: cheats.silent_at("commit", 2), 3: two_faced}, referee=True, limit=LIMIT
    )
    world.run(100.0)
    for node in (world.nodes[0], world.nodes[2]):
        assert node.table.blame is not None
        assert (node.table.blame.seat, node.table.blame.code) == (3, "two-votes")
        verdict = audit(node.table.transcript.data())
        assert (verdict.fault, verdict.seat) == ("two-votes", 3)


def test_a_referee_alone_can_rule_nobody_absent() -> None:
    world = World(SEED, 3, referee=True)
    judge = world.nodes[3]
    plain = judge.tick

    def always(now: float) -> list[bytes]:
        judge.table.vote(frozenset({0}))
        return plain(now)

    judge.tick = always  # type: ignore[method-assign]
    world.run(300.0)
    assert ended(world).absences == ()
    assert any(message.kind == VOTE for message in judge.table.since(0, frozenset()))


def test_a_back_message_lets_in_once_and_for_its_own_absence_only() -> None:
    world = World(SEED, 4, limit=LIMIT)
    world.run(1.1)
    world.sides = {1}
    while not world.nodes[0].table.roster.absent:
        world.run(world.now + 0.5)
    table, lost = world.nodes[0].table, world.nodes[1].table
    place = table.roster.since(1)
    assert place is not None
    key = world.players[1].key

    def back(step: int, prev: bytes, seq: int = 0, seat: Seat = 1, body: object = None) -> bytes:
        return wire.compose(key, table.table, seat, seq, step, prev, BACK, body).data

    for data, code in (
        (back(place.step + 1, place.prev), "not-absent"),
        (back(place.step, bytes(32)), "not-absent"),
        (back(place.step, place.prev, seat=2), "not-absent"),
        (back(place.step, place.prev, seq=1), "back"),
        (back(place.step, place.prev, body=[]), "back"),
        (back(place.step, place.prev)[:-1] + b"\0", "signature"),
    ):
        with pytest.raises(Refusal, match=code):
            table.take(data)
    assert 1 in table.roster.absent
    world.sides = set()
    world.run(400.0)
    ended(world)
    assert lost is world.nodes[1].table
    assert 1 not in table.roster.absent
    with pytest.raises(Refusal, match="not-absent"):
        table.take(back(place.step, place.prev))


def test_a_false_vote_is_refused() -> None:
    world = World(SEED, 3)
    world.run(2.0)
    table, key = world.nodes[0].table, world.players[1].key
    here, head = table.step, table.transcript.head

    def vote(body: object, seq: int = 0, step: int = here, prev: bytes = head) -> bytes:
        return wire.compose(key, table.table, 1, seq, step, prev, VOTE, body).data

    for data, code in (
        (vote([4], prev=bytes(32)), "other-past"),
        (vote([4], step=here + 1), "other-past"),
        (vote([4], seq=1), "vote"),
        (vote([]), "vote"),
        (vote([8]), "vote"),
        (vote([-1]), "vote"),
        (vote(4), "vote"),
        (vote([True]), "vote"),
        (vote([4] * 33, seq=32), "vote"),
        (vote([4])[:-1] + b"\0", "signature"),
    ):
        with pytest.raises(Refusal, match=code):
            table.take(data)
    table.take(vote([4]))
    assert table.proposed == {2}
    assert table.blame is None


def hanging(back: int) -> tuple[Table, int]:
    """Seat 0 at a table of three whose others, some steps ``back``, wait for seat 2 to rule it out.

    That seat is silent; seat 0 has noticed. Returns the step in which they hang, too.
    """
    world = World(SEED, 3, referee=True)
    world.run(2.0)
    table = world.nodes[0].table
    step = table.step - back
    prev = table.transcript.head_at(step)
    for voter in (1, 3):
        key = world.players[voter].key
        table.take(wire.compose(key, table.table, voter, 0, step, prev, VOTE, [1 << 0]).data)
    assert table.step == step + back
    table.vote(frozenset({2}))
    return table, step


def test_a_step_just_closed_is_opened_again_for_those_whose_votes_hang() -> None:
    for back in (1, REOPEN):
        table, step = hanging(back)
        assert table.step == step
        said = [message for message in table.since(step, frozenset()) if message.kind == VOTE]
        assert [m.body() for m in said if m.seat == 0] == [[0, 1 << 2]]


def test_an_old_step_is_not_opened_again() -> None:
    table, step = hanging(REOPEN + 1)
    assert table.step == step + REOPEN + 1


def test_what_could_not_be_made_again_is_not_said_otherwise_after_going_through_it_again() -> None:
    world = World(SEED, 4, limit=LIMIT)
    cut_off(world, 1.1)
    table = world.nodes[0].table

    def said() -> list[Message]:
        open_step = table.since(table.step, frozenset())
        return [message for message in open_step if (message.kind, message.seat) == ("roll", 0)]

    while not said() or said()[0].body() == []:
        world.run(world.now + 0.001)
    rolled = said()
    onward = [m.data for m in table.since(0, frozenset()) if m not in rolled and m.kind != BACK]
    table._rewind(table.step)
    assert said() == rolled
    # Nor after having lost sight of that step for a while.
    for back in (2, 1):
        table._rewind(table.step - back)
        table._machine.messages.clear()
        table._rewind(table.step)
    for data in onward:
        table.receive(data)
        table.work()
    assert said() == rolled
    assert table.blame is None


def test_everybody_tells_that_somebody_is_absent_and_that_it_is_back() -> None:
    world = World(SEED, 3, limit=LIMIT)
    told = overheard(world, 0)
    cut_off(world, 1.1)
    world.run(400.0)
    assert Ruled(frozenset({1}), me=False) in told
    ended(world)
    assert Returned(frozenset({1})) in told


def test_who_is_there_but_never_votes_cannot_keep_the_others_waiting() -> None:
    def votes_not(world: World, seat: Seat, message: Message) -> dict[Seat, list[bytes]] | None:
        return {} if message.kind == VOTE else None

    world = World(
        SEED, 4, tampers={1: cheats.silent_at("commit", 2), 3: votes_not}, limit=LIMIT, referee=True
    )
    # Neither by catching up: nobody is ever told of its votes.
    deaf = world.nodes[3].table
    deaf._cast = lambda step, history: None  # type: ignore[method-assign]
    world.run(300.0)
    tables = [world.nodes[seat].table for seat in (0, 2, 4)]
    assert all(table.over for table in tables)
    assert {absence.absent for absence in audit(tables[0].transcript.data()).absences} == {(1, 3)}
