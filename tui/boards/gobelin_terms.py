"""The pieces of Gobelin des bois in words: colours, effects, squares, cards."""

from __future__ import annotations

from typing import Final

from rules.gobelin.pieces import Card, Colour, Effect, Square
from tui.words import N_, NN_, Pieces, Words

LETTERS: Final = N_("* R Y G B")
"""The letters of all colours, red, yellow, green, blue. French: rouge, jaune, vert, bleu."""

STYLES: Final = ("white", "red", "yellow", "green", "blue")

EFFECTS: Final = (
    N_("nothing"),
    N_("chest"),
    N_("theft"),
    N_("swap"),
    N_("sheriff"),
    N_("spy"),
    N_("gallop"),
)
"""The effects, in at most seven cells."""

ANY: Final = N_("any")
"""Stands for the effect of a square of all colours that has none."""

SQUARE: Final = 10
"""Cells of a square: a blank, the letter, a blank, the effect."""

GAINS: Final = (
    N_("no effect"),
    N_("take the top card"),
    N_("steal a treasure"),
    N_("exchange a hand card"),
    N_("bury a treasure"),
    N_("peek at the deck"),
    N_("play again"),
)
"""What each effect brings, in at most 20 cells."""

IN_VAIN: Final = N_("no effect now")
"""What an effect brings that is not possible."""

GOLD: Final = NN_("{n} gold", "{n} gold")

TRAIL: Final = NN_("trail: {n} card", "trail: {n} cards")


COLOURS: Final = (N_("all colours"), N_("red"), N_("yellow"), N_("green"), N_("blue"))
"""What the letters stand for."""


def letter(words: Words, colour: Colour) -> Pieces:
    """A colour, as its letter on its ground."""
    if words.aloud:
        return ((words.say(COLOURS[colour]), ""),)
    return ((words.say(LETTERS).split()[colour], STYLES[colour]),)


def square(words: Words, half: Square) -> Pieces:
    """A square as it is drawn, ``SQUARE`` cells wide."""
    return ((f" {_named(words, half):<{SQUARE - 1}}", STYLES[half.colour]),)


def mention(words: Words, half: Square) -> Pieces:
    """A square within a sentence, which is not broken inside it."""
    if words.aloud:
        colour = words.say(COLOURS[half.colour])
        if half.effect is Effect.NONE:
            return ((colour, ""),)
        return words.tell(
            N_("{colour} {effect}"), colour=colour, effect=words.say(EFFECTS[half.effect])
        )
    return ((words.fold(_named(words, half).replace(" ", "·")), STYLES[half.colour]),)


def mini(words: Words, card: Card) -> Pieces:
    """A card in three cells: its colours and its gold."""
    letters = words.say(LETTERS).split()
    halves = tuple((letters[half.colour], STYLES[half.colour]) for half in card.squares)
    return (*halves, (str(card.gold), "lit"))


def _named(words: Words, half: Square) -> str:
    blank = half.colour is Colour.ANY and half.effect is Effect.NONE
    name = words.say(ANY if blank else EFFECTS[half.effect])
    return f"{words.say(LETTERS).split()[half.colour]} {name}"
