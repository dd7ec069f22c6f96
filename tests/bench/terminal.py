"""How soon the first screen is there, how fast a key is answered, and what a seat takes: in a PTY.

It is compared with an app of Textual's that shows one word, started in turns with ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import rules
from net.people.identity import Identity
from net.play.local import sit_down
from net.play.stream import Stream
from rules.bots import bot
from tests.tui.pty import FARFADET, Pty, opened
from tui.loop import run

ROUNDS: Final = 7
KEYS: Final = 40
EMPTY: Final = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("Nothing")

Empty().run()
"""


def timed(do: Callable[[], object]) -> float:
    """Seconds that it takes."""
    begin = time.perf_counter()
    do()
    return time.perf_counter() - begin


def first_frame(home: Path, command: tuple[str, ...], text: str) -> tuple[float, int]:
    """Seconds until ``text`` is on the screen, and bytes until it stands still."""
    begin = time.perf_counter()
    with opened(home, command=command) as terminal:
        terminal.wait_for(text)
        seconds = time.perf_counter() - begin
        terminal.read(1.0)
        return seconds, len(terminal.output)


def start_up(home: Path) -> dict[str, float]:
    """Ours and the empty one in turns; the ratio is that of the medians."""
    ours, empty = list[float](), list[float]()
    sent = 0
    for _ in range(ROUNDS):
        seconds, sent = first_frame(home, (str(FARFADET),), "Play now")
        ours.append(seconds)
        empty.append(first_frame(home, (sys.executable, "-c", EMPTY), "Nothing")[0])
    version = [str(FARFADET), "--version"]
    return {
        "first_frame_s": median(ours),
        "empty_app_s": median(empty),
        "first_frame_over_empty_app": median(ours) / median(empty),
        "first_frame_bytes": sent,
        "version_s": median(
            timed(lambda: subprocess.run(version, check=True, capture_output=True))
            for _ in range(ROUNDS)
        ),
    }


def playing(home: Path) -> dict[str, float]:
    """A game against one bot: from a key to the first byte, and what the process takes."""
    with opened(home, "play", "gnomia", "--seats", "2") as terminal:
        terminal.wait_for("Which gnome")
        terminal.read(1.0)
        keys = [answer(terminal, key) for key in ("\x1b[C", "\x1b[D") * KEYS]
        return {"key_ms": 1000 * median(keys[2:]), "seat_mib": memory(terminal.process.pid)}


def answer(terminal: Pty, key: str) -> float:
    """Seconds from a key to the first byte."""
    return timed(lambda: terminal.press(key, quiet=0.0))


def memory(process: int) -> float:
    """MiB that a process holds; 0.0 where the system does not say."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


async def lag() -> dict[str, float]:
    """How late the loop is while 60 stones are sealed and all proofs are checked, milliseconds."""
    game = rules.load("taverne")
    bots = [(str(seat), bot("random", Stream(b"bench", bytes([seat])))) for seat in range(3)]
    late = list[float]()
    with tempfile.TemporaryDirectory() as folder:
        peer = sit_down(game, Identity.fresh("Ana"), bots, Path(folder), Path(folder), "random")
        work = asyncio.create_task(peer.run())
        while not peer.moves():
            begin = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(1000 * (time.perf_counter() - begin - 0.001))
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
    cut = quantiles(late, n=100)
    return {"lag_ms_median": cut[49], "lag_ms_p99": cut[98], "lag_ms_most": max(late)}


def figures() -> dict[str, Any]:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        return {"start": start_up(home), "game": playing(home), "proofs": run(lag())}
