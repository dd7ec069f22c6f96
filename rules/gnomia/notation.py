"""What players type: ``10`` to ``100``, ``grincheux``, ``take``, ``give b``."""

from __future__ import annotations

from typing import Final

from rules.game import Move
from rules.gnomia.pieces import GRINCHEUX, SEATS, VALUES, Give, Gnome, Take
from rules.notation import Notation

_MOVES: Final[dict[str, Move]] = {
    **{str(value): Gnome(value) for value in VALUES},
    "grincheux": Gnome(GRINCHEUX),
    "take": Take(),
    **{f"give {'abcde'[seat]}": Give(seat) for seat in range(SEATS[-1])},
}
_SYNONYMS: Final = {
    "g": "grincheux",
    "grumpy": "grincheux",
    "t": "take",
    "prendre": "take",
    "donner": "give",
    "offrir": "give",
}

NOTATION: Final = Notation(_MOVES, _SYNONYMS)
