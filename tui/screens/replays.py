"""The finished games on this machine, the newest first: who played, how it went, and to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from textual import events
from textual.message import Message
from textual.widget import Widget

from net.play.charter import Charter
from net.play.kept import Kept, kept, outcome, terms
from net.play.wire import Refusal
from rules.game import Result, RuleError
from tui import boards
from tui.actions import bindings
from tui.replayed import ReplayError
from tui.screens.frame import Frame
from tui.text import safe
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.line import Line
from tui.words import N_

WHEN: Final = 4
GAME: Final = 17
WHO: Final = 41
HOW: Final = 14
"""Where the columns begin; the last one, seen from the right."""


@dataclass(slots=True)
class Known:
    """What has been read of a file: ``charter`` (``None``: it is damaged) and ``result``."""

    charter: Charter | None
    result: Result | None = None
    looked: bool = False
    """Whether the result has been looked for."""


class Games(Picture, can_focus=True):
    """One line a game, one of them lit. Of a file nothing is read before its line is shown."""

    DEFAULT_CSS = "Games { width: 1fr; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__(id="games")
        self.games: list[Kept] = []
        self.at = 0
        self.problem: Callable[[], str] | None = None
        self._known: dict[Path, Known] = {}
        self._first = 0

    @property
    def lit(self) -> Kept | None:
        """The game that is lit."""
        return self.games[self.at] if self.games else None

    @property
    def room(self) -> int:
        """How many lines there are for games."""
        return max(1, self.size.height - 3)

    @property
    def shown(self) -> list[Kept]:
        """The games that have a line."""
        return self.games[self._first : self._first + self.room]

    def known(self, game: Kept) -> Known:
        """What is known of a game; its beginning is read now if it was not."""
        if game.path not in self._known:
            try:
                self._known[game.path] = Known(terms(game.path))
            except (OSError, Refusal, RuleError):
                self._known[game.path] = Known(None, looked=True)
        return self._known[game.path]

    def move(self, step: int) -> None:
        """Light the line ``step`` further down, but none beyond the ends."""
        self.at = max(0, min(self.at + step, len(self.games) - 1))
        self.problem = None
        self._first = min(max(self._first, self.at - self.room + 1), self.at)
        self.redraw()

    def drop(self) -> None:
        """The game that is lit is there no more."""
        del self.games[self.at]
        self.move(0)

    def paint(self, canvas: Canvas) -> None:
        """A heading, as many games as there is room for, and what went wrong."""
        say, end = self.farfadet.words.say, canvas.width - HOW
        if not self.games:
            told = N_("No game has been saved yet: each is when it ends.")
            canvas.put(WHEN, 1, say(told), "dim")
        else:
            headings = (
                (WHEN, N_("when")),
                (GAME, N_("game")),
                (WHO, N_("with")),
                (end, N_("rank")),
            )
            for x, heading in headings:
                canvas.put(x, 0, say(heading), "dim")
        for y, game in enumerate(self.shown, 1):
            self._line(canvas, y, game)
        if self.problem is not None:
            canvas.put(WHEN, canvas.height - 1, self.problem(), "warning")

    def _line(self, canvas: Canvas, y: int, game: Kept) -> None:
        words, known, lit = self.farfadet.words, self.known(game), game is self.lit
        charter, end = known.charter, canvas.width - HOW
        canvas.put(WHEN - 2, y, "▶" if lit else " ", "key")
        canvas.put(WHEN, y, _when(game.at), "dim")
        if charter is None:
            canvas.put(GAME, y, words.say(N_("damaged")), "warning")
            canvas.put(WHO, y, words.fold(safe(game.path.name, end - WHO - 1)), "dim")
            return
        canvas.put(GAME, y, words.say(boards.voice(charter.game).TITLE), "name" if lit else "")
        me = self.farfadet.doors.known.me
        others = [chair.name for chair in charter.chairs if chair.identity != me]
        names = ", ".join(safe(name, 11) or "?" for name in others)
        canvas.put(WHO, y, words.fold(safe(names, end - WHO - 1)), "key" if lit else "")
        self._result(canvas, end, y, known, charter)

    def _result(self, canvas: Canvas, x: int, y: int, known: Known, charter: Charter) -> None:
        """Our rank and points; of a game that others played, who has won."""
        words, me = self.farfadet.words, self.farfadet.doors.known.me
        if known.result is None:
            canvas.put(x, y, words.say(N_("unfinished")) if known.looked else "…", "dim")
            return
        scores = known.result.scores
        mine = [score for score in scores if charter.chairs[score.seat].identity == me]
        for score in mine:
            place = words.say(N_("{n} of {m}"), n=score.rank, m=len(scores))
            canvas.put(x, y, place, "sealed" if score.rank == 1 else "")
            canvas.put(x + HOW - 6, y, f"{score.total:>4}", "event")
        if not mine:
            winner = charter.names[known.result.winners[0]]
            canvas.put(x, y, words.fold(safe(winner, HOW - 2)), "dim")

    def on_resize(self) -> None:
        """The one that is lit stays in sight."""
        self.move(0)

    def on_click(self, event: events.Click) -> None:
        """Light the game that was clicked; open it if it is lit already."""
        at = self._first + event.y - 1
        if event.y >= 1 and at < min(len(self.games), self._first + self.room):
            again, before = at == self.at, self.at
            self.move(at - before)
            if again:
                self.screen.call_later(self.screen.run_action, "enter")


class ReplaysScreen(Frame):
    """See the top of this file. How games went is found out in a thread, line by line."""

    PLACE = "replays"
    BINDINGS: ClassVar = bindings("replays")
    AUTO_FOCUS = "Games"

    class Found(Message):
        """It is known how one more game went."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._sure: Kept | None = None
        """The game that was just asked to be deleted."""
        self._folder = folder
        self._closed = False
        self.looking = False
        """Whether it is being found out how games went."""
        self.games = Games()

    @property
    def game(self) -> str:
        """The game that is lit."""
        lit = self.games.lit
        charter = None if lit is None else self.games.known(lit).charter
        return super().game if charter is None else charter.game

    def parts(self) -> Iterator[Widget]:
        """The title and the games."""
        yield Line(id="top")
        yield Line(id="banner")
        yield self.games

    def on_mount(self) -> None:
        """See what there is."""
        try:
            self.games.games = kept(self._folder)
        except OSError as error:
            self.games.problem = self.farfadet.explain(ReplayError("replay-gone", error))

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        count, title = len(self.games.games), self.words.say(N_("Replays"))
        self.query_one("#top", Line).show(((title, "title"),), ((str(count), "event"),))
        self.query_one("#banner", Line).show((), (), "─")
        self.games.redraw()
        self.call_after_refresh(self._find_out)

    def refocus(self) -> None:
        """Keys go to the games."""
        self.games.focus()

    def on_unmount(self) -> None:
        """Nobody wants to know any more."""
        self._closed = True

    # How they went.

    def _find_out(self) -> None:
        if not self.looking and self._missing() is not None:
            self.looking = True
            self.run_worker(self._look, group="look", thread=True, exit_on_error=False)

    def _missing(self) -> Kept | None:
        """The first game on the screen of which it is not known how it went."""
        shown = self.games.shown
        return next((game for game in shown if not self.games.known(game).looked), None)

    def _look(self) -> None:
        """In a thread: one after the other."""
        while not self._closed and (game := self._missing()) is not None:
            known = self.games.known(game)
            try:
                known.result = outcome(game.path.read_bytes())
            except OSError:
                known.charter = None
            known.looked = True
            self.post_message(self.Found())
        self.looking = False
        self.post_message(self.Found())

    def on_replays_screen_found(self) -> None:
        """Show it; there may be other games on the screen by now."""
        self.games.redraw()
        self._find_out()

    # What the keys do.

    def _move(self, step: int) -> None:
        self._sure = None
        self.games.move(step)
        self._find_out()

    def action_up(self) -> None:
        """The game above."""
        self._move(-1)

    def action_down(self) -> None:
        """The game below."""
        self._move(1)

    def action_page_up(self) -> None:
        """A page up."""
        self._move(-self.games.room)

    def action_page_down(self) -> None:
        """A page down."""
        self._move(self.games.room)

    def action_enter(self) -> None:
        """Go through the game that is lit."""
        lit, self._sure = self.games.lit, None
        if lit is not None:
            try:
                self.farfadet.replay(lit.path)
            except ReplayError as error:
                self.games.problem = self.farfadet.explain(error)
                self.games.redraw()

    def action_delete(self) -> None:
        """Delete the game that is lit, when asked twice."""
        lit = self.games.lit
        if lit is None:
            return
        if self._sure is not lit:
            self._sure = lit
            self.games.problem = lambda: self.words.say(
                N_("Delete this game? It is lost for good. {key} again deletes it."),
                key=self.farfadet.keymap.spoken("replays.delete", self.words),
            )
            self.games.redraw()
            return
        self._sure = None
        try:
            lit.path.unlink(missing_ok=True)
        except OSError as error:
            self.games.problem = self.farfadet.explain(ReplayError("replay-kept", error))
            self.games.redraw()
        else:
            self.games.drop()
            self.relabel()

    def action_cancel(self) -> None:
        """Back."""
        self.app.pop_screen()


def _when(at: float) -> str:
    """The day and the time; of another year, the day."""
    then, now = time.localtime(at), time.localtime()
    return time.strftime("%m-%d %H:%M" if then.tm_year == now.tm_year else "%Y-%m-%d", then)
