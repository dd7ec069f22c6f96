"""Updates of the screen that write to the terminal what has changed, and nothing else.

Textual writes a widget's whole lines when one cell of it has changed, and the whole screen when a
widget has come or gone. This leans on what Textual keeps to itself: it is pinned, and the tests
that read what is written (``tests/tui/test_budgets.py``, ``test_hostile.py``) fail if it no longer
fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from textual import _compositor
from textual.geometry import Size
from textual.strip import Strip

from tui.glass import Glass, Piece
from tui.terminal import terminal

if TYPE_CHECKING:
    from textual.screen import Screen


class Changes(_compositor.CompositorUpdate):
    """What is written of an update of Textual's to a terminal that shows what ``glass`` says."""

    def __init__(self, glass: Glass, size: Size, pieces: Sequence[Piece]) -> None:
        self._glass, self._size, self._pieces = glass, size, pieces

    def render_segments(self, console: Console) -> str:
        """As bytes for the terminal."""
        return self._glass.show(self._size, self._pieces, console)


class Compositor(_compositor.Compositor):
    """Textual's own, but that it writes no more than what has changed."""

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        self._screen = screen

    def render_update(  # type: ignore[override]
        self,
        full: bool = False,
        screen_stack: list[Screen[None]] | None = None,
        simplify: bool = False,
    ) -> RenderableType | _compositor.CompositorUpdate | None:
        """What has changed since the last update; ``None`` if nothing has."""
        update = super().render_update(full, screen_stack, simplify)
        to = terminal(self._screen.app)
        if to is None or full:
            # For a picture of the screen.
            return update
        match update:
            case _compositor.LayoutUpdate():
                pieces = [(0, y, Strip.join(line)) for y, line in enumerate(update.strips)]
            case _compositor.ChopsUpdate():
                # Whole parts of lines: what is the same is not written.
                pieces = [
                    (x, y, strip)
                    for y in {y for y, _, _ in update.spans}
                    for x, strip in update.chops[y].items()
                    if strip is not None
                ]
            case _:
                return update
        return Changes(to.glass, self.size, pieces)
