"""Help: what the keys do on the screen one comes from, and how to play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui import boards
from tui.actions import Action, bindings, of
from tui.screens.frame import Frame
from tui.style import content
from tui.widgets.line import Line
from tui.words import N_, Pieces


class HelpScreen(Frame):
    """Over any other screen, in its language."""

    PLACE = "help"
    BINDINGS: ClassVar = bindings("help")
    DEFAULT_CSS = """
    HelpScreen VerticalScroll { height: 1fr; padding: 0 4; scrollbar-size: 0 0; }
    HelpScreen VerticalScroll > Static { width: 1fr; height: auto; max-width: 96; }
    """

    def __init__(self, over: Frame) -> None:
        super().__init__()
        self.over = over

    def parts(self) -> Iterator[Widget]:
        """A title and the text."""
        yield Line(id="top")
        yield Line(id="banner")
        yield VerticalScroll(Static(id="text", markup=False), can_focus=False)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        say = self.words.say
        self.query_one("#top", Line).show(((say(N_("Help")), "title"),))
        self.query_one("#banner", Line).show((), (), "─")
        board = boards.load(self.over.game)
        lines: list[Pieces] = [((say(board.TITLE), "title"),), ()]
        for paragraph in board.RULES:
            lines += [((say(paragraph), ""),), ()]
        lines += [((say(N_("Keys")), "title"),), ()]
        actions = (*board.ACTIONS, *of("game"), *of("talk"))
        if self.over.PLACE != "game":
            lines += [*map(self._key, of(self.over.PLACE)), ()]
            lines += [((say(N_("Keys in the game")), "title"),), ()]
        lines += [self._key(action) for action in (*actions, *of("any"))]
        shown = Content("\n").join([content(line) for line in lines])
        self.query_one("#text", Static).update(shown)

    def _key(self, action: Action) -> Pieces:
        shown = self.words.fold(action.shown)
        return ((f"{shown:<8}", "key"), (self.words.say(action.help), ""))

    def action_close(self) -> None:
        """Back."""
        self.app.pop_screen()

    def action_up(self) -> None:
        """Towards the top."""
        self.query_one(VerticalScroll).scroll_page_up(animate=False)

    def action_down(self) -> None:
        """Towards the end."""
        self.query_one(VerticalScroll).scroll_page_down(animate=False)
