"""The screen of settings: changes hold at once, everywhere, and in the file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from rules.taverne import Mushroom
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import compare, frame
from tests.tui.stage import opened, playing, settle
from tui.app import FarfadetApp
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.settings import Sheet
from tui.settings import SETTINGS, Settings, get, text
from tui.settings_file import load
from tui.sitting import Home
from tui.words import Words

ROWS = [setting.key for setting in SETTINGS]


@asynccontextmanager
async def at(key: str, app: FarfadetApp) -> AsyncIterator[Pilot[None]]:
    """The screen, with the row ``key`` lit."""
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("f5", *["down"] * ROWS.index(key))
        await settle(pilot)
        yield pilot


def an_app(keep: Path | None = None, settings: Settings | None = None) -> FarfadetApp:
    return FarfadetApp(FakeDoors(), Home(), Words("en"), settings or Settings(), keep)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_settings_golden(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARFADET_NAME", "Ana")
    async with opened(FakeDoors(), Home(), language) as (app, pilot):
        await pilot.press("f5")
        await settle(pilot)
        compare(f"settings-{language}-name", frame(app))
        await pilot.press("down", "down", "right", "right")
        await settle(pilot)
        compare(f"settings-{language}-theme", frame(app))


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_every_row_and_all_that_is_said_about_it_fits(language: str) -> None:
    async with opened(FakeDoors(), Home(), language) as (app, pilot):
        await pilot.press("f5")
        for setting in SETTINGS:
            await settle(pilot)
            await pilot.press("right")
            for _ in setting.values or [""]:
                await settle(pilot)
                say, shown = app.words.say, frame(app)
                written = text(get(app.settings, setting.key))
                assert say(setting.label) in shown
                assert " ".join(say(setting.help).split()) in " ".join(shown.split())
                if setting.values:
                    assert app.words.fold(f"◀ {say(setting.values[written])} ▶") in shown
                assert all(len(line) <= 80 for line in shown.splitlines())
                await pilot.press("right")
            app.set("language", language)
            await pilot.press("down")


async def test_what_is_changed_is_kept_and_can_be_as_usual_again(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    async with at("bell", an_app(file)) as pilot:
        assert not file.exists()
        await pilot.press("right")
        assert load(file)[0] == Settings(bell="always")
        await pilot.press("left", "left")
        assert load(file)[0] == Settings(bell="never")
        await pilot.press("enter")
        assert load(file)[0] == Settings(bell="away")
        await pilot.press("x")
        assert "bell" not in file.read_text(encoding="utf-8")


async def test_a_name_is_written_and_used_at_the_next_table(tmp_path: Path) -> None:
    app = an_app(tmp_path / "settings.toml")
    assert isinstance(app.doors, FakeDoors)
    async with at("name", app) as pilot:
        await pilot.press("enter", *"Ana q", "enter")
        await settle(pilot)
        assert app.settings.name == "Ana q"
        assert load(tmp_path / "settings.toml")[0].name == "Ana q"
        assert app.doors.asked == [("call_me", "Ana q")]
        assert app.focused is app.screen.query_one(Sheet)
        await pilot.press("enter", "x", "escape")
        await settle(pilot)
        assert app.settings.name == "Ana q"
        assert not app.screen.has_class("-writing")
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_a_name_that_cannot_be_stays_in_the_line_with_a_sentence() -> None:
    app = an_app()
    async with at("name", app) as pilot:
        await pilot.press("enter")
        app.screen.query_one("#written", Input).value = "   "
        await pilot.press("enter")
        await settle(pilot)
        assert "That is no name" in frame(app)
        assert app.screen.has_class("-writing")
        assert app.settings.name == ""


async def test_a_file_that_is_damaged_is_told_and_the_change_holds(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = ", encoding="utf-8")
    settings, troubles = load(file)
    app = an_app(file, settings)
    app.trouble = app.explain(troubles[0])
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "Your settings cannot be read" in " ".join(frame(app).split())
        await pilot.press("f5", "down", "down", "right")
        await settle(pilot)
        assert "Your settings cannot be read" in " ".join(frame(app).split())
        assert app.theme == "light"
        assert file.read_text(encoding="utf-8") == "theme = "


async def test_language_and_signs_change_on_all_screens_at_once() -> None:
    async with playing(FakeSitting(4)) as (screen, pilot):
        app = screen.farfadet
        await pilot.press("f5")
        await settle(pilot)
        app.set("language", "fr")
        app.set("glyphs", "ascii")
        await settle(pilot)
        assert frame(app).isascii()
        await pilot.press("escape")
        await settle(pilot)
        assert frame(app).isascii()
        assert "Ton choix" in frame(app)
        app.set("glyphs", "unicode")
        app.set("language", "en")
        await settle(pilot)
        changed = frame(app)
    async with playing(FakeSitting(4)) as (_, pilot):
        assert changed == frame(pilot.app)


async def test_f2_is_remembered(tmp_path: Path) -> None:
    app = an_app(tmp_path / "settings.toml")
    async with app.run_test() as pilot:
        await pilot.press("f2")
        await settle(pilot)
    assert load(tmp_path / "settings.toml")[0] == Settings(language="fr")


async def test_animation_is_off_from_the_start_or_at_once() -> None:
    app = an_app(settings=Settings(animation="off"))
    levels = []
    async with at("animation", app) as pilot:
        for _ in range(3):
            levels.append(app.animation_level)
            await pilot.press("right")
    assert levels == ["none", "full", "none"]


async def test_the_same_key_twice_seals_unless_enter_alone_does() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        screen.farfadet.set("confirm", True)
        await pilot.press("2", "2", "2")
        await settle(pilot)
        assert sitting.chosen is None
        assert screen.board.aimed == Mushroom(1)
        screen.farfadet.set("confirm", "off")
        await pilot.press("2")
        await settle(pilot)
        assert sitting.chosen == Mushroom(1)


async def test_enter_seals_when_it_alone_does() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        screen.farfadet.set("confirm", True)
        await pilot.press("3", "enter")
        await settle(pilot)
        assert sitting.chosen == Mushroom(2)


async def test_settings_open_over_a_game_and_lead_back_to_it() -> None:
    async with playing(FakeSitting(4)) as (screen, pilot):
        await pilot.press("f5", "f5")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.focused is screen.board


async def test_a_row_can_be_clicked() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("f5")
        await settle(pilot)
        lines = app.screen.query_one(Sheet).canvas.text().splitlines()
        row = next(number for number, line in enumerate(lines) if "Mouse" in line)
        await pilot.click("#sheet", offset=(12, row))
        await settle(pilot)
        assert app.settings.mouse is False


async def test_home_leads_to_the_settings() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("up", "up", "enter")
        await settle(pilot)
        assert isinstance(app.screen.query_one(Sheet), Sheet)
