"""Whatever others write, on whatever screen it is shown, a terminal is only told to show text.

What goes to the terminal is read in three ways: no command is in it that is not ours; a terminal
that obeys it (pyte) shows the cells that we have drawn; and what is not from others stands where it
stands when everybody has a good name.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual import events

from net.people.friends_file import FriendsFile
from net.people.identity import Identity
from tests.sim.nodes import small_numbers
from tests.tui.around import ANA, BO, PLAYING, Around
from tests.tui.company_stage import BO as BO_KEY
from tests.tui.company_stage import DAY, ME, STRANGER, WORDS
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import Coded, FakeDoors, FakeGuest, FakeRoom, a_saved_table
from tests.tui.frames import frame
from tests.tui.parlour import Parlour
from tests.tui.replay_stage import game_file, kept, until
from tests.tui.stage import some_turns
from tests.tui.wire import Session, obeyed, wired
from tui.places import Readable
from tui.replayed import open_replay
from tui.retell import retell
from tui.screens.join import JoinScreen
from tui.screens.near import NearScreen
from tui.screens.replay import ReplayScreen
from tui.screens.table import TableScreen
from tui.screens.trust import TrustScreen
from tui.sitting import Home, Host, Join, Play, Replay
from tui.troubles import told
from tui.words import Words


def _scribbled(seed: int, count: int) -> Iterator[str]:
    """Any characters there are, and some there are not."""
    random = Random(seed)
    for _ in range(count):
        yield "".join(chr(random.randrange(0x110000 >> random.choice((0, 4, 8)))) for _ in range(9))


NASTY: Final = (
    "\x1b]0;owned\x07Bo",
    "\x1b[2J\x1b[31mred",
    "\x9b2J\x9d0;x\x9c",
    "\u202eevil\u2066",
    "[@click=app.quit]go[/]",
    "[red]b[/red] $error",
    "東京都" * 30,
    "e" + "\u0301" * 40,
    "👩\u200d👩\u200d👧 🇫🇷 ☺\ufe0f",
    "a\nb\rc\td\x00e",
    "\ud83d\udc80",
    "\u3164\u2800\u200b",
    "%s {who} {0} %(x)s",
    "",
    "\u0e33\u1160\U000e0001",
    *_scribbled(20261130, 6),
)
"""Names of people whom nobody wants at their table."""

_OURS: Final = re.compile(
    r"\x1b\[[\d;]*m"  # colours
    r"|\x1b\[\d+;\d+H"  # where
    r"|\x1b\[\?\d+[hl]"  # modes
    r"|\x1b\[2[23];0t|\x1b\]0;[^\x00-\x1f\x7f-\x9f]*\x07"  # titles
    r"|\x1b\]22;[a-z-]*\x07"  # the shape of the pointer
    r"|\x1b\]52;c;[A-Za-z0-9+/=]*\x07"  # the clipboard
    r"|\x07|\n|\r"
)


def harmless(written: str) -> None:
    """Nothing but our own commands and text that can be seen."""
    rest = _OURS.sub("", written)
    bad = [char for char in rest if category(char)[0] == "C" or category(char) in ("Zl", "Zp")]
    assert not bad, ascii(rest)


async def as_drawn(session: Session) -> str:
    """The screen; a terminal that has obeyed everything shows the same."""
    for _ in range(40):
        written = await session.written()
        drawn = [line for line in frame(session.app).splitlines() if line]
        shown = obeyed(written)
        if shown == drawn:
            break
        # Another screen comes a moment later than its frame.
        await session.pilot.pause(0.05)
    harmless(written)
    assert shown == drawn
    assert max(map(cell_len, drawn)) <= 80
    return "\n".join(drawn)


def names(seed: int, count: int) -> tuple[str, ...]:
    """Some of the bad names."""
    return tuple(Random(seed).sample(NASTY, count))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", ["taverne", "gnomia", "gobelin"])
async def test_at_a_table(game: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = 4
    called = ("Ana", *names(seed, seats - 1))
    sitting, parlour = FakeSitting(seats, seed, names=called, game=game), Parlour(*called)
    sitting.talk = parlour.talks["Ana"]
    async with wired(FakeDoors(sitting=sitting), Play(), monkeypatch) as session:
        sitting.begin()
        for said in names(seed + 10, 5):
            if said.strip() and said.isprintable():
                parlour.talks[called[1]].say(said)
        watcher = parlour.enter("[red]b[/] $error")
        watcher.say("[@click=app.quit]hello[/]")
        some_turns(sitting, 2)
        sitting.lose(1, 2)
        shown = await as_drawn(session)
        assert "[@click=app.quit]hello[/]" in shown
        assert "F1 help" in shown
        sitting.end()
        await as_drawn(session)


@pytest.mark.parametrize("seed", range(3))
async def test_before_the_game(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = names(seed, 6)
    room = FakeRoom(invitation="farfadet://" + bad[0], spoken=bad[1], talk=None)
    guests = [FakeGuest(name, identity=Identity.fresh("").public) for name in bad[2:4]]
    async with wired(FakeDoors(room=room), Host(), monkeypatch) as session:
        room.arrive(*guests)
        assert isinstance(session.app.screen, TableScreen)
        assert "4 of 4 seats taken" in await as_drawn(session)
        # The clipboard of the terminal is given text, too, and cannot get out of it.
        harmless(await session.press("c"))


@pytest.mark.parametrize("seed", range(3))
async def test_the_first_screen_and_what_is_near(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = names(seed, 6)
    doors = FakeDoors(tables=[a_saved_table()], error=Coded(bad[0]))
    doors.around = Around(
        replace(BO, names=bad[:2], invitation="farfadet://" + bad[2]),
        replace(ANA, names=bad[3:5]),
        replace(PLAYING, names=bad[4:6]),
    )
    async with wired(doors, Join("farfadet://nowhere"), monkeypatch) as session:
        assert "Back to my table" in await as_drawn(session)
        session.app.push_screen(NearScreen(doors.around))
        assert "3" in await as_drawn(session)


@pytest.mark.parametrize("seed", range(3))
async def test_the_question_who_that_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "Bo" + names(seed, 1)[0]
    file = FriendsFile(None, ME)
    file.change(lambda friends: friends.met({BO_KEY: name}, DAY))
    me = FakeGuest("Ana", host=True, mine=True, identity=ME)
    guests = (me, FakeGuest(name, identity=STRANGER))
    sitting = FakeSitting(2, names=("Ana", name), game="gnomia")
    room = FakeRoom(guests, 2, words=WORDS, game=sitting.game, sitting=sitting)
    doors = FakeDoors(sitting=sitting, room=room, known=file)
    async with wired(doors, Host("gnomia"), monkeypatch) as session:
        room.full.set()
        await session.written()
        assert isinstance(session.app.screen, TrustScreen)
        assert "Bo" in await as_drawn(session)


@pytest.mark.parametrize("seed", range(3))
async def test_a_finished_game(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is no Unicode does not travel.
    called = tuple(name.encode(errors="ignore").decode() for name in names(seed, 3))
    path = kept(tmp_path, game_file("gnomia", names=called))
    doors = FakeDoors(games=tmp_path)
    with small_numbers():
        async with wired(doors, Replay(path), monkeypatch) as session:
            screen = session.app.screen
            assert isinstance(screen, ReplayScreen)
            await until(lambda: screen.sitting.playback.verdict is not None)
            assert "Gnomia" in await as_drawn(session)
            for key in ("right", "end", "v", "question_mark"):
                await session.pilot.press(key)
                await as_drawn(session)
        async with wired(doors, Replay(None), monkeypatch) as session:
            assert "Gnomia" in await as_drawn(session)
        for line in retell(open_replay(path), Words("en")):
            assert line.isprintable(), repr(line)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("pasted", NASTY, ids=range(len(NASTY)))
async def test_what_is_pasted(pasted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with wired(FakeDoors(error=Coded("bad-invitation")), Home(), monkeypatch) as session:
        session.app.push_screen(JoinScreen())
        await session.written()
        session.app.screen.post_message(events.Paste(pasted))
        await as_drawn(session)
        await session.pilot.press("enter")
        await as_drawn(session)


@given(st.text(max_size=40), st.sampled_from(["failed", "bad-setting", "what\x1b[2J", ""]))
def test_what_is_said_about_an_error(text: str, code: str) -> None:
    said = told(Words("fr"), Coded(text), code or text)
    assert not [char for char in said if category(char)[0] == "C"], ascii(said)


@given(st.text())
def test_a_line_of_the_log_is_one_line_that_can_be_seen(text: str) -> None:
    record = logging.LogRecord("net", logging.INFO, "", 0, "failed: %s", (text,), None)
    line = Readable("%(levelname)s %(message)s").format(record)
    assert line.startswith("INFO failed: ")
    assert line.replace("\t", "").isprintable()
    line.encode("utf-8")


@given(st.text())
def test_json_is_ascii(text: str) -> None:
    assert json.dumps({"names": [text]}).isprintable()
