"""Gobelin des bois: cover an end of the trail, fill your hand, keep your gold, stay in.

Codes of ``tell``; victims and seats are seats, faces are indices of cards:

- ``first`` (seat): drawn to begin. ``start`` (round, face): the first card of a trail.
- ``play`` (seat, face, half, end): a card is uncovered, or played because it was shown. Then, as
  each is done: ``coffre`` (seat), ``vol``, ``troc``, ``sherif`` (seat, victim), ``espion`` (seat),
  ``galop`` (seat) when it plays again; ``skipped`` (seat, effect) for one that was impossible.
- ``reshuffle`` (left): the trail is the new deck. ``deck-out``: there is none, the last turn.
- ``ambush`` (seat, faces): nothing could be played. ``shown`` (seat, faces): something could, and
  is played. ``stop`` (seat): said after a galop. ``stop-shown`` (seat, faces): shown after one.
- ``last-one`` (seat): the only seat left. ``count`` (golds, cards): by seat, -1 for those out;
  ``round-won`` (seat) or ``replay``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules.answers import chosen, dealt, opened, shuffled
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
    Slot,
    Tale,
)
from rules.gobelin import rounds, turn
from rules.gobelin.advice import advised
from rules.gobelin.deck import built_in, read_deck, write_deck
from rules.gobelin.legal import MOVE_TYPES, asked, check, options
from rules.gobelin.notation import NOTATION
from rules.gobelin.pieces import (
    ASIDE,
    CARDS,
    HAND,
    MOST_GOLD,
    RESHUFFLES,
    SEATS,
    WINS,
    Card,
    Claim,
    Colour,
    Effect,
    Keep,
    Laid,
    Look,
    Phase,
    Pick,
    Play,
    Show,
    Square,
    State,
    Stop,
)

__all__ = [
    "ASIDE",
    "CARDS",
    "GAME",
    "HAND",
    "MOST_GOLD",
    "RESHUFFLES",
    "SEATS",
    "WINS",
    "Card",
    "Claim",
    "Colour",
    "Effect",
    "Gobelin",
    "Keep",
    "Laid",
    "Look",
    "Phase",
    "Pick",
    "Play",
    "Show",
    "Square",
    "State",
    "Stop",
    "with_deck",
]

_BUILT_IN: Final = built_in()


class Gobelin:
    """The rules of ``gobelin`` with a deck of ``cards``, as a ``Game``."""

    name = "gobelin"
    version = 1
    seats = SEATS
    state_type: type = State
    move_types: tuple[type, ...] = MOVE_TYPES

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards: Final = cards
        """The deck: a card's face is its index here."""
        self.deck: Final = "" if cards == _BUILT_IN else write_deck(cards)
        """The deck as the text ``with_deck`` takes; empty for the one that comes with the game."""

    def start(self, seats: int) -> State:
        """An empty table before the lots are drawn."""
        if type(seats) is not int or seats not in SEATS:
            raise Illegal("seats")
        return State(
            seats=seats,
            phase=Phase.LOTS,
            round=0,
            wins=(0,) * seats,
            first=None,
            turn=None,
            lots=(),
            deck=(),
            aside=(),
            removed=(),
            hands=((),) * seats,
            treasures=((),) * seats,
            trail=(),
            playing=(True,) * seats,
            reshuffles=RESHUFFLES[seats],
            ending=False,
            galop=False,
            played=None,
            effect=Effect.NONE,
            looks=(),
            claims=(),
        )

    def request(self, state: State) -> Request:
        """Draw who begins; lay out a round; then play, turn after turn, and count."""
        match _ours(state).phase:
            case Phase.PLAY | Phase.TARGET | Phase.ORDER:
                return Choose((turn.mover(state),), secret=False)
            case Phase.LOOK | Phase.SEATING | Phase.SPY:
                return Deal(*_looking(state))
            case Phase.DRAW | Phase.START | Phase.UNCOVER | Phase.AMBUSH | Phase.COUNT:
                return Open(_opening(state))
            case Phase.LOTS:
                return Shuffle(tuple(range(state.seats)))
            case Phase.PACK:
                return Shuffle(tuple(range(len(self.cards))))
            case Phase.SHUFFLE:
                return Shuffle(turn.renewing(state))
            case Phase.OVER:
                return Over(rounds.result(state))

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``; see ``rules.game.Game.apply``."""
        return self._step(state, event)[0]

    def moves(self, state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
        """What can be played; ``Stop`` if it would be true; ``Show``. Or what to pick, or to keep.

        ``Show`` is always there: it is always allowed, and what an absent seat does.
        """
        if type(seat) is not int or seat != asked(_ours(state)):
            return ()
        return options(self.cards, state, seat, sight)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Judge ``move``: the seat first, then the kind of move, then what it names.

        Codes: ``not-asked``; ``not-a-move``, ``not-now``; ``no-such-card``, ``no-such-half``,
        ``no-such-end``; ``no-galop`` (one may stop only after a galop), ``any-end`` (an end goes
        with every card, so nobody can say that none does); ``no-such-seat``, ``own-card``,
        ``out-of-round`` (that seat is out), ``no-treasure``, ``empty-hand``.
        """
        check(self.cards, _ours(state), seat, move)

    def default(self, state: State, seat: Seat) -> Move:
        """Ours: show one's hand; pick the first card, clockwise; keep the top card on top."""
        if _ours(state).phase is Phase.TARGET:
            return turn.targets(state)[0]
        return Keep(0) if state.phase is Phase.ORDER else Show()

    def absent(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """What can be done without knowing a card: show one's hand; pick any; keep either."""
        return self.moves(state, seat, {})

    def redealt(self, state: State) -> State:
        """What was said of hands is forgotten; whoever was about to open cards plays again.

        Nothing else rests on a hidden face: what has been picked, drawn or put under the deck was
        taken unseen, or may be what it likes, and whoever has still to look or to choose will.
        """
        state = replace(_ours(state), claims=())
        if state.phase in {Phase.UNCOVER, Phase.AMBUSH}:
            return replace(state, phase=Phase.PLAY, played=None)
        return state

    def round(self, state: State) -> int:
        """The round, from 1; each begins with a shuffle."""
        return _ours(state).round

    def advise(self, state: State, seat: Seat, sight: Sight) -> tuple[tuple[Move, int], ...]:
        """What ``rules/gobelin/advice.py`` makes of the moves; nothing is shown without need."""
        return advised(self.cards, state, seat, sight, self.moves(state, seat, sight))

    def write(self, move: Move) -> str:
        """``1al`` (card, square, end), ``show``, ``stop``, ``b2`` (seat, card), ``keep 1``."""
        return NOTATION.write(move)

    def read(self, text: str) -> Move:
        """As ``write`` makes it, in capitals or not; also ``1 a left``, ``1 a gauche``, ``b 2``."""
        return NOTATION.read(text)

    def tell(self, state: State, event: Event) -> tuple[Tale, ...]:
        """What happened, in the order in which it did; the codes are at the top of this file."""
        return tuple(self._step(state, event)[1])

    def _step(self, state: State, event: Event) -> tuple[State, list[Tale]]:
        """What ``event`` makes of ``state``, and what there is to tell of it."""
        tales: list[Tale] = []
        match _ours(state).phase:
            case Phase.PLAY | Phase.TARGET | Phase.ORDER:
                return self._decided(state, event, tales), tales
            case Phase.UNCOVER | Phase.AMBUSH | Phase.COUNT:
                return self._revealed(state, event, tales)
            case Phase.LOOK:
                return turn.settled(_looked(state, event), tales), tales
            case Phase.SEATING:
                seated = _looked(state, event)
                return seated if seated.looks else replace(seated, phase=Phase.START), tales
            case Phase.SPY:
                dealt(event, *_looking(state))
                return replace(state, phase=Phase.ORDER), tales
            case Phase.LOTS:
                return replace(state, phase=Phase.DRAW, lots=shuffled(event, state.seats)), tales
            case Phase.DRAW:
                (seat,) = opened(event, _opening(state), state.seats)
                drawn = replace(state, phase=Phase.PACK, round=1, first=seat, lots=())
                return drawn, [Tale("first", (seat,))]
            case Phase.PACK:
                return rounds.packed(state, shuffled(event, len(self.cards))), tales
            case Phase.START:
                (face,) = opened(event, _opening(state), len(self.cards))
                return rounds.begun(state, face)
            case Phase.SHUFFLE:
                slots = shuffled(event, len(turn.renewing(state)))
                return turn.renewed(state, slots, tales), tales
            case Phase.OVER:
                raise Mismatch("over")

    def _decided(self, state: State, event: Event, tales: list[Tale]) -> State:
        """The seat asked has chosen a move."""
        seat = turn.mover(state)
        ((_, move),) = chosen(event, (seat,))
        self.check(state, seat, move)
        match move:
            case Play(card=card):
                return replace(state, phase=Phase.UNCOVER, played=(state.hands[seat][card], move))
            case Pick():
                return turn.aimed(state, move, tales)
            case Keep():
                return turn.kept(state, move, tales)
            case Stop():
                return turn.stopped(self.cards, state, tales)
        return replace(state, phase=Phase.AMBUSH)

    def _revealed(self, state: State, event: Event, tales: list[Tale]) -> tuple[State, list[Tale]]:
        """Cards of hands and treasures have been opened; earlier claims about them are checked."""
        slots = _opening(state)
        faces = opened(event, slots, len(self.cards))
        pairs = list(zip(slots, faces, strict=True))
        state = turn.proven(self.cards, state, pairs)
        if state.phase is Phase.UNCOVER:
            return turn.uncovered(self.cards, state, faces[0], tales), tales
        if state.phase is Phase.AMBUSH:
            return turn.shown(self.cards, state, pairs, tales), tales
        return rounds.counted(self.cards, state, faces)


def with_deck(text: str) -> Game:
    """The game with the deck that ``text`` lists; the empty text is the deck that comes with it.

    Raises ``Malformed`` as ``rules.gobelin.deck.read_deck`` does.
    """
    return GAME if text == "" else Gobelin(read_deck(text))


def _ours(state: State) -> State:
    if type(state) is not State:
        raise RuleError("not-a-state", type(state).__name__)
    return state


def _opening(state: State) -> tuple[Slot, ...]:
    """The slots that are turned up in this phase."""
    match state.phase:
        case Phase.UNCOVER if state.played is not None:
            return (state.played[0],)
        case Phase.AMBUSH:
            return state.hands[turn.mover(state)]
        case Phase.COUNT:
            return rounds.shown(state)
        case Phase.START:
            return state.deck[:1]
    return state.lots[:1]


def _looking(state: State) -> tuple[tuple[Slot, ...], Seat]:
    """The slots that one seat looks at in this phase, and the seat."""
    if state.phase is Phase.SPY:
        return state.deck[: turn.SPIED], turn.mover(state)
    return turn.group(state.looks)


def _looked(state: State, event: Event) -> State:
    """A seat has seen what it was to look at."""
    slots, seat = _looking(state)
    dealt(event, slots, seat)
    return replace(state, looks=state.looks[len(slots) :])


GAME: Game = Gobelin(_BUILT_IN)
