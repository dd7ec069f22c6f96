"""The trail of Gobelin des bois: its two ends, what goes with them, and how a card covers one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import Face
from rules.gobelin.pieces import Card, Colour, Laid, Play, Square

LEFT: Final = 0
RIGHT: Final = 1

Ends = tuple[Colour, Colour]
"""The colours of the left and of the right end."""


def goes(one: Colour, other: Colour) -> bool:
    """Whether a square of colour ``one`` may cover one of colour ``other``, or the reverse."""
    return one is other or one is Colour.ANY or other is Colour.ANY


def fits(card: Card, ends: Ends) -> bool:
    """Whether some square of ``card`` goes with one of the two ``ends``."""
    return any(goes(square.colour, end) for square in card.squares for end in ends)


def squares(cards: Sequence[Card], laid: Laid) -> tuple[Square, Square]:
    """The squares of a card of the trail, from left to right."""
    first, second = cards[laid.face].squares
    return (second, first) if laid.turned else (first, second)


def ends(cards: Sequence[Card], trail: Sequence[Laid]) -> Ends:
    """The colours that can be covered: of a trail of one card, both its squares."""
    return squares(cards, trail[0])[LEFT].colour, squares(cards, trail[-1])[RIGHT].colour


def covered(trail: tuple[Laid, ...], face: Face, play: Play) -> tuple[Laid, ...]:
    """The trail after ``play`` of the card ``face``, which is turned so that one square covers."""
    if play.end == LEFT:
        return (Laid(face, turned=play.half == 0), *trail)
    return (*trail, Laid(face, turned=play.half == 1))


def plays(
    cards: Sequence[Card], hand: Sequence[Face | None], trail: Sequence[Laid]
) -> tuple[Play, ...]:
    """What can be played of a hand of these faces, in the fixed order: by card, square and end.

    A face that one does not know (``None``) cannot be played. On a trail of one card, the two ends
    are different plays, even where they have the same colour.
    """
    colours = ends(cards, trail)
    return tuple(
        [
            Play(card, half, end)
            for card, face in enumerate(hand)
            if face is not None
            for half, square in enumerate(cards[face].squares)
            for end, colour in enumerate(colours)
            if goes(square.colour, colour)
        ]
    )
