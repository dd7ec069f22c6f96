"""The deck is data: thirty cards from a TOML text, checked, and back into the shortest such text.

``rules/data/gobelin.toml`` is the deck we play with and says how to type in another. A table's
charter carries the whole text of a deck, so that all its seats play with the same cards.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final

from rules.answers import is_int
from rules.game import Malformed
from rules.gobelin.pieces import CARDS, MOST_GOLD, Card, Colour, Effect, Square

LONGEST: Final = 8192
"""Most characters in the text of a deck."""

_COLOURS: Final = {colour.name.lower(): colour for colour in Colour}
_EFFECTS: Final = {effect.name.lower(): effect for effect in Effect}
_FIELDS: Final = ("gold", "a", "b")


def read_deck(text: str) -> tuple[Card, ...]:
    """The cards of the deck that ``text`` lists, in its order.

    Raises ``Malformed`` with one of these codes, and never another error: ``deck-text`` (no text,
    or longer than ``LONGEST``), ``deck-toml`` (not TOML), ``deck`` (not one list ``cards``; the
    detail is the key that is missing or unknown), ``deck-size`` (not ``CARDS`` cards; the detail is
    their number). The others have the pair (number of the card from 1, field) as their detail:
    ``deck-card`` (no such field, a missing field, or the wrong type of value; the field is ``""``
    if the card as a whole is of the wrong type), ``deck-gold``, ``deck-colour``, ``deck-effect``.
    """
    if not isinstance(text, str) or len(text) > LONGEST:
        raise Malformed("deck-text")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("deck-toml", type(error).__name__) from None
    for key in sorted(found.keys() - {"cards"}):
        raise Malformed("deck", _quoted(key))
    cards = found.get("cards")
    if not isinstance(cards, list):
        raise Malformed("deck", "cards")
    deck = tuple(_card(number, card) for number, card in enumerate(cards, 1))
    if len(deck) != CARDS:
        raise Malformed("deck-size", len(deck))
    return deck


def write_deck(cards: tuple[Card, ...]) -> str:
    """The one short text for ``cards``: ``read_deck(write_deck(cards)) == cards``."""
    listed = [
        f'{{gold={card.gold},a="{_words(card.squares[0])}",b="{_words(card.squares[1])}"}}'
        for card in cards
    ]
    return f"cards=[{','.join(listed)}]\n"


def built_in() -> tuple[Card, ...]:
    """The deck that comes with the game."""
    return read_deck(files("rules").joinpath("data", "gobelin.toml").read_text("utf-8"))


def _card(number: int, card: Any) -> Card:
    if not isinstance(card, dict):
        raise Malformed("deck-card", (number, ""))
    for key in sorted(card.keys() - set(_FIELDS)):
        raise Malformed("deck-card", (number, _quoted(key)))
    for key in _FIELDS:
        if type(card.get(key)) is not (int if key == "gold" else str):
            raise Malformed("deck-card", (number, key))
    if not is_int(card["gold"], 0, MOST_GOLD + 1):
        raise Malformed("deck-gold", (number, "gold"))
    return Card(card["gold"], (_square(number, "a", card["a"]), _square(number, "b", card["b"])))


def _square(number: int, field: str, text: str) -> Square:
    words = text.split()
    if len(words) != 2:
        raise Malformed("deck-card", (number, field))
    if words[0] not in _COLOURS:
        raise Malformed("deck-colour", (number, field))
    if words[1] not in _EFFECTS:
        raise Malformed("deck-effect", (number, field))
    return Square(_COLOURS[words[0]], _EFFECTS[words[1]])


def _words(square: Square) -> str:
    return f"{square.colour.name.lower()} {square.effect.name.lower()}"


def _quoted(key: str) -> str:
    """A stranger's key, short and without characters that could harm a log or a terminal."""
    return ascii(key[:20])[1:-1]
