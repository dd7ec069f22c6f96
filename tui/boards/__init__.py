"""How each game looks: one module a game, with a class ``Board``, found by the game's name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.boards.base import Board


def load(name: str) -> type[Board]:
    """The board of the game called ``name``."""
    board: type[Board] = import_module(f"tui.boards.{name}").Board
    return board
