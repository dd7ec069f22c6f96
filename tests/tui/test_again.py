"""After the result: once more, as it was or changed, alone or with the same people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot

import rules
from net.link.channel import Channel
from net.link.memory import Hub
from net.meeting.again import Reunion
from net.meeting.invitation import Invitation
from tests.sim.nodes import agreed
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest
from tests.tui.frames import frame
from tests.tui.stage import opened, settle
from tui.screens import result
from tui.screens.result import ResultScreen
from tui.screens.table import TableScreen
from tui.sitting import Play

CHARTER, PLAYERS = agreed(1, 3, rules.load("gnomia"))
TOLD = Invitation("192.168.1.20", 21883, CHARTER.room, bytes(16))
NEW = replace(TOLD, room="A" * 16, key=bytes(range(16)))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key is still meant for the game."""
    monkeypatch.setattr(result, "AT_REST", 0.0)


def friends(hub: Hub, seat: int) -> Reunion:
    """What the player in ``seat`` has of those who have played."""
    player = PLAYERS[seat]
    public = bytes(player.key.verify_key)
    channel = Channel(hub.transport(), CHARTER.room, public, TOLD.key)
    return Reunion(channel, TOLD, CHARTER, seat, player.key)


@asynccontextmanager
async def ended(
    doors: FakeDoors, language: str = "en", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    """The result of a game of three."""
    sitting = doors.sitting
    async with opened(doors, Play(), language, size) as (_, pilot):
        sitting.begin()
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        doors.asked.clear()
        yield pilot


def table(me: int | None = 0) -> FakeSitting:
    """A game of three."""
    return FakeSitting(3, me=me, game="gnomia")


async def test_enter_plays_the_same_again_against_bots() -> None:
    doors = FakeDoors(sitting=table())
    async with ended(doors) as pilot:
        doors.sitting = table()
        await pilot.press("enter")
        await settle(pilot)
        assert doors.asked == [("play", "gnomia", 3, "steady")]
        assert not isinstance(pilot.app.screen, ResultScreen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_what_is_played_next_can_be_changed(language: str, size: tuple[int, int]) -> None:
    doors = FakeDoors(sitting=table())
    async with ended(doors, language, size) as pilot:
        assert "◀Gnomia▶" in frame(pilot.app)
        await pilot.press("down", "right", "up", "left")
        await settle(pilot)
        shown = frame(pilot.app)
        assert "◀La Taverne des Hobbits▶" in shown
        assert ("joueurs  4" if language == "fr" else "players  4") in shown
        await pilot.press("enter")
        await settle(pilot)
        assert doors.asked == [("play", "taverne", 4, "steady")]


async def test_with_friends_a_new_table_is_made_for_them() -> None:
    doors = FakeDoors(sitting=table(), friends=friends(Hub(), 0))
    async with ended(doors) as pilot:
        await pilot.press("down", "down", "left", "enter")
        await settle(pilot)
        assert doors.asked == [("host", "gnomia", 3, 0)]
        assert isinstance(pilot.app.screen, TableScreen)


async def test_who_is_waited_for_goes_along() -> None:
    hub = Hub()
    mine, theirs = friends(hub, 0), friends(hub, 2)
    doors = FakeDoors(sitting=table(), friends=mine)
    async with ended(doors) as pilot:
        await mine._channel.open()
        await theirs._channel.open()
        theirs.propose(NEW)
        await hub.quiet()
        await settle(pilot)
        assert "Chloé plays again" in frame(pilot.app)
        await pilot.press("enter")
        await settle(pilot)
        assert doors.asked == [("join", str(NEW))]


@pytest.mark.parametrize(("theirs", "gives_way"), [(0, True), (2, False)])
async def test_of_two_who_wait_for_each_other_one_gives_way(theirs: int, gives_way: bool) -> None:
    hub = Hub()
    mine, other = friends(hub, 1), friends(hub, theirs)
    doors = FakeDoors(sitting=table(1), friends=mine)
    doors.room.guests = (FakeGuest("Bo", host=True, mine=True), FakeGuest("Puck", bot=True))
    async with ended(doors) as pilot:
        await mine._channel.open()
        await other._channel.open()
        await pilot.press("enter")
        await settle(pilot)
        other.propose(NEW)
        await hub.quiet()
        await settle(pilot)
        assert (("join", str(NEW)) in doors.asked) is gives_way


async def test_who_has_looked_on_is_not_asked_to_play_again() -> None:
    doors = FakeDoors(sitting=table(None))
    async with ended(doors) as pilot:
        assert "Enter" not in frame(pilot.app)
        await pilot.press("enter", "right", "down")
        await settle(pilot)
        assert doors.asked == []
        await pilot.press("h")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, ResultScreen)


async def test_when_the_table_cannot_be_reached_home_says_why() -> None:
    doors = FakeDoors(sitting=table())
    async with ended(doors) as pilot:
        doors.error = RuntimeError("no")
        await pilot.press("enter")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, ResultScreen)
        assert "RuntimeError" in frame(pilot.app) or "log" in frame(pilot.app)
