"""What one can set: every row of the schema, its value, what it is for, and how things look now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from textual import events, on
from textual.widget import Widget
from textual.widgets import Input

from tui.actions import Action, bindings
from tui.boards.voices import ABSENT
from tui.screens.frame import Frame
from tui.settings import SETTINGS, BadSetting, Setting, get, text
from tui.terms import own_name
from tui.text import wrap
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.choice import paint_choice
from tui.widgets.field import Field
from tui.widgets.line import Line
from tui.wish import neighbour
from tui.words import N_

WIDTH: Final = 64
"""Cells that the rows and what is said about them take."""
VALUE: Final = 27
"""Where values start, from the start of the rows."""
HELP: Final = 2
"""Most lines of what is said about a row."""

STONES: Final = {
    "red": N_("red"),
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "white": N_("white"),
    "green": N_("green"),
    "purple": N_("purple"),
    "grey": N_("grey"),
}
"""The colours of the games, by the names of their styles."""


class Sheet(Picture, can_focus=True):
    """The rows, one of them lit."""

    DEFAULT_CSS = "Sheet { width: 1fr; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__(id="sheet")
        self.at = 0
        self.problem: Callable[[], str] | None = None
        self._lines: dict[int, int] = {}

    @property
    def setting(self) -> Setting:
        """The row that is lit."""
        return SETTINGS[self.at]

    def move(self, step: int) -> None:
        """Light the row ``step`` lines further down."""
        self.at = (self.at + step) % len(SETTINGS)
        self.problem = None
        self.redraw()

    def set(self, raw: object) -> None:
        """Set the row that is lit to what ``raw`` stands for; ``None``: as usual."""
        self.problem = None
        try:
            self.farfadet.set(self.setting.key, raw)
        except BadSetting as trouble:
            self.problem = self.farfadet.explain(trouble)
        self.redraw()

    def change(self, step: int) -> None:
        """Take the next or the previous value."""
        values = tuple(self.setting.values)
        if values:
            self.set(neighbour(values, self.written(self.setting), step))

    def written(self, setting: Setting) -> str:
        """A value as it is written in commands."""
        return text(get(self.farfadet.settings, setting.key))

    def paint(self, canvas: Canvas) -> None:
        """The rows, what the one that is lit is for, samples, and what went wrong."""
        say = self.farfadet.words.say
        self._lines.clear()
        left = (canvas.width - WIDTH) // 2
        y = 1 + max(0, (canvas.height - 21) // 4)
        for number, setting in enumerate(SETTINGS):
            lit = number == self.at
            canvas.put(left - 3, y, "▶" if lit else " ", "key")
            canvas.put(left, y, say(setting.label), "name" if lit else "")
            self._value(canvas, left + VALUE, y, setting, lit)
            self._lines[y] = number
            y += 1
        y += 1
        for number, line in enumerate(wrap(say(self.setting.help), WIDTH)[:HELP]):
            canvas.put(left, y + number, line, "dim")
        y += HELP + 1
        self._samples(canvas, left, y)
        if self.problem is not None:
            for number, line in enumerate(wrap(self.problem(), WIDTH)):
                canvas.put(left, y + 3 + number, line, "warning")

    def _value(self, canvas: Canvas, x: int, y: int, setting: Setting, lit: bool) -> None:
        written = self.written(setting)
        if setting.values:
            said = self.farfadet.words.say(setting.values[written])
            paint_choice(canvas, x, y, said, lit)
        elif written:
            canvas.put(x, y, written, "key" if lit else "")
        else:
            canvas.put(x, y, own_name(), "dim")

    def _samples(self, canvas: Canvas, x: int, y: int) -> None:
        """How the games look in these colours and signs."""
        say, at = self.farfadet.words.say, x
        for style, name in STONES.items():
            at = canvas.put(at, y, f" {say(name)} ", style) + 1
        x = canvas.put(x, y + 1, "▄███▄", "cap") + 2
        for said, style in (
            ("▶ 2 ◀", "aimed"),
            (say(N_("◆ sealed")), "sealed"),
            (say(N_("… choosing")), ""),
            (say(N_("○ resting")), "dim"),
            (say(ABSENT), "warning"),
        ):
            x = canvas.put(x, y + 1, said, style) + 2

    def on_click(self, event: events.Click) -> None:
        """Light the row that was clicked; change it."""
        if event.y in self._lines:
            self.at, self.problem = self._lines[event.y], None
            self.redraw()
            self.screen.call_later(self.screen.run_action, "enter")


class SettingsScreen(Frame):
    """Over any other screen. What is changed holds at once."""

    PLACE = "settings"
    BINDINGS: ClassVar = bindings("settings")
    AUTO_FOCUS = "Sheet"
    DEFAULT_CSS = """
    SettingsScreen #written { display: none; }
    SettingsScreen.-writing #written { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.sheet = Sheet()

    def parts(self) -> Iterator[Widget]:
        """A title, the rows, and the line to write in."""
        yield Line(id="top")
        yield Line(id="banner")
        yield self.sheet
        yield Field(id="written", max_length=64)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        self.query_one("#top", Line).show(((self.words.say(N_("Settings")), "title"),))
        self.query_one("#banner", Line).show((), (), "─")
        self.sheet.redraw()

    def refocus(self) -> None:
        """Keys go to the line that is open, else to the rows."""
        if self.has_class("-writing"):
            self.query_one("#written", Input).focus()
        else:
            self.sheet.focus()

    def label(self, action: Action) -> str:
        """Enter writes a text, and changes anything else."""
        if action.name == "enter" and self.sheet.setting.values:
            return N_("change")
        return super().label(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Arrows change what has values."""
        if action in {"less", "more"}:
            return bool(self.sheet.setting.values)
        return super().check_action(action, parameters)

    def action_up(self) -> None:
        """The row above."""
        self._move(-1)

    def action_down(self) -> None:
        """The row below."""
        self._move(1)

    def _move(self, step: int) -> None:
        self.sheet.move(step)
        super().relabel()

    def action_less(self) -> None:
        """The value before."""
        self.sheet.change(-1)

    def action_more(self) -> None:
        """The next value."""
        self.sheet.change(1)

    def action_enter(self) -> None:
        """Write a text, or take the next value."""
        if self.sheet.setting.values:
            self.sheet.change(1)
            return
        line = self.query_one("#written", Input)
        line.value = self.sheet.written(self.sheet.setting)
        self.add_class("-writing")
        self.refocus()

    def action_usual(self) -> None:
        """As if it was never set."""
        self.sheet.set(None)

    def action_cancel(self) -> None:
        """Close the line to write in; else back."""
        if self.has_class("-writing"):
            self._close()
        else:
            self.app.pop_screen()

    @on(Input.Submitted, "#written")
    def _written(self, event: Input.Submitted) -> None:
        """Take what was written, if it can be."""
        self.sheet.set(event.value)
        if self.sheet.problem is None:
            self._close()

    def _close(self) -> None:
        self.remove_class("-writing")
        self.refocus()
