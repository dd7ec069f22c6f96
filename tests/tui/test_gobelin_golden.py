"""The board of Gobelin des bois in both languages, as text.

FARFADET_GOLDEN=write writes the frames anew.
"""

from __future__ import annotations

import pytest

from rules.gobelin.pieces import Effect, Phase
from tests.tui.fake import FakeSitting
from tests.tui.frames import compare, frame
from tests.tui.gobelin_stage import Wanted, ambushed, at, long_trail, mine, second_round, waiting
from tests.tui.stage import settle

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)])

STATES: dict[str, tuple[Wanted, int, tuple[str, ...]]] = {
    "ask": (long_trail, 4, ()),
    "aimed": (long_trail, 3, ("right", "down")),
    "start": (lambda sitting: mine(Phase.PLAY, 5)(sitting) and start(sitting), 2, ("1",)),
    "target": (mine(Phase.TARGET, 5, Effect.VOL), 4, ("4",)),
    "swap": (mine(Phase.TARGET, 4, Effect.TROC), 3, ("3",)),
    "order": (mine(Phase.ORDER, 2, Effect.ESPION), 3, ("1",)),
    "ambush": (ambushed, 3, ()),
    "waiting": (waiting, 4, ()),
    "count": (second_round, 3, ()),
}


def start(sitting: FakeSitting) -> bool:
    """There is one card on the trail."""
    return len(sitting.state.trail) == 1


@pytest.mark.sampled(3)
@LANGUAGES
@SIZES
@pytest.mark.parametrize("name", STATES)
async def test_board_golden(name: str, language: str, size: tuple[int, int]) -> None:
    wanted, seats, keys = STATES[name]
    async with at(wanted, seats, language, size) as (_, _, pilot):
        if keys:
            await pilot.press(*keys)
            await settle(pilot)
        compare(f"gobelin-{language}-{size[0]}x{size[1]}-{name}", frame(pilot.app))


@LANGUAGES
async def test_help_golden(language: str) -> None:
    async with at(long_trail, 3, language) as (_, _, pilot):
        await pilot.press("f1")
        await settle(pilot)
        compare(f"gobelin-help-{language}-top", frame(pilot.app))
        await pilot.press("down")
        await settle(pilot)
        compare(f"gobelin-help-{language}-more", frame(pilot.app))


async def test_ascii_golden() -> None:
    async with at(long_trail, 3, "fr", ascii_only=True) as (_, _, pilot):
        await pilot.press("2")
        await settle(pilot)
        shown = frame(pilot.app)
        assert shown.isascii()
        compare("gobelin-fr-ascii", shown)
