"""The trail of Gobelin des bois as a picture: two ends, the cards between, the card that comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual.geometry import Region

from rules.gobelin.pieces import Card, Laid, Play
from rules.gobelin.trail import LEFT, squares
from tui.boards.gobelin_terms import SQUARE, letter, mini, square
from tui.widgets.canvas import Canvas
from tui.words import Pieces, Words

CARD: Final = 2 * SQUARE + 3
"""Cells of a card with its frame."""
SIDE: Final = 2 * SQUARE + 8
"""Cells of an end: the place of the next square, the live square, a narrow second square."""
PITCH: Final = 4
"""Cells from one small card to the next."""
HIDDEN: Final[Pieces] = ((f" {'▒' * (SQUARE - 2)} ", "dim"),)

_LIVE: Final = "╔═╗║╚╝"
_PLAIN: Final = "┌─┐│└┘"


@dataclass(frozen=True, slots=True)
class Coming:
    """A card that may cover an end, or is about to; ``None`` while nobody may see its face."""

    card: Card | None
    play: Play


def paint_card(canvas: Canvas, x: int, y: int, words: Words, card: Card | None) -> None:
    """A whole card in three lines, ``CARD`` cells wide."""
    for number in (0, 1):
        left = x + number * (SQUARE + 1)
        _frame(canvas, left, y, 3, SQUARE + 2, _PLAIN, "dim")
        tile = HIDDEN if card is None else square(words, card.squares[number])
        canvas.pieces(left + 1, y + 1, tile)
    canvas.put(x + SQUARE + 1, y, "┬", "dim")
    canvas.put(x + SQUARE + 1, y + 2, "┴", "dim")


def paint_trail(
    canvas: Canvas,
    y: int,
    height: int,
    words: Words,
    cards: Sequence[Card],
    trail: Sequence[Laid],
    coming: Coming | None,
) -> tuple[int, int]:
    """The trail in ``height`` lines (odd) from ``y`` on; the columns to name its ends in."""
    width = canvas.width
    lefts = [1 + SQUARE + 1, width - 2 - 2 * (SQUARE + 1)]
    if len(trail) == 1:
        lefts = [width // 2 - SQUARE - 1, width // 2]
    for end, laid in enumerate((trail[0], trail[-1])):
        live = squares(cards, laid)[end]
        outer = lefts[end] + (SQUARE + 1) * (-1 if end == LEFT else 1)
        _frame(canvas, outer, y, height, SQUARE + 2, _PLAIN, "rule", dashed=True)
        if len(trail) > 1:
            inner = lefts[end] + (SQUARE + 1 if end == LEFT else -4)
            _frame(canvas, inner, y, height, 5, _PLAIN, "dim")
            ((name, style),) = letter(words, squares(cards, laid)[1 - end].colour)
            _tile(canvas, inner + 1, y, height, ((f" {name} ", style),))
        tile = square(words, live)
        if coming is not None and coming.play.end == end:
            tile, beyond = _halves(words, coming)
            _tile(canvas, outer + 1, y, height, beyond)
        _frame(canvas, lefts[end], y, height, SQUARE + 2, _LIVE, "lit")
        _tile(canvas, lefts[end] + 1, y, height, tile)
    if len(trail) == 1:
        canvas.put(width // 2, y, "╦", "lit")
        canvas.put(width // 2, y + height - 1, "╩", "lit")
    _between(canvas, y, height, [mini_laid(words, cards, laid) for laid in trail[1:-1]])
    apart = 3 if len(trail) == 1 else 0
    return lefts[0] + SQUARE // 2 + 1 - apart, lefts[1] + SQUARE // 2 + 1 + apart


def paint_back(
    canvas: Canvas, place: Region, face: Pieces | None, private: bool, lit: bool
) -> None:
    """A small card after a blank for its key: its back, or its ``face``, pale if ``private``.

    Where there is no room for three cells, a face is only its gold.
    """
    width = 3 if place.width > PITCH else 1
    for line in range(place.height):
        x, y = place.x + 1, place.y + line
        if face is None:
            canvas.fill(x, y, width, "▒", "lit" if lit else "dim")
            continue
        for part, style in face[-width:]:
            own = "lit" if lit else "dim" if private else style
            x = canvas.put(x, y, part if line == 0 else " ", own)


def mini_laid(words: Words, cards: Sequence[Card], laid: Laid) -> Pieces:
    """A card of the trail in three cells, as it lies."""
    return mini(words, Card(cards[laid.face].gold, squares(cards, laid)))


def _between(canvas: Canvas, y: int, height: int, small: Sequence[Pieces]) -> None:
    """The cards between the ends, in as few lines as they need; some are left out if they must."""
    start, room = 1 + SIDE, canvas.width - 2 * (1 + SIDE)
    columns = (room + 1) // PITCH
    if len(small) > columns * height:
        kept = columns * height - 1
        number = f"+{len(small) - kept}"
        small = [*small[: kept // 2], ((f"{number:<3}", "dim"),), *small[kept // 2 - kept :]]
    lines = -(-len(small) // columns)
    first, step = (height - lines) // 2, 1
    if height == 3 and lines < 3:
        # Aiming changes the middle line: the less there is in it, the less goes to the terminal.
        first, step = 0, 2
    for line in range(lines):
        row = small[line * columns : (line + 1) * columns]
        x = start + (room - PITCH * len(row) + 1) // 2
        for at, pieces in enumerate(row):
            canvas.pieces(x + at * PITCH, y + first + line * step, pieces)


def _halves(words: Words, coming: Coming) -> tuple[Pieces, Pieces]:
    if coming.card is None:
        return HIDDEN, HIDDEN
    halves = coming.card.squares
    return square(words, halves[coming.play.half]), square(words, halves[1 - coming.play.half])


def _tile(canvas: Canvas, x: int, y: int, height: int, pieces: Pieces) -> None:
    """The inside of a frame: the pieces in its middle line, their ground in the others."""
    ((text, style),) = pieces
    for line in range(1, height - 1):
        canvas.fill(x, y + line, len(text), " ", style)
    canvas.pieces(x, y + height // 2, pieces)


def _frame(
    canvas: Canvas,
    x: int,
    y: int,
    height: int,
    width: int,
    lines: str,
    style: str,
    dashed: bool = False,
) -> None:
    across = lines[1] * (width - 2)
    if dashed:
        across = "─ " * width
    across = across[: width - 2]
    canvas.put(x, y, lines[0] + across + lines[2], style)
    for line in range(1, height - 1):
        canvas.put(x, y + line, lines[3], style)
        canvas.put(x + width - 1, y + line, lines[3], style)
    canvas.put(x, y + height - 1, lines[4] + across + lines[5], style)
