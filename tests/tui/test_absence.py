"""Who is missing: the time that is left, going on without somebody, and coming back."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

import rules
from net.people.identity import Identity
from net.play.local import sit_down
from net.play.notices import Blamed, Contributed, DealtAnew, Happened, Notice, Rewound
from net.play.patience import FORGIVEN
from rules.bots import bot
from rules.bots.chooser import Dice
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import frame
from tests.tui.stage import opened, playing, settle, some_turns
from tui.screens.game import GameScreen
from tui.screens.result import ResultScreen
from tui.sitting import Play
from tui.widgets.clock import Clock

REFEREE = 4
MARK = "\N{MULTIPLICATION SIGN}"


def top(pilot: Pilot[None]) -> str:
    return frame(pilot.app).splitlines()[0]


def banner(pilot: Pilot[None]) -> str:
    return frame(pilot.app).splitlines()[1]


def foot(pilot: Pilot[None]) -> str:
    return frame(pilot.app).splitlines()[-1]


async def left(sitting: FakeSitting, pilot: Pilot[None], seconds: float | None) -> str:
    """The first line with so many seconds left."""
    sitting.patience = seconds
    sitting.lose()
    await settle(pilot)
    return top(pilot)


# The time that is left.


async def test_the_first_line_says_how_long_somebody_may_think() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        assert (await left(sitting, pilot, None)).endswith("choose · 0 of 4 sealed")
        assert (await left(sitting, pilot, 299.7)).endswith("choose · 0 of 4 sealed · 5:00")
        assert (await left(sitting, pilot, 60.2)).endswith(" · 1:01")
        assert (await left(sitting, pilot, 60.0)).endswith(" · 60 s")
        assert (await left(sitting, pilot, 9.5)).endswith(" · 10 s")
        assert (await left(sitting, pilot, None)).endswith("choose · 0 of 4 sealed")


async def test_our_own_last_seconds_are_marked_with_a_word() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        assert (await left(sitting, pilot, 9.0)).endswith(" hurry: 9 s")
        assert (await left(sitting, pilot, 0.0)).endswith(" time is up")
        sitting.choose(sitting.moves()[0])
        assert (await left(sitting, pilot, 9.0)).endswith("1 of 4 sealed · 9 s")
        sitting.seal(1, sitting.options(1)[0])
        sitting.seal(2, sitting.options(2)[0])
        assert (await left(sitting, pilot, 9.0)).endswith("Dan is choosing · 9 s")


async def test_the_seconds_go_by_and_repaint_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        assert (await left(sitting, pilot, 42.5)).endswith(" · 43 s")
        repainted = set[Widget]()
        refresh = Widget.refresh

        def spy(widget: Widget, *regions: object, **how: object) -> Widget:
            repainted.add(widget)
            return refresh(widget, *regions, **how)  # type: ignore[arg-type]

        monkeypatch.setattr(Widget, "refresh", spy)
        sitting.patience = 41.5
        for _ in range(100):
            if repainted:
                break
            await pilot.pause(0.1)
        monkeypatch.undo()
        assert [type(widget) for widget in repainted] == [Clock]
        assert top(pilot).endswith(" · 42 s")


async def test_who_answers_to_the_roll_has_not_sealed_anything() -> None:
    sitting = FakeSitting(4)
    sitting.begin()
    sitting.rule(3)
    sitting.roll = frozenset({1})
    async with opened(FakeDoors(sitting=sitting), Play()) as (app, pilot):
        sitting.tell(Contributed(0))
        sitting.tell(Contributed(2))
        await settle(pilot)
        assert "0 of 3 sealed" in top(pilot)
        assert "◆" not in frame(app)
        sitting.roll = None
        sitting.seal(1, sitting.options(1)[0])
        await settle(pilot)
        assert "1 of 3 sealed" in top(pilot)


async def test_choices_stay_sealed_while_they_are_opened() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.choose(sitting.moves()[0])
        await settle(pilot)
        # Had all others sealed theirs, the next step would look like this.
        sitting.roll = frozenset({1, 2})
        sitting.tell(Contributed(0))
        await settle(pilot)
        assert "4 of 4 sealed" in top(pilot)
        assert "Waiting" not in frame(pilot.app)
        sitting.lose(2)
        await settle(pilot)
        assert "Waiting for Chloé." in frame(pilot.app)
        assert "Chloé is away; the seat is kept." in banner(pilot)


# Absent seats.


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["taverne", "gnomia", "gobelin"])
async def test_an_absent_seat_is_marked_and_said(game: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(3, game=game)
    async with playing(sitting, size=size) as (_, pilot):
        sitting.rule(1)
        await settle(pilot)
        shown = frame(pilot.app)
        assert "Bo is absent: the table goes on without them." in banner(pilot)
        assert MARK in shown
        assert "·  Bo is absent: the table goes on" in shown
        sitting.admit(1)
        await settle(pilot)
        assert MARK not in frame(pilot.app)
        assert "absent" not in banner(pilot)
        assert "Bo is back." in frame(pilot.app)


async def test_an_absent_seat_is_neither_counted_nor_waited_for() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.rule(1, 2)
        sitting.choose(sitting.moves()[0])
        await settle(pilot)
        assert "1 of 2 sealed" in top(pilot)
        assert "Bo and Chloé are absent: the table goes on without them." in banner(pilot)
        assert "Waiting for Dan." in frame(pilot.app)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("taverne", "The stones in the bag are mixed anew."),
        ("gnomia", "The hidden cards are dealt anew."),
        ("gobelin", "The hidden cards are dealt anew: hands have changed."),
    ],
)
async def test_a_new_deal_is_told_now_and_to_those_who_come_later(game: str, said: str) -> None:
    sitting = FakeSitting(3, game=game)
    async with playing(sitting) as (_, pilot):
        sitting.deal_anew()
        await settle(pilot)
        assert said in frame(pilot.app)
    again = FakeSitting(3, game=game)
    again.before = (DealtAnew(again.state, again.state),)
    async with opened(FakeDoors(sitting=again), Play()) as (app, _):
        assert said in frame(app)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("two-votes", "the referee has voted twice in different ways."),
        ("bad-roll", "the referee has called a false roll."),
        ("escrow-piece", "the referee gave a false piece of a key."),
        ("false-complaint", "the referee complained of a key without cause."),
        ("point", "the referee broke the protocol (point)"),
    ],
)
async def test_the_referee_has_a_name_wherever_a_member_is_named(code: str, said: str) -> None:
    sitting = FakeSitting(REFEREE, referee=True)
    async with playing(sitting) as (_, pilot):
        sitting.roll = frozenset({REFEREE, 1})
        sitting.lose(1, REFEREE)
        await settle(pilot)
        assert "Bo and the referee are away" in banner(pilot)
        sitting.roll = None
        sitting.lose()
        sitting.rule(REFEREE)
        await settle(pilot)
        assert "The referee is absent: the table goes on without them." in banner(pilot)
        sitting.admit(REFEREE)
        await settle(pilot)
        assert "The referee is back." in frame(pilot.app)
        sitting.blame, sitting.request = (REFEREE, code), None
        sitting.tell(Blamed(REFEREE, code))
        await settle(pilot)
        assert said in frame(pilot.app)


# Going on without somebody.


async def test_one_can_ask_to_go_on_without_those_who_are_away_and_owe_something() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        await pilot.press("w")
        assert sitting.pleas == []
        assert "w go on" not in foot(pilot)
        sitting.lose(1)
        await settle(pilot)
        assert "Bo is away; the seat is kept." in banner(pilot)
        assert "w: go on without Bo" in banner(pilot)
        assert "w go on" in foot(pilot)
        await pilot.press("w", "w")
        await settle(pilot)
        assert sitting.pleas == ["go-on"]
        assert "Going on without Bo: the others are being asked…" in banner(pilot)
        assert "w go on" not in foot(pilot)
        sitting.rule(1)
        await settle(pilot)
        assert "Bo is absent" in banner(pilot)


async def test_who_is_away_and_owes_nothing_keeps_nobody_waiting() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.seal(1, sitting.options(1)[0])
        sitting.lose(1)
        await settle(pilot)
        assert "away" not in banner(pilot)
        await pilot.press("w")
        assert sitting.pleas == []


async def test_too_few_can_only_wait() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.lose(1, 2)
        await settle(pilot)
        assert "Bo and Chloé are away; too few are left to go on." in banner(pilot)
        await pilot.press("w", "1", "enter")
        await settle(pilot)
        assert sitting.pleas == []
        assert "The table waits. You can leave, and come back to it later." in frame(pilot.app)


async def test_a_referee_makes_two_players_enough() -> None:
    sitting = FakeSitting(2, game="gnomia", referee=True)
    async with playing(sitting) as (_, pilot):
        sitting.lose(1)
        await pilot.press("w")
        await settle(pilot)
        assert sitting.pleas == ["go-on"]


async def test_a_real_table_says_who_is_a_member_and_who_is_asked() -> None:
    bots = [("Puck", bot("random", Dice(1))), ("Lutin", bot("random", Dice(2)))]
    peer = sit_down(rules.load("gnomia"), Identity.fresh("Ana"), bots, None)
    assert peer.members == {0, 1, 2}
    assert peer.asked == frozenset()
    turn = asyncio.Event()
    peer.listen(lambda _: turn.set() if peer.moves() else None)
    run = asyncio.create_task(peer.run())
    await turn.wait()
    assert 0 in peer.asked
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(run, 10)


# Having been absent oneself.


async def test_who_was_ruled_absent_comes_back_by_itself_and_sees_the_board_meanwhile() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        sitting.rule(0)
        await settle(pilot)
        assert "You were away: the table went on without you." in banner(pilot)
        assert "coming back…" in banner(pilot)
        await pilot.press("1", "enter", "r")
        await settle(pilot)
        assert sitting.calls == []
        assert sitting.pleas == []
        assert "on the tile" in frame(pilot.app)
        sitting.admit(0)
        await settle(pilot)
        assert "away" not in banner(pilot)
        assert "You are back: the table waits for you again." in frame(pilot.app)
        await pilot.press("1", "enter")
        await settle(pilot)
        assert sitting.calls == [sitting.game.read("1")]


async def test_who_misses_many_turns_in_a_row_must_press_a_key() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        for _ in range(FORGIVEN):
            sitting.admit(0)
            sitting.rule(0)
        await settle(pilot)
        assert "r: back at the table" in banner(pilot)
        assert "r back at the table" in foot(pilot)
        assert "Press r when you are back" in frame(pilot.app)
        await pilot.press("r", "r")
        await settle(pilot)
        assert sitting.pleas == ["come-back"]
        assert "coming back…" in banner(pilot)


async def test_a_choice_made_in_between_is_a_sign_of_life() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (_, pilot):
        for _ in range(FORGIVEN - 1):
            sitting.rule(0)
            sitting.admit(0)
        await settle(pilot)
        await pilot.press("1", "enter")
        await settle(pilot)
        sitting.rule(0)
        await settle(pilot)
        assert "coming back…" in banner(pilot)


# Another past than the one that was seen.


async def test_what_was_seen_without_the_others_is_told_anew() -> None:
    sitting = FakeSitting(3)
    told: list[Notice] = []
    sitting.listen(told.append)
    async with playing(sitting, moving=True) as (_, pilot):
        some_turns(sitting, 1)
        await settle(pilot)
        assert "all choices are open" in top(pilot)
        past = tuple(notice for notice in told if isinstance(notice, Happened))[:-2]
        sitting.state = past[-1].after
        sitting.tell(Rewound((*past, DealtAnew(sitting.state, sitting.state))))
        await settle(pilot)
        assert "all choices are open" not in top(pilot)
        shown = " ".join(frame(pilot.app).split())
        assert "The stones in the bag are mixed anew." in shown
        assert "While you were cut off the others went on: this is what really happened." in shown
        await pilot.press("f2")
        await settle(pilot)
        assert "Pendant ta coupure" in frame(pilot.app)


async def test_who_is_absent_at_the_end_has_not_signed_the_result() -> None:
    sitting = FakeSitting(4, referee=True)
    async with playing(sitting) as (_, pilot):
        sitting.rule(2, REFEREE)
        sitting.end()
        await settle(pilot)
        assert "Verified: 3 seats have signed this result" in frame(pilot.app)
        await pilot.press("b")
        await settle(pilot)
        assert "absent" not in banner(pilot)


async def test_a_result_that_was_none_is_taken_away() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as (screen, pilot):
        state, request = sitting.state, sitting.request
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        sitting.state, sitting.request, sitting.result = state, request, None
        sitting.tell(Rewound(()))
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        assert screen.board.view.moves == sitting.moves()
