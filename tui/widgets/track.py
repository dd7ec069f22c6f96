"""How far one has come in something that one goes through: in words, and as a bar to click on."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.message import Message

from tui.widgets.canvas import Canvas, Picture
from tui.words import Pieces, text

SHORTEST = 9
"""Fewest cells of a bar."""


class Track(Picture):
    """One line: what is said about the place, then the bar if there is room."""

    DEFAULT_CSS = "Track { height: 1; background: $surface; }"

    @dataclass
    class Reached(Message):
        """Somebody wants to be at ``share`` of the way, from 0 to 1."""

        share: float

    def __init__(self) -> None:
        super().__init__(id="track")
        self._said: Pieces = ()
        self._share = 0.0
        self._bar = range(0)

    def show(self, said: Pieces, share: float) -> None:
        """Say this, at ``share`` of the way."""
        self._said, self._share = said, share
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """Draw the line."""
        canvas.pieces(1, 0, self._said)
        start = cell_len(text(self._said)) + 3
        self._bar = range(start, canvas.width - 1)
        if len(self._bar) < SHORTEST:
            self._bar = range(0)
            return
        here = start + round(self._share * (len(self._bar) - 1))
        canvas.fill(start, 0, here - start, "━", "lit")
        canvas.put(here, 0, "●", "key")
        canvas.fill(here + 1, 0, self._bar.stop - here - 1, "─", "rule")

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        if event.x in self._bar:
            share = self._bar.index(event.x) / (len(self._bar) - 1)
            self.post_message(self.Reached(share))
