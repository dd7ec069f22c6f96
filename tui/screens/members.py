"""The members of a table, for screens: what they are called."""

from __future__ import annotations

from collections.abc import Iterable

from rules.game import Seat
from tui.sitting import Sitting
from tui.text import safe
from tui.words import N_, Pieces, Words

NAME = 11
"""Most cells of a player's name on a board."""


def clean_names(sitting: Sitting) -> tuple[str, ...]:
    """The players' names, harmless, never empty, and short enough for a board."""
    return tuple(
        safe(name, NAME) or f"({'abcdef'[seat]})" for seat, name in enumerate(sitting.names)
    )


def called(words: Words, names: tuple[str, ...], member: Seat, style: str = "") -> Pieces:
    """The name of a seat; the number after the last seat's is the referee."""
    if member < len(names):
        return ((names[member], style),)
    return ((words.say(N_("the referee")), style),)


def listed(words: Words, names: tuple[str, ...], members: Iterable[Seat]) -> Pieces:
    """Several of them, the referee last."""
    return words.several([called(words, names, member) for member in sorted(members)])
