"""What a terminal shows, cell by cell: so it is sent what differs, for few bytes over ssh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

APART: Final = 10
"""Cells without a change that are rather skipped than written: to begin anew takes bytes, too."""

Piece: TypeAlias = tuple[int, int, Strip]
"""What is to stand from a column of a row on."""


class Glass:
    """What each cell of a terminal shows, as the bytes for it; ``None`` where nobody knows.

    The second cell of a wide character shows ``""``.
    """

    def __init__(self) -> None:
        self._size = Size(0, 0)
        self._rows: list[list[str | None]] = []

    def forget(self) -> None:
        """It may show anything."""
        self._size = Size(0, 0)

    def show(self, size: Size, pieces: Sequence[Piece], console: Console) -> str:
        """The bytes after which it shows ``pieces``, being of this ``size``."""
        if size != self._size:
            self._size = size
            self._rows = [[None] * size.width for _ in range(size.height)]
        return "".join(part for piece in pieces for part in self._write(*piece, console))

    def _write(self, x: int, y: int, strip: Strip, console: Console) -> Iterator[str]:
        width, row = strip.cell_length, self._rows[y]
        here = slice(x, x + width)
        new = cells(strip, console._color_system or ColorSystem.TRUECOLOR)
        if len(new) != width:
            # Letters that together are as wide as none of them: who knows where they stand.
            yield Control.move_to(x, y).segment.text
            yield strip.render(console)
            row[here] = [None] * width
            return
        for first, last in stretches(row[here], new):
            yield Control.move_to(x + first, y).segment.text
            yield _cut(strip, first, last).render(console)
        row[here] = new


def stretches(old: Sequence[str | None], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where ``new`` differs, as first cells and the ones after the last."""
    start = end = 0
    for x in range(len(new)) if old != new else ():
        if old[x] == new[x]:
            continue
        if end and x - end >= APART:
            yield start, end
            end = 0
        start = start if end else x
        # A wide character is written as a whole.
        end = x + 2 if x + 1 < len(new) and not new[x + 1] else x + 1
    if end:
        yield start, end


def _cut(strip: Strip, first: int, last: int) -> Strip:
    """Some cells of it. ``Strip.crop`` may lose the accents of the last letter."""
    x = here = 0
    kept: list[Segment] = []
    for text, style, _ in strip:
        some = ""
        for char in text:
            width = 1 if char.isascii() else cell_len(char)
            if width:
                here, x = x, x + width
            if first <= here < last:
                some += char
        if some:
            kept.append(Segment(some, style))
    return Strip(kept, last - first)


def cells(strip: Strip, colours: ColorSystem) -> list[str]:
    """The bytes for each cell."""
    found: list[str] = []
    for text, style, _ in strip:
        for char in text:
            width = 1 if char.isascii() else cell_len(char)
            if width:
                found += (_cell(char, style, colours), "")[:width]
            elif found:
                # An accent belongs to the letter before it.
                found[-1 if found[-1] else -2] += char
    return found


@lru_cache(maxsize=4096)
def _cell(char: str, style: Style | None, colours: ColorSystem) -> str:
    if style is None:
        return char
    lines = style.underline or style.underline2 or style.overline or style.strike or style.reverse
    if char == " " and not lines:
        # Whatever the ink is.
        style = Style(bgcolor=style.bgcolor)
    return Strip.render_style(style, char, colours)
