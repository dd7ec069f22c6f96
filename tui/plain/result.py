"""The end of a game in lines: ranks, every score taken apart, what vouches for it, once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from net.people.talk import Talk
from tui.going import once_more
from tui.plain.place import Command, Way
from tui.plain.wishing import Wishing
from tui.sitting import Home
from tui.story.members import called, clean_names
from tui.story.outcome import SAVED, scored, verified, victory
from tui.text import safe
from tui.wish import Wish
from tui.words import N_

if TYPE_CHECKING:
    from tui.plain.client import Client
    from tui.plain.game import Table


class Outcome(Wishing):
    """Of the game at ``table``, which goes on talking; ``None`` leads back there."""

    COMMANDS: ClassVar = (
        Command(("score",), N_("the score once more")),
        Command(("again", "encore"), N_("play again, as it was or as you wish")),
        Command(("board", "plateau"), N_("where everything stands")),
        Command(("history", "histoire"), N_("all that has happened")),
        *Wishing.COMMANDS,
    )

    def __init__(self, client: Client, table: Table) -> None:
        super().__init__(client)
        self.table = table
        self.sitting = table.sitting
        seated = self.sitting.me is not None
        self.reunion = client.doors.reunion(self.sitting) if seated else None
        self._wished = client.doors.wish(self.sitting) if seated else client.wish

    @property
    def wish(self) -> Wish:
        """As it was, until it is changed."""
        return self._wished

    @property
    def talk(self) -> Talk | None:
        """The talk at the table."""
        return self.table.talk

    def home(self) -> Way | None:
        """The menu."""
        return Home()

    def usable(self, command: Command) -> bool:
        """Only who has played plays again."""
        watched = ("score", "board", "history")
        return self.sitting.me is not None or command.names[0] in watched

    def arrive(self) -> None:
        """The result, and how to go on."""
        self.sitting.listen(lambda _: self._check())
        self.do_score("")
        if self.sitting.me is None:
            self.say(N_("/leave goes back to the menu."))
            return
        if self.reunion is not None:
            self.reunion.listen(self._offered)
        self.remind()

    def remind(self) -> None:
        """How to play once more."""
        if self.reunion is not None and self.reunion.offered is not None:
            self._offered()
            return
        self.client.tell(self.wished())
        self.say(N_("/again plays once more, /leave goes back to the menu."))

    def _offered(self) -> None:
        """Somebody else of the table is first."""
        if self.reunion is None or self.reunion.offered is None or self._next.done():
            return
        words, names = self.client.words, clean_names(self.sitting)
        who = called(words, names, self.reunion.offered.seat)
        self.tell(words.tell(N_("{who} plays again: /again goes along."), who=who))

    def _check(self) -> None:
        """If the result was taken back, the game goes on."""
        if self.sitting.result is None:
            self.go(None)

    def written(self, line: str) -> None:
        """There is nothing to choose any more."""
        self.say(N_("The game is over. /again plays once more, /leave goes back to the menu."))

    def do_score(self, _: str) -> None:
        """Who has won, and every line of every score."""
        words, sitting, result = self.client.words, self.sitting, self.sitting.result
        if result is None:
            return
        self.tell(victory(words, sitting, result))
        for score in sorted(result.scores, key=lambda score: (score.rank, score.seat)):
            self.client.tell(scored(self.table.voice, score))
        self.client.tell(verified(words, sitting, result))
        if sitting.saved is not None:
            self.client.tell(f"{words.say(SAVED)} {safe(str(sitting.saved), 4096)}")

    def do_again(self, _: str) -> None:
        """With the same people, where they are, or once more against bots."""
        if self.sitting.me is None:
            self.say(N_("Only who has played can play again."))
            return
        self.client.reunion = self.reunion
        self.go(once_more(self.reunion, self.wish))

    def do_board(self, written: str) -> None:
        """The last position."""
        self.table.do_board(written)

    def do_history(self, written: str) -> None:
        """All of it."""
        self.table.do_history(written)
