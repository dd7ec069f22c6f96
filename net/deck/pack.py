"""What a shuffle leaves on the table: packs, their tokens, and the points that stand for cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from net.deck.group import Cipher, Group, Point, total
from net.deck.standing import Deposit
from net.play.digest import number
from net.play.rounds import Void
from rules.game import Face, Seat


class Unsound(Void):
    """The deck contradicts itself although every proof in it holds. Convicts nobody.

    No seat can bring this about without breaking the proofs, and nothing tells who did: the game
    is void.
    """


@dataclass(frozen=True, slots=True)
class Pack:
    """What one shuffle is made of. ``joint`` is the sum of its members' ``keys``."""

    number: int
    keys: Mapping[Seat, Point]
    """The seats that made it, in order, each with its key."""
    joint: Point
    faces: Mapping[Point, Face]
    """The face each card's point stands for."""
    deposits: Mapping[Seat, Deposit]
    """What each member has given into escrow; empty if this pack has none."""


@dataclass(slots=True)
class Token:
    """A sealed token: its ciphertext now, the published shares of it, and who has seen it alone.

    ``seen`` also has seats that were to see it and were absent: they will.
    """

    pack: Pack
    cipher: Cipher
    shares: dict[Seat, Point] = field(default_factory=dict)
    seen: set[Seat] = field(default_factory=set)

    @property
    def open(self) -> bool:
        """Whether all shares are public, so that everybody can read it."""
        return len(self.shares) == len(self.pack.keys)

    def point(self, group: Group, own: Point | None = None) -> Point:
        """The point sealed in it, all shares being public but for, perhaps, our ``own``."""
        shares = (*self.shares.values(), *(() if own is None else (own,)))
        point = group.sub(self.cipher.b, total(group, shares))
        if point not in self.pack.faces:
            raise Unsound("no-face")
        return point

    def face(self, group: Group, own: Point | None = None) -> Face:
        """The face that ``point`` stands for."""
        return self.pack.faces[self.point(group, own)]


@dataclass(frozen=True, slots=True)
class Lot:
    """Tokens of one pack that one proof speaks of."""

    pack: Pack
    tokens: tuple[Token, ...]

    @property
    def ciphers(self) -> tuple[Cipher, ...]:
        """The tokens' ciphertexts."""
        return tuple(token.cipher for token in self.tokens)

    @property
    def points(self) -> tuple[Point, ...]:
        """The points that shares are made of: each ciphertext's ``a``."""
        return tuple(token.cipher.a for token in self.tokens)


@lru_cache(maxsize=64)
def cards(group: Group, count: int) -> tuple[Point, ...]:
    """The points that stand for the cards 0 to ``count`` - 1 of every pack."""
    return tuple(group.hash(b"card", number(card)) for card in range(count))


def count(lots: Iterable[Lot]) -> int:
    """How many tokens ``lots`` have in all."""
    return sum(len(lot.tokens) for lot in lots)
