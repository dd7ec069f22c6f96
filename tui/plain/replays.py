"""The finished games, the newest first: each has a number, which has that game told again."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar, Final

from net.play.kept import Kept, kept, terms
from net.play.wire import Refusal
from rules.game import RuleError
from tui.plain.place import Command, Place, Way
from tui.replayed import ReplayError, open_replay
from tui.retell import retell
from tui.sitting import GAME, Home, Replay
from tui.story.around import played
from tui.text import safe
from tui.words import N_

if TYPE_CHECKING:
    from pathlib import Path

    from tui.plain.client import Client

PAGE: Final = 5
"""Games that are told of at a time."""


class FinishedGames(Place[Way]):
    """See the top of this file."""

    COMMANDS: ClassVar = (
        Command(("list", "liste"), N_("the newest games")),
        Command(("more", "suite"), N_("older games")),
    )

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        try:
            self._games = kept(client.doors.games)
        except OSError as error:
            raise ReplayError("replay-gone", error) from error
        self._told = 0

    @property
    def game(self) -> str:
        """None is chosen yet."""
        return GAME

    def home(self) -> Way:
        """The menu."""
        return Home()

    def usable(self, command: Command) -> bool:
        """There may be no more."""
        return command.names[0] != "more" or self._told < len(self._games)

    def arrive(self) -> None:
        """The newest."""
        self.remind()

    def remind(self) -> None:
        """The newest."""
        self._told = 0
        self.do_more("")

    def do_list(self, _: str) -> None:
        """The newest."""
        self.remind()

    def do_more(self, _: str) -> None:
        """The next ones, and what to do with them."""
        if not self._games:
            self.say(N_("No game has been saved yet: each is when it ends."))
            return
        page = self._games[self._told : self._told + PAGE]
        for number, game in enumerate(page, self._told + 1):
            self.pair(str(number), self._said(game))
        self._told += len(page)
        self.say(N_("A number tells that game."))
        if self._told < len(self._games):
            more = next(command for command in self.COMMANDS if command.names[0] == "more")
            left = len(self._games) - self._told
            shown = more.shown(self.client.words)
            self.say(N_("{command}: {n} older ones."), command=shown, n=left)

    def _said(self, game: Kept) -> str:
        """What was played, when, and with whom; of the file only the beginning is read."""
        words = self.client.words
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.at))
        try:
            charter = terms(game.path)
        except (OSError, Refusal, RuleError):
            return "; ".join((when, words.say(N_("damaged")), safe(game.path.name, 60)))
        me = self.client.doors.known.me
        others = [chair.name for chair in charter.chairs if chair.identity != me]
        return f"{when}; {played(words, charter.game, others)}"

    def written(self, line: str) -> None:
        """Tell the game of that number."""
        if line.isascii() and line.isdigit() and 0 < int(line[:9]) <= len(self._games):
            self.go(Replay(self._games[int(line) - 1].path))
        else:
            self.say(N_("There is no game of that number."))


async def told_again(client: Client, file: Path) -> list[str]:
    """The game in ``file`` as lines; raises ``tui.replayed.ReplayError``. May take some seconds."""
    sitting = open_replay(file, client.doors.known.me)
    try:
        return await asyncio.to_thread(lambda: list(retell(sitting, client.words)))
    finally:
        # Who does not want to wait for it leaves the thread with nothing to do.
        sitting.playback.stopped = True
