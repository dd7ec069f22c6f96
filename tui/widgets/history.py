"""What has happened so far, one sentence after the other, the newest at the end."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.style import STYLES, content
from tui.words import Pieces

INDENT = 4
"""Cells before a sentence, for its turn; wrapped lines keep them free."""


class History(VerticalScroll, can_focus=False):
    """Sentences that wrap to the width there is; the end stays in sight."""

    DEFAULT_CSS = """
    History { scrollbar-size: 0 0; padding: 0 1; }
    History > Static { width: 1fr; height: auto; }
    """

    def __init__(self, id: str = "history") -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._text = Static(markup=False)
        self._lines: list[tuple[str, Pieces]] = []

    def compose(self) -> ComposeResult:
        """The one text inside."""
        yield self._text

    def show(self, lines: list[tuple[str, Pieces]]) -> None:
        """Show these lines, each with its mark, and go to their end."""
        self._lines = lines
        self._wrap()

    def on_resize(self) -> None:
        """Wrap again."""
        self._wrap()

    def _wrap(self) -> None:
        width = self.size.width - INDENT
        if width < 1:
            return
        rows: list[Content] = []
        for mark, pieces in self._lines:
            first, *more = content(pieces).wrap(width)
            start = Content.styled(f"{mark:>{INDENT - 2}}  ", STYLES["dim"])
            rows.append(start + first)
            rows += [Content(" " * INDENT) + row for row in more]
        self._text.update(Content("\n").join(rows))
        self.anchor()
