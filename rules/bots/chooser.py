"""What a player that is a program is made of: a source of randomness, and a choice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from rules.game import Game, Move, Seat, Sight, State


class Source(Protocol):
    """Where random integers come from."""

    def below(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1, each equally likely; ``bound`` is at least 1."""


class Dice:
    """A ``Source`` that repeats itself for the same seed: for simulations, never for secrets."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed).random

    def below(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1; the same on every version of Python."""
        return int(self._random() * bound)


Chooser: TypeAlias = "Callable[[Game, State, Seat, Sight], Move]"
"""Makes the move of a seat that is asked, from what that seat sees and nothing else."""
