"""A table with escrow and a referee at which seat 1 is missed, for tests of honesty and of lies."""

from __future__ import annotations

from typing import Any

from net.deck.group import Group
from net.deck.sealed import SealedDeck
from net.deck.standing import Standing
from net.deck.verified import Verified
from net.play.rounds import Script
from tests.net.deck.driver import Circle, table_key
from tests.net.deck.groups import TOY

KEYS = tuple(bytes(table_key(member).verify_key) for member in range(4))
SEATS = 3
REFEREE = SEATS
FACES = (1, 2, 3, 4, 5, 6, 7)
VERIFIED = Verified(1 << 14)


def of(member: int) -> Standing:
    """What ``member`` knows."""
    return Standing(KEYS, table_key(member))


def game(deck: SealedDeck) -> Script[None]:
    """A short game in which seat 1 will be missed: a few tokens, then many, of two packs."""
    slots = yield from deck.shuffle(FACES)
    more = yield from deck.shuffle((8, 9, 9))
    yield from deck.deal(slots[:2], 1)
    yield from deck.deal(slots[2:4], 0)
    yield from deck.open((slots[4], more[0]))
    yield from deck.deal((slots[2],), 2)
    yield from deck.open((*slots, *more))


def circle(group: Group = TOY, missed: int | None = 12, **more: Any) -> Circle:
    """A table with a referee, at which seat 1 leaves before the step ``missed``."""
    leaves = {} if missed is None else {missed: (1,)}
    return Circle(SEATS, group, escrow=True, referee=True, leaves=leaves, verified=VERIFIED, **more)
