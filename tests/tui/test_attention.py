"""Whoever looks elsewhere is called when they are wanted, once, and as they wish to be."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom
from tests.tui.stage import settle
from tests.tui.wire import XTERM, Session, wired, wired_game
from tui import attention
from tui.settings import USUAL, Settings
from tui.sitting import Host
from tui.terminal import notification, titled

BELL = "\x07"
TITLE = re.compile(r"\x1b\]0;([^\x07]*)\x07")
FOOT = {"TERM": "foot"}
NASTY = ("\x1b]0;owned\x07", "\x9b2J;;\x1b\\", "\u202eevil", "x" * 200)


def rings(written: str) -> int:
    """How often the bell was rung: a command to the terminal ends with the same sign."""
    return re.sub(r"\x1b\][^\x07\x1b]*(\x07|\x1b\\)", "", written).count(BELL)


@asynccontextmanager
async def elsewhere(
    patch: pytest.MonkeyPatch, settings: Settings = USUAL, environ: Mapping[str, str] = FOOT
) -> AsyncIterator[tuple[FakeSitting, Session]]:
    """A game in which we have chosen and look elsewhere; one call is never too soon."""
    patch.setattr(attention, "PAUSE", 0.0)
    sitting = FakeSitting(3, game="gnomia")
    async with wired_game(sitting, patch, settings=settings, environ=environ) as session:
        sitting.choose(sitting.moves()[0])
        session.app.post_message(events.AppBlur())
        await session.written()
        session.wire.sent.clear()
        yield sitting, session


async def test_when_it_is_our_turn_again_the_bell_rings_and_the_desktop_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with elsewhere(monkeypatch) as (sitting, session):
        sitting.others()
        written = await session.written()
        assert rings(written) == 1
        assert "\x1b]777;notify;farfadet;Gnomia: it is your turn.\x07" in written
        assert TITLE.findall(written)[-1] == "farfadet: your turn · Gnomia"
        await session.press("right")
        assert rings("".join(session.wire.sent)) == 0


async def test_nobody_who_looks_on_their_own_screen_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with elsewhere(monkeypatch) as (sitting, session):
        session.app.post_message(events.AppFocus())
        sitting.others()
        written = await session.written()
        assert rings(written) == 0
        assert "777" not in written
        assert TITLE.findall(written)[-1] == "farfadet: your turn · Gnomia"


@pytest.mark.parametrize(
    ("settings", "bells", "notices"),
    [
        (Settings(bell="never", notify="never"), 0, 0),
        (Settings(bell="never"), 0, 1),
        (Settings(notify="never"), 1, 0),
    ],
)
async def test_everybody_is_called_as_they_wish(
    settings: Settings, bells: int, notices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with elsewhere(monkeypatch, settings) as (sitting, session):
        sitting.others()
        written = await session.written()
        assert rings(written) == bells
        assert written.count("777;notify") == notices


async def test_who_wants_it_is_called_at_their_own_screen_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings(bell="always", notify="always")
    async with elsewhere(monkeypatch, settings) as (sitting, session):
        session.app.post_message(events.AppFocus())
        sitting.others()
        written = await session.written()
        assert rings(written) == written.count("777;notify") == 1


async def test_the_end_of_the_game_is_said_once_and_in_the_title(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with elsewhere(monkeypatch, environ=FOOT) as (sitting, session):
        sitting.end()
        written = await session.written()
        assert written.count("the game is over.\x07") == 1
        assert TITLE.findall(written)[-1] == "farfadet: game over · Gnomia"
        session.app.home()
        assert TITLE.findall(await session.written())[-1] == "farfadet"


async def test_a_table_that_is_complete_calls_its_people(monkeypatch: pytest.MonkeyPatch) -> None:
    room = FakeRoom()
    doors = FakeDoors(room=room)
    async with wired(doors, Host(), monkeypatch, environ=FOOT) as session:
        written = await session.written()
        taken = "farfadet: 2 of 4 seats taken · La Taverne des Hobbits"
        assert TITLE.findall(written)[-1] == taken
        session.app.post_message(events.AppBlur())
        room.arrive(FakeGuest("Chloé"), FakeGuest("Dan"))
        await session.written()
        session.wire.sent.clear()
        room.full.set()
        await asyncio.sleep(0)
        written = await session.written()
        assert rings(written) == 1
        assert "La Taverne des Hobbits: the table is complete.\x07" in written


async def test_two_calls_at_once_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async with elsewhere(monkeypatch) as (_, session):
        monkeypatch.setattr(attention, "PAUSE", 60.0)
        session.app.attention.call("one")
        session.app.attention.call("two")
        assert rings(await session.written()) == 1


async def test_the_title_speaks_french_and_names_in_it_are_only_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("Ana", *NASTY[:2])
    sitting = FakeSitting(3, game="gobelin", names=names)
    async with wired_game(sitting, monkeypatch, "fr") as session:
        while sitting.moves():
            sitting.choose(sitting.moves()[0])
            await session.written()
        written = await session.written()
        titles = TITLE.findall(written)
        assert titles
        for title in titles:
            assert title.isprintable()
        assert "\x1b]0;owned" not in written
        assert "\x9b" not in written


@given(st.one_of(st.text(), st.sampled_from(NASTY)))
def test_nothing_said_on_the_desktop_is_a_command(said: str) -> None:
    for environ in ({"TERM": "xterm-kitty"}, FOOT, {"LC_TERMINAL": "iTerm2"}):
        for tmux in ({}, {"TMUX": "/tmp/tmux-0"}):
            asked = notification({**environ, **tmux}, "farfadet", said)
            if tmux:
                assert asked.startswith("\x1bPtmux;\x1b\x1b]")
                assert asked.endswith("\x1b\\")
                asked = asked.removeprefix("\x1bPtmux;")[:-2].replace("\x1b\x1b", "\x1b")
            inner = asked.removeprefix("\x1b]").removesuffix("\x07").removesuffix("\x1b\\")
            assert inner.isprintable()
            assert inner.count(";") == {"9": 1 + inner.startswith("99"), "7": 3}[inner[0]]


@pytest.mark.parametrize("term", ["xterm-256color", "screen-256color", "linux", "dumb", "vt220"])
def test_a_terminal_that_is_not_known_to_show_notices_is_sent_none(term: str) -> None:
    assert notification({"TERM": term}, "farfadet", "hello") == ""
    assert titled({"TERM": term}) is term.startswith(("xterm", "screen"))


async def test_a_terminal_without_a_title_is_not_sent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = FakeSitting(3)
    async with wired_game(sitting, monkeypatch, environ={**XTERM, "TERM": "linux"}) as session:
        await settle(session.pilot)
        assert not TITLE.findall("".join(session.wire.sent))
