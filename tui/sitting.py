"""What the screens need of a table, of a room before the game, and of the way to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    # The first screen is not to wait for the network's code.
    from net.meeting.again import Reunion
    from net.meeting.lobby import Lobby
    from net.meeting.seating import Offer
    from net.people.friends_file import FriendsFile
    from net.people.talk import Talk
    from net.play.notices import Notice, Past
    from net.play.resume import Saved
    from rules.bots import Chooser
    from rules.game import Game, Move, Request, Result, Seat, Sight, State
    from tui.near import Near
    from tui.wish import Wish

GAME: Final = "taverne"
SEATS: Final = 4
LEVEL: Final = "steady"


class Sitting(Protocol):
    """A seat, or a look, at one table. Names in it are text from the network."""

    @property
    def game(self) -> Game:
        """What is played."""

    @property
    def state(self) -> State:
        """The public state."""

    @property
    def request(self) -> Request | None:
        """What the game waits for; ``None`` before it starts and after it was stopped."""

    @property
    def me(self) -> Seat | None:
        """Our seat; ``None`` for somebody who only looks on."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""

    @property
    def talk(self) -> Talk | None:
        """The chat here; ``None`` where there is nobody to talk to."""

    @property
    def sight(self) -> Sight:
        """The faces we have seen."""

    @property
    def past(self) -> tuple[Past, ...]:
        """What had happened before we came (back) to the table."""

    @property
    def owing(self) -> frozenset[Seat]:
        """The seats that still owe their part of the open step."""

    @property
    def away(self) -> frozenset[Seat]:
        """The seats that have not been heard for a while."""

    @property
    def chosen(self) -> Move | None:
        """Our sealed choice of the open step."""

    @property
    def blame(self) -> tuple[Seat, str] | None:
        """Who is convicted, and of what code; the table has stopped."""

    @property
    def result(self) -> Result | None:
        """The result, once there is one."""

    @property
    def step(self) -> int:
        """The number of the open step."""

    @property
    def messages(self) -> int:
        """How many signed messages the transcript holds."""

    @property
    def saved(self) -> Path | None:
        """Where the transcript was saved, once the game has ended."""

    @property
    def asked(self) -> frozenset[Seat]:
        """See ``net.play.peer.Peer``."""

    @property
    def members(self) -> frozenset[Seat]:
        """See ``net.play.peer.Peer``."""

    @property
    def absent(self) -> frozenset[Seat]:
        """See ``net.play.peer.Peer``."""

    @property
    def patience(self) -> float | None:
        """See ``net.play.peer.Peer``."""

    @property
    def impatient(self) -> bool:
        """See ``net.play.peer.Peer``."""

    @property
    def stays_out(self) -> bool:
        """See ``net.play.peer.Peer``."""

    @property
    def delegated(self) -> bool:
        """See ``net.play.peer.Peer``."""

    def delegate(self, choose: Chooser | None) -> None:
        """See ``net.play.peer.Peer``."""

    def go_on(self) -> None:
        """See ``net.play.peer.Peer``."""

    def come_back(self) -> None:
        """See ``net.play.peer.Peer``."""

    def moves(self) -> tuple[Move, ...]:
        """What we may choose now; nothing if nothing is asked of us."""

    def choose(self, move: Move) -> None:
        """Seal our choice, for good. Raises ``rules.game.Illegal``."""

    def listen(self, callback: Callable[[Notice], None]) -> None:
        """Call ``callback`` for every notice, in the loop's own thread."""

    async def run(self) -> None:
        """Play until the end; cancel it to leave. An error has a ``code``."""


class Guest(Protocol):
    """Somebody who has taken a seat before the game."""

    @property
    def name(self) -> str:
        """The name, as text from the network."""

    @property
    def bot(self) -> bool:
        """Whether it is a program."""

    @property
    def host(self) -> bool:
        """Whether it made the table."""

    @property
    def mine(self) -> bool:
        """Whether it is us."""

    @property
    def identity(self) -> bytes:
        """The person's long-term key."""

    @property
    def ready(self) -> bool:
        """Whether the game may begin, as far as this guest is concerned."""


