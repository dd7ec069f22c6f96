"""Ways to tables that are none, for tests of the screens: they note what was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import rules
from net.link.address import Broker
from net.link.memory import Hub
from net.meeting.again import Reunion
from net.meeting.lobby import Lobby
from net.meeting.seating import Offer
from net.people.friends_file import FriendsFile
from net.people.talk import Talk
from net.play.journal import Ticket
from net.play.resume import Saved
from rules.bots import Chooser, bot
from rules.bots.chooser import Dice
from rules.game import (
    Game,
)
from tests.sim.nodes import agreed
from tests.tui.fake import FakeSitting
from tui.near import Near
from tui.sitting import Host, Room, Sitting
from tui.wish import Wish


@dataclass(frozen=True)
class FakeGuest:
    """Somebody at a table before the game."""

    name: str
    bot: bool = False
    host: bool = False
    mine: bool = False
    identity: bytes = b""
    ready: bool = True


@dataclass
class FakeRoom:
    """A room that fills when the test says so."""

    guests: tuple[FakeGuest, ...] = (FakeGuest("Ana", host=True, mine=True), FakeGuest("Bo"))
    seats: int = 4
    invitation: str = (
        "farfadet://192.168.1.20:21883/4f3b9c1a2d5e6f708192a3b4c5d6e7f8"
        "#q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"
    )
    spoken: str = "safom-bahih-latoj-katuf-kijuh-ramal"
    words: str | None = None
    talk: Talk | None = None
    looking_on: bool = False
    begun: bool = False
    limit: int = 0
    refereed: bool = False
    escrow: bool = False
    game: Game = field(default_factory=lambda: rules.load("taverne"))
    sitting: FakeSitting = field(default_factory=FakeSitting)
    error: Exception | None = None
    can_add_bot: bool = False
    ours: bool = False
    """Whether it is our table, which we can change."""
    full: asyncio.Event = field(default_factory=asyncio.Event)
    changed: list[Callable[[], None]] = field(default_factory=list)

    def listen(self, callback: Callable[[], None]) -> None:
        """Call back at every change."""
        self.changed.append(callback)

    async def wait(self) -> Sitting:
        """Until the test has filled the room."""
        await self.full.wait()
        if self.error is not None:
            raise self.error
        return self.sitting

    @property
    def ready(self) -> bool:
        """Whether we are."""
        return all(guest.ready for guest in self.guests if guest.mine)

    def get_ready(self, ready: bool) -> None:
        """Be it, or not."""
        self.guests = tuple(
            replace(guest, ready=ready) if guest.mine else guest for guest in self.guests
        )

    @property
    def offer(self) -> Offer | None:
        """What we want to play, if it is our table."""
        return Offer(self.game, self.seats, self.limit) if self.ours else None

    def amend(self, *, seats: int, limit: int) -> None:
        """Like a real one."""
        if self.ours and seats in self.game.seats and seats >= len(self.guests):
            self.seats, self.limit = seats, limit

    def add_bot(self) -> None:
        """At once."""
        self.can_add_bot = len(self.guests) + 1 < self.seats
        self.arrive(FakeGuest("Puck", bot=True))

    def arrive(self, *guests: FakeGuest) -> None:
        """More guests."""
        self.guests = (*self.guests, *guests)
        for callback in self.changed:
            callback()


class Coded(Exception):
    """An error as the ways to a table raise them."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def a_saved_table() -> Saved:
    """A table one left: seat 1 of three at Gnomia."""
    charter, players = agreed(7, 3, rules.load("gnomia"))
    ticket = Ticket(charter.data(), 1, bytes(players[1].key), players[1].secret)
    return Saved(Path("/home/ana/gnomia-0123456789ab"), ticket, charter, 0.0)


@dataclass
class FakeDoors:
    """Ways to fakes; ``asked`` lists what was asked for."""

    sitting: FakeSitting = field(default_factory=FakeSitting)
    room: FakeRoom = field(default_factory=FakeRoom)
    error: Exception | None = None
    known: FriendsFile = field(default_factory=lambda: FriendsFile(None, b"me"))
    asked: list[tuple[object, ...]] = field(default_factory=list)
    tables: list[Saved] = field(default_factory=list)
    friends: Reunion | None = None
    """Those who have played at the table that has ended."""

    around: Near = field(default_factory=lambda: Near(None, None))
    """What is near."""

    games: Path = Path("games-that-are-nowhere")
    """Where finished games are."""

    def call_me(self, name: str) -> None:
        """Another name."""
        self._ask("call_me", name)

    async def near(self) -> Near:
        """The tables near us."""
        return self.around

    def stand_in(self) -> Chooser:
        """A program."""
        return bot("steady", Dice(1))

    def wish(self, sitting: Sitting) -> Wish:
        """The same again."""
        return Wish(sitting.game.name, len(sitting.names), bots=1)

    def reunion(self, sitting: Sitting) -> Reunion | None:
        """The friends, if there are any."""
        return self.friends

    def part(self) -> None:
        """No more friends."""
        self.friends = None

    async def play(self, game: str, seats: int, level: str, deck: str = "") -> Sitting:
        """A table against bots."""
        self._ask("play", game, seats, level, *([deck] if deck else []))
        return self.sitting

    async def host(self, wanted: Host) -> Room:
        """A table of our own."""
        more = [term for term in (wanted.deck, wanted.limit) if term]
        self._ask("host", wanted.game, wanted.seats, wanted.bots, *more)
        return self.room

    def lobby(self) -> Lobby:
        """Where nobody is."""
        return Lobby(Hub().transport(), Broker("127.0.0.1", 1883))

    async def quick(self, game: str = "") -> Room:
        """A stranger's table."""
        self._ask("quick", game)
        return self.room

    def saved(self) -> list[Saved]:
        """The tables to go back to."""
        return self.tables

    def seat_at(self, invitation: str) -> Saved | None:
        """None: all invitations are new."""
        return None

    def forget(self, table: Saved) -> None:
        """Give up a seat."""
        self._ask("forget", table)
        self.tables.remove(table)

    async def resume(self, table: Saved) -> Sitting:
        """An old seat."""
        self._ask("resume", table)
        return self.sitting

    async def join(self, invitation: str) -> Room:
        """A friend's table."""
        self._ask("join", invitation)
        return self.room

    async def watch(self, invitation: str) -> FakeRoom:
        """A table to look at."""
        self._ask("watch", invitation)
        return self.room

    def _ask(self, *what: object) -> None:
        self.asked.append(what)
        if self.error is not None:
            raise self.error
