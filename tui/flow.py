"""Text that flows: pieces broken into lines, columns beside each other, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from tui.words import Piece, Pieces, text

GAP: Final = 2
"""Cells between the columns of a table; one, where there is no room for more."""


def cells(pieces: Pieces) -> int:
    """How wide the pieces are."""
    return cell_len(text(pieces))


def wrap(pieces: Pieces, width: int, first: Pieces = (), hang: int = 0) -> list[Pieces]:
    """The pieces in lines of at most ``width`` cells, broken at blanks.

    ``first`` stands before the first line, ``hang`` blanks before the others. A word that is too
    long for a line is cut into pieces.
    """
    rest: Pieces = ((" " * hang, ""),) if hang else ()
    lines, line, room, blank = list[Pieces](), list[Piece](first), width - cells(first), ""
    started = False
    for word in _words(pieces, max(1, width - hang)):
        size = cells(word)
        if started and size + len(blank) > room:
            lines.append(tuple(line))
            line, room, blank, started = list(rest), width - hang, "", False
        if blank and started:
            line.append((blank, word[0][1] if word[0][1] == line[-1][1] else ""))
            room -= 1
        line += word
        room -= size
        blank, started = " ", True
    return [*lines, tuple(line)]


def _words(pieces: Pieces, width: int) -> Iterator[Pieces]:
    """What stands between blanks; what is longer than ``width`` in several parts."""
    word, size = list[Piece](), 0
    for part, style in pieces:
        for number, run in enumerate(part.split(" ")):
            if number and word:
                yield tuple(word)
                word, size = [], 0
            for char in run:
                if size + cell_len(char) > width:
                    yield tuple(word)
                    word, size = [], 0
                if word and word[-1][1] == style:
                    word[-1] = (word[-1][0] + char, style)
                else:
                    word.append((char, style))
                size += cell_len(char)
    if word:
        yield tuple(word)


def padded(pieces: Pieces, width: int) -> Pieces:
    """The pieces with blanks up to ``width`` cells."""
    return (*pieces, (" " * max(0, width - cells(pieces)), ""))


def beside(left: Sequence[Pieces], right: Sequence[Pieces], width: int) -> list[Pieces]:
    """Two columns; the left one takes ``width`` cells, the gap included."""
    return [(*padded(one, width), *other) for one, other in zip_longest(left, right, fillvalue=())]


def table(rows: Sequence[Sequence[Pieces]], width: int) -> list[Pieces]:
    """Rows of cells in at most ``width`` cells, the first row as their heading.

    Columns are as wide as they like to be; where there is too little room, the widest gives way as
    long as its longest word allows.
    """
    columns = list(zip(*rows, strict=True))
    sizes = [max(map(cells, column)) for column in columns]
    least = [max(_longest(cell) for cell in column) for column in columns]
    gap = GAP if sum(least) + GAP * (len(columns) - 1) <= width else 1
    room = width - gap * (len(columns) - 1)
    while sum(sizes) > room:
        spare = [size if size > low else 0 for size, low in zip(sizes, least, strict=True)]
        if not any(spare):
            break
        sizes[spare.index(max(spare))] -= 1
    lines = list[Pieces]()
    tall = any(
        cells(cell) > size for row in rows[1:] for cell, size in zip(row, sizes, strict=True)
    )
    for number, row in enumerate(rows):
        wrapped = [wrap(cell, size) for cell, size in zip(row, sizes, strict=True)]
        for parts in zip_longest(*wrapped, fillvalue=()):
            line: Pieces = ()
            for part, size in zip(parts, sizes, strict=True):
                line = (*line, *padded(part, size), (" " * gap, ""))
            lines.append(line)
        if number == 0:
            rules = " ".join("─" * (size + gap - 1) for size in sizes)
            lines.append(((rules[: sum(sizes) + gap * (len(sizes) - 1)], "rule"),))
        elif tall and number < len(rows) - 1:
            lines.append(())
    return lines


def _longest(pieces: Pieces) -> int:
    return max((cells(word) for word in _words(pieces, 999)), default=1)
