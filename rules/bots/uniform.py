"""The level ``random``: any legal move, each as likely as the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.bots.chooser import Chooser, Source

if TYPE_CHECKING:
    from rules.game import Game, Move, Seat, Sight, State


def uniform(source: Source) -> Chooser:
    """A player that does not think."""

    def choose(game: Game, state: State, seat: Seat, sight: Sight) -> Move:
        options = game.moves(state, seat, sight)
        return options[source.below(len(options))]

    return choose
