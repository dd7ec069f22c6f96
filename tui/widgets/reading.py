"""Something to read that is longer than the screen: lines laid out for its width, moved through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual import events
from textual.message import Message

from tui.widgets.canvas import Canvas, Picture
from tui.words import Pieces

WHEEL: Final = 3
"""Lines that one notch of the wheel moves."""


class Reading(Picture):
    """``layout`` gives the lines for a width in cells; it is asked again when that changes."""

    DEFAULT_CSS = "Reading { width: 1fr; height: 1fr; }"

    class Moved(Message):
        """Another part is in sight, or there is another text."""

    def __init__(self, layout: Callable[[int], list[Pieces]]) -> None:
        super().__init__(id="reading")
        self._layout = layout
        self.lines: list[Pieces] = []
        """All that there is to read."""
        self.top = 0
        """The first line in sight."""

    @property
    def last(self) -> int:
        """The first line in sight where the end is reached."""
        return max(0, len(self.lines) - self.size.height)

    @property
    def where(self) -> str:
        """What is in sight, and of how much: ``1-20 / 64``."""
        end = min(self.top + self.size.height, len(self.lines))
        return f"{self.top + 1}-{end} / {len(self.lines)}"

    def refill(self) -> None:
        """Lay everything out again."""
        if self.size.width:
            self.lines = self._layout(self.size.width)
            self.go(self.top)

    def on_resize(self) -> None:
        """The lines are of another width now."""
        self.refill()

    def go(self, top: int) -> None:
        """Bring line ``top`` to the top, as far as the end allows."""
        self.top = max(0, min(top, self.last))
        self.redraw()
        self.post_message(self.Moved())

    def page(self, step: int) -> None:
        """A page on, or back; one line of the last one stays."""
        self.go(self.top + step * (self.size.height - 1))

    def paint(self, canvas: Canvas) -> None:
        """The lines in sight."""
        for y, line in enumerate(self.lines[self.top : self.top + canvas.height]):
            canvas.pieces(0, y, line)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Towards the end."""
        event.stop()
        self.go(self.top + WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Towards the top."""
        event.stop()
        self.go(self.top - WHEEL)
