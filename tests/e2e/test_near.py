"""A hosted table appears by itself on another's first screen, and goes when it goes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.e2e.players import audited, embedded, environment, leave, play
from tests.e2e.terminals import FARFADET, terminals
from tests.services import program
from tui.screens.result import AT_REST

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]

NAMES = ("Zoltan", "Bo")


@pytest.mark.nightly
def test_a_table_on_the_local_network_is_found_joined_and_gone(tmp_path: Path) -> None:
    program("tmux")
    # The local network of this test is the loopback interface.
    homes = [environment(tmp_path, name) | {"FARFADET_LAN": "127.0.0.1"} for name in NAMES]
    with terminals(tmp_path) as server:
        bo = server.open("Bo", [str(FARFADET)], homes[1])
        bo.wait_for("Tables near you")
        command = [str(FARFADET), "host", "gnomia", "--seats", "2", *embedded()]
        host = server.open("Zoltan", command, homes[0])
        host.wait_for("farfadet://")
        bo.wait_for("with Zoltan")
        bo.press("Down", "Down", "Enter")
        bo.wait_for("1 of 2")
        host.press("q")
        bo.wait_for("No table yet")
        # It is opened again, and this time somebody comes.
        host.wait_for("Host a table")
        host.press("q")
        host.wait_ended()
        host = server.open("Zoltan2", command, homes[0])
        bo.wait_for("1 of 2")
        bo.press("Enter")
        for player in (host, bo):
            player.wait_for("choose")
        apart = environment(tmp_path, "Third") | {"FARFADET_LAN": "127.0.0.1"}
        third = server.open("Third", [str(FARFADET)], apart)
        third.wait_for("Tables near you")
        assert "Zoltan" not in third.screen()
        play([host, bo])
        # Once more, with one key each.
        time.sleep(AT_REST)
        host.press("Enter")
        bo.wait_for("Zoltan plays again")
        bo.press("Enter")
        for player in (host, bo):
            player.wait_for("round 1")
        play([host, bo])
        leave([host, bo])
    for name in NAMES:
        games = list((tmp_path / name / "data" / "games").iterdir())
        assert [audited(game)["verdict"] for game in games] == ["good", "good"]
