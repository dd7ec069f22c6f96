"""Hundreds of whole games on a bad network: every replica the same at every step, none stuck."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from random import Random

import pytest

import rules
from net.play.audit import audit
from rules.game import Seat
from tests.sim.nodes import Node, small_numbers
from tests.sim.world import ABSENCES, CALM, CRASHES, HOSTILE, LIMIT, STORM, World

GAMES = int(os.environ.get("FARFADET_SIM_GAMES", "16"))
FIRST = int(os.environ.get("FARFADET_SIM_SEED", "1"))
WEATHERS = {
    "storm": STORM,
    "absences": ABSENCES,
    "hostile": HOSTILE,
    "leaving": CALM,
    "crashes": CRASHES,
}
BATCH = 4
TRUE = 20
"""Of so many games, one is played with the group that is played with, not with small numbers."""


def play(seed: int) -> World:
    """The world of one seed: game, seats, weather, members and players follow from it."""
    games = rules.names()
    game, rest = games[seed % len(games)], seed // len(games)
    weather, rest = list(WEATHERS)[rest % len(WEATHERS)], rest // len(WEATHERS)
    possible = rules.load(game).seats
    seats = possible[rest % len(possible)]
    source = Random(f"table {seed}")
    referee = source.random() < 0.5
    gone = leavers(source, seats, referee) if weather == "leaving" else ()
    world = World(
        seed,
        seats,
        WEATHERS[weather],
        game=game,
        levels=("random", "steady"),
        limit=LIMIT if weather in ("absences", "leaving") and source.random() < 0.6 else 0,
        referee=referee,
        escrow=source.random() < 0.4,
        spectators=source.randint(0, 2),
        leavers=gone,
    )
    world.run(1800.0)
    return world


def leavers(source: Random, seats: int, referee: bool) -> Sequence[Seat]:
    """As many members as may go for good while those who are left can still rule."""
    members = seats + referee
    most = (members - 1) // 2
    return source.sample(range(members), source.randint(min(1, most), most))


def problem(world: World) -> str | None:
    """What is wrong with the end of ``world``, if anything."""
    tables = [node.table for node in world.honest]
    if not all(table.over for table in tables):
        return f"stuck: {[(table.step, sorted(table.owing), table.blame) for table in tables]}"
    if len({table.transcript.head for table in tables}) != 1:
        return "transcripts differ"
    if len({table.result for table in tables}) != 1:
        return "results differ"
    if not agree(world.honest):
        return "states differ"
    for data in {table.transcript.data() for table in tables}:
        verdict = audit(data)
        if not verdict.good or verdict.result != tables[0].result:
            return f"audit: {verdict.fault}"
    return None


def agree(nodes: Sequence[Node]) -> bool:
    """Whether all have gone through the same steps and states, where they have seen them."""
    return all(
        len({mark for mark in marks if mark != (b"", b"")}) <= 1
        for marks in zip(*(node.marks for node in nodes), strict=False)
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(FIRST, FIRST + GAMES, BATCH))
def test_every_game_ends_the_same_for_everybody(first: int) -> None:
    for seed in range(first, min(first + BATCH, FIRST + GAMES)):
        print(f"seed {seed}")
        with nullcontext() if seed % TRUE == 0 else small_numbers():
            assert problem(play(seed)) is None
