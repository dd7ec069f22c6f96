"""Programs that wait to take the empty seats of a table: when its host says so, or after a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

Send: TypeAlias = Callable[[int], "asyncio.Task[None]"]
"""Sends one more program to the table, given its number from 0 up; the task is its whole life."""

ANOTHER_EVERY = 2.0
"""Seconds between two that come by themselves: friends who arrive meanwhile still find a seat."""


class Reserve:
    """What ``send`` can send to one table, the first by itself ``after`` so many seconds.

    With 0, none comes unless it is called.
    """

    def __init__(self, send: Send, after: float = 0.0) -> None:
        self._send = send
        self._after = after
        self._sent: list[asyncio.Task[None]] = []
        self._due: float | None = None

    def wanted(self, free: int, seated: int) -> bool:
        """Whether one of the ``free`` seats is not yet taken by one that is on its way.

        ``seated`` is how many programs have a seat.
        """
        alive = sum(not task.done() for task in self._sent)
        return free > max(0, alive - seated)

    def call(self, free: int, seated: int) -> None:
        """Send one, if it is wanted."""
        if self.wanted(free, seated):
            self._sent.append(self._send(len(self._sent)))

    def tick(self, now: float, free: int, seated: int) -> None:
        """Send one if it is time; ``now`` is in seconds of any clock that only goes forward."""
        if self._due is None:
            self._due = now + self._after
        if self._after and now >= self._due:
            self._due = now + ANOTHER_EVERY
            self.call(free, seated)
