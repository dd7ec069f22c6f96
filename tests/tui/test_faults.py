"""A fault of ours never shows a player a traceback; most of them do not even end the game."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import pytest

from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.pty import PATIENCE, opened
from tests.tui.stage import opened as headless
from tests.tui.test_signals import restored
from tests.tui.wire import Session, wired, wired_game
from tui import faults
from tui.app import FarfadetApp
from tui.boards.taverne import Board
from tui.screens.game import GameScreen
from tui.screens.help import HelpScreen
from tui.screens.home import HomeScreen
from tui.sitting import Home
from tui.widgets.foot import Foot
from tui.words import Words

SECRET = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ"


class Broken(Exception):
    """What is wrong with us."""


def breaks(*_: object, **__: object) -> None:
    """What a fault of ours looks like; ``secret`` is nobody's business."""
    secret = SECRET
    raise Broken(f"{len(secret)} letters")


async def breaks_later() -> None:
    """The same, in the background."""
    breaks()


def logged(caplog: pytest.LogCaptureFixture) -> int:
    """How many faults are in the log: each with its traceback, none with what variables were."""
    found = [record for record in caplog.records if record.name == faults.__name__]
    for record in found:
        whole = logging.Formatter().format(record)
        assert "Traceback" in whole
        assert "Broken: 32 letters" in whole
        assert SECRET not in whole
    return len(found)


async def goes_on(session: Session, sitting: FakeSitting) -> None:
    """The player was told, and can still choose."""
    app = session.app
    assert FarfadetApp.GOES_ON[:30] in "".join(note.message for note in app._notifications)
    assert isinstance(app.screen, GameScreen)
    await session.press("1")
    if not sitting.calls:
        await session.press("enter")
    assert sitting.calls
    assert app.return_code is None


async def ends(session: Session) -> None:
    """The app ends by itself, and says that it has failed."""
    assert session.app._task is not None
    await asyncio.wait({session.app._task}, timeout=PATIENCE)
    assert session.app.return_code == 1


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (Board, "paint"),
        (Board, "on_key"),
        (GameScreen, "action_aim"),
        (GameScreen, "on_game_screen_told"),
        (Foot, "_offered"),
        (GameScreen, "state"),
    ],
    ids=["picture", "key", "action", "notice", "foot", "title"],
)
async def test_the_game_goes_on(
    where: type, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sitting = FakeSitting(4)
    async with wired_game(sitting, monkeypatch) as session:
        with monkeypatch.context() as patch:
            patch.setattr(where, name, breaks)
            await session.press("down", "2")
            sitting.lose(2)
            await session.written()
        assert logged(caplog) == 1, "each place once"
        await goes_on(session, sitting)


async def test_a_timer_or_work_in_the_background_fails_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sitting = FakeSitting(4)
    async with wired_game(sitting, monkeypatch) as session:
        assert isinstance(session.app.screen, GameScreen)
        session.app.screen.after(0.01, breaks)
        await asyncio.sleep(0.1)
        await session.written()
        assert logged(caplog) == 1
        session.app.run_worker(breaks_later(), exit_on_error=False)
        await session.written()
        # The place is the same, and a place is logged once.
        assert logged(caplog) == 1
        await goes_on(session, sitting)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_screen_that_cannot_be_made_ends_the_app_with_two_sentences(
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with wired(FakeDoors(), Home(), monkeypatch, language) as session:
        monkeypatch.setattr(HelpScreen, "on_mount", breaks)
        session.app.action_help()
        await ends(session)
    assert logged(caplog) == 1
    said = capsys.readouterr().err
    assert len(said.split(".log")[0].splitlines()) <= 4
    assert said.startswith(Words(language).say(faults.SORRY) + "\n")
    assert "farfadet resume" in said
    assert "Traceback" not in said
    assert SECRET not in said


async def test_faults_without_end_end_the_app(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with wired(FakeDoors(), Home(), monkeypatch) as session:
        monkeypatch.setattr(HomeScreen, "action_down", breaks)
        for _ in range(faults.MOST):
            await session.pilot.press("down")
        assert session.app.return_code is None
        session.app.simulate_key("down")
        await ends(session)
    assert logged(caplog) == 2, "the first one, and the one with which it ends"


async def test_a_test_hears_of_every_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HomeScreen, "action_down", breaks)
    with pytest.raises(Broken):
        async with headless(FakeDoors(), Home()) as (_, pilot):
            await pilot.press("down")


REAL = """
import asyncio, sys
from tui.screens.home import HomeScreen
from tui.cli import main

async def breaks(how, secret="{secret}"):
    raise RuntimeError(how)

def forgotten(self):
    asyncio.get_running_loop().create_task(breaks("forgotten"))

HomeScreen.action_up = lambda self: 1 / 0
HomeScreen.action_down = lambda self: self.run_worker(breaks("work"))
HomeScreen.action_less = forgotten
sys.argv = ["farfadet"]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no PTY there")
@pytest.mark.terminal
def test_the_real_thing_gives_the_terminal_back(tmp_path: Path) -> None:
    command = (sys.executable, "-c", REAL.format(secret=SECRET))
    with opened(tmp_path, command=command) as terminal:
        terminal.wait_for("Play now")
        terminal.press("\x1b[A")
        assert "Play now" in terminal.wait_for(FarfadetApp.GOES_ON[:20])
        terminal.press("\x1bOD\x1b[D")
        terminal.press("\x1b[B")
        assert terminal.wait_ended() == 1
        restored(terminal)
        said = terminal.output.rpartition(b"\x1b[?1006l")[2].decode()
    log = (tmp_path / "state" / "farfadet.log").read_text(encoding="utf-8")
    assert said.strip().splitlines()[0] == faults.SORRY
    assert "farfadet resume" in said
    assert str(tmp_path) in "".join(said.split())
    assert SECRET not in terminal.output.decode() + log
    for told in ("ZeroDivisionError", "RuntimeError: work", "RuntimeError: forgotten"):
        assert told in log
