"""A finished game to look at again: its positions, from a transcript that is judged meanwhile.

The file is heard as the audit hears it (``net/play/audit.py``): there is no second reading. What
has happened are the notices that the screens of a game live on, so whoever shows them can go
through a game of yesterday as through one of today.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from net.play.audit import Hearing, Verdict
from net.play.notices import Happened, Past, Returned, Rewound, Ruled
from net.play.sights import Looks, Sights
from rules.game import Chosen, Game, Request, Seat, Sight, State


@dataclass(frozen=True, slots=True)
class Position:
    """The table at one moment: after ``notice``, or before anything for the first one."""

    notice: Past | None
    state: State
    request: Request
    """What the game waits for."""
    round: int
    """As the players of the game count."""
    absent: frozenset[Seat]
    looks: Looks
    heard: int
    """How many messages of the file had been heard."""


class _Stopped(Exception):
    """Nobody wants any more of it."""


class Playback:
    """The positions of the game in the bytes of a transcript; ``read`` finds them.

    It may be read in one thread and looked at in another: positions are added and stay. (Only a
    file that is made to deceive takes some back.) Raises ``net.play.wire.Refusal`` or
    ``rules.game.RuleError`` for what does not even begin as a game that can be followed here.
    """

    def __init__(self, data: bytes) -> None:
        self._hearing = Hearing(data)
        charter, table = self._hearing.charter, self._hearing.table
        self.names = charter.names
        """The players' names: text from the network, not yet made harmless."""
        self.game: Game = table.game
        self.members = table.roster.members
        self.verdict: Verdict | None = None
        """The audit's, once the file has been read."""
        self.stopped = False
        """Set it to have no more of the file read."""
        self._identities = [chair.identity for chair in charter.chairs]
        self._size, self._seats = len(data), len(charter.chairs)
        self._start()
        self._take()

    # Reading.

    @property
    def progress(self) -> float:
        """How much of the file has been read, from 0 to 1."""
        return 1.0 if self.verdict is not None else self._hearing.read / self._size

    def read(self, told: Callable[[], None] = lambda: None) -> None:
        """Hear the whole file, calling ``told`` after each message, until it is ``stopped``."""

        def watch() -> None:
            self._take()
            told()
            if self.stopped:
                raise _Stopped

        try:
            self.verdict = self._hearing.verdict(watch)
        except _Stopped:
            return

    def _start(self) -> None:
        self._sights = Sights(self._seats)
        state = self.game.start(self._seats)
        request, looks = self.game.request(state), self._sights.looks
        self.positions = [Position(None, state, request, 0, frozenset(), looks, 0)]
        self._stops: list[int] = []

    def _take(self) -> None:
        """Take in what the table has told since it was last looked at."""
        notices = self._hearing.table.notices
        while notices:
            notice = notices.popleft()
            if isinstance(notice, Rewound):
                self._start()
                for past in notice.past:
                    self._add(past)
            elif isinstance(notice, Past):
                self._add(notice)

    def _add(self, notice: Past) -> None:
        before = self.positions[-1]
        state, absent = before.state, before.absent
        match notice:
            case Ruled(members):
                absent |= members
            case Returned(members):
                absent -= members
            case _:
                state = notice.after
        self._sights.take(notice, absent, self._hearing.table.sight)
        worth = not isinstance(notice, Happened) or (
            isinstance(notice.event, Chosen) or bool(self.game.tell(notice.before, notice.event))
        )
        if worth:
            self._stops.append(len(self.positions))
        request, looks, heard = self.game.request(state), self._sights.looks, self._hearing.heard
        round_ = self.game.round(state)
        self.positions.append(Position(notice, state, request, round_, absent, looks, heard))

    # Looking.

    def seat_of(self, identity: bytes) -> Seat | None:
        """Where the person with this long-term key has played; ``None`` if nowhere."""
        return self._identities.index(identity) if identity in self._identities else None

    @property
    def last(self) -> int:
        """The last position so far."""
        return len(self.positions) - 1

    @property
    def rounds(self) -> int:
        """The last round so far."""
        return self.positions[-1].round

    def sight(self, at: int, seat: Seat | None) -> Sight:
        """What ``seat`` could see at a position, as far as the file has opened it by now.

        For ``None``, what everybody could. See ``net/play/sights.py``.
        """
        return self._sights.sight(self.positions[at].looks, seat)

    def round_start(self, number: int) -> int:
        """Where a round begins; of those there are, the nearest one."""
        number = min(max(number, 0), self.rounds)
        return bisect_left(self.positions, number, key=lambda position: position.round)

    # Not every event is worth a stop: only choices, and what there is something to tell about.

    def events(self, at: int | None = None) -> int:
        """How many events worth a stop there are, up to a position or in all."""
        return len(self._stops) if at is None else bisect_right(self._stops, at)

    def event(self, number: int) -> int:
        """The position after so many of them: the first one of all for 0 or less."""
        if number >= len(self._stops):
            return self.last
        return self._stops[number - 1] if number > 0 else 0
