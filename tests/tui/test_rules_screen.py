"""The rules on the screen: all of every page, in both languages, for any width and for ASCII."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len

import rules
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import compare, frame
from tests.tui.stage import opened, playing, settle
from tui import boards, pages
from tui.app import FarfadetApp
from tui.boards.voices import letters
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.rules import Contents, RulesScreen
from tui.sitting import Home
from tui.words import LANGUAGES as ALL
from tui.words import Words, text

LANGUAGES = pytest.mark.parametrize("language", ALL)
GAMES = pytest.mark.parametrize("game", rules.names())
ROOT: Final = Path(__file__).parents[2]


def lines(game: str, language: str, width: int, ascii_only: bool = False) -> list[str]:
    """A page as it is laid out."""
    words = Words(language, ascii_only)
    styles = letters(words, boards.voice(game))
    page = pages.lay_out(pages.read(game, language), words, width, styles)
    return [words.fold(text(line)).rstrip() for line in page.lines]


def pictures(game: str, language: str) -> list[str]:
    """The lines of all pictures of a page, as they are written."""
    written = (pages.folder() / f"{game}.{language}.md").read_text(encoding="utf-8")
    return "".join(re.findall(r"```\n(.*?)```", written, re.DOTALL)).splitlines()


# Where pages are.


def test_a_wheel_has_the_pages_where_they_are_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"docs/rules": "tui/pages"}
    assert pages.folder() == ROOT / "docs" / "rules"
    assert Path(pages.__file__).parent == ROOT / "tui"


# What is laid out.


@GAMES
@LANGUAGES
@pytest.mark.parametrize("width", [72, 76, 88])
def test_nothing_is_lost_and_nothing_is_too_wide(game: str, language: str, width: int) -> None:
    shown = lines(game, language, width)
    assert max(map(cell_len, shown)) <= width
    written = (pages.folder() / f"{game}.{language}.md").read_text(encoding="utf-8")
    # Markdown's own signs, addresses of links and the link to the other language are not shown.
    plain = re.sub(r"^\*\[.*\]\(.*\)\*$|```", "", written, flags=re.M)
    plain = re.sub(r"\]\([^)]*\)", "]", plain)
    wanted = set(re.findall(r"\w+", plain)) - {"_"}
    found = set(re.findall(r"\w+", " ".join(shown)))
    title = set(re.findall(r"\w+", boards.voice(game).TITLE))
    # A word may stand at the end of a line in two parts only if it is longer than its column.
    assert {word for word in wanted - found - title if len(word) < 12} == set()


@GAMES
@LANGUAGES
def test_a_page_can_be_shown_in_ascii(game: str, language: str) -> None:
    shown = "\n".join(lines(game, language, 76, ascii_only=True))
    assert shown.isascii()
    written = (pages.folder() / f"{game}.{language}.md").read_text(encoding="utf-8")
    assert shown.count("?") == written.count("?")


@GAMES
@LANGUAGES
def test_pictures_are_narrow_and_their_signs_one_cell_wide(game: str, language: str) -> None:
    drawn, words = pictures(game, language), Words(language, ascii=True)
    assert drawn
    assert max(map(len, drawn)) <= 72
    for char in set("".join(drawn)):
        assert cell_len(char) == 1, char
        assert len(words.fold(char)) == 1, char


@GAMES
def test_pictures_are_the_same_in_both_languages_but_for_the_words(game: str) -> None:
    english, french = (
        [re.sub(r"[^\W\d]", "x", line) for line in pictures(game, language)]
        for language in ("en", "fr")
    )
    assert len(english) == len(french)
    drawn = r"[█▄▀▐▌─│┌┐└┘╭╮╰╯═║╔╗╚╝•●]"
    for one, other in zip(english, french, strict=True):
        assert re.findall(drawn, one) == re.findall(drawn, other)


@GAMES
def test_both_languages_have_the_same_sections(game: str) -> None:
    counts = []
    for language in ALL:
        page = pages.lay_out(pages.read(game, language), Words(language), 76, {})
        starts = [section.at for section in page.sections]
        assert starts == sorted(set(starts))
        for section in page.sections[1:]:
            assert section.title in text(page.lines[section.at])
        counts.append(len(starts))
    assert counts[0] == counts[1] > 6


def test_letters_of_stones_have_their_colours_in_pictures_and_in_no_word() -> None:
    words = Words("en")
    styles = letters(words, boards.voice("taverne"))
    page = pages.lay_out(pages.read("taverne", "en"), words, 76, styles)
    coloured = [piece for line in page.lines for piece in line if piece[1] in styles.values()]
    assert {char for char, _ in coloured} == {"R", "B", "Y", "W"}
    assert all(styles[char] == style for char, style in coloured)
    assert not any("Bruno" in text(line) and ("B", "blue") in line[:12] for line in page.lines)


# The screen.


def reader(app: FarfadetApp) -> RulesScreen:
    """The screen with the rules, which is showing."""
    assert isinstance(app.screen, RulesScreen)
    return app.screen


async def test_home_leads_to_the_rules_of_the_game_that_is_picked() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        assert isinstance(app.screen, HomeScreen)
        home = app.screen
        home.menu.wish.game = "gnomia"
        while home.menu.row != "rules":
            await pilot.press("down")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, RulesScreen)
        assert app.screen.game == "gnomia"
        await pilot.press("escape")
        assert app.screen is home


@GAMES
async def test_the_help_of_a_game_leads_to_its_rules(game: str) -> None:
    async with playing(FakeSitting(3, game=game)) as (screen, pilot):
        await pilot.press("f1", "r")
        await settle(pilot)
        rules_screen = pilot.app.screen
        assert isinstance(rules_screen, RulesScreen)
        assert rules_screen.game == game
        # From there, help and back again pile nothing up.
        await pilot.press("f1", "r")
        await settle(pilot)
        assert pilot.app.screen is rules_screen
        await pilot.press("f1", "f4")
        await settle(pilot)
        assert pilot.app.screen is rules_screen
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert isinstance(screen, GameScreen)


async def test_one_can_move_through_a_page() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("f4")
        await settle(pilot)
        screen = reader(app)
        reading = screen.reading
        height = reading.size.height
        assert reading.where.startswith(f"1-{height} / ")
        await pilot.press("down", "down", "up")
        assert reading.top == 1
        await pilot.press("space")
        assert reading.top == height
        await pilot.press("pageup", "pageup")
        assert reading.top == 0
        for _ in range(40):
            await pilot.press("pagedown")
        assert reading.top == reading.last > 0
        assert screen.section == len(screen.page.sections) - 1
        await settle(pilot)
        assert reading.where in frame(app)


async def test_sections_one_after_the_other() -> None:
    async with opened(FakeDoors(), Home(), size=(120, 40)) as (app, pilot):
        await pilot.press("f4", "n", "n")
        await settle(pilot)
        screen = reader(app)
        second = screen.page.sections[2]
        assert screen.reading.top == second.at
        assert f"▸ {second.title}" in frame(app)
        await pilot.press("down", "p")
        assert screen.reading.top == second.at
        await pilot.press("p", "p", "p")
        assert screen.reading.top == 0
        rows = screen.query_one(Contents).rows
        await pilot.click("Contents", offset=(5, 1 + rows.index(3)))
        assert screen.section == 3


async def test_the_other_games_and_the_other_language() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("f4", "n", "n")
        await settle(pilot)
        screen = reader(app)
        at = screen.section
        await pilot.press("f2")
        await settle(pilot)
        assert screen.section == at
        assert "Mise en place" in frame(app)
        before = screen.game
        seen = {before}
        for _ in rules.names():
            await pilot.press("right")
            await settle(pilot)
            seen.add(screen.game)
            assert app.words.say(boards.voice(screen.game).TITLE) in frame(app).split("\n")[0]
        assert seen == set(rules.names())
        assert screen.game == before
        await pilot.press("left")
        assert screen.game != before
        assert screen.reading.top == 0


async def test_the_page_follows_the_size_of_the_terminal() -> None:
    async with opened(FakeDoors(), Home(), size=(120, 40)) as (app, pilot):
        await pilot.press("f4")
        await settle(pilot)
        assert "▸" in frame(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "▸" not in frame(app)
        screen = reader(app)
        assert screen.reading.size.width == 80


@LANGUAGES
async def test_rules_golden(language: str) -> None:
    async with opened(FakeDoors(), Home(), language) as (app, pilot):
        await pilot.press("f4", "n", "n", "n", "pagedown")
        await settle(pilot)
        compare(f"rules-{language}", frame(app))


async def test_rules_ascii_golden() -> None:
    sitting = FakeSitting(3, game="gobelin")
    async with playing(sitting, "fr", size=(120, 40), ascii_only=True) as (_, pilot):
        await pilot.press("f4", "n", "n", "n")
        await settle(pilot)
        text_ = frame(pilot.app)
        assert text_.isascii()
        compare("rules-fr-ascii", text_)
