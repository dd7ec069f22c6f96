"""The tables one could go to now: on the local network, and in the lobby of a shared broker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final

import rules
from broker.announcement import Announced
from broker.lan import Lan
from net.link.transport import TransportError
from net.meeting.invitation import Invitation
from net.meeting.lobby import Lobby
from net.meeting.tables import OpenTable
from tui.sitting import Room

log = logging.getLogger(__name__)

AGAIN_AFTER: Final = 10.0
"""Seconds until a broker that could not be reached is tried again."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """One such table; ``names`` are those of the people there, as far as they are known, the host
    first: text from the network. ``since`` is in seconds since 1970, ``None`` if nobody knows."""

    invitation: str
    game: str
    seats: int
    taken: int
    names: tuple[str, ...]
    begun: bool
    lan: bool
    since: float | None = None

    @property
    def free(self) -> bool:
        """Whether one can sit down."""
        return not self.begun and self.taken < self.seats


class Near:
    """What ``lan`` and ``lobby`` find, while it is ``open``; either may be missing."""

    def __init__(self, lan: Lan | None, lobby: Callable[[], Lobby] | None) -> None:
        self._lan = lan
        self._make_lobby = lobby
        self._lobby: Lobby | None = None
        self._stack = AsyncExitStack()
        self._looking: asyncio.Task[None] | None = None
        self._room: Room | None = None
        self._told: Invitation
        self._announcing: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []

    async def open(self) -> None:
        """Begin to look; what cannot be reached is no error, but a ``problem``."""
        if self._lan is not None:
            await self._stack.enter_async_context(self._lan)
            self._lan.listen(self._tell)
        if self._make_lobby is not None:
            self._looking = asyncio.create_task(self._look(self._make_lobby))

    async def close(self) -> None:
        """Look no more, and take back what was announced."""
        self.withdraw()
        for task in (self._looking, self._announcing):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self._stack.aclose()

    async def _look(self, make: Callable[[], Lobby]) -> None:
        while True:
            lobby = make()
            lobby.listen(self._tell)
            with suppress(TransportError):
                async with lobby:
                    self._lobby = lobby
                    await asyncio.Event().wait()
            await asyncio.sleep(AGAIN_AFTER)

    @property
    def tables(self) -> tuple[Nearby, ...]:
        """All of them that are for games of ours: those on the local network first."""
        lobby = self._lobby
        found = [_on_lan(table) for table in self._lan.tables] if self._lan else []
        known = {table.invitation.rpartition("/")[2] for table in found}
        for table in lobby.tables if lobby is not None else ():
            told = lobby.invitation(table) if lobby is not None else ""
            if told.rpartition("/")[2] not in known:
                found.append(_in_lobby(table, told))
        return tuple(table for table in found if table.game in rules.names())

    @property
    def problem(self) -> str:
        """Why there may be more: a code, or empty."""
        if self._make_lobby is not None and (self._lobby is None or not self._lobby.link):
            return "no-lobby"
        return "" if self._lan is None else self._lan.problem

    @property
    def looks(self) -> bool:
        """Whether there is anywhere to look."""
        return self._lan is not None or self._make_lobby is not None

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever ``tables`` or ``problem`` may have changed."""
        self._listeners.append(callback)

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()

    # Our own table on the local network.

    def announce(self, room: Room, told: Invitation) -> None:
        """Let everybody on the local network know of our own ``room``, until ``withdraw``.

        ``told`` leads there; if its host is ``0.0.0.0``, its broker is at all our addresses.
        """
        if self._lan is None:
            return
        self._room, self._told = room, told
        room.listen(self._news.set)
        self._news.set()
        if self._announcing is None:
            self._announcing = asyncio.create_task(self._announce(self._lan))

    def withdraw(self) -> None:
        """Nobody is looked for any more."""
        self._room = None
        self._news.set()

    async def _announce(self, lan: Lan) -> None:
        """Say what there is to say, one thing after the other."""
        while True:
            await self._news.wait()
            self._news.clear()
            room = self._room
            if room is None:
                await lan.withdraw()
                continue
            taken, host = len(room.guests), room.guests[0].name
            table = Announced(
                self._told, room.game.name, room.seats, taken, host, taken < room.seats
            )
            await lan.announce(table)


def _on_lan(table: Announced) -> Nearby:
    told = str(table.invitation)
    return Nearby(
        told, table.game, table.seats, table.taken, (table.host,), not table.open, lan=True
    )


def _in_lobby(table: OpenTable, told: str) -> Nearby:
    names = tuple(guest.name for guest in table.guests if not guest.bot)
    return Nearby(
        told,
        table.game,
        table.seats,
        len(table.guests),
        names,
        table.begun,
        lan=False,
        since=table.since,
    )
