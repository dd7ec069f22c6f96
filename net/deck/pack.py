"""What a shuffle leaves on the table: packs, their tokens, and the points that stand for cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from net.deck.group import Cipher, Group, Point
from net.digest import number
from rules.game import Face, Seat


@dataclass(frozen=True, slots=True)
class Pack:
    """What one shuffle is made of. ``joint`` is the sum of the seats' ``keys``."""

    number: int
    keys: tuple[Point, ...]
    joint: Point
    faces: Mapping[Point, Face]
    """The face each card's point stands for."""


@dataclass(slots=True)
class Token:
    """A sealed token: its ciphertext now, the published shares of it, and who has seen it alone."""

    pack: Pack
    cipher: Cipher
    shares: dict[Seat, Point] = field(default_factory=dict)
    seen: set[Seat] = field(default_factory=set)


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


def count(lots: Sequence[Lot]) -> int:
    """How many tokens ``lots`` have in all."""
    return sum(len(lot.tokens) for lot in lots)
