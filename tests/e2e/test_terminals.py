"""Friends in their terminals play each game to the score, and the files stand up to audit."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

import pytest

import rules
from tests.e2e.terminals import FARFADET, Terminal, terminals
from tests.services import Mosquitto, free_port, program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]

INVITATION = re.compile(r"farfadet://127\.0\.0\.1:\d+/[A-Z2-7]{16}#[A-Za-z0-9_-]{22}")
ENDED = ("You win!", "wins.", "share the victory")
PLAYING = 240.0
"""Seconds a whole game may take on a busy machine."""


def environment(home: Path, name: str) -> dict[str, str]:
    """What a player's process is told about the world."""
    return {
        "FARFADET_HOME": str(home / name),
        "FARFADET_NAME": name,
        "LANG": "en_GB.UTF-8",
        "LC_ALL": "en_GB.UTF-8",
        "TEXTUAL_ANIMATIONS": "none",
        "TERM": "screen-256color",
    }


def play(players: list[Terminal], until: str = "") -> None:
    """Press keys until every player sees the result: arrows aim at this or that, Enter seals it.

    Or ``until`` each of them sees that.
    """
    deadline = time.monotonic() + PLAYING
    turn, playing = 0, list(players)
    while playing:
        assert time.monotonic() < deadline, "\n".join(player.screen() for player in players)
        for player in tuple(playing):
            screen = player.screen()
            asked = screen.partition("\n")[0]
            if any(text in screen for text in ENDED) or (until and until in screen):
                playing.remove(player)
            elif "choose" in asked or "your turn" in asked:
                turn += 1
                player.press(*["Right", "Down"][: 1 + turn % 3], "Enter")
        time.sleep(0.1)


def table(
    folder: Path, game: str, hosting: list[str], names: tuple[str, ...] = ("Ana", "Bo", "Chloe")
) -> list[Path]:
    """Play a whole ``game`` between ``names``; their transcripts, the host's first."""
    with terminals(folder) as server:
        host = server.open(
            names[0], [str(FARFADET), "host", game, *hosting], environment(folder, names[0])
        )
        shown = host.wait_for("farfadet://")
        found = INVITATION.search(shown)
        assert found is not None, shown
        guests = [
            server.open(name, [str(FARFADET), "join", found[0]], environment(folder, name))
            for name in names[1:]
        ]
        players = [host, *guests]
        play(players)
        for player in players:
            player.press("q")
        for player in players:
            player.wait_ended()
    return [next((folder / name / "data" / "games").iterdir()) for name in names]


def audited(path: Path) -> dict[str, object]:
    """What the command says of a transcript."""
    done = subprocess.run(
        [str(FARFADET), "audit", str(path), "--json"], capture_output=True, text=True, check=False
    )
    verdict: dict[str, object] = json.loads(done.stdout)
    assert done.returncode == (0 if verdict["verdict"] == "good" else 1)
    return verdict


@pytest.mark.parametrize("game", rules.names())
def test_three_terminals_play_to_the_score_over_the_embedded_broker(
    game: str, tmp_path: Path
) -> None:
    program("tmux")
    hosting = ["--seats", "3", "--port", str(free_port()), "--address", "127.0.0.1"]
    files = table(tmp_path, game, hosting)
    data = files[0].read_bytes()
    assert [path.read_bytes() for path in files] == [data] * 3
    verdict = audited(files[0])
    assert verdict["verdict"] == "good"
    assert sorted(map(str, verdict["names"])) == ["Ana", "Bo", "Chloe"]  # type: ignore[call-overload]
    for at in (30, 300, len(data) // 2, len(data) - 1):
        broken = tmp_path / "broken.farfadet"
        broken.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        worse = audited(broken)
        assert worse["verdict"] == "bad"
        assert worse["fault"]


async def test_three_terminals_and_a_bot_play_over_mosquitto(tmp_path: Path) -> None:
    program("tmux")
    program("mosquitto")
    broker = Mosquitto(tmp_path)
    await broker.start()
    try:
        hosting = ["--seats", "4", "--bots", "1", "--broker", broker.url]
        files = table(tmp_path, "taverne", hosting)
    finally:
        await broker.stop()
    assert len({path.read_bytes() for path in files}) == 1
    assert audited(files[0])["verdict"] == "good"
