"""What one player sees and can do in Gobelin des bois: faces, plays, what they bring, choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from rules.game import Face, Move, Seat, Slot
from rules.gobelin import Gobelin
from rules.gobelin.pieces import HAND, Card, Effect, Keep, Phase, Play, Show, State, Stop
from rules.gobelin.trail import plays
from rules.gobelin.turn import AIMED, SPIED, targets
from tui.boards.voices import View


@dataclass(frozen=True, slots=True)
class Options:
    """The player of ``view``; who only looks on sees what lies open and can do nothing."""

    view: View

    @property
    def cards(self) -> Sequence[Card]:
        """The deck."""
        return cast(Gobelin, self.view.game).cards

    @property
    def mine(self) -> bool:
        """Whether it is our turn."""
        return self.view.me is not None and self._state.turn == self.view.me

    @property
    def open(self) -> bool:
        """Whether we may choose, or have just chosen."""
        return bool(self.view.moves) or self.view.chosen is not None

    @property
    def hand(self) -> tuple[Slot, ...]:
        """Our cards in hand."""
        return () if self.view.me is None else self._state.hands[self.view.me]

    def face(self, slot: Slot) -> Face | None:
        """The face of a card, if we have seen it."""
        return self.view.sight.get(slot)

    def card(self, slot: Slot) -> Card | None:
        """A card, if we have seen its face."""
        face = self.face(slot)
        return None if face is None else self.cards[face]

    def gold(self, seat: Seat) -> int | None:
        """All the gold of a seat, if we know all its cards."""
        slots = (*self._state.hands[seat], *self._state.treasures[seat])
        cards = [card for slot in slots if (card := self.card(slot)) is not None]
        return sum([card.gold for card in cards]) if len(cards) == len(slots) else None

    def plays(self) -> list[Play]:
        """What we hold that goes with an end as it is now: first on the left, then on the right."""
        if not self._state.trail:
            return []
        faces = [self.face(slot) for slot in self.hand]
        return sorted(plays(self.cards, faces, self._state.trail), key=lambda play: play.end)

    def possible(self, effect: Effect) -> bool:
        """Whether a square with this effect would do something if we played it now."""
        hand, deck = len(self.hand), len(self._state.deck)
        match effect:
            case Effect.COFFRE:
                return deck > 0
            case Effect.ESPION:
                return deck >= SPIED
            case Effect.GALOP:
                # Drawing the last card ends the round, and with it the gallop.
                return self._state.reshuffles > 0 or deck > HAND - hand + 1
        if effect is Effect.TROC and hand < HAND:
            return False
        done = replace(self._state, turn=self.view.me, effect=effect)
        return effect not in AIMED or bool(targets(done))

    def choices(self) -> Sequence[Move]:
        """What we can play, pick or keep; on others' turns, what we could play as things stand."""
        phase = self._state.phase
        if phase is Phase.TARGET and self.mine:
            return targets(self._state)
        if phase is Phase.ORDER and self.mine:
            return [Keep(index) for index in range(SPIED)]
        found = self.plays()
        if not found and self.mine and phase is Phase.PLAY:
            return [Stop() if self._state.galop else Show()]
        return found

    @property
    def _state(self) -> State:
        state: State = self.view.state
        return state
