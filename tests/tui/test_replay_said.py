"""What is said of a finished game on the screen, good or damaged, and how that looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event as Flag

import pytest

from net.play.playback import Playback
from tests.sim.nodes import small_numbers
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import compare, frame
from tests.tui.replay_stage import (
    Clock,
    charter_of,
    doors_of,
    game_file,
    kept,
    press,
    replaying,
    top,
    until,
)
from tests.tui.stage import opened, playing, settle
from tui.replayed import Replayed, ReplayError, open_replay
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.replay import ReplayScreen
from tui.screens.result import ResultScreen
from tui.sitting import Replay

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """The files were made so."""
    with small_numbers():
        yield


@pytest.fixture
def taverne(tmp_path: Path) -> Path:
    """A game of three."""
    return kept(tmp_path, game_file("taverne"))


# What is said of it.


async def test_at_the_end_there_are_the_verdict_and_the_score(taverne: Path) -> None:
    async with replaying(taverne, doors_of(game_file("taverne"), 0)) as (screen, pilot):
        assert "verified" in frame(pilot.app)
        await press(pilot, "enter")
        assert top(pilot) is screen
        assert "score" not in frame(pilot.app)
        await press(pilot, "end")
        assert "Verified: 221 messages" not in frame(pilot.app).splitlines()[1]
        assert f"Verified: {screen.sitting.messages} messages" in frame(pilot.app)
        await press(pilot, "enter")
        assert isinstance(top(pilot), ResultScreen)
        shown = frame(pilot.app)
        assert "have signed this result" in shown
        assert "play again" not in shown
        assert "replay" not in shown
        await press(pilot, "enter", "r", "left", "up", "b")
        assert top(pilot) is screen
        await press(pilot, "q")
        assert isinstance(top(pilot), HomeScreen)


@pytest.mark.parametrize(
    ("change", "short", "whole"),
    [
        (lambda data: data[:-40], "bad at message", "the file is damaged"),
        (lambda data: data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :], "bad", "damaged"),
    ],
)
async def test_a_damaged_file_is_shown_up_to_the_damage(
    change: object, short: str, whole: str, tmp_path: Path
) -> None:
    assert callable(change)
    path = kept(tmp_path, change(game_file("taverne")))
    async with replaying(path) as (screen, pilot):
        assert short in frame(pilot.app).splitlines()[1]
        await press(pilot, "end")
        assert whole in frame(pilot.app)
        assert 0 < screen.sitting.at == screen.sitting.playback.last
        await press(pilot, "enter", "v", "p", "n")
        assert screen.sitting.at == screen.sitting.playback.last


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "replay-gone"),
        (b"", "replay-file"),
        (b"# a text\n" * 9, "replay-file"),
        (b"farfadet transcript 1\n\0\0\0\1\xc0", "replay-file"),
    ],
)
async def test_what_is_no_game_is_said_on_the_first_screen(
    data: bytes | None, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "x" if data is None else kept(tmp_path, data)
    with pytest.raises(ReplayError, match=code):
        open_replay(path)
    async with opened(FakeDoors(), Replay(path)) as (app, _):
        assert isinstance(app.screen, HomeScreen)
        shown = frame(app)
        assert ("cannot be read" if code == "replay-gone" else "no saved game") in shown
        assert "Something" not in shown


async def test_keys_work_while_the_file_is_read_and_leaving_ends_it(
    taverne: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    halves, half, go = Playback.read, Flag(), Flag()

    def slow(playback: Playback, told: object = None) -> None:
        def wait() -> None:
            assert callable(told)
            told()
            if playback.events() == 9:
                half.set()
                go.wait(20)

        halves(playback, wait)

    monkeypatch.setattr(Playback, "read", slow)
    async with opened(FakeDoors(), Replay(taverne)) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await until(half.is_set)
        await press(pilot, "right", "right", "v")
        assert "checking: " in frame(app)
        assert "event 2 of 9 · seat 0's view" in frame(app)
        assert "score" not in frame(app)
        await press(pilot, "end")
        assert "event 9 of 9" in frame(app)
        go.set()
        # Whoever wants to be at the end is taken there.
        sitting = screen.sitting
        await until(lambda: sitting.ended)
        await settle(pilot)
        assert "verified" in frame(app)
    half.clear()
    go.clear()
    async with opened(FakeDoors(), Replay(taverne)) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await until(half.is_set)
        await press(pilot, "q")
        assert screen.sitting.playback.stopped
        go.set()
        await settle(pilot)
        assert screen.sitting.playback.verdict is None


async def test_names_from_the_file_are_harmless(taverne: Path) -> None:
    sitting = open_replay(taverne)
    assert isinstance(sitting, Replayed)
    sitting.playback.names = ("[red]\x1b[2J\u202e", "", "a" * 64)
    doors = FakeDoors()
    async with opened(doors, Replay(taverne)) as (app, pilot):
        app.push_screen(ReplayScreen(sitting))
        await settle(pilot)
        await press(pilot, "v", "end")
        shown = frame(app)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "(b)" in shown


async def test_the_result_of_a_game_leads_to_its_replay(taverne: Path) -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as (_, pilot):
        sitting.end()
        await settle(pilot)
        assert "r replay" in frame(pilot.app)
        sitting.saved = taverne
        await press(pilot, "r")
        assert isinstance(top(pilot), ReplayScreen)
        await press(pilot, "q")
        assert isinstance(top(pilot), ResultScreen)
        await press(pilot, "b")
        assert isinstance(top(pilot), GameScreen)
    unsaved = FakeSitting(3)
    async with playing(unsaved) as (_, pilot):
        unsaved.end()
        unsaved.saved = None
        await press(pilot, "r")
        assert isinstance(top(pilot), ResultScreen)


# How it looks.


@pytest.mark.sampled(2)
@LANGUAGES
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["taverne", "gobelin"])
async def test_replay_golden(
    language: str, size: tuple[int, int], game: str, tmp_path: Path
) -> None:
    data = game_file(game)
    name = f"replay-{game}-{language}-{size[0]}x{size[1]}"
    assert charter_of(data).game == game
    async with replaying(kept(tmp_path, data), doors_of(data, 1), language, size, moving=True) as (
        screen,
        pilot,
    ):
        Clock(screen)
        await press(pilot, "n", "n", *["right"] * 4, "plus")
        compare(f"{name}-middle", frame(pilot.app))
        await press(pilot, "v", "v", "end")
        compare(f"{name}-end", frame(pilot.app))
