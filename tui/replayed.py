"""A finished game as a table that screens can show: at one of its positions, seen from one seat.

Nothing can be done at such a table; it is gone through (``Replayed.go``, ``Replayed.on``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from net.play.notices import Notice, Past, Ruled
from net.play.playback import Playback, Position
from net.play.transcript import MOST
from net.play.wire import Refusal
from rules.bots import Chooser
from rules.game import Choose, Game, Illegal, Move, Request, Result, RuleError, Seat, Sight, State

_OTHERWISE: Final = {"unknown-game": "replay-game", "other-rules": "replay-rules"}
"""What keeps a file that may be good from being shown here."""


class ReplayError(Exception):
    """A file that cannot be shown.

    Codes: ``"replay-file"`` (it is no saved game, or damaged where it begins), ``"replay-game"``
    and ``"replay-rules"`` (we do not have that game, or not with these rules), ``"replay-gone"``
    (it cannot be read).
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code


def open_replay(path: Path, me: bytes = b"") -> Replayed:
    """The game in a file, not read yet; raises ``ReplayError``.

    It is seen from the seat of the person whose long-term key is ``me``, if they have played.
    """
    try:
        with open(path, "rb") as file:
            # Of what is too long to be a game, no more than shows that.
            data = file.read(MOST + 1)
        return Replayed(Playback(data), path, me)
    except OSError as error:
        raise ReplayError("replay-gone", error) from error
    except (Refusal, RuleError) as error:
        raise ReplayError(_OTHERWISE.get(error.code, "replay-file"), error) from error


class Replayed:
    """See ``tui.sitting.Sitting``; the game is at position ``at``, seen from the seat ``me``."""

    talk = None
    chosen = None
    patience = None
    away = owing = frozenset[Seat]()
    impatient = stays_out = delegated = False

    def __init__(self, playback: Playback, path: Path, me: bytes = b"") -> None:
        self.playback = playback
        self.path = path
        self.at = 0
        self.me: Seat | None = playback.seat_of(me)

    # Going through it.

    def go(self, at: int) -> None:
        """Go to a position; to the nearest one that there is."""
        self.at = min(max(at, 0), self.playback.last)

    def on(self) -> tuple[Past, ...]:
        """Go on to the next event worth a stop; what has happened until then."""
        playback, before = self.playback, self.at
        self.go(playback.event(playback.events(self.at) + 1))
        return self._past(before, self.at)

    def back(self) -> None:
        """Go back to the event before, or to the beginning."""
        playback = self.playback
        number = playback.events(self.at)
        here = playback.event(number)
        self.go(playback.event(number - 1) if here == self.at else here)

    @property
    def ended(self) -> bool:
        """Whether there is no more, and will be none."""
        return self.at == self.playback.last and self.playback.verdict is not None

    @property
    def position(self) -> Position:
        """Where the game is."""
        # A file that is made to deceive may have taken some of it back.
        return self.playback.positions[min(self.at, self.playback.last)]

    # What the screens need of a table.

    @property
    def game(self) -> Game:
        """What was played."""
        return self.playback.game

    @property
    def state(self) -> State:
        """The public state."""
        return self.position.state

    @property
    def request(self) -> Request | None:
        """What the game waited for."""
        return self.position.request

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return self.playback.names

    @property
    def sight(self) -> Sight:
        """The faces that could be seen from our seat, as far as the file opens them."""
        return self.playback.sight(min(self.at, self.playback.last), self.me)

    @property
    def past(self) -> tuple[Past, ...]:
        """What had happened."""
        return self._past(0, self.at)

    def _past(self, start: int, end: int) -> tuple[Past, ...]:
        """What happened after position ``start`` up to ``end``, as told to our seat."""
        notices = [position.notice for position in self.playback.positions[start + 1 : end + 1]]
        return tuple(
            replace(notice, me=self.me in notice.members) if isinstance(notice, Ruled) else notice
            for notice in notices
            if notice is not None
        )

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that were about to choose."""
        request = self.position.request
        asked = request.seats if isinstance(request, Choose) else ()
        return frozenset(asked) - self.absent

    @property
    def members(self) -> frozenset[Seat]:
        """All seats, and the referee if there was one."""
        return self.playback.members

    @property
    def absent(self) -> frozenset[Seat]:
        """Who had been ruled absent."""
        return self.position.absent

    @property
    def blame(self) -> tuple[Seat, str] | None:
        """Who is convicted, and of what code, at the end."""
        verdict = self.playback.verdict
        if not self.ended or verdict is None or verdict.seat is None or verdict.fault is None:
            return None
        return verdict.seat, verdict.fault

    @property
    def result(self) -> Result | None:
        """The result, at the end."""
        verdict = self.playback.verdict
        return None if not self.ended or verdict is None else verdict.result

    @property
    def step(self) -> int:
        """Of a finished game none is open: how many there were."""
        verdict = self.playback.verdict
        return 0 if verdict is None else verdict.steps

    @property
    def messages(self) -> int:
        """How many signed messages the file holds, if all is well with it; else 0."""
        verdict = self.playback.verdict
        return verdict.messages if verdict is not None and verdict.good else 0

    @property
    def saved(self) -> Path | None:
        """The file."""
        return self.path

    # Nothing can be done.

    def moves(self) -> tuple[Move, ...]:
        """None."""
        return ()

    def choose(self, move: Move) -> None:
        """Too late."""
        raise Illegal("looking-on")

    def listen(self, callback: Callable[[Notice], None]) -> None:
        """There is nothing to be heard."""

    def delegate(self, choose: Chooser | None) -> None:
        """Too late."""

    def go_on(self) -> None:
        """Too late."""

    def come_back(self) -> None:
        """Too late."""

    async def run(self) -> None:
        """It is over."""
