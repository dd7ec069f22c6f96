"""The list of commands: what can be done now, in the player's language, and doing it."""

from __future__ import annotations

import pytest

from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import compare, frame
from tests.tui.stage import opened, playing, settle
from tui.actions import of
from tui.app import FarfadetApp
from tui.screens.frame import Frame
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.palette import PaletteScreen, commands
from tui.screens.rules import RulesScreen
from tui.screens.settings import SettingsScreen
from tui.sitting import Home
from tui.words import Words

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def names(app: FarfadetApp) -> list[str]:
    """What is listed."""
    assert isinstance(app.screen, PaletteScreen)
    return [command.name for command in app.screen.commands.fitting]


async def test_it_lists_what_can_be_done_now_and_nothing_else() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        listed = [command.name for command in commands(screen)]
        assert {"undo", "leave", "bot", "rules", "settings"} <= set(listed)
        # There is nobody to talk to, nobody is missing, and what moves about is no command.
        assert not {"talk", "mute", "go on", "back at the table", "older", "seal"} & set(listed)
        aims = [command.help for command in commands(screen) if command.name == "aim"]
        assert aims == ["Mushroom 1", "Mushroom 2", "Mushroom 3"]
        sitting.choose(sitting.moves()[0])
        await settle(pilot)
        assert [command for command in commands(screen) if command.name == "aim"] == []


async def test_all_that_may_be_looked_for_is_there_once() -> None:
    async with opened(FakeDoors(), Home()) as (app, _):
        assert isinstance(app.screen, Frame)
        listed = [(command.name, command.help) for command in commands(app.screen)]
        assert len(set(listed)) == len(listed)
        wanted = [action for action in (*of("home"), *of("any")) if action.command]
        found = {help_ for _, help_ in listed}
        missing = [a.id for a in wanted if a.help not in found]
        assert missing == ["home.forget", "any.palette"] or missing == ["any.palette"]


async def test_what_is_written_makes_the_list_shorter() -> None:
    async with opened(FakeDoors(), Home(), "fr") as (app, pilot):
        await pilot.press("ctrl+p")
        await settle(pilot)
        whole = len(names(app))
        await pilot.press(*"QUITTER")
        await settle(pilot)
        assert 1 <= len(names(app)) < whole
        # Accents and capitals do not matter, nor the order of words.
        await pilot.press("ctrl+u", *"francais langue")
        await settle(pilot)
        assert [Words("fr").say("Language")] == names(app)
        await pilot.press(*"zzz")
        await settle(pilot)
        assert names(app) == []
        await pilot.press("enter")
        assert isinstance(app.screen, PaletteScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_command_is_done_on_the_screen_below() -> None:
    async with playing(FakeSitting(4)) as (screen, pilot):
        await pilot.press("ctrl+p", *"mushroom 2", "enter")
        await settle(pilot)
        assert pilot.app.screen is screen
        assert screen.board.aimed == screen.sitting.game.read("2")
        await pilot.press("ctrl+p", *"undo", "enter")
        await settle(pilot)
        assert screen.board.aimed is None
        await pilot.press("ctrl+p", *"leave the table", "enter")
        await settle(pilot)
        assert screen.leaving


@pytest.mark.parametrize(
    ("written", "screen"), [("read all of the rules", RulesScreen), ("settings", SettingsScreen)]
)
async def test_it_leads_to_other_screens(written: str, screen: type[Frame]) -> None:
    async with playing(FakeSitting(4)) as (_, pilot):
        await pilot.press("ctrl+p", *written, "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, screen)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)


async def test_it_sets_colours_and_language() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("ctrl+p", *"colours high", "enter")
        await settle(pilot)
        assert app.theme == "high-contrast"
        await pilot.press("ctrl+p", *"language fran", "enter")
        await settle(pilot)
        assert app.words.language == "fr"


async def test_arrows_and_the_mouse_choose_too() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("ctrl+p")
        await settle(pilot)
        assert isinstance(app.screen, PaletteScreen)
        first, *_, last = app.screen.commands.fitting
        await pilot.press("up")
        assert app.screen.commands.lit == last
        await pilot.press("down")
        assert app.screen.commands.lit == first
        at = names(app).index("settings")
        await pilot.click("Commands", offset=(6, 1 + at))
        await settle(pilot)
        assert isinstance(app.screen, SettingsScreen)


async def test_it_does_not_open_over_itself() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("ctrl+p", "ctrl+p")
        await settle(pilot)
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen, PaletteScreen]


@LANGUAGES
async def test_palette_golden(language: str) -> None:
    async with playing(FakeSitting(4), language) as (_, pilot):
        await pilot.press("ctrl+p")
        await settle(pilot)
        compare(f"palette-{language}", frame(pilot.app))
