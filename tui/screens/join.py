"""Where an invitation is pasted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.widget import Widget
from textual.widgets import Input, Static

from tui.actions import bindings
from tui.screens.frame import Frame
from tui.sitting import Join
from tui.style import content
from tui.widgets.field import Field
from tui.words import N_


class JoinScreen(Frame):
    """One line to fill; Enter goes to the table."""

    PLACE = "join"
    BINDINGS: ClassVar = bindings("join")
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    JoinScreen #ask { margin: 8 6 1 6; height: auto; }
    JoinScreen Input { margin: 0 5; }
    """

    def parts(self) -> Iterator[Widget]:
        """The question and the line."""
        yield Static(id="ask", markup=False)
        yield Field(id="invitation")

    def relabel(self) -> None:
        """The question."""
        super().relabel()
        asked = self.words.say(
            N_("Paste the invitation that a friend has sent you, or write its words; then Enter.")
        )
        self.query_one("#ask", Static).update(content(((asked, "title"),)))

    def refocus(self) -> None:
        """Keys go to the line."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go, if anything was written."""
        invitation = event.value.strip()
        if invitation:
            self.app.pop_screen()
            self.farfadet.go(Join(invitation))

    async def action_enter(self) -> None:
        """Take what is written, as Enter does."""
        await self.query_one(Input).action_submit()

    def action_cancel(self) -> None:
        """Back."""
        self.app.pop_screen()
