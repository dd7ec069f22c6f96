"""Apps set up as tests want them, and the games played in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from textual.pilot import Pilot

from rules.taverne import Phase
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tui.app import FarfadetApp
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.sitting import Play, Replay, Start
from tui.words import Words


@asynccontextmanager
async def opened(
    doors: FakeDoors,
    start: Start | Replay,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    moving: bool = False,
    ascii_only: bool = False,
) -> AsyncIterator[tuple[FarfadetApp, Pilot[None]]]:
    """A running app; choices are only shown for a moment if ``moving``."""
    app = FarfadetApp(doors, start, Words(language, ascii_only))
    app.animation_level = "full" if moving else "none"
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        yield app, pilot


@asynccontextmanager
async def playing(
    sitting: FakeSitting,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    moving: bool = False,
    ascii_only: bool = False,
) -> AsyncIterator[tuple[GameScreen, Pilot[None]]]:
    """A game that waits for its first choice."""
    doors = FakeDoors(sitting=sitting)
    async with opened(doors, Play(), language, size, moving, ascii_only) as (app, pilot):
        sitting.begin()
        await settle(pilot)
        yield cast(GameScreen, app.screen), pilot


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that is under way arrive."""
    for _ in range(4):
        await pilot.pause()


def home(app: FarfadetApp) -> HomeScreen:
    """The first screen, which is showing."""
    assert isinstance(app.screen, HomeScreen)
    return app.screen


def some_turns(sitting: FakeSitting, turns: int) -> None:
    """Everybody plays a few turns, always the same."""
    for turn in range(turns):
        if sitting.moves():
            moves = sitting.moves()
            sitting.choose(moves[turn % len(moves)])
        for seat in sorted(sitting.owing):
            moves = sitting.options(seat)
            sitting.seal(seat, moves[(2 * turn + seat) % len(moves)])


def about_to_serve(seats: int = 5) -> FakeSitting:
    """A game in which the bag is short and seat 0 hands out the stones."""
    for seed in range(200):
        sitting = FakeSitting(seats, seed)
        sitting.begin()
        while sitting.result is None:
            if sitting.state.phase is Phase.SERVE and sitting.state.distributor == 0:
                return sitting
            some_turns(sitting, 1)
    raise AssertionError("no seed leads there")
