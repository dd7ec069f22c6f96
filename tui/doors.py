"""The ways to a table: against bots in this process, a table of our own, a friend's table."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Coroutine, Iterator, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from nacl.signing import SigningKey

import rules
from net.link import topics
from net.link.address import Broker
from net.link.channel import Channel
from net.link.mqtt import MqttTransport
from net.link.transport import Will
from net.meeting.again import Reunion
from net.meeting.invitation import Invitation, read_invitation
from net.meeting.knock import invited
from net.meeting.lobby import Lobby, quick
from net.meeting.onlooker import Lookout
from net.meeting.reserve import Reserve
from net.meeting.room import Newcomer, Room, RoomError, invite, seat_bot
from net.meeting.seating import Echo, Offer
from net.meeting.spoken import looks_spoken
from net.meeting.tables import Poster
from net.people.friends_file import FriendsFile
from net.people.identity import Identity, load
from net.people.talk import Talk
from net.play.journal import JournalError
from net.play.local import gather, sit_down
from net.play.peer import Peer
from net.play.resume import Place, Saved, back, forget, saved
from net.play.stream import Stream
from net.referee.calling import find_referee
from rules.bots import Chooser, bot
from rules.game import Illegal
from tui.meeting import Meeting
from tui.own_broker import OwnBroker, lan_address
from tui.places import Places
from tui.sitting import Host, Sitting
from tui.terms import Terms
from tui.wish import Wish

if TYPE_CHECKING:
    from tui.near import Near

LETTING_GO = 2.0
"""Seconds that leaving a table may take."""

BOTS = ("Puck", "Mélusine", "Korrigan", "Dryade", "Lutin")
"""Names of the programs that take seats."""


class NetworkDoors:
    """The real ways to a table. What they start (a broker, bots) ends with the ``async with``."""

    def __init__(self, places: Places, terms: Terms) -> None:
        self._places = places
        self._terms = terms
        self._known: FriendsFile | None = None
        self._own = OwnBroker(places.broker, terms.port)
        self._bots: set[asyncio.Task[None]] = set()
        self._way: tuple[Broker, Invitation] | None = None
        """To the table at which we play, or played at last; ``None`` if it is in this process."""
        self._level, self._employed = terms.level, 0
        """How the bots play that we have brought to that table, and how many they are."""
        self._joined: Room | None = None
        """Where we have last been somebody's guest."""
        self._meeting = Meeting(terms)

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
        await self._meeting.close()
        await self._dismiss()
        await self._own.close()

    @property
    def known(self) -> FriendsFile:
        """The people one has met; what cannot be saved is remembered as long as this lives."""
        if self._known is None:
            self._known = FriendsFile(self._places.config, self._identity().public)
        return self._known

    def call_me(self, name: str) -> None:
        """Our name at tables to come."""
        self._terms = replace(self._terms, name=name)

    @property
    def games(self) -> Path:
        """The folder in which finished games are kept."""
        return self._places.games

    async def play(self, game: str, seats: int, level: str, deck: str = "") -> Peer:
        """A table against ``seats`` - 1 bots of ``level``, in this process."""
        loaded = rules.load(game, deck)
        if seats not in loaded.seats:
            raise Illegal("seats", seats)
        await self._dismiss()
        bots = [(BOTS[at % len(BOTS)], self._bot(level, at)) for at in range(seats - 1)]
        places = self._places
        self._way, self._level, self._employed, self._joined = None, level, seats - 1, None
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
        poster = None
        if wanted.open or self._terms.listed:
            poster = Poster(newcomer.key, invitation.key, offer, watched=wanted.watched)
        reserve = Reserve(partial(self._recruit, broker, invitation), wanted.bots_after)
        room = self._room(broker, invitation, newcomer, offer, poster, reserve)
        await room.open()
        self._way, self._employed, self._joined = (broker, invitation), 0, None
        for _ in range(wanted.bots):
            room.add_bot()
        ours = self._own.port != 0 and broker == await self._own.reach()
        await self._meeting.wait(room, broker, invitation, ours=ours)
        return room

    def _recruit(self, broker: Broker, invitation: Invitation, number: int) -> asyncio.Task[None]:
        """Send a bot to our table."""
        self._employed += 1
        guest = Newcomer.fresh(Identity.fresh(BOTS[number % len(BOTS)]), self._terms.level)
        room = self._room(broker, invitation, guest)
        return self._employ(seat_bot(room, self._bot(self._terms.level, number)))

    async def near(self) -> Near:
        """The tables near us; we begin to look at the first call."""
        return await self._meeting.near()

    def lobby(self) -> Lobby:
        """The open tables on the shared broker; ``RoomError("no-broker")`` if we have none."""
        return self._meeting.lobby()

    async def quick(self, game: str = "") -> Room:
        """A seat at the best open table for ``game``, or for any."""
        async with self.lobby() as lobby:
            return await quick(lobby, game, lambda table: self.join(lobby.invitation(table)))

    async def join(self, invitation: str) -> Room:
        """The room that ``invitation`` leads to."""
        await self._dismiss()
        told = await invited(invitation, self._reach)
        broker = self._terms.broker or told.broker
        room = self._room(broker, told, Newcomer.fresh(self._identity()))
        with self._at(told.broker):
            await room.open()
        self._way, self._employed, self._joined = (broker, told), 0, room
        return room

    async def watch(self, invitation: str) -> Lookout:
        """The table that ``invitation`` leads to, without a seat there."""
        await self._dismiss()
        told = await invited(invitation, self._reach)
        way = self._reach(told.broker)
        lookout = Lookout(way, told, self._terms.name, self._places.games)
        with self._at(told.broker):
            await lookout.open()
        return lookout

    @contextmanager
    def _at(self, named: Broker) -> Iterator[None]:
        """Where nobody answers, it matters if we are not at the broker that an invitation named."""
        used = self._terms.broker
        try:
            yield
        except RoomError as error:
            elsewhere = used is not None and (used.host, used.port) != (named.host, named.port)
            if elsewhere and error.code == "nobody-here":
                raise RoomError("other-broker") from error
            raise

    def saved(self) -> list[Saved]:
        """The tables one can go back to, the latest first."""
        return saved(self._places.tables)

    def seat_at(self, invitation: str) -> Saved | None:
        """The table that ``invitation`` once led us to, if we still have a seat there."""
        if looks_spoken(invitation):
            # Words do not say which table they lead to.
            return None
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
        self._way, self._employed, self._joined = None, len(places) - 1, None
        self._level = next((place.ticket.bot for place in places[1:]), self._terms.level)
        if not table.ticket.invitation:
            return gather(places, choosers, self._places.games)
        told = read_invitation(table.ticket.invitation)
        broker = self._terms.broker or told.broker
        if table.ticket.port:
            broker = await self._own.restart(table.ticket.port)
        self._way = broker, told
        bots = {place.key for place in places if place.ticket.bot}
        peers = [self._peer(place, told, broker, bots) for place in places]
        for peer, chooser in zip(peers[1:], choosers, strict=True):
            peer.delegate(chooser)
            self._employ(peer.run())
        return peers[0]

    def _peer(self, place: Place, told: Invitation, broker: Broker, bots: Set[bytes]) -> Peer:
        ticket, own, name = place.ticket, SigningKey(place.ticket.key), self._terms.name
        will = _will(told) if ticket.listed else None
        channel = Channel(MqttTransport(broker, will), told.room, place.key, told.key)
        if ticket.listed:
            channel.post(Poster.resumed(own, told.key, place.table.charter, bots))
        return Peer(
            place.table,
            channel,
            folder=None if ticket.bot else self._places.games,
            journal=place.journal,
            seating=Echo(ticket.farewell),
            talk=None if ticket.bot else Talk(channel, told.room, own, name),
        )

    def stand_in(self) -> Chooser:
        """A program that can play for our player."""
        return self._bot(self._terms.level, len(BOTS))

    # Playing again.

    def wish(self, sitting: Sitting) -> Wish:
        """What it takes to play once more what was played at a table."""
        peer = _real(sitting)
        charter, game = peer.table.charter, peer.game
        terms = (charter.limit, charter.deck, bool(charter.referee), charter.escrow)
        guests = () if self._joined is None else self._joined.guests
        bots = self._employed or sum(guest.bot for guest in guests)
        return Wish(game.name, len(peer.names), self._level, bots, *terms)

    def reunion(self, sitting: Sitting) -> Reunion | None:
        """The people of a table that has ended, until ``part``; ``None`` if they were all bots."""
        peer = _real(sitting)
        player = peer.table.player
        if self._way is None or player is None:
            return None
        return self._meeting.meet_again(*self._way, peer.table.charter, player)

    def part(self) -> None:
        """We wait for nobody any more: not for strangers, not for those who have played with us."""
        self._meeting.part()

    def _employ(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._bots.add(task)
        task.add_done_callback(self._bots.discard)
        return task

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
        poster: Poster | None = None,
        reserve: Reserve | None = None,
    ) -> Room:
        folder = None if newcomer.bot else self._places.games
        will = None if poster is None else _will(invitation)
        return Room(
            MqttTransport(broker, will),
            invitation,
            newcomer,
            folder,
            host,
            tables=self._places.tables,
            port=0 if host is None else self._own.port,
            poster=poster,
            reserve=reserve,
        )

    def _bot(self, level: str, at: int) -> Chooser:
        seed = self._terms.seed
        key = secrets.token_bytes(32) if seed is None else f"{seed} {at}".encode()
        return bot(level, Stream(key, b"bot"))

    def _reach(self, broker: Broker) -> MqttTransport:
        """A way to ``broker``, or to the one that we were told to use, with our login there."""
        return MqttTransport(self._terms.broker or broker)

    def _identity(self) -> Identity:
        return load(self._places.config, self._terms.name)

    async def _place_for(self, newcomer: Newcomer) -> tuple[Broker, Invitation]:
        """Where to make a room: with those who have just played with us, where we have met."""
        if self._meeting.reunion is not None and self._way is not None:
            told = self._meeting.reunion.told
            return self._way[0], invite(newcomer.key, told.host, told.port, told.tls, told.others)
        broker = self._terms.broker
        if broker is not None:
            host = self._terms.address or broker.host
            told = invite(newcomer.key, host, broker.port, broker.tls, broker.others)
            return broker, told
        broker = await self._own.reach()
        return broker, invite(newcomer.key, self._terms.address or lan_address(), broker.port)


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


def _will(invitation: Invitation) -> Will:
    """What the broker does if we die: the table is taken from the lobby."""
    return Will(topics.lobby(invitation.room), b"")


def _real(sitting: Sitting) -> Peer:
    """What all our doors lead to."""
    assert isinstance(sitting, Peer)
    return sitting
