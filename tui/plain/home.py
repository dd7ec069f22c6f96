"""The menu: a number or a word leads to a table."""

from __future__ import annotations

from typing import ClassVar, Final

from net.play.resume import Saved
from tui.plain.place import Around, Command, Way
from tui.plain.wishing import Wishing
from tui.sitting import Home, Join, Replay, Resume, Watch
from tui.story.around import played
from tui.wish import Wish
from tui.words import N_

ENTRIES: Final = (
    Command(("play", "jouer"), N_("play at once, against bots")),
    Command(("host", "accueillir"), N_("host a table for friends")),
    Command(("near", "proches"), N_("tables near you")),
    Command(("join", "rejoindre"), N_("join with an invitation")),
    Command(("watch", "regarder"), N_("look on at a table, with its invitation")),
    Command(("resume", "reprendre"), N_("back to my table")),
    Command(("replays", "parties"), N_("finished games, told again")),
    Command(("rules", "règles", "regles"), N_("how to play")),
    Command(("quit", "quitter"), N_("leave farfadet")),
)
"""What can be done; here the words for it need no stroke."""

FORGET: Final = Command(("forget", "oublier"), N_("give up the table one could go back to"))
AGAIN: Final = N_("{command} once more forgets this table: your seat there is lost for good.")


class Menu(Wishing):
    """See the top of this file."""

    COMMANDS: ClassVar = (
        *Wishing.COMMANDS,
        FORGET,
    )

    _wanted = ""
    """What the next line is for: an invitation to ``join`` or to ``watch``."""
    _sure = False

    @property
    def wish(self) -> Wish:
        """It outlasts the visit."""
        return self.client.wish

    @property
    def saved(self) -> Saved | None:
        """The table one can go back to."""
        return next(iter(self.client.doors.saved()), None)

    def home(self) -> Way | None:
        """Here."""
        return Home()

    def usable(self, command: Command) -> bool:
        """A table can be forgotten if there is one."""
        return command.names[0] != "forget" or self.saved is not None

    def arrive(self) -> None:
        """The entries, and what would be played."""
        self.say(
            N_("farfadet: small table games for friends in terminals. Write a number or a word.")
        )
        self.remind()

    def remind(self) -> None:
        """All of it again."""
        saved, words = self.saved, self.client.words
        for number, entry in enumerate(ENTRIES, 1):
            more = words.say(entry.help)
            if entry.names[0] == "resume":
                more = "" if saved is None else f"{more} ({self._friends(saved)})"
            if more:
                self.pair(f"{number} {entry.shown(words)[1:]}", more)
        self.client.tell(self.wished())

    def _friends(self, table: Saved) -> str:
        """The game there, and with whom."""
        charter = table.charter
        others = [name for seat, name in enumerate(charter.names) if seat != table.ticket.seat]
        return played(self.client.words, charter.game, others)

    def written(self, line: str) -> None:
        """A number, a word, an invitation."""
        wanted, self._wanted = self._wanted, ""
        first, _, rest = line.partition(" ")
        first = first.casefold()
        for number, entry in enumerate(ENTRIES, 1):
            if first == str(number) or first in entry.names:
                getattr(self, f"_{entry.names[0]}")(rest.strip())
                return
        if wanted or line.startswith("farfadet://"):
            self.go(Watch(line) if wanted == "watch" else Join(line))
        else:
            super().written(line)

    def _play(self, _: str) -> None:
        self.go(self.client.wish.play)

    def _host(self, _: str) -> None:
        self.go(self.client.wish.host)

    def _near(self, _: str) -> None:
        self.go(Around())

    def _join(self, invitation: str) -> None:
        if invitation:
            self.go(Join(invitation))
        else:
            self._ask("join")

    def _watch(self, invitation: str) -> None:
        if invitation:
            self.go(Watch(invitation))
        else:
            self._ask("watch")

    def _ask(self, wanted: str) -> None:
        self._wanted = wanted
        self.say(
            N_("Paste the invitation that a friend has sent you, or write its words; then Enter.")
        )

    def _resume(self, _: str) -> None:
        self.go(Resume())

    def _replays(self, _: str) -> None:
        self.go(Replay())

    def _rules(self, _: str) -> None:
        self.do_rules("")

    def _quit(self, _: str) -> None:
        self.do_quit("")

    # Commands.

    def do_forget(self, _: str) -> None:
        """Give the table up, when written twice."""
        table = self.saved
        if table is None:
            self.say(N_("There is no table to go back to."))
        elif not self._sure:
            self._sure = True
            self.say(AGAIN, command=FORGET.shown(self.client.words))
        else:
            self._sure = False
            try:
                self.client.doors.forget(table)
            except Exception as error:
                self.client.tell(self.client.explain(error))
            self.remind()
