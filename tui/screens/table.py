"""A table before the game: who is here, and the invitation for those who are not yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from net.people.talk import Talk
from rules.form import fingerprint
from tui import boards
from tui.actions import bindings
from tui.company import Company, Person
from tui.screens.talk import Talking
from tui.screens.trust import mark
from tui.sitting import Guest, Room
from tui.style import content
from tui.text import safe
from tui.troubles import trouble
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.words import N_, NN_, Pieces

NAME = 16
"""Most cells of a name here."""


class TableScreen(Talking):
    """Waits with the others until every seat is taken; who looks on waits for them."""

    PLACE = "table"
    BINDINGS: ClassVar = bindings("table")
    DEFAULT_CSS = """
    TableScreen #guests { height: auto; margin: 2 6 1 6; }
    TableScreen #told { height: auto; margin: 1 6 0 6; }
    TableScreen #invitation {
        height: auto; margin: 1 4; padding: 1 2; background: $surface; text-style: bold;
    }
    TableScreen #copied { height: 1; margin: 0 6; color: $success; }
    TableScreen #chat { height: 1fr; margin: 0 4; }
    TableScreen.-talking #told, TableScreen.-talking #invitation { display: none; }
    TableScreen.-talking #copied { display: none; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__()
        self.room = room
        self.copied = False

    @property
    def game(self) -> str:
        """The game that will be played."""
        return self.room.game.name

    def parts(self) -> Iterator[Widget]:
        """From the title to the invitation."""
        yield Line(id="top")
        yield Line(id="banner")
        yield Static(id="guests", markup=False)
        yield Line(id="waiting")
        yield Line(id="terms")
        yield Static(id="told", markup=False)
        yield Static(id="invitation", markup=False)
        yield Static(id="copied", markup=False)
        yield History("chat")
        yield from self.saying()

    @property
    def talk(self) -> Talk | None:
        """The talk in the room."""
        return self.room.talk

    def show_talk(self) -> None:
        """Below all else, and above it what is new."""
        self.query_one("#banner", Line).show(self.ticker(), self.around(), "─")
        self.query_one("#chat", History).show(self.lines())

    def on_mount(self) -> None:
        """Listen, and wait for the others."""
        self.room.listen(self._changed)
        self.run_worker(self._wait(), exit_on_error=False)

    async def _wait(self) -> None:
        try:
            sitting = await self.room.wait()
        except Exception as error:
            self.farfadet.home(self.farfadet.explain(error))
            return
        known, room = self.farfadet.doors.known, self.room
        company = None
        if not room.looking_on:
            company = Company.of_guests(known, room.guests, room.words)
        self.farfadet.home()
        self.farfadet.sit(sitting, company)

    def _changed(self) -> None:
        if self.is_attached:
            self.call_later(self.relabel)

    def relabel(self) -> None:
        """Who is here, and who is still missing."""
        super().relabel()
        say, room = self.words.say, self.room
        title = say(boards.load(self.game).TITLE)
        here, seats = len(room.guests), room.seats
        taken = say(N_("{n} of {m} seats taken"), n=here, m=seats)
        self.query_one("#top", Line).show(((title, "title"), *self._cards()), ((taken, "event"),))
        self.show_talk()
        known = self.farfadet.doors.known
        company = Company.of_guests(known, room.guests, None)
        rows = [self._guest(guest, company) for guest in room.guests]
        free = say(N_("a free seat"))
        rows += [content((("  " + free, "dim"),))] * (seats - here)
        if known.trouble is not None:
            rows.append(content(((say(trouble(known.trouble), code=known.trouble), "warning"),)))
        self.query_one("#guests", Static).update(Content("\n").join(rows))
        missing = seats - here
        waiting = self.words.count(
            NN_("Waiting for one more player.", "Waiting for {n} more players."), missing
        )
        if not missing:
            waiting = say(N_("Everybody is here: the table is being laid."))
        if room.looking_on:
            waiting = say(N_("You are looking on. {what}"), what=waiting)
        self.query_one("#waiting", Line).show((("     " + waiting, "name"),))
        self.query_one("#terms", Line).show((("     " + self._terms(), "dim"),))
        told = say(N_("Send your friends this invitation (c copies it):"))
        self.query_one("#told", Static).update(content(((told, ""),)))
        invitation = Content(safe(room.invitation, 600))
        if room.spoken:
            said = say(N_("or say: {words}"), words=safe(room.spoken, 200))
            invitation = Content("\n").join((invitation, content(((said, ""),))))
        self.query_one("#invitation", Static).update(invitation)
        copied = say(N_("Copied, if your terminal allows it.")) if self.copied else ""
        self.query_one("#copied", Static).update(Content(copied))

    def _cards(self) -> Pieces:
        """That the host has brought other cards, and a mark of them to compare."""
        deck = self.room.game.deck
        if not deck:
            return ()
        mark = fingerprint(deck).hex()[:8]
        return ((" · " + self.words.say(N_("the host's own cards, {mark}"), mark=mark), "warning"),)

    def _terms(self) -> str:
        """What is agreed for the case that somebody is missing."""
        room, terms = self.room, list[str]()
        if room.limit:
            terms.append(self.words.say(N_("time limit: {n} s"), n=room.limit))
        if room.refereed:
            terms.append(self.words.say(N_("with a referee")))
        if room.escrow:
            terms.append(self.words.say(N_("keys in escrow")))
        return " · ".join(terms)

    def _guest(self, guest: Guest, company: Company) -> Content:
        say = self.words.say
        marks = [say(N_("you"))] if guest.mine else []
        marks += [say(N_("host"))] if guest.host else []
        marks += [say(N_("bot"))] if guest.bot else []
        name = self.words.fold(safe(guest.name, NAME)) or "?"
        pieces: Pieces = ((self.words.fold("● "), "sealed"), (name, "me" if guest.mine else "name"))
        pieces = (*pieces, ("  " + ", ".join(marks), "dim"))
        if guest.mine:
            return content(pieces)
        person = Person(guest.identity, guest.name, met=not guest.bot)
        known = mark(self.words, person, company.standing(person))
        return content((*pieces, ("  " if marks and known else "", ""), *known))

    def action_copy(self) -> None:
        """Put the invitation on the clipboard of the terminal."""
        self.app.copy_to_clipboard(self.room.invitation)
        self.copied = True
        self.relabel()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now."""
        if action == "bot":
            return self.room.can_add_bot
        return super().check_action(action, parameters)

    def action_bot(self) -> None:
        """Let a bot take an empty seat."""
        self.room.add_bot()
        self.relabel()

    def action_leave(self) -> None:
        """Back to the first screen; the worker is cancelled with this screen."""
        self.farfadet.home()
