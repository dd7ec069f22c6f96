"""The ways to a table: against bots in this process, a table of our own, a friend's table."""

from __future__ import annotations

import asyncio
import getpass
import logging
import os
import secrets
import socket
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import rules
from broker.engine import BrokerError, Engine
from net.address import Broker
from net.again import Reunion
from net.calling import find_referee
from net.channel import Channel
from net.friends_file import FriendsFile
from net.identity import Identity, load
from net.invitation import Invitation, read_invitation
from net.journal import JournalError
from net.local import gather, sit_down
from net.mqtt import MqttTransport
from net.peer import Peer
from net.resume import Place, Saved, back, forget, saved
from net.room import Newcomer, Room, RoomError, invite, seat_bot
from net.seating import Echo, Offer
from net.stream import Stream
from net.transport import TransportError
from rules.bots import Chooser, bot
from rules.game import Illegal
from tui.places import Places
from tui.sitting import Host, Sitting
from tui.text import safe
from tui.wish import Wish

log = logging.getLogger(__name__)

PORT = 21883
"""Where an embedded broker listens if it may choose, unless somebody else is there."""

LETTING_GO = 2.0
"""Seconds that leaving a table may take."""

BOTS = ("Puck", "Mélusine", "Korrigan", "Dryade", "Lutin")
"""Names of the programs that take seats."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How this process plays: under which ``name``, and through which broker.

    Without ``broker`` an embedded one is started when it is needed, on ``port`` (``None``: any that
    is free). ``address`` is what invitations say about this machine. ``seed`` makes local bots
    repeat themselves.
    """

    name: str
    broker: Broker | None = None
    port: int | None = None
    address: str | None = None
    level: str = "steady"
    seed: int | None = None


