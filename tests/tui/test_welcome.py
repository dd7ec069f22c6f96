"""A guest's first visit: name, language, what they came for; later visits ask nothing."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.tui.fake_doors import FakeDoors, FakeRoom
from tests.tui.frames import compare, frame
from tests.tui.stage import settle
from tui.screens.home import HomeScreen
from tui.screens.table import TableScreen
from tui.screens.welcome import WelcomeScreen
from tui.settings import Settings
from tui.sitting import Home, Join, Start
from tui.ssh.app import GuestApp
from tui.ssh.guest import LOGIN
from tui.words import Words


@asynccontextmanager
async def visiting(
    start: Start | None = None,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    name: str = "",
    keep: Path | None = None,
) -> AsyncIterator[tuple[GuestApp, Pilot[None]]]:
    """A guest's app, by a guest whose settings say ``name``."""
    app = GuestApp(
        FakeDoors(room=FakeRoom()),
        start or Home(),
        Words(language),
        settings=Settings(name=name, mouse=False),
        keep=keep,
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        yield app, pilot


def shown(app: GuestApp) -> type[Screen[object]]:
    """Which screen one is looking at."""
    return type(app.screen)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_welcome_golden(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOGIN, "ana")
    async with visiting(language=language) as (app, pilot):
        compare(f"welcome-{language}", frame(app))
        await pilot.press("ctrl+u")
        await pilot.press("enter")
        await settle(pilot)
        compare(f"welcome-{language}-wrong", frame(app))


async def test_the_name_one_has_given_to_ssh_is_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LOGIN, "ana")
    path = tmp_path / "settings.toml"
    async with visiting(keep=path) as (app, pilot):
        assert shown(app) is WelcomeScreen
        await pilot.press("enter")
        await settle(pilot)
        assert shown(app) is HomeScreen
    kept = tomllib.loads(path.read_text())
    assert (kept["name"], kept["language"]) == ("ana", "en")


async def test_another_name_and_another_language_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    async with visiting(keep=path) as (app, pilot):
        await pilot.press("down")
        assert app.words.language == "fr"
        await pilot.press(*"Lou")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert shown(app) is HomeScreen
        assert "Jouer tout de suite" in frame(app)
    kept = tomllib.loads(path.read_text())
    assert (kept["name"], kept["language"]) == ("Lou", "fr")


async def test_what_one_came_for_comes_after_the_name() -> None:
    async with visiting(Join("farfadet://somewhere")) as (app, pilot):
        assert shown(app) is WelcomeScreen
        await pilot.press(*"Lou")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert shown(app) is TableScreen


async def test_who_is_known_is_asked_nothing() -> None:
    async with visiting(name="Ana") as (app, _):
        assert shown(app) is HomeScreen
    async with visiting(Join("farfadet://somewhere"), name="Ana") as (app, _):
        assert shown(app) is TableScreen


@pytest.mark.parametrize("login", ["\x1b[2Jana", "[@click=app.quit]x[/]", "‮ana", "a" * 300])
async def test_a_hostile_login_is_only_text(login: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOGIN, login.replace("\0", ""))
    async with visiting() as (app, pilot):
        value = app.screen.query_one(Input).value
        assert value.isprintable()
        assert len(value) <= 16
        await pilot.press("enter")
        await settle(pilot)
        assert shown(app) is HomeScreen
        assert app.settings.name == value


async def test_the_line_is_found_again_after_the_terminal_was_too_small() -> None:
    async with visiting(size=(60, 20)) as (app, pilot):
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        await pilot.press(*"Lou")
        assert app.screen.query_one(Input).value == "Lou"
