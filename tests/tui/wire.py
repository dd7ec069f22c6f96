"""Takes what an app sends to its terminal, without one: 80x24, 256 colours, no answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import pyte
import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.stage import settle
from tui.app import FarfadetApp
from tui.settings import USUAL, Settings
from tui.sitting import Play, Replay, Start
from tui.terminal import courteous
from tui.words import Words

XTERM: Final = {"TERM": "xterm-256color"}


class Wire(HeadlessDriver):
    """The way to a terminal that keeps what is written."""

    sent: list[str]

    @property
    def is_headless(self) -> bool:
        """There is output."""
        return False

    def start_application_mode(self) -> None:
        """Nothing has been written yet."""
        self.sent = []
        super().start_application_mode()

    def write(self, data: str) -> None:
        """Keep it."""
        self.sent.append(data)


def obeyed(written: str) -> list[str]:
    """What a terminal shows that has been sent this, without empty lines."""
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed(re.sub(r"\x1b\][^\x07]*\x07|\x1b\[2[23];0t", "", written))
    return [line.rstrip() for line in screen.display if line.strip()]


class Session:
    """An app at its wire."""

    def __init__(self, app: FarfadetApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        driver = app._driver
        assert isinstance(driver, Wire)
        self.wire = driver

    async def press(self, *keys: str) -> str:
        """What is written when these keys are pressed."""
        self.wire.sent.clear()
        await self.pilot.press(*keys)
        return await self.written()

    async def written(self) -> str:
        """What has been written since then, once everything under way has arrived."""
        await settle(self.pilot)
        return "".join(self.wire.sent)


@asynccontextmanager
async def wired(
    doors: FakeDoors,
    start: Start | Replay,
    patch: pytest.MonkeyPatch,
    language: str = "en",
    settings: Settings = USUAL,
    environ: Mapping[str, str] = XTERM,
) -> AsyncIterator[Session]:
    """A running app at its wire; ``environ`` tells which terminal it is."""
    for name, value in environ.items():
        patch.setenv(name, value)
    app = FarfadetApp(doors, start, Words(language), settings)
    app.animation_level = "none"
    app.driver_class = courteous(Wire, environ)
    async with app.run_test(headless=False, size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        yield Session(app, pilot)


@asynccontextmanager
async def wired_game(
    sitting: FakeSitting,
    patch: pytest.MonkeyPatch,
    language: str = "en",
    settings: Settings = USUAL,
    environ: Mapping[str, str] = XTERM,
) -> AsyncIterator[Session]:
    """A game at its wire, which waits for its first choice."""
    doors = FakeDoors(sitting=sitting)
    async with wired(doors, Play(), patch, language, settings, environ) as session:
        sitting.begin()
        await settle(session.pilot)
        yield session
