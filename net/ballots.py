"""Ruling silent members absent: ballots in which all the others must agree. No I/O, no clock.

A step is stuck because messages of some members are missing. Clocks prove nothing, so absence is
voted. A member that has lost patience votes, ballot after ballot from 0, for the *set* of members
it wants to go on without; each of its votes repeats all its earlier ones of this step. In one
ballot, a set M is **ruled** absent when every present member outside of M has voted for just M,
and they are more than half of all members. A vote can be followed by another only if

- the earlier one is *dead*: one of those whose agreement it needs has voted otherwise in that
  ballot, or voted its last: then it never becomes a ruling; or
- the later set contains the earlier one (somebody whose vote was needed is silent too).

A step closes without a ruling only for those whose own votes, if any, are all dead; by the
ordinary rules it is then over for them, and they never vote in it again, which they say (a *last*
vote) to whoever still votes. A member closes by a ruling only if its own later votes are dead.

Why no two members close a step differently, unless one of them is ruled absent (and it will follow
the others): two majorities share a member. It would have voted for both sets; since the first is
not dead, the second contains it; so whoever closed by the first is outside of the second's voters,
or has voted for the second after it was dead. The higher of two rulings counts. The same holds
for closing without a ruling. ``tests/net/test_ballots.py`` tries all schedules of small tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from rules.game import Seat

LAST: Final = -1
"""In a history of votes: there will be no more of them."""

MOST: Final = 32
"""Votes of one member in one step; they would run out only in a table that cannot agree at all."""

Set: TypeAlias = frozenset[Seat]


def mask(seats: Iterable[Seat]) -> int:
    """A set of members as it travels: bit i is member i."""
    return sum(1 << seat for seat in seats)


def unmask(bits: int) -> Set:
    """The set behind ``mask``."""
    return frozenset(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


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
        """What ``voter`` has voted, as far as we know: a mask a ballot, ``LAST`` at the end."""
        return self._votes.get(voter, ())

    @property
    def voters(self) -> Set:
        """Who has voted for something."""
        return frozenset(seat for seat, history in self._votes.items() if history[0] != LAST)

    @property
    def proposed(self) -> Set:
        """All whom somebody, at present, wants to go on without."""
        newest = (history[-1] for history in self._votes.values() if history[-1] != LAST)
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
        return 2 * len(self.present - absent) > self._size

    def ruling(self) -> tuple[int, Set] | None:
        """The ballot and the set of the highest ruling that binds us, if there is one."""
        most = max((len(history) for history in self._votes.values()), default=0)
        for ballot in reversed(range(most)):
            for bits in {
                history[ballot] for history in self._votes.values() if ballot < len(history)
            }:
                if bits > 0 and self._ruled(ballot, unmask(bits)):
                    later = range(ballot + 1, len(self._mine()))
                    bound = self._me in unmask(bits) or all(map(self._dead, later))
                    return (ballot, unmask(bits)) if bound else None
        return None

    def _ruled(self, ballot: int, absent: Set) -> bool:
        bits = mask(absent)
        voters = self.present - absent
        return self.quorum(absent) and all(
            ballot < len(self.history(seat)) and self.history(seat)[ballot] == bits
            for seat in voters
        )

    def free(self) -> bool:
        """Whether we may close the step by its messages alone: nothing we voted for can win."""
        return all(map(self._dead, range(len(self._mine()))))

    def vote(self, absent: Set) -> tuple[int, ...] | None:
        """Our history once we vote for ``absent``; ``None`` if that vote is made, or not allowed.

        Nothing changes before ``take`` is told of it.
        """
        mine = self._mine()
        wanted = absent & self.present
        assert self._me is not None
        if not wanted or self._me in wanted or not self.quorum(wanted) or mine[-1:] == (LAST,):
            return None
        newest = max((self._length(seat) for seat in self.present), default=0) - 1
        if mine and unmask(mine[-1]) == wanted and len(mine) > newest:
            return None
        if not all(self._dead(i) or unmask(mine[i]) <= wanted for i in range(len(mine))):
            return None
        longer = max(len(mine) + 1, newest + 1)
        if longer > MOST:
            return None
        # A ballot that we skip is one in which we say nothing for good: 0, the empty set.
        return (*mine, *(0 for _ in range(longer - 1 - len(mine))), mask(wanted))

    def last(self) -> tuple[int, ...] | None:
        """Our history with the last vote, once the step is over for us; ``None`` if it is there."""
        mine = self._mine()
        return None if self._me is None or mine[-1:] == (LAST,) else (*mine, LAST)

    def _mine(self) -> tuple[int, ...]:
        return () if self._me is None else self.history(self._me)

    def _length(self, seat: Seat) -> int:
        history = self.history(seat)
        return len(history) - (history[-1:] == (LAST,))

    def _dead(self, ballot: int) -> bool:
        """Whether our own vote in ``ballot`` can become a ruling no more."""
        bits = self._mine()[ballot]
        if bits <= 0:
            return True
        for seat in self.present - unmask(bits) - {self._me}:
            history = self.history(seat)
            if ballot < len(history):
                if history[ballot] != bits:
                    return True
            elif history[-1:] == (LAST,):
                return True
        return False


def well_formed(history: object, size: int) -> bool:
    """Whether a list from the network is a history of votes among ``size`` members."""
    return (
        isinstance(history, list)
        and 0 < len(history) <= MOST + 1
        and all(type(bits) is int and 0 <= bits < 1 << size for bits in history[:-1])
        and type(history[-1]) is int
        and (history[-1] == LAST or 0 < history[-1] < 1 << size)
    )
