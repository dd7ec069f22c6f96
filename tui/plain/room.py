"""A table before the game: who comes and goes, the invitation, and waiting for the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from net.people.talk import Talk
from tui import boards
from tui.company import Company, Person, called
from tui.going import Seated, begun, gives_way
from tui.plain.place import Command, Place, Way
from tui.sitting import Guest, Home, Room
from tui.story.gathering import cards, terms, waiting
from tui.story.trust import mark
from tui.text import safe
from tui.wish import LIMITS
from tui.words import N_, text

if TYPE_CHECKING:
    from tui.plain.client import Client


class Gathering(Place[Seated | Way]):
    """In a ``room``, until the game begins there or one leaves."""

    COMMANDS: ClassVar = (
        Command(("invite", "inviter"), N_("the invitation once more")),
        Command(("who", "qui"), N_("who is here, and what is agreed")),
        Command(("bot", "robot"), N_("a bot takes an empty seat")),
        Command(("ready", "prêt", "pret"), N_("let the others wait for you, or no longer")),
        Command(("players", "joueurs"), N_("how many play"), N_("NUMBER")),
        Command(
            ("limit", "limite"), N_("seconds that each step may take; 0: no limit"), N_("NUMBER")
        ),
    )

    def __init__(self, client: Client, room: Room) -> None:
        super().__init__(client)
        self.room = room
        self._told: list[str] = []

    @property
    def game(self) -> str:
        """The game that will be played."""
        return self.room.game.name

    @property
    def talk(self) -> Talk | None:
        """The talk in the room."""
        return self.room.talk

    def home(self) -> Seated | Way:
        """The menu."""
        return Home()

    def usable(self, command: Command) -> bool:
        """Only the host adds bots and changes what is agreed."""
        match command.names[0]:
            case "bot":
                return self.room.can_add_bot
            case "players" | "limit":
                return self.room.offer is not None
            case "ready":
                return not self.room.looking_on
        return True

    async def wait(self) -> Seated | Way:
        """Where one goes from here; raises what the room does."""
        waiting = asyncio.create_task(begun(self.client.doors, self.room))
        waiting.add_done_callback(self._ended)
        try:
            return await self.stay()
        finally:
            waiting.remove_done_callback(self._ended)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    def _ended(self, waiting: asyncio.Task[Seated]) -> None:
        error = waiting.exception()
        if isinstance(error, Exception):
            self.fail(error)
        elif error is None:
            self.go(waiting.result())

    # What is told.

    def arrive(self) -> None:
        """Who is here, and how others come."""
        self.room.listen(self._changed)
        words = self.client.words
        title = ((words.say(boards.voice(self.game).TITLE), ""), *cards(words, self.room))
        self.tell(title)
        if not self.room.looking_on:
            self.do_invite("")
        self.do_who("")
        reunion = self.client.reunion
        if reunion is not None:
            reunion.listen(self._give_way)

    def remind(self) -> None:
        """All of it."""
        self.do_who("")

    def do_who(self, _: str) -> None:
        """Everybody, the terms, what is waited for."""
        self._told = self._lines()
        for line in self._told:
            self.client.tell(line)

    def do_invite(self, _: str) -> None:
        """To be sent, and to be said."""
        self.say(N_("Send your friends this invitation:"))
        self.client.tell(safe(self.room.invitation, 600))
        if self.room.spoken:
            self.say(N_("or say: {words}"), words=safe(self.room.spoken, 200))

    def _changed(self) -> None:
        if self._next.done():
            return
        before, self._told = self._told, self._lines()
        for line in self._told:
            if line not in before:
                self.client.tell(line)

    def _lines(self) -> list[str]:
        words, room = self.client.words, self.room
        company = Company.of_guests(self.client.doors.known, room.guests, None)
        for_us = words.say(N_("Everybody is here and waits for you: /ready when you are."))
        return [
            *[self._guest(guest, company) for guest in room.guests],
            terms(words, room),
            words.say(N_("{n} of {m} seats taken"), n=len(room.guests), m=room.seats),
            waiting(words, room, for_us),
            self.around(),
        ]

    def _guest(self, guest: Guest, company: Company) -> str:
        say = self.client.words.say
        marks = [say(N_("you"))] if guest.mine else []
        marks += [say(N_("host"))] if guest.host else []
        marks += [say(N_("bot"))] if guest.bot else []
        marks += [] if guest.ready else [say(N_("not ready yet"))]
        if not guest.mine:
            person = Person(guest.identity, guest.name, met=not guest.bot)
            known = text(mark(self.client.words, person, company.standing(person)))
            marks += [known.strip()] if known else []
        name = called(self.client.words, guest.name)
        return say(N_("{what}: {value}"), what=name, value=", ".join(marks) or say(N_("here")))

    # What one does.

    def do_bot(self, _: str) -> None:
        """In an empty seat."""
        if self.room.can_add_bot:
            self.room.add_bot()
            self._changed()
        else:
            self.say(N_("No bot can take a seat here now."))

    def do_ready(self, _: str) -> None:
        """Or not."""
        if not self.room.looking_on:
            self.room.get_ready(not self.room.ready)
            said = N_("You are ready.") if self.room.ready else N_("The others wait for you.")
            self.say(said)

    def do_players(self, written: str) -> None:
        """More seats, or fewer."""
        self._amend(written, self.room.game.seats, seats=True)

    def do_limit(self, written: str) -> None:
        """Another time limit."""
        self._amend(written, LIMITS, seats=False)

    def _amend(self, written: str, values: range | tuple[int, ...], *, seats: bool) -> None:
        room = self.room
        if room.offer is None:
            self.say(N_("That is for the host to say, before the game."))
        elif written.isdecimal() and int(written) in values:
            number = int(written)
            room.amend(seats=number if seats else room.seats, limit=room.limit if seats else number)
            self._changed()
        else:
            self.say(N_("It can be: {values}"), values=", ".join(map(str, values)))

    def _give_way(self) -> None:
        """Somebody with whom we have just played waits at a table of their own."""
        reunion = self.client.reunion
        way = None if reunion is None else gives_way(reunion, self.room)
        if way is not None:
            self.go(way)
