"""What has happened so far, one sentence after the other, the newest at the end."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static


class History(VerticalScroll, can_focus=False):
    """Sentences that wrap to the width there is; the end stays in sight."""

    DEFAULT_CSS = """
    History { scrollbar-size: 0 0; padding: 0 1; }
    History > Static { width: 1fr; height: auto; }
    """

    def __init__(self) -> None:
        super().__init__(id="history")
        self._text = Static(markup=False)

    def compose(self) -> ComposeResult:
        """The one text inside."""
        yield self._text

    def on_mount(self) -> None:
        """Keep the newest line in sight."""
        self.anchor()

    def show(self, lines: list[Content]) -> None:
        """Show these lines and go to their end."""
        self._text.update(Content("\n").join(lines))
        self.anchor()
