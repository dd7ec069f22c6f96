"""A table of Gobelin des bois in the middle of a round, as the tests of its rules lay it.

Cards are written as ``Rc/*- 3``: two squares and the gold. A square is a colour (R, Y, G, B, ``*``
for any) and an effect (``-``, c coffre, v vol, t troc, s sherif, e espion, g galop). The slot of a
card that was laid out is also its face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rules import load
from rules.bots.chooser import Dice
from rules.deal import OpenDeck
from rules.game import (
    Choose,
    Chosen,
    Deal,
    Event,
    Game,
    Illegal,
    Move,
    Over,
    Request,
    Seat,
    Sight,
    Slot,
    Tale,
)
from rules.gobelin import (
    Card,
    Colour,
    Effect,
    Gobelin,
    Laid,
    Phase,
    Square,
    State,
)

GOBELIN = load("gobelin")

_COLOURS = dict(zip("*RYGB", Colour, strict=True))
_EFFECTS = dict(zip("-cvtseg", Effect, strict=True))

PLAIN = "R-/R- 1"
"""A card of no consequence."""


def card(text: str) -> Card:
    """The card that ``text`` describes."""
    (one, other), gold = text[:-2].split("/"), int(text[-1])
    return Card(gold, (_square(one), _square(other)))


def _square(text: str) -> Square:
    return Square(_COLOURS[text[0]], _EFFECTS[text[1]])


class Table:
    """A game under way: its state, the deck that serves it, and all that was told."""

    def __init__(self, game: Game, deck: OpenDeck, state: State) -> None:
        self.game = game
        self.deck = deck
        self.state = state
        self.tales: list[Tale] = []

    def asks(self) -> Request:
        """What is needed next."""
        return self.game.request(self.state)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that faces are indices of."""
        assert isinstance(self.game, Gobelin)
        return self.game.cards

    @property
    def told(self) -> list[tuple[Any, ...]]:
        """The tales so far, each as its code and its facts."""
        return [(tale.code, *tale.facts) for tale in self.tales]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the seat whose turn it is."""
        assert self.state.turn is not None
        return self.game.moves(self.state, self.state.turn, self.sight(self.state.turn))

    def sight(self, seat: Seat) -> Sight:
        """The faces that ``seat`` has seen."""
        return self.deck.sight(seat)

    def take(self, event: Event) -> None:
        """Let one event happen."""
        self.tales += self.game.tell(self.state, event)
        self.state = self.game.apply(self.state, event)

    def serve(self) -> None:
        """Do what the deck is asked to do now, once."""
        self.take(self.deck.serve(self.asks()))

    def say(self, move: Move) -> None:
        """The seat that is asked makes ``move``, and nothing else happens yet."""
        request = self.asks()
        assert isinstance(request, Choose)
        (seat,) = request.seats
        self.take(Chosen(((seat, move),)))

    def do(self, *moves: Move) -> Table:
        """Make ``moves``, each followed by all that is due before the next choice or round."""
        for move in moves:
            self.say(move)
            self.run()
        return self

    def run(self) -> None:
        """All that is due before the next choice or round."""
        while not isinstance(self.asks(), Choose | Over) and self.state.phase is not Phase.PACK:
            self.serve()

    def until(self, phase: Phase) -> None:
        """All that happens before this ``phase``, each choice being the first one offered."""
        while self.state.phase is not phase:
            if isinstance(self.asks(), Choose):
                self.say(self.moves[0])
            else:
                self.serve()

    def refusal(self, move: Move, seat: Seat | None = None) -> str:
        """Why ``seat``, or the one whose turn it is, may not make ``move``."""
        asked = self.state.turn if seat is None else seat
        assert asked is not None
        with pytest.raises(Illegal) as caught:
            self.game.check(self.state, asked, move)
        return caught.value.code


def table(
    hands: Sequence[Sequence[str]],
    trail: Sequence[str] = ("R-/Y- 0",),
    *,
    treasures: Sequence[Sequence[str]] = ((), (), (), ()),
    deck: Sequence[str] = (PLAIN,) * 6,
    aside: Sequence[str] = (),
    **changes: Any,
) -> Table:
    """A turn of seat 0 in the middle of a round; every seat has seen its own cards."""
    cards: list[Card] = []

    def laid(texts: Sequence[str]) -> tuple[Slot, ...]:
        cards.extend(map(card, texts))
        return tuple(range(len(cards) - len(texts), len(cards)))

    seats = len(hands)
    on_trail = tuple(Laid(face, turned=False) for face in laid(trail))
    held = tuple(map(laid, hands))
    chests = tuple(map(laid, treasures[:seats]))
    lying, away = laid(deck), laid(aside)
    game, served = Gobelin(tuple(cards)), OpenDeck(seats, Dice(1))
    served.faces.extend(range(len(cards)))
    for seat in range(seats):
        served.serve(Deal(held[seat] + chests[seat], seat))
    state = replace(
        game.start(seats),
        phase=Phase.PLAY,
        round=1,
        first=0,
        turn=0,
        deck=lying,
        aside=away,
        hands=held,
        treasures=chests,
        trail=on_trail,
    )
    return Table(game, served, replace(state, **changes))


def new_round(seats: int, seed: int) -> Table:
    """A whole deck's game at its first choice."""
    begun = Table(GOBELIN, OpenDeck(seats, Dice(seed)), GOBELIN.start(seats))
    begun.until(Phase.PLAY)
    return begun
