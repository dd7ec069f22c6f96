"""The four words of a table: when it is suggested to compare them, and what is kept of it."""

from __future__ import annotations

import pytest

from tests.tui.company_stage import (
    ANA,
    BO,
    LAPTOP,
    NEWCOMER,
    WORDS,
    gathered,
    known,
    names,
    shown,
    somebody,
)
from tests.tui.fake_doors import FakeGuest
from tests.tui.frames import frame
from tests.tui.stage import settle

SIZES = [(80, 24), (120, 40)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_first_game_suggests_to_compare_and_a_key_says_so(size: tuple[int, int]) -> None:
    file = known()
    guests = FakeGuest("Bo", identity=BO), FakeGuest("Dan", identity=NEWCOMER)
    async with gathered(file, *guests, size=size) as (app, pilot, _):
        assert f"Four words to compare aloud: {WORDS}." in shown(app).replace("│ ", "")
        assert "First game with Dan: v if all see the same words." in shown(app).replace("│ ", "")
        assert not somebody(file, NEWCOMER).checked
        await pilot.press("v")
        await settle(pilot)
        assert "The same: Bo and Dan will be known as checked" in shown(app).replace("│ ", "")
        assert somebody(file, NEWCOMER).checked == {NEWCOMER}
        assert somebody(file, BO).checked == {BO}
        await pilot.press("v")
        await settle(pilot)
        assert not somebody(file, NEWCOMER).checked
        assert not somebody(file, BO).checked


async def test_words_may_be_compared_before_the_game_has_begun() -> None:
    file = known()
    guest = FakeGuest("Dan", identity=NEWCOMER)
    async with gathered(file, guest, begun=False) as (_, pilot, sitting):
        await pilot.press("v")
        await settle(pilot)
        assert file.read().owner(NEWCOMER) is None
        sitting.begin()
        await settle(pilot)
        assert somebody(file, NEWCOMER).checked == {NEWCOMER}


async def test_among_people_who_have_compared_there_is_nothing_to_say() -> None:
    async with gathered(known(), FakeGuest("Ana", identity=ANA)) as (app, pilot, _):
        assert WORDS in frame(app)
        assert "see the same words" not in shown(app)
        await pilot.press("v")
        await settle(pilot)
        assert "will be known" not in shown(app)


async def test_people_known_but_not_checked_are_offered_it_quietly() -> None:
    async with gathered(known(), FakeGuest("Bo", identity=BO)) as (app, _, _):
        assert f"{WORDS}. v if all see the same words." in shown(app)
        assert "First game" not in shown(app)


async def test_programs_alone_have_no_words_to_compare() -> None:
    file = known()
    async with gathered(file, FakeGuest("Puck", bot=True, identity=LAPTOP)) as (app, _, _):
        assert "see the same words" not in shown(app)
        assert names(file) == ["Bo", "Ana"]
