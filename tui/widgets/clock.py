"""The time that is left: a widget of its own, so that a second costs its few cells and no more."""

from __future__ import annotations

from rich.cells import cell_len

from tui.widgets.canvas import Canvas, Picture
from tui.words import Pieces, text


class Clock(Picture):
    """As wide as what it says, if it says anything."""

    DEFAULT_CSS = "Clock { width: auto; height: 1; }"

    said: Pieces = ()

    def show(self, said: Pieces) -> None:
        """Show this."""
        if said != self.said:
            before, self.said = self._width(), said
            if before != self._width():
                self.refresh(layout=True)
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """Draw it from the left."""
        canvas.pieces(0, 0, self.said)

    def get_content_width(self, container: object, viewport: object) -> int:
        """The cells of what is said."""
        return self._width()

    def _width(self) -> int:
        return cell_len(text(self.said))
