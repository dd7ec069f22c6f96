"""Choosing in four ways, the seal, and everything that can happen at a table meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from net.play.notices import Away, Blamed, Ended, Link, Progress
from rules.game import Over
from rules.gnomia import Phase
from rules.taverne import Character, Mushroom, Protect
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import Coded, FakeDoors
from tests.tui.frames import frame
from tests.tui.stage import opened, playing, settle
from tui.screens import result
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.result import ResultScreen
from tui.sitting import Play


async def by_arrows(pilot: Pilot[None]) -> None:
    await pilot.press("down", "right", "enter")


async def by_key(pilot: Pilot[None]) -> None:
    await pilot.press("2", "enter")


async def by_the_same_key_twice(pilot: Pilot[None]) -> None:
    await pilot.press("2", "2")


async def by_an_unshifted_french_key(pilot: Pilot[None]) -> None:
    await pilot.press("é", "enter")


async def by_mouse(pilot: Pilot[None]) -> None:
    await pilot.click("#board", offset=(40, 3))
    await pilot.click("#board", offset=(40, 3))


async def by_typing(pilot: Pilot[None]) -> None:
    await pilot.press(":", "2", "enter")


@pytest.mark.parametrize(
    "way",
    [by_arrows, by_key, by_the_same_key_twice, by_an_unshifted_french_key, by_mouse, by_typing],
)
async def test_all_ways_lead_to_one_sealed_move(
    way: Callable[[Pilot[None]], Awaitable[None]],
) -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await way(pilot)
        await settle(pilot)
        assert sitting.calls == [Mushroom(1)]
        assert "◆ Mushroom 2" in frame(pilot.app)


async def later(pilot: Pilot[None], sitting: FakeSitting) -> None:
    """The second turn, in which Ana has stones and so has Dan."""
    sitting.choose(sitting.game.read("1"))
    sitting.others({1: "2", 2: "2", 3: "3"})
    await settle(pilot)


@pytest.mark.parametrize(
    ("keys", "move"),
    [
        (("d", "enter"), Character(3)),
        (("p", "p"), Protect()),
        (("slash", *"protect", "enter"), Protect()),
    ],
)
async def test_tiles_and_protection_have_their_keys(keys: tuple[str, ...], move: object) -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await later(pilot, sitting)
        await pilot.press(*keys)
        await settle(pilot)
        assert sitting.chosen == move


async def test_arrows_reach_every_legal_target_and_no_other() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        await later(pilot, sitting)
        reached = set()
        for key in ("down", "up", "right", "right", "right", "left", "down", "down", "down"):
            await pilot.press(key)
            reached.add(screen.board.aimed)
        assert reached == set(sitting.moves())


async def test_an_aim_can_be_dropped_and_a_seal_cannot() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.press("2", "u", "enter")
        await settle(pilot)
        assert sitting.calls == []
        assert "Aim at something first." in frame(pilot.app)
        await pilot.press("3", "enter", "u", "1", "enter")
        await settle(pilot)
        assert sitting.calls == [Mushroom(2)]
        assert "Your choice is sealed" in frame(pilot.app)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (("b",), "In the first turn only mushrooms may be pointed at."),
        (("p",), "In the first turn only mushrooms may be pointed at."),
        ((":", "5", "enter"), "There is no such mushroom."),
        ((":", "a", "enter"), "That is your own tile: you can only protect it."),
        ((":", "x", "y", "enter"), "That is no move; F1 lists them all."),
    ],
)
async def test_what_is_not_allowed_says_why(keys: tuple[str, ...], reason: str) -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.press(*keys)
        await settle(pilot)
        assert reason in frame(pilot.app)
        assert sitting.calls == []


async def test_the_line_to_type_in_closes_without_a_move() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        await pilot.press(":", "3", "escape")
        await settle(pilot)
        assert not screen.query_one(Input).display
        assert screen.board.has_focus
        await pilot.press("1", "1")
        await settle(pilot)
        assert sitting.chosen == Mushroom(0)


async def test_hostile_names_are_only_text() -> None:
    names = ("\x1b[2JAna", "[@click=app.quit]Bo[/]", "\u202eDan" * 9, "\u200b")
    sitting = FakeSitting(4, names=names)
    async with playing(sitting) as (_, pilot):
        await later(pilot, sitting)
        shown = frame(pilot.app)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "[@click=ap…" in shown
        assert "(d)" in shown
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        assert "[@click=ap…" in frame(pilot.app)


async def test_the_end_shows_the_result_and_leads_home(monkeypatch: pytest.MonkeyPatch) -> None:
    # However long this machine takes for the first keys.
    monkeypatch.setattr(result, "AT_REST", 600.0)
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        await pilot.press("b")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        await pilot.press("enter")
        await settle(pilot)
        # These keys were still meant for the game.
        await pilot.press("enter", "h")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        monkeypatch.setattr(result, "AT_REST", 0.0)
        await pilot.press("h")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_bot_plays_for_us_until_we_want_to_again() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.press("z")
        await settle(pilot)
        assert len(sitting.calls) == 1
        assert "A bot plays for you" in frame(pilot.app)
        await pilot.press("z")
        await settle(pilot)
        assert "A bot plays for you" not in frame(pilot.app)
        sitting.others()
        await settle(pilot)
        assert len(sitting.calls) == 1
        assert sitting.moves()


async def test_leaving_takes_two_keys_and_ends_the_sitting() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        await pilot.press("q")
        await settle(pilot)
        assert "q again leaves" in frame(pilot.app)
        await pilot.press("1")
        await settle(pilot)
        assert "q again leaves" not in frame(pilot.app)
        await pilot.press("q", "q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)
        assert screen._worker is not None
        assert screen._worker.is_cancelled


async def test_a_lost_connection_is_said_and_the_game_stays() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.tell(Link(False))
        await settle(pilot)
        assert "The connection is lost" in frame(pilot.app)
        await pilot.press("1", "enter")
        await settle(pilot)
        assert sitting.chosen == Mushroom(0)
        sitting.tell(Link(True))
        await settle(pilot)
        assert "The connection is lost" not in frame(pilot.app)


async def test_a_score_of_many_lines_goes_on_below() -> None:
    sitting = FakeSitting(2, game="gnomia")
    sitting.begin()
    hands = ((0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 5, 7, 16, 16), (0,))
    over = Phase.OVER
    sitting.state = replace(sitting.state, phase=over, won=hands, fiesta=None, hands=((), ()))
    sitting.request = sitting.game.request(sitting.state)
    assert isinstance(sitting.request, Over)
    sitting.result = sitting.request.result
    async with opened(FakeDoors(sitting=sitting), Play()) as (_, pilot):
        sitting.tell(Ended(sitting.result))
        await settle(pilot)
        lines = frame(pilot.app).splitlines()
        (first,) = (at for at, line in enumerate(lines) if "1 trio 50" in line)
        assert "2 Zozos" in lines[first + 1]
        assert lines[first + 1].startswith(" " * 29)
        assert max(map(len, lines)) <= 80


async def test_who_is_away_is_said_and_waited_for() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.choose(Mushroom(0))
        sitting.away = frozenset({1})
        sitting.tell(Away(sitting.away))
        await settle(pilot)
        assert "Bo is away; the seat is kept." in frame(pilot.app)
        assert "Waiting for Bo, Chloé and Dan." in frame(pilot.app)
        sitting.seal(2, Mushroom(0))
        sitting.seal(3, Mushroom(0))
        await settle(pilot)
        assert "Bo is away; the seat is kept." in frame(pilot.app)
        assert "Waiting for Bo." in frame(pilot.app)


async def test_long_work_shows_its_progress() -> None:
    sitting = FakeSitting(4)
    async with opened(FakeDoors(sitting=sitting), Play()) as (_, pilot):
        sitting.request = sitting.game.request(sitting.state)
        sitting.tell(Progress("proof", 3, 5))
        await settle(pilot)
        assert "shuffling: 3 of 5 proofs checked" in frame(pilot.app)


async def test_who_broke_the_protocol_is_named() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.blame, sitting.request = (2, "two-messages"), None
        sitting.tell(Blamed(2, "two-messages"))
        await settle(pilot)
        assert "Chloé broke the protocol (two-messages)" in frame(pilot.app)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_an_error_of_the_table_is_a_sentence() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.fail(Coded("closed"))
        await settle(pilot)
        assert "The connection was closed." in frame(pilot.app)


async def test_who_only_looks_on_cannot_choose() -> None:
    sitting = FakeSitting(4, me=None)
    async with playing(sitting) as (_, pilot):
        await pilot.press("1")
        await settle(pilot)
        assert "You are looking on, not playing." in frame(pilot.app)
