"""A value that can be changed with the arrows."""

from __future__ import annotations

from tui.widgets.canvas import Canvas


def paint_choice(canvas: Canvas, x: int, y: int, value: str, lit: bool) -> None:
    """Draw ``value`` at column ``x``; if it is ``lit``, between two arrows outside of it."""
    canvas.put(x - 2, y, "◀" if lit else " ", "key")
    end = canvas.put(x, y, value, "key" if lit else "")
    canvas.put(end + 1, y, "▶" if lit else " ", "key")
