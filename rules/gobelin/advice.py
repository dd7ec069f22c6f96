"""How a good player of Gobelin des bois plays: it keeps gold, stays able to play, and hinders.

Every move is worth some gold: what its effect brings, less the gold of the card that is spent, less
the danger of having nothing to play next time, plus the chance that the next opponent has nothing.
Cards that the seat has not seen are taken to be any of those it sees nowhere. Moves are then mixed,
better ones more often, so that nobody can tell a hand from what was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, prod
from typing import Final

from rules.game import Move, Seat, Sight, Slot
from rules.gobelin.pieces import Card, Colour, Effect, Keep, Pick, Play, State, Stop
from rules.gobelin.trail import ends
from rules.gobelin.turn import SPIED, aim, others

AMBUSH: Final = 14.0
"""What falling into an ambush costs, in gold. This and the next five were picked by simulation."""
RIVAL: Final = 10.0
"""What an ambush of the only opponent is worth, in gold; of one of several, its share."""
GALOP: Final = 1.5
"""What playing again is worth, in gold."""
ESPION: Final = 0.7
"""What choosing one's next card out of two is worth, in gold."""
USE: Final = 2.5
"""What a card that can be played next time is worth more than one that cannot, in gold."""
WARMTH: Final = 0.4
"""Of two moves, one worth this much gold more is made e times as often."""
SCALE: Final = 1000
LEAST: Final = 20
"""Moves of less weight than this are not thought of; the best has ``SCALE``."""

_EVERY: Final = 0b1111


def advised(
    cards: Sequence[Card], state: State, seat: Seat, sight: Sight, options: tuple[Move, ...]
) -> tuple[tuple[Move, int], ...]:
    """``options`` with weights; a hand is shown only if nothing else can be done."""
    if len(options) < 2:
        return tuple((move, 1) for move in options)
    if type(options[0]) is Stop:
        return ((options[0], 1),)
    view = _View(cards, state, seat, sight)
    worths: list[tuple[Move, float]] = []
    for move in options:
        match move:
            case Play():
                worths.append((move, view.play(move)))
            case Pick():
                worths.append((move, view.pick(move)))
            case Keep(index=index):
                worths.append((move, view.draw(state.deck[index])))
    return _mixed(worths)


def _mixed(worths: list[tuple[Move, float]]) -> tuple[tuple[Move, int], ...]:
    best = max(worth for _, worth in worths)
    weights = [(move, round(SCALE * exp((worth - best) / WARMTH))) for move, worth in worths]
    return tuple((move, weight) for move, weight in weights if weight >= LEAST)


class _View:
    """A table in the eyes of one seat: what it has seen, and what the rest may be."""

    def __init__(self, cards: Sequence[Card], state: State, seat: Seat, sight: Sight) -> None:
        self.cards, self.state, self.seat = cards, state, seat
        self.rivals = others(state, seat)
        self.ends = ends(cards, state.trail)
        rows = (state.deck, state.aside, state.removed, *state.hands, *state.treasures)
        faces = {slot: sight[slot] for row in rows for slot in row if slot in sight}
        self.known = {slot: cards[face] for slot, face in faces.items()}
        seen = {*faces.values(), *(laid.face for laid in state.trail)}
        unseen = [card for face, card in enumerate(cards) if face not in seen] or list(cards)
        self.mean = sum(card.gold for card in unseen) / len(unseen)
        self.masks = Counter(_mask(square.colour for square in card.squares) for card in unseen)
        self.squares = Counter(_mask([square.colour]) for card in unseen for square in card.squares)

    def gold(self, slot: Slot) -> float:
        """The gold to be expected of a card."""
        card = self.known.get(slot)
        return self.mean if card is None else card.gold

    def stuck(self, slot: Slot, mask: int) -> float:
        """How likely it is that a card goes with none of the colours in ``mask``."""
        card = self.known.get(slot)
        if card is not None:
            return float(not _mask(square.colour for square in card.squares) & mask)
        fails = sum(count for other, count in self.masks.items() if not other & mask)
        return fails / self.masks.total()

    def danger(self, hand: Sequence[Slot], colours: Sequence[Colour]) -> float:
        """How likely ``hand`` is of no use next time, when an opponent has covered one end."""
        risk = 0.0
        for colour in colours:
            for mask, count in self.squares.items():
                risk += count * prod([self.stuck(slot, _mask([colour]) | mask) for slot in hand])
        return risk / (2 * self.squares.total())

    def play(self, play: Play) -> float:
        """What a play is worth, in gold."""
        state, hand = self.state, self.state.hands[self.seat]
        slot, rest = hand[play.card], [*hand[: play.card], *hand[play.card + 1 :]]
        card = self.known[slot]
        effect = card.squares[play.half].effect
        worth = self.effect(effect, rest) - card.gold
        drawn = state.deck[effect is Effect.COFFRE :][:1]
        left = len(state.deck) - (effect is Effect.COFFRE) - 1
        again = state.reshuffles > 0 and len(state.trail) > 1
        if effect is Effect.GALOP and (left > 0 or again):
            return worth + GALOP
        colours = [self.ends[1 - play.end], card.squares[1 - play.half].colour]
        if left > 0 or again:
            next_hand = state.hands[self.rivals[0]]
            trapped = prod([self.stuck(other, _mask(colours)) for other in next_hand])
            worth += RIVAL * trapped / len(self.rivals)
        if left > len(self.rivals) or again:
            worth -= AMBUSH * self.danger([*rest, *drawn], colours)
        return worth

    def effect(self, effect: Effect, rest: Sequence[Slot]) -> float:
        """What an effect is worth, in gold, when ``rest`` is left in hand; 0 if it is skipped."""
        state, swing = self.state, 1 + 1 / len(self.rivals)
        chests = [slot for rival in self.rivals for slot in state.treasures[rival]]
        match effect:
            case Effect.COFFRE if state.deck:
                return self.gold(state.deck[0])
            case Effect.VOL if chests:
                return swing * max(map(self.gold, chests))
            case Effect.SHERIF if chests:
                return (swing - 1) * max(map(self.gold, chests))
            case Effect.TROC if rest:
                theirs = [slot for rival in self.rivals for slot in state.hands[rival]]
                return swing * (max(map(self.gold, theirs)) - self.gold(rest[0]))
            case Effect.ESPION if len(state.deck) >= SPIED:
                return ESPION
        return 0.0

    def pick(self, pick: Pick) -> float:
        """What taking this card is worth, in gold; most of all from who has most cards."""
        slot = aim(self.state)[pick.seat][pick.index]
        if self.state.effect is Effect.TROC:
            return self.draw(slot)
        return self.gold(slot) + len(self.state.treasures[pick.seat]) / len(self.rivals)

    def draw(self, slot: Slot) -> float:
        """What having this card in hand is worth, in gold."""
        return self.gold(slot) - USE * self.danger([slot], self.ends)


def _mask(colours: Iterable[Colour]) -> int:
    """A bit for every colour that goes with one of ``colours``."""
    mask = 0
    for colour in colours:
        mask |= _EVERY if colour is Colour.ANY else 1 << (colour - 1)
    return mask
