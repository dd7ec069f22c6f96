"""Tables without a network: the open deck behind the interface that the screens know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import rules
from net.people.talk import Talk
from net.play.notices import (
    Away,
    Contributed,
    DealtAnew,
    Ended,
    Happened,
    Notice,
    Returned,
    Ruled,
)
from net.play.patience import FORGIVEN
from net.play.roster import Roster
from net.play.rounds import Here
from rules.bots import Chooser
from rules.bots.chooser import Dice
from rules.deal import OpenDeck
from rules.game import (
    Choose,
    Chosen,
    Event,
    Game,
    Illegal,
    Move,
    Over,
    Request,
    Result,
    Seat,
    Sight,
    State,
)

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Félix")


class FakeSitting:
    """A seat at an open table whose other players choose when, and what, the test says.

    Until ``begin`` nothing has happened; after it the game waits for its first choice.
    """

    def __init__(
        self,
        seats: int = 4,
        seed: int = 1,
        me: Seat | None = 0,
        names: tuple[str, ...] = NAMES,
        game: str = "taverne",
        referee: bool = False,
    ) -> None:
        self.game: Game = rules.load(game)
        self.me = me
        self.names = names[:seats]
        self.state: State = self.game.start(seats)
        self.request: Request | None = None
        self.chosen: Move | None = None
        self.blame: tuple[Seat, str] | None = None
        self.result: Result | None = None
        self.step = 0
        self.messages = 0
        self.saved: Path | None = None
        self.before: tuple[Happened | DealtAnew, ...] = ()
        self.away: frozenset[Seat] = frozenset()
        self.roster = Roster(bytes(32), (bytes(32),) * (seats + referee), seats)
        self.patience: float | None = None
        self.roll: frozenset[Seat] | None = None
        """While the roll is called, who has not answered."""
        self.pleas: list[str] = []
        """``"go-on"`` and ``"come-back"``, as our player has asked for them."""
        self.missed = 0
        """How often in a row we were ruled absent."""
        self.impatient = False
        self.error: Exception | None = None
        self.talk: Talk | None = None
        self.made: dict[Seat, Move] = {}
        self.calls: list[Move] = []
        # The last place is that of whoever looks on: nothing is dealt there.
        self._deck = OpenDeck(seats + 1, Dice(seed))
        self._listeners: list[Callable[[Notice], None]] = []
        self._done = asyncio.Event()

    @property
    def past(self) -> tuple[Happened | DealtAnew, ...]:
        """What happened before."""
        return self.before

    @property
    def sight(self) -> Sight:
        """The faces we have seen."""
        return self._deck.sight(len(self.names) if self.me is None else self.me)

    def options(self, seat: Seat) -> tuple[Move, ...]:
        """What ``seat`` may choose, as it sees things."""
        return self.game.moves(self.state, seat, self._deck.sight(seat))

    @property
    def absent(self) -> frozenset[Seat]:
        """Who was ruled absent."""
        return self.roster.absent

    @property
    def members(self) -> frozenset[Seat]:
        """See ``net.play.peer.Peer``."""
        return self.roster.members

    @property
    def asked(self) -> frozenset[Seat]:
        """Who has not chosen."""
        choosing = isinstance(self.request, Choose) and self.roll is None
        asked = self.request.seats if isinstance(self.request, Choose) and choosing else ()
        return frozenset(asked) - self.made.keys() - self.absent

    @property
    def owing(self) -> frozenset[Seat]:
        """Who has not chosen, or not answered to the roll."""
        return self.asked if self.roll is None else self.roll

    @property
    def stays_out(self) -> bool:
        """See ``net.play.peer.Peer``."""
        return self.missed >= FORGIVEN

    delegated = False

    def delegate(self, choose: Chooser | None) -> None:
        """A program makes our choice, or our player does again."""
        self.delegated = choose is not None
        if choose is not None and self.me is not None and self.moves():
            self.choose(choose(self.game, self.state, self.me, self.sight))

    def go_on(self) -> None:
        """Our player wants to go on without those who are away."""
        self.pleas.append("go-on")
        self.impatient = True

    def come_back(self) -> None:
        """Our player is back."""
        self.pleas.append("come-back")
        self.missed = 0

    def moves(self) -> tuple[Move, ...]:
        """What we may choose now."""
        if self.me is None or self.me not in self.asked:
            return ()
        return self.game.moves(self.state, self.me, self.sight)

    def choose(self, move: Move) -> None:
        """Our choice."""
        self.calls.append(move)
        if self.me is None or not self.moves():
            raise Illegal("not-asked")
        self.game.check(self.state, self.me, move)
        self.chosen, self.missed = move, 0
        self.seal(self.me, move)

    def listen(self, callback: Callable[[Notice], None]) -> None:
        """Call back for every notice."""
        self._listeners.append(callback)

    async def run(self) -> None:
        """Until the end, or the error, that the test makes."""
        await self._done.wait()
        if self.error is not None:
            raise self.error

    # What the test does.

    def tell(self, notice: Notice) -> None:
        """Send a notice."""
        for callback in self._listeners:
            callback(notice)

    def begin(self) -> None:
        """Go on to the first choice."""
        self.request = self.game.request(self.state)
        self._serve()

    def seal(self, seat: Seat, move: Move) -> None:
        """A seat has chosen; with the last one, the game goes on to the next choice."""
        self.made[seat] = move
        self.tell(Contributed(seat))
        self._close()

    def _close(self) -> None:
        if isinstance(self.request, Choose) and not self.owing:
            for seat in self.absent & frozenset(self.request.seats) - self.made.keys():
                self.made[seat] = self.game.absent(self.state, seat)[0]
            moves = tuple((seat, self.made[seat]) for seat in self.request.seats)
            self.made.clear()
            self.chosen = None
            self._happen(Chosen(moves))
            self._serve()

    def lose(self, *members: Seat) -> None:
        """Nothing is heard from these."""
        self.away = frozenset(members)
        self.tell(Away(self.away))

    def rule(self, *members: Seat) -> None:
        """These are ruled absent in the open step."""
        self.roster.rule(members, Here(bytes(32), self.step, bytes(32)))
        self.missed += self.me in members
        self.made = {seat: move for seat, move in self.made.items() if seat not in members}
        self.tell(Ruled(frozenset(members), self.me in members))
        self._close()

    def admit(self, *members: Seat) -> None:
        """These are back."""
        self.roster.admit(members)
        self.tell(Returned(frozenset(members)))

    def deal_anew(self) -> None:
        """The hidden things are dealt anew."""
        before, self.state = self.state, self.game.redealt(self.state)
        self.tell(DealtAnew(before, self.state))

    def others(self, plan: Mapping[Seat, str] | None = None) -> None:
        """All the others choose: as ``plan`` writes it, or what an absent seat would."""
        for seat in sorted(self.owing - {self.me}):
            written = (plan or {}).get(seat)
            default = self.game.default(self.state, seat)
            self.seal(seat, self.game.read(written) if written else default)

    def end(self) -> None:
        """Let everybody, us too, play on until it is over."""
        while not isinstance(self.request, Over):
            for seat in sorted(self.owing):
                moves = self.options(seat)
                self.seal(seat, moves[(seat * 7 + self.step) % len(moves)])
        self._done.set()

    def fail(self, error: Exception) -> None:
        """Let ``run`` raise."""
        self.error = error
        self._done.set()

    def _serve(self) -> None:
        while not isinstance(self.request, Choose | Over):
            assert self.request is not None
            self._happen(self._deck.serve(self.request))
        if isinstance(self.request, Over):
            self.result = self.request.result
            self.messages = 212
            self.saved = Path("/home/ana/.local/share/farfadet/games")
            self.saved /= f"{self.game.name}-0123456789ab.farfadet"
            self.tell(Ended(self.result))

    def _happen(self, event: Event) -> None:
        before, self.state = self.state, self.game.apply(self.state, event)
        self.step += 1
        self.impatient = False
        self.request = self.game.request(self.state)
        self.tell(Happened(before, event, self.state))
