"""Settings in a real terminal: the mouse, no colours, and the command that needs no screen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.tui.pty import opened
from tests.tui.test_cli import farfadet

MOUSE = {1000, 1006}
"""The private modes in which a terminal reports the mouse."""
SETTLED = 1.0
"""Seconds of silence after which the home screen has come to rest."""


def set_by_hand(home: Path, written: str) -> Path:
    file = home / "config" / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written, encoding="utf-8")
    return file


@pytest.mark.terminal
def test_the_mouse_is_given_and_taken_while_we_run(tmp_path: Path) -> None:
    with opened(tmp_path) as terminal:
        terminal.wait_for("Play now")
        terminal.read(SETTLED)
        assert terminal.modes >= MOUSE
        terminal.press("\x1b[15~")
        terminal.wait_for("Hints")
        terminal.press("kk\r")
        terminal.wait_until(lambda: not MOUSE & terminal.modes)
        terminal.press("\r")
        terminal.wait_until(lambda: terminal.modes >= MOUSE)
        terminal.press("\r")
        terminal.wait_until(lambda: not MOUSE & terminal.modes)
    with opened(tmp_path) as terminal:
        terminal.wait_for("Play now")
        terminal.read(SETTLED)
        assert not MOUSE & terminal.modes


@pytest.mark.terminal
def test_no_colour_means_no_codes_of_colours(tmp_path: Path) -> None:
    colour = re.compile(rb"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d|10[0-7])(?:;[\d;]*)?m")
    with opened(tmp_path, "play", "taverne", NO_COLOR="1") as terminal:
        terminal.wait_for("Your choice?")
        terminal.type("2")
        terminal.wait_for("▶ 2 ◀")
        assert colour.findall(terminal.output) == []
    with opened(tmp_path) as terminal:
        terminal.wait_for("Play now")
        assert colour.findall(terminal.output)


@pytest.mark.terminal
def test_the_terminals_theme_sends_no_colours_but_the_sixteen(tmp_path: Path) -> None:
    mixed = re.compile(rb"[\[;][34]8;[25];")
    set_by_hand(tmp_path, 'theme = "terminal"\n')
    with opened(tmp_path) as terminal:
        terminal.wait_for("Play now")
        terminal.read(SETTLED)
        assert mixed.findall(terminal.output) == []
        terminal.press("\x1b[15~")
        terminal.wait_for("the terminal's own")
        terminal.press("jj\x1b[C")
        terminal.wait_for("dusk")
        assert mixed.findall(terminal.output)


def test_a_name_on_the_command_line_wins(tmp_path: Path) -> None:
    set_by_hand(tmp_path, 'name = "Bo"\n')
    assert "Bo" in farfadet("friends", "me", home=tmp_path).stdout
    assert "Eve" in farfadet("friends", "me", "--name", "Eve", home=tmp_path).stdout


@pytest.mark.terminal
def test_a_damaged_file_is_told_on_the_first_screen(tmp_path: Path) -> None:
    set_by_hand(tmp_path, "theme = ")
    with opened(tmp_path) as terminal:
        terminal.wait_for("Your settings cannot be read")


def test_what_is_set_can_be_got_and_reset(tmp_path: Path) -> None:
    file = Path(farfadet("config", "path", home=tmp_path).stdout.strip())
    assert farfadet("config", "get", "theme", home=tmp_path).stdout == "farfadet\n"
    assert not file.exists()
    done = farfadet("config", "set", "theme", "light", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert farfadet("config", "get", "theme", home=tmp_path).stdout == "light\n"
    farfadet("config", "set", "keys.game.undo", "u,z", home=tmp_path)
    assert farfadet("config", "get", "keys.game.undo", home=tmp_path).stdout == "u,z\n"
    farfadet("config", "reset", "keys", home=tmp_path)
    farfadet("config", "reset", "theme", home=tmp_path)
    assert farfadet("config", "get", "theme", home=tmp_path).stdout == "farfadet\n"
    assert "keys" not in file.read_text(encoding="utf-8").replace("# ", "")


def test_the_list_says_what_is_set_and_speaks_the_language_that_is(tmp_path: Path) -> None:
    set_by_hand(tmp_path, 'language = "fr"\nmouse = false\ntheme = "pink"\n')
    done = farfadet("config", "list", "--json", home=tmp_path)
    told = json.loads(done.stdout)
    values = {row["key"]: row["value"] for row in told["settings"]}
    assert (values["language"], values["mouse"], values["theme"]) == ("fr", False, "farfadet")
    assert len(done.stderr.splitlines()) == 1
    assert "pink" in done.stderr
    shown = farfadet("config", home=tmp_path).stdout
    assert "mouse = off" in shown
    assert "theme = farfadet" in shown
    assert "in English" in shown
    assert "en français" in shown


@pytest.mark.parametrize("wrong", [("set", "theme", "pink"), ("get", "tehme"), ("reset", "tehme")])
def test_what_cannot_be_set_is_a_sentence_and_exits_1(
    wrong: tuple[str, ...], tmp_path: Path
) -> None:
    done = farfadet("config", *wrong, home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "config").exists()


def test_a_damaged_file_is_not_written_to_by_the_command(tmp_path: Path) -> None:
    file = set_by_hand(tmp_path, "theme = ")
    done = farfadet("config", "set", "theme", "light", home=tmp_path)
    assert done.returncode == 1
    assert "cannot be read" in done.stderr
    assert file.read_text(encoding="utf-8") == "theme = "
