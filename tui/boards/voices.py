"""What a game says, to whoever plays it with whatever: a board draws, a voice has the words.

Nothing here, nor in the ``<game>_words.py`` that goes on from here, needs a screen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.game import Game, Illegal, Line, Move, Request, Seat, Sight, State, Tale
from tui.words import N_, Pieces, Words

ABSENT: Final = N_("\N{MULTIPLICATION SIGN} absent")
"""What a seat is that nobody waits for; the mark stands alone where there is no room."""


@dataclass(frozen=True, slots=True)
class View:
    """What is to be seen of a game at one moment. ``names`` have been made harmless."""

    game: Game
    state: State
    request: Request | None
    me: Seat | None
    names: tuple[str, ...]
    sight: Sight
    """The faces we have seen."""
    owing: frozenset[Seat]
    """Who is asked and has not sealed a choice."""
    moves: tuple[Move, ...]
    """What we may choose now."""
    chosen: Move | None
    """What we have sealed."""
    shown: tuple[tuple[Seat, Move], ...] = ()
    """The choices that are being shown to everybody, on the ``state`` before they took effect."""
    absent: frozenset[Seat] = frozenset()
    """Whom nobody waits for any more."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that stands on a board for something else.

    ``shown`` and ``meaning`` are to translate. Each part of ``shown``, with blanks in between, has
    its own one of ``styles``.
    """

    shown: str
    meaning: str
    styles: tuple[str, ...] = ("event",)

    def drawn(self, words: Words) -> Pieces:
        """As it stands on the board."""
        parts = list[Pieces]()
        for part, style in zip(words.say(self.shown).split(), self.styles, strict=True):
            parts += [((" ", ""),), ((part, style),)]
        return tuple(piece for part in parts[1:] for piece in part)


SEALED: Final = Sign("◆", N_("has sealed a choice"), ("sealed",))
CHOOSING: Final = Sign("…", N_("is still choosing"), ("",))
AWAY: Final = Sign("\N{MULTIPLICATION SIGN}", N_("is away; nobody waits any more"), ("warning",))

HINTS: Final = {
    "sealed": N_("Sealed. Nobody can see it until all have chosen, and nobody can change it."),
    "reveal": N_("All choices are opened at once. Look who has chosen what."),
}
"""Hints that fit any game with secret choices, by code."""


class Voice(ABC):
    """A game in the ``words`` of one player, who has this ``view`` of it."""

    TITLE: ClassVar[str]
    """The game's name for people."""
    RULES: ClassVar[tuple[str, ...]]
    """How to play, in short: paragraphs to translate."""
    EXAMPLES: ClassVar[str]
    """What can be typed, for an empty line."""
    REFUSALS: ClassVar[Mapping[str, str]]
    """Why a move may not be made, by the code of ``Illegal``: sentences to translate."""
    SIGNS: ClassVar[tuple[Sign, ...]]
    """What stands on the board for something else."""
    HINTS: ClassVar[Mapping[str, str]]
    """What helps a newcomer, in one line of at most 76 cells, by code: sentences to translate."""
    DEALT_ANEW: ClassVar[str] = N_("The hidden cards are dealt anew.")
    """What is said when everything hidden has been shuffled again."""

    def __init__(self, words: Words, view: View) -> None:
        self.words = words
        self.view = view

    @abstractmethod
    def headline(self) -> Pieces:
        """Where the game stands, to go on with after its title."""

    @abstractmethod
    def question(self) -> Pieces:
        """What the player is asked now; only called when there is something."""

    @abstractmethod
    def describe(self, move: Move) -> Pieces:
        """A move in words."""

    @abstractmethod
    def sentence(self, state: State, tale: Tale) -> tuple[str, Pieces]:
        """What happened in ``state``, for the history, and a short mark of when."""

    @abstractmethod
    def doing(self) -> Pieces:
        """What the table is busy with, when it waits for no player."""

    @abstractmethod
    def worth(self, line: Line) -> Pieces:
        """A line of the score in words, without its points."""

    @abstractmethod
    def lessons(self) -> tuple[str, ...]:
        """Codes of the ``HINTS`` that fit before our choice or without one, the first one first."""

    def hints(self) -> tuple[str, ...]:
        """Codes of all hints that fit this moment, the first one first; none if we look on."""
        if self.view.me is None:
            return ()
        if self.view.shown:
            return ("reveal",)
        return ("sealed",) if self.view.chosen is not None else self.lessons()

    @abstractmethod
    def position(self) -> list[Pieces]:
        """All that one sees and that may change, a short line for each thing."""

    def details(self) -> list[Pieces]:
        """What one could look up besides."""
        return []

    def forbids(self, move: Move) -> str | None:
        """Why we may not choose ``move`` now, as a code; ``None`` if we may."""
        view = self.view
        if move in view.moves:
            return None
        if view.chosen is None and view.me is not None:
            try:
                view.game.check(view.state, view.me, move)
            except Illegal as illegal:
                return illegal.code
        return self.idle()

    def idle(self) -> str:
        """Why we may choose nothing at all, as a code, when that is so."""
        if self.view.chosen is not None:
            return "sealed"
        return "not-asked" if self.view.me is not None else "looking-on"


def letters(words: Words, voice: type[Voice]) -> dict[str, str]:
    """The styles of the letters that stand for colours in a game."""
    found: dict[str, str] = {}
    for sign in voice.SIGNS:
        if len(sign.styles) > 1:
            found |= dict(zip(words.say(sign.shown).split(), sign.styles, strict=True))
    return found
