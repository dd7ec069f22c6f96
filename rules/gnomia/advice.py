"""How a good player of Gnomia mixes moves: what a fiesta is worth, and who else will want it.

Each other seat is supposed to send a gnome from that part of its hand that fits how much it gains
by the fiesta, more or less. Against that, each of one's own gnomes has a chance to win and a price.
"""

from __future__ import annotations

from typing import Final

from rules.game import Face, Move, Seat, Sight
from rules.gnomia.pieces import GRINCHEUX, ZOZO, Give, State, Take
from rules.gnomia.score import score
from rules.gnomia.turn import playable, strength

# Picked by simulated games, not derived.
PRICE: Final = (2.0, 7.0)
"""Points that spending the lowest and the highest gnome costs: it could win another fiesta."""
GRINCHEUX_PRICE: Final = 2.0
ZOZO_HARM: Final = (8.0, 14.0, 18.0)
"""Least that the first, the second and each further Zozo costs in the end."""
EAGER: Final = 26.0
"""A gain for which a player sends the best gnome."""
SPREAD: Final = 0.35
"""How far from the expected place in its hand a seat's gnome may be, as a share of the hand."""
SPITE: Final = 0.35
"""What a rival's gain counts against one's own."""
SHARPNESS: Final = 0.9
"""How much likelier a move is for each point that it is better."""
SCALE: Final = 1000


def mixed(
    state: State, seat: Seat, options: tuple[Move, ...], sight: Sight
) -> tuple[tuple[Move, int], ...]:
    """``options`` of ``seat``, weighted in thousandths of the best; the poor ones left out."""
    if state.fiesta is None:
        worths = _gifts(state, seat, options, sight[state.pile[0]])
    else:
        worths = _bids(state, seat, [move.value for move in options], state.fiesta)
    best = max(worths)
    weights = [round(SCALE * 2.0 ** (SHARPNESS * (worth - best))) for worth in worths]
    return tuple(
        (move, weight)
        for move, weight in zip(options, weights, strict=True)
        if weight > SCALE // 20
    )


def gain(state: State, seat: Seat, face: Face) -> float:
    """What ``face`` adds to the score of ``seat``; a Zozo at least what it may cost later."""
    won = state.won[seat]
    added = float(score((*won, face)).total - score(won).total)
    if face != ZOZO:
        return added
    return min(added, -ZOZO_HARM[min(won.count(ZOZO), len(ZOZO_HARM) - 1)])


def price(value: int) -> float:
    """What spending this gnome costs, in points."""
    low, high = PRICE
    return GRINCHEUX_PRICE if value == GRINCHEUX else low + (high - low) * (value - 10) / 90


def _bids(state: State, seat: Seat, values: list[int], fiesta: Face) -> list[float]:
    rivals = [
        _guess(state, other, fiesta)
        for other in range(state.seats)
        if other != seat and playable(state.hands[other], fiesta)
    ]
    mine = gain(state, seat, fiesta)
    worths = []
    for value in values:
        if value == GRINCHEUX:
            worths.append(0.0)
            continue
        key, chance = strength(fiesta, seat, value), 1.0
        for guess in rivals:
            chance *= sum(share for other, share in guess if other < key)
        if fiesta == ZOZO:
            worths.append(chance * mine - (1.0 - chance) * price(value))
        else:
            worths.append(chance * (mine - price(value)))
    return worths


def _guess(state: State, seat: Seat, fiesta: Face) -> list[tuple[tuple[int, int], float]]:
    """The strengths of what ``seat`` may send, each with its chance."""
    values = [value for value in playable(state.hands[seat], fiesta) if value != GRINCHEUX]
    keys = sorted(strength(fiesta, seat, value) for value in values)
    if not keys:
        return [((-1000, 0), 1.0)]
    wish = 0.3 if fiesta == ZOZO else min(max(gain(state, seat, fiesta) / EAGER, 0.0), 1.0)
    top = max(len(keys) - 1, 1)
    shares = [max(SPREAD - abs(at / top - wish), 0.0) + 0.02 for at in range(len(keys))]
    whole = sum(shares)
    return [(key, share / whole) for key, share in zip(keys, shares, strict=True)]


def _gifts(state: State, seat: Seat, options: tuple[Move, ...], face: Face) -> list[float]:
    """Take it, if it is worth a Grincheux; or give it to whom it helps least."""
    worths = []
    for move in options:
        match move:
            case Take():
                worths.append(gain(state, seat, face) - GRINCHEUX_PRICE)
            case Give(seat=to):
                worths.append(-SPITE * gain(state, to, face))
    return worths
