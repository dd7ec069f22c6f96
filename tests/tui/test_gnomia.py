"""The board of Gnomia tells the truth, in every game, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from rich.cells import cell_len

from net.play.notices import Happened, Link, Notice
from rules.gnomia import BROTHER, GRINCHEUX, ZOZO, Give, Gnome, Phase, Take, veinards
from rules.gnomia.score import score
from tests.tui.fake import NAMES, FakeSitting
from tests.tui.frames import compare, frame, touched
from tests.tui.stage import playing, settle
from tui.boards.gnomia import Board
from tui.boards.gnomia_counts import change, listed, prospect
from tui.boards.gnomia_tales import Teller
from tui.words import Words, text

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)])

LONG = ("Wilhelmina", "Ébénézer-Bo", "漢字漢字漢", "Maximiliano", "Bartholomew")
"""Names as wide as a board has room for."""
CODES = {
    *("fiesta", "sits-out", "win", "zozo", "brother", "nobody", "grincheux", "grincheux-back"),
    *("look-take", "look-zozo", "look-give", "last"),
}

Wanted: TypeAlias = Callable[[FakeSitting], bool]


def step(sitting: FakeSitting, random: Random) -> None:
    """Everybody who is asked makes any move."""
    for seat in sorted(sitting.owing):
        sitting.seal(seat, random.choice(sitting.options(seat)))


def way_to(wanted: Wanted, seats: int = 5, me: int | None = 0) -> tuple[int, int]:
    """A seed, and how many choices later a game with it is as ``wanted``."""
    for seed in range(400):
        sitting, random = FakeSitting(seats, seed, me, game="gnomia"), Random(seed)
        sitting.begin()
        steps = 0
        while sitting.result is None:
            if wanted(sitting):
                return seed, steps
            step(sitting, random)
            steps += 1
    raise AssertionError("no seed leads there")


def go(sitting: FakeSitting, seed: int, steps: int) -> None:
    """Take that way."""
    random = Random(seed)
    for _ in range(steps):
        step(sitting, random)


def bidding(wanted: Callable[[int], bool], since: int = 9) -> Wanted:
    """We choose a gnome for such a fiesta, with a choice to make, from some round on."""

    def met(sitting: FakeSitting) -> bool:
        state = sitting.state
        bid = state.phase is Phase.BID and state.round >= since and len(sitting.moves()) > 4
        return bid and wanted(state.fiesta)

    return met


def looking(looker: int, zozo: bool = False) -> Wanted:
    """``looker`` has looked at the pile and decides."""

    def met(sitting: FakeSitting) -> bool:
        state = sitting.state
        if state.phase is not Phase.DECIDE or state.looker != looker or state.round < 6:
            return False
        return (sitting._deck.faces[state.pile[0]] == ZOZO) is zozo

    return met


NUMBERED = bidding(lambda face: face not in {ZOZO, BROTHER})


@LANGUAGES
@pytest.mark.parametrize("seats", [2, 5])
def test_every_tale_of_random_games_is_a_sentence_for_everybody(language: str, seats: int) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    words, codes, random = Words(language), set[str](), Random(seed)
    for number in range(400):
        if number >= 40 and codes == CODES:
            # Some things are rare with few seats.
            break
        sitting = FakeSitting(seats, seed + number, game="gnomia")
        told: list[Notice] = []
        sitting.listen(told.append)
        sitting.begin()
        while sitting.result is None:
            step(sitting, random)
        for notice in told:
            if not isinstance(notice, Happened):
                continue
            for tale in sitting.game.tell(notice.before, notice.event):
                codes.add(tale.code)
                for me in (None, *range(seats)):
                    said = text(Teller(words, NAMES[:seats], me).tale(tale))
                    assert said[-1] in ".!"
                    assert "{" not in said
                    assert said[0].isupper() or said[0].isdigit()
    assert codes == CODES


@LANGUAGES
async def test_the_points_shown_at_the_end_are_those_of_the_result(language: str) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    sitting, random = FakeSitting(5, seed, game="gnomia"), Random(seed)
    async with playing(sitting, language) as (screen, pilot):
        while sitting.result is None:
            step(sitting, random)
        await settle(pilot)
        rows = screen.board.canvas.text().splitlines()[6::2]
        assert [int(row[54:57]) for row in rows] == [score.total for score in sitting.result.scores]
        for score_, row in zip(sitting.result.scores, rows, strict=True):
            assert row.startswith(" ▶") is (score_.rank == 1)


@LANGUAGES
def test_what_a_fiesta_would_change_is_what_it_changes(language: str) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    words, random = Words(language), Random(seed)
    for number in range(10):
        sitting = FakeSitting(4, seed + number, game="gnomia")
        sitting.begin()
        while sitting.result is None:
            before = sitting.state
            step(sitting, random)
            for old, new in zip(before.won, sitting.state.won, strict=True):
                if len(new) == len(old) + 1:
                    changed = score(new).total - score(old).total
                    assert change(old, new[-1]) == changed
                    said = text(prospect(words, old, new[-1], 66))
                    assert cell_len(said) <= 66
                    assert f"{changed:+d}" in said or score(new).alone


@LANGUAGES
def test_fiestas_are_listed_in_as_much_detail_as_fits(language: str) -> None:
    words = Words(language)
    fiestas = (7, 7, 7, 3, 3, 12, ZOZO, 0)
    full = text(listed(words, fiestas, 99)).replace("\N{NO-BREAK SPACE}:", ":")
    assert full.startswith("3 3 P")
    assert "7 7 7 = 50" in full
    assert full.endswith(": -30")
    lengths = [cell_len(text(listed(words, fiestas, cells))) for cells in range(60, 34, -1)]
    assert all(size <= cells for size, cells in zip(lengths, range(60, 34, -1), strict=True))
    crowd = (*range(11), *range(1, 16), *range(1, 11), *(ZOZO,) * 7)
    assert "3x9" in text(listed(words, crowd, 59))


@LANGUAGES
async def test_long_games_never_overflow_a_line(language: str) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    sitting, random = FakeSitting(5, seed, 1, LONG, "gnomia"), Random(seed)
    async with playing(sitting, language) as (screen, pilot):
        board = screen.board
        assert isinstance(board, Board)
        while sitting.result is None:
            for _ in range(4):
                step(sitting, random)
            await settle(pilot)
            assert all(cell_len(line) <= 80 for line in frame(pilot.app).splitlines())
            assert all(cell_len(text(line)) <= 66 for line in board.voice.news(66))
            assert all(cell_len(text(board._doing(seat))) <= 17 for seat in range(5))
            fiestas = [listed(screen.words, won, 59) for won in sitting.state.won]
            assert all(cell_len(text(line)) <= 59 for line in fiestas)
            if board.view.moves:
                assert cell_len(text(board.ask())) < 80
                for move in board.view.moves:
                    assert cell_len(text(board.voice.describe(move))) <= 50


async def test_everybody_s_gnomes_are_there_to_see() -> None:
    seed, steps = way_to(NUMBERED)
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting) as (screen, pilot):
        go(sitting, seed, steps)
        await settle(pilot)
        for row, hand in zip(
            screen.board.canvas.text().splitlines()[6::2], sitting.state.hands, strict=True
        ):
            values = [int(part) for part in row[20:52].split() if part.isdigit()]
            assert values == [value for value in hand if value != GRINCHEUX]
            assert ("G" in row[20:52]) is (GRINCHEUX in hand)


async def test_veinards_are_told_apart() -> None:
    for me in range(5):
        sitting = FakeSitting(5, 1, me, game="gnomia")
        async with playing(sitting) as (screen, _):
            dots = screen.board.canvas.text().splitlines()[3][14:].split()
            values = range(10, 101, 10)
            assert [len(part) for part in dots] == [veinards(me, value) for value in values]


async def test_aiming_repaints_two_gnomes_and_not_the_board() -> None:
    sitting = FakeSitting(5, game="gnomia")
    async with playing(sitting) as (screen, pilot):
        await pilot.press("1")
        await settle(pilot)
        before = screen.board.canvas
        await pilot.press("3")
        changed = touched(before, screen.board.canvas)
        assert {y for _, y in changed} == {4}
        assert all(x < 30 for x, _ in changed)


async def test_key_arrow_mouse_and_text_choose_the_same_gnome() -> None:
    ways: tuple[tuple[str, ...], ...] = (
        ("2", "enter"),
        ("é", "enter"),
        ("right", "right", "enter"),
        ("colon", "2", "0", "enter"),
    )
    for keys in ways:
        sitting = FakeSitting(3, game="gnomia")
        async with playing(sitting) as (_, pilot):
            await pilot.press(*keys)
            await settle(pilot)
            assert sitting.chosen == Gnome(20)
    sitting = FakeSitting(3, game="gnomia")
    async with playing(sitting) as (_, pilot):
        await pilot.click("#board", offset=(20, 3))
        await pilot.click("#board", offset=(20, 2))
        await settle(pilot)
        assert sitting.chosen == Gnome(20)


async def test_what_may_not_be_sent_says_why() -> None:
    seed, steps = way_to(
        lambda s: (
            bidding(lambda face: face == ZOZO)(s)
            and GRINCHEUX in s.state.hands[0]
            and 10 not in s.state.hands[0]
        )
    )
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting) as (_, pilot):
        go(sitting, seed, steps)
        await settle(pilot)
        await pilot.press("g")
        await settle(pilot)
        assert "Grincheux will not go to a Zozo." in frame(pilot.app)
        await pilot.press("1")
        await settle(pilot)
        assert "That gnome is spent." in frame(pilot.app)


async def test_the_looker_gives_by_letter_and_takes_by_t() -> None:
    seed, steps = way_to(looking(0))
    for keys, move in ((("c", "enter"), Give(2)), (("a", "t", "t"), Take())):
        sitting = FakeSitting(5, seed, game="gnomia")
        async with playing(sitting) as (_, pilot):
            go(sitting, seed, steps)
            await settle(pilot)
            await pilot.press(*keys)
            await settle(pilot)
            assert sitting.calls == [move]


async def test_a_zozo_that_was_looked_at_has_to_be_taken() -> None:
    seed, steps = way_to(looking(0, zozo=True))
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting) as (_, pilot):
        go(sitting, seed, steps)
        await settle(pilot)
        await pilot.press("b", "enter")
        await settle(pilot)
        assert not sitting.calls
        await pilot.press("b")
        await settle(pilot)
        assert "A Zozo cannot be given away: you must take him." in frame(pilot.app)


async def test_nothing_of_a_sealed_choice_is_shown_before_it_is_open() -> None:
    frames = []
    for choice in ("10", "grincheux"):
        sitting = FakeSitting(4, game="gnomia")
        async with playing(sitting) as (_, pilot):
            sitting.seal(2, sitting.game.read(choice))
            await settle(pilot)
            frames.append(frame(pilot.app))
    assert frames[0] == frames[1]
    assert "◆ sealed" in frames[0]


@pytest.mark.parametrize(("me", "looker"), [(1, 0), (0, 2), (None, 0), (None, 3)])
async def test_what_the_looker_saw_shows_to_nobody_else(me: int | None, looker: int) -> None:
    seed, steps = way_to(looking(looker))
    frames = set()
    for other in (None, 9, BROTHER, ZOZO):
        sitting = FakeSitting(5, seed, me, game="gnomia")
        async with playing(sitting) as (_, pilot):
            go(sitting, seed, steps)
            top = sitting.state.pile[0]
            deck = sitting._deck
            if other is not None:
                deck.faces[top] = deck._seen[looker][top] = other
            sitting.tell(Link(True))
            await settle(pilot)
            frames.add(frame(pilot.app))
    assert len(frames) == 1
    assert "has sent Grincheux to peek" in frames.pop()


@LANGUAGES
@SIZES
async def test_bidding_golden(language: str, size: tuple[int, int]) -> None:
    name = f"gnomia-{language}-{size[0]}x{size[1]}"
    seed, steps = way_to(NUMBERED)
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting, language, size) as (_, pilot):
        go(sitting, seed, steps)
        await settle(pilot)
        compare(f"{name}-ask", frame(pilot.app))
        await pilot.press("right", "right")
        sitting.seal(3, sitting.options(3)[0])
        await settle(pilot)
        compare(f"{name}-aimed", frame(pilot.app))
        await pilot.press("enter")
        await settle(pilot)
        compare(f"{name}-sealed", frame(pilot.app))


@LANGUAGES
@SIZES
@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        ("zozo", bidding(lambda face: face == ZOZO)),
        ("brother", bidding(lambda face: face == BROTHER)),
        ("looker", looking(0)),
        ("other", looking(2)),
    ],
)
async def test_moments_golden(
    language: str, size: tuple[int, int], what: str, wanted: Wanted
) -> None:
    seed, steps = way_to(wanted)
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting, language, size) as (_, pilot):
        go(sitting, seed, steps)
        await settle(pilot)
        compare(f"gnomia-{language}-{size[0]}x{size[1]}-{what}", frame(pilot.app))


@LANGUAGES
@SIZES
async def test_reveal_golden(language: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(5, game="gnomia")
    async with playing(sitting, language, size, moving=True) as (_, pilot):
        sitting.choose(Gnome(70))
        sitting.others({1: "90", 2: "90", 3: "grincheux", 4: "20"})
        await settle(pilot)
        compare(f"gnomia-{language}-{size[0]}x{size[1]}-reveal", frame(pilot.app))


@LANGUAGES
@SIZES
async def test_result_golden(language: str, size: tuple[int, int]) -> None:
    name = f"gnomia-{language}-{size[0]}x{size[1]}"
    sitting, random = FakeSitting(5, 3, game="gnomia"), Random(3)
    async with playing(sitting, language, size) as (_, pilot):
        while sitting.result is None:
            step(sitting, random)
        await settle(pilot)
        compare(f"{name}-result", frame(pilot.app))
        await pilot.press("b")
        await settle(pilot)
        compare(f"{name}-end", frame(pilot.app))


async def test_ascii_golden() -> None:
    seed, steps = way_to(looking(0))
    sitting = FakeSitting(5, seed, game="gnomia")
    async with playing(sitting, "fr", ascii_only=True) as (_, pilot):
        assert frame(pilot.app).isascii()
        go(sitting, seed, steps)
        await pilot.press("t")
        await settle(pilot)
        shown = frame(pilot.app)
        assert shown.isascii()
        compare("gnomia-fr-ascii", shown)
