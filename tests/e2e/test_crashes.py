"""Guests, the host with its broker, and the broker alone are killed; all play on to the end."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.players import NAMES, audited, embedded, environment, files, gather, leave, play
from tests.e2e.terminals import FARFADET, Terminal, Terminals, terminals
from tests.services import children, program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]


def killed(server: Terminals, folder: Path, terminal: Terminal, name: str) -> Terminal:
    """The process in ``terminal`` is killed where it stands; a new one goes back to the table."""
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.wait_ended()
    return server.open(f"{name}2", [str(FARFADET), "resume"], environment(folder, name))


def kill_broker(host: Terminal) -> None:
    """The broker that the host's process runs is killed; it is started again by itself."""
    (leash,) = children(host.pid)
    (broker,) = children(leash)
    os.kill(broker, signal.SIGKILL)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sealed", [True, False], ids=["after-the-seal", "before-the-choice"])
def test_who_is_killed_comes_back_to_the_same_seat(sealed: bool, tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        gathered, invitation = gather(server, tmp_path, "gnomia", "--seats", "3", *embedded())
        host, bo, chloe = gathered
        for player in (host, bo, chloe):
            player.wait_for("choose")
        if sealed:
            bo.press("Right", "Enter")
            bo.wait_for("1 of 3 sealed")
        bo = killed(server, tmp_path, bo, "Bo")
        bo.wait_for("1 of 3 sealed" if sealed else "0 of 3 sealed")
        chloe.press("Right", "Enter")
        chloe.wait_for("2 of 3 sealed" if sealed else "1 of 3 sealed")
        host = killed(server, tmp_path, host, "Ana")
        host.wait_for("choose")
        # Who was told to join may use the invitation again, too.
        os.kill(chloe.pid, signal.SIGKILL)
        chloe = server.open(
            "Chloe2", [str(FARFADET), "join", invitation], environment(tmp_path, "Chloe")
        )
        chloe.wait_for("sealed")
        kill_broker(host)
        players = [host, bo, chloe]
        play(players)
        leave(players)
    found = files(tmp_path)
    assert len({path.read_bytes() for path in found}) == 1
    assert audited(found[0])["verdict"] == "good"
    for name in NAMES:
        assert not list((tmp_path / name / "state" / "tables").rglob("*.journal"))


def test_a_game_against_bots_goes_on_after_the_app_was_ended(tmp_path: Path) -> None:
    program("tmux")
    home = environment(tmp_path, "Ana")
    with terminals(tmp_path) as server:
        first = server.open("first", [str(FARFADET), "play", "gnomia", "--seats", "2"], home)
        first.wait_for("round 1")
        first.press("Right", "Enter")
        first.wait_for("round 2")
        os.kill(first.pid, signal.SIGTERM)
        first.wait_ended()
        again = server.open("again", [str(FARFADET)], home)
        again.wait_for("Back to my table")
        again.press("Enter")
        again.wait_for("round 2")
        play([again])
        leave([again])
    (saved,) = (tmp_path / "Ana" / "data" / "games").iterdir()
    assert audited(saved)["verdict"] == "good"
