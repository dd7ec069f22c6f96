"""The members of a table, for screens: what they are called."""

from __future__ import annotations

from collections.abc import Iterable

from net.people.lookalike import alike
from rules.game import Seat
from tui.sitting import Sitting
from tui.text import safe
from tui.words import N_, Pieces, Words

NAME = 11
"""Most cells of a player's name on a board."""


def clean_names(sitting: Sitting) -> tuple[str, ...]:
    """The players' names, harmless, never empty, short enough for a board, and no two alike.

    Of two that could be taken for each other the later one has the letter of its seat.
    """
    names: list[str] = []
    for letter, told in zip("abcdef", sitting.names, strict=False):
        name, mark = safe(told, NAME) or f"({letter})", f" ({letter})"
        if any(alike(name, other) for other in names):
            name = safe(told, NAME - len(mark)) + mark
        names.append(name)
    return tuple(names)


def called(words: Words, names: tuple[str, ...], member: Seat, style: str = "") -> Pieces:
    """The name of a seat; the number after the last seat's is the referee."""
    if member < len(names):
        return ((names[member], style),)
    return ((words.say(N_("the referee")), style),)


def listed(words: Words, names: tuple[str, ...], members: Iterable[Seat]) -> Pieces:
    """Several of them, the referee last."""
    return words.several([called(words, names, member) for member in sorted(members)])
