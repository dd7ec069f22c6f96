"""Every screen in both languages, as text. FARFADET_GOLDEN=write writes the frames anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from net.play.notices import Link, Progress
from tests.tui.around import ANA, BO, FULL, PLAYING, Around
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom, a_saved_table
from tests.tui.frames import compare, frame
from tests.tui.stage import about_to_serve, opened, playing, settle, some_turns
from tui.sitting import Home, Host

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


@LANGUAGES
async def test_home_golden(language: str) -> None:
    around = Around(ANA, replace(BO, since=None), replace(FULL, since=None), PLAYING)
    async with opened(FakeDoors(around=around), Home(), language) as (app, pilot):
        compare(f"home-{language}", frame(app))
        await pilot.press("down", "down", "enter")
        await settle(pilot)
        compare(f"near-{language}", frame(app))
        await pilot.press("escape", "down", "enter")
        await settle(pilot)
        compare(f"join-{language}", frame(app))


@LANGUAGES
async def test_home_with_a_table_golden(language: str) -> None:
    async with opened(FakeDoors(tables=[a_saved_table()]), Home(), language) as (app, _):
        compare(f"home-back-{language}", frame(app))


@LANGUAGES
async def test_table_golden(language: str) -> None:
    room = FakeRoom()
    async with opened(FakeDoors(room=room), Host(), language) as (app, pilot):
        room.arrive(FakeGuest("Puck", bot=True))
        await pilot.press("c")
        await settle(pilot)
        compare(f"table-{language}", frame(app))


@LANGUAGES
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_game_golden(language: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(6, seed=3)
    async with playing(sitting, language, size) as (_, pilot):
        name = f"game-{language}-{size[0]}x{size[1]}"
        some_turns(sitting, 4)
        await settle(pilot)
        compare(f"{name}-ask", frame(pilot.app))
        await pilot.press("2")
        sitting.seal(3, sitting.moves()[0])
        await settle(pilot)
        compare(f"{name}-aimed", frame(pilot.app))
        await pilot.press("enter")
        await settle(pilot)
        compare(f"{name}-sealed", frame(pilot.app))


@LANGUAGES
async def test_reveal_golden(language: str) -> None:
    sitting = FakeSitting(5)
    async with playing(sitting, language, moving=True) as (_, pilot):
        sitting.choose(sitting.game.read("1"))
        sitting.others({1: "2", 2: "2", 3: "3", 4: "1"})
        await settle(pilot)
        compare(f"reveal-{language}", frame(pilot.app))


@LANGUAGES
async def test_serving_golden(language: str) -> None:
    sitting = about_to_serve()
    async with opened(FakeDoors(sitting=sitting), Home(), language) as (app, pilot):
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("3", "1")
        await settle(pilot)
        compare(f"serve-{language}", frame(app))


@LANGUAGES
async def test_trouble_golden(language: str) -> None:
    sitting = FakeSitting(3)
    async with opened(FakeDoors(sitting=sitting), Home(), language) as (app, pilot):
        await pilot.press("enter")
        await settle(pilot)
        sitting.begin()
        sitting.tell(Progress("proof", 3, 5))
        sitting.tell(Link(False))
        await pilot.press("b")
        await settle(pilot)
        compare(f"trouble-{language}", frame(app))


@LANGUAGES
async def test_result_golden(language: str) -> None:
    sitting = FakeSitting(6)
    async with playing(sitting, language) as (_, pilot):
        sitting.end()
        await settle(pilot)
        compare(f"result-{language}", frame(pilot.app))


@LANGUAGES
async def test_help_golden(language: str) -> None:
    async with opened(FakeDoors(), Home(), language) as (app, pilot):
        await pilot.press("f1")
        await settle(pilot)
        compare(f"help-{language}-top", frame(app))
        await pilot.press("down", "down", "down")
        await settle(pilot)
        compare(f"help-{language}-end", frame(app))


async def test_ascii_golden() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting, "fr", ascii_only=True) as (_, pilot):
        some_turns(sitting, 3)
        await pilot.press("2")
        await settle(pilot)
        text = frame(pilot.app)
        assert text.isascii()
        compare("game-fr-ascii", text)
