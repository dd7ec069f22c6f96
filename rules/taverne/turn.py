"""A turn of La Taverne des Hobbits: who may do what, what comes of it, the refill, the score."""

from __future__ import annotations

from functools import cache
from itertools import permutations

from rules.answers import is_int
from rules.game import Face, Line, Move, Result, Score, Seat, Tale
from rules.taverne.pieces import (
    NONE,
    ON_EMPTY,
    ON_OTHERS,
    SET_POINTS,
    SINGLE_POINTS,
    WHITE_POINTS,
    Character,
    Mushroom,
    Phase,
    Protect,
    Serve,
    State,
    Stone,
    Stones,
)


def is_order(order: object, count: int) -> bool:
    """Whether ``order`` lists each of ``count`` mushrooms once."""
    if type(order) is not tuple or len(order) != count:
        return False
    return all(is_int(index, 0, count) for index in order) and len(set(order)) == count


def active(state: State) -> tuple[Seat, ...]:
    """The seats that are asked for a move now."""
    if state.phase is Phase.POINT:
        return _awake(state.resting)
    if state.phase is Phase.SERVE and state.distributor is not None:
        return (state.distributor,)
    return ()


@cache
def _awake(resting: tuple[bool, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, rests in enumerate(resting) if not rests)


def laden(state: State) -> tuple[bool, ...]:
    """Whose tile holds stones: an empty one is neither pointed at nor protected (ours)."""
    return tuple([tile != NONE for tile in state.tiles])


@cache
def menu(seat: Seat, full: tuple[bool, ...]) -> tuple[Move, ...]:
    """What ``seat`` may do when the tiles in ``full`` hold stones; at first, none does."""
    mushrooms = [Mushroom(index) for index in range(len(full) - 1)]
    victims = [Character(other) for other, bait in enumerate(full) if bait and other != seat]
    return (*mushrooms, *victims, *([Protect()] if full[seat] else []))


@cache
def orders(count: int) -> tuple[Move, ...]:
    """All that a distributor may say about ``count`` mushrooms."""
    return tuple(Serve(order) for order in permutations(range(count)))


# The course of a turn.


def portions(state: State) -> list[int]:
    """How many stones the next refill gives to each mushroom, as listed in ``state.order``."""
    left, given = len(state.bag), []
    for index in state.order:
        portion = min(left, ON_EMPTY if state.mushrooms[index] == NONE else ON_OTHERS)
        given.append(portion)
        left -= portion
    return given


def refilled(state: State, faces: list[Face]) -> State:
    """The next turn, or what follows it if all rest in it."""
    mushrooms, start = list(state.mushrooms), 0
    for index, portion in zip(state.order, portions(state), strict=True):
        stop = start + portion
        mushrooms[index] = plus(mushrooms[index], counted(faces[start:stop]))
        start = stop
    bag = state.bag[start:]
    turn = State(
        state.seats,
        Phase.POINT,
        state.turn + 1,
        state.distributor,
        (),
        bag,
        tuple(range(len(mushrooms))),
        tuple(mushrooms),
        state.tiles,
        state.safe,
        state.resting,
        not bag,
    )
    if all(state.resting):
        return _after(turn, turn.mushrooms, turn.tiles, turn.safe, (False,) * state.seats)
    return turn


def _after(
    state: State,
    mushrooms: tuple[Stones, ...],
    tiles: tuple[Stones, ...],
    safe: tuple[Stones, ...],
    resting: tuple[bool, ...],
) -> State:
    """What follows a turn that left things so: the end, or a refill, which may be short."""
    wanted = ON_OTHERS * len(mushrooms) + (ON_EMPTY - ON_OTHERS) * mushrooms.count(NONE)
    if state.last:
        phase = Phase.OVER
    elif wanted > len(state.bag):
        phase = Phase.SERVE
    else:
        phase = Phase.REFILL
    return State(
        state.seats,
        phase,
        state.turn,
        state.distributor,
        (),
        state.bag,
        state.order,
        mushrooms,
        tiles,
        safe,
        resting,
        state.last,
    )


def resolved(state: State, moves: tuple[tuple[Seat, Move], ...]) -> tuple[State, list[Tale]]:
    """Judge a turn on the stones as they lay before it."""
    old, kept, gained = state.tiles, list(state.tiles), [NONE] * state.seats
    mushrooms, safe, resting = list(state.mushrooms), list(state.safe), [False] * state.seats
    at_mushroom: list[list[Seat]] = [[] for _ in mushrooms]
    at_tile: list[list[Seat]] = [[] for _ in old]
    tales: list[Tale] = []
    for seat, move in moves:
        if type(move) is Mushroom:
            at_mushroom[move.index].append(seat)
        elif type(move) is Character:
            at_tile[move.seat].append(seat)
        else:
            kept[seat], safe[seat], resting[seat] = NONE, plus(safe[seat], old[seat]), True
            tales.append(Tale("protect", (seat, old[seat])))
    for index, seats in enumerate(at_mushroom):
        if len(seats) > 1:
            tales.append(Tale("clash", (index, tuple(seats))))
        elif seats and mushrooms[index] == NONE:
            tales.append(Tale("empty", (seats[0], index)))
        elif seats:
            gained[seats[0]], mushrooms[index] = mushrooms[index], NONE
            tales.append(Tale("take", (seats[0], index, gained[seats[0]])))
    for victim, thieves in enumerate(at_tile):
        if resting[victim]:
            tales.extend([Tale("blocked", (thief, victim)) for thief in thieves])
        elif len(thieves) > 1:
            tales.append(Tale("clash-tile", (victim, tuple(thieves))))
        elif thieves:
            gained[thieves[0]], kept[victim] = old[victim], NONE
            tales.append(Tale("steal", (thieves[0], victim, old[victim])))
    tiles = [plus(*both) for both in zip(kept, gained, strict=True)]
    after = _after(state, tuple(mushrooms), tuple(tiles), tuple(safe), tuple(resting))
    return after, tales


# Counting.


def counted(faces: list[Face]) -> Stones:
    """The stones with these ``faces``."""
    return (faces.count(0), faces.count(1), faces.count(2), faces.count(3))


def plus(some: Stones, more: Stones) -> Stones:
    """Both together."""
    if more is NONE:
        return some
    return (some[0] + more[0], some[1] + more[1], some[2] + more[2], some[3] + more[3])


def points(stones: Stones) -> int:
    """What ``stones`` are worth at the end: 5 a set of three colours, 2 a white, 1 a single."""
    red, blue, yellow, white = stones
    sets = min(red, blue, yellow)
    singles = red + blue + yellow - 3 * sets
    return SET_POINTS * sets + SINGLE_POINTS * singles + WHITE_POINTS * white


def result(state: State) -> Result:
    """Ranks by points, then by white stones; who is still equal shares the rank."""
    hands = [plus(*both) for both in zip(state.safe, state.tiles, strict=True)]
    keys = [(points(hand), hand[Stone.WHITE]) for hand in hands]
    scores = []
    for seat, (hand, key) in enumerate(zip(hands, keys, strict=True)):
        sets, white = min(hand[:3]), hand[Stone.WHITE]
        singles = sum(hand[:3]) - 3 * sets
        lines = (
            Line("set", sets, SET_POINTS * sets),
            Line("white", white, WHITE_POINTS * white),
            Line("single", singles, SINGLE_POINTS * singles),
        )
        rank = 1 + sum(other > key for other in keys)
        scores.append(Score(seat, key[0], rank, lines))
    return Result(tuple(scores))
