"""La Taverne des Hobbits: point at stones, all at once; whoever points alone takes them.

Turns are simultaneous: each seat points at a mushroom, at another seat's character, or protects its
stones. All is judged on the stones as they lay before the turn. Codes of ``tell``: ``distributor``
(seat), ``refill`` (stones), ``last-turn``, ``take`` (seat, mushroom, stones), ``empty`` (seat,
mushroom), ``clash`` (mushroom, seats), ``clash-tile`` (victim, seats), ``steal`` (thief, victim,
stones), ``protect`` (seat, stones), ``blocked`` (seat, victim). Stones are four counts.
"""

from __future__ import annotations

from dataclasses import replace

from rules.answers import chosen, is_int, opened, shuffled
from rules.game import (
    Choose,
    Event,
    Face,
    Game,
    Illegal,
    Mismatch,
    Move,
    Open,
    Over,
    Request,
    RuleError,
    Seat,
    Shuffle,
    Sight,
    Tale,
)
from rules.taverne.advice import mixed
from rules.taverne.notation import NOTATION
from rules.taverne.pieces import (
    BAG,
    NONE,
    SEATS,
    Character,
    Mushroom,
    Phase,
    Protect,
    Serve,
    State,
    Stone,
    Stones,
)
from rules.taverne.turn import (
    active,
    counted,
    is_order,
    laden,
    menu,
    orders,
    portions,
    refilled,
    resolved,
    result,
)

__all__ = [
    "BAG",
    "GAME",
    "NONE",
    "SEATS",
    "Character",
    "Mushroom",
    "Phase",
    "Protect",
    "Serve",
    "State",
    "Stone",
    "Stones",
    "Taverne",
]


