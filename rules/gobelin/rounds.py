"""A round of Gobelin des bois: how the cards are laid out, who wins it, and what wins the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.game import Face, Line, Result, Score, Seat, Slot, Tale
from rules.gobelin.pieces import (
    ASIDE,
    HAND,
    RESHUFFLES,
    WINS,
    Card,
    Effect,
    Laid,
    Look,
    Phase,
    State,
)

DEALT = HAND + 1
"""Cards a seat is given: its hand, and the last as a treasure (published game)."""


def packed(state: State, slots: tuple[Slot, ...]) -> State:
    """The shuffled cards laid out from the top; the last ones are set aside."""
    seats = range(state.seats)
    starts = [seat * DEALT for seat in seats]
    return State(
        seats=state.seats,
        phase=Phase.SEATING,
        round=state.round,
        wins=state.wins,
        first=state.first,
        turn=None,
        lots=(),
        deck=slots[state.seats * DEALT : -ASIDE],
        aside=slots[-ASIDE:],
        removed=(),
        hands=tuple([slots[start : start + HAND] for start in starts]),
        treasures=tuple([slots[start + HAND : start + DEALT] for start in starts]),
        trail=(),
        playing=(True,) * state.seats,
        reshuffles=RESHUFFLES[state.seats],
        ending=False,
        galop=False,
        played=None,
        effect=Effect.NONE,
        looks=tuple([Look(slots[at], at // DEALT) for at in range(state.seats * DEALT)]),
        claims=(),
    )


def begun(state: State, face: Face) -> tuple[State, list[Tale]]:
    """The top card of the deck, of this ``face``, is the trail; its effects do nothing."""
    after = replace(
        state,
        phase=Phase.PLAY,
        turn=state.first,
        deck=state.deck[1:],
        trail=(Laid(face, turned=False),),
    )
    return after, [Tale("start", (state.round, face))]


def shown(state: State) -> tuple[Slot, ...]:
    """All cards of the seats that are still in, which are opened at the end of a round."""
    return tuple([slot for seat in range(state.seats) for slot in _held(state, seat)])


def counted(cards: Sequence[Card], state: State, faces: Sequence[Face]) -> tuple[State, list[Tale]]:
    """The round is won or tied, ``faces`` being those of ``shown(state)``: what comes next."""
    worth = iter([cards[face].gold for face in faces])
    golds, counts = [-1] * state.seats, [-1] * state.seats
    for seat in range(state.seats):
        if state.playing[seat]:
            counts[seat] = len(_held(state, seat))
            golds[seat] = sum([next(worth) for _ in range(counts[seat])])
    tales = [Tale("count", (tuple(golds), tuple(counts)))]
    best = winners(golds, counts)
    if len(best) > 1:
        return replayed(state), [*tales, Tale("replay")]
    wins = tuple([won + (seat == best[0]) for seat, won in enumerate(state.wins)])
    tales.append(Tale("round-won", (best[0],)))
    if wins[best[0]] == WINS:
        return replace(state, phase=Phase.OVER, turn=None, wins=wins), tales
    return followed(replace(state, wins=wins)), tales


def winners(golds: Sequence[int], counts: Sequence[int]) -> list[Seat]:
    """The seats with most gold; of these, those with most cards. More than one: the round is tied.

    Seats that are out have -1 of both, so that the last seat in wins whatever it has.
    """
    keys = list(zip(golds, counts, strict=True))
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def followed(state: State) -> State:
    """The next round: ours, it is begun by the next seat clockwise."""
    first = None if state.first is None else (state.first + 1) % state.seats
    return replace(state, phase=Phase.PACK, turn=None, first=first, round=state.round + 1)


def replayed(state: State) -> State:
    """The same round once more: ours, the same seat begins it, and it keeps its number."""
    return replace(state, phase=Phase.PACK, turn=None)


def result(state: State) -> Result:
    """Scores and ranks are rounds won."""
    return Result(
        tuple(
            [
                Score(
                    seat,
                    won,
                    1 + sum(other > won for other in state.wins),
                    (Line("round", won, won),),
                )
                for seat, won in enumerate(state.wins)
            ]
        )
    )


def _held(state: State, seat: Seat) -> tuple[Slot, ...]:
    return state.hands[seat] + state.treasures[seat]
