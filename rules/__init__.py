"""The games, and nothing else: pure rules over the standard library.

A game is one module here with a constant ``GAME`` (see ``rules/game.py``); it is found by its name.
If its cards can be replaced, the module also has ``with_deck(text) -> Game``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.game import Game

_SHARED = frozenset({"game", "form", "answers", "notation", "deal", "bots"})


def names() -> tuple[str, ...]:
    """Names of the games that can be played, in alphabetical order."""
    found = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name for name in found if name not in _SHARED))


@lru_cache(maxsize=32)
def load(name: str, deck: str = "") -> Game:
    """Return the game called ``name``, played with the cards in ``deck`` if there are any.

    Raises ``RuleError``: ``unknown-game``; ``fixed-deck`` for a game whose cards are always the
    same; ``Malformed`` if ``deck`` is no deck for it.
    """
    from rules.game import RuleError

    if name not in names():
        raise RuleError("unknown-game", name)
    module = import_module(f"rules.{name}")
    if deck and not hasattr(module, "with_deck"):
        raise RuleError("fixed-deck", name)
    game: Game = module.with_deck(deck) if deck else module.GAME
    return game
