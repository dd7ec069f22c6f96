"""However the app is ended or put to sleep, the terminal is as it was before, and the seat is kept.

One process does several things one after the other: starting one is what takes long.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services import children, free_port
from tests.tui.fake import FakeSitting
from tests.tui.pty import PATIENCE, Pty, opened
from tests.tui.stage import playing, settle, some_turns

if sys.platform == "win32":
    pytest.skip("there are no such signals there", allow_module_level=True)

pytestmark = [pytest.mark.terminal, pytest.mark.timeout(240)]

KEPT, GIVEN_BACK = b"\x1b[22;0t", b"\x1b[23;0t"
"""The title is put on the terminal's stack, and taken from there."""
LOST_KITTY = b"\x1b[<u"
TRIVIAL = frozenset({7, 25})
"""Modes of any terminal that nobody has touched: long lines wrap, the cursor is seen."""

SIZES = ((1, 1), (2, 1), (1, 150), (400, 1), (79, 24), (80, 23), (80, 24), (400, 150), (120, 40))


def restored(terminal: Pty) -> None:
    """The line, the screen, the mouse, the cursor, the keys and the title are as before."""
    assert terminal.attributes == terminal.before
    assert terminal.modes == TRIVIAL
    assert terminal.output.count(KEPT) == terminal.output.count(GIVEN_BACK) > 0
    assert terminal.output.count(b"\x1b[>") == terminal.output.count(LOST_KITTY)


def alive(process: int) -> bool:
    """Whether a process runs."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return state.stdout.strip()[:1] not in ("", "Z")


def gone(processes: list[int]) -> None:
    """All of them end by themselves."""
    deadline = time.monotonic() + PATIENCE
    while any(alive(process) for process in processes):
        assert time.monotonic() < deadline, processes
        time.sleep(0.05)


def test_sleep_other_sizes_and_sigterm(tmp_path: Path) -> None:
    with opened(tmp_path, "play", "gnomia", "--seats", "2", COLUMNS="80", LINES="24") as terminal:
        terminal.wait_for("Which gnome")
        terminal.read()
        assert {1049, 1000, 1002, 1006} <= terminal.modes
        assert 1003 not in terminal.modes, "each motion of the mouse would go over the line"
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.wait_until(lambda: LOST_KITTY in terminal.output)
        terminal.read()
        restored(terminal)
        terminal.screen.reset()
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_until(lambda: "F1 help" in terminal.shown and "Which gno" in terminal.shown)
        assert 1049 in terminal.modes
        # Who was not asleep is told to continue, too, when a terminal changes hands.
        terminal.process.send_signal(signal.SIGCONT)
        terminal.read()
        assert terminal.output.count(KEPT) == 2
        for number in range(80):
            terminal.resize(60 + number, 10 + number % 30)
        for size in SIZES:
            terminal.resize(*size)
            terminal.read(0.1)
        terminal.resize(79, 24)
        terminal.wait_for("too small: needs 80x24, is 79x24")
        terminal.resize(80, 24)
        terminal.wait_until(lambda: "F1 help" in terminal.shown and "Which gno" in terminal.shown)
        terminal.press("\x1b[C")
        assert "Gnome 10" in terminal.wait_for("Enter seals it")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait_ended() == 0
        restored(terminal)
    with opened(tmp_path, "resume") as terminal:
        terminal.wait_for("Which gnome")
        # The window is closed: nobody is there to read what is said at the end.
        processes = [terminal.process.pid, *children(terminal.process.pid)]
        terminal.hang_up()
        terminal.process.wait(PATIENCE)
        gone(processes)
    assert list((tmp_path / "state" / "tables").rglob("*.journal"))


@pytest.mark.broker
def test_a_host_that_hears_sighup_takes_its_broker_along(tmp_path: Path) -> None:
    port = str(free_port())
    command = ("host", "gnomia", "--seats", "3", "--bots", "1", "--port", port)
    with opened(tmp_path, *command, "--address", "127.0.0.1") as terminal:
        terminal.wait_for("farfadet://")
        found = children(terminal.process.pid)
        found += [child for process in found for child in children(process)]
        assert len(found) >= 2, "the leash and the broker"
        os.kill(terminal.process.pid, signal.SIGHUP)
        assert terminal.wait_ended() == 0
        restored(terminal)
        gone(found)


@pytest.mark.broker
def test_the_broker_is_lost_and_found_and_the_choice_made_meanwhile_counts(tmp_path: Path) -> None:
    port = str(free_port())
    command = ("host", "gnomia", "--seats", "3", "--bots", "2", "--port", port)
    with opened(tmp_path, *command, "--address", "127.0.0.1") as terminal:
        terminal.wait_for("2 of 3 sealed")
        (leash,) = children(terminal.process.pid)
        (broker,) = children(leash)
        # As long as it sleeps it does not see that the broker has ended, and nobody starts another.
        os.kill(leash, signal.SIGSTOP)
        try:
            os.kill(broker, signal.SIGKILL)
            terminal.wait_for("The connection is lost; trying again. Your choices are kept.")
            terminal.press("\x1b[C")
            terminal.wait_for("Enter seals it")
            terminal.type("\r")
            assert "The connection is lost" in terminal.wait_for("◆ Gnome 10")
            assert "round 1" in terminal.shown
        finally:
            os.kill(leash, signal.SIGCONT)
        terminal.wait_for("round 2")
        terminal.wait_until(lambda: "The connection is lost" not in terminal.shown)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait_ended() == 0
        restored(terminal)


@pytest.mark.parametrize("game", ["taverne", "gnomia"])
async def test_a_reveal_can_be_looked_at_through_any_window(game: str) -> None:
    sitting = FakeSitting(5, game=game)
    async with playing(sitting, moving=True) as (screen, pilot):
        for size in ((1, 1), (79, 24), (400, 150)):
            some_turns(sitting, 1)
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen.has_class("-small") is (size < (80, 24))
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        while screen.seen.reveal.now is not None:
            await pilot.press("enter")
            await settle(pilot)
        assert screen.board.voice.view.state == sitting.state
        assert screen.board.size.width == 80
