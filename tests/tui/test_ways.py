"""The ways to a table, the languages, and terminals that are too small."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

import rules
from net.play.notices import Happened, Notice
from rules.gobelin import Gobelin
from rules.gobelin.deck import write_deck
from tests.sim.nodes import agreed
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import Coded, FakeDoors, FakeGuest, FakeRoom, a_saved_table
from tests.tui.frames import frame
from tests.tui.stage import home, opened, playing, settle, some_turns
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.table import TableScreen
from tui.sitting import Home, Host, Join, Play, Resume


async def test_a_guest_sees_the_terms_before_the_game_begins() -> None:
    room = FakeRoom(limit=60, refereed=True, escrow=True)
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, _):
        assert "time limit: 1 min · with a referee · keys in escrow" in frame(app)
    async with opened(FakeDoors(room=FakeRoom()), Host("taverne")) as (app, _):
        assert "time limit" not in frame(app)


async def test_a_newcomer_plays_within_three_keys() -> None:
    sitting = FakeSitting(4)
    doors = FakeDoors(sitting=sitting)
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, GameScreen)
        assert doors.asked == [("play", "taverne", 4, "steady")]
        sitting.begin()
        await settle(pilot)
        await pilot.press("1", "enter")
        await settle(pilot)
        assert sitting.chosen is not None


async def test_other_cards_than_those_of_the_game_are_said() -> None:
    own = rules.load("gobelin")
    assert isinstance(own, Gobelin)
    room = FakeRoom(game=rules.load("gobelin", write_deck(own.cards[::-1])))
    async with opened(FakeDoors(room=room), Host("gobelin")) as (app, _):
        assert "the host's own cards, " in frame(app)
    async with opened(FakeDoors(room=FakeRoom(game=own)), Host("gobelin")) as (app, _):
        assert "own cards" not in frame(app)


async def test_a_table_that_was_left_is_offered_first() -> None:
    table = a_saved_table()
    doors = FakeDoors(sitting=FakeSitting(3, game="gnomia"), tables=[table])
    async with opened(doors, Home()) as (app, pilot):
        assert home(app).menu.row == "back"
        assert "Gnomia, with seat 0, seat 2" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert doors.asked == [("resume", table)]
        assert isinstance(app.screen, GameScreen)
        doors.tables.clear()
        await pilot.press("q", "q")
        await settle(pilot)
        assert home(app).menu.row == "play"


async def test_many_friends_are_cut_short_in_sight() -> None:
    charter, _ = agreed(7, 6, rules.load("taverne"))
    table = replace(a_saved_table(), charter=charter)
    async with opened(FakeDoors(tables=[table]), Home()) as (app, _):
        (line,) = [line for line in frame(app).splitlines() if "with seat 0, seat 2" in line]
        assert line.endswith("…")


async def test_a_table_nobody_comes_back_to_can_be_forgotten() -> None:
    table = a_saved_table()
    doors = FakeDoors(tables=[table])
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press("x")
        await settle(pilot)
        assert "Forget this table?" in frame(app)
        await pilot.press("down", "up")
        await settle(pilot)
        assert "Forget this table?" not in frame(app)
        await pilot.press("x", "x")
        await settle(pilot)
        assert doors.asked == [("forget", table)]
        assert home(app).menu.row == "play"
        assert "Back to my table" not in frame(app)


async def test_going_back_shows_what_had_happened_and_not_turn_by_turn() -> None:
    sitting = FakeSitting(3, game="gnomia")
    told: list[Notice] = []
    sitting.listen(told.append)
    sitting.begin()
    some_turns(sitting, 6)
    sitting.before = tuple(notice for notice in told if isinstance(notice, Happened))
    doors = FakeDoors(sitting=sitting, tables=[a_saved_table()])
    async with opened(doors, Resume(), moving=True) as (app, pilot):
        await settle(pilot)
        assert isinstance(app.screen, GameScreen)
        assert app.screen.seen.reveal.now is None
        assert len(app.screen.seen.reveal.told) > 6


async def test_without_a_table_there_is_nothing_to_go_back_to() -> None:
    async with opened(FakeDoors(), Resume()) as (app, pilot):
        await settle(pilot)
        assert "There is no table to go back to." in frame(app)


async def test_players_and_levels_can_be_set_before() -> None:
    doors = FakeDoors()
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press(*["down"] * 5, "right", "right", "right", "down", "left")
        await pilot.press(*["up"] * 6)
        await settle(pilot)
        assert home(app).menu.row == "play"
        await pilot.press("enter")
        await settle(pilot)
    assert doors.asked == [("play", "taverne", 6, "random")]


async def test_a_hosted_table_shows_its_invitation_and_becomes_a_game() -> None:
    room = FakeRoom()
    doors = FakeDoors(room=room)
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press("down", "enter")
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
        assert doors.asked == [("host", "taverne", 4, 0)]
        shown = frame(app)
        assert room.invitation in "".join(line.strip() for line in shown.splitlines())
        assert "Waiting for 2 more players." in shown
        await pilot.press("c")
        assert app.clipboard == room.invitation
        room.arrive(FakeGuest("Chloé\x1b[2J"), FakeGuest("Dan"))
        await settle(pilot)
        assert "Everybody is here" in frame(app)
        room.words = "apple river stone cloud"
        room.full.set()
        await settle(pilot)
        assert isinstance(app.screen, GameScreen)
        assert "apple river stone cloud" in frame(app)


async def test_a_table_of_ours_may_have_a_time_limit() -> None:
    doors = FakeDoors()
    async with opened(doors, Home(), "fr") as (app, pilot):
        await pilot.press(*["down"] * 8)
        assert home(app).menu.row == "limit"
        for said in ("30 s", "1 min", "2 min", "5 min", "non", "30 s", "1 min"):
            await pilot.press("right")
            await settle(pilot)
            (row,) = (line for line in frame(app).splitlines() if "Temps limité" in line)
            assert f"◀ {said} ▶" in row
        await pilot.press(*["up"] * 7, "enter")
        await settle(pilot)
    assert doors.asked == [("host", "taverne", 4, 0, 60)]


async def test_leaving_a_room_leads_home() -> None:
    async with opened(FakeDoors(), Host()) as (app, pilot):
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_a_room_that_fails_says_why_at_home() -> None:
    room = FakeRoom(error=Coded("table-full"))
    async with opened(FakeDoors(room=room), Join("x")) as (app, pilot):
        room.full.set()
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert "This table is full." in frame(app)


async def test_an_invitation_is_pasted_and_followed() -> None:
    doors = FakeDoors()
    async with opened(doors, Home()) as (app, pilot):
        await pilot.press("down", "down", "down", "enter")
        await settle(pilot)
        app.screen.query_one(Input).value = " farfadet://somewhere "
        await pilot.press("enter")
        await settle(pilot)
        assert doors.asked == [("join", "farfadet://somewhere")]
        assert isinstance(app.screen, TableScreen)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Coded("nobody-here"), "The host of this table does not answer."),
        (Coded("never-heard-of"), "Something went wrong (never-heard-of)."),
        (ZeroDivisionError("surprise"), "Something went wrong (ZeroDivisionError)."),
    ],
)
async def test_a_closed_door_is_one_sentence_in_the_present_language(
    error: Exception, said: str
) -> None:
    async with opened(FakeDoors(error=error), Join("x")) as (app, pilot):
        assert isinstance(app.screen, HomeScreen)
        assert said in frame(app)
        await pilot.press("f2")
        await settle(pilot)
        assert said not in frame(app)


async def test_the_language_changes_at_once_in_the_middle_of_a_game() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.press("2")
        await settle(pilot)
        english = frame(pilot.app)
        await pilot.press("f2")
        await settle(pilot)
        french = frame(pilot.app)
        assert "Mushroom 2" in english
        assert "Champignon 2" in french
        assert "Du sac" in french
        await pilot.press("f1")
        await settle(pilot)
        assert "Touches" in frame(pilot.app)
        await pilot.press("down")
        await settle(pilot)
        assert "Amasse des pierres de vie." in frame(pilot.app)
        await pilot.press("escape", "f2")
        await settle(pilot)
        assert frame(pilot.app) == english


@pytest.mark.parametrize("start", [Home(), Play(), Host()])
async def test_a_small_terminal_is_told_what_is_needed_and_recovers(
    start: Home | Play | Host,
) -> None:
    sitting = FakeSitting(4)
    async with opened(FakeDoors(sitting=sitting), start) as (app, pilot):
        before = frame(app)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        assert frame(app).strip() == "too small: needs 80x24, is 60x20"
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert frame(app) == before


async def test_keys_work_again_after_a_terminal_was_too_small() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        await pilot.press("2", "enter")
        await settle(pilot)
        assert sitting.chosen is not None


async def test_a_click_on_the_foot_does_what_it_says() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        await pilot.click("#foot", offset=(18, 0))
        await settle(pilot)
        assert "Gather life stones." in frame(app)


async def test_without_colour_the_board_says_the_same() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        await settle(pilot)
        assert screen.board.canvas.text() in _unstyled(frame(pilot.app))


def _unstyled(shown: str) -> str:
    lines = shown.splitlines()
    return "\n".join(line.ljust(80) for line in lines)
