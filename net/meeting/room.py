"""A room: friends gather under an invitation, sit down, and become peers at a table."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from nacl.signing import SigningKey

import rules
from net.link.channel import Channel
from net.link.transport import Transport, TransportError
from net.meeting.gathering import Gathering
from net.meeting.invitation import Invitation
from net.meeting.reserve import Reserve
from net.meeting.seating import Offer, Seating, room_of
from net.meeting.tables import Poster, Sitter
from net.people.identity import Identity
from net.people.talk import Talk
from net.play.charter import Charter, words
from net.play.journal import Ticket
from net.play.peer import TICK, Peer
from net.play.resume import begin, restored
from net.play.sync import WHAT_TABLE, ended, introduced
from net.play.wire import Refusal
from rules.bots import Chooser
from rules.game import Game, RuleError, Seat

log = logging.getLogger(__name__)

HOST_ANSWERS = 8.0
"""Seconds to wait for the host of a room before giving up."""

HOST_SILENT = 15.0
"""Seconds without a word from the host after which the room is taken to be closed."""

SEATED_WITHIN = 20.0
"""Seconds that guests may take to agree on the charter once all seats are taken."""

ASK_AFTER = 0.5
"""Seconds that a host may take to answer before we ask whether a game has begun without us."""

ASK_EVERY = 1.0
"""Seconds between two such questions."""

EARLY = 256
"""Most payloads kept of seats that have begun to play before we know the charter."""


class RoomError(Exception):
    """Why we cannot sit down here.

    Codes: ``"nobody-here"`` (nobody answers), ``"other-broker"`` (nobody does at the broker that we
    were told to use, which is not the invitation's), ``"wrong-key"`` (somebody speaks here, but our
    invitation's key does not open it), ``"host-left"``, ``"table-full"`` (the last seat was taken,
    the game is about to begin), ``"begun"`` (without us; it can be watched), ``"game-over"``,
    ``"unknown-game"``, ``"other-rules"``, ``"bad-deck"``, ``"not-seated"`` (somebody left while
    sitting down), ``"no-referee"`` (none is on the broker, ``net/referee/calling.py``),
    ``"no-open-table"`` (none in the lobby, ``net/meeting/lobby.py``).
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code


