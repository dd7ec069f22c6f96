"""What is on a screen, as text, and the frames it should equal."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

from rich.cells import cell_len
from textual.app import App

from tui.widgets.canvas import Canvas

GOLDEN = Path(__file__).parent / "golden"
CELL = 12.2
"""Width of a cell in the pictures that Textual exports."""

_TEXT = re.compile(r'<text class="[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')


def frame(app: App[None]) -> str:
    """The visible text, line by line, without what is at the end of lines."""
    rows: dict[float, str] = {}
    found = [(float(y), float(x), text) for x, y, text in _TEXT.findall(app.export_screenshot())]
    for y, x, text in sorted(found):
        row = rows.get(y, "")
        gap = round(x / CELL) - cell_len(row)
        rows[y] = row + " " * gap + unescape(text).replace("\N{NO-BREAK SPACE}", " ")
    return "\n".join(row.rstrip() for row in rows.values()) + "\n"


def touched(before: Canvas, after: Canvas) -> set[tuple[int, int]]:
    """The cells that show something else than before."""
    rows = zip(before.rows, after.rows, strict=True)
    return {
        (x, y)
        for y, row in enumerate(rows)
        for x, (old, new) in enumerate(zip(*row, strict=True))
        if old != new
    }


def compare(name: str, text: str) -> None:
    """``text`` equals the golden frame ``name``; with FARFADET_GOLDEN=write, it becomes it."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("FARFADET_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
