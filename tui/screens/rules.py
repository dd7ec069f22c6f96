"""The rules of each game, as the pages of the docs have them, with their sections beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from textual import events
from textual.containers import Horizontal
from textual.widget import Widget

import rules
from tui import boards, pages
from tui.actions import bindings
from tui.boards.voices import letters
from tui.flow import wrap
from tui.screens.frame import Frame
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.line import Line
from tui.widgets.reading import Reading
from tui.wish import neighbour
from tui.words import Pieces

MARGIN: Final = 2
"""Blanks at the left and at the right of the text."""
WIDEST: Final = 88
"""Cells of a line, at most: longer ones are hard to read."""


class Contents(Picture):
    """The sections of the page, the one in sight lit; a click goes there."""

    DEFAULT_CSS = "Contents { display: none; width: 24; height: 1fr; }"

    def __init__(self, page: RulesScreen) -> None:
        super().__init__(id="contents")
        self._page = page
        self.rows: list[int] = []
        """The section that each line stands for."""

    def paint(self, canvas: Canvas) -> None:
        """The sections one below the other."""
        self.rows = []
        for number, section in enumerate(self._page.page.sections):
            here = number == self._page.section
            canvas.put(1, 1 + len(self.rows), "▸" if here else " ", "key")
            for line in wrap(((section.title, "name" if here else "dim"),), canvas.width - 3):
                canvas.pieces(3, 1 + len(self.rows), line)
                self.rows.append(number)

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        if 0 <= event.y - 1 < len(self.rows):
            self._page.go(self.rows[event.y - 1])


class RulesScreen(Frame):
    """Over any other screen. The next language shows the same section."""

    PLACE = "rules"
    BINDINGS: ClassVar = bindings("rules")
    DEFAULT_CSS = """
    RulesScreen #sheet { height: 1fr; }
    RulesScreen.-wide Contents { display: block; }
    """

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game
        self.page = pages.Page()
        self._shown = game
        """The game whose page is laid out."""

    @property
    def game(self) -> str:
        """The game whose rules are shown."""
        return self._game

    @property
    def reading(self) -> Reading:
        """The text."""
        return self.query_one(Reading)

    @property
    def section(self) -> int:
        """The number of the section at the top; at the end, of the last one."""
        sections, reading = self.page.sections, self.reading
        if reading.top == reading.last > 0:
            return len(sections) - 1
        return max(
            [n for n, section in enumerate(sections) if section.at <= reading.top], default=0
        )

    def parts(self) -> Iterator[Widget]:
        """The title, the sections and the text."""
        yield Line(id="top")
        yield Line(id="banner")
        yield Horizontal(Contents(self), Reading(self._lay_out), id="sheet")

    def relabel(self) -> None:
        """The page, in the present language."""
        super().relabel()
        title = self.words.say(boards.voice(self.game).TITLE)
        self.query_one("#top", Line).show(((title, "title"),), self._games())
        at = self.section if self._shown == self.game else 0
        self.reading.refill()
        self.go(at)

    def _games(self) -> Pieces:
        """The game before and the next one, for the end of the first line."""
        before, after = (
            self.words.say(boards.voice(neighbour(rules.names(), self.game, step)).TITLE)
            for step in (-1, 1)
        )
        return (("◀ ", "key"), (f"{before} · {after}", "dim"), (" ▶", "key"))

    def _lay_out(self, width: int) -> list[Pieces]:
        words, self._shown = self.words, self.game
        tokens = pages.read(self.game, words.language)
        cells = min(width - 2 * MARGIN, WIDEST)
        styles = letters(words, boards.voice(self.game))
        self.page = pages.lay_out(tokens, words, cells, styles)
        return [((" " * MARGIN, ""), *line) for line in self.page.lines]

    def on_reading_moved(self) -> None:
        """Show where we are."""
        where = ((f" {self.reading.where} ", "dim"),)
        self.query_one("#banner", Line).show((), where, "─")
        self.query_one(Contents).redraw()

    def go(self, number: int) -> None:
        """Bring the section with this number to the top."""
        if 0 <= number < len(self.page.sections):
            self.reading.go(self.page.sections[number].at)

    def action_up(self) -> None:
        """A line up."""
        self.reading.go(self.reading.top - 1)

    def action_down(self) -> None:
        """A line down."""
        self.reading.go(self.reading.top + 1)

    def action_back(self) -> None:
        """A page up."""
        self.reading.page(-1)

    def action_on(self) -> None:
        """A page down."""
        self.reading.page(1)

    def action_before(self) -> None:
        """The heading above what is at the top."""
        above = [n for n, s in enumerate(self.page.sections) if s.at < self.reading.top]
        self.go(above[-1] if above else 0)

    def action_after(self) -> None:
        """The next heading below the top."""
        below = [n for n, s in enumerate(self.page.sections) if s.at > self.reading.top]
        self.go(below[0] if below else len(self.page.sections) - 1)

    def action_less(self) -> None:
        """The game before."""
        self._turn(-1)

    def action_more(self) -> None:
        """The next game."""
        self._turn(1)

    def _turn(self, step: int) -> None:
        self._game = neighbour(rules.names(), self._game, step)
        self.relabel()

    def action_close(self) -> None:
        """Back."""
        self.app.pop_screen()
