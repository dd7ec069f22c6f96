"""The list of finished games, and the command that tells one: what they say of which file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from net.play import kept as kept_module
from net.play.kept import kept, outcome, terms
from net.play.playback import Playback
from net.play.transcript import MAGIC
from tests.sim.nodes import small_numbers
from tests.tui.frames import compare, frame
from tests.tui.replay_stage import charter_of, doors_of, game_file, top, until
from tests.tui.stage import opened, settle
from tui.app import FarfadetApp
from tui.replayed import open_replay
from tui.retell import retell
from tui.screens.home import HomeScreen
from tui.screens.replay import ReplayScreen
from tui.screens.replays import ReplaysScreen
from tui.sitting import Home, Replay
from tui.words import Words

DAY = 1_700_000_000
"""When the first file was written: in another year, so that its day is told."""


@pytest.fixture(autouse=True)
def in_small_numbers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files were made so; it is the same time everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    with small_numbers():
        yield


def put(folder: Path, name: str, data: bytes, at: int) -> Path:
    """A file that was written ``at`` so many days."""
    path = folder / f"{name}.farfadet"
    path.write_bytes(data)
    os.utime(path, (DAY + at * 86400, DAY + at * 86400))
    return path


def left(folder: Path) -> set[str]:
    """The names of the files of games that are there; what is none is never touched."""
    assert (folder / "notes.txt").exists()
    return {path.stem for path in folder.glob("*.farfadet")}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder: Taverne, Gobelin, a damaged file, one that was cut, and what is none of ours."""
    put(tmp_path, "old", game_file("taverne"), 0)
    put(tmp_path, "newer", game_file("gobelin"), 1)
    put(tmp_path, "broken", b"nothing", 2)
    put(tmp_path, "cut", game_file("gnomia")[:-9000], 3)
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


async def looked(app: FarfadetApp, pilot: Pilot[None]) -> ReplaysScreen:
    """The list, once all that is on the screen has been looked at."""
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, ReplaysScreen)
    await until(lambda: not screen.looking)
    await settle(pilot)
    return screen


async def test_the_newest_is_first_with_our_rank_and_points(games: Path) -> None:
    doors = doors_of(game_file("taverne"), 1, games)
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press("up", "up", "up", "up", "enter")
        await looked(app, pilot)
        _, _, heading, cut, broken, gobelin, taverne, *_ = frame(app).splitlines()
        assert "rank" in heading
        assert "unfinished" in cut
        assert "damaged" in broken
        assert "broken.farfadet" in broken
        assert "2023-11-15" in gobelin
        assert "Gobelin des bois" in gobelin
        assert "seat 0, seat 2" in taverne
        result = outcome(game_file("taverne"))
        assert result is not None
        mine = result.scores[1]
        assert taverne.endswith(f"{mine.rank} of 3 {mine.total:>5}")
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_of_a_game_that_others_played_it_is_told_who_has_won(games: Path) -> None:
    async with opened(doors_of(game_file("taverne"), games=games), Replay()) as (app, pilot):
        await looked(app, pilot)
        result = outcome(game_file("gobelin"))
        assert result is not None
        row = frame(app).splitlines()[5]
        assert "seat 0, seat 1, seat 2" in row
        assert row.endswith(f" seat {result.winners[0]}")


