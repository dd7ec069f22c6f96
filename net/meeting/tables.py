"""Open tables: what a host says of its table in the lobby, and when it says it again.

Only tables whose host wants it are announced. An announcement is retained and signed with the
host's table key, after which the room is named, so nobody else can announce that room; it carries
the room's key, because whoever reads it may sit down or look on. No I/O here, and time is passed
in: ``now`` in seconds of any clock that only goes forward, ``at`` in seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from nacl.signing import SigningKey

import rules
from net.link.address import Broker
from net.meeting import invitation
from net.meeting.invitation import Invitation
from net.meeting.seating import Offer, room_of
from net.people.identity import KEY, acceptable
from net.play.charter import Charter, read_terms
from net.play.wire import Refusal, state, stated, states
from rules.form import fingerprint

DOMAIN = b"farfadet/1 table\0"
ANNOUNCED = "table"
LONGEST = 2048
"""Most bytes of an announcement."""

NAME = 24
"""Most characters of a name in it: sixteen such names fit, whatever they are written in."""

GAME = 32
"""Most characters of a game's name in it."""

MOST_SEATS = 16
"""Most seats of a table in the lobby; no game of ours has more than six."""

RENEW_EVERY = 20.0
"""Seconds between two announcements of a table where nothing changes."""

CHANGE_EVERY = 1.0
"""Seconds at least between two announcements, whatever changes."""

