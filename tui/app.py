"""The app: holds the words and the ways to a table, and goes from screen to screen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.console import RenderableType
from textual import constants
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen

from tui.actions import bindings
from tui.attention import Attention
from tui.faults import Faults, Sturdy
from tui.going import Seated, gives_way, once_more, set_out
from tui.hints import Hints
from tui.keymap import Keymap, read
from tui.mouse import set_mouse
from tui.screens.frame import Frame
from tui.settings import USUAL, BadSetting, Settings, changed, get
from tui.settings_file import save
from tui.sitting import Doors, Home, Replay, Room, Sitting, Start
from tui.terminal import courteous, terminal
from tui.terms import own_name
from tui.themes import COLOURS, TERMINAL, THEMES
from tui.troubles import noted, told
from tui.widgets.canvas import Picture
from tui.wish import Wish, neighbour
from tui.words import LANGUAGES, N_, Words

if TYPE_CHECKING:
    from net.meeting.again import Reunion
    from tui.company import Company

log = logging.getLogger(__name__)


class FarfadetApp(Sturdy, App[None]):
    """farfadet in a terminal. ``doors`` lead to tables; ``start`` is what to do first.

    Without ``words``, the ``settings`` and the locale of the process decide the language. What is
    set is kept in the file ``keep``, if there is one to be.
    """

    TITLE = "farfadet"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Input { border: none; height: 1; padding: 0 1; background: $surface; }
    Input:focus { border: none; }
    """
    BINDINGS: ClassVar = bindings("any")
    GOES_ON = N_("Something went wrong here, and it goes on. The details are in {log}.")
    SEAT_KEPT = N_(
        "If you were playing, your seat is kept: farfadet resume. The details are in {log}."
    )
    """What is said of a fault (``tui/faults.py``)."""

    def __init__(
        self,
        doors: Doors,
        start: Start | Replay,
        words: Words | None = None,
        settings: Settings = USUAL,
        keep: Path | None = None,
    ) -> None:
        super().__init__()
        self.faults, self.attention = Faults(self), Attention(self)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = self._theme(settings)
        if settings.animation == "off":
            self.animation_level = "none"
        self.settings = settings
        self.keep = keep
        self.trouble: Callable[[], str] | None = None
        """What the home screen says when there is nothing else to say."""
        self.hints: Hints | None = None
        """What newcomers are told, if they are told anything."""
        self.doors = doors
        self.start = start
        self.keymap = Keymap()
        """The player's keys."""
        self.words = words or settings.words(os.environ)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of stones and mushrooms."""
        return dict(COLOURS)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With NO_COLOR there is none: Textual would leave shades of grey."""
        filters = super().get_line_filters()
        return [NoColor() if isinstance(one, Monochrome) else one for one in filters]

    def get_default_screen(self) -> Screen[None]:
        """The first screen, below all others."""
        from tui.screens.home import HomeScreen

        return HomeScreen()

    def on_mount(self) -> None:
        """Go on from the first screen, if that is wanted."""
        self._tell_home(busy=False, problem=None)
        if self.settings.keys:
            self.use_keys(self.settings.keys)
        if not isinstance(self.start, Home):
            self.go(self.start)

    def use_keys(self, table: Mapping[str, str]) -> None:
        """Take the player's own keys, at once and everywhere; home says what is wrong."""
        self.keymap = read(table)
        self.set_keymap(self.keymap.textual())
        for slip in self.keymap.slips:
            log.warning("%s: %s %s", slip.id, slip.code, dict(slip.blanks))
        self.relabel()
        if self.keymap.slips:
            first = self.keymap.slips[0]
            self._tell_home(busy=False, problem=lambda: first.said(self.words))

    def relabel(self) -> None:
        """Let every screen say everything again."""
        for screen in self._frames():
            screen.relabel()

    def _frames(self) -> list[Frame]:
        """The screens that stand, one upon the other."""
        stack = self.screen_stack
        return [screen for screen in stack if isinstance(screen, Frame) and screen.is_mounted]

    # Settings.

    def set(self, key: str, raw: object) -> None:
        """Set ``key`` to what ``raw`` stands for (``None``: as usual), at once and in the file.

        Raises ``BadSetting``; what could only not be written holds nevertheless, until we leave.
        """
        self.settings = changed(self.settings, key, raw)
        self._use(key.partition(".")[0])
        if self.keep is not None:
            save(self.keep, key, None if raw is None else get(self.settings, key))

    def put(self, key: str, raw: object) -> None:
        """Like ``set``, where nobody could be told: the home screen says what went wrong."""
        try:
            self.set(key, raw)
        except BadSetting as trouble:
            self._tell_home(busy=False, problem=self.explain(trouble))

    def _use(self, key: str) -> None:
        """Let what has been set take effect."""
        now, found = self.settings, self.settings.words(os.environ)
        match key:
            case "name":
                self.doors.call_me(now.name or own_name())
            case "language":
                self._speak(Words(found.language, self.words.ascii))
            case "glyphs":
                self._speak(Words(self.words.language, found.ascii))
            case "theme":
                self.theme = self._theme(now)
            case "animation":
                off = now.animation == "off"
                self.animation_level = "none" if off else constants.TEXTUAL_ANIMATIONS
            case "mouse":
                set_mouse(self, now.mouse)
            case "keys":
                self.use_keys(now.keys)

    def _theme(self, settings: Settings) -> str:
        return TERMINAL.name if self.no_color else settings.theme

    def _speak(self, words: Words) -> None:
        """Say everything again, in other words or other signs."""
        self.words = words
        for screen in self._frames():
            screen.relabel()
            for picture in screen.query(Picture):
                picture.redraw()

    # Going to a table.

    def go(self, start: Start | Replay) -> None:
        """Set out for a table; the home screen says so, and what went wrong if it does not work."""
        self.run_worker(self._go(start), group="door", exclusive=True, exit_on_error=False)

    async def _go(self, start: Start | Replay) -> None:
        self._tell_home(busy=True, problem=None)
        try:
            if isinstance(start, Replay):
                self.replay(start.file)
            else:
                self._arrive(await set_out(self.doors, start))
        except Exception as error:
            self.home(self.explain(error))
        else:
            self._tell_home(busy=False, problem=None)

    def _arrive(self, found: Room | Seated | None) -> None:
        match found:
            case Seated(sitting, company):
                self.sit(sitting, company)
            case None:
                pass
            case room:
                self.enter(room)

    def explain(self, error: Exception) -> Callable[[], str]:
        """What to say about ``error``, in whatever language is spoken then; logs what is new."""
        code = noted(error)
        return lambda: told(self.words, error, code)

    def sit(self, sitting: Sitting, company: Company | None = None) -> None:
        """Show a table; whoever of the ``company`` is in doubt is asked about first."""
        from tui.screens.game import GameScreen
        from tui.screens.trust import TrustScreen

        self.push_screen(GameScreen(sitting, company))
        if company is not None:
            company.attend(sitting)
            if company.doubts:
                self.push_screen(TrustScreen(company, sitting.game.name))

    def enter(self, room: Room) -> None:
        """Show a room before the game."""
        from tui.screens.table import TableScreen

        self.push_screen(TableScreen(room))

    def replay(self, file: Path | None) -> None:
        """Show a finished game again; without its file, all there are. An error has a ``code``."""
        from tui.replayed import open_replay
        from tui.screens.replay import ReplayScreen
        from tui.screens.replays import ReplaysScreen

        if file is None:
            self.push_screen(ReplaysScreen(self.doors.games))
        else:
            self.push_screen(ReplayScreen(open_replay(file, self.doors.known.me)))

    def home(self, problem: Callable[[], str] | None = None) -> None:
        """Back to the first screen, whatever is open."""
        self.doors.part()
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self._tell_home(busy=False, problem=problem)

    def again(self, sitting: Sitting, wish: Wish) -> None:
        """Play once more: where somebody else of the table waits, or at a new table of ours."""
        reunion = self.doors.reunion(sitting)
        if reunion is not None and reunion.offered is None:
            reunion.listen(lambda: self._give_way(reunion))
        self.go(once_more(reunion, wish))

    def _give_way(self, reunion: Reunion) -> None:
        """Of two who wait for each other, the one in the higher seat goes to the other."""
        from tui.screens.table import TableScreen

        screen = self.screen
        way = gives_way(reunion, screen.room) if isinstance(screen, TableScreen) else None
        if way is not None:
            self.pop_screen()
            self.go(way)

    def _tell_home(self, busy: bool, problem: Callable[[], str] | None) -> None:
        from tui.screens.home import HomeScreen

        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.tell(busy, problem or (None if busy else self.trouble))

    # The terminal, and what goes wrong.

    def get_driver_class(self) -> type[Driver]:
        """The usual one, with manners."""
        return courteous(super().get_driver_class(), os.environ)

    def on_resize(self) -> None:
        """Terminals do as they like with what stands there."""
        self._forget_glass()

    def action_redraw(self) -> None:
        """Write everything anew: something else has written to the terminal."""
        self._forget_glass()
        self.refresh()

    def _forget_glass(self) -> None:
        here = terminal(self)
        if here is not None:
            here.glass.forget()

    def _handle_exception(self, error: Exception) -> None:
        """A fault with which the app cannot go on; in tests it is the test's."""
        if self.is_headless:
            super()._handle_exception(error)
        else:
            self.faults.end(error)

    def panic(self, *renderables: RenderableType) -> None:
        """The thread that reads the keys has failed; what it would print is not for a player."""
        self.faults.end(None, *renderables)

    # Actions that work everywhere.

    def action_help(self) -> None:
        """The keys of the screen one is looking at, and how to play."""
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, Frame) and not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def action_rules(self) -> None:
        """All of the rules of the game one is looking at."""
        from tui.screens.help import HelpScreen
        from tui.screens.rules import RulesScreen

        if isinstance(self.screen, HelpScreen):
            self.screen.action_rules()
        elif isinstance(self.screen, Frame) and not isinstance(self.screen, RulesScreen):
            self.push_screen(RulesScreen(self.screen.game))

    def action_palette(self) -> None:
        """Find by name what can be done on the screen one is looking at."""
        from tui.screens.palette import PaletteScreen

        if isinstance(self.screen, Frame) and not isinstance(self.screen, PaletteScreen):
            self.push_screen(PaletteScreen(self.screen))

    def action_language(self) -> None:
        """The next language, at once and everywhere."""
        self.put("language", neighbour(tuple(LANGUAGES), self.words.language, 1))

    def action_settings(self) -> None:
        """Everything one can set."""
        from tui.screens.settings import SettingsScreen

        if isinstance(self.screen, Frame) and not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    def action_help_quit(self) -> None:
        """What ctrl+c does: nothing but a sound, since a game is not left by mistake."""
        self.bell()
