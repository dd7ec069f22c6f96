"""The course of a game, as one script: sign the charter, serve every request, sign the end.

While somebody is absent, those who are there call the roll before each choice and each shuffle.

This is the whole protocol from above; what serves a request is in ``net/play/commitment.py`` and
``net/deck/``, and what runs the script in ``net/play/table.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from nacl.signing import SigningKey

from net.play.commitment import choose_openly, choose_secretly
from net.play.digest import digest
from net.play.notices import DealtAnew, Happened, Returned
from net.play.roster import Roster
from net.play.rounds import Absent, Fault, Here, Redealt, Round, Script
from net.play.wire import Refusal, pack
from rules.form import plain
from rules.game import (
    Choose,
    Deal,
    Dealt,
    Event,
    Face,
    Game,
    Open,
    Opened,
    Over,
    Request,
    Result,
    Seat,
    Shuffle,
    Shuffled,
    Slot,
    State,
)


class Deck(Protocol):
    """What serves a game's hidden things, as scripts of rounds (``net/deck/sealed.py``)."""

    @property
    def sight(self) -> Mapping[Slot, Face]:
        """The faces that our own seat has seen."""

    def shuffle(self, faces: tuple[Face, ...]) -> Script[tuple[Slot, ...]]:
        """Seal the faces; the slots from the top."""

    def open(self, slots: tuple[Slot, ...]) -> Script[tuple[tuple[Slot, Face], ...]]:
        """Turn the slots up for everybody."""

    def deal(self, slots: tuple[Slot, ...], to: Seat) -> Script[None]:
        """Let one seat see the slots."""

    def welcome(self, seats: tuple[Seat, ...]) -> Script[None]:
        """These seats were absent and are back."""


@dataclass(frozen=True, slots=True)
class Player:
    """Our own place at the table: the seat, its key, and the secret all its secrets come from."""

    seat: Seat
    key: SigningKey
    secret: bytes


class Course:
    """One game from start to end, as ``player`` (or somebody who only follows) sees it."""

    def __init__(
        self,
        game: Game,
        seats: int,
        deck: Deck,
        player: Player | None,
        roster: Roster,
        tell: Callable[[Happened | DealtAnew | Returned], None],
    ) -> None:
        self.state: State = game.start(seats)
        self.request: Request | None = None
        self.result: Result | None = None
        self._game = game
        self._seats = tuple(range(seats))
        self._deck = deck
        self._player = player
        self._roster = roster
        self._tell = tell

    def script(self) -> Script[None]:
        """The script to be run, once. A ``rules.game.Foul`` passes through it."""
        yield Round("sign", self._seats, lambda _: None, _nothing)
        while not isinstance(request := self._game.request(self.state), Over):
            self.request = request
            before = self.state
            try:
                if self._roster.absent and isinstance(request, Choose | Shuffle):
                    yield from self._roll()
                event = yield from self._serve(request)
            except Redealt:
                self.state = self._game.redealt(before)
                self._tell(DealtAnew(before, self.state))
                continue
            self.state = self._game.apply(before, event)
            self._tell(Happened(before, event, self.state))
        self.request, self.result = request, request.result
        hashed = digest(b"farfadet result", pack(plain(request.result)))

        def same(_: Here, __: Seat, body: Any) -> None:
            if body != hashed:
                raise Fault("wrong-result")

        yield Round("result", self._seats, lambda _: hashed, same)

    def _roll(self) -> Script[None]:
        """Let those come back who want to: whoever is heard by one of us is back for all."""

        def read(_: Here, __: Seat, body: Any) -> frozenset[Seat]:
            try:
                return self._roster.read(body)
            except Refusal as refusal:
                raise Fault("bad-roll", refusal.code) from refusal

        heard = yield Round("roll", self._seats, lambda _: self._roster.called(), read, once=True)
        back = frozenset[Seat]().union(
            *(members for members in heard.values() if not isinstance(members, Absent))
        )
        if back:
            self._roster.admit(back)
            self._tell(Returned(back))
            yield from self._deck.welcome(tuple(sorted(back & self._roster.seats)))

    def _serve(self, request: Request) -> Script[Event]:
        player = self._player
        match request:
            case Shuffle(faces):
                return Shuffled((yield from self._deck.shuffle(faces)))
            case Deal(slots, to):
                yield from self._deck.deal(slots, to)
                return Dealt(slots, to)
            case Open(slots):
                return Opened((yield from self._deck.open(slots)))
            case Choose(secret=True):
                me, secret = (player.seat, player.secret) if player else (None, None)
                return (yield from choose_secretly(self._game, self.state, request, me, secret))
            case Choose():
                return (yield from choose_openly(self._game, self.state, request))
        raise AssertionError(request)


def _nothing(_: Here, __: Seat, body: Any) -> None:
    if body is not None:
        raise Fault("bad-body")
