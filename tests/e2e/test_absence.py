"""Players who vanish, dawdle and come back, in real terminals: the others play on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.terminals import FARFADET, terminals
from tests.e2e.test_terminals import INVITATION, audited, environment, play
from tests.services import free_port, program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]

NAMES = ("Ana", "Bo", "Chloe")


def hosting(*more: str) -> list[str]:
    """How Ana hosts a table of three."""
    return ["--seats", "3", "--port", str(free_port()), "--address", "127.0.0.1", *more]


def test_the_others_go_on_without_who_is_killed_until_it_comes_back(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        host = server.open(
            "Ana", [str(FARFADET), "host", "gobelin", *hosting()], environment(tmp_path, "Ana")
        )
        found = INVITATION.search(host.wait_for("farfadet://"))
        assert found is not None
        bo, chloe = (
            server.open(name, [str(FARFADET), "join", found[0]], environment(tmp_path, name))
            for name in NAMES[1:]
        )
        for player in (host, bo, chloe):
            player.wait_for("your turn", "is playing", "Waiting for")
        os.kill(chloe.pid, signal.SIGKILL)
        chloe.wait_ended()
        # Sooner or later she owes something: her turn, or her part in opening a card.
        play([host, bo], until="go on without Chloe")
        host.press("w")
        for player in (host, bo):
            player.wait_for("Chloe is absent")
        back = server.open("Chloe2", [str(FARFADET), "resume"], environment(tmp_path, "Chloe"))
        back.wait_for("You were away")
        play([host, bo], until="Chloe is back")
        back.wait_for("You are back")
        players = [host, bo, back]
        play(players)
        for player in players:
            player.press("q")
        for player in players:
            player.wait_ended()
    for name in NAMES:
        (file,) = (tmp_path / name / "data" / "games").iterdir()
        verdict = audited(file)
        assert verdict["verdict"] == "good"
        absences = verdict["absences"]
        assert isinstance(absences, list)
        assert [len(absence["voters"]) for absence in absences] == [2]
        assert not list((tmp_path / name / "state" / "tables").rglob("*.journal"))


def test_who_does_not_choose_in_time_is_passed_over_and_waited_for_again(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        host = server.open(
            "Ana",
            [str(FARFADET), "host", "taverne", *hosting("--limit", "10")],
            environment(tmp_path, "Ana"),
        )
        found = INVITATION.search(host.wait_for("farfadet://"))
        assert found is not None
        bo, chloe = (
            server.open(name, [str(FARFADET), "join", found[0]], environment(tmp_path, name))
            for name in NAMES[1:]
        )
        for player in (host, bo, chloe):
            player.wait_for("choose")
        host.press("Right", "Enter")
        bo.press("Right", "Enter")
        chloe.wait_for("hurry")
        host.wait_for("Chloe is absent", "Chloe is back")
        chloe.wait_for("choose")
        players = [host, bo, chloe]
        play(players)
        for player in players:
            player.press("q")
        for player in players:
            player.wait_ended()
    files = [next((tmp_path / name / "data" / "games").iterdir()) for name in NAMES]
    for file in files:
        verdict = audited(file)
        assert verdict["verdict"] == "good"
        assert len(verdict["absences"]) >= 1  # type: ignore[arg-type]
