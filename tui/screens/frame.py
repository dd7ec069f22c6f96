"""What all screens share: words, keys from the registry, and honesty about a small terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tui.actions import Action, of
from tui.faults import Sturdy
from tui.sitting import GAME
from tui.widgets.foot import Foot
from tui.widgets.repaint import Compositor
from tui.words import N_

if TYPE_CHECKING:
    from tui.app import FarfadetApp
    from tui.words import Words

WIDTH: Final = 80
HEIGHT: Final = 24
"""The smallest terminal that shows everything."""
COLUMNS: Final = 100
"""The narrowest terminal in which things stand beside each other."""


class Frame(Sturdy, Screen[None]):
    """A screen with a body and a foot. In a terminal that is too small it says so instead."""

    DEFAULT_CSS = """
    Frame { background: $background; }
    Frame > #small { display: none; width: 1fr; height: 1fr; content-align: center middle; }
    Frame > #body { width: 1fr; height: 1fr; }
    Frame.-small > #small { display: block; }
    Frame.-small > #body, Frame.-small > #foot { display: none; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (COLUMNS, "-wide")]  # noqa: RUF012 - Textual's own form
    PLACE: ClassVar[str] = ""
    """Whose actions the keys are (``tui/actions.py``)."""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = Compositor(self)

    @property
    def game(self) -> str:
        """The name of the game that this screen is about: whose rules the help tells."""
        return GAME

    @property
    def farfadet(self) -> FarfadetApp:
        """The app."""
        from tui.app import FarfadetApp

        app = self.app
        assert isinstance(app, FarfadetApp)
        return app

    @property
    def words(self) -> Words:
        """The language."""
        return self.farfadet.words

    def parts(self) -> Iterator[Widget]:
        """The body, from top to bottom."""
        raise NotImplementedError

    def actions(self) -> tuple[Action, ...]:
        """What keys do here."""
        return (*of(self.PLACE), *of("any"))

    def label(self, action: Action) -> str:
        """What an action does now, to translate."""
        return action.label

    def state(self) -> str:
        """What goes on here, for the title of the terminal; nothing if nothing does."""
        return ""

    def compose(self) -> ComposeResult:
        """The body, what replaces it when there is no room, and the keys."""
        yield Static(id="small", markup=False)
        with Vertical(id="body"):
            yield from self.parts()
        yield Foot(self.actions(), self.label)

    def relabel(self) -> None:
        """Say everything again: the language, or what is shown, has changed."""
        self.query_one(Foot).redraw()

    def on_mount(self) -> None:
        """Say everything for the first time."""
        self.relabel()

    def on_screen_resume(self) -> None:
        """The terminal is called after what is on top now."""
        self.farfadet.attention.look()

    def on_resize(self) -> None:
        """Show the body only where it fits."""
        width, height = self.app.size
        small = width < WIDTH or height < HEIGHT
        if small:
            told = self.words.say(
                N_("too small: needs {width}x{height}, is {w}x{h}"),
                width=WIDTH,
                height=HEIGHT,
                w=width,
                h=height,
            )
            self.query_one("#small", Static).update(Content(told))
        if small is not self.has_class("-small"):
            self.set_class(small, "-small")
            if not small:
                self.call_after_refresh(self.refocus)

    def refocus(self) -> None:
        """Give the keys back to where they belong."""


class Overlay(Frame):
    """A screen about the screen one comes from, and about its game."""

    def __init__(self, over: Frame) -> None:
        super().__init__()
        self.over = over

    @property
    def game(self) -> str:
        """The game of the screen one comes from."""
        return self.over.game
