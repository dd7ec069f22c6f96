"""The tables near us, live: each has a number, which leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tui import boards
from tui.plain.place import Command, Place, Way
from tui.sitting import GAME, Home, Join, Watch
from tui.story.around import age, problem
from tui.text import safe
from tui.words import N_

if TYPE_CHECKING:
    from tui.near import Near, Nearby
    from tui.plain.client import Client


class NearTables(Place[Way]):
    """Tables are told as they come; a number stays with its table."""

    COMMANDS: ClassVar = (
        Command(("list", "liste"), N_("all tables there are now")),
        Command(("watch", "regarder"), N_("look on at this table"), N_("NUMBER")),
        Command(("next", "suivante"), N_("sit down at the first table with a free seat")),
    )

    def __init__(self, client: Client, near: Near) -> None:
        super().__init__(client)
        self.near = near
        self._numbers: dict[str, int] = {}
        """By invitation, from 1."""
        self._told = ""

    @property
    def game(self) -> str:
        """None is chosen yet."""
        return GAME

    def home(self) -> Way:
        """The menu."""
        return Home()

    def arrive(self) -> None:
        """Listen."""
        self.near.listen(self._look)
        self.remind()

    def remind(self) -> None:
        """The list as it is now."""
        tables = self.near.tables
        if not tables:
            self.say(N_("No table yet: one that is opened is told by itself. /leave goes back."))
        for table in tables:
            self._tell(table)
        self._problem()
        self.say(N_("A number leads to that table."))

    def do_list(self, _: str) -> None:
        """The same."""
        self.remind()

    def _look(self) -> None:
        """Tell what is new."""
        if self._next.done():
            return
        for table in self.near.tables:
            if table.invitation not in self._numbers:
                self._tell(table)
        self._problem()

    def _problem(self) -> None:
        said = problem(self.client.words, self.near.problem)
        if said != self._told:
            self.client.tell(said)
        self._told = said

    def _tell(self, table: Nearby) -> None:
        words = self.client.words
        number = self._numbers.setdefault(table.invitation, len(self._numbers) + 1)
        seats = words.say(N_("{n} of {m} seats taken"), n=table.taken, m=table.seats)
        parts = [
            words.say(boards.voice(table.game).TITLE),
            words.say(N_("playing")) if table.begun else seats,
            ", ".join(safe(name, 16) or "?" for name in table.names),
            words.say(N_("on this network")) if table.lan else age(words, table.since),
        ]
        self.pair(str(number), "; ".join(part for part in parts if part))

    def written(self, line: str) -> None:
        """Sit down there; look on if it plays already."""
        table = self._find(line)
        if table is not None:
            self.go(Watch(table.invitation) if table.begun else Join(table.invitation))

    def do_watch(self, written: str) -> None:
        """Look on there."""
        table = self._find(written)
        if table is not None:
            self.go(Watch(table.invitation))

    def do_next(self, _: str) -> None:
        """Wherever there is a free seat."""
        free = [table for table in self.near.tables if table.free]
        if free:
            self.go(Join(free[0].invitation))
        else:
            self.say(N_("There is no free seat now."))

    def _find(self, written: str) -> Nearby | None:
        for table in self.near.tables:
            if str(self._numbers.get(table.invitation)) == written:
                return table
        self.say(N_("There is no table of that number now."))
        return None
