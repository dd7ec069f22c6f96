"""What is said of who is missing, in both languages. FARFADET_GOLDEN=write writes it anew."""

from __future__ import annotations

import pytest

from net.play.notices import Rewound
from net.play.patience import FORGIVEN
from tests.tui.fake import FakeSitting
from tests.tui.frames import compare, frame
from tests.tui.stage import playing, settle, some_turns

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)])
GAMES = pytest.mark.parametrize("game", ["taverne", "gnomia", "gobelin"])


@LANGUAGES
@SIZES
async def test_others_missing_golden(language: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(5, seed=3, referee=True)
    async with playing(sitting, language, size) as (_, pilot):
        name = f"absence-{language}-{size[0]}x{size[1]}"
        some_turns(sitting, 4)
        sitting.patience = 8.5
        sitting.lose(1)
        await settle(pilot)
        compare(f"{name}-away", frame(pilot.app))
        sitting.patience = 149.99
        await pilot.press("2", "enter", "w")
        await settle(pilot)
        compare(f"{name}-asking", frame(pilot.app))
        sitting.rule(1)
        sitting.deal_anew()
        await settle(pilot)
        compare(f"{name}-absent", frame(pilot.app))
        sitting.lose(2, 3)
        await settle(pilot)
        compare(f"{name}-few", frame(pilot.app))


@LANGUAGES
@SIZES
async def test_we_missing_golden(language: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(4, seed=3)
    async with playing(sitting, language, size) as (_, pilot):
        name = f"absence-{language}-{size[0]}x{size[1]}"
        sitting.rule(0)
        await settle(pilot)
        compare(f"{name}-coming-back", frame(pilot.app))
        for _ in range(1, FORGIVEN):
            sitting.admit(0)
            sitting.rule(0)
        await settle(pilot)
        compare(f"{name}-key", frame(pilot.app))
        sitting.admit(0)
        sitting.tell(Rewound(()))
        await settle(pilot)
        compare(f"{name}-rewound", frame(pilot.app))


@pytest.mark.sampled(2)
@LANGUAGES
@SIZES
@GAMES
async def test_marks_golden(game: str, language: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(4, seed=3, game=game)
    async with playing(sitting, language, size) as (_, pilot):
        some_turns(sitting, 6)
        sitting.rule(1)
        sitting.patience = 24.99
        sitting.lose()
        await settle(pilot)
        compare(f"absence-{game}-{language}-{size[0]}x{size[1]}", frame(pilot.app))


async def test_ascii_golden() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting, "fr", ascii_only=True) as (_, pilot):
        some_turns(sitting, 3)
        sitting.rule(1)
        await settle(pilot)
        text = frame(pilot.app)
        assert text.isascii()
        compare("absence-fr-ascii", text)
