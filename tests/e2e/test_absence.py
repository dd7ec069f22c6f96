"""Players who vanish, dawdle and come back, in real terminals: the others play on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.players import NAMES, audited, embedded, environment, files, gather, leave, play
from tests.e2e.terminals import FARFADET, terminals
from tests.services import program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]


def test_the_others_go_on_without_who_is_killed_until_it_comes_back(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        (host, bo, chloe), _ = gather(server, tmp_path, "gobelin", "--seats", "3", *embedded())
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
        leave(players)
    for name, file in zip(NAMES, files(tmp_path), strict=True):
        verdict = audited(file)
        assert verdict["verdict"] == "good"
        absences = verdict["absences"]
        assert isinstance(absences, list)
        assert [len(absence["voters"]) for absence in absences] == [2]
        assert not list((tmp_path / name / "state" / "tables").rglob("*.journal"))


@pytest.mark.nightly
def test_who_does_not_choose_in_time_is_passed_over_and_waited_for_again(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        terms = ("--seats", "3", "--limit", "10", *embedded())
        (host, bo, chloe), _ = gather(server, tmp_path, "taverne", *terms)
        for player in (host, bo, chloe):
            player.wait_for("choose")
        host.press("Right", "Enter")
        bo.press("Right", "Enter")
        chloe.wait_for("hurry")
        host.wait_for("Chloe is absent", "Chloe is back")
        chloe.wait_for("choose")
        players = [host, bo, chloe]
        play(players)
        leave(players)
    for file in files(tmp_path):
        verdict = audited(file)
        assert verdict["verdict"] == "good"
        assert len(verdict["absences"]) >= 1  # type: ignore[arg-type]
