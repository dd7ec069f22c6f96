"""Hundreds of whole games on a bad network: every replica the same at every step, none stuck."""

from __future__ import annotations

import os

import pytest

from net.audit import audit
from tests.sim.world import CALM, HOSTILE, STORM, World

GAMES = int(os.environ.get("FARFADET_SIM_GAMES", "200"))
FIRST = int(os.environ.get("FARFADET_SIM_SEED", "1"))
WEATHERS = {"storm": STORM, "hostile": HOSTILE, "calm": CALM}
BATCH = 10


def play(seed: int) -> World:
    """The world of one seed: seats, weather and players follow from it."""
    weather = tuple(WEATHERS.values())[seed % len(WEATHERS)]
    world = World(seed, 3 + seed % 4, weather, levels=("random", "steady"))
    world.run()
    return world


@pytest.mark.parametrize("first", range(FIRST, FIRST + GAMES, BATCH))
def test_every_game_ends_the_same_for_everybody(first: int) -> None:
    for seed in range(first, min(first + BATCH, FIRST + GAMES)):
        print(f"seed {seed}")
        world = play(seed)
        tables = [node.table for node in world.nodes]
        assert all(table.over for table in tables), [(t.step, t.owing) for t in tables]
        assert len({table.transcript.data() for table in tables}) == 1
        assert len({table.result for table in tables}) == 1
        verdict = audit(tables[0].transcript.data())
        assert verdict.good
        assert verdict.result == tables[0].result
