"""Everything that can be done now on the screen one comes from, to be found by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.widget import Widget
from textual.widgets import Input

from tui.actions import bindings
from tui.screens.choosing import Choosing
from tui.screens.frame import Frame, Overlay
from tui.settings import SETTINGS
from tui.text import plain, safe
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.field import Field
from tui.widgets.line import Line
from tui.words import N_, capital, text

NAME: Final = 4
HELP: Final = 24
"""Where the columns begin."""
SET: Final = frozenset({"language", "theme", "glyphs"})
"""Settings whose values are commands: what one wants to see at once."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something to be done: what it is called, what it does, and the key that does it too."""

    name: str
    help: str
    key: str
    do: Callable[[], object]

    def fits(self, written: str) -> bool:
        """Whether all words that were written are in it; capitals and accents do not matter."""
        said = plain(f"{self.name} {self.help}").casefold()
        return all(part in said for part in plain(written).casefold().split())


def commands(over: Frame) -> Iterator[Command]:
    """What can be done now on a screen: moves of its board, its actions, and what can be set."""
    words, keymap = over.words, over.farfadet.keymap
    if isinstance(over, Choosing):
        yield from _moves(over)
    for action in map(keymap.action, over.actions()):
        everywhere = action.place == "any"
        possible = everywhere or over.check_action(action.name, ())
        if action.command and possible and action.id != "any.palette":
            name = f"app.{action.name}" if everywhere else action.name
            do = partial(over.call_later, over.run_action, name)
            label = words.say(over.label(action))
            yield Command(label, words.say(action.help), words.say(action.shown), do)
    yield from _values(over)


def _moves(over: Choosing) -> Iterator[Command]:
    """What can be aimed at."""
    words, board = over.words, over.board
    for target in board.targets():
        if target.move in board.view.moves:
            said = text(capital(board.voice.describe(target.move)))
            key = board.caps(target.keys[0])
            yield Command(words.say(N_("aim")), said, key, partial(board.aim_at, target.move))


def _values(over: Frame) -> Iterator[Command]:
    """What can be set, one command a value."""
    words, app = over.words, over.farfadet
    for setting in SETTINGS:
        if setting.key in SET:
            for value, label in setting.values.items():
                do = partial(app.put, setting.key, value)
                yield Command(words.say(setting.label), words.say(label), "", do)


class Commands(Picture):
    """The commands that fit what was written, one of them lit."""

    DEFAULT_CSS = "Commands { width: 1fr; height: 1fr; }"

    def __init__(self, over: Frame) -> None:
        super().__init__(id="commands")
        self._over = over
        self._all: list[Command] = []
        self.written = ""
        self._at = 0
        self._first = 0

    @property
    def fitting(self) -> list[Command]:
        """The commands that are listed."""
        return [command for command in self._all if command.fits(self.written)]

    @property
    def lit(self) -> Command | None:
        """The command that is lit."""
        listed = self.fitting
        return listed[self._at] if listed else None

    def refill(self) -> None:
        """Ask again what can be done."""
        self._all = list(commands(self._over))
        self.redraw()

    def write(self, written: str) -> None:
        """List what fits, the first one lit."""
        self.written, self._at, self._first = written, 0, 0
        self.redraw()

    def move(self, step: int) -> None:
        """Light the command ``step`` lines further down."""
        if listed := self.fitting:
            self._at = (self._at + step) % len(listed)
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """As many as there is room for, around the one that is lit."""
        listed = self.fitting
        if not listed:
            none = self.farfadet.words.say(N_("Nothing is called like that."))
            canvas.put(NAME, 1, none, "dim")
        room = canvas.height - 1
        self._first = min(max(self._first, self._at - room + 1), self._at)
        for y, command in enumerate(listed[self._first : self._first + room], 1):
            lit = self._first + y - 1 == self._at
            canvas.put(NAME - 2, y, "▶" if lit else " ", "key")
            canvas.put(NAME, y, command.name, "name" if lit else "")
            canvas.put(HELP, y, safe(command.help, canvas.width - HELP - 10), "" if lit else "dim")
            canvas.put(canvas.width - 8, y, command.key, "key")

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        at = self._first + event.y - 1
        if 0 <= at < len(self.fitting):
            self._at = at
            self.screen.call_later(self.screen.run_action, "enter")


class PaletteScreen(Overlay):
    """A line to write in, over a list that grows shorter."""

    PLACE = "palette"
    BINDINGS: ClassVar = bindings("palette")
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    PaletteScreen Input { margin: 1 1 0 1; }
    """

    @property
    def commands(self) -> Commands:
        """The list."""
        return self.query_one(Commands)

    def parts(self) -> Iterator[Widget]:
        """The title, the line and the list."""
        yield Line(id="top")
        yield Line(id="banner")
        yield Field(id="wanted", max_length=40)
        yield Commands(self.over)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        say = self.words.say
        self.query_one("#top", Line).show(((say(N_("What can be done now")), "title"),))
        self.query_one("#banner", Line).show((), (), "─")
        self.query_one(Input).placeholder = say(N_("write a part of its name"))
        self.commands.refill()

    def refocus(self) -> None:
        """Keys go to the line."""
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what fits."""
        self.commands.write(event.value)

    def on_input_submitted(self) -> None:
        """Enter does what is lit."""
        self.action_enter()

    def action_enter(self) -> None:
        """Do what is lit, on the screen one comes from."""
        command = self.commands.lit
        if command is not None:
            self.app.pop_screen()
            command.do()

    def action_up(self) -> None:
        """The command above."""
        self.commands.move(-1)

    def action_down(self) -> None:
        """The command below."""
        self.commands.move(1)

    def action_close(self) -> None:
        """Back, with nothing done."""
        self.app.pop_screen()
