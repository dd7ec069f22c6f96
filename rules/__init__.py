"""The games, and nothing else: pure rules over the standard library.

A game is one module here with a constant ``GAME`` (see ``rules/game.py``); it is found by its name.
"""

from importlib import import_module
from pkgutil import iter_modules

from rules.game import Game, RuleError

_SHARED = frozenset({"game", "form", "answers", "notation", "deal", "bots"})


def names() -> tuple[str, ...]:
    """Names of the games that can be played, in alphabetical order."""
    found = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name for name in found if name not in _SHARED))


def load(name: str) -> Game:
    """Return the game called ``name``; raise ``RuleError("unknown-game")`` if there is none."""
    if name not in names():
        raise RuleError("unknown-game", name)
    game: Game = import_module(f"rules.{name}").GAME
    return game
