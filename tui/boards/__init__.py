"""How each game looks and what it says: found by the game's name.

A game has a module ``<name>`` with a class ``Board``, and ``<name>_words`` with a class ``Voice``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.boards.base import Board
    from tui.boards.voices import Voice


def load(name: str) -> type[Board]:
    """The board of the game called ``name``."""
    board: type[Board] = import_module(f"tui.boards.{name}").Board
    return board


def voice(name: str) -> type[Voice]:
    """What the game called ``name`` says; this loads nothing that draws."""
    spoken: type[Voice] = import_module(f"tui.boards.{name}_words").Voice
    return spoken
