"""The tables near us, live: on the local network and in the lobby of the broker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.widget import Widget

import rules
from tui import boards
from tui.actions import bindings
from tui.screens.frame import Frame
from tui.sitting import Join, Watch
from tui.story.around import MINUTE, age, problem
from tui.text import safe
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.line import Line
from tui.wish import neighbour
from tui.words import N_

if TYPE_CHECKING:
    from tui.near import Near, Nearby

TITLE: Final = 4
SEATS: Final = 30
WHO: Final = 43
WHERE: Final = 20
"""Where the columns begin; the last one, seen from the right."""

FILTERS: Final = ("game", "free")
"""The names of the actions that change what is listed."""


class Tables(Picture, can_focus=True):
    """One line a table, one of them lit; those that are not wanted are left out."""

    DEFAULT_CSS = "Tables { width: 1fr; height: 1fr; }"

    def __init__(self, near: Near) -> None:
        super().__init__(id="tables")
        self.near = near
        self.game = ""
        self.free = False
        self._lit = ""
        """The invitation of the table that is lit: tables come and go around it."""
        self._first = 0

    @property
    def wanted(self) -> tuple[Nearby, ...]:
        """The tables that are listed."""
        return tuple(
            table
            for table in self.near.tables
            if self.game in ("", table.game) and (table.free or not self.free)
        )

    @property
    def lit(self) -> Nearby | None:
        """The table that is lit; the first one if that has gone."""
        tables = self.wanted
        return tables[self._at(tables)] if tables else None

    def _at(self, tables: Sequence[Nearby]) -> int:
        """Which of ``tables`` is lit."""
        told = [table.invitation for table in tables]
        return told.index(self._lit) if self._lit in told else 0

    def move(self, step: int) -> None:
        """Light the table ``step`` lines further down."""
        if tables := self.wanted:
            self._lit = tables[(self._at(tables) + step) % len(tables)].invitation
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """As many tables as there is room for, around the one that is lit."""
        words, tables = self.farfadet.words, self.wanted
        if not tables:
            told = N_("No table yet: one that is opened appears here by itself.")
            if self.game or self.free:
                told = N_("No such table yet. {game} and {free} change what is listed.")
            keys = {name: self.farfadet.keymap.spoken(f"near.{name}", words) for name in FILTERS}
            canvas.put(TITLE, 1, words.say(told, **keys), "dim")
        else:
            at, room = self._at(tables), canvas.height - 2
            self._first = min(max(self._first, at - room + 1), at)
            shown = range(self._first, min(self._first + room, len(tables)))
            for y, number in enumerate(shown, 1):
                self._line(canvas, y, tables[number], number == at)
        if missing := problem(words, self.near.problem):
            canvas.put(TITLE, canvas.height - 1, missing, "warning")

    def _line(self, canvas: Canvas, y: int, table: Nearby, lit: bool) -> None:
        words = self.farfadet.words
        canvas.put(TITLE - 2, y, "▶" if lit else " ", "key")
        canvas.put(TITLE, y, words.say(boards.voice(table.game).TITLE), "name" if lit else "")
        if table.begun:
            canvas.put(SEATS, y, words.say(N_("playing")), "dim")
        else:
            taken = words.say(N_("{n} of {m}"), n=table.taken, m=table.seats)
            canvas.put(SEATS, y, taken, "sealed" if table.free else "dim")
        end = canvas.width - WHERE
        names = ", ".join(safe(name, 16) or "?" for name in table.names)
        canvas.put(WHO, y, words.fold(safe(names, end - WHO - 1)), "key" if lit else "")
        where = words.say(N_("on this network")) if table.lan else age(words, table.since)
        canvas.put(end, y, safe(where, WHERE - 1), "dim")

    def on_click(self, event: events.Click) -> None:
        """Light the table that was clicked; go there if it is lit already."""
        tables, at = self.wanted, self._first + event.y - 1
        if 0 <= at < len(tables):
            again = at == self._at(tables)
            self._lit = tables[at].invitation
            self.redraw()
            if again:
                self.screen.call_later(self.screen.run_action, "enter")


class NearScreen(Frame):
    """See the top of this file."""

    PLACE = "near"
    BINDINGS: ClassVar = bindings("near")
    AUTO_FOCUS = "Tables"

    def __init__(self, near: Near) -> None:
        super().__init__()
        self.near = near
        self.tables = Tables(near)

    @property
    def game(self) -> str:
        """The game of the table that is lit."""
        lit = self.tables.lit
        return super().game if lit is None else lit.game

    def parts(self) -> Iterator[Widget]:
        """The title and the tables."""
        yield Line(id="top")
        yield Line(id="banner")
        yield self.tables

    def on_mount(self) -> None:
        """Listen; ages grow by themselves."""
        super().on_mount()
        self.near.listen(self._changed)
        self.set_interval(MINUTE / 2, self._changed)

    def _changed(self) -> None:
        if self.is_attached:
            self.call_later(self.relabel)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        words, tables = self.words, self.tables
        say = words.say
        game = say(boards.voice(tables.game).TITLE) if tables.game else say(N_("all games"))
        seats = say(N_("with a free seat")) if tables.free else say(N_("full ones too"))
        title = say(N_("Tables near you"))
        self.query_one("#top", Line).show(((title, "title"),), ((f"{game} · {seats}", "event"),))
        self.query_one("#banner", Line).show((), (), "─")
        tables.redraw()

    def refocus(self) -> None:
        """Keys go to the tables."""
        self.tables.focus()

    def action_up(self) -> None:
        """The table above."""
        self.tables.move(-1)

    def action_down(self) -> None:
        """The table below."""
        self.tables.move(1)

    def action_game(self) -> None:
        """The next game only; after the last one, all."""
        self.tables.game = neighbour(("", *rules.names()), self.tables.game, 1)
        self.relabel()

    def action_free(self) -> None:
        """Only tables with a free seat, or all."""
        self.tables.free = not self.tables.free
        self.relabel()

    def action_enter(self) -> None:
        """Sit down at the table that is lit; look on if it plays already."""
        lit = self.tables.lit
        if lit is not None:
            self._go(Watch(lit.invitation) if lit.begun else Join(lit.invitation))

    def action_watch(self) -> None:
        """Look on at the table that is lit."""
        lit = self.tables.lit
        if lit is not None:
            self._go(Watch(lit.invitation))

    def action_quick(self) -> None:
        """Sit down at the first table that has a free seat."""
        free = [table for table in self.tables.wanted if table.free]
        if free:
            self._go(Join(free[0].invitation))
        else:
            self.app.bell()

    def _go(self, start: Join | Watch) -> None:
        self.app.pop_screen()
        self.farfadet.go(start)

    def action_cancel(self) -> None:
        """Back."""
        self.app.pop_screen()
