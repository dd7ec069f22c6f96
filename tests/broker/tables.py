"""Whole tables of bots that play over a real broker, no faster than a test lets them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.people.identity import Identity
from net.play.notices import Happened, Notice
from net.play.peer import Peer
from net.play.stream import Stream
from rules import load
from rules.bots import bot
from rules.game import Chosen, Result


@dataclass
class Pace:
    """How many choices each table may make; more when ``grant`` says so."""

    granted: int = 0
    seats: list[_Bot] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def grant(self, more: int) -> None:
        """Let every table make so many more choices."""
        self.granted += more
        for seat in self.seats:
            seat.play()

    async def spent(self, seats: int) -> None:
        """Wait until all ``seats`` have seen every choice that was granted."""
        while len(self.seats) < seats or any(seat.seen < self.granted for seat in self.seats):
            self.news.clear()
            await self.news.wait()


class _Bot:
    """The program that plays for ``peer``."""

    def __init__(self, peer: Peer, pace: Pace, seed: int) -> None:
        self.seen = 0
        self._peer, self._pace = peer, pace
        self._choose = bot("random", Stream(b"cluster", seed.to_bytes(4, "big")))
        pace.seats.append(self)
        pace.news.set()
        peer.listen(self._told)

    def play(self) -> None:
        peer = self._peer
        if self.seen < self._pace.granted and peer.moves():
            assert peer.me is not None
            peer.choose(self._choose(peer.game, peer.state, peer.me, peer.sight))

    def _told(self, notice: Notice) -> None:
        if isinstance(notice, Happened) and isinstance(notice.event, Chosen):
            self.seen += 1
            self._pace.news.set()
        self.play()


async def table(broker: Broker, game: str, seats: int, pace: Pace, seed: int) -> list[Result]:
    """A table of ``seats`` bots, each with a connection of its own; the result each of them has."""
    host, *guests = (Newcomer.fresh(Identity.fresh(str(at))) for at in range(seats))
    told = invite(host.key, broker.host, broker.port, broker.tls, broker.others)
    offer = Offer(load(game), seats)

    async def sit(newcomer: Newcomer, at: int) -> Result:
        hosting = offer if newcomer is host else None
        room = Room(MqttTransport(broker), told, newcomer, None, hosting)
        await room.open()
        peer = await room.wait()
        _Bot(peer, pace, 16 * seed + at)
        await peer.run()
        assert peer.result is not None
        return peer.result

    return await asyncio.gather(*(sit(newcomer, at) for at, newcomer in enumerate((host, *guests))))
