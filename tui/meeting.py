"""How we meet others: tables near us, ways to a table of ours, those who have played with us."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from net.link.address import Broker
from net.link.channel import Channel
from net.link.mqtt import MqttTransport
from net.link.transport import TransportError
from net.meeting.again import Reunion
from net.meeting.invitation import Invitation
from net.meeting.knock import keep_door
from net.meeting.lobby import Lobby
from net.meeting.room import Room, RoomError
from net.meeting.spoken import Spoken
from net.play.charter import Charter
from net.play.course import Player
from tui.terms import OFF, Terms

if TYPE_CHECKING:
    from tui.near import Near

log = logging.getLogger(__name__)


class Meeting:
    """What this process does for that; it ends with ``close``."""

    def __init__(self, terms: Terms) -> None:
        self.reunion: Reunion | None = None
        """Those who have just played with us, until ``part``."""
        self._terms = terms
        self._near: Near | None = None
        self._waiting: set[asyncio.Task[None]] = set()

    async def near(self) -> Near:
        """The tables near us; we begin to look at the first call."""
        if self._near is None:
            # A tenth of a second to import, when there is a first frame already.
            from broker.lan import Lan
            from tui.near import Near

            where = self._terms.lan
            lan = None if where == OFF else Lan(where.split(",") if where else None)
            self._near = Near(lan, None if self._terms.broker is None else self.lobby)
            await self._near.open()
        return self._near

    def lobby(self) -> Lobby:
        """The open tables on the shared broker; ``RoomError("no-broker")`` if we have none."""
        broker = self._terms.broker
        if broker is None:
            raise RoomError("no-broker")
        return Lobby(MqttTransport(broker), broker)

    async def wait(self, room: Room, broker: Broker, told: Invitation, *, ours: bool) -> None:
        """Wait for guests in our own ``room``, until ``part``; ``told`` is the invitation there.

        Who has just played with us is told. The door is kept for those who come with words. On the
        local network it is announced if the broker is ``ours``.
        """
        if self.reunion is not None:
            self.reunion.propose(told)
        try:
            spoken = Spoken.fresh(told.host, told.port, told.tls)
        except ValueError as error:
            log.info("this invitation cannot be said: %s", error)
        else:
            room.spoken = str(spoken)
            self._do(asyncio.create_task(keep_door(MqttTransport(broker), spoken, told)))
        if ours:
            everywhere = self._terms.address is None
            announced = replace(told, host="0.0.0.0") if everywhere else told
            (await self.near()).announce(room, announced)

    def meet_again(
        self, broker: Broker, told: Invitation, charter: Charter, player: Player
    ) -> Reunion:
        """Those who have played at the table of ``charter``, to which ``told`` led, with us."""
        if self.reunion is None:
            public = bytes(player.key.verify_key)
            channel = Channel(MqttTransport(broker), told.room, public, told.key)
            self.reunion = Reunion(channel, told, charter, player.seat, player.key)
            self._do(asyncio.create_task(self.reunion.run()))
        return self.reunion

    def part(self) -> None:
        """We wait for nobody any more."""
        if self._near is not None:
            self._near.withdraw()
        for task in self._waiting:
            task.cancel()
        self.reunion = None

    async def close(self) -> None:
        """End all of it."""
        self.part()
        await asyncio.gather(*self._waiting, return_exceptions=True)
        if self._near is not None:
            await self._near.close()

    def _do(self, task: asyncio.Task[None]) -> None:
        self._waiting.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._waiting.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, TransportError):
            log.info("nobody can be met: %s", error)
        elif error is not None:
            log.error("meeting others", exc_info=error)