class NetworkDoors:
    """The real ways to a table. What they start (a broker, bots) ends with the ``async with``."""

    def __init__(self, places: Places, terms: Terms) -> None:
        self._places = places
        self._terms = terms
        self._stack = AsyncExitStack()
        self._known: FriendsFile | None = None
        self._broker: Broker | None = terms.broker
        self._engine: Engine | None = None
        self._bots: set[asyncio.Task[None]] = set()
        self._way: tuple[Broker, Invitation] | None = None
        """To the table at which we play, or played at last; ``None`` if it is in this process."""
        self._level, self._employed = terms.level, 0
        """How the bots play that we have brought to that table, and how many they are."""
        self._reunion: Reunion | None = None
        self._reuniting: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Nothing to start yet."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the bots and the broker."""
        self.part()
        await self._dismiss()
        await self._stack.aclose()

    @property
    def known(self) -> FriendsFile:
        """The people one has met; what cannot be saved is remembered as long as this lives."""
        if self._known is None:
            self._known = FriendsFile(self._places.config, self._identity().public)
        return self._known

    async def play(self, game: str, seats: int, level: str, deck: str = "") -> Peer:
        """A table against ``seats`` - 1 bots of ``level``, in this process."""
        loaded = rules.load(game, deck)
        if seats not in loaded.seats:
            raise Illegal("seats", seats)
        await self._dismiss()
        bots = [(BOTS[at % len(BOTS)], self._bot(level, at)) for at in range(seats - 1)]
        places = self._places
        self._way, self._level, self._employed = None, level, seats - 1
        return sit_down(loaded, self._identity(), bots, places.games, places.tables, level)

    async def host(self, wanted: Host) -> Room:
        """A room of our own, with bots and a referee as ``wanted``."""
        loaded, seats = rules.load(wanted.game, wanted.deck), wanted.seats
        if seats not in loaded.seats or not 0 <= wanted.bots < seats:
            raise Illegal("seats", seats)
        await self._dismiss()
        newcomer = Newcomer.fresh(self._identity())
        broker, invitation = await self._place_for(newcomer)
        key = b""
        if wanted.referee:
            found = await find_referee(MqttTransport(broker))
            if found is None:
                raise RoomError("no-referee")
            key = found.key
        escrow = wanted.referee if wanted.escrow is None else wanted.escrow
        offer = Offer(loaded, seats, wanted.limit, key, escrow)
        room = self._room(broker, invitation, newcomer, offer)
        await room.open()
        self._way, self._employed = (broker, invitation), wanted.bots
        if self._reunion is not None:
            self._reunion.propose(invitation)
        for at in range(wanted.bots):
            name = BOTS[at % len(BOTS)]
            guest = Newcomer.fresh(Identity.fresh(name), self._terms.level)
            self._employ(
                seat_bot(self._room(broker, invitation, guest), self._bot(self._terms.level, at))
            )
        return room

    async def join(self, invitation: str) -> Room:
        """The room that ``invitation`` leads to."""
        await self._dismiss()
        told = read_invitation(invitation)
        broker = self._terms.broker or told.broker
        room = self._room(broker, told, Newcomer.fresh(self._identity()))
        await room.open()
        self._way, self._employed = (broker, told), 0
        return room

    def saved(self) -> list[Saved]:
        """The tables one can go back to, the latest first."""
        return saved(self._places.tables)

    def seat_at(self, invitation: str) -> Saved | None:
        """The table that ``invitation`` once led us to, if we still have a seat there."""
        room = read_invitation(invitation).room
        return next((table for table in self.saved() if table.charter.room == room), None)

    def forget(self, table: Saved) -> None:
        """Give up our seats at ``table`` for good."""
        forget(table)

    async def resume(self, table: Saved) -> Peer:
        """Our old seat at ``table``, and those of our bots."""
        await self._dismiss()
        places = await _taken_back(table)
        try:
            return await self._sit_again(table, places)
        except BaseException:
            for place in places:
                if place.journal is not None:
                    place.journal.close()
            raise

    async def _sit_again(self, table: Saved, places: list[Place]) -> Peer:
        choosers = [self._bot(place.ticket.bot, at) for at, place in enumerate(places[1:])]
        self._way, self._employed = None, len(places) - 1
        self._level = next((place.ticket.bot for place in places[1:]), self._terms.level)
        if not table.ticket.invitation:
            return gather(places, choosers, self._places.games)
        told = read_invitation(table.ticket.invitation)
        broker = self._terms.broker or told.broker
        if table.ticket.port:
            broker = await self._restart_broker(table.ticket.port)
        self._way = broker, told
        peers = [self._peer(place, told, broker) for place in places]
        for peer, chooser in zip(peers[1:], choosers, strict=True):
            peer.delegate(chooser)
            self._employ(peer.run())
        return peers[0]

    def _peer(self, place: Place, told: Invitation, broker: Broker) -> Peer:
        ticket = place.ticket
        return Peer(
            place.table,
            Channel(MqttTransport(broker), told.room, place.key, told.key),
            folder=None if ticket.bot else self._places.games,
            journal=place.journal,
            seating=Echo(ticket.farewell),
        )

    # Playing again.

    def wish(self, sitting: Sitting) -> Wish:
        """What it takes to play once more what was played at a table."""
        peer = _real(sitting)
        charter, game = peer.table.charter, peer.game
        terms = (charter.limit, charter.deck, bool(charter.referee), charter.escrow)
        return Wish(game.name, len(peer.names), self._level, self._employed, *terms)

    def reunion(self, sitting: Sitting) -> Reunion | None:
        """The people of a table that has ended, until ``part``; ``None`` if they were all bots."""
        peer = _real(sitting)
        player = peer.table.player
        if self._way is None or player is None:
            return None
        if self._reunion is None:
            broker, told = self._way
            public = bytes(player.key.verify_key)
            channel = Channel(MqttTransport(broker), told.room, public, told.key)
            self._reunion = Reunion(channel, told, peer.table.charter, player.seat, player.key)
            self._reuniting = asyncio.create_task(self._meet(self._reunion))
        return self._reunion

    async def _meet(self, reunion: Reunion) -> None:
        try:
            await reunion.run()
        except TransportError as error:
            log.info("nobody to play again with: %s", error)

    def part(self) -> None:
        """Whoever wants to play with us again needs another invitation."""
        if self._reuniting is not None:
            self._reuniting.cancel()
        self._reunion = self._reuniting = None

    def _employ(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._bots.add(task)
        task.add_done_callback(self._bots.discard)

    async def _dismiss(self) -> None:
        """End the bots of the table before."""
        for task in self._bots:
            task.cancel()
        await asyncio.gather(*self._bots, return_exceptions=True)

    def _room(
        self,
        broker: Broker,
        invitation: Invitation,
        newcomer: Newcomer,
        host: Offer | None = None,
    ) -> Room:
        folder = None if newcomer.bot else self._places.games
        tables, engine = self._places.tables, self._engine
        return Room(
            MqttTransport(broker),
            invitation,
            newcomer,
            folder,
            host,
            tables=tables,
            port=engine.port if engine is not None and host is not None else 0,
        )

    def _bot(self, level: str, at: int) -> Chooser:
        seed = self._terms.seed
        key = secrets.token_bytes(32) if seed is None else f"{seed} {at}".encode()
        return bot(level, Stream(key, b"bot"))

    def _identity(self) -> Identity:
        return load(self._places.config, self._terms.name)

    async def _reach_broker(self) -> Broker:
        if self._broker is None:
            self._engine = await self._start_engine()
            self._broker = Broker("127.0.0.1", self._engine.port)
        return self._broker

    async def _restart_broker(self, port: int) -> Broker:
        """Our broker where the others look for it, unless it is still there."""
        if self._engine is None or self._engine.port != port:
            self._engine = await self._run_engine(port)
            self._broker = Broker("127.0.0.1", port)
        return Broker("127.0.0.1", port)

    async def _start_engine(self) -> Engine:
        if self._terms.port is not None:
            return await self._run_engine(self._terms.port)
        try:
            return await self._run_engine(PORT)
        except BrokerError as error:
            if error.code != "address-in-use":
                raise
            log.info("port %d is taken, choosing another", PORT)
        return await self._run_engine(0)

    async def _run_engine(self, port: int) -> Engine:
        """A broker that is started again if it dies, until all is over."""
        engine = Engine(self._places.broker, host="0.0.0.0", port=port)
        await self._stack.enter_async_context(engine)
        keeper = asyncio.create_task(engine.keep())
        self._stack.callback(keeper.cancel)
        return engine

    async def _place_for(self, newcomer: Newcomer) -> tuple[Broker, Invitation]:
        """Where to make a room: with those who have just played with us, where we have met."""
        if self._reunion is not None and self._way is not None:
            told = self._reunion.told
            return self._way[0], invite(newcomer.key, told.host, told.port, told.tls)
        broker = await self._reach_broker()
        return broker, self._invitation(newcomer, broker)

    def _invitation(self, newcomer: Newcomer, broker: Broker) -> Invitation:
        if self._terms.broker is not None:
            return invite(newcomer.key, broker.host, broker.port, broker.tls, broker.others)
        return invite(newcomer.key, self._terms.address or lan_address(), broker.port)


async def _taken_back(table: Saved) -> list[Place]:
    """The seats at ``table``; a sitting that we have only just left may still hold them."""
    deadline = time.monotonic() + LETTING_GO
    while True:
        try:
            return back(table)
        except JournalError as error:
            if error.code != "in-use" or time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.1)


def _real(sitting: Sitting) -> Peer:
    """What all our doors lead to."""
    assert isinstance(sitting, Peer)
    return sitting


def own_name() -> str:
    """What to call the player who has not said: the name of the account, made harmless."""
    try:
        name = os.environ.get("FARFADET_NAME") or getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return safe(name, 16) or "farfadet"


def lan_address() -> str:
    """The address under which others on the local network can reach this machine.

    Asks the system which of its addresses leads outside; nothing is sent. Without a network it is
    the loopback address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
