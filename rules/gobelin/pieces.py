"""The pieces of Gobelin des bois: squares and cards, the trail, phases, moves, the state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from rules.game import Face, Seat, Slot

SEATS: Final = range(2, 5)
CARDS: Final = 30
ASIDE: Final = 8
"""Cards that are set aside unseen in each round (published game)."""
HAND: Final = 2
RESHUFFLES: Final = {2: 0, 3: 1, 4: 2}
"""How often the trail becomes a new deck in a round, by seats."""
WINS: Final = 2
"""Round wins that end the game (published game)."""
MOST_GOLD: Final = 5


class Colour(IntEnum):
    """Of a square; ``ANY`` goes with every colour."""

    ANY = 0
    RED = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4


class Effect(IntEnum):
    """What covering an end with a square does, if it is possible."""

    NONE = 0
    COFFRE = 1
    """The top card of the deck becomes one's treasure, face down."""
    VOL = 2
    """One takes an opponent's treasure, unseen."""
    TROC = 3
    """An opponent's hand card, unseen, changes places with one's own remaining one."""
    SHERIF = 4
    """An opponent's treasure, unseen, goes to the bottom of the deck."""
    ESPION = 5
    """One looks at two cards of the deck; one goes back on top, the other to the bottom."""
    GALOP = 6
    """One plays again, after drawing."""


@dataclass(frozen=True, slots=True)
class Square:
    """Half a card."""

    colour: Colour
    effect: Effect


@dataclass(frozen=True, slots=True)
class Card:
    """``gold`` is 0 to 5. A card's face is its index in the deck's list of cards."""

    gold: int
    squares: tuple[Square, Square]


class Phase(IntEnum):
    """What is being done now."""

    LOTS = 0
    """Lots are shuffled to draw who begins."""
    DRAW = 1
    """The first lot is opened: its face is a seat."""
    PACK = 2
    """The cards are shuffled; a round begins."""
    SEATING = 3
    """Each seat looks at its first cards, seat after seat."""
    START = 4
    """The first card of the trail is opened."""
    PLAY = 5
    """``turn`` plays a card, or says that it cannot."""
    UNCOVER = 6
    """The card it plays is opened."""
    TARGET = 7
    """``turn`` picks an opponent's card, for vol, troc or shérif."""
    SPY = 8
    """``turn`` looks at the top two cards of the deck."""
    ORDER = 9
    """It says which of the two goes back on top."""
    LOOK = 10
    """New owners look at the cards in ``looks``."""
    SHUFFLE = 11
    """The trail, but for its ends, becomes the new deck."""
    AMBUSH = 12
    """``turn`` shows its hand: can it go on?"""
    COUNT = 13
    """All who are still in show their cards; the round ends."""
    OVER = 14


@dataclass(frozen=True, slots=True)
class Play:
    """Cover ``end`` (0 left, 1 right) of the trail with square ``half`` of hand card ``card``.

    All three are 0 or 1. The card's other half becomes the new end.
    """

    card: int
    half: int
    end: int


@dataclass(frozen=True, slots=True)
class Show:
    """Show one's hand: no card can be played, so one is out of the round.

    The claim is checked: if a card can be played, the first such play of the fixed order is made.
    So it is always allowed, and it is what an absent seat does. In a galop nobody falls into an
    ambush: the turn ends.
    """


@dataclass(frozen=True, slots=True)
class Stop:
    """After a galop: no card can be played, so the turn ends. Found out when hands are opened."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Pick card ``index`` (from 0) of opponent ``seat``: of its hand for troc, else a treasure."""

    seat: Seat
    index: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Of the two cards looked at, number ``index`` (0 or 1) goes back on top."""

    index: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the trail. Its first square lies to the left, unless it is ``turned``."""

    face: Face
    turned: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A card that its new owner ``seat`` has still to look at."""

    slot: Slot
    seat: Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """``seat`` has said that none of ``slots`` goes with the colours of the two ``ends``."""

    seat: Seat
    slots: tuple[Slot, ...]
    ends: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class State:
    """All that everybody may know; hidden cards are slots without faces."""

    seats: int
    phase: Phase
    round: int
    """From 1; 0 before the first."""
    wins: tuple[int, ...]
    """Rounds won, by seat."""
    first: Seat | None
    """Who begins this round."""
    turn: Seat | None
    """Whose turn it is."""
    lots: tuple[Slot, ...]
    deck: tuple[Slot, ...]
    """From the top."""
    aside: tuple[Slot, ...]
    removed: tuple[Slot, ...]
    """Cards of ambushed seats."""
    hands: tuple[tuple[Slot, ...], ...]
    treasures: tuple[tuple[Slot, ...], ...]
    trail: tuple[Laid, ...]
    """From left to right."""
    playing: tuple[bool, ...]
    """Who is still in this round."""
    reshuffles: int
    """How many are left in this round."""
    ending: bool
    """The deck has run out: the round ends with this turn."""
    galop: bool
    """``turn`` plays again after a galop."""
    played: tuple[Slot, Play] | None
    """The card being uncovered, and how it is played."""
    effect: Effect
    """What is being carried out."""
    looks: tuple[Look, ...]
    """What new owners have still to look at."""
    claims: tuple[Claim, ...]
    """What has been said of hands that nobody else has seen yet."""
