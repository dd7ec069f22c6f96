"""A sheet of character cells, and the widget that shows one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from tui.faults import Sturdy
from tui.style import FLAT, STYLES
from tui.words import Pieces

if TYPE_CHECKING:
    from tui.app import FarfadetApp

Cell: TypeAlias = tuple[str, str]
"""What stands in a cell, and its style. The second cell of a wide character holds ``""``."""

_BLANK: Cell = (" ", "")


class Canvas:
    """Cells to draw on. What falls outside is not drawn; ``fold`` may make text ASCII."""

    def __init__(self, width: int, height: int, fold: Callable[[str], str] = str) -> None:
        self.width = width
        self.height = height
        self._fold = fold
        self.rows: list[list[Cell]] = [[_BLANK] * width for _ in range(height)]
        """What stands where."""

    def put(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write ``text`` from column ``x`` of row ``y`` on; the column after it."""
        for char in self._fold(text):
            cells = cell_len(char)
            if cells == 0:
                self._accent(x - 1, y, char)
            elif 0 <= y < self.height and x >= 0 and x + cells <= self.width:
                self.rows[y][x] = (char, style)
                if cells == 2:
                    self.rows[y][x + 1] = ("", style)
            x += cells
        return x

    def pieces(self, x: int, y: int, pieces: Pieces) -> int:
        """Write pieces one after the other; the column after them."""
        for text, style in pieces:
            x = self.put(x, y, text, style)
        return x

    def fill(self, x: int, y: int, width: int, char: str, style: str = "") -> None:
        """Repeat ``char`` over ``width`` cells."""
        self.put(x, y, char * width, style)

    def runs(self, y: int) -> Iterator[Cell]:
        """Row ``y`` as stretches of one style. Blanks join the stretch before: fewer bytes."""
        run, style = "", ""
        for text, own in self.rows[y]:
            if own != style and not (text == " " and own in FLAT and style in FLAT):
                if run:
                    yield run, style
                run, style = "", own
            run += text
        yield run, style

    def text(self) -> str:
        """All rows without styles."""
        return "\n".join("".join(text for text, _ in row) for row in self.rows)

    def _accent(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width:
            text, style = self.rows[y][x]
            if not text and x:
                x -= 1
                text, style = self.rows[y][x]
            self.rows[y][x] = (text + mark, style)


class Picture(Sturdy, Widget):
    """A widget that draws all of itself on a canvas."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.canvas = Canvas(0, 0)

    @property
    def farfadet(self) -> FarfadetApp:
        """The app, with its words."""
        from tui.app import FarfadetApp

        app = self.app
        assert isinstance(app, FarfadetApp)
        return app

    def paint(self, canvas: Canvas) -> None:
        """Draw everything as it is now."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Paint again and repaint what differs."""
        new = Canvas(*self.size, self.farfadet.words.fold)
        try:
            if new.width and new.height:
                self.paint(new)
        except Exception as error:
            if not self.farfadet.faults.bear(error):
                raise
            # What was there is more use than half a picture.
            return
        if new.rows != self.canvas.rows:
            self.canvas = new
            self.refresh()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.redraw()

    def render_line(self, y: int) -> Strip:
        """Row ``y`` of the canvas in the theme's colours."""
        base = self.visual_style
        if y >= self.canvas.height:
            return Strip.blank(self.size.width, base.rich_style)
        return Strip(
            [
                Segment(text, (base + Style.parse(STYLES[style])).rich_style)
                for text, style in self.canvas.runs(y)
            ],
            self.canvas.width,
        )
