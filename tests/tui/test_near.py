"""The tables near us: what is listed, how one goes there, and what strangers may write."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tests.tui.around import ANA, BO, FULL, PLAYING, Around
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import frame
from tests.tui.stage import opened, settle
from tui.near import Nearby
from tui.screens.home import HomeScreen
from tui.screens.near import NearScreen
from tui.sitting import Home

HOSTILE = replace(
    ANA, invitation="farfadet://evil", names=("[red]\x1b[2J\u202e@click=app.quit" + "王" * 40,)
)


async def press(pilot: object, *keys: str) -> None:
    """Press and let it arrive."""
    await pilot.press(*keys)  # type: ignore[attr-defined]
    await settle(pilot)  # type: ignore[arg-type]


async def listed(around: Around, *keys: str, language: str = "en", wide: bool = False) -> str:
    """The frame of the list after these keys."""
    size = (120, 40) if wide else (80, 24)
    doors = FakeDoors(around=around)
    async with opened(doors, Home(), language, size) as (app, pilot):
        await press(pilot, "down", "down", "enter")
        assert isinstance(app.screen, NearScreen)
        await press(pilot, *keys)
        return frame(app)


async def test_home_says_how_many_there_are_and_whose_the_first_is() -> None:
    around = Around()
    async with opened(FakeDoors(around=around), Home()) as (app, pilot):
        assert "none yet" in frame(app)
        around.change(ANA, BO)
        await settle(pilot)
        assert "2 · Gnomia, with Ana" in frame(app)
        around.change()
        await settle(pilot)
        assert "none yet" in frame(app)
    async with opened(FakeDoors(), Home()) as (app, _):
        assert "not looked for" in frame(app)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_line_tells_game_seats_people_and_where(language: str, wide: bool) -> None:
    rows = (await listed(Around(ANA, BO, PLAYING), language=language, wide=wide)).splitlines()
    ana, bo, playing = rows[3:6]
    assert "Gnomia" in ana
    assert "Ana" in ana
    assert ("1 sur 3" if language == "fr" else "1 of 3") in ana
    assert "La Taverne des Hobbits" in bo
    assert "Bo, Chloé" in bo
    assert ("en cours" if language == "fr" else "playing") in playing
    assert all(len(row) <= (120 if wide else 80) for row in rows)


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        (("enter",), ("join", "farfadet://playing-not")),
        (("down", "enter"), ("join", "farfadet://bo")),
        (("up", "enter"), ("watch", "farfadet://playing")),
        (("down", "w"), ("watch", "farfadet://bo")),
        (("f", "down", "enter"), ("join", "farfadet://bo")),
        (("g", "n"), ("join", "farfadet://playing-not")),
        (("g", "g", "g", "n"), ("join", "farfadet://bo")),
    ],
)
async def test_keys_lead_to_a_table(keys: tuple[str, ...], asked: tuple[str, str]) -> None:
    ana = replace(ANA, invitation="farfadet://playing-not")
    doors = FakeDoors(around=Around(ana, BO, FULL, PLAYING))
    async with opened(doors, Home()) as (app, pilot):
        await press(pilot, "down", "down", "enter", *keys)
        assert doors.asked == [asked]
        assert not isinstance(app.screen, NearScreen)


async def test_filters_leave_out_and_say_so() -> None:
    around = Around(ANA, FULL)
    free = await listed(around, "f")
    assert "with a free seat" in free
    assert "Dan" not in free
    one = await listed(around, "g", "g")
    assert "Gobelin des bois · full ones too" in one
    assert "No such table yet" in one


async def test_the_list_is_live_and_the_light_stays_on_its_table() -> None:
    around = Around(BO)
    doors = FakeDoors(around=around)
    async with opened(doors, Home()) as (app, pilot):
        await press(pilot, "down", "down", "enter", "down")
        around.change(ANA, BO)
        await settle(pilot)
        assert "▶ La Taverne" in frame(app)
        around.change(FULL, ANA, BO)
        await settle(pilot)
        lit = [row for row in frame(app).splitlines() if "▶" in row]
        assert "Bo" in lit[0]
        around.change()
        await press(pilot, "enter", "n", "w")
        assert doors.asked == []
        assert "No table yet" in frame(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_many_tables_scroll_with_the_light() -> None:
    tables = [replace(ANA, invitation=f"farfadet://{n}", names=(f"N{n}",)) for n in range(30)]
    shown = await listed(Around(*tables), *["down"] * 24)
    assert "N24" in shown
    assert "N0 " not in shown
    assert "N29" in await listed(Around(*tables), "up")


async def test_what_is_told_of_a_table_may_change_between_two_looks() -> None:
    class Restless(Around):
        @property
        def tables(self) -> tuple[Nearby, ...]:
            return tuple(replace(table, since=time.time()) for table in self.found)

    shown = await listed(Restless(ANA, BO), "down", "up", "up")
    lit = [row for row in shown.splitlines() if "▶" in row]
    assert "Bo" in lit[0]


async def test_what_strangers_call_themselves_is_harmless() -> None:
    for wide in (False, True):
        shown = await listed(Around(HOSTILE), wide=wide)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    async with opened(FakeDoors(around=Around(HOSTILE)), Home()) as (app, _):
        assert "\u202e" not in frame(app)


@pytest.mark.parametrize(
    ("code", "told"), [("no-multicast", "use invitations"), ("no-lobby", "tried again")]
)
async def test_why_nothing_is_found_is_said(code: str, told: str) -> None:
    assert told in await listed(Around(problem=code))
