"""How a good player of La Taverne des Hobbits mixes moves: worth taking, and likely to be alone.

Each seat is supposed to prefer what pays when nobody else wants it; then, for a few rounds, to
answer what all others are supposed to do. That settles near a mixture in which the richest stones
are wanted by many and taken by few, and in which a rich tile is protected before it is robbed.
"""

from __future__ import annotations

from typing import Final

from rules.game import Move, Seat
from rules.taverne.pieces import Character, Mushroom, Protect, State, Stones
from rules.taverne.turn import active, laden, menu, plus, points

ROUNDS: Final = 6
"""Rounds of answering. This and the next four were picked by simulated games, not derived."""
SHARPNESS: Final = 4
"""A move twice as good is chosen ``2 ** SHARPNESS`` times as often."""
RISK_AHEAD: Final = 0.6
"""Chance that stones left on the tile will be stolen some later turn."""
REST: Final = 0.5
"""What sitting out a turn costs, as a share of the best this turn offers without protecting."""
HARM: Final = 0.6
"""What a stone's loss to a rival is worth, as a share of its points."""
FLOOR: Final = 0.05
"""No move is worth less than this many points: one may always be wrong about the others."""
SCALE: Final = 1000


class _Turn:
    """All seats' moves of one turn, and what they are worth against mixtures of the others."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seats = active(state)
        full = laden(state)
        self.options = {seat: menu(seat, full) for seat in self.seats}
        self.gains = {
            seat: [self._gain(seat, move) for move in options]
            for seat, options in self.options.items()
        }

    def _gain(self, seat: Seat, move: Move) -> float:
        """Points for ``move`` if it succeeds; for protection, the points at stake."""
        state = self.state
        safe, tile = state.safe[seat], state.tiles[seat]
        hand = plus(safe, tile)
        match move:
            case Mushroom(index=index):
                return points(plus(hand, state.mushrooms[index])) - points(hand)
            case Character(seat=victim):
                booty = state.tiles[victim]
                hurt = _worth(plus(state.safe[victim], booty), booty)
                return points(plus(hand, booty)) - points(hand) + HARM * hurt
        return _worth(hand, tile)

    def answer(self, mixes: dict[Seat, dict[Move, float]], seat: Seat) -> dict[Move, float]:
        """The mixture with which ``seat`` meets the others' ``mixes``."""
        others = [mixes[other] for other in self.seats if other != seat]
        worths, best = [], 0.0
        for move, gain in zip(self.options[seat], self.gains[seat], strict=True):
            if isinstance(move, Protect):
                continue
            chance = 1.0
            for mix in others:
                chance *= 1.0 - mix.get(move, 0.0)
            if isinstance(move, Character) and move.seat in mixes:
                chance *= 1.0 - mixes[move.seat].get(Protect(), 0.0)
            worths.append(gain * chance)
            best = max(best, worths[-1])
        if len(worths) < len(self.options[seat]):
            worths.append(self._protection(others, seat, self.gains[seat][-1], best))
        powers = [max(worth, FLOOR) ** SHARPNESS for worth in worths]
        total = sum(powers)
        return {move: power / total for move, power in zip(self.options[seat], powers, strict=True)}

    def _protection(
        self, others: list[dict[Move, float]], seat: Seat, stake: float, best: float
    ) -> float:
        """What covering a tile is worth: the loss it spares, now and later, less a turn's rest."""
        nobody, exactly_one = 1.0, 0.0
        for mix in others:
            chance = mix.get(Character(seat), 0.0)
            exactly_one = exactly_one * (1.0 - chance) + nobody * chance
            nobody *= 1.0 - chance
        if self.state.last:
            return stake * exactly_one
        spared = exactly_one + (1.0 - exactly_one) * RISK_AHEAD
        return stake * spared - REST * best


def mixed(state: State, seat: Seat) -> tuple[tuple[Move, int], ...]:
    """Moves of ``seat`` in a pointing turn, weighted in thousandths; the unlikely ones left out."""
    turn = _Turn(state)
    mixes = {
        each: dict.fromkeys(options, 1.0 / len(options)) for each, options in turn.options.items()
    }
    for _ in range(ROUNDS):
        answers = {each: turn.answer(mixes, each) for each in turn.seats}
        mixes = {
            each: {move: (mix[move] + answers[each][move]) / 2 for move in mix}
            for each, mix in mixes.items()
        }
    weights = [(move, round(SCALE * weight)) for move, weight in mixes[seat].items()]
    least = SCALE // (4 * len(weights))
    return tuple((move, weight) for move, weight in weights if weight >= least)


def _worth(hand: Stones, part: Stones) -> int:
    """Points that ``hand`` loses with ``part`` of it."""
    rest = tuple(all_ - some for all_, some in zip(hand, part, strict=True))
    return points(hand) - points((rest[0], rest[1], rest[2], rest[3]))
