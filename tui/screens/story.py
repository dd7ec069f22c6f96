"""What has happened, as lines: the game's, the table's, and what was said in between."""

from __future__ import annotations

from typing import TypeAlias

from net.people.chat import Said
from tui.boards.base import Board
from tui.company import Company
from tui.screens.missing import remark
from tui.screens.reveal import Entry
from tui.screens.seen import Seen
from tui.widgets.chat import MARK, spoken
from tui.words import Pieces, Words

Line: TypeAlias = tuple[str, Pieces]
"""A line with its mark."""


class Story:
    """The story of one sitting: ``seen`` of its table, and said in its ``talk``."""

    def __init__(self, seen: Seen, company: Company | None) -> None:
        self._seen = seen
        self._talk = seen.sitting.talk
        self._company = company
        self._after: dict[int, int] = {}
        """By the number of what was said, how much of the game had been told then."""

    def game(self, board: Board, words: Words) -> list[Line]:
        """What has happened at the table."""
        self._place()
        return [line for part in self._game(board, words) for line in part]

    def whole(self, board: Board, words: Words) -> list[Line]:
        """The same, with what was said where it was said."""
        parts = self._game(board, words)
        for said in self._place():
            # Of a past that was taken back there may be less now. The first part is no tale.
            place = min(self._after[said.number], len(parts) - 1)
            parts[place].append((words.fold(MARK), spoken(words, said)))
        return [line for part in parts for line in part]

    def _place(self) -> tuple[Said, ...]:
        """All that was said; what is new was said now."""
        lines = () if self._talk is None else self._talk.lines
        told = len(self._seen.reveal.told)
        self._after = {said.number: self._after.get(said.number, told) for said in lines}
        return lines

    def _game(self, board: Board, words: Words) -> list[list[Line]]:
        """The lines of each tale, after a first part of what was before."""
        first: list[Line] = []
        if self._company is not None and self._company.words:
            first.append(("", self._company.spoken(words)))
        return [first, *(self._tale(board, words, told) for told in self._seen.reveal.told)]

    def _tale(self, board: Board, words: Words, told: Entry) -> list[Line]:
        if isinstance(told, tuple):
            return [board.sentence(*told)]
        said = remark(board, words, board.view.names, told)
        return [(words.fold("·"), pieces) for pieces in said]
