"""The help: the keys of the screen one comes from, how to play, and what the signs mean."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

import rules
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeRoom
from tests.tui.frames import compare, frame
from tests.tui.stage import opened, playing, settle
from tui import boards
from tui.actions import of
from tui.app import FarfadetApp
from tui.flow import beside, cells, padded, table, wrap
from tui.screens.help import HelpScreen
from tui.sitting import Home, Host
from tui.words import Pieces, Words, text

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
GAMES = pytest.mark.parametrize("game", rules.names())
LONG: Pieces = (("one two ", ""), ("three", "name"), (" four fifteen", ""))


def said(app: FarfadetApp) -> str:
    """All of the help, also what is not in sight, in one line."""
    assert isinstance(app.screen, HelpScreen)
    return " ".join(" ".join(text(line) for line in app.screen.reading.lines).split())


# Flowing text.


def test_text_is_broken_at_blanks_and_goes_on_where_it_hangs() -> None:
    assert [text(line) for line in wrap(LONG, 10)] == ["one two", "three four", "fifteen"]
    first: Pieces = (("• ", "key"),)
    hanging = wrap(LONG, 10, first, 2)
    assert [text(line) for line in hanging] == ["• one two", "  three", "  four", "  fifteen"]
    assert ("three", "name") in hanging[1]


def test_what_is_longer_than_a_line_is_cut() -> None:
    assert [text(line) for line in wrap((("abcdefgh ij", ""),), 3)] == ["abc", "def", "gh", "ij"]
    assert max(map(cells, wrap((("日本語のテキスト", ""),), 5))) <= 5
    assert wrap((), 10) == [()]


def test_a_blank_that_must_not_break_does_not() -> None:
    assert [text(line) for line in wrap((("aa bb\u00a0: cc", ""),), 6)] == ["aa", "bb\u00a0:", "cc"]


def test_columns_are_as_wide_as_they_like_or_as_their_words_allow() -> None:
    rows: list[list[Pieces]] = [
        [(("a", ""),), (("long head", ""),)],
        [(("bb", ""),), (("x y", ""),)],
    ]
    wide = [text(line).rstrip() for line in table(rows, 40)]
    assert wide == ["a   long head", "─── ─────────", "bb  x y"]
    narrow = [text(line).rstrip() for line in table(rows, 8)]
    assert narrow == ["a   long", "    head", "─── ────", "bb  x y"]


def test_two_columns_beside_each_other() -> None:
    left: list[Pieces] = [(("a", ""),)]
    right: list[Pieces] = [(("x", ""),), (("y", ""),)]
    assert [text(line) for line in beside(left, right, 4)] == ["a   x", "    y"]
    assert cells(padded((("日", ""),), 5)) == 5


# The screen.


@pytest.mark.sampled(3)
@GAMES
@LANGUAGES
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
async def test_everything_is_said_at_every_size(
    game: str, language: str, size: tuple[int, int]
) -> None:
    words = Words(language)
    async with playing(FakeSitting(3, game=game), language, size) as (_, pilot):
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(pilot.app, FarfadetApp)
        assert isinstance(pilot.app.screen, HelpScreen)
        assert max(cell_len(text(line)) for line in pilot.app.screen.reading.lines) <= size[0]
        whole = said(pilot.app)
        voice = boards.voice(game)
        for sign in voice.SIGNS:
            assert text(sign.drawn(words)) in whole
        helps = [action.help for action in (*boards.load(game).ACTIONS, *of("game"), *of("any"))]
        for wanted in (*voice.RULES, *helps, *(sign.meaning for sign in voice.SIGNS)):
            # In two columns, what stands beside a sentence comes between its lines.
            last = words.say(wanted).split()[-1]
            assert last in whole
            if size[0] < 100:
                assert " ".join(words.say(wanted).split()) in whole


async def test_the_keys_of_this_screen_come_first() -> None:
    async with opened(FakeDoors(room=FakeRoom()), Host()) as (app, pilot):
        await pilot.press("f1")
        await settle(pilot)
        whole = said(app)
        assert whole.index("copy the invitation") < whole.index("Gather life stones")
        assert whole.index("Gather life stones") < whole.index("Keys in the game")
        assert "protect your own stones" in whole


async def test_the_question_mark_opens_it_too_and_it_does_not_open_over_itself() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("question_mark", "f1")
        await settle(pilot)
        assert [type(screen) for screen in app.screen_stack].count(HelpScreen) == 1
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)


async def test_it_says_how_much_is_in_sight() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)
        total = len(app.screen.reading.lines)
        assert f"1-21 / {total}" in frame(app)
        await pilot.press("down")
        await settle(pilot)
        assert f"21-41 / {total}" in frame(app)
        for _ in range(9):
            await pilot.press("space")
        await settle(pilot)
        assert f"{total - 20}-{total} / {total}" in frame(app)
        await pilot.press("up")
        assert app.screen.reading.top < app.screen.reading.last


@LANGUAGES
async def test_help_in_two_columns_golden(language: str) -> None:
    async with playing(FakeSitting(3, game="gnomia"), language, size=(120, 40)) as (_, pilot):
        await pilot.press("f1")
        await settle(pilot)
        compare(f"help-gnomia-{language}-120x40", frame(pilot.app))