def known_game(name: str, deck: str, version: int) -> Game:
    """The game that is played here, with the cards ``deck`` and this ``version`` of its rules.

    Raises ``RoomError`` (``unknown-game``, ``other-rules``, ``bad-deck``) if we cannot play it.
    """
    try:
        ours = rules.load(name).version
    except RuleError as error:
        raise RoomError("unknown-game", name) from error
    if ours != version:
        # Before the cards: other rules may well want other cards.
        raise RoomError("other-rules", version)
    try:
        return rules.load(name, deck)
    except RuleError as error:
        raise RoomError("bad-deck", name) from error


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What one brings to a room: who one is, and a key and a secret made for this table only."""

    identity: Identity
    key: SigningKey
    secret: bytes
    bot: str = ""
    """The level of a program that will play; empty for a person."""

    @classmethod
    def fresh(cls, identity: Identity, bot: str = "") -> Newcomer:
        """A newcomer with a new key and a new secret."""
        return cls(identity, SigningKey.generate(), secrets.token_bytes(32), bot)


class Room(Gathering):
    """One guest's room: who is here, until all seats are taken and ``wait`` returns the peer.

    ``folder`` is for the transcript, ``tables`` for the journal; ``port`` is that of the broker
    that our own process runs, if it does. A host may have a ``poster``, which announces the table
    in the lobby to its end, and a ``reserve`` of programs for empty seats.
    """

    def __init__(
        self,
        transport: Transport,
        invitation: Invitation,
        newcomer: Newcomer,
        folder: Path | None,
        host: Offer | None = None,
        *,
        tables: Path | None = None,
        port: int = 0,
        poster: Poster | None = None,
        reserve: Reserve | None = None,
    ) -> None:
        self.words: str | None = None
        self.link = False
        self._since = time.monotonic()
        self._newcomer = newcomer
        self._folder = folder
        self._tables = tables
        self._port = port
        self._poster = poster
        self._reserve = reserve
        self._early: list[tuple[str, bytes]] = []
        self._begun: str | None = None
        """The code for a game that is played here without us, or was."""
        super().__init__(
            Seating(
                invitation.room,
                newcomer.identity,
                newcomer.key,
                newcomer.secret,
                bot=bool(newcomer.bot),
                host=host,
            ),
            invitation,
        )
        public = bytes(newcomer.key.verify_key)
        self._channel = Channel(transport, invitation.room, public, invitation.key)
        self._channel.listen(self._hear, self._notify)
        if poster is not None:
            self._channel.post(poster)
        self.talk: Talk | None = None
        """The chat here; programs have none."""
        if not newcomer.bot:
            name = newcomer.identity.name
            self.talk = Talk(self._channel, invitation.room, newcomer.key, name)

    @property
    def can_add_bot(self) -> bool:
        """Whether we may let a bot take a seat: we are the host, and one is empty."""
        return self._reserve is not None and self._reserve.wanted(*self._empty())

    def add_bot(self) -> None:
        """Let a bot take an empty seat, if we may; it comes in a moment."""
        if self._reserve is not None:
            self._reserve.call(*self._empty())

    def amend(self, *, seats: int, limit: int) -> None:
        """See ``Gathering``; the announcement of the table follows."""
        super().amend(seats=seats, limit=limit)
        if self._poster is not None and self.offer is not None:
            self._poster.amend(self.offer)

    def _empty(self) -> tuple[int, int]:
        """How many seats are free, and how many bots have one."""
        guests = self.guests
        return self.seats - len(guests), sum(guest.bot for guest in guests)

    async def open(self) -> None:
        """Enter: reach the broker, then the host.

        Raises ``net.link.transport.TransportError`` or ``RoomError``; either way the room is left.
        """
        await self._channel.open()
        try:
            await self._meet_host()
        except BaseException:
            await self._channel.close()
            raise

    async def wait(self) -> Peer:
        """The peer at the table, once every seat is taken; cancel it to leave the room."""
        closed: float | None = None
        try:
            while self._seating.charter is None:
                self._check()
                if self._seating.plan is not None and self._seating.plan.closed:
                    closed = closed or time.monotonic()
                    if time.monotonic() - closed > SEATED_WITHIN:
                        raise RoomError("not-seated")
                elif self._silent():
                    raise RoomError("host-left")
                if self._reserve is not None:
                    self._reserve.tick(time.monotonic(), *self._empty())
                await self._pause()
        except BaseException:
            await self._channel.close()
            raise
        return self._sit_down(self._seating.charter)

    async def _meet_host(self) -> None:
        start = time.monotonic()
        ask_at = start + ASK_AFTER
        while self._seating.plan is None:
            now = time.monotonic()
            if self._begun is not None:
                raise RoomError(self._begun)
            if now > start + HOST_ANSWERS:
                raise RoomError(self._nobody())
            if now > ask_at:
                self._channel.publish("sync", WHAT_TABLE)
                ask_at = now + ASK_EVERY
            await self._pause()
        self._check()

    def _nobody(self) -> str:
        """Why the host does not answer, as far as one can know."""
        if self._channel.locked:
            return "wrong-key"
        return "host-left" if self._channel.met else "nobody-here"

    def _check(self) -> None:
        plan = self._seating.plan
        assert plan is not None
        if self._seating.refusal is not None:
            raise RoomError(self._seating.refusal)
        game = known_game(plan.game, plan.deck, plan.rules)
        if plan.seats not in game.seats:
            raise RoomError("other-rules", plan.seats)
        if game.deck != plan.deck:
            raise RoomError("bad-deck", plan.game)

    def _silent(self) -> bool:
        """Whether the host has left: while our own link is down, nobody knows."""
        waited = time.monotonic() - max(self._seating.host_heard, self._since)
        return self.link and self._seating.me != 0 and waited > HOST_SILENT

    async def _pause(self) -> None:
        for payload in self._seating.tick(time.monotonic()):
            self._channel.publish("room", payload)
        if self._poster is not None:
            self._poster.seat([Sitter(guest.name, guest.bot) for guest in self.guests])
        self._channel.tick()
        await asyncio.sleep(TICK / 5)

    def _sit_down(self, charter: Charter) -> Peer:
        self.words = words(charter.table)
        seat = self._seating.me
        assert seat is not None
        ticket = self._ticket(charter, seat)
        table = restored(ticket, ())
        journal = begin(self._tables, ticket, charter)
        if self._poster is not None:
            self._poster.begin()
        peer = Peer(
            table,
            self._channel,
            folder=self._folder,
            journal=journal,
            seating=self._seating,
            talk=self.talk,
        )
        for kind, payload in self._early:
            if kind == "log":
                table.receive(payload)
        self._tell()
        return peer

    def _ticket(self, charter: Charter, seat: Seat) -> Ticket:
        newcomer = self._newcomer
        return Ticket(
            charter.data(),
            seat,
            bytes(newcomer.key),
            newcomer.secret,
            self.invitation,
            self._port,
            newcomer.bot,
            tuple(self._seating.said()),
            self._poster is not None and self._poster.watched,
        )

    def _hear(self, kind: str, payload: bytes) -> None:
        if kind != "room":
            if len(self._early) < EARLY:
                self._early.append((kind, payload))
            if kind == "sync" and self._seating.plan is None:
                self._learn(payload)
            return
        before = self._seating.plan
        self._seating.receive(payload, time.monotonic())
        if self._seating.plan != before:
            if self.talk is not None:
                self.talk.sit(self.chairs)
            self._tell()

    def _learn(self, payload: bytes) -> None:
        """Take it from those who play here that they do; the host's signature is under it."""
        try:
            charter = introduced(payload, self._told.room)
            self._begun = "game-over" if ended(payload, charter) else "begun"
        except Refusal:
            return

    def _notify(self, up: bool) -> None:
        self.link = up
        self._since = time.monotonic()
        self._seating.hurry()
        self._tell()


def invite(
    key: SigningKey,
    host: str,
    port: int,
    tls: bool = False,
    others: tuple[tuple[str, int], ...] = (),
) -> Invitation:
    """A new invitation to the room whose host has the table key ``key``.

    The rest says where the broker is: see ``net.link.address.Broker``.
    """
    room = room_of(bytes(key.verify_key))
    return Invitation(host, port, room, secrets.token_bytes(16), tls, others)


async def seat_bot(room: Room, choose: Chooser) -> None:
    """Let a program take a seat in ``room`` and play to the end; without a seat, it just goes."""
    try:
        await room.open()
        peer = await room.wait()
    except (RoomError, TransportError) as error:
        log.info("a bot without a seat: %s", error)
        return
    peer.delegate(choose)
    await peer.run()
