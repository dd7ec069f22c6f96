"""The lobby of a broker, as somebody sees it who looks for a table: open tables, and the best one.

Strangers write here. What is listed is what a table's own host has signed and keeps on saying; what
a broker only remembers, or a stranger repeats, is not. However much is said, little is kept.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self, TypeVar

import rules
from net.link import topics
from net.link.address import Broker
from net.link.transport import Transport
from net.meeting.room import RoomError
from net.meeting.tables import RENEW_EVERY, OpenTable, read_table
from net.play.wire import Refusal
from net.referee.calling import FOUND_WITHIN

log = logging.getLogger(__name__)

Entered = TypeVar("Entered")

GONE_AFTER = 3 * RENEW_EVERY
"""Seconds without a word from its host after which a table is not listed any more."""

SKEW = 600
"""Seconds by which a host's clock may differ from ours; if it does by more, its table is listed
once it is heard for the second time."""

MOST = 512
"""Most tables that are listed; more are not looked at until others go."""

TELL_EVERY = 0.2
"""Seconds at least between two calls of those who listen."""

LOOK_EVERY = 1.0
"""Seconds between two looks at the clock."""

SETTLES_WITHIN = 0.5
"""Seconds that what is retained may take to come, before the best of it is chosen."""


@dataclass(slots=True)
class _Entry:
    """``heard`` is when, by a clock that only goes forward; ``None``: it was taken back."""

    data: bytes
    said: OpenTable
    table: OpenTable
    heard: float | None
    fresh: bool


class Lobby:
    """The open tables on ``broker``, reached by ``transport``, while the ``async with`` lasts.

    Entering raises ``net.link.transport.TransportError``. ``clock`` only goes forward; ``wall`` is
    in seconds since 1970.
    """

    def __init__(
        self,
        transport: Transport,
        broker: Broker,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.link = False
        """Whether the broker can be reached now."""
        self.refused: Counter[str] = Counter()
        """What was said here and is not listed, by reason."""
        self._transport = transport
        self._broker = broker
        self._clock = clock
        self._wall = wall
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        """By room; in front those that were heard least lately, or have gone."""
        self._listeners: list[Callable[[], None]] = []
        self._news = asyncio.Event()
        self._telling: asyncio.Task[None] | None = None
        transport.subscribe(topics.LOBBIES)
        transport.listen(self._hear, self._notify)

    async def __aenter__(self) -> Self:
        """Reach the broker; what is retained there comes soon after."""
        await self._transport.open()
        self._telling = asyncio.create_task(self._tell())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        await self._transport.close()

    @property
    def tables(self) -> tuple[OpenTable, ...]:
        """The tables that are open now, those first where the game can begin soonest.

        Their times are by our own clock, whatever their hosts' clocks say.
        """
        found = [entry.table for entry in self._entries.values() if self._listed(entry)]
        return tuple(sorted(found, key=_promise))

    def find(
        self, game: str = "", *, free: bool = False, begun: bool | None = None
    ) -> tuple[OpenTable, ...]:
        """Those of ``tables`` with this ``game`` (or any), a ``free`` seat, ``begun`` or not."""
        return tuple(
            table
            for table in self.tables
            if game in ("", table.game)
            and not (free and table.free == 0)
            and begun in (None, table.begun)
        )

    def invitation(self, table: OpenTable) -> str:
        """What leads to ``table``: as good as one from its host."""
        return str(table.invitation(self._broker))

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when ``tables`` or ``link`` has changed, but not too often."""
        self._listeners.append(callback)

    def _listed(self, entry: _Entry) -> bool:
        heard = entry.heard
        return entry.fresh and heard is not None and self._clock() - heard < GONE_AFTER

    def _hear(self, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        if address is None or address.kind != topics.LOBBY:
            return
        room = address.room
        if not payload:
            self._forget(room)
            return
        known = self._entries.get(room)
        if known is None and not self._make_place():
            self.refused["full"] += 1
            return
        if known is not None and payload == known.data:
            # The broker's memory, or somebody who repeats it: nobody has said it now.
            self.refused["old"] += 1
            return
        try:
            said = read_table(room, payload)
        except Refusal as refusal:
            self.refused[refusal.code] += 1
            return
        if known is not None and said.at <= known.said.at:
            self.refused["old"] += 1
            return
        wall = int(self._wall())
        since = wall - (said.at - said.since) if known is None else known.table.since
        ours = replace(said, since=since, at=wall)
        fresh = known is not None or abs(wall - said.at) <= SKEW
        self._entries[room] = _Entry(payload, said, ours, self._clock(), fresh)
        self._entries.move_to_end(room)
        self._news.set()

    def _forget(self, room: str) -> None:
        """It was taken back; what it said at last is kept, so that nobody can say it again."""
        known = self._entries.get(room)
        if known is not None:
            known.heard = None
            self._entries.move_to_end(room, last=False)
            self._news.set()

    def _make_place(self) -> bool:
        """Whether one more can be taken: one that has gone makes room, one that is there stays."""
        if len(self._entries) < MOST:
            return True
        room, entry = next(iter(self._entries.items()))
        if entry.heard is not None and self._clock() - entry.heard < GONE_AFTER:
            return False
        del self._entries[room]
        return True

    def _notify(self, up: bool) -> None:
        self.link = up
        self._news.set()

    async def _tell(self) -> None:
        """Call those who listen whenever there is something new; silence can be news, too."""
        told: object = None
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._news.wait()
            self._news.clear()
            now = self.link, self.tables
            if now != told:
                told = now
                for callback in tuple(self._listeners):
                    try:
                        callback()
                    except Exception:
                        log.exception("a listener failed on the lobby")
            await asyncio.sleep(TELL_EVERY)


def _promise(table: OpenTable) -> tuple[bool, bool, int, int, str]:
    return table.begun, table.free == 0, table.free, table.since, table.room


def playable(table: OpenTable) -> bool:
    """Whether we have its game, in the version that is played there."""
    return table.game in rules.names() and rules.load(table.game).version == table.rules


async def quick(
    lobby: Lobby,
    game: str,
    enter: Callable[[OpenTable], Awaitable[Entered]],
    within: float | None = None,
) -> Entered:
    """What ``enter`` makes of the best table for ``game`` (empty: any) that has a seat for us.

    Where it raises ``RoomError`` (somebody else was quicker, say), the next table is tried; none is
    tried twice. Raises ``RoomError("no-open-table")`` if there is none left ``within`` so many
    seconds (``FOUND_WITHIN`` unless that is said), and whatever else ``enter`` raises.
    """
    loop = asyncio.get_running_loop()
    patience = FOUND_WITHIN if within is None else within
    deadline = loop.time() + patience
    tried = set[str]()
    await asyncio.sleep(min(SETTLES_WITHIN, patience))
    while True:
        found = [table for table in lobby.find(game, free=True) if table.room not in tried]
        best = next(filter(playable, found), None)
        if best is not None:
            tried.add(best.room)
            try:
                return await enter(best)
            except RoomError as error:
                log.info("room %s: %s", best.room, error)
        elif loop.time() < deadline:
            await asyncio.sleep(min(TELL_EVERY, max(0.0, deadline - loop.time())))
        else:
            raise RoomError("no-open-table", game)