LONGEST_OPEN = 30 * 24 * 3600
"""Seconds that a table can have been open for."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who has a seat at an open table. ``name`` is text from the network."""

    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table in the lobby, as its host announces it; ``guests`` has the host first.

    ``key`` opens the room. ``deck`` is the ``rules.form.fingerprint`` of cards that are played with
    in place of the game's own, or empty. ``terms`` are the limit, the referee's key and the escrow
    of the charter to be (``net.play.charter.Charter``). ``since`` is when the table was opened and
    ``at`` when this was said, by the host's clock until the lobby has put it into ours.
    """

    room: str
    key: bytes
    game: str
    rules: int
    deck: bytes
    seats: int
    guests: tuple[Sitter, ...]
    terms: tuple[int, bytes, bool]
    since: int
    at: int
    begun: bool

    @property
    def free(self) -> int:
        """How many more can sit down."""
        return 0 if self.begun else self.seats - len(self.guests)

    def age(self, at: float) -> float:
        """For how many seconds it has been open, ``at`` this time."""
        return max(0.0, at - self.since)

    def invitation(self, broker: Broker) -> Invitation:
        """The way to this table through the ``broker`` on which it was found."""
        return Invitation(broker.host, broker.port, self.room, self.key, broker.tls, broker.others)


def announcement(host: SigningKey, table: OpenTable) -> bytes:
    """What the holder of the table key ``host`` says of ``table``, for ``topics.lobby``."""
    limit, referee, escrow = table.terms
    content = [
        ANNOUNCED,
        table.room,
        bytes(host.verify_key),
        table.key,
        [table.game, table.rules, table.deck, table.seats],
        [limit, referee, int(escrow)],
        [[guest.name[:NAME], int(guest.bot)] for guest in table.guests],
        [table.since, table.at, int(table.begun)],
    ]
    return state(host, DOMAIN, content)


def read_table(room: str, data: bytes) -> OpenTable:
    """The table announced under ``room``; raises ``Refusal`` unless its own host says so."""
    match stated(data, LONGEST):
        case [
            str(word), str(where), bytes(host), bytes(key), list(what), list(terms), list(guests),
            list(times),
        ] if (
            word == ANNOUNCED
            and len(host) == KEY
            and where == room == room_of(host)
            and len(key) == invitation.KEY
        ):  # fmt: skip
            game, rules, deck, seats = _what(what)
            agreed = read_terms(terms)
            sitters = tuple(map(_sitter, guests))
            since, at, begun = _times(times)
            if (
                1 <= len(sitters) <= seats
                and (agreed[1] == b"" or acceptable(agreed[1]))
                and acceptable(host)
                and states(host, DOMAIN, data)
            ):
                return OpenTable(
                    room, key, game, rules, deck, seats, sitters, agreed, since, at, begun
                )
    raise Refusal("announcement")


def _what(value: object) -> tuple[str, int, bytes, int]:
    match value:
        case [str(game), int(rules), bytes(deck), int(seats)] if (
            1 <= len(game) <= GAME and rules >= 0 and len(deck) in (0, 32)
        ) and 2 <= seats <= MOST_SEATS:
            return game, rules, deck, seats
    raise Refusal("game")


def _sitter(value: object) -> Sitter:
    match value:
        case [str(name), int(bot)] if len(name) <= NAME and bot in (0, 1):
            return Sitter(name, bool(bot))
    raise Refusal("guest")


def _times(value: object) -> tuple[int, int, bool]:
    match value:
        case [int(since), int(at), int(begun)] if (
            0 <= since <= at <= since + LONGEST_OPEN and begun in (0, 1)
        ):
            return since, at, bool(begun)
    raise Refusal("times")


class Poster:
    """What the host of an open table, with the table key ``host``, has to say in the lobby.

    ``key`` opens the room. Once the game has begun, the table can only be watched; without
    ``watched`` it is taken back then.
    """

    @classmethod
    def resumed(cls, host: SigningKey, key: bytes, charter: Charter, bots: Set[bytes]) -> Poster:
        """What there is to say of a game that goes on; ``bots`` are table keys of programs."""
        game = rules.load(charter.game, charter.deck)
        terms = charter.limit, charter.referee, charter.escrow
        poster = cls(host, key, Offer(game, len(charter.chairs), *terms))
        poster.seat([Sitter(chair.name, chair.key in bots) for chair in charter.chairs])
        poster.begin()
        return poster

    def __init__(self, host: SigningKey, key: bytes, offer: Offer, *, watched: bool = True) -> None:
        self._host = host
        self._key = key
        self._offer = offer
        self.watched = watched
        self._guests: tuple[Sitter, ...] = ()
        self._begun = False
        self._gone = False
        self._opened: float | None = None
        self._at = 0
        self._said = -CHANGE_EVERY
        self._due = 0.0

    def seat(self, guests: Sequence[Sitter]) -> None:
        """These have a seat now, the host first."""
        if tuple(guests) != self._guests:
            self._guests = tuple(guests)
            self._due = 0.0

    def amend(self, offer: Offer) -> None:
        """This is what will be played."""
        if offer != self._offer:
            self._offer = offer
            self._due = 0.0

    def begin(self) -> None:
        """The game begins."""
        self._begun = True
        self._due = 0.0
        if not self.watched:
            self.end()

    def end(self) -> None:
        """There is nothing to be found here any more."""
        if not self._gone:
            self._gone = True
            self._due = 0.0

    def hurry(self) -> None:
        """Say it as soon as may be: the link is new."""
        self._due = 0.0

    def tick(self, now: float, at: float) -> bytes | None:
        """What to put in the place of the announcement now; empty to take it back."""
        if now < self._due or (now - self._said < CHANGE_EVERY and not self._gone):
            return None
        if self._gone:
            self._due = float("inf")
            return b""
        if self._opened is None:
            self._opened = now
        self._said = now
        self._due = now + RENEW_EVERY
        # What is not newer counts for nothing, even if somebody sets our clock back.
        self._at = max(self._at + 1, int(at))
        return announcement(self._host, self._table(self._at - int(now - self._opened)))

    def _table(self, since: int) -> OpenTable:
        offer, game = self._offer, self._offer.game
        return OpenTable(
            room_of(bytes(self._host.verify_key)),
            self._key,
            game.name,
            game.version,
            fingerprint(game.deck) if game.deck else b"",
            offer.seats,
            self._guests,
            offer.terms,
            max(0, since),
            self._at,
            self._begun,
        )
