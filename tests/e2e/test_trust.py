"""Friends in their terminals: a guest whose key has changed is asked about, before any move."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.people.friends_file import FriendsFile
from tests.e2e.players import embedded, gather
from tests.e2e.terminals import Terminal, Terminals, terminals
from tests.services import program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(300)]

NAMES = ("Ana", "Bo")
WORDS = "Four words to compare aloud"


def sit_down(server: Terminals, folder: Path) -> list[Terminal]:
    """Ana hosts, Bo joins."""
    players, _ = gather(server, folder, "gnomia", "--seats", "2", *embedded(), names=NAMES)
    return players


def home(players: list[Terminal]) -> None:
    """All leave the table, and farfadet."""
    for player in players:
        player.press("q", "q")
        player.wait_for("Play now")
        player.press("q")
        player.wait_ended()


def met_by_ana(folder: Path) -> list[tuple[str, int, int]]:
    """Whom Ana knows: name, number of keys, number of keys that are checked."""
    people = FriendsFile(folder / "Ana" / "config").read().people
    return [(friend.name, len(friend.keys), len(friend.checked)) for friend in people]


@pytest.mark.nightly
def test_a_guest_with_another_key_is_a_question_for_those_who_know_the_name(tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        players = sit_down(server, tmp_path)
        ana, bo = players
        ana.wait_for("First game with Bo")
        bo.wait_for("First game with Ana")
        ana.wait_for("choose")
        ana.press("v")
        ana.wait_for("The same: ")
        assert met_by_ana(tmp_path) == [("Bo", 1, 1)]
        home(players)
    (tmp_path / "Bo" / "config" / "identity.key").unlink()
    with terminals(tmp_path) as server:
        ana, bo = sit_down(server, tmp_path)
        asked = ana.wait_for("A name you know, another key")
        words = next(line.strip() for line in asked.splitlines() if len(line.split()) == 4)
        assert words in bo.wait_for(WORDS)
        bo.wait_for("choose")
        ana.press("1", "Enter")
        ana.wait_for(WORDS)
        assert met_by_ana(tmp_path) == [("Bo", 1, 1), ("Bo 2", 1, 0)]
        home([bo, ana])
    # Bo, with the new key, has still met the same Ana.
    known = FriendsFile(tmp_path / "Bo" / "config").read().people
    assert [(friend.name, friend.games) for friend in known] == [("Ana", 2)]
