"""Which of the processes that share a referee's key are there, by the signs of life they give.

No I/O, no clock. A process that does not hear its own signs of life come back from the broker is
cut off, whatever its connection says; then nobody else has fallen silent, and it must itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from net.referee.claim import Beat

BEAT_EVERY = 1.0
"""Seconds between two signs of life."""

LEASE = 3.0
"""Seconds for which a sign of life lets us speak, from when it was given, if it has come back.

Less than anybody waits before they speak in our place: ``DOUBTED``, then ``SETTLE``.
"""

DEAD_AFTER = 6.0
"""Seconds of silence after which the tables of a process are taken over."""

DOUBTED = 2.5
"""Seconds in which a process must give a sign of life when the broker seems to have lost one."""

SETTLE = 1.0
"""Seconds in which what others say of us, and of what went on without us, is here."""

NEVER = float("-inf")

Holds = Mapping[bytes, tuple[int, int]]
"""Tables, each with its claim's term and version."""


@dataclass(slots=True)
class Other:
    """Another process: when it was heard, its last sign of life, and what that said."""

    heard: float
    number: int = -1
    free: bool = False
    holds: Holds = field(default_factory=dict)


class Beats:
    """The signs of life of the process ``instance``, and of the others.

    ``former`` is the process that had our record before us: it is dead.
    """

    def __init__(self, instance: bytes, former: bytes | None) -> None:
        self.instance = instance
        self.former = former
        self.up = False
        self.due = NEVER
        """When the next sign of life is to be given."""
        self._others: dict[bytes, Other] = {}
        self._since = NEVER
        """When the link came up."""
        self._number = 0
        self._asks = True
        self._given: dict[int, float] = {}
        """When those of ours were given that have not come back."""
        self._lease = NEVER
        """When the newest of those was given that have."""

    def steady(self, now: float) -> bool:
        """Whether we have been there long enough to know of the others, and hear ourselves."""
        return self.up and now - self._since >= SETTLE and now - self._lease < LEASE

    def lives(self, name: bytes, now: float) -> bool:
        """Whether another process is there."""
        other = self._others.get(name)
        return other is not None and name != self.former and now - other.heard < DEAD_AFTER

    def living(self, now: float) -> list[bytes]:
        """The other processes that are there."""
        return [name for name in self._others if self.lives(name, now)]

    def rivals(self, now: float) -> list[bytes]:
        """Those of them that can take more tables."""
        return [name for name in self.living(now) if self._others[name].free]

    def holds(self, table: bytes) -> Iterator[tuple[bytes, int]]:
        """The processes that have last said they hold ``table``, and in which term."""
        for name, other in self._others.items():
            if table in other.holds:
                yield name, other.holds[table][0]

    def link(self, up: bool, now: float) -> None:
        """The link is up, or lost: nobody else has fallen silent because of that."""
        self.up = up
        if up:
            self._since = self.due = now
            self._lease = NEVER
            self._given.clear()
            self._asks = True
            for other in self._others.values():
                if other.heard > NEVER:
                    other.heard = now

    def doubt(self, now: float) -> None:
        """The broker says that it has lost one of us: whoever is there is to say so."""
        for other in self._others.values():
            other.heard = min(other.heard, now - DEAD_AFTER + DOUBTED)
        self.due = now

    def meet(self, name: bytes, now: float) -> None:
        """There is something of this process: it has time to give a sign of life."""
        self._others.setdefault(name, Other(now))

    def give(self, free: bool, holds: Holds, now: float, *, leaves: bool = False) -> Beat:
        """Our next sign of life."""
        self.due = now + BEAT_EVERY
        self._number += 1
        self._given = {beat: at for beat, at in self._given.items() if now - at < LEASE}
        self._given[self._number] = now
        asks, self._asks = self._asks, False
        return Beat(self.instance, self._number, free, asks, leaves, holds)

    def take(self, beat: Beat, now: float) -> Holds | None:
        """Take a sign of life; what its sender held before. ``None``: ours, or an old one."""
        if beat.instance == self.instance:
            self._lease = max(self._lease, self._given.pop(beat.number, NEVER))
            return None
        other = self._others.setdefault(beat.instance, Other(now))
        if beat.number <= other.number:
            return None
        before = other.holds
        other.number, other.free, other.holds = beat.number, beat.free, beat.holds
        other.heard = NEVER if beat.leaves else now
        if beat.asks:
            self.due = now
        return before
