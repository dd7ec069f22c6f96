"""Finished games for tests of replays: short files, and the screens that show them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import cast

from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer

from net.people.friends_file import FriendsFile
from net.play.charter import Charter, read_charter
from net.play.transcript import records
from tests.sim.nodes import small_numbers
from tests.sim.world import LIMIT, World
from tests.tui.fake_doors import FakeDoors
from tests.tui.stage import opened, settle
from tui.screens.replay import ReplayScreen
from tui.sitting import Replay

SEED = 20261130


@lru_cache(maxsize=8)
def game_file(
    game: str, seats: int = 3, absence: bool = False, names: tuple[str, ...] = ()
) -> bytes:
    """The bytes of a finished game, always the same; with ``absence``, seat 1 is away for a while.

    To be read in small numbers, as it was made.
    """
    with small_numbers():
        limit = LIMIT if absence else 0
        world = World(SEED, seats, game=game, levels=("steady",), limit=limit, names=names)
        if absence:
            world.run(2.0)
            world.sides = {1}
            while not world.nodes[0].table.roster.absent:
                world.run(world.now + 0.5)
            world.sides = set()
        world.run(world.now + 3000.0)
        return world.nodes[0].table.transcript.data()


def charter_of(data: bytes) -> Charter:
    """What was agreed for it."""
    return read_charter(next(records(data)))


def doors_of(data: bytes, seat: int | None = None, games: Path | None = None) -> FakeDoors:
    """The doors of the person who has played in ``seat``."""
    me = b"nobody" if seat is None else charter_of(data).chairs[seat].identity
    return FakeDoors(known=FriendsFile(None, me), games=games or Path("nowhere"))


def kept(folder: Path, data: bytes, name: str = "game.farfadet") -> Path:
    """A file."""
    path = folder / name
    path.write_bytes(data)
    return path


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press and let it arrive."""
    await pilot.press(*keys)
    await settle(pilot)


async def until(so: Callable[[], bool]) -> None:
    """Wait for what a thread is busy with."""
    for _ in range(3000):
        if so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("never")


def top(pilot: Pilot[None]) -> Screen[object]:
    """The screen one looks at."""
    screen: Screen[object] = pilot.app.screen
    return screen


@asynccontextmanager
async def replaying(
    path: Path,
    doors: FakeDoors | None = None,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    moving: bool = False,
) -> AsyncIterator[tuple[ReplayScreen, Pilot[None]]]:
    """A finished game on the screen, its file read."""
    start = Replay(path)
    async with opened(doors or FakeDoors(), start, language, size, moving) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await until(lambda: screen.sitting.playback.verdict is not None)
        await settle(pilot)
        yield screen, pilot


class Clock:
    """In place of a screen's timers: nothing is due before the test says so."""

    def __init__(self, screen: ReplayScreen) -> None:
        self.due: Callable[[], None] | None = None
        self.after = 0.0
        """Seconds until it is due."""
        screen.later = self._later  # type: ignore[method-assign]

    def _later(self, seconds: float, do: Callable[[], None]) -> Timer:
        self.due, self.after = do, seconds
        return cast(Timer, self)

    def stop(self) -> None:
        """Nothing is due any more."""
        self.due = None

    def ring(self) -> bool:
        """The time has come; whether anything was due."""
        due, self.due = self.due, None
        if due is not None:
            due()
        return due is not None
