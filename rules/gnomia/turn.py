"""A round of Gnomia: who may play, who wins the fiesta and what it costs, what comes next."""

from __future__ import annotations

from functools import cache, lru_cache

from rules.game import Face, Foul, Move, Seat, Tale
from rules.gnomia.pieces import (
    BROTHER,
    GRINCHEUX,
    ONE_GRINCHEUX,
    ZOZO,
    Give,
    Gnome,
    Hand,
    Phase,
    State,
    Take,
    veinards,
)

Bids = tuple[int, ...]
"""By seat: the value played, ``GRINCHEUX``, or ``NO_BID``."""
NO_BID = -1


def playable(hand: Hand, fiesta: Face | None) -> Hand:
    """What a seat with this ``hand`` may play for ``fiesta``: Grincheux not for a Zozo."""
    return _without(hand, GRINCHEUX) if fiesta == ZOZO else hand


@cache
def gnomes(hand: Hand) -> tuple[Move, ...]:
    """Each gnome of ``hand`` as a move."""
    return tuple(Gnome(value) for value in hand)


@cache
def gifts(looker: Seat, seats: int) -> tuple[Move, ...]:
    """What a looker may do with a fiesta that is no Zozo."""
    return (Take(), *(Give(to) for to in range(seats) if to != looker))


def active(state: State) -> tuple[Seat, ...]:
    """The seats that are asked for a move now."""
    if state.phase is Phase.BID:
        return _able(state.hands, state.fiesta == ZOZO)
    if state.phase is Phase.DECIDE and state.looker is not None:
        return (state.looker,)
    return ()


@lru_cache(maxsize=1 << 12)
def _able(hands: tuple[Hand, ...], zozo: bool) -> tuple[Seat, ...]:
    fiesta = ZOZO if zozo else None
    return tuple(seat for seat, hand in enumerate(hands) if playable(hand, fiesta))


def drawn(state: State) -> int:
    """How many fiestas the last seat draws: one for each gnome, while there are any."""
    return min(max(map(len, state.hands)), len(state.pile))


def strength(fiesta: Face, seat: Seat, value: int) -> tuple[int, int]:
    """The higher it is, the better is this gnome for ``fiesta``: by value, then by veinards."""
    return (-value if fiesta == BROTHER else value), veinards(seat, value)


def turned(state: State, face: Face) -> State:
    """``face`` lies open; nobody may be able to play for it."""
    after = _state(state, Phase.BID, state.pile[1:], face, state.hands, state.won, round_=1)
    return after if active(after) else _next(after, after.hands, after.won, (face,))


def resolved(state: State, moves: tuple[tuple[Seat, Move], ...]) -> tuple[State, list[Tale]]:
    """The state after these choices, and what happened."""
    fiesta = state.fiesta
    assert fiesta is not None
    played = {seat: move.value for seat, move in moves}
    bids = tuple([played.get(seat, NO_BID) for seat in range(state.seats)])
    grumpy = tuple(seat for seat, value in played.items() if value == GRINCHEUX)
    bidders = [(seat, value) for seat, value in played.items() if value != GRINCHEUX]
    tales: list[Tale] = []
    hands, won = state.hands, state.won
    gone: tuple[Face, ...] = (fiesta,)
    if bidders:
        winner = max(bidders, key=lambda bid: strength(fiesta, *bid))[0]
        tied = int(sum(value == played[winner] for _, value in bidders) > 1)
        paying = [seat for seat, _ in bidders if (seat == winner) is not (fiesta == ZOZO)]
        hands = tuple(
            _without(hand, played[seat]) if seat in paying else hand
            for seat, hand in enumerate(state.hands)
        )
        won, gone = _given(state.won, winner, (fiesta,)), ()
        tales.append(_won(winner, fiesta, bids, tied))
    else:
        tales.append(Tale("nobody", (fiesta,)))
    if len(grumpy) == ONE_GRINCHEUX and state.pile:
        tales.append(Tale("grincheux", grumpy))
        look = _state(state, Phase.LOOK, state.pile, None, hands, won, gone, looker=grumpy[0])
        return look, tales
    if grumpy:
        tales.append(Tale("grincheux-back", (grumpy,)))
    return _next(state, hands, won, gone), tales


def _won(winner: Seat, fiesta: Face, bids: Bids, tied: int) -> Tale:
    if fiesta == ZOZO:
        return Tale("zozo", (winner, bids, tied))
    if fiesta == BROTHER:
        return Tale("brother", (winner, bids, tied))
    return Tale("win", (winner, fiesta, bids, tied))


def decided(state: State, looker: Seat, move: Take | Give) -> State:
    """What was looked at is to be turned up for whoever gets it."""
    taker = move.seat if isinstance(move, Give) else looker
    hands, won = state.hands, state.won
    return _state(state, Phase.SHOW, state.pile, None, hands, won, looker=looker, taker=taker)


def shown(state: State, face: Face) -> tuple[State, Tale]:
    """The fiesta goes to its taker; a Zozo that was given away is a foul of the looker."""
    looker, taker, hands = state.looker, state.taker, state.hands
    assert looker is not None
    assert taker is not None
    if taker != looker:
        if face == ZOZO:
            raise Foul(looker, "zozo-given")
        tale = Tale("look-give", (looker, taker, face))
    elif face == ZOZO:
        tale = Tale("look-zozo", (looker,))
    else:
        tale = Tale("look-take", (looker, face))
        hands = tuple(
            _without(hand, GRINCHEUX) if seat == looker else hand for seat, hand in enumerate(hands)
        )
    opened = _state(state, Phase.SHOW, state.pile[1:], None, hands, state.won)
    return _next(opened, hands, _given(state.won, taker, (face,)), ()), tale


def last_draw(state: State, faces: tuple[Face, ...]) -> tuple[State, Tale]:
    """The last seat with gnomes trades them for ``faces``, and the game is over."""
    seat = max(range(state.seats), key=lambda seat: len(state.hands[seat]))
    hands: tuple[Hand, ...] = ((),) * state.seats
    won = _given(state.won, seat, faces)
    after = _state(state, Phase.OVER, state.pile[len(faces) :], None, hands, won)
    return after, Tale("last", (seat, faces))


def _next(
    state: State,
    hands: tuple[Hand, ...],
    won: tuple[tuple[Face, ...], ...],
    gone: tuple[Face, ...],
) -> State:
    """What follows when all about a fiesta is settled: another one, the last draw, or the end."""
    holders = sum(map(bool, hands))
    if not holders or not state.pile:
        phase = Phase.OVER
    else:
        phase = Phase.DRAW if holders == 1 else Phase.TURN
    return _state(state, phase, state.pile, None, hands, won, gone)


def _state(
    state: State,
    phase: Phase,
    pile: tuple[int, ...],
    fiesta: Face | None,
    hands: tuple[Hand, ...],
    won: tuple[tuple[Face, ...], ...],
    gone: tuple[Face, ...] = (),
    *,
    looker: Seat | None = None,
    taker: Seat | None = None,
    round_: int = 0,
) -> State:
    """The state after ``state``, with more ``gone`` and, it may be, another round begun."""
    return State(
        state.seats,
        phase,
        state.round + round_,
        pile,
        fiesta,
        hands,
        won,
        state.gone + gone,
        looker,
        taker,
    )


@cache
def _without(hand: Hand, value: int) -> Hand:
    return tuple(v for v in hand if v != value)


def _given(
    won: tuple[tuple[Face, ...], ...], to: Seat, faces: tuple[Face, ...]
) -> tuple[tuple[Face, ...], ...]:
    return (*won[:to], won[to] + faces, *won[to + 1 :])
