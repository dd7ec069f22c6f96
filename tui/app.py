"""The app: holds the words and the ways to a table, and goes from screen to screen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import ClassVar

from textual.app import App

from net.meeting.again import Reunion
from net.play.resume import Saved
from tui.actions import bindings
from tui.company import Company
from tui.screens.frame import Frame
from tui.sitting import Doors, Home, Host, Join, Play, Quick, Resume, Room, Sitting, Start, Watch
from tui.style import COLOURS, THEME
from tui.troubles import told
from tui.wish import Wish, neighbour
from tui.words import LANGUAGES, Words, ascii_only, first_language

log = logging.getLogger(__name__)


class NoTable(Exception):
    """There is none that one could go back to."""

    code = "no-table"


class FarfadetApp(App[None]):
    """farfadet in a terminal. ``doors`` lead to tables; ``start`` is what to do first.

    Without ``words`` the locale of the process decides the language.
    """

    TITLE = "farfadet"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Input { border: none; height: 1; padding: 0 1; background: $surface; }
    Input:focus { border: none; }
    """
    BINDINGS: ClassVar = bindings("any")

    def __init__(self, doors: Doors, start: Start, words: Words | None = None) -> None:
        super().__init__()
        self.register_theme(THEME)
        self.theme = THEME.name
        self.doors = doors
        self.start = start
        self.words = words or Words(first_language(os.environ), ascii_only(os.environ))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of stones and mushrooms."""
        return dict(COLOURS)

    def on_mount(self) -> None:
        """Open the first screen, and go on from there if that is wanted."""
        from tui.screens.home import HomeScreen

        self.push_screen(HomeScreen())
        if not isinstance(self.start, Home):
            self.go(self.start)

    # Going to a table.

    def go(self, start: Start) -> None:
        """Set out for a table; the home screen says so, and what went wrong if it does not work."""
        self.run_worker(self._go(start), group="door", exclusive=True, exit_on_error=False)

    async def _go(self, start: Start) -> None:
        self._tell_home(busy=True, problem=None)
        try:
            match start:
                case Play(game, seats, level, deck):
                    self.sit(await self.doors.play(game, seats, level, deck))
                case Host():
                    self.enter(await self.doors.host(start))
                case Join(invitation):
                    table = self.doors.seat_at(invitation)
                    if table is not None:
                        await self._sit_again(table)
                    else:
                        self.enter(await self.doors.join(invitation))
                case Quick(game):
                    self.enter(await self.doors.quick(game))
                case Watch(invitation):
                    lookout = await self.doors.watch(invitation)
                    if lookout.begun:
                        self.sit(await lookout.wait())
                    else:
                        self.enter(lookout)
                case Resume():
                    tables = self.doors.saved()
                    if not tables:
                        raise NoTable
                    await self._sit_again(tables[0])
        except Exception as error:
            self.home(self.explain(error))
        else:
            self._tell_home(busy=False, problem=None)

    def explain(self, error: Exception) -> Callable[[], str]:
        """What to say about ``error``, in whatever language is spoken then; logs what is new."""
        code = getattr(error, "code", None)
        if not isinstance(code, str) or isinstance(error, OSError):
            log.error("unforeseen", exc_info=error)
            code = type(error).__name__
        else:
            log.info("failed: %s", error)
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

    async def _sit_again(self, table: Saved) -> None:
        """Back to a table, whose people may still be in doubt."""
        sitting, ticket = await self.doors.resume(table), table.ticket
        company = None
        if ticket.invitation:
            company = Company.of_charter(self.doors.known, table.charter, ticket.seat)
        self.sit(sitting, company)

    def enter(self, room: Room) -> None:
        """Show a room before the game."""
        from tui.screens.table import TableScreen

        self.push_screen(TableScreen(room))

    def home(self, problem: Callable[[], str] | None = None) -> None:
        """Back to the first screen, whatever is open."""
        self.doors.part()
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self._tell_home(busy=False, problem=problem)

    def again(self, sitting: Sitting, wish: Wish) -> None:
        """Play once more: where somebody else of the table waits, or at a new table of ours."""
        reunion = self.doors.reunion(sitting)
        if reunion is None:
            self.go(wish.play)
        elif reunion.offered is not None:
            self.go(Join(str(reunion.way(reunion.offered))))
        else:
            reunion.listen(lambda: self._give_way(reunion))
            self.go(wish.host)

    def _give_way(self, reunion: Reunion) -> None:
        """Of two who wait for each other, the one in the higher seat goes to the other."""
        from tui.screens.table import TableScreen

        screen, offered = self.screen, reunion.offered
        if not isinstance(screen, TableScreen) or offered is None or offered.seat > reunion.me:
            return
        people = [guest for guest in screen.room.guests if not guest.bot]
        if len(people) == 1 and people[0].mine and people[0].host:
            self.pop_screen()
            self.go(Join(str(reunion.way(offered))))

    def _tell_home(self, busy: bool, problem: Callable[[], str] | None) -> None:
        from tui.screens.home import HomeScreen

        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.tell(busy, problem)

    # Actions that work everywhere.

    def action_help(self) -> None:
        """The keys of the screen one is looking at, and how to play."""
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, Frame) and not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def action_language(self) -> None:
        """The next language, at once and everywhere."""
        following = neighbour(tuple(LANGUAGES), self.words.language, 1)
        self.words = Words(following, self.words.ascii)
        for screen in self.screen_stack:
            if isinstance(screen, Frame) and screen.is_mounted:
                screen.relabel()

    def action_help_quit(self) -> None:
        """What ctrl+c does: nothing but a sound, since a game is not left by mistake."""
        self.bell()
