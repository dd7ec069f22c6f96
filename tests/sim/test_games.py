"""Hundreds of whole games on a bad network: every replica the same at every step, none stuck."""

from __future__ import annotations

import os

import pytest

import rules
from net.audit import audit
from tests.sim.world import CALM, CRASHES, HOSTILE, STORM, World

GAMES = int(os.environ.get("FARFADET_SIM_GAMES", "96"))
FIRST = int(os.environ.get("FARFADET_SIM_SEED", "1"))
WEATHERS = {"storm": STORM, "hostile": HOSTILE, "calm": CALM, "crashes": CRASHES}
BATCH = 8


def play(seed: int) -> World:
    """The world of one seed: game, seats, weather and players follow from it."""
    games = rules.names()
    game = games[seed % len(games)]
    seats = rules.load(game).seats
    weather = tuple(WEATHERS.values())[seed // len(games) % len(WEATHERS)]
    count = seats[seed // len(games) % len(seats)]
    world = World(seed, count, weather, game=game, levels=("random", "steady"))
    world.run()
    return world


def problem(world: World) -> str | None:
    """What is wrong with the end of ``world``, if anything."""
    tables = [node.table for node in world.nodes]
    if not all(table.over for table in tables):
        return f"stuck: {[(table.step, sorted(table.owing)) for table in tables]}"
    if len({table.transcript.data() for table in tables}) != 1:
        return "transcripts differ"
    if len({table.result for table in tables}) != 1:
        return "results differ"
    verdict = audit(tables[0].transcript.data())
    if not verdict.good or verdict.result != tables[0].result:
        return f"audit: {verdict.fault}"
    return None


@pytest.mark.parametrize("first", range(FIRST, FIRST + GAMES, BATCH))
def test_every_game_ends_the_same_for_everybody(first: int) -> None:
    for seed in range(first, min(first + BATCH, FIRST + GAMES)):
        print(f"seed {seed}")
        assert problem(play(seed)) is None
