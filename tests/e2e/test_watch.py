"""Somebody looks on in a terminal of its own, and everybody talks, before and after the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.players import ENDED, audited, embedded, environment, files, gather, leave, play
from tests.e2e.terminals import FARFADET, Terminal, terminals
from tests.services import program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]

PLAYERS = ("Ana", "Bo")


def say(player: Terminal, text: str) -> None:
    """Say something to everybody."""
    player.press("Tab")
    player.wait_for("Enter sends it")
    player.type(text)
    player.wait_for(text)
    player.press("Enter")
    player.wait_for(f"you: {text}")


def test_who_comes_in_the_middle_sees_all_of_it_and_talks(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        (ana, bo), invitation = gather(
            server, tmp_path, "gobelin", "--seats", "2", *embedded(), names=PLAYERS
        )
        for player in (ana, bo):
            player.wait_for("your turn", "'s turn")
        say(ana, "good luck")
        bo.wait_for("Ana: good luck")
        play([ana, bo], until=" cover")
        watch = [str(FARFADET), "watch", invitation]
        zoe = server.open("Zoe", watch, environment(tmp_path, "Zoe"), (120, 40))
        zoe.wait_for("begins; the trail starts")
        assert "You are looking on." in zoe.screen()
        assert "Enter seals" not in zoe.screen()
        # What was said before it came is not told again; the game is, from its first step.
        assert "good luck" not in zoe.screen()
        for player in (ana, bo):
            player.wait_for("1 looks on")
        say(zoe, "hello both")
        for player in (ana, bo):
            player.wait_for("[Zoe]: hello both")
        ana.press("F3")
        ana.wait_for("1 looks on, muted")
        say(zoe, "play the red one")
        bo.wait_for("[Zoe]: play the red one")
        say(bo, "hush")
        ana.wait_for("Bo: hush")
        assert "red one" not in ana.screen()
        zoe.wait_for("Bo: hush")
        play([ana, bo])
        zoe.wait_for(*ENDED)
        say(bo, "well played")
        for other in (ana, zoe):
            other.wait_for("Bo: well played")
        # As long as somebody is there, one can come and see how it ended.
        late = server.open("Late", watch, environment(tmp_path, "Late"))
        late.wait_for(*ENDED)
        leave([ana, bo, zoe, late])
    found = files(tmp_path, (*PLAYERS, "Zoe", "Late"))
    assert len({path.read_bytes() for path in found}) == 1
    verdict = audited(found[-1])
    assert verdict["verdict"] == "good"
    assert sorted(map(str, verdict["names"])) == ["Ana", "Bo"]  # type: ignore[call-overload]
    assert b"well played" not in found[0].read_bytes()
