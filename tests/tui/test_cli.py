"""The command line as a script sees it: what is printed where, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.sim.world import World
from tui.cli import cli

COMMAND = [sys.executable, "-m", "tui.cli"]


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a game that was played to its end."""
    world = World(11, 3)
    world.run()
    path = tmp_path_factory.mktemp("games") / "game.farfadet"
    world.nodes[0].table.transcript.save(path)
    return path


def farfadet(*arguments: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command without a terminal."""
    environment = {**os.environ, "LANG": "en_GB.UTF-8", "LC_ALL": "en_GB.UTF-8"}
    if home is not None:
        environment["FARFADET_HOME"] = str(home)
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=60,
    )


def test_a_good_game_is_good_and_exits_0(transcript: Path) -> None:
    done = farfadet("audit", str(transcript))
    assert done.returncode == 0
    assert "good" in done.stdout
    assert "seat 0" in done.stdout
    assert done.stderr == ""


def test_the_verdict_as_json_has_scores_and_words(transcript: Path) -> None:
    verdict = json.loads(farfadet("audit", str(transcript), "--json").stdout)
    assert verdict["verdict"] == "good"
    assert verdict["fault"] is None
    assert len(verdict["words"].split()) == 4
    assert verdict["messages"] > 100
    assert len(verdict["names"]) == 3


def test_one_flipped_bit_is_bad_exits_1_and_says_where(transcript: Path, tmp_path: Path) -> None:
    data = bytearray(transcript.read_bytes())
    data[len(data) // 2] ^= 4
    broken = tmp_path / "broken.farfadet"
    broken.write_bytes(data)
    done = farfadet("audit", str(broken))
    assert done.returncode == 1
    assert "bad: " in done.stdout
    assert "at message " in done.stdout


def test_a_file_that_is_no_transcript_is_bad_without_a_traceback(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"hello")
    done = farfadet("audit", str(other))
    assert (done.returncode, done.stdout) == (1, "bad: no-transcript\n")


def test_a_missing_file_is_wrong_usage() -> None:
    done = farfadet("audit", "nowhere.farfadet")
    assert done.returncode == 2
    assert "nowhere.farfadet" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_simulation_prints_the_same_figures_for_the_same_seed() -> None:
    command = ("simulate", "taverne", "--games", "20", "--seed", "5", "--json")
    one, two = farfadet(*command), farfadet(*command)
    assert one.returncode == 0
    assert one.stdout == two.stdout
    figures = json.loads(one.stdout)
    assert figures["games"] == 20
    assert set(figures["levels"]) == {"steady", "random"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "taverne", "--seats", "9"), "3 to 6 players"),
        (("host", "taverne", "--seats", "3", "--bots", "3"), "between 0 and 2"),
        (("play", "chess"), "chess"),
        (("simulate", "taverne", "--levels", "steady,clever"), "no level 'clever'"),
        (("play", "taverne"), "needs a terminal"),
        (("fly",), "fly"),
        (("--plain", "locate"), "--plain: not for locate"),
    ],
)
def test_wrong_usage_exits_2_with_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = farfadet(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_said_before_a_command_is_said_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, object] = {}
    monkeypatch.setattr("tui.commands.tables.show", lambda _, **terms: shown.update(terms))
    CliRunner().invoke(cli, ["--plain", "--name", "Zoé", "play", "taverne"])
    assert (shown["plain"], shown["name"]) == (True, "Zoé")
    CliRunner().invoke(cli, ["--name", "Zoé", "play", "--name", "Bo", "taverne"])
    assert (shown["plain"], shown["name"]) == (False, "Bo")


def test_a_broker_that_cannot_listen_says_so_in_a_sentence(tmp_path: Path) -> None:
    done = farfadet("broker", "--bind", "203.0.113.1", "--port", "1883", home=tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_locate_names_every_folder(tmp_path: Path) -> None:
    done = farfadet("locate", home=tmp_path)
    assert done.returncode == 0
    places = dict(line.split("\t") for line in done.stdout.splitlines())
    assert set(places) == {"identity", "settings", "games", "tables", "referee", "broker", "log"}
    assert all(place.startswith(str(tmp_path)) for place in places.values())
