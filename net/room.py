"""A room: friends gather under an invitation, sit down, and become peers at a table."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nacl.signing import SigningKey

import rules
from net.channel import Channel
from net.charter import Charter, words
from net.identity import Identity
from net.invitation import Invitation
from net.journal import Ticket
from net.peer import TICK, Peer
from net.resume import begin, restored
from net.seating import Offer, Seating, room_of
from net.transport import Transport
from rules.bots import Chooser
from rules.game import Game, RuleError, Seat

HOST_ANSWERS = 8.0
"""Seconds to wait for the host of a room before giving up."""

HOST_SILENT = 15.0
"""Seconds without a word from the host after which the room is taken to be closed."""

SEATED_WITHIN = 20.0
"""Seconds that guests may take to agree on the charter once all seats are taken."""

EARLY = 256
"""Most payloads kept of seats that have begun to play before we know the charter."""


class RoomError(Exception):
    """Why we cannot sit down here.

    Codes: ``"nobody-here"`` (the host does not answer), ``"host-left"``, ``"table-full"``,
    ``"unknown-game"``, ``"other-rules"``, ``"bad-deck"``, ``"not-seated"`` (somebody left while
    sitting down), ``"no-referee"`` (none is on the broker, ``net/calling.py``).
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code


def known_game(name: str, deck: str) -> Game:
    """The game that is played here; ``RoomError`` (``unknown-game``, ``bad-deck``) if we cannot."""
    try:
        return rules.load(name, deck)
    except RuleError as error:
        unknown = error.code == "unknown-game"
        raise RoomError(error.code if unknown else "bad-deck", name) from error


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has taken a seat. ``name`` is text from the network."""

    name: str
    bot: bool
    host: bool
    mine: bool


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


class Room:
    """One guest's room: who is here, until all seats are taken and ``wait`` returns the peer.

    ``folder`` is for the transcript, ``tables`` for the journal; ``port`` is that of the broker
    that our own process runs, if it does.
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
    ) -> None:
        self.words: str | None = None
        self.link = False
        self._since = time.monotonic()
        self._told = invitation
        self._newcomer = newcomer
        self._folder = folder
        self._tables = tables
        self._port = port
        self._listeners: list[Callable[[], None]] = []
        self._early: list[tuple[str, bytes]] = []
        self._seating = Seating(
            invitation.room,
            newcomer.identity,
            newcomer.key,
            newcomer.secret,
            bot=bool(newcomer.bot),
            host=host,
        )
        public = bytes(newcomer.key.verify_key)
        self._channel = Channel(transport, invitation.room, public, invitation.key)
        self._channel.listen(self._hear, self._notify)

    @property
    def invitation(self) -> str:
        """What a friend needs to join."""
        return str(self._told)

    @property
    def game(self) -> Game:
        """The game that will be played; known once ``open`` has returned."""
        assert self._seating.plan is not None
        return rules.load(self._seating.plan.game, self._seating.plan.deck)

    @property
    def seats(self) -> int:
        """How many will play."""
        assert self._seating.plan is not None
        return self._seating.plan.seats

    @property
    def limit(self) -> int:
        """How many seconds a step may take; 0: as long as it likes."""
        assert self._seating.plan is not None
        return self._seating.plan.terms[0]

    @property
    def refereed(self) -> bool:
        """Whether the table will have a referee."""
        assert self._seating.plan is not None
        return self._seating.plan.terms[1] != b""

    @property
    def escrow(self) -> bool:
        """Whether the others will be able to open cards in the place of somebody missing."""
        assert self._seating.plan is not None
        return self._seating.plan.terms[2]

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Who has a seat so far, the host first."""
        plan = self._seating.plan
        if plan is None:
            return ()
        return tuple(
            Guest(hello.name, hello.bot, seat == 0, seat == self._seating.me)
            for seat, hello in enumerate(plan.hellos)
        )

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever somebody comes or goes, or the link does."""
        self._listeners.append(callback)

    async def open(self) -> None:
        """Enter: reach the broker, then the host.

        Raises ``net.transport.TransportError`` or ``RoomError``; either way the room is left.
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
                await self._pause()
        except BaseException:
            await self._channel.close()
            raise
        return self._sit_down(self._seating.charter)

    async def _meet_host(self) -> None:
        limit = time.monotonic() + HOST_ANSWERS
        while self._seating.plan is None:
            if time.monotonic() > limit:
                raise RoomError("nobody-here")
            await self._pause()
        self._check()

    def _check(self) -> None:
        plan = self._seating.plan
        assert plan is not None
        if self._seating.refusal is not None:
            raise RoomError(self._seating.refusal)
        game = known_game(plan.game, plan.deck)
        if game.version != plan.rules or plan.seats not in game.seats:
            raise RoomError("other-rules", (plan.rules, plan.seats))
        if game.deck != plan.deck:
            raise RoomError("bad-deck", plan.game)

    def _silent(self) -> bool:
        """Whether the host has left: while our own link is down, nobody knows."""
        waited = time.monotonic() - max(self._seating.host_heard, self._since)
        return self.link and self._seating.me != 0 and waited > HOST_SILENT

    async def _pause(self) -> None:
        for payload in self._seating.tick(time.monotonic()):
            self._channel.publish("room", payload)
        await asyncio.sleep(TICK / 5)

    def _sit_down(self, charter: Charter) -> Peer:
        self.words = words(charter.table)
        seat = self._seating.me
        assert seat is not None
        ticket = self._ticket(charter, seat)
        table = restored(ticket, ())
        journal = begin(self._tables, ticket, charter)
        peer = Peer(
            table, self._channel, folder=self._folder, journal=journal, seating=self._seating
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
        )

    def _hear(self, kind: str, payload: bytes) -> None:
        if kind != "room":
            if len(self._early) < EARLY:
                self._early.append((kind, payload))
            return
        before = self.guests
        self._seating.receive(payload, time.monotonic())
        if self.guests != before:
            self._tell()

    def _notify(self, up: bool) -> None:
        self.link = up
        self._since = time.monotonic()
        self._seating.hurry()
        self._tell()

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()


def invite(key: SigningKey, host: str, port: int, tls: bool = False) -> Invitation:
    """A new invitation to the room whose host has the table key ``key``."""
    return Invitation(host, port, room_of(bytes(key.verify_key)), secrets.token_bytes(16), tls)


async def seat_bot(room: Room, choose: Chooser) -> None:
    """Let a program take a seat in ``room`` and play to the end."""
    await room.open()
    peer = await room.wait()
    peer.delegate(choose)
    await peer.run()
