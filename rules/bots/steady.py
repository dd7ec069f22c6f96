"""The level ``steady``: plays the game's own advice, mixed so that it cannot be foreseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.bots.chooser import Chooser, Source

if TYPE_CHECKING:
    from rules.game import Game, Move, Seat, Sight, State


def steady(source: Source) -> Chooser:
    """A player that draws each move from ``game.advise`` by its weights."""

    def choose(game: Game, state: State, seat: Seat, sight: Sight) -> Move:
        advice = game.advise(state, seat, sight)
        mark = source.below(sum(weight for _, weight in advice))
        for move, weight in advice[:-1]:
            if mark < weight:
                return move
            mark -= weight
        return advice[-1][0]

    return choose
