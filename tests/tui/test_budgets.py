"""What a key press and a second cost a terminal, in bytes: whoever plays over ssh pays for them.

Timings are not asserted anywhere; they are figures of ``tests/bench/terminal.py``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rules.gobelin.pieces import Effect, Phase
from tests.services import free_port
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.gobelin_stage import Wanted, long_trail, mine, step, way_to
from tests.tui.parlour import Parlour
from tests.tui.pty import QUIET, Pty, opened
from tests.tui.stage import some_turns
from tests.tui.wire import Session, wired, wired_game
from tui.sitting import Home

KEY = 1000
"""Most bytes for one press of a key that aims, seals, picks or types."""
SECOND = 200
"""Most bytes for one second in which nobody does anything, with a clock."""
ARROWS = ["right", "down", "left", "up", "up", "right", "down", "left"]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


async def within(session: Session, keys: list[str], most: int = KEY) -> None:
    """Each of these keys costs ``most`` or less, and some of them something."""
    costs = {}
    for number, key in enumerate(keys):
        costs[f"{number} {key}"] = len((await session.press(key)).encode())
    assert max(costs.values()) <= most, costs
    assert any(costs.values())


@LANGUAGES
@pytest.mark.parametrize("game", ["taverne", "gnomia"])
async def test_aiming_and_sealing(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = FakeSitting(5, game=game)
    async with wired_game(sitting, monkeypatch, language) as session:
        some_turns(sitting, 4)
        while not sitting.moves():
            sitting.others()
        await session.written()
        await within(session, [*ARROWS, "u", "1", "enter"])
        assert sitting.chosen is not None


@LANGUAGES
@pytest.mark.parametrize(
    "wanted",
    [long_trail, mine(Phase.PLAY, 3), mine(Phase.TARGET, 3, Effect.VOL)],
    ids=["long", "many", "target"],
)
async def test_aiming_at_the_ends_of_a_trail(
    wanted: Wanted, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, steps = way_to(wanted, 4)
    sitting, random = FakeSitting(4, seed, game="gobelin"), Random(seed)
    async with wired_game(sitting, monkeypatch, language) as session:
        for _ in range(steps):
            step(sitting, random)
        await session.written()
        await within(session, [*ARROWS, "u"])


@LANGUAGES
async def test_the_first_screen(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with wired(FakeDoors(), Home(), monkeypatch, language) as session:
        await within(session, ["down", "down", "up", "down", "down", "down", "left", "down", "up"])


async def test_typing_and_hearing_others(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting, parlour = FakeSitting(3), Parlour("Ana", "Bo", "Dan")
    sitting.talk = parlour.talks["Ana"]
    async with wired_game(sitting, monkeypatch) as session:
        await within(session, ["tab", *"hello", "left", "backspace", "escape"])


@pytest.mark.skipif(sys.platform == "win32", reason="no PTY there")
@pytest.mark.terminal
@pytest.mark.broker
@pytest.mark.timeout(240)
def test_the_real_thing_in_a_terminal(tmp_path: Path) -> None:
    port = str(free_port())
    command = ("host", "gnomia", "--seats", "3", "--bots", "1", "--limit", "600", "--port", port)
    with opened(tmp_path, *command, "--address", "127.0.0.1") as terminal:
        terminal.wait_for("farfadet://")
        terminal.read(1.0)
        assert idle(terminal) == 0, "a table that waits"
        terminal.press("b")
        # Both bots have sealed and the clock runs: now nothing more happens by itself.
        terminal.wait_for("2 of 3 sealed · 9:")
        terminal.read(QUIET, 3.0)
        assert 0 < idle(terminal) <= 3 * SECOND
        for key in ("\x1b[C", "\x1b[C", "\x1b[D", "4", "u"):
            assert len(terminal.press(key)) <= KEY + SECOND, key
        terminal.press("\t")
        for key in "hello":
            assert len(terminal.press(key)) <= KEY + SECOND, key
        assert idle(terminal) <= 3 * SECOND, "a line that is being written"
        terminal.press("\x1b", 0.6)
        terminal.press("q")
        terminal.press("q")
        terminal.wait_for("Back to my table")
        terminal.read(1.0)
        assert idle(terminal) == 0, "the first screen"
        # What has changed below other screens is repainted once more with the first key.
        terminal.press("\x1b[B")
        for key in ("\x1b[B", "\x1b[B", "\x1b[A"):
            assert len(terminal.press(key)) <= KEY, key
        terminal.type("q")
        assert terminal.wait_ended() == 0


def idle(terminal: Pty) -> int:
    """The bytes of three seconds in which nobody presses anything."""
    return len(terminal.read(quiet=3.0, most=3.0))


EARLY = """
import subprocess
import sys
from pathlib import Path
import tui.app, tui.cli, tui.commands.show, tui.screens.home
from tui.places import Places
from tui.terms import Terms
from tui.threshold import Threshold
nowhere = Path("nowhere")
doors = Threshold(Places(nowhere, nowhere, nowhere), Terms("Ana"))
assert doors.saved() == ()
doors.part()
print(*sorted(sys.modules))
"""


def test_the_first_screen_does_not_wait_for_what_speaks_to_a_network() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"textual.app", "tui.screens.home"} <= loaded
    assert not loaded & {"aiomqtt", "nacl", "zeroconf", "tui.doors", "tomlkit", "rules.game"}
    assert {name for name in loaded if name.startswith("net.")} == {"net.disk"}