class Taverne:
    """The rules of ``taverne``, as a ``Game``."""

    name = "taverne"
    version = 1
    deck = ""
    seats = SEATS
    state_type: type = State
    move_types: tuple[type, ...] = (Mushroom, Character, Protect, Serve)

    def start(self, seats: int) -> State:
        """An empty table; there is one mushroom fewer than seats."""
        if type(seats) is not int or seats not in SEATS:
            raise Illegal("seats")
        bare = (NONE,) * seats
        return State(
            seats=seats,
            phase=Phase.LOTS,
            turn=0,
            distributor=None,
            lots=(),
            bag=(),
            order=tuple(range(seats - 1)),
            mushrooms=bare[1:],
            tiles=bare,
            safe=bare,
            resting=(False,) * seats,
            last=False,
        )

    def request(self, state: State) -> Request:
        """Draw the distributor, fill the bag; then refill and point, turn after turn."""
        match _ours(state).phase:
            case Phase.POINT:
                return Choose(active(state), secret=True)
            case Phase.REFILL:
                return Open(state.bag[: sum(portions(state))])
            case Phase.SERVE:
                return Choose(active(state), secret=False)
            case Phase.LOTS:
                return Shuffle(tuple(range(state.seats)))
            case Phase.DRAW:
                return Open(state.lots[:1])
            case Phase.FILL:
                return Shuffle(tuple(int(stone) for stone in Stone for _ in range(BAG[stone])))
            case Phase.OVER:
                return Over(result(state))

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``; see ``rules.game.Game.apply``."""
        match _ours(state).phase:
            case Phase.POINT:
                return resolved(state, self._moves_in(state, event))[0]
            case Phase.REFILL:
                return refilled(state, _stones_in(state, event))
            case Phase.SERVE:
                ((_, serve),) = self._moves_in(state, event)
                return replace(state, phase=Phase.REFILL, order=serve.order)
            case Phase.LOTS:
                return replace(state, phase=Phase.DRAW, lots=shuffled(event, state.seats))
            case Phase.DRAW:
                (seat,) = opened(event, state.lots[:1], state.seats)
                return replace(state, phase=Phase.FILL, lots=(), distributor=seat)
            case Phase.FILL:
                return replace(state, phase=Phase.REFILL, bag=shuffled(event, sum(BAG)))
            case Phase.OVER:
                raise Mismatch("over")

    def moves(self, state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
        """Mushrooms, characters with stones on them, protection; or the orders to serve in."""
        if type(seat) is not int or seat not in active(_ours(state)):
            return ()
        if state.phase is Phase.SERVE:
            return orders(len(state.mushrooms))
        return menu(seat, laden(state))

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Judge ``move``: the seat first, then the kind of move, then what it points at.

        Codes: ``not-asked``, ``resting``; ``not-a-move``, ``not-now``; ``no-such-mushroom``,
        ``no-such-seat``, ``own-tile``, ``first-turn``, ``empty-tile``, ``nothing-to-protect``,
        ``bad-order``.
        """
        if type(seat) is not int or seat not in active(_ours(state)):
            pointing = state.phase is Phase.POINT and is_int(seat, 0, state.seats)
            raise Illegal("resting" if pointing else "not-asked")
        self._judge(state, seat, move)

    def _judge(self, state: State, seat: Seat, move: Move) -> None:
        """Whether ``seat``, which is asked, may make ``move``."""
        kind = type(move)
        if kind not in self.move_types:
            raise Illegal("not-a-move", kind.__name__)
        if (kind is Serve) is not (state.phase is Phase.SERVE):
            raise Illegal("not-now", kind.__name__)
        if kind is Mushroom and not is_int(move.index, 0, len(state.mushrooms)):
            raise Illegal("no-such-mushroom")
        if kind is Character and not is_int(move.seat, 0, state.seats):
            raise Illegal("no-such-seat")
        if kind is Character and move.seat == seat:
            raise Illegal("own-tile")
        if kind in {Character, Protect} and state.turn == 1:
            raise Illegal("first-turn")
        if kind is Character and state.tiles[move.seat] == NONE:
            raise Illegal("empty-tile")
        if kind is Protect and state.tiles[seat] == NONE:
            raise Illegal("nothing-to-protect")
        if kind is Serve and not is_order(move.order, len(state.mushrooms)):
            raise Illegal("bad-order")

    def default(self, state: State, seat: Seat) -> Move:
        """The poorest mushroom, the leftmost of equals; left to right for the distributor.

        Ours. Nobody gains by falling silent once the others have shown their moves: it never
        protects, it steals from nobody, and it is in few people's way.
        """
        if _ours(state).phase is Phase.SERVE:
            return Serve(tuple(range(len(state.mushrooms))))
        sizes = [sum(stones) for stones in state.mushrooms]
        return Mushroom(sizes.index(min(sizes)))

    def absent(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """All legal moves: seats see no more than everybody does."""
        return self.moves(state, seat, {})

    def redealt(self, state: State) -> State:
        """The same: nobody has seen the stones in the bag, so nothing was done because of them."""
        return _ours(state)

    def round(self, state: State) -> int:
        """The turn, from 1."""
        return _ours(state).turn

    def advise(self, state: State, seat: Seat, sight: Sight) -> tuple[tuple[Move, int], ...]:
        """What ``rules/taverne/advice.py`` makes of a turn; any order to serve in."""
        options = self.moves(state, seat, sight)
        if state.phase is not Phase.POINT or not options:
            return tuple((move, 1) for move in options)
        return mixed(state, seat)

    def write(self, move: Move) -> str:
        """``1`` to ``5``, ``a`` to ``f``, ``protect``, ``serve 2 1 3``."""
        return NOTATION.write(move)

    def read(self, text: str) -> Move:
        """As ``write`` makes it, in capitals or not; also ``p``, ``protéger``, ``servir 2 1 3``."""
        return NOTATION.read(text)

    def tell(self, state: State, event: Event) -> tuple[Tale, ...]:
        """What happened, protections first; the codes are at the top of this file."""
        match _ours(state).phase:
            case Phase.POINT:
                return tuple(resolved(state, self._moves_in(state, event))[1])
            case Phase.REFILL:
                stones = _stones_in(state, event)
                refill = Tale("refill", (counted(stones),))
                return (refill, Tale("last-turn")) if len(stones) == len(state.bag) else (refill,)
            case Phase.DRAW:
                return (Tale("distributor", tuple(opened(event, state.lots[:1], state.seats))),)
            case _:
                self.apply(state, event)
                return ()

    def _moves_in(self, state: State, event: Event) -> tuple[tuple[Seat, Move], ...]:
        moves = chosen(event, active(state))
        for seat, move in moves:
            self._judge(state, seat, move)
        return moves


def _ours(state: State) -> State:
    if type(state) is not State:
        raise RuleError("not-a-state", type(state).__name__)
    return state


def _stones_in(state: State, event: Event) -> list[Face]:
    return opened(event, state.bag[: sum(portions(state))], len(Stone))


GAME: Game = Taverne()
