"""What has happened, as lines: the game's, the table's, and what was said in between."""

from __future__ import annotations

from typing import TypeAlias

from net.people.chat import Said
from tui.boards.voices import Voice
from tui.company import Company
from tui.story.missing import remark
from tui.story.reveal import Entry
from tui.story.seen import Seen
from tui.story.talk import MARK, spoken
from tui.words import Pieces

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

    def game(self, voice: Voice) -> list[Line]:
        """What has happened at the table."""
        self._place()
        return [line for part in self._game(voice) for line in part]

    def whole(self, voice: Voice) -> list[Line]:
        """The same, with what was said where it was said."""
        parts = self._game(voice)
        for said in self._place():
            # Of a past that was taken back there may be less now. The first part is no tale.
            place = min(self._after[said.number], len(parts) - 1)
            parts[place].append((voice.words.fold(MARK), spoken(voice.words, said)))
        return [line for part in parts for line in part]

    def _place(self) -> tuple[Said, ...]:
        """All that was said; what is new was said now."""
        lines = () if self._talk is None else self._talk.lines
        told = len(self._seen.reveal.told)
        self._after = {said.number: self._after.get(said.number, told) for said in lines}
        return lines

    def _game(self, voice: Voice) -> list[list[Line]]:
        """The lines of each tale, after a first part of what was before."""
        first: list[Line] = []
        if self._company is not None and self._company.words:
            first.append(("", self._company.spoken(voice.words)))
        return [first, *(told_of(voice, told) for told in self._seen.reveal.told)]


def told_of(voice: Voice, entry: Entry) -> list[Line]:
    """One thing that has happened."""
    if isinstance(entry, tuple):
        return [voice.sentence(*entry)]
    return [(voice.words.fold("·"), pieces) for pieces in remark(voice, entry)]
