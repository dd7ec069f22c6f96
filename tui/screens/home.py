"""The first screen: play at once, host, join. A game against bots is one key away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.widget import Widget

from tui.actions import bindings
from tui.screens.frame import Frame
from tui.sitting import Replay, Resume
from tui.story.around import played
from tui.text import safe, wrap
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.choice import paint_choice
from tui.wish import LABELS, Wish
from tui.words import N_

if TYPE_CHECKING:
    from net.play.resume import Saved
    from tui.near import Near

ROWS: Final[tuple[tuple[str, str], ...]] = (
    ("play", N_("Play now")),
    ("host", N_("Host a table")),
    ("near", N_("Tables near you")),
    ("join", N_("Join with an invitation")),
    *LABELS.items(),
    ("replays", N_("Replays")),
    ("rules", N_("Rules")),
    ("settings", N_("Settings")),
    ("quit", N_("Quit")),
)
"""What can be done and what can be set, by id."""

BACK: Final = ("back", N_("Back to my table"))
"""The row that is there if a game was left or lost."""

DOORS: Final = {"back", "play", "host", "near", "join", "replays", "rules", "settings"}

_GAPS: Final = ("game", "replays")
"""An empty line comes before these, where there is room."""

TOLD: Final = 2
"""Lines of what is going on, or went wrong."""
WIDTH: Final = 64
"""Cells that the rows and their values take."""
VALUE: Final = 27
"""Where values start, from the start of the rows."""


class Menu(Picture, can_focus=True):
    """The rows, one of them lit, and what is chosen in them."""

    DEFAULT_CSS = "Menu { width: 1fr; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__(id="menu")
        self.at = 0
        self.saved: Saved | None = None
        self.near: Near | None = None
        self.sure = False
        self.wish = Wish()
        self.busy = False
        self.problem: Callable[[], str] | None = None
        self._lines: dict[int, int] = {}

    @property
    def row(self) -> str:
        """The id of the row that is lit."""
        return self.rows[self.at][0]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """What can be done and what can be set, by id; going back first, if there is a table."""
        return ROWS if self.saved is None else (BACK, *ROWS)

    def look(self) -> None:
        """See whether there is a table to go back to, and offer it first."""
        before = self.saved is not None
        self.saved = next(iter(self.farfadet.doors.saved()), None)
        if (self.saved is not None) is not before:
            self.at = 0
        self.redraw()

    def move(self, step: int) -> None:
        """Light the row ``step`` lines further down."""
        if self.sure:
            self.sure, self.problem = False, None
        self.at = (self.at + step) % len(self.rows)
        self.redraw()

    def change(self, step: int) -> None:
        """Take the next or the previous value of the row that is lit, if it has any."""
        self.wish.change(self.row, step)
        self.redraw()

    def forget(self) -> None:
        """Give the saved table up, when asked twice."""
        table = self.saved
        if table is None or self.row != "back":
            return
        if not self.sure:
            self.sure = True
            self.problem = lambda: self.farfadet.words.say(
                N_("Forget this table? Your seat there is lost for good. {key} again forgets it."),
                key=self.farfadet.keymap.spoken("home.forget", self.farfadet.words),
            )
            self.redraw()
            return
        self.sure, self.problem = False, None
        try:
            self.farfadet.doors.forget(table)
        except Exception as error:
            self.problem = self.farfadet.explain(error)
        self.look()

    def paint(self, canvas: Canvas) -> None:
        """A mushroom, the name, the rows, and what is going on."""
        say = self.farfadet.words.say
        self._lines.clear()
        left = (canvas.width - WIDTH) // 2
        y = max(0, (canvas.height - 23) // 4)
        _mushroom(canvas, left, y)
        canvas.put(left + 19, y + 2, "farfadet", "title")
        canvas.put(left + 19, y + 3, say(N_("small table games for friends in terminals")), "dim")
        spare = max(0, canvas.height - y - 5 - len(self.rows) - TOLD)
        y += 6 if spare else 5
        for number, (row, label) in enumerate(self.rows):
            y += row in _GAPS[: max(0, spare - 1)]
            lit = number == self.at
            canvas.put(left - 3, y, "▶" if lit else " ", "key")
            canvas.put(left, y, say(label), "name" if lit or row in DOORS else "")
            self._value(canvas, left + VALUE, y, row, lit)
            self._lines[y] = number
            y += 1
        below = min(y + 1, canvas.height - TOLD)
        if self.busy:
            canvas.put(left, below, say(N_("One moment…")), "dim")
        elif self.problem is not None:
            for number, line in enumerate(wrap(self.problem(), WIDTH)):
                canvas.put(left, below + number, line, "warning")

    def _value(self, canvas: Canvas, x: int, y: int, row: str, lit: bool) -> None:
        value = self._said(row)
        if row in DOORS:
            short = safe(value, canvas.width - x - 1)
            canvas.put(x, y, self.farfadet.words.fold(short), "dim")
        elif value:
            paint_choice(canvas, x, y, value, lit)

    def _said(self, row: str) -> str:
        words, wish = self.farfadet.words, self.wish
        match row:
            case "back" if self.saved is not None:
                return self._friends(self.saved)
            case "play":
                title = wish.said("game", words)
                return words.say(N_("{game}, {n} players"), game=title, n=wish.seats)
            case "host":
                return words.say(N_("for friends with an invitation"))
            case "near":
                return self._nearby()
            case "replays":
                return words.say(N_("finished games, step by step"))
            case "rules":
                return words.say(N_("of all games, with pictures"))
            case "settings":
                return words.say(N_("name, language, colours, mouse…"))
        return wish.said(row, words)

    def _nearby(self) -> str:
        """How many tables there are, and whose the first one is."""
        words = self.farfadet.words
        tables = () if self.near is None else self.near.tables
        if self.near is not None and not self.near.looks:
            return words.say(N_("not looked for"))
        if not tables:
            return words.say(N_("none yet"))
        return f"{len(tables)} · {played(words, tables[0].game, tables[0].names)}"

    def _friends(self, table: Saved) -> str:
        """The game, and with whom."""
        charter = table.charter
        me = table.ticket.seat
        others = [name for seat, name in enumerate(charter.names) if seat != me]
        return played(self.farfadet.words, charter.game, others)

    def on_click(self, event: events.Click) -> None:
        """Light the row that was clicked; do it, or take its next value."""
        if event.y in self._lines:
            self.at = self._lines[event.y]
            self.redraw()
            self.screen.call_later(self.screen.run_action, "enter")


class HomeScreen(Frame):
    """See the top of this file."""

    PLACE = "home"
    BINDINGS: ClassVar = bindings("home")
    AUTO_FOCUS = "Menu"

    def __init__(self) -> None:
        super().__init__()
        self.menu = Menu()

    @property
    def game(self) -> str:
        """The game that is picked."""
        return self.menu.wish.game

    def parts(self) -> Iterator[Widget]:
        """The menu."""
        yield self.menu

    def on_mount(self) -> None:
        """Look for tables near us, when all this is on the screen."""
        super().on_mount()
        self.call_after_refresh(self.run_worker, self._look_around, exit_on_error=False)

    async def _look_around(self) -> None:
        self.menu.near = await self.farfadet.doors.near()
        self.menu.near.listen(self.menu.redraw)
        self.menu.redraw()

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        self.menu.look()

    def refocus(self) -> None:
        """Keys go to the menu."""
        self.menu.focus()

    def tell(self, busy: bool, problem: Callable[[], str] | None) -> None:
        """Say that we are on our way, or what went wrong."""
        self.menu.busy, self.menu.problem = busy, problem
        if self.menu.is_attached:
            self.menu.look()

    def action_up(self) -> None:
        """The row above."""
        self.menu.move(-1)

    def action_down(self) -> None:
        """The row below."""
        self.menu.move(1)

    def action_less(self) -> None:
        """The value before."""
        self.menu.change(-1)

    def action_more(self) -> None:
        """The next value."""
        self.menu.change(1)

    def action_forget(self) -> None:
        """Give up the table one could go back to."""
        self.menu.forget()

    def action_enter(self) -> None:
        """Do what is lit."""
        menu = self.menu
        match menu.row:
            case "back":
                self.farfadet.go(Resume())
            case "play":
                self.farfadet.go(menu.wish.play)
            case "host":
                self.farfadet.go(menu.wish.host)
            case "near" if menu.near is not None:
                from tui.screens.near import NearScreen

                self.app.push_screen(NearScreen(menu.near))
            case "join":
                from tui.screens.join import JoinScreen

                self.app.push_screen(JoinScreen())
            case "replays":
                self.farfadet.go(Replay())
            case "rules":
                self.farfadet.action_rules()
            case "settings":
                self.farfadet.action_settings()
            case "quit":
                self.app.exit()
            case _:
                menu.change(1)

    def action_quit(self) -> None:
        """Leave the app."""
        self.app.exit()


def _mushroom(canvas: Canvas, x: int, y: int) -> None:
    """The house's mushroom."""
    canvas.put(x + 3, y, "▄▄▄▄▄▄▄", "cap")
    canvas.put(x + 1, y + 1, "▄█████████▄", "cap")
    canvas.put(x, y + 2, "█████████████", "cap")
    for spot, row in ((x + 4, 1), (x + 8, 1), (x + 2, 2), (x + 6, 2), (x + 10, 2)):
        canvas.put(spot, y + row, "●", "cap-dots")
    canvas.put(x, y + 3, "▀▀▀▀▀▀▀▀▀▀▀▀▀", "cap")
    canvas.put(x + 5, y + 3, "▀▀▀", "cap-stem")
    canvas.put(x + 4, y + 4, "▐███▌", "stem")