async def test_enter_and_a_second_click_open_a_game(games: Path) -> None:
    async with opened(doors_of(game_file("taverne"), games=games), Replay()) as (app, pilot):
        await looked(app, pilot)
        await pilot.press("up", "down", "enter")
        await settle(pilot)
        assert isinstance(top(pilot), ReplaysScreen)
        assert "no saved game" in frame(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        screen = top(pilot)
        assert isinstance(screen, ReplayScreen)
        assert screen.game == "gobelin"
        await pilot.press("q")
        await pilot.click("#games", offset=(10, 4))
        await settle(pilot)
        listed = top(pilot)
        assert isinstance(listed, ReplaysScreen)
        assert listed.game == "taverne"
        await pilot.click("#games", offset=(10, 4))
        await settle(pilot)
        screen = top(pilot)
        assert isinstance(screen, ReplayScreen)
        assert screen.game == "taverne"


async def test_x_twice_deletes_and_anything_else_does_not(games: Path) -> None:
    async with opened(doors_of(game_file("taverne"), games=games), Replay()) as (app, pilot):
        await looked(app, pilot)
        await pilot.press("x")
        assert "x again deletes it" in frame(app)
        await pilot.press("down", "x", "up", "x")
        assert left(games) == {"old", "newer", "broken", "cut"}
        await pilot.press("x")
        await settle(pilot)
        assert left(games) == {"old", "newer", "broken"}
        assert "cut" not in frame(app)
        for _ in range(3):
            await pilot.press("x", "x")
        await settle(pilot)
        assert left(games) == set()
        await pilot.press("x", "enter", "down")
        assert "No game has been saved yet" in frame(app)


async def test_of_hundreds_of_files_only_those_on_the_screen_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        put(tmp_path, f"game-{number:03}", MAGIC, number)
    read: set[Path] = set()

    def noted(path: Path) -> object:
        read.add(path)
        return terms(path)

    monkeypatch.setattr("tui.screens.replays.terms", noted)
    async with opened(doors_of(game_file("taverne"), games=tmp_path), Replay()) as (app, pilot):
        screen = await looked(app, pilot)
        room = screen.games.room
        assert "300" in frame(app).splitlines()[0]
        assert len(read) == room
        await pilot.press("pagedown")
        await looked(app, pilot)
        assert len(read) <= 2 * room
        assert screen.games.lit is screen.games.games[room]
        for _ in range(300 // room):
            await pilot.press("pagedown")
        await looked(app, pilot)
        assert "game-000" in frame(app)
        await pilot.press("pagedown", "down", "down")
        assert screen.games.at == 299


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_replays_golden(language: str, games: Path) -> None:
    doors = doors_of(game_file("taverne"), 1, games)
    async with opened(doors, Replay(), language) as (app, pilot):
        await looked(app, pilot)
        await pilot.press("x")
        compare(f"replays-{language}", frame(app))


# Without a screen.


def test_what_is_said_of_a_folder_and_a_file_costs_no_more_than_it_must(games: Path) -> None:
    assert kept(games / "nowhere") == []
    assert [game.path.stem for game in kept(games)] == ["cut", "broken", "newer", "old"]
    assert terms(games / "old.farfadet") == charter_of(game_file("taverne"))
    # The charter is all that is needed of it.
    head = game_file("taverne")[: kept_module.HEAD + 3000]
    assert terms(put(games, "head", head, 9)) == charter_of(game_file("taverne"))
    playback = Playback(game_file("gobelin"))
    playback.read()
    assert playback.verdict is not None
    assert outcome(game_file("gobelin")) == playback.verdict.result
    for data in (b"", MAGIC, game_file("gnomia")[:5000], os.urandom(999)):
        assert outcome(data) is None


@pytest.mark.parametrize("game", ["taverne", "gnomia", "gobelin"])
def test_a_game_is_told_whole_with_its_score_and_its_verdict(game: str, tmp_path: Path) -> None:
    path = put(tmp_path, "game", game_file(game), 0)
    lines = list(retell(open_replay(path), Words("en")))
    playback = Playback(game_file(game))
    playback.read()
    assert playback.verdict is not None
    assert playback.verdict.result is not None
    assert "seat 0, seat 1, seat 2" in lines[0]
    assert lines[-1].startswith(f"Verified: {playback.verdict.messages} messages")
    assert [line[:2] for line in lines[-4:-1]] == [
        f"{score.rank}."
        for score in sorted(playback.verdict.result.scores, key=lambda score: score.rank)
    ]
    assert any(line.startswith(f"{playback.rounds:>3}  ") for line in lines)
    ascii_only = list(retell(open_replay(path), Words("fr", True)))
    assert all(line.isascii() for line in ascii_only)


def test_the_text_of_a_cut_file_ends_with_what_is_wrong(tmp_path: Path) -> None:
    lines = list(
        retell(open_replay(put(tmp_path, "x", game_file("gnomia")[:-900], 0)), Words("en"))
    )
    assert lines[-1].startswith("Bad at message ")
    assert any("bids" in line or "wins" in line for line in lines)


COMMAND = """
import sys
from tests.sim.nodes import small_numbers
from tui.cli import cli
sys.argv[1:] = {arguments!r}
with small_numbers():
    try:
        code = cli(standalone_mode=False)
    finally:
        assert "textual" not in sys.modules
sys.exit(code)
"""


@pytest.mark.parametrize(("cut", "code"), [(None, 0), (-900, 1)])
def test_the_command_prints_to_a_pipe_and_loads_no_screen(
    cut: int | None, code: int, tmp_path: Path
) -> None:
    path = put(tmp_path, "game", game_file("taverne")[:cut], 0)
    script = COMMAND.format(arguments=["replay", str(path), "--text"])
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "FARFADET_HOME": str(tmp_path), "LANG": "en_GB.UTF-8"},
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith("La Taverne des Hobbits: seat 0, seat 1, seat 2\n")
    assert ("Verified: " if code == 0 else "Bad at message ") in done.stdout.splitlines()[-1]
