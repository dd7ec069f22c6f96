"""A finished game on the screen: going through it, whose eyes one has, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

import rules
from net.play.notices import Happened
from rules.game import Chosen
from tests.sim.nodes import small_numbers
from tests.tui.fake import FakeSitting
from tests.tui.frames import frame
from tests.tui.replay_stage import (
    Clock,
    doors_of,
    game_file,
    kept,
    press,
    replaying,
    top,
)
from tests.tui.stage import settle
from tui.replayed import open_replay
from tui.screens.replay import PAUSE, SPEEDS, ReplayScreen
from tui.story.reveal import SECONDS
from tui.story.seen import Seen


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """The files were made so."""
    with small_numbers():
        yield


@pytest.fixture
def taverne(tmp_path: Path) -> Path:
    """A game of three."""
    return kept(tmp_path, game_file("taverne"))


async def click_foot(pilot: Pilot[None], label: str) -> None:
    """Click on what the last line offers."""
    row = frame(pilot.app).splitlines()[-1]
    await pilot.click("#foot", offset=(row.index(label), 0))
    await settle(pilot)


# Going through it.


async def test_arrows_go_from_event_to_event_and_back(taverne: Path) -> None:
    async with replaying(taverne) as (screen, pilot):
        playback = screen.sitting.playback
        passed = [screen.sitting.at]
        for _ in range(9):
            await pilot.press("right")
            passed.append(screen.sitting.at)
        assert passed == [playback.event(number) for number in range(10)]
        for at in passed[-2::-1]:
            await pilot.press("left")
            assert screen.sitting.at == at
            assert screen.board.view.state == playback.positions[at].state
        await press(pilot, "left")
        assert screen.sitting.at == 0
        while not screen.sitting.ended:
            screen.step()
            passed.append(screen.sitting.at)
        assert passed[10:] == [playback.event(n + 1) for n in range(playback.events())]
        assert screen.board.view.state == playback.positions[-1].state
        await press(pilot, "right")
        assert screen.sitting.at == playback.last


async def test_home_end_and_rounds(taverne: Path) -> None:
    async with replaying(taverne) as (screen, pilot):
        playback = screen.sitting.playback
        await press(pilot, "end")
        assert screen.sitting.at == playback.last
        await press(pilot, "home")
        assert screen.sitting.at == 0
        for number in range(1, 6):
            await pilot.press("n" if number % 2 else "pagedown")
            assert screen.sitting.position.round == number
            assert screen.sitting.at == playback.round_start(number)
        screen.jump(playback.round_start(playback.rounds))
        await press(pilot, "n")
        assert screen.sitting.at == playback.last
        await press(pilot, "p")
        assert screen.sitting.at == playback.round_start(playback.rounds)
        await press(pilot, "pageup", "right", "p")
        assert screen.sitting.at == playback.round_start(playback.rounds - 1)


async def test_a_round_can_be_typed(taverne: Path) -> None:
    async with replaying(taverne) as (screen, pilot):
        await press(pilot, ":", "7", "enter")
        assert screen.sitting.position.round == 7
        await press(pilot, "slash", "9", "9", "9", "enter")
        assert screen.sitting.position.round == screen.sitting.playback.rounds
        await press(pilot, ":", *"last", "enter")
        assert screen.has_class("-jumping")
        await press(pilot, "escape")
        assert not screen.has_class("-jumping")
        assert isinstance(top(pilot), ReplayScreen)
        await press(pilot, ":", "enter", "home")
        assert screen.sitting.at == 0


async def test_the_mouse_steps_on_the_foot_and_jumps_on_the_bar(taverne: Path) -> None:
    async with replaying(taverne) as (screen, pilot):
        playback = screen.sitting.playback
        await click_foot(pilot, "on")
        await click_foot(pilot, "on")
        assert screen.sitting.at == playback.event(2)
        await click_foot(pilot, "back")
        assert screen.sitting.at == playback.event(1)
        await click_foot(pilot, "next round")
        assert screen.sitting.position.round == 1
        await click_foot(pilot, "view")
        assert screen.sitting.me == 0
        bar = frame(pilot.app).splitlines()[-2]
        await pilot.click("#track", offset=(len(bar) - 1, 0))
        await settle(pilot)
        assert screen.sitting.at == playback.last
        bar = frame(pilot.app).splitlines()[-2]
        await pilot.click("#track", offset=(bar.index("━") + 2, 0))
        await settle(pilot)
        assert 0 < screen.sitting.at < playback.last // 4
        at = screen.sitting.at
        await pilot.click("#track", offset=(2, 0))
        await pilot.click("#board", offset=(40, 3))
        await press(pilot, "1", "b", "u", "z")
        assert screen.sitting.at == at


async def test_choices_are_shown_as_in_play_then_what_came_of_them(taverne: Path) -> None:
    async with replaying(taverne, moving=True) as (screen, pilot):
        clock, playback = Clock(screen), screen.sitting.playback
        chosen = next(
            at
            for at, position in enumerate(playback.positions)
            if isinstance(position.notice, Happened) and isinstance(position.notice.event, Chosen)
        )
        while screen.sitting.at < chosen:
            await pilot.press("right")
        event = playback.positions[chosen].notice
        assert isinstance(event, Happened)
        assert isinstance(event.event, Chosen)
        assert screen.board.view.shown == event.event.moves
        assert screen.board.view.state == event.before
        assert "all choices are open" in frame(pilot.app)
        assert clock.after == SECONDS
        await press(pilot, "right")
        assert screen.sitting.at == chosen
        assert screen.board.view.shown != event.event.moves
        assert screen.board.view.state == event.after
        await press(pilot, "left", "right")
        assert screen.board.view.shown == event.event.moves
        assert clock.ring()
        assert screen.board.view.state == event.after
        await press(pilot, "left", "right")
        await pilot.click("#board", offset=(40, 3))
        assert screen.board.view.state == event.after
        await press(pilot, "left", "right", "left")
        assert screen.sitting.at == playback.event(playback.events(chosen) - 1)


async def test_it_plays_by_itself_at_any_speed_until_the_end(taverne: Path) -> None:
    async with replaying(taverne) as (screen, pilot):
        clock, playback = Clock(screen), screen.sitting.playback
        await press(pilot, "space")
        assert "pause" in frame(pilot.app)
        assert clock.after == PAUSE
        clock.ring()
        clock.ring()
        assert screen.sitting.at == playback.event(2)
        for speed in SPEEDS[2:]:
            await press(pilot, "plus")
            assert clock.after == PAUSE / speed
            assert f"{speed:g}x" in frame(pilot.app)
        await press(pilot, "plus", *["minus"] * len(SPEEDS))
        assert clock.after == PAUSE / SPEEDS[0]
        await press(pilot, "space")
        assert not clock.ring()
        await press(pilot, "space", "n")
        assert "pause" in frame(pilot.app)
        while clock.ring():
            pass
        await settle(pilot)
        assert screen.sitting.ended
        assert "pause" not in frame(pilot.app)
        await press(pilot, "space")
        assert screen.sitting.at == 0
        assert clock.ring()


# Whose eyes one has.


async def test_v_goes_from_seat_to_seat_and_each_sees_what_it_saw(tmp_path: Path) -> None:
    path = kept(tmp_path, game_file("gobelin"))
    async with replaying(path) as (screen, pilot):
        playback, seats = screen.sitting.playback, [None, 0, 1, 2, None]
        own = 0
        for number in range(0, playback.events(), 7):
            at = playback.event(number)
            for seat in seats:
                screen.jump(at)
                assert screen.sitting.me == seat
                assert screen.board.view.me == seat
                assert screen.board.view.sight == playback.sight(at, seat)
                public = playback.sight(at, None)
                assert screen.board.view.sight.items() >= public.items()
                own += len(screen.board.view.sight) - len(public)
                await pilot.press("v")
            screen.sitting.me = None
        assert own > 0
        screen.jump(playback.event(playback.events() // 3))
        await settle(pilot)
        assert "everybody's view" in frame(pilot.app)
        assert "your hand" not in frame(pilot.app)
        await press(pilot, "v")
        assert "seat 0's view" in frame(pilot.app)
        assert "your hand" in frame(pilot.app)


async def test_who_has_played_looks_from_their_own_seat(taverne: Path) -> None:
    doors = doors_of(game_file("taverne"), 2)
    async with replaying(taverne, doors) as (screen, pilot):
        assert "seat 2's view" in frame(pilot.app)
        await press(pilot, "v")
        assert "everybody's view" in frame(pilot.app)
    async with replaying(taverne, doors_of(game_file("taverne"))) as (screen, _):
        assert screen.sitting.me is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", rules.names())
async def test_absences_are_told_and_shown_and_every_position_can_be_drawn(
    game: str, tmp_path: Path
) -> None:
    path = kept(tmp_path, game_file(game, 4, absence=True))
    async with replaying(path) as (screen, pilot):
        seen = set[str]()
        for number in range(screen.sitting.playback.events()):
            screen.sitting.me = (None, 1)[number % 2]
            screen.jump(screen.sitting.playback.event(number))
            if screen.sitting.absent and len(seen) < 2:
                await settle(pilot)
                seen.add(frame(pilot.app).splitlines()[1].strip("─ ").partition("  ")[0])
        text = " ".join(seen)
        assert "Seat 1 is absent: the table goes on without them." in text
        assert "You were away: the table went on without you." in text


@pytest.mark.parametrize("game", rules.names())
def test_what_is_told_is_what_an_onlooker_was_told(game: str, tmp_path: Path) -> None:
    sitting = open_replay(kept(tmp_path, game_file(game, 4, absence=True)))
    sitting.playback.read()
    sitting.go(sitting.playback.last)
    looking_on = Seen(FakeSitting(4, me=None, game=game))
    for notice in sitting.past:
        looking_on.take(notice, moving=True)
    while looking_on.reveal.now is not None:
        looking_on.reveal.end()
    assert Seen(sitting).reveal.told == looking_on.reveal.told
    assert len(looking_on.reveal.told) >= sitting.playback.events() // 2
