"""Players in real terminals: how they gather at a table, press keys to the end, and leave."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.terminals import FARFADET, PAUSE, Terminal, Terminals
from tests.services import free_port

NAMES = ("Ana", "Bo", "Chloe")
INVITATION = re.compile(r"farfadet://127\.0\.0\.1:\d+/[A-Z2-7]{16}#[A-Za-z0-9_-]{22}")
ENDED = ("You win!", "wins.", "share the victory")
PLAYING = 240.0
"""Seconds a whole game may take on a busy machine."""


def embedded() -> list[str]:
    """How to host on a broker of one's own."""
    return ["--port", str(free_port()), "--address", "127.0.0.1"]


def environment(home: Path, name: str) -> dict[str, str]:
    """What a player's process is told about the world."""
    return {
        "FARFADET_HOME": str(home / name),
        "FARFADET_NAME": name,
        "FARFADET_LAN": "off",
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
        time.sleep(PAUSE)


def gather(
    server: Terminals, folder: Path, game: str, *hosting: str, names: Sequence[str] = NAMES
) -> tuple[list[Terminal], str]:
    """The first of ``names`` hosts a table, the others join; their terminals, the invitation."""
    command = [str(FARFADET), "host", game, *hosting]
    host = server.open(names[0], command, environment(folder, names[0]))
    shown = host.wait_for("farfadet://")
    found = INVITATION.search(shown)
    assert found is not None, shown
    guests = [
        server.open(name, [str(FARFADET), "join", found[0]], environment(folder, name))
        for name in names[1:]
    ]
    return [host, *guests], found[0]


def leave(players: Sequence[Terminal]) -> None:
    """All go home."""
    for player in players:
        player.press("q")
    for player in players:
        player.wait_ended()


def files(folder: Path, names: Sequence[str] = NAMES) -> list[Path]:
    """The transcript that each of ``names`` has."""
    return [next((folder / name / "data" / "games").iterdir()) for name in names]


def audited(path: Path) -> dict[str, object]:
    """What the command says of a transcript."""
    done = subprocess.run(
        [str(FARFADET), "audit", str(path), "--json"], capture_output=True, text=True, check=False
    )
    verdict: dict[str, object] = json.loads(done.stdout)
    assert done.returncode == (0 if verdict["verdict"] == "good" else 1)
    return verdict