class Room(Protocol):
    """A table before the game."""

    @property
    def game(self) -> Game:
        """What will be played."""

    @property
    def seats(self) -> int:
        """How many will play."""

    @property
    def invitation(self) -> str:
        """What a friend needs to join."""

    @property
    def limit(self) -> int:
        """See ``net.meeting.room.Room``."""

    @property
    def refereed(self) -> bool:
        """See ``net.meeting.room.Room``."""

    @property
    def escrow(self) -> bool:
        """See ``net.meeting.room.Room``."""

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Who is here."""

    @property
    def words(self) -> str | None:
        """Four words to compare aloud, once they are known."""

    @property
    def looking_on(self) -> bool:
        """Whether we will have no seat here."""

    @property
    def spoken(self) -> str:
        """The invitation as it can be said aloud; empty if there is none."""

    @property
    def can_add_bot(self) -> bool:
        """See ``net.meeting.room.Room``."""

    def add_bot(self) -> None:
        """See ``net.meeting.room.Room``."""

    @property
    def ready(self) -> bool:
        """See ``net.meeting.gathering.Gathering``."""

    def get_ready(self, ready: bool) -> None:
        """See ``net.meeting.gathering.Gathering``."""

    @property
    def offer(self) -> Offer | None:
        """See ``net.meeting.gathering.Gathering``."""

    def amend(self, *, seats: int, limit: int) -> None:
        """See ``net.meeting.gathering.Gathering``."""

    @property
    def talk(self) -> Talk | None:
        """The chat here."""

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever something here has changed."""

    async def wait(self) -> Sitting:
        """The table, once everybody is here; cancel it to leave. An error has a ``code``."""


class Lookout(Room, Protocol):
    """A table before the game, or during it, as somebody without a seat sees it."""

    @property
    def begun(self) -> bool:
        """Whether the game has begun, and there is nothing to wait for."""


class Doors(Protocol):
    """The ways to a table. Each may raise an error with a ``code``.

    ``deck`` is the text of cards to play with in place of the game's own.
    """

    @property
    def known(self) -> FriendsFile:
        """The people one has met."""

    @property
    def games(self) -> Path:
        """The folder in which finished games are kept."""

    async def play(self, game: str, seats: int, level: str, deck: str = "") -> Sitting:
        """A table against bots, in this process."""

    async def host(self, wanted: Host) -> Room:
        """A table of our own, for friends."""

    async def join(self, invitation: str) -> Room:
        """A friend's table."""

    async def watch(self, invitation: str) -> Lookout:
        """A table to look at."""

    async def near(self) -> Near:
        """The tables near us; we begin to look at the first call."""

    def lobby(self) -> Lobby:
        """The open tables on the shared broker, to be entered; ``join`` leads to one of them."""

    async def quick(self, game: str = "") -> Room:
        """A seat at the best open table for ``game``, or for any."""

    def saved(self) -> Sequence[Saved]:
        """The tables one can go back to, the latest first."""

    def seat_at(self, invitation: str) -> Saved | None:
        """The table that ``invitation`` once led us to, if we still have a seat there."""

    def forget(self, table: Saved) -> None:
        """Give up our seat at ``table`` for good."""

    async def resume(self, table: Saved) -> Sitting:
        """Our old seat at ``table``."""

    def stand_in(self) -> Chooser:
        """A program that can play for our player."""

    def wish(self, sitting: Sitting) -> Wish:
        """What it takes to play once more what was played at a table."""

    def reunion(self, sitting: Sitting) -> Reunion | None:
        """The people of a table that has ended, until ``part``; ``None`` if they were all bots."""

    def part(self) -> None:
        """We wait for nobody any more: not for strangers, not for those who have played with us."""

    def call_me(self, name: str) -> None:
        """Our name at tables to come."""


@dataclass(frozen=True, slots=True)
class Home:
    """Start at the first screen."""


@dataclass(frozen=True, slots=True)
class Play:
    """Go straight to a game against bots."""

    game: str = GAME
    seats: int = SEATS
    level: str = LEVEL
    deck: str = ""


@dataclass(frozen=True, slots=True)
class Host:
    """Go straight to a table of our own.

    ``limit`` is how many seconds a step may take before those who are missing can be gone on
    without (0: no limit). With ``referee``, one that is on the broker watches over the table.
    ``escrow`` lets the others open cards in the place of somebody who is missing (``None``: with a
    referee, yes; without one, no, since all of somebody's opponents together could read its cards).
    An ``open`` table is listed in the lobby of its broker, also while it is played if it may be
    ``watched``. Bots take what seats are empty ``bots_after`` so many seconds (0: never).
    """

    game: str = GAME
    seats: int = SEATS
    bots: int = 0
    deck: str = ""
    limit: int = 0
    referee: bool = False
    escrow: bool | None = None
    open: bool = False
    watched: bool = True
    bots_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Join:
    """Go straight to a friend's table."""

    invitation: str


@dataclass(frozen=True, slots=True)
class Quick:
    """Go straight to the best open table on the broker: for ``game``, or for any."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Watch:
    """Go straight to a table to look at."""

    invitation: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Go straight back to the table one played at last."""


Start: TypeAlias = Home | Play | Host | Join | Quick | Watch | Resume
"""What the app does first."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Go straight to a finished game, in the ``file``; without one, to the list of them."""

    file: Path | None = None
