"""The charter: what is played, by whom, under which keys. Its hash is the table's id.

Every seat signs it with its first message (step 0), and every later message and hash contains the
table id, so nothing signed at one table can be used at another.
"""

from __future__ import annotations

from dataclasses import dataclass

from net.meeting.proquint import proquint
from net.people.identity import KEY, acceptable
from net.play.digest import SIZE, digest
from net.play.wire import SIGNATURE, Refusal, pack, signed, unpack
from rules.game import Game

VERSION = 1
SHORTEST_LIMIT = 10
LONGEST_LIMIT = 24 * 3600
"""Seconds that a step may be open, if there is a limit at all."""
LONGEST_NAME = 64
"""Most characters in a name on the wire; screens show fewer."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat's place in the charter.

    ``identity`` is the person's long-term key, ``key`` the one made for this table, ``nonce`` 32
    bytes that were committed to before anybody revealed theirs: one honest nonce makes the table
    id fresh and its spoken words impossible to choose. ``certificate`` is the identity's signature
    of all this (see ``claim``).
    """

    identity: bytes
    key: bytes
    name: str
    nonce: bytes
    certificate: bytes


@dataclass(frozen=True, slots=True)
class Charter:
    """The terms of one game; ``room`` is where it was agreed, ``rules`` the game's version.

    ``deck`` is empty, or the text of the cards that are played with in place of the game's own.
    ``limit`` is how many seconds a step may be open before those who owe something can be ruled
    absent (0: as long as they can be heard). ``referee`` is the key of a member without a seat, or
    empty. With ``escrow`` the members can stand in for one of them in opening cards.
    """

    room: str
    game: str
    rules: int
    deck: str
    chairs: tuple[Chair, ...]
    limit: int = 0
    referee: bytes = b""
    escrow: bool = False

    def data(self) -> bytes:
        """The exact bytes that are hashed and kept."""
        chairs = [[c.identity, c.key, c.name, c.nonce, c.certificate] for c in self.chairs]
        terms = [self.limit, self.referee, int(self.escrow)]
        return pack([VERSION, self.room, self.game, self.rules, self.deck.encode(), chairs, terms])

    @property
    def table(self) -> bytes:
        """The table's id: 32 bytes."""
        return digest(b"farfadet table", self.data())

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names as they gave them: text from the network, not yet made harmless."""
        return tuple(chair.name for chair in self.chairs)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The table keys of all members: the seats', then the referee's, if there is one."""
        return (*(chair.key for chair in self.chairs), *filter(None, (self.referee,)))

    def check(self, game: Game) -> None:
        """Raise ``Refusal`` unless ``game`` can be played on these terms."""
        if self.game != game.name:
            raise Refusal("other-game")
        if self.rules != game.version:
            raise Refusal("other-rules")
        if self.deck != game.deck:
            raise Refusal("other-deck")
        if len(self.chairs) not in game.seats:
            raise Refusal("seats")
        if len(set(self.keys)) != len(self.keys):
            raise Refusal("same-key")
        if self.referee and not acceptable(self.referee):
            raise Refusal("bad-key")
        for chair in self.chairs:
            check_claim(self.room, chair, nonce_hash(chair.nonce))


def read_charter(data: bytes) -> Charter:
    """The charter in ``data``; raises ``Refusal`` for anything that is not exactly one."""
    match unpack(data):
        case [
            int(version), str(room), str(game), int(rules), bytes(deck), list(chairs), list(terms),
        ] if (
            version == VERSION and not isinstance(version, bool) and not isinstance(rules, bool)
        ):  # fmt: skip
            text, seats = deck_text(deck), tuple(map(_chair, chairs))
            return Charter(room, game, rules, text, seats, *read_terms(terms))
    raise Refusal("charter")


def read_terms(value: object) -> tuple[int, bytes, bool]:
    """The limit, the referee and the escrow in a part of a charter; raises ``Refusal``."""
    match value:
        case [int(limit), bytes(referee), int(escrow)] if (
            not isinstance(limit, bool)
            and (limit == 0 or SHORTEST_LIMIT <= limit <= LONGEST_LIMIT)
            and len(referee) in (0, KEY)
            and not isinstance(escrow, bool)
            and escrow in (0, 1)
        ):
            return limit, referee, bool(escrow)
    raise Refusal("terms")


def deck_text(data: bytes) -> str:
    """The text of a deck that came over the wire; raises ``Refusal`` if it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refusal("deck") from None


def _chair(value: object) -> Chair:
    match value:
        case [bytes(identity), bytes(key), str(name), bytes(nonce), bytes(certificate)] if (
            len(identity) == len(key) == KEY
            and len(name) <= LONGEST_NAME
            and len(nonce) == SIZE
            and len(certificate) == SIGNATURE
        ):
            return Chair(identity, key, name, nonce, certificate)
    raise Refusal("charter")


def nonce_hash(nonce: bytes) -> bytes:
    """What a seat shows before its nonce."""
    return digest(b"farfadet nonce", nonce)


def claim(room: str, key: bytes, name: str, hashed: bytes) -> bytes:
    """What an identity signs to sit down: this table key, this name, this nonce, in this room."""
    return b"farfadet/1 chair\0" + digest(
        b"farfadet chair", room.encode(), key, name.encode(), hashed
    )


def check_claim(room: str, chair: Chair, hashed: bytes) -> None:
    """Raise ``Refusal`` unless the chair's keys are sound and its certificate is its identity's."""
    if not (acceptable(chair.identity) and acceptable(chair.key)):
        raise Refusal("bad-key")
    if not signed(chair.identity, claim(room, chair.key, chair.name, hashed), chair.certificate):
        raise Refusal("bad-certificate")


def words(table: bytes) -> str:
    """Four words to compare by voice: 64 bits of the table id as proquints (Wilkerson, 2009).

    The same words on all seats mean the same charter, hence the same keys, and no one in between.
    """
    value = digest(b"farfadet words", table)
    return " ".join(proquint(int.from_bytes(value[i : i + 2], "big")) for i in range(0, 8, 2))
