"""Moves as players type them: a table of texts, read in capitals or not, and other first words."""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import normalize

from rules.game import Malformed, Move


class Notation:
    """``moves`` by text; of several texts for one move, the last is the one that is written.

    ``synonyms`` stand for first words.
    """

    def __init__(self, moves: Mapping[str, Move], synonyms: Mapping[str, str]) -> None:
        self._moves = dict(moves)
        self._texts = {move: text for text, move in moves.items()}
        self._synonyms = dict(synonyms)

    def write(self, move: Move) -> str:
        """The text of ``move``; ``Malformed("not-a-move")`` for no move at all."""
        try:
            return self._texts[move]
        except (KeyError, TypeError):
            raise Malformed("not-a-move", type(move).__name__) from None

    def read(self, text: str) -> Move:
        """The move for ``text``; ``Malformed("move-text")`` if there is none."""
        words = normalize("NFC", text).lower().split() if isinstance(text, str) else []
        words[:1] = [self._synonyms.get(word, word) for word in words[:1]]
        move = self._moves.get(" ".join(words))
        if move is None:
            raise Malformed("move-text")
        return move
