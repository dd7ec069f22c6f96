"""Who is asked, what can be done, and why not something else, in Gobelin des bois."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.answers import is_int
from rules.game import Illegal, Move, Seat, Sight
from rules.gobelin.pieces import (
    Card,
    Colour,
    Effect,
    Keep,
    Phase,
    Pick,
    Play,
    Show,
    State,
    Stop,
)
from rules.gobelin.trail import ends, plays
from rules.gobelin.turn import SPIED, aim, targets

MOVE_TYPES: Final[tuple[type, ...]] = (Play, Show, Stop, Pick, Keep)

_WHEN: Final = {
    Play: Phase.PLAY,
    Show: Phase.PLAY,
    Stop: Phase.PLAY,
    Pick: Phase.TARGET,
    Keep: Phase.ORDER,
}
_ASKING: Final = frozenset(_WHEN.values())
_KEEPS: Final = tuple(Keep(index) for index in range(SPIED))


def asked(state: State) -> Seat | None:
    """The seat that is asked for a move now."""
    return state.turn if state.phase in _ASKING else None


def options(cards: Sequence[Card], state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
    """The moves of ``seat``, which is asked, as it knows them: see ``Gobelin.moves``."""
    if state.phase is Phase.TARGET:
        return targets(state)
    if state.phase is Phase.ORDER:
        return _KEEPS
    hand = [sight.get(slot) for slot in state.hands[seat]]
    found = plays(cards, hand, state.trail)
    if state.galop and not found and None not in hand:
        return (Stop(), Show())
    return (*found, Show())


def check(cards: Sequence[Card], state: State, seat: Seat, move: Move) -> None:
    """Raise ``Illegal`` with one of the codes of ``Gobelin.check`` unless ``move`` may be made."""
    if type(seat) is not int or seat != asked(state):
        raise Illegal("not-asked")
    kind = type(move)
    if kind not in _WHEN:
        raise Illegal("not-a-move", kind.__name__)
    if state.phase is not _WHEN[kind]:
        raise Illegal("not-now", kind.__name__)
    if kind is Play:
        _check_play(move, len(state.hands[seat]))
    elif kind is Pick:
        _check_pick(state, seat, move)
    elif kind is Keep and not is_int(move.index, 0, SPIED):
        raise Illegal("no-such-card")
    elif kind is Stop and not state.galop:
        raise Illegal("no-galop")
    elif kind is Stop and Colour.ANY in ends(cards, state.trail):
        raise Illegal("any-end")


def _check_play(move: Play, hand: int) -> None:
    if not is_int(move.card, 0, hand):
        raise Illegal("no-such-card")
    if not is_int(move.half, 0, 2):
        raise Illegal("no-such-half")
    if not is_int(move.end, 0, 2):
        raise Illegal("no-such-end")


def _check_pick(state: State, seat: Seat, move: Pick) -> None:
    if not is_int(move.seat, 0, state.seats):
        raise Illegal("no-such-seat")
    if move.seat == seat:
        raise Illegal("own-card")
    if not state.playing[move.seat]:
        raise Illegal("out-of-round")
    row = aim(state)[move.seat]
    if not row:
        raise Illegal("empty-hand" if state.effect is Effect.TROC else "no-treasure")
    if not is_int(move.index, 0, len(row)):
        raise Illegal("no-such-card")
