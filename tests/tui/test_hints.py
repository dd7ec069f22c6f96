"""Hints: one at a time, each once, in the first game of its kind, and never after it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len

import rules
from tests.tui.fake import NAMES, FakeSitting
from tests.tui.frames import compare, frame
from tests.tui.stage import playing, settle
from tui import boards
from tui.boards.voices import View
from tui.hints import READ, Hints
from tui.screens.game import GameScreen
from tui.settings import Settings
from tui.words import LANGUAGES as ALL
from tui.words import Words

LANGUAGES = pytest.mark.parametrize("language", ALL)
GAMES = pytest.mark.parametrize("game", rules.names())


class Clock:
    """Seconds, as a test wants them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where hints are kept."""
    return tmp_path / "state" / "hints.json"


def view(sitting: FakeSitting) -> View:
    """What our player sees."""
    return View(
        game=sitting.game,
        state=sitting.state,
        request=sitting.request,
        me=sitting.me,
        names=sitting.names,
        sight=sitting.sight,
        owing=sitting.owing,
        moves=sitting.moves(),
        chosen=sitting.chosen,
    )


# What is kept.


def test_a_hint_stays_until_its_moment_is_over_and_does_not_come_again(file: Path) -> None:
    clock = Clock()
    hints = Hints(file, clock)
    assert hints.pick("taverne", ("choose", "tile")) == "choose"
    clock.now += READ
    assert hints.pick("taverne", ("choose", "tile")) == "choose"
    assert hints.pick("taverne", ("sealed",)) == "sealed"
    clock.now += READ
    assert hints.pick("taverne", ("choose", "tile")) == "tile"
    clock.now += READ
    assert hints.pick("taverne", ()) is None
    assert json.loads(file.read_bytes()) == {"taverne": ["choose", "sealed", "tile"]}
    assert Hints(file).pick("taverne", ("tile", "choose")) is None


def test_a_hint_that_nobody_can_have_read_comes_again(file: Path) -> None:
    clock = Clock()
    hints = Hints(file, clock)
    assert hints.pick("taverne", ("sealed",)) == "sealed"
    clock.now += READ / 2
    assert hints.pick("taverne", ()) is None
    assert hints.pick("taverne", ("sealed",)) == "sealed"


def test_after_a_whole_game_there_are_no_hints_for_it_and_there_are_for_others(file: Path) -> None:
    hints = Hints(file)
    assert hints.pick("taverne", ("choose",)) == "choose"
    hints.played("taverne")
    assert hints.pick("taverne", ("tile",)) is None
    assert hints.pick("gnomia", ("choose",)) == "choose"
    again = Hints(file)
    assert again.pick("taverne", ("tile",)) is None
    assert again.pick("gnomia", ("choose",)) == "choose"


@pytest.mark.parametrize(
    "written", [b"", b"[1]", b"{", b'{"taverne": 3}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_file_that_is_none_of_ours_does_no_harm(file: Path, written: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(written)
    assert Hints(file).pick("taverne", ("choose",)) == "choose"


def test_what_cannot_be_written_is_remembered_until_we_leave(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file where there should be a folder")
    hints = Hints(tmp_path / "state" / "hints.json")
    hints.played("taverne")
    assert hints.pick("taverne", ("choose",)) is None


# What games say.


@GAMES
@LANGUAGES
def test_hints_fit_the_line_above_the_board(game: str, language: str) -> None:
    for code, hint in boards.voice(game).HINTS.items():
        assert cell_len(Words(language).say(hint)) <= 76, code


@GAMES
def test_every_hint_comes_up_in_a_few_games_and_every_code_has_a_hint(game: str) -> None:
    voice, met = boards.voice(game), set[str]()
    for seed in range(12):
        random = Random(seed)
        sitting = FakeSitting(rules.load(game).seats[-1], seed, game=game)
        sitting.begin()
        while sitting.result is None:
            for seat in range(len(sitting.names)):
                sitting.me = seat
                met |= set(voice(Words("en"), view(sitting)).hints())
            seat = min(sitting.asked)
            sitting.seal(seat, random.choice(sitting.options(seat)))
    secret = {"sealed", "reveal"}
    assert met <= voice.HINTS.keys() | secret
    assert voice.HINTS.keys() - secret <= met


def test_who_looks_on_is_told_nothing() -> None:
    sitting = FakeSitting(4, me=None)
    sitting.begin()
    assert boards.voice("taverne")(Words("en"), view(sitting)).hints() == ()


# The screen.


def shown(screen: GameScreen, code: str) -> bool:
    """Whether this hint is on the screen."""
    return screen.words.say(screen.board.voice.HINTS[code]) in frame(screen.farfadet)


async def test_a_first_game_is_explained_as_it_goes(file: Path) -> None:
    clock, sitting = Clock(), FakeSitting(4)
    async with playing(sitting, moving=True) as (screen, pilot):
        screen.farfadet.hints = Hints(file, clock)
        screen.update()
        await settle(pilot)
        assert shown(screen, "choose")
        await pilot.press("1")
        await settle(pilot)
        assert shown(screen, "choose")
        clock.now += READ
        await pilot.press("enter")
        await settle(pilot)
        assert shown(screen, "sealed")
        clock.now += READ
        sitting.others({1: "2", 2: "2", 3: "3"})
        await settle(pilot)
        assert shown(screen, "reveal")
        clock.now += READ
        await pilot.press("1")
        await settle(pilot)
        assert not shown(screen, "choose")
        assert shown(screen, "tile")
        # Something that matters more has the line first.
        sitting.lose(2)
        await settle(pilot)
        assert not shown(screen, "tile")
        sitting.lose()
        await settle(pilot)
        assert shown(screen, "tile")
        sitting.end()
        await settle(pilot)
    assert Hints(file).pick("taverne", ("choose", "tile")) is None


async def test_hints_can_be_turned_off_and_on(file: Path) -> None:
    async with playing(FakeSitting(4)) as (screen, pilot):
        screen.farfadet.hints = Hints(file)
        screen.farfadet.settings = Settings(hints=False)
        screen.update()
        await settle(pilot)
        assert not shown(screen, "choose")
        screen.farfadet.set("hints", True)
        screen.update()
        await settle(pilot)
        assert shown(screen, "choose")
        await pilot.press("z")
        await settle(pilot)
        assert not shown(screen, "choose")


async def test_onlookers_finish_no_first_game(file: Path) -> None:
    sitting = FakeSitting(4, me=None, names=NAMES)
    async with playing(sitting) as (screen, pilot):
        screen.farfadet.hints = Hints(file)
        sitting.end()
        await settle(pilot)
    assert Hints(file).pick("taverne", ("choose",)) == "choose"


@LANGUAGES
@GAMES
async def test_hint_golden(game: str, language: str, file: Path) -> None:
    async with playing(FakeSitting(3, game=game), language) as (screen, pilot):
        screen.farfadet.hints = Hints(file)
        screen.update()
        await settle(pilot)
        compare(f"hint-{game}-{language}", frame(pilot.app))
