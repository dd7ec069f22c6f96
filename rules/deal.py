"""An open deck in one process, and the loop that plays a game with it: bots, simulations, tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rules.bots import Chooser, Source, bot
from rules.bots.chooser import Dice
from rules.game import (
    Choose,
    Chosen,
    Deal,
    Dealt,
    Event,
    Face,
    Game,
    Mismatch,
    Open,
    Opened,
    Over,
    Request,
    Result,
    Seat,
    Shuffle,
    Shuffled,
    Sight,
    Slot,
)


class OpenDeck:
    """Serves ``Shuffle``, ``Deal`` and ``Open`` like a sealed deck, but knows every face.

    Slots are numbered from 0 on, across shuffles, and never used again. ``source`` decides the
    order of each shuffle.
    """

    def __init__(self, seats: int, source: Source) -> None:
        self.faces: list[Face] = []
        """The face of each slot, by its number: what no player may look at."""
        self._source = source
        self._shuffles: list[tuple[Slot, ...]] = []
        self._open: set[Slot] = set()
        self._seen: list[dict[Slot, Face]] = [{} for _ in range(seats)]
        self._sights = [MappingProxyType(seen) for seen in self._seen]

    def sight(self, seat: Seat) -> Sight:
        """A live, read-only view of the faces that ``seat`` has seen."""
        return self._sights[seat]

    def serve(self, request: Request) -> Event:
        """Do what ``request`` asks; ``Mismatch`` if it is none of a deck's, or of unknown slots."""
        match request:
            case Shuffle(faces=faces):
                first = len(self.faces)
                self.faces.extend(self._shuffled(faces))
                slots = tuple(range(first, len(self.faces)))
                self._shuffles.append(slots)
                return Shuffled(slots)
            case Deal(slots=slots, to=seat):
                self._seen[seat].update(self._look(slots))
                return Dealt(slots, seat)
            case Open(slots=slots):
                shown = self._look(slots)
                self._open.update(slots)
                for seen in self._seen:
                    seen.update(shown)
                return Opened(tuple(shown))
        raise Mismatch("not-a-deck-request", type(request).__name__)

    def deal_anew(self) -> None:
        """Give every slot that is not open a new face, and show it to whoever had seen the old one.

        Faces change places with others of the same shuffle. It is for the game to say, with
        ``Game.redealt``, what has become of its state.
        """
        for slots in self._shuffles:
            closed = [slot for slot in slots if slot not in self._open]
            faces = self._shuffled([self.faces[slot] for slot in closed])
            for slot, face in zip(closed, faces, strict=True):
                self.faces[slot] = face
        for seen in self._seen:
            seen.update([(slot, self.faces[slot]) for slot in seen])

    def _look(self, slots: tuple[Slot, ...]) -> list[tuple[Slot, Face]]:
        try:
            return [(slot, self.faces[slot]) for slot in slots]
        except IndexError:
            raise Mismatch("unknown-slot", slots) from None

    def _shuffled(self, faces: Sequence[Face]) -> list[Face]:
        """Fisher-Yates."""
        order = list(faces)
        for last in range(len(order) - 1, 0, -1):
            other = self._source.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: replay it by applying ``events`` to ``game.start(seats)``."""

    seats: int
    events: tuple[Event, ...]
    result: Result

    @property
    def choices(self) -> int:
        """How many times the table was asked to choose: joint steps."""
        return sum(isinstance(event, Chosen) for event in self.events)


def play(game: Game, seats: int, choosers: Sequence[Chooser], source: Source) -> Played:
    """Play one game to its end; ``choosers`` has one player per seat.

    Raises what ``game.apply`` raises if a player makes an illegal move.
    """
    deck = OpenDeck(seats, source)
    state = game.start(seats)
    events: list[Event] = []
    while not isinstance(request := game.request(state), Over):
        if isinstance(request, Choose):
            event: Event = Chosen(
                tuple(
                    [
                        (seat, choosers[seat](game, state, seat, deck.sight(seat)))
                        for seat in request.seats
                    ]
                )
            )
        else:
            event = deck.serve(request)
        state = game.apply(state, event)
        events.append(event)
    return Played(seats, tuple(events), request.result)


def simulate(
    game: Game, seats: int, levels: Sequence[str], games: int, seed: int
) -> dict[str, Any]:
    """Play ``games`` games between bots and add them up, as plain JSON.

    ``levels`` names one level per seat; they move on by one seat after each game. A victory shared
    by k seats counts 1/k for each. ``fair`` is the share that equals would win.
    """
    wins: dict[str, float] = dict.fromkeys(levels, 0.0)
    totals: dict[str, int] = dict.fromkeys(levels, 0)
    choices = events = 0
    for number in range(games):
        places = [levels[(seat + number) % seats] for seat in range(seats)]
        choosers = [
            bot(level, Dice(f"{seed}/{number}/{seat}")) for seat, level in enumerate(places)
        ]
        played = play(game, seats, choosers, Dice(f"{seed}/{number}"))
        choices += played.choices
        events += len(played.events)
        for score in played.result.scores:
            totals[places[score.seat]] += score.total
        for seat in played.result.winners:
            wins[places[seat]] += 1 / len(played.result.winners)
    return {
        "game": game.name,
        "version": game.version,
        "seats": seats,
        "games": games,
        "seed": seed,
        "choices": _mean(choices, games),
        "events": _mean(events, games),
        "levels": {
            level: {
                "seats": count,
                "fair": _mean(count, seats),
                "wins": _mean(wins[level], games),
                "score": _mean(totals[level], games * count),
            }
            for level, count in sorted(Counter(levels).items())
        },
    }


def _mean(total: float, count: int) -> float:
    return round(total / count, 4) if count else 0.0
