"""A table before the game: who is here, and the invitation for those who are not yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from net.people.talk import Talk
from tui import boards
from tui.actions import Action, bindings
from tui.company import Company, Person
from tui.going import begun
from tui.screens.talk import Talking
from tui.sitting import Guest, Room
from tui.story.gathering import cards, terms, waiting
from tui.story.trust import mark
from tui.style import content
from tui.text import safe
from tui.troubles import trouble
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.wish import LIMITS, neighbour
from tui.words import N_, Pieces

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
            seated = await begun(self.farfadet.doors, self.room)
        except Exception as error:
            self.farfadet.home(self.farfadet.explain(error))
            return
        title = self.words.say(boards.voice(self.game).TITLE)
        told = self.words.say(N_("{game}: the table is complete."), game=title)
        self.farfadet.attention.call(told)
        self.farfadet.home()
        self.farfadet.sit(seated.sitting, seated.company)

    def _changed(self) -> None:
        if self.is_attached:
            self.call_later(self.relabel)

    def relabel(self) -> None:
        """Who is here, and who is still missing."""
        super().relabel()
        say, room = self.words.say, self.room
        title = say(boards.voice(self.game).TITLE)
        here, seats = len(room.guests), room.seats
        taken = say(N_("{n} of {m} seats taken"), n=here, m=seats)
        self.query_one("#top", Line).show(
            ((title, "title"), *cards(self.words, room)), ((taken, "event"),)
        )
        self.show_talk()
        known = self.farfadet.doors.known
        company = Company.of_guests(known, room.guests, None)
        rows = [self._guest(guest, company) for guest in room.guests]
        free = say(N_("a free seat"))
        rows += [content((("  " + free, "dim"),))] * (seats - here)
        if known.trouble is not None:
            rows.append(content(((say(trouble(known.trouble), code=known.trouble), "warning"),)))
        self.query_one("#guests", Static).update(Content("\n").join(rows))
        key = self.farfadet.keymap.spoken("table.ready", self.words)
        for_us = say(N_("Everybody is here and waits for you: {key} when you are ready."), key=key)
        self.query_one("#waiting", Line).show(
            (("     " + waiting(self.words, room, for_us), "name"),)
        )
        self.query_one("#terms", Line).show((("     " + terms(self.words, room), "dim"),))
        told = say(N_("Send your friends this invitation (c copies it):"))
        self.query_one("#told", Static).update(content(((told, ""),)))
        invitation = Content(safe(room.invitation, 600))
        if room.spoken:
            said = say(N_("or say: {words}"), words=safe(room.spoken, 200))
            invitation = Content("\n").join((invitation, content(((said, ""),))))
        self.query_one("#invitation", Static).update(invitation)
        copied = say(N_("Copied, if your terminal allows it.")) if self.copied else ""
        self.query_one("#copied", Static).update(Content(copied))
        self.farfadet.attention.look()

    def state(self) -> str:
        """The game, and how many are here."""
        title = self.words.say(boards.voice(self.game).TITLE)
        here, seats = len(self.room.guests), self.room.seats
        said = self.words.say(N_("{n} of {m} seats taken"), n=here, m=seats)
        return f"{said} · {title}"

    def _guest(self, guest: Guest, company: Company) -> Content:
        say = self.words.say
        marks = [say(N_("you"))] if guest.mine else []
        marks += [say(N_("host"))] if guest.host else []
        marks += [say(N_("bot"))] if guest.bot else []
        name = self.words.fold(safe(guest.name, NAME)) or "?"
        marks += [] if guest.ready else [say(N_("not ready yet"))]
        sign = ("● ", "sealed") if guest.ready else ("… ", "warning")
        pieces: Pieces = (
            (self.words.fold(sign[0]), sign[1]),
            (name, "me" if guest.mine else "name"),
        )
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

    def label(self, action: Action) -> str:
        """Whoever is not ready can be."""
        again = action.name == "ready" and not self.room.ready
        return N_("I am ready") if again else super().label(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now."""
        if action == "bot":
            return self.room.can_add_bot
        if action == "ready":
            return not self.room.looking_on
        if action in ("fewer", "more", "limit"):
            return self.room.offer is not None
        return super().check_action(action, parameters)

    def action_bot(self) -> None:
        """Let a bot take an empty seat."""
        self.room.add_bot()
        self.relabel()

    def action_ready(self) -> None:
        """Let the others wait, or no longer."""
        self.room.get_ready(not self.room.ready)
        self.relabel()

    def action_fewer(self) -> None:
        """One seat fewer."""
        self._seats(-1)

    def action_more(self) -> None:
        """One seat more."""
        self._seats(1)

    def action_limit(self) -> None:
        """The next time limit."""
        self.room.amend(seats=self.room.seats, limit=neighbour(LIMITS, self.room.limit, 1))
        self.relabel()

    def _seats(self, step: int) -> None:
        self.room.amend(seats=self.room.seats + step, limit=self.room.limit)
        self.relabel()

    def action_leave(self) -> None:
        """Back to the first screen; the worker is cancelled with this screen."""
        self.farfadet.home()
