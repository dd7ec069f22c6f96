"""Moves that only a hidden face makes illegal: they pass at first, and everybody finds them out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, cast

import pytest

from net.play.audit import audit
from rules.game import Game, Move, Seat, Sight, State
from rules.gnomia import GRINCHEUX, ZOZO, Give, Gnome
from rules.gnomia import Phase as Gnomia
from rules.gobelin.pieces import Phase as Gobelin
from rules.gobelin.pieces import Play, Stop
from tests.sim.world import World

CHEAT = 1
SEED = 20261130
Lie = Callable[[State, Sight, tuple[Move, ...]], Move | None]
"""What the cheat would do in a state, by what it sees and its legal moves; ``None`` if honest."""


class Liar:
    """A game as a cheat's program has it: where a lie is told, it is the only move."""

    def __init__(self, game: Game, lie: Lie) -> None:
        self._game = game
        self._lie = lie

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def moves(self, state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
        """The lie, or the legal moves."""
        legal = self._game.moves(state, seat, sight)
        lie = self._lie(state, sight, legal) if legal else None
        return legal if lie is None else (lie,)


def gives_zozos_away(state: State, sight: Sight, legal: tuple[Move, ...]) -> Move | None:
    """Bids Grincheux to look at the pile, and gives a Zozo, which must be taken, to seat 0."""
    if state.phase is Gnomia.DECIDE:
        return Give(0) if sight[state.pile[0]] == ZOZO else legal[-1]
    return Gnome(GRINCHEUX) if Gnome(GRINCHEUX) in legal else None


def plays_what_does_not_match(state: State, _: Sight, legal: tuple[Move, ...]) -> Move | None:
    """Covers an end with another colour, as soon as it has one to do it with."""
    if state.phase is not Gobelin.PLAY:
        return None
    wrong = (Play(*way) for way in product((0, 1), repeat=3))
    return next((play for play in wrong if play not in legal), None)


def stops_though_it_can_go_on(state: State, _: Sight, legal: tuple[Move, ...]) -> Move | None:
    """After a galop says that nothing can be played, holding a card that can."""
    if state.phase is not Gobelin.PLAY or not state.galop:
        return None
    return Stop()


@pytest.mark.parametrize(
    ("game", "lie", "code"),
    [
        ("gnomia", gives_zozos_away, "zozo-given"),
        ("gobelin", plays_what_does_not_match, "no-match"),
        ("gobelin", stops_though_it_can_go_on, "could-play"),
    ],
)
def test_a_foul_convicts_its_seat_everywhere(game: str, lie: Lie, code: str) -> None:
    world = World(SEED, 3, game=game, tampers={CHEAT: lambda *_: None})
    table = world.nodes[CHEAT].table
    table.game = cast(Game, Liar(table.game, lie))
    world.run()
    for node in world.honest:
        blame = node.table.blame
        assert blame is not None
        assert (blame.seat, blame.code) == (CHEAT, code)
        verdict = audit(node.table.transcript.data())
        assert (verdict.good, verdict.fault, verdict.seat) == (False, code, CHEAT)
