"""One line of styled text; what is too long is cut, never wrapped."""

from __future__ import annotations

from rich.cells import cell_len

from tui.widgets.canvas import Canvas, Picture
from tui.words import Pieces, text


class Line(Picture):
    """A line with something at its left and something at its right end; the right end wins."""

    DEFAULT_CSS = "Line { height: 1; }"

    left: Pieces = ()
    right: Pieces = ()
    ground: str = " "

    def show(self, left: Pieces, right: Pieces = (), ground: str = " ") -> None:
        """Show these; ``ground`` fills what they leave free."""
        if (left, right, ground) != (self.left, self.right, self.ground):
            self.left, self.right, self.ground = left, right, ground
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """Draw the line."""
        canvas.fill(0, 0, canvas.width, self.ground, "rule")
        canvas.pieces(1 if self.left else 0, 0, self.left)
        if self.right:
            start = canvas.width - cell_len(text(self.right)) - 1
            canvas.fill(start - 1, 0, canvas.width - start + 1, " ")
            canvas.pieces(start, 0, self.right)
