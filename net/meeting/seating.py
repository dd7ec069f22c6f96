"""Sitting down: guests say hello, the host seats them, all make the charter. No I/O, no clock.

Three messages, each signed with its sender's table key and repeated until it is no longer needed:

- ``hello`` (everyone): who I am, my key for this table, the hash of my nonce, whether I am ready;
- ``seating`` (the host): the game, its deck, the terms, the hellos in the order of seats,
  ``closed`` if all seats are taken and everybody is ready;
- ``nonce`` (everyone, for one closed seating): the nonce behind the hash.

A closed seating and all its nonces make the charter, the same for all. The room's name is the hash
of the host's table key, so nobody else can seat people in it.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nacl.signing import SigningKey

from net.people.identity import KEY, Identity, acceptable
from net.play.charter import (
    LONGEST_NAME,
    Chair,
    Charter,
    check_claim,
    claim,
    deck_text,
    nonce_hash,
    read_terms,
)
from net.play.digest import SIZE, digest
from net.play.stream import Stream
from net.play.wire import LONGEST, Refusal, state, stated, states
from rules.game import Game, Seat

DOMAIN = b"farfadet/1 room\0"
SAY_EVERY = 1.0
"""Seconds between two repetitions of what one has to say."""

TURNS = 1 << 32
"""Fewer times than this a guest can change its mind."""

SILENT_AFTER = 5.0
"""Seconds after which a guest that is not heard any more has left."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A guest's wish to sit down. ``data`` is the signed message that carries it.

    ``turn`` is how often the guest has changed its mind about being ready, as it is at first.
    """

    identity: bytes
    key: bytes
    name: str
    hashed: bytes
    certificate: bytes
    bot: bool
    turn: int
    data: bytes

    @property
    def ready(self) -> bool:
        """Whether the game may begin, as far as this guest is concerned."""
        return self.turn % 2 == 0


@dataclass(frozen=True, slots=True)
class Offer:
    """What a host wants to play, with how many ``seats``.

    ``limit``, ``referee`` and ``escrow`` are those of a ``net.play.charter.Charter``.
    """

    game: Game
    seats: int
    limit: int = 0
    referee: bytes = b""
    escrow: bool = False

    @property
    def terms(self) -> tuple[int, bytes, bool]:
        """All but the game, as ``net.play.charter.read_terms`` returns it."""
        return self.limit, self.referee, self.escrow


@dataclass(frozen=True, slots=True)
class Plan:
    """The host's seating: ``hellos`` in the order of seats, ``closed`` when nothing changes it.

    ``terms`` are the limit, the referee's key and the escrow of the charter to be.
    """

    game: str
    rules: int
    deck: str
    seats: int
    terms: tuple[int, bytes, bool]
    hellos: tuple[Hello, ...]
    closed: bool
    mark: bytes

    @property
    def full(self) -> bool:
        """Whether all seats are taken."""
        return len(self.hellos) == self.seats


def room_of(key: bytes) -> str:
    """The name of the room whose host has the table key ``key``: 16 letters and digits."""
    return b32encode(digest(b"farfadet room", key)[:10]).decode()


class Seating:
    """One guest's view of a room before the game. ``plan`` is the host's last word."""

    def __init__(
        self,
        room: str,
        identity: Identity,
        key: SigningKey,
        secret: bytes,
        *,
        bot: bool = False,
        host: Offer | None = None,
    ) -> None:
        self.room = room
        self.plan: Plan | None = None
        self.charter: Charter | None = None
        self.refusal: str | None = None
        self.host_heard = 0.0
        """When the host last said something, by the clock that is passed in."""
        self._key = key
        self._nonce = Stream(secret, b"table nonce").take(SIZE)
        public = bytes(key.verify_key)
        name = identity.name[:LONGEST_NAME]
        hashed = nonce_hash(self._nonce)
        certificate = identity.key.sign(claim(room, public, name, hashed)).signature
        self._who = ["hello", room, identity.public, public, name, hashed, certificate, int(bot)]
        self._turn = 0
        self._hello = self._sign([*self._who, self._turn])
        self._host = host
        self._guests: dict[bytes, Hello] = {}
        self._heard: dict[bytes, float] = {}
        self._nonces: dict[bytes, bytes] = {}
        self._due = 0.0
        if host is not None:
            self._guests[public] = _read_hello(room, self._hello)
            self._replan()

    @property
    def me(self) -> Seat | None:
        """Our seat in the plan, or ``None`` while we have none."""
        if self.plan is None:
            return None
        public = bytes(self._key.verify_key)
        keys = [hello.key for hello in self.plan.hellos]
        return keys.index(public) if public in keys else None

    @property
    def ready(self) -> bool:
        """Whether the game may begin, as far as we are concerned."""
        return self._turn % 2 == 0

    def get_ready(self, ready: bool) -> None:
        """Be ready, or let the others wait for us; too late once everybody was."""
        if ready is self.ready or (self.plan is not None and self.plan.closed):
            return
        self._turn += 1
        self._hello = self._sign([*self._who, self._turn])
        self._due = 0.0
        if self._host is not None:
            hello = _read_hello(self.room, self._hello)
            self._guests[hello.key] = hello
            self._replan()

    @property
    def offer(self) -> Offer | None:
        """What we want to play, if we are the host and can still change it."""
        open_ = self.plan is not None and not self.plan.closed
        return self._host if open_ else None

    def amend(self, offer: Offer) -> None:
        """Play something else: as the host, with seats for all who have one, until it begins."""
        if self.offer is not None and offer.seats >= len(self._guests):
            self._host = offer
            self._replan()

    def hurry(self) -> None:
        """Say everything at the next tick: the link is new."""
        self._due = 0.0

    def tick(self, now: float) -> list[bytes]:
        """What to publish now."""
        if self._host is not None and self.plan is not None and not self.plan.closed:
            gone = [key for key, heard in self._heard.items() if now - heard > SILENT_AFTER]
            for key in gone:
                del self._heard[key], self._guests[key]
            if gone:
                self._replan()
        if now < self._due:
            return []
        self._due = now + SAY_EVERY
        return self.said()

    def said(self) -> list[bytes]:
        """What the others need to hear from us."""
        said = [self._hello]
        if self._host is not None:
            said.append(self._seating())
        if self.plan is not None and self.plan.closed and self.me is not None:
            said.append(self._sign(["nonce", self.room, self.plan.mark, self._nonce]))
        return said

    def receive(self, data: bytes, now: float) -> None:
        """Take what somebody in the room said; anything else is ignored."""
        try:
            match stated(data, LONGEST):
                case ["hello", *_]:
                    self._take_hello(_read_hello(self.room, data), now)
                case ["seating", *_]:
                    self._take_plan(_read_plan(self.room, data), now)
                case ["nonce", *_]:
                    self._take_nonce(data)
        except Refusal:
            return
        self._agree()

    def _take_hello(self, hello: Hello, now: float) -> None:
        if self._host is None or self.plan is None or self.plan.closed:
            return
        known = self._guests.get(hello.key)
        if known is None and len(self._guests) >= self._host.seats:
            return
        if hello.data == self._hello:
            return
        self._heard[hello.key] = now
        # Who can repeat what others have said must not change their minds.
        if known is None or hello.turn > known.turn:
            self._guests[hello.key] = hello
            self._replan()

    def _take_plan(self, plan: Plan, now: float) -> None:
        self.host_heard = now
        if self._host is not None or (self.plan is not None and self.plan.closed):
            return
        self.plan = plan
        if plan.full and self.me is None:
            self.refusal = "table-full"
        self._due = 0.0

    def _take_nonce(self, data: bytes) -> None:
        if self.plan is None:
            return
        match stated(data, LONGEST):
            case ["nonce", self.room, self.plan.mark, bytes(nonce)] if len(nonce) == SIZE:
                for hello in self.plan.hellos:
                    if hello.hashed == nonce_hash(nonce) and states(hello.key, DOMAIN, data):
                        self._nonces[hello.key] = nonce

    def _agree(self) -> None:
        plan = self.plan
        if self.charter is not None or plan is None or not plan.closed or self.me is None:
            return
        self._nonces[bytes(self._key.verify_key)] = self._nonce
        if all(hello.key in self._nonces for hello in plan.hellos):
            chairs = tuple(
                Chair(h.identity, h.key, h.name, self._nonces[h.key], h.certificate)
                for h in plan.hellos
            )
            self.charter = Charter(self.room, plan.game, plan.rules, plan.deck, chairs, *plan.terms)

    def _replan(self) -> None:
        self.plan = _read_plan(self.room, self._seating())
        self._due = 0.0

    def _seating(self) -> bytes:
        assert self._host is not None
        offer, game = self._host, self._host.game
        guests = self._guests.values()
        closed = int(len(guests) == offer.seats and all(guest.ready for guest in guests))
        played = [game.name, game.version, game.deck.encode(), offer.seats]
        terms = [offer.limit, offer.referee, int(offer.escrow)]
        hellos = [guest.data for guest in guests]
        return self._sign(["seating", self.room, *played, terms, hellos, closed])

    def _sign(self, content: list[Any]) -> bytes:
        return state(self._key, DOMAIN, content)


class Echo:
    """Goes on saying what a seat said before it was restarted, for those who still sit down."""

    def __init__(self, payloads: Sequence[bytes]) -> None:
        self._payloads = list(payloads)
        self._due = 0.0

    def tick(self, now: float) -> list[bytes]:
        """What to publish now."""
        if now < self._due:
            return []
        self._due = now + SAY_EVERY
        return self._payloads

    def receive(self, data: bytes, now: float) -> None:
        """Nothing is news any more."""


def _read_hello(room: str, data: bytes) -> Hello:
    match stated(data, LONGEST):
        case [
            "hello", str(where), bytes(identity), bytes(key), str(name),
            bytes(hashed), bytes(certificate), int(bot), int(turn),
        ] if (
            where == room
            and len(identity) == len(key) == KEY
            and len(name) <= LONGEST_NAME
            and len(hashed) == SIZE
            and bot in (0, 1)
            and 0 <= turn < TURNS
            and states(key, DOMAIN, data)
        ):  # fmt: skip
            check_claim(room, Chair(identity, key, name, b"", certificate), hashed)
            return Hello(identity, key, name, hashed, certificate, bool(bot), turn, data)
    raise Refusal("hello")


def _read_plan(room: str, data: bytes) -> Plan:
    match stated(data, LONGEST):
        case [
            "seating", str(where), str(game), int(version), bytes(deck), int(seats),
            list(given), list(said), int(closed),
        ] if (
            where == room
            and 2 <= seats <= 64
            and 1 <= len(said) <= seats
            and closed in (0, 1)
        ):  # fmt: skip
            terms = read_terms(given)
            hellos = tuple(_read_hello(room, item) for item in said if isinstance(item, bytes))
            host = hellos[0].key if hellos else b""
            if (
                len(hellos) == len(said) == len({h.key for h in hellos})
                and closed == (len(said) == seats and all(h.ready for h in hellos))
                and room_of(host) == room
                and states(host, DOMAIN, data)
                and (terms[1] == b"" or acceptable(terms[1]))
            ):
                mark, text = digest(b"farfadet seating", data), deck_text(deck)
                return Plan(game, version, text, seats, terms, hellos, bool(closed), mark)
    raise Refusal("seating")
