"""Gnomia: all send a gnome at once, in secret; the highest wins the fiesta and is spent.

Fiestas of equal value are worth more together; Zozos cost. Hands are known to everybody: only the
choice, and the pile, are secret. Codes of ``tell`` (``bids`` has an entry for each seat: a value,
0 for Grincheux, -1 for none; ``tied`` is 1 if veinards decided): ``fiesta`` (face), ``sits-out``
(seats), ``win`` (seat, face, bids, tied), ``zozo`` and ``brother`` (seat, bids, tied), ``nobody``
(face), ``grincheux`` (seat), ``grincheux-back`` (seats), ``look-take`` (seat, face), ``look-zozo``
(seat), ``look-give`` (seat, to, face), ``last`` (seat, faces).
"""

from __future__ import annotations

from dataclasses import replace

from rules.answers import chosen, dealt, is_int, opened, shuffled
from rules.game import (
    Choose,
    Deal,
    Event,
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
from rules.gnomia.advice import mixed
from rules.gnomia.notation import NOTATION
from rules.gnomia.pieces import (
    BROTHER,
    FACES,
    FIESTAS,
    GRINCHEUX,
    HAND,
    SEATS,
    VALUES,
    ZOZO,
    Give,
    Gnome,
    Hand,
    Phase,
    State,
    Take,
    veinards,
)
from rules.gnomia.score import result
from rules.gnomia.turn import (
    active,
    decided,
    drawn,
    gifts,
    gnomes,
    last_draw,
    playable,
    resolved,
    shown,
    turned,
)

__all__ = [
    "BROTHER",
    "FIESTAS",
    "GAME",
    "GRINCHEUX",
    "HAND",
    "SEATS",
    "VALUES",
    "ZOZO",
    "Give",
    "Gnome",
    "Gnomia",
    "Hand",
    "Phase",
    "State",
    "Take",
    "veinards",
]


class Gnomia:
    """The rules of ``gnomia``, as a ``Game``."""

    name = "gnomia"
    version = 1
    deck = ""
    seats = SEATS
    state_type: type = State
    move_types: tuple[type, ...] = (Gnome, Take, Give)

    def start(self, seats: int) -> State:
        """All gnomes in hand, no fiesta yet."""
        if type(seats) is not int or seats not in SEATS:
            raise Illegal("seats")
        return State(
            seats=seats,
            phase=Phase.PILE,
            round=0,
            pile=(),
            fiesta=None,
            hands=(HAND,) * seats,
            won=((),) * seats,
            gone=(),
            looker=None,
            taker=None,
        )

    def request(self, state: State) -> Request:
        """Turn a fiesta, play gnomes for it, let a Grincheux look at the next; again."""
        match _ours(state).phase:
            case Phase.BID:
                return Choose(active(state), secret=True)
            case Phase.TURN | Phase.SHOW:
                return Open(state.pile[:1])
            case Phase.LOOK:
                return Deal(state.pile[:1], _looker(state))
            case Phase.DECIDE:
                return Choose(active(state), secret=False)
            case Phase.DRAW:
                return Open(state.pile[: drawn(state)])
            case Phase.PILE:
                return Shuffle(FIESTAS)
            case Phase.OVER:
                return Over(result(state.won))

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``; see ``rules.game.Game.apply``. Foul: ``zozo-given``."""
        match _ours(state).phase:
            case Phase.PILE:
                return replace(state, phase=Phase.TURN, pile=shuffled(event, len(FIESTAS)))
            case Phase.TURN:
                return turned(state, _face(state, event))
            case Phase.LOOK:
                dealt(event, state.pile[:1], _looker(state))
                return replace(state, phase=Phase.DECIDE)
            case Phase.OVER:
                raise Mismatch("over")
            case _:
                return self._step(state, event)[0]

    def _step(self, state: State, event: Event) -> tuple[State, list[Tale]]:
        """What comes of choices and of fiestas that find an owner, and its tales."""
        match state.phase:
            case Phase.BID:
                return resolved(state, self._moves_in(state, event))
            case Phase.DECIDE:
                ((seat, move),) = self._moves_in(state, event)
                return decided(state, seat, move), []
            case Phase.SHOW:
                after, tale = shown(state, _face(state, event))
            case _:
                faces = opened(event, state.pile[: drawn(state)], FACES)
                after, tale = last_draw(state, tuple(faces))
        return after, [tale]

    def moves(self, state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
        """The gnomes in hand, low to high, then Grincheux; for a looker, taking, then giving."""
        if not is_int(seat, 0, _ours(state).seats):
            return ()
        if state.phase is Phase.BID:
            return gnomes(playable(state.hands[seat], state.fiesta))
        if state.phase is not Phase.DECIDE or seat != state.looker:
            return ()
        return (Take(),) if sight.get(state.pile[0]) == ZOZO else gifts(seat, state.seats)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Judge ``move``: the seat first, then the kind of move, then what it names.

        Codes: ``not-asked``, ``out-of-gnomes``; ``not-a-move``, ``not-now``; ``no-such-gnome``,
        ``spent``, ``not-for-zozo``; ``no-such-seat``, ``own-seat``.
        """
        if type(seat) is not int or seat not in active(_ours(state)):
            bidding = state.phase is Phase.BID and is_int(seat, 0, state.seats)
            spent = bidding and not state.hands[seat]
            raise Illegal("out-of-gnomes" if spent else "not-asked")
        self._judge(state, seat, move)

    def _judge(self, state: State, seat: Seat, move: Move) -> None:
        """Whether ``seat``, which is asked, may make ``move``."""
        kind = type(move)
        if kind not in self.move_types:
            raise Illegal("not-a-move", kind.__name__)
        if (kind is Gnome) is not (state.phase is Phase.BID):
            raise Illegal("not-now", kind.__name__)
        if kind is Gnome:
            if type(move.value) is not int or move.value not in HAND:
                raise Illegal("no-such-gnome")
            if move.value not in state.hands[seat]:
                raise Illegal("spent")
            if move.value not in playable(state.hands[seat], state.fiesta):
                raise Illegal("not-for-zozo")
        if kind is Give and not is_int(move.seat, 0, state.seats):
            raise Illegal("no-such-seat")
        if kind is Give and move.seat == seat:
            raise Illegal("own-seat")

    def default(self, state: State, seat: Seat) -> Move:
        """The gnome that is least likely to win; of what was looked at, taking it. Ours.

        Taking is always allowed, whatever the face that only the looker knows.
        """
        if _ours(state).phase is not Phase.BID:
            return Take()
        numbered = [value for value in state.hands[seat] if value != GRINCHEUX]
        if not numbered:
            return Gnome(GRINCHEUX)
        return Gnome(max(numbered) if state.fiesta == BROTHER else min(numbered))

    def absent(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Any gnome that may be played; of what was looked at, taking it: it may be a Zozo."""
        options = self.moves(state, seat, {})
        return (Take(),) if options and state.phase is Phase.DECIDE else options

    def redealt(self, state: State) -> State:
        """Who has looked at the next fiesta looks again, and decides again.

        Nobody sees any other fiesta before all do, so nothing else was done because of one.
        """
        if _ours(state).phase not in {Phase.DECIDE, Phase.SHOW}:
            return state
        return replace(state, phase=Phase.LOOK, taker=None)

    def round(self, state: State) -> int:
        """One for each fiesta that was turned."""
        return _ours(state).round

    def advise(self, state: State, seat: Seat, sight: Sight) -> tuple[tuple[Move, int], ...]:
        """What ``rules/gnomia/advice.py`` makes of it."""
        options = self.moves(state, seat, sight)
        if len(options) < 2:
            return tuple((move, 1) for move in options)
        return mixed(state, seat, options, sight)

    def write(self, move: Move) -> str:
        """``10`` to ``100``, ``grincheux``, ``take``, ``give b``."""
        return NOTATION.write(move)

    def read(self, text: str) -> Move:
        """As ``write`` makes it, in capitals or not; also ``g``, ``prendre``, ``donner b``."""
        return NOTATION.read(text)

    def tell(self, state: State, event: Event) -> tuple[Tale, ...]:
        """What happened; the codes are at the top of this file."""
        match _ours(state).phase:
            case Phase.TURN:
                return _turned(state, self.apply(state, event), _face(state, event))
            case Phase.BID | Phase.DECIDE | Phase.SHOW | Phase.DRAW:
                return tuple(self._step(state, event)[1])
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


def _looker(state: State) -> Seat:
    assert state.looker is not None
    return state.looker


def _face(state: State, event: Event) -> int:
    return opened(event, state.pile[:1], FACES)[0]


def _turned(before: State, after: State, face: int) -> tuple[Tale, ...]:
    """The fiesta, who cannot play for it, and what becomes of it if nobody can."""
    tales = [Tale("fiesta", (face,))]
    holders = [seat for seat, hand in enumerate(before.hands) if hand]
    out = tuple(seat for seat in holders if not playable(before.hands[seat], face))
    if out:
        tales.append(Tale("sits-out", (out,)))
    if after.phase is not Phase.BID:
        tales.append(Tale("nobody", (face,)))
    return tuple(tales)


GAME: Game = Gnomia()
