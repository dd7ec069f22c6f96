"""What players type: ``1al``, ``show``, ``stop``, ``b2``, ``keep 1``; also ``1 a gauche``."""

from __future__ import annotations

from itertools import product
from typing import Final

from rules.game import Move
from rules.gobelin.pieces import CARDS, HAND, SEATS, Keep, Pick, Play, Show, Stop
from rules.gobelin.turn import SPIED
from rules.notation import Notation

_ENDS: Final = ("gauche", "g", "left", "l"), ("droite", "d", "right", "r")
_GAPS: Final = (" ", "")

# Of several texts for one move, the last is the one that is written.
_MOVES: Final[dict[str, Move]] = {
    **{
        f"{card + 1}{gap}{'ab'[half]}{space}{word}": Play(card, half, end)
        for gap, space, card, half, end in product(_GAPS, _GAPS, range(HAND), range(2), range(2))
        for word in _ENDS[end]
    },
    **{
        f"{'abcd'[seat]}{gap}{index + 1}": Pick(seat, index)
        for gap, seat, index in product(_GAPS, range(SEATS[-1]), range(CARDS))
    },
    **{f"keep {index + 1}": Keep(index) for index in range(SPIED)},
    "show": Show(),
    "stop": Stop(),
}

NOTATION: Final = Notation(
    _MOVES, {"montrer": "show", "garder": "keep", "arrêter": "stop", "arreter": "stop"}
)
