"""Ruling silent members absent: ballots in which all the others must agree. No I/O, no clock.

A step is stuck because messages of some members are missing. Clocks prove nothing, so absence is
voted. A member that has lost patience votes, ballot after ballot from 0, for the *set* of members
it wants to go on without; each of its votes repeats all its earlier ones of this step. In one
ballot, a set M is **ruled** absent when every present member outside of M has voted for just M,
and they are more than half of all members.

A vote is *dead* when one of those whose agreement it needs has said something else in that ballot:
then it never becomes a ruling. A step is closed for a member

- by a ruling, the highest there is, if its own votes in later ballots are dead (or for that set);
- by the step's messages alone, if there is no ruling and all its own votes are dead.

So a vote opens the step again for whoever casts it. Why no two members have a step closed
differently, unless one of them is inside the set of the higher ruling (and it will follow the
others): whoever is outside of that set has voted for it, in a vote that is never dead. Two rulings
of one ballot are the same, since two majorities share a member.

A step that is closed for us may be stuck for another, which waits for us to let its vote die. We
*hold*: say, for the ballots we have not voted in, that there is nobody we want to go on without.
That is not enough only if its vote hangs on somebody silent (``hangs``): then a new vote, against
the silent ones, must be ruled, also by those for whom the step was closed.
``tests/net/test_ballots.py`` tries all schedules of small tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rules.game import Seat

HOLD: Final = 0
"""In a history of votes: in this ballot, for nobody's absence."""

MOST: Final = 32
"""Votes of one member in one step; they would run out only in a table that cannot agree at all."""

Set: TypeAlias = frozenset[Seat]


def mask(seats: Iterable[Seat]) -> int:
    """A set of members as it travels: bit i is member i."""
    return sum(1 << seat for seat in seats)


def unmask(bits: int) -> Set:
    """The set behind ``mask``."""
    return frozenset(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def most(members: int, size: int) -> bool:
    """Whether so many ``members`` are more than half of all, who are ``size``: enough to rule."""
    return 2 * members > size


class Ballots:
    """One replica's view of the votes in one step.

    ``present`` are the members that were not absent before the step, ``size`` counts all members,
    ``me`` is who votes here (``None``: only follows).
    """

    def __init__(self, present: Set, size: int, me: Seat | None) -> None:
        self.present = present
        self._size = size
        self._me = me if me in present else None
        self._votes: dict[Seat, tuple[int, ...]] = {}

    def history(self, voter: Seat) -> tuple[int, ...]:
        """What ``voter`` has voted, as far as we know: a mask a ballot."""
        return self._votes.get(voter, ())

    @property
    def voters(self) -> Set:
        """Who has voted for something."""
        return frozenset(seat for seat, history in self._votes.items() if any(history))

    @property
    def proposed(self) -> Set:
        """All whom somebody, at present, wants to go on without."""
        newest = (history[-1] for history in self._votes.values())
        return frozenset[Seat]().union(*map(unmask, newest))

    def take(self, voter: Seat, history: Sequence[int]) -> bool:
        """Take a voter's signed history; ``False`` if it contradicts one we have of it."""
        known = self.history(voter)
        shorter = min(len(known), len(history))
        if tuple(history[:shorter]) != known[:shorter]:
            return False
        if len(history) > len(known):
            self._votes[voter] = tuple(history)
        return True

    def quorum(self, absent: Set) -> bool:
        """Whether those who are left without ``absent`` may rule."""
        return most(len(self.present - absent), self._size)

    def ruling(self) -> tuple[int, Set] | None:
        """The ballot and the set of the highest ruling, if there is one and it binds us."""
        highest = max(self._rulings(), key=lambda ruling: ruling[0], default=None)
        if highest is None:
            return None
        ballot, absent = highest
        mine = self._mine()
        later = range(ballot + 1, len(mine))
        bound = all(self._dead(i) or unmask(mine[i]) == absent for i in later)
        return highest if bound else None

    def _rulings(self) -> Iterator[tuple[int, Set]]:
        for ballot in range(self._newest()):
            for bits in {self._said(seat, ballot) for seat in self.present} - {None, HOLD}:
                assert bits is not None
                voters = self.present - unmask(bits)
                if self.quorum(unmask(bits)) and all(
                    self._said(seat, ballot) == bits for seat in voters
                ):
                    yield ballot, unmask(bits)

    def free(self) -> bool:
        """Whether we may close the step by its messages alone: nothing we voted for can win."""
        return all(map(self._dead, range(len(self._mine()))))

    def vote(self, absent: Set) -> tuple[int, ...] | None:
        """Our history once we vote for ``absent``; ``None`` if that vote is made, or not allowed.

        Nothing changes before ``take`` is told of it; then the step is open for us.
        """
        mine = self._mine()
        wanted = absent & self.present
        assert self._me is not None
        if not wanted or self._me in wanted or not self.quorum(wanted):
            return None
        newest = self._newest()
        if mine and unmask(mine[-1]) == wanted and len(mine) == newest:
            return None
        longer = max(len(mine) + 1, newest)
        if longer > MOST:
            return None
        return (*self._held(longer - 1), mask(wanted))

    def hold(self) -> tuple[int, ...] | None:
        """Our history once we hold in all ballots so far; ``None`` if we have voted in each."""
        held = self._held(self._newest())
        return None if self._me is None or held == self._mine() else held

    def hangs(self, silent: Set) -> bool:
        """Whether a vote of somebody who is not silent waits for the silent alone.

        It does not if it is older than a ruling, or for the same set: then it keeps nobody.
        """
        highest = max(self._rulings(), key=lambda ruling: ruling[0], default=(-1, Set()))
        heard = self.present - silent
        for ballot in range(highest[0] + 1, self._newest()):
            for bits in {self._said(seat, ballot) for seat in heard} - {None, HOLD}:
                assert bits is not None
                needed = self.present - unmask(bits)
                if (
                    unmask(bits) != highest[1]
                    and all(self._said(seat, ballot) == bits for seat in needed & heard)
                    and all(self._said(seat, ballot) in (None, bits) for seat in needed & silent)
                ):
                    return True
        return False

    def _mine(self) -> tuple[int, ...]:
        return () if self._me is None else self.history(self._me)

    def _held(self, length: int) -> tuple[int, ...]:
        mine = self._mine()
        return (*mine, *(HOLD for _ in range(length - len(mine))))

    def _newest(self) -> int:
        return max(map(len, self._votes.values()), default=0)

    def _said(self, seat: Seat, ballot: int) -> int | None:
        history = self.history(seat)
        return history[ballot] if ballot < len(history) else None

    def _dead(self, ballot: int) -> bool:
        """Whether our own vote in ``ballot`` can become a ruling no more."""
        bits = self._mine()[ballot]
        needed = self.present - unmask(bits)
        return bits == HOLD or any(self._said(seat, ballot) not in (None, bits) for seat in needed)


def well_formed(history: object, size: int) -> bool:
    """Whether a list from the network is a history of votes among ``size`` members."""
    return (
        isinstance(history, list)
        and 0 < len(history) <= MOST
        and all(type(bits) is int and 0 <= bits < 1 << size for bits in history)
    )
