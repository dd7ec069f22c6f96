"""Whole games in lines of text, between processes: through pipes, in a dumb terminal, mixed."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

import rules
from tests.e2e.pipes import Plain, plain
from tests.e2e.players import (
    ENDED,
    INVITATION,
    NAMES,
    PLAYING,
    audited,
    embedded,
    environment,
    files,
    play,
)
from tests.e2e.terminals import FARFADET, terminals
from tests.services import program

pytestmark = pytest.mark.timeout(400)


@pytest.mark.parametrize("game", rules.names())
def test_a_script_plays_a_whole_game_against_bots(tmp_path: Path, game: str) -> None:
    seats = str(rules.load(game).seats.start)
    with plain(tmp_path, "Ana", "play", game, "--seats", seats, "--level", "random") as ana:
        ana.play()
        ana.wait_for("/again plays once more", patience=PLAYING)
        assert [line for line in ana.lines if any(text in line for text in ENDED)]
        assert ana.end("/quit") == 0
        assert all(line.isprintable() for line in ana.lines)
    (path,) = files(tmp_path, ["Ana"])
    assert audited(path)["verdict"] == "good"


@pytest.mark.nightly
def test_the_same_in_french_and_then_once_more(tmp_path: Path) -> None:
    with plain(tmp_path, "Ana", "play", "taverne", "--seats", "3", locale="fr_FR.UTF-8") as ana:
        ana.wait_for("Ton choix")
        ana.write("/en")
        ana.wait_for("The language is English.")
        ana.play()
        ana.wait_for("/again plays once more", patience=PLAYING)
        told = len(ana.lines)
        ana.write("/players 4", "/again")
        ana.wait_for("At the table with you: Puck, Mélusine and Korrigan.")
        assert len(ana.lines) > told
        # Nothing more is written: the seat is kept.
        assert ana.end() == 0
    with plain(tmp_path, "Ana", "resume") as ana:
        ana.wait_for("At the table with you: Puck, Mélusine and Korrigan.")
        ana.wait_for("Your choice?")
        ana.signal(signal.SIGTERM)
        assert ana.code() == 0


def test_ctrl_c_asks_once_and_then_leaves(tmp_path: Path) -> None:
    with plain(tmp_path, "Ana", "play", "taverne", "--seats", "3") as ana:
        ana.wait_for("Your choice?")
        ana.signal(signal.SIGINT)
        ana.wait_for("Once more leaves.")
        ana.signal(signal.SIGINT)
        assert ana.code() == 130


def test_where_there_is_nothing_it_says_so_and_fails(tmp_path: Path) -> None:
    with plain(tmp_path, "Ana", "resume") as ana:
        assert ana.code() == 1
        assert ana.lines == []


@pytest.mark.terminal
def test_a_dumb_terminal_gets_lines_by_itself(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        command = ["env", "TERM=dumb", str(FARFADET), "play", "taverne", "--seats", "3"]
        ana = server.open("Ana", command, environment(tmp_path, "Ana"))
        ana.wait_for("Your choice? Write ")
        ana.type("1")
        ana.press("Enter")
        ana.wait_for("Sealed: Mushroom 1.")
        ana.press("C-c")
        ana.wait_for("Once more leaves.")
        ana.press("C-c")
        ana.wait_ended()


@pytest.mark.terminal
@pytest.mark.broker
def test_two_play_in_lines_with_one_who_has_a_screen(tmp_path: Path) -> None:
    program("tmux")
    ana_name, bo_name, chloe_name = NAMES
    with terminals(tmp_path) as server, ExitStack() as stack:

        def enter(name: str, *command: str) -> Plain:
            return stack.enter_context(plain(tmp_path, name, *command))

        ana = enter(ana_name, "host", "gobelin", "--seats", "3", *embedded())
        found = INVITATION.search(ana.wait_for("farfadet://"))
        assert found is not None
        bo = enter(bo_name, "join", found[0])
        bo.wait_for("Waiting for one more player.")
        bo.write("'hello")
        ana.wait_for("Bo says: hello")
        screen = server.open(
            chloe_name, [str(FARFADET), "join", found[0]], environment(tmp_path, chloe_name)
        )
        screen.wait_for("turn")
        ana.write("/say good luck")
        screen.wait_for("Ana: good luck")
        for player in (ana, bo):
            player.play()
        play([screen])
        for player in (ana, bo):
            player.wait_for("/again plays once more", patience=PLAYING)
        words = [ana.wait_for("Four words to compare"), bo.wait_for("Four words to compare")]
        assert words[0] == words[1]
        screen.press("q")
        screen.wait_ended()
        assert [ana.end("/quit"), bo.end()] == [0, 0]
    found_files = files(tmp_path)
    assert len({path.read_bytes() for path in found_files}) == 1
    assert audited(found_files[0])["verdict"] == "good"
