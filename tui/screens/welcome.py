"""The first screen of a guest who has never been here: what to be called, in which language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from tui.actions import bindings
from tui.screens.frame import Frame
from tui.settings import BadSetting
from tui.style import content
from tui.text import safe
from tui.widgets.field import Field
from tui.words import LANGUAGES, N_, Pieces


class WelcomeScreen(Frame):
    """One line to fill, with ``name`` in it; Enter keeps it and calls ``go_on``."""

    PLACE = "welcome"
    BINDINGS: ClassVar = bindings("welcome")
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    WelcomeScreen #title { margin: 4 6 0 6; height: auto; }
    WelcomeScreen #language { margin: 2 6 0 6; height: 1; }
    WelcomeScreen #ask { margin: 2 6 1 6; height: auto; }
    WelcomeScreen Input { margin: 0 5; width: 30; }
    WelcomeScreen #key { margin: 2 6 0 6; height: auto; }
    WelcomeScreen #wrong { margin: 1 6 0 6; height: auto; }
    """

    def __init__(self, name: str, go_on: Callable[[], None]) -> None:
        super().__init__()
        self._name = safe(name, 16)
        self._go_on = go_on
        self._wrong: Callable[[], str] | None = None

    def parts(self) -> Iterator[Widget]:
        """From the title to what was wrong."""
        for part in ("title", "language", "ask"):
            yield Static(id=part, markup=False)
        yield Field(self._name, id="name", max_length=64)
        for part in ("key", "wrong"):
            yield Static(id=part, markup=False)

    def relabel(self) -> None:
        """All of it, in the language that is lit."""
        super().relabel()
        say = self.words.say
        told = say(N_("small table games for friends in terminals"))
        self._show("title", (("farfadet", "title"), ("  " + told, "dim")))
        self._show("language", self._languages())
        self._show("ask", ((say(N_("What shall the others call you?")), "name"),))
        known = say(
            N_(
                "Your ssh key is who you are here: come back with it, and your name, your games "
                "and your seat at the table are yours again."
            )
        )
        self._show("key", ((known, "dim"),))
        self._show("wrong", () if self._wrong is None else ((self._wrong(), "warning"),))

    def _languages(self) -> Pieces:
        """Each language in its own words, ours lit."""
        fold, pieces = self.words.fold, list[tuple[str, str]]()
        for code, called in LANGUAGES.items():
            lit = code == self.words.language
            pieces += [(fold("▶ " if lit else "  "), "key"), (fold(called), "name" if lit else "")]
            pieces.append(("    ", ""))
        return tuple(pieces)

    def _show(self, part: str, pieces: Pieces) -> None:
        self.query_one(f"#{part}", Static).update(content(pieces) if pieces else Content())

    def refocus(self) -> None:
        """Keys go to the line."""
        self.query_one(Input).focus()

    def action_language(self) -> None:
        """The other language."""
        self.farfadet.action_language()

    async def action_enter(self) -> None:
        """Take what is written, as Enter does."""
        await self.query_one(Input).action_submit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the name and the language, and go on."""
        name = safe(event.value, 16)
        if not name:
            self._wrong = lambda: self.words.say(N_("A name has at least one letter."))
            self.relabel()
            return
        try:
            self.farfadet.set("name", name)
            self.farfadet.set("language", self.words.language)
        except BadSetting as error:
            if error.code != "settings-not-saved":
                self._wrong = self.farfadet.explain(error)
                self.relabel()
                return
        self.app.pop_screen()
        self._go_on()
