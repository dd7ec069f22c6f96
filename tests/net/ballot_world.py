"""A small world of members that vote on one stuck step: what they know, and how each acts on it.

It knows of a table only who owes a message and who has voted what. What was published stays on its
way for ever, so late, lost, repeated and forwarded are all one thing; a member that has crashed is
one that does nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeAlias

from net.play.ballots import Ballots, Set, unmask
from rules.game import Seat

History: TypeAlias = tuple[int, ...]

View: TypeAlias = tuple[History, ...]
"""The history of each member, as far as one member knows it."""

Outcome: TypeAlias = tuple[int, Set]
"""How a step is closed: the ballot of the ruling, and its set."""

BY_MESSAGES: Outcome = (-1, frozenset())


@dataclass(frozen=True, slots=True)
class World:
    """``size`` members, of whom only ``present`` were there before; ``owing`` owe messages."""

    size: int
    present: Set
    owing: Set

    @property
    def blank(self) -> View:
        """What is known before anybody has voted."""
        return ((),) * self.size


@cache
def subsets(members: Set) -> tuple[Set, ...]:
    """All sets of these members, the empty one first."""
    return tuple(
        frozenset(chosen)
        for count in range(len(members) + 1)
        for chosen in combinations(sorted(members), count)
    )


@cache
def replica(world: World, me: Seat | None, view: View) -> Ballots:
    """The ballots of a member that knows these histories; only to be asked, not to be changed."""
    ballots = Ballots(world.present, world.size, me)
    for voter, history in enumerate(view):
        assert not history or ballots.take(voter, history)
    return ballots


@cache
def outcome(world: World, me: Seat, view: View, missing: Set) -> Outcome | None:
    """How the step is closed for ``me``, who has all messages but those ``missing``."""
    ballots = replica(world, me, view)
    ruling = ballots.ruling()
    if ruling is not None:
        return ruling if missing <= ruling[1] else None
    return BY_MESSAGES if ballots.free() and not missing else None


@cache
def answer(world: World, me: Seat, view: View, missing: Set, silent: Set) -> History | None:
    """What ``me`` says once it has no patience left; ``None`` if there is nothing to say."""
    ballots = replica(world, me, view)
    waits = missing and outcome(world, me, view, missing) is None
    if waits or ballots.hangs(silent):
        return ballots.vote(missing | silent)
    return ballots.hold()


def with_history(view: View, voter: Seat, history: History) -> View:
    """``view`` once ``voter`` is known to have voted so."""
    return (*view[:voter], history, *view[voter + 1 :])


def joined(views: list[View]) -> View:
    """What members know once they have told each other all."""
    return tuple(max(known, key=len) for known in zip(*views, strict=True))


def settled(world: World, living: Set, view: View, missing: Set, rounds: int) -> Outcome | None:
    """How the step ends for all the living, who tell each other all from now on.

    In each round every one of them says what it has to, knowing rightly who is silent; ``None`` if
    the step is not closed alike for all of them after so many ``rounds``.
    """
    silent = world.present - living
    for _ in range(rounds + 1):
        said = {me: answer(world, me, view, missing, silent) for me in living}
        outcomes = {outcome(world, me, view, missing) for me in living}
        if len(outcomes) == 1 and None not in outcomes:
            return outcomes.pop()
        for me, history in said.items():
            view = with_history(view, me, history or view[me])
    return None


def clash(first: tuple[Seat, Outcome | None], second: tuple[Seat, Outcome | None]) -> bool:
    """Whether two members have closed differently, and the one of the lower ballot stays so."""
    (low_seat, low), (_, high) = first, second
    if low is None or high is None or low[1] == high[1]:
        return False
    if low[0] > high[0]:
        return clash(second, first)
    return low[0] == high[0] or low_seat not in high[1]


def rulings(world: World, truth: View) -> Iterator[Outcome]:
    """All rulings, from the lowest, as somebody who knows every vote counts them."""
    for ballot in range(max(map(len, truth))):
        said = {seat: truth[seat][ballot] for seat in world.present if len(truth[seat]) > ballot}
        for absent in subsets(world.present):
            agree = {seat for seat, bits in said.items() if bits and unmask(bits) == absent}
            if absent and agree >= world.present - absent and 2 * len(agree - absent) > world.size:
                yield ballot, absent
