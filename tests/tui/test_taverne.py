"""The board of La Taverne des Hobbits tells the truth, in every game, in both languages."""

from __future__ import annotations

from random import Random

import pytest

from net.play.notices import Happened, Notice
from rules.taverne import BAG, Stones
from rules.taverne.turn import plus, points
from tests.tui.fake import NAMES, FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import frame, touched
from tests.tui.stage import about_to_serve, opened, playing, settle, some_turns
from tui.boards.taverne_words import Teller, stones
from tui.sitting import Play
from tui.words import Words, text


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("seats", [3, 6])
def test_every_tale_of_random_games_is_a_sentence_for_everybody(language: str, seats: int) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    random = Random(seed)
    words, codes = Words(language), set()
    for number in range(12):
        sitting = FakeSitting(seats, seed + number)
        told: list[Notice] = []
        sitting.listen(told.append)
        sitting.begin()
        while sitting.result is None:
            for seat in sorted(sitting.owing):
                moves = sitting.options(seat)
                sitting.seal(seat, random.choice(moves))
        happened = [notice for notice in told if isinstance(notice, Happened)]
        for notice in happened:
            for tale in sitting.game.tell(notice.before, notice.event):
                codes.add(tale.code)
                for me in (None, *range(seats)):
                    said = text(Teller(words, NAMES[:seats], me).tale(tale))
                    assert said[-1] in ".!"
                    assert "{" not in said
    assert codes >= {"take", "steal", "clash", "clash-tile", "protect", "blocked", "refill"}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("pile", [(1, 2, 3, 1), (9, 9, 9, 6), BAG, (0, 0, 0, 0), (0, 1, 0, 0)])
def test_stones_can_be_counted_without_seeing_a_colour(language: str, pile: Stones) -> None:
    words = Words(language)
    letters = words.say("R B Y W").split()
    assert len(set(letters)) == 4
    written = text(stones(words, pile, 16))
    assert len(written) <= 16
    count = dict.fromkeys(letters, 0)
    for part in written.split():
        if part != "·":
            count[part[-1]] += int(part[:-1] or 1)
    assert tuple(count.values()) == pile


async def test_the_points_shown_at_the_end_are_those_of_the_result() -> None:
    sitting = FakeSitting(5)
    sitting.begin()
    sitting.end()
    assert sitting.result is not None
    hands = zip(sitting.state.tiles, sitting.state.safe, strict=True)
    assert [points(plus(*both)) for both in hands] == [
        score.total for score in sitting.result.scores
    ]


async def test_aiming_repaints_two_mushrooms_and_not_the_board() -> None:
    sitting = FakeSitting(5)
    async with playing(sitting) as (screen, pilot):
        await pilot.press("1")
        await settle(pilot)
        before = screen.board.canvas
        await pilot.press("2")
        changed = touched(before, screen.board.canvas)
        assert {y for _, y in changed} == {3, 5}
        assert all(x < 40 for x, _ in changed)


async def test_nothing_of_a_sealed_choice_is_shown_before_it_is_open() -> None:
    frames = []
    for choice in ("1", "2"):
        sitting = FakeSitting(4)
        async with playing(sitting) as (_, pilot):
            sitting.seal(2, sitting.game.read(choice))
            await settle(pilot)
            frames.append(frame(pilot.app))
    assert frames[0] == frames[1]
    assert "◆ sealed" in frames[0]


async def test_a_choice_that_is_laid_open_is_shown_and_then_told() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting, moving=True) as (screen, pilot):
        sitting.choose(sitting.game.read("1"))
        sitting.others({1: "2", 2: "2"})
        await settle(pilot)
        shown = frame(pilot.app)
        assert "2 ← Bo, Chloé" in shown
        assert "nothing moves" not in shown
        await pilot.press("1")
        await settle(pilot)
        told = frame(pilot.app)
        assert "Bo and Chloé both pointed at mushroom 2: nothing moves." in told
        assert screen.board.aimed is None


async def test_the_distributor_serves_by_pressing_mushrooms_in_order() -> None:
    sitting = about_to_serve(4)
    async with opened(FakeDoors(sitting=sitting), Play()) as (_, pilot):
        await pilot.press("3", "1", "enter")
        await settle(pilot)
    assert sitting.calls[-1] == sitting.game.read("serve 3 1 2")


async def test_resting_is_said_and_nothing_is_asked() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as (_, pilot):
        sitting.choose(sitting.game.read("1"))
        sitting.others({1: "2", 2: "2"})
        sitting.choose(sitting.game.read("protect"))
        sitting.others()
        await settle(pilot)
        assert "○ resting" in frame(pilot.app)
        await pilot.press("1")
        await settle(pilot)
        assert "You rest this turn." in frame(pilot.app)


async def test_long_games_never_overflow_a_line() -> None:
    sitting = FakeSitting(6)
    async with playing(sitting, "fr") as (_, pilot):
        for _ in range(12):
            some_turns(sitting, 1)
            await settle(pilot)
            assert all(len(line) <= 80 for line in frame(pilot.app).splitlines())
