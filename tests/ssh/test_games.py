"""Three friends with nothing but ssh play a whole game, over our server and over OpenSSH's."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.e2e.players import INVITATION, audited, leave, play
from tests.e2e.terminals import Terminal, terminals
from tests.services import program
from tests.ssh.hosts import SshHost, arrive, openssh, our_server, wait_gone

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]

Way = Callable[[Path], AbstractContextManager[SshHost]]

BACK = "Back to my table"


@pytest.mark.parametrize("way", [our_server, openssh])
def test_three_guests_play_to_the_score_and_come_back_to_their_seats(
    way: Way, tmp_path: Path
) -> None:
    program("tmux")
    with way(tmp_path) as host, terminals(tmp_path) as server:
        for name in ("Ana", "Bo", "Chloe"):
            host.key(name)
        ana, bo = host.visit(server, "Ana"), host.visit(server, "Bo")
        arrive(ana, "Ana")
        invitation = _opened(ana)
        arrive(bo, "Bo")
        # Bo finds the table in the list of all guests; Chloe was told to come.
        bo.wait_for("with Ana")
        bo.press("Down", "Down", "Enter")
        bo.wait_for("1 of 3")
        bo.press("Enter")
        chloe = host.visit(server, "Chloe", "join", f"'{invitation}'")
        arrive(chloe, "Chloe")
        for player in (ana, bo, chloe):
            player.wait_for("choose")
        _resized(bo)
        # The client is killed: nothing of Chloe remains on the host but her seat.
        process = host.pid("Chloe")
        os.kill(chloe.pid, signal.SIGKILL)
        wait_gone(process)
        play([ana, bo], until="of 3 sealed")
        chloe = host.visit(server, "Chloe", title="Chloe2")
        chloe.wait_for(BACK)
        chloe.press("Enter")
        # Bo's process is killed: so is his session, and he comes back as well.
        chloe.wait_for("choose")
        os.kill(host.pid("Bo"), signal.SIGKILL)
        bo.wait_ended()
        bo = host.visit(server, "Bo", title="Bo2")
        bo.wait_for(BACK)
        bo.press("Enter")
        players = [ana, bo, chloe]
        play(players)
        leave(players)
        for player in players:
            assert "farfadet" not in player.screen()
        files = [next((host.home(n) / "data" / "games").iterdir()) for n in ("Ana", "Bo", "Chloe")]
        assert len({path.read_bytes() for path in files}) == 1
        verdict = audited(files[0])
        assert verdict["verdict"] == "good"
        assert sorted(map(str, verdict["names"])) == ["Ana", "Bo", "Chloe"]  # type: ignore[call-overload]


def _opened(host: Terminal) -> str:
    """From the first screen to a table for three; the invitation."""
    host.wait_for("Host a table")
    host.press("Down", "Down", "Down", "Down", "Down", "Left")
    host.wait_for("3 players")
    host.press("Up", "Up", "Up", "Up", "Enter")
    shown = host.wait_for("farfadet://")
    found = INVITATION.search(shown)
    assert found is not None, shown
    return found[0]


def _resized(player: Terminal) -> None:
    """The guest makes the window smaller than the game, and then larger again."""
    player.resize(60, 20)
    player.wait_for("needs 80x24, is 60x20")
    player.resize(120, 40)
    player.wait_for("choose")
    assert len(player.screen().rstrip().splitlines()) == 40
