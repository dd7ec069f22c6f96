"""What game one would like to play: how it is changed, step by step, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

import rules
from rules.bots import levels
from tui import boards
from tui.sitting import GAME, LEVEL, SEATS, Host, Play
from tui.words import N_, Words

T = TypeVar("T")

LABELS: Final = {
    "game": N_("Game"),
    "seats": N_("Players"),
    "level": N_("Bots play"),
    "bots": N_("Bots at my table"),
    "limit": N_("Time limit at my table"),
}
"""What can be wished for, by id."""

LEVELS: Final = {
    "random": N_("at random"),
    "steady": N_("steadily"),
}

LIMITS: Final = (0, 30, 60, 120, 300)
"""Seconds in which a choice must be made at a table of ours, or the others may go on; 0: none."""


@dataclass
class Wish:
    """A game, how many play it, how many of them are bots, how well those play, and how fast all.

    The other fields: see ``tui.sitting.Host``.
    """

    game: str = GAME
    seats: int = SEATS
    level: str = LEVEL
    bots: int = 0
    limit: int = 0
    deck: str = ""
    referee: bool = False
    escrow: bool | None = None

    def change(self, what: str, step: int) -> None:
        """Take the value ``step`` further on of one of the ``LABELS``; the rest follows suit."""
        match what:
            case "game":
                self.game, self.deck = neighbour(rules.names(), self.game, step), ""
            case "seats":
                self.seats += step
            case "level":
                self.level = neighbour(levels(), self.level, step)
            case "bots":
                self.bots += step
            case "limit":
                self.limit = neighbour(LIMITS, self.limit, step)
        possible = rules.load(self.game).seats
        self.seats = min(max(self.seats, possible.start), possible.stop - 1)
        self.bots = min(max(self.bots, 0), self.seats - 1)

    def said(self, what: str, words: Words) -> str:
        """The value of one of the ``LABELS``; empty for anything else."""
        match what:
            case "game":
                return words.say(boards.voice(self.game).TITLE)
            case "seats":
                return str(self.seats)
            case "level":
                return words.say(LEVELS.get(self.level, self.level))
            case "bots":
                return str(self.bots)
            case "limit":
                return limit_said(words, self.limit)
        return ""

    @property
    def play(self) -> Play:
        """The way to a table of bots."""
        return Play(self.game, self.seats, self.level, self.deck)

    @property
    def host(self) -> Host:
        """The way to a table for friends."""
        terms = (self.deck, self.limit, self.referee, self.escrow)
        return Host(self.game, self.seats, self.bots, *terms)


def limit_said(words: Words, limit: int) -> str:
    """A time limit in words; 0 is none."""
    if limit == 0:
        return words.say(N_("none"))
    if limit % 60:
        return words.say(N_("{n} s"), n=limit)
    return words.say(N_("{n} min"), n=limit // 60)


def neighbour(values: tuple[T, ...], value: T, step: int) -> T:
    """The value ``step`` further on, round and round; from an unknown one, the first."""
    return values[(values.index(value) + step) % len(values)] if value in values else values[0]
