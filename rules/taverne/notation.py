"""What players type: ``1`` to ``5``, ``a`` to ``f``, ``protect``, ``serve 2 1 3``."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from rules.game import Move
from rules.notation import Notation
from rules.taverne.pieces import SEATS, Character, Mushroom, Protect, Serve

_MOVES: Final[dict[str, Move]] = {
    **{str(index + 1): Mushroom(index) for index in range(SEATS[-1] - 1)},
    **{"abcdef"[seat]: Character(seat) for seat in range(SEATS[-1])},
    "protect": Protect(),
    **{
        " ".join(["serve", *(str(index + 1) for index in order)]): Serve(order)
        for count in range(SEATS[0] - 1, SEATS[-1])
        for order in permutations(range(count))
    },
}
_SYNONYMS: Final = {
    "p": "protect",
    "protéger": "protect",
    "proteger": "protect",
    "servir": "serve",
}

NOTATION: Final = Notation(_MOVES, _SYNONYMS)
