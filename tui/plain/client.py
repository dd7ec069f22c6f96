"""The line client: goes from place to place, as the app goes from screen to screen."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from net.meeting.again import Reunion
from net.people.talk import Talk
from tui import boards
from tui.going import Seated, set_out
from tui.plain.game import Table
from tui.plain.home import Menu
from tui.plain.lines import INTERRUPT, Console, Lines
from tui.plain.near import NearTables
from tui.plain.place import Around, Quit, Way
from tui.plain.replays import FinishedGames, told_again
from tui.plain.room import Gathering
from tui.sitting import Doors, Home, Replay, Start
from tui.text import safe
from tui.troubles import noted, told
from tui.wish import Wish
from tui.words import N_, Words

T = TypeVar("T")

LONGEST: Final = 4000
"""Most cells of a line; none of ours is so long."""

_SEPARATOR: Final = re.compile(r"\s*·\s+")


class Client:
    """farfadet for whoever writes and reads ``lines``; ``doors`` lead to tables."""

    def __init__(self, doors: Doors, lines: Lines, words: Words) -> None:
        self.doors = doors
        self.lines = lines
        self.words = Words(words.language, words.ascii, aloud=True)
        self.wish = Wish()
        """What the player would like to play next."""
        self.reunion: Reunion | None = None
        """Those with whom our player plays once more."""
        self.heard: WeakKeyDictionary[Talk, int] = WeakKeyDictionary()
        """How much of each talk was told."""
        self._working: asyncio.Task[Any] | None = None
        self._code = 0

    # Going about.

    async def run(self, start: Start | Replay) -> int:
        """Until the player leaves; the exit code.

        If ``start`` leads to no table, raises why: whoever has started us there is not asked.
        """
        try:
            where = await self._visit(start, at_first=not isinstance(start, Home | Replay))
            while True:
                where = await self._visit(where)
        except Quit as leaving:
            return leaving.code

    async def _visit(self, start: Way, *, at_first: bool = False) -> Way:
        """Go where ``start`` leads; where to go next."""
        if isinstance(start, Home):
            self.doors.part()
            self.reunion = None
            return await Menu(self).stay() or Home()
        if isinstance(start, Around):
            return await NearTables(self, await self.doors.near()).stay()
        try:
            if isinstance(start, Replay):
                return await self._finished(start.file)
            found = await self._work(set_out(self.doors, start))
            way: Seated | Way = Home()
            if isinstance(found, Seated):
                way = found
            elif found is not None:
                way = await Gathering(self, found).wait()
        except Quit:
            raise
        except Exception as error:
            if at_first:
                raise
            self.tell(self.explain(error))
            return Home()
        return await Table(self, way).play() if isinstance(way, Seated) else way

    async def _finished(self, file: Path | None) -> Way:
        """Tell a finished game, or list them all."""
        if file is None:
            return await FinishedGames(self).stay()
        for line in await self._work(told_again(self, file)):
            self.tell(line)
        return Replay()

    async def _work(self, going: Coroutine[Any, Any, T]) -> T:
        """Wait for what cannot be hurried; a signal gives it up."""
        self._working = task = asyncio.ensure_future(going)
        try:
            return await task
        except asyncio.CancelledError:
            if task.cancelled() and self._working is None:
                raise Quit(self._code) from None
            raise
        finally:
            self._working = None

    # Being told to leave.

    def obey_signals(self) -> None:
        """Leave when the system says so; Ctrl-C asks first where there is something to lose."""
        loop = asyncio.get_running_loop()
        for name, reaction in (
            ("SIGTERM", self.hang_up),
            ("SIGHUP", self.hang_up),
            ("SIGINT", self.interrupt),
        ):
            number = getattr(signal, name, None)
            if number is None:
                continue
            with suppress(ValueError):
                try:
                    loop.add_signal_handler(number, reaction)
                except NotImplementedError:
                    signal.signal(number, _later(loop, reaction))

    def hang_up(self) -> None:
        """Nobody writes any more."""
        self._leave(None, 0)

    def interrupt(self) -> None:
        """Ctrl-C was pressed."""
        self._leave(INTERRUPT, 130)

    def _leave(self, line: str | None, code: int) -> None:
        working, self._working = self._working, None
        if working is None:
            self.lines.urge(line)
        else:
            self._code = code
            working.cancel()

    # Saying things.

    def tell(self, line: str) -> None:
        """Say ``line``; whatever is in it, it is one line and only text."""
        clean = safe(_SEPARATOR.sub(", ", line).removeprefix(", "), LONGEST)
        if clean:
            self.lines.write(self.words.fold(clean))

    def explain(self, error: Exception) -> str:
        """What to say about ``error``; logs what is new."""
        return told(self.words, error, noted(error))

    def rules(self, game: str) -> None:
        """How to play ``game``."""
        voice = boards.voice(game)
        self.tell(self.words.say(voice.TITLE))
        for paragraph in voice.RULES:
            self.tell(self.words.say(paragraph))
        examples = ", ".join(voice.EXAMPLES.split("   "))
        self.tell(self.words.say(N_("One writes, for example: {examples}"), examples=examples))

    def speak(self, language: str) -> None:
        """Go on in another language."""
        self.words = Words(language, self.words.ascii, aloud=True)


async def converse(
    doors: Doors, start: Start | Replay, words: Words, troubles: Sequence[Exception] = ()
) -> int:
    """Be the line client of this process; the exit code. Raises what ``Client.run`` raises.

    ``troubles`` are told first.
    """
    console = Console.of_process()
    console.open()
    client = Client(doors, console, words)
    client.obey_signals()
    for trouble in troubles[:1]:
        client.tell(client.explain(trouble))
    try:
        return await client.run(start)
    finally:
        await console.close()


def _later(loop: asyncio.AbstractEventLoop, reaction: Callable[[], None]) -> Callable[..., None]:
    def handle(*_: object) -> None:
        loop.call_soon_threadsafe(reaction)

    return handle
