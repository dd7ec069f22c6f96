"""What players type: ``1`` to ``5``, ``a`` to ``f``, ``protect``, ``serve 2 1 3``."""

from __future__ import annotations

from itertools import permutations
from typing import Final
from unicodedata import normalize

from rules.game import Malformed, Move
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
_WORDS: Final = {move: text for text, move in _MOVES.items()}
_SYNONYMS: Final = {
    "p": "protect",
    "protéger": "protect",
    "proteger": "protect",
    "servir": "serve",
}


def write(move: Move) -> str:
    """The shortest clear text of ``move``; ``Malformed("not-a-move")`` for no move at all."""
    try:
        return _WORDS[move]
    except (KeyError, TypeError):
        raise Malformed("not-a-move", type(move).__name__) from None


def read(text: str) -> Move:
    """The move for ``text``, in capitals or not; also ``p``, ``protéger``, ``servir 2 1 3``."""
    words = normalize("NFC", text).lower().split() if isinstance(text, str) else []
    words[:1] = [_SYNONYMS.get(word, word) for word in words[:1]]
    move = _MOVES.get(" ".join(words))
    if move is None:
        raise Malformed("move-text")
    return move
