"""The board of Gobelin des bois tells the truth, in every game, in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import cast

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from net.play.notices import Happened, Notice
from rules.bots.chooser import Dice
from rules.deal import OpenDeck
from rules.game import Event, Move, Request, Seat, Shuffled, Slot, Tale
from rules.gobelin import GAME, Gobelin
from rules.gobelin.pieces import Effect, Keep, Phase, Pick, Play, Show, Stop
from tests.tui.fake import NAMES, FakeSitting
from tests.tui.frames import frame, touched
from tests.tui.gobelin_stage import Wanted, ambushed, at, long_trail, mine, step, stopped, waiting
from tests.tui.stage import playing, settle
from tui.boards.gobelin import PICKS, Board
from tui.boards.gobelin_tales import Teller
from tui.boards.gobelin_terms import ANY, EFFECTS, GAINS, IN_VAIN, LETTERS, STYLES, mini
from tui.words import Words, text

CARDS = cast(Gobelin, GAME).cards
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])

LONG = ("Wilhelmina", "Ébénézer-Bo", "漢字漢字漢", "Maximiliano")
"""Names as wide as a board has room for."""

# Words.


@LANGUAGES
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_tale_of_random_games_is_a_sentence_for_everybody(language: str, seats: int) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    random, words, codes = Random(seed), Words(language), set()
    for number in range(20):
        sitting = FakeSitting(seats, seed + number, game="gobelin")
        told: list[Notice] = []
        sitting.listen(told.append)
        sitting.begin()
        while sitting.result is None:
            (seat,) = sitting.owing
            sitting.seal(seat, random.choice(sitting.options(seat)))
        for notice in told:
            if isinstance(notice, Happened):
                for tale in sitting.game.tell(notice.before, notice.event):
                    codes.add(tale.code)
                    check_sentence(words, seats, tale)
    usual = {"start", "play", "coffre", "vol", "troc", "espion", "galop", "skipped", "deck-out"}
    assert codes >= {"first", "ambush", "shown", "count", "round-won"} | usual
    assert ("reshuffle" in codes) is (seats > 2)


RARE = (
    Tale("sherif", (0, 1)),
    Tale("stop", (1,)),
    Tale("stop-shown", (0, (3,))),
    Tale("last-one", (1,)),
    Tale("replay"),
    *[Tale("skipped", (0, int(effect))) for effect in Effect],
)


@LANGUAGES
@pytest.mark.parametrize("tale", RARE, ids=str)
def test_what_happens_rarely_is_a_sentence_too(language: str, tale: Tale) -> None:
    check_sentence(Words(language), 2, tale)


def check_sentence(words: Words, seats: int, tale: Tale) -> None:
    for me in (None, *range(seats)):
        said = text(Teller(words, NAMES[:seats], me, CARDS).tale(tale))
        assert said[-1] in ".!"
        assert "{" not in said


@LANGUAGES
def test_squares_can_be_told_apart_without_seeing_a_colour(language: str) -> None:
    say = Words(language).say
    assert len(set(say(LETTERS).split())) == 5
    effects = [say(effect) for effect in (*EFFECTS, ANY)]
    assert len(set(effects)) == len(effects)
    assert max(map(len, effects)) <= 7
    assert max(len(say(gain)) for gain in (*GAINS, IN_VAIN)) <= 20


@LANGUAGES
async def test_no_question_and_no_aim_is_cut_at_the_edge(language: str) -> None:
    sitting, random = FakeSitting(4, 5, names=LONG, game="gobelin"), Random(5)
    async with playing(sitting, language) as (screen, pilot):
        enter = screen.words.say("Enter")
        seal = screen.words.say("{seal} seals it, {undo} undoes", seal=enter, undo="u")
        for _ in range(30):
            if sitting.result is None:
                step(sitting, random)
            await settle(pilot)
            board = screen.board
            if board.view.moves:
                assert cell_len(text(board.ask())) <= 78
            for move in board.view.moves:
                assert cell_len(text(board.voice.describe(move)) + seal) <= 78 - 5
            assert all(cell_len(line) <= 80 for line in frame(pilot.app).splitlines())


def test_there_are_keys_for_all_cards_that_can_lie_on_a_table() -> None:
    keys = [key for pair in PICKS for key in pair]
    assert len(set(keys)) == len(keys)
    assert len(PICKS) >= 30 - 8 - 1
    assert not {"q", "s", "u", "colon", "slash"} & set(keys)


# Choosing.


async def by_key(pilot: Pilot[None]) -> None:
    await pilot.press("2", "enter")


async def by_the_same_key_twice(pilot: Pilot[None]) -> None:
    await pilot.press("2", "2")


async def by_an_unshifted_french_key(pilot: Pilot[None]) -> None:
    await pilot.press("é", "enter")


async def by_arrows(pilot: Pilot[None]) -> None:
    await pilot.press("right", "down", "enter")


async def by_mouse(pilot: Pilot[None]) -> None:
    await pilot.click("#board", offset=(20, 7))
    await pilot.click("#board", offset=(20, 7))


@pytest.mark.parametrize(
    "way", [by_key, by_the_same_key_twice, by_an_unshifted_french_key, by_arrows, by_mouse]
)
async def test_all_ways_lead_to_the_second_play(
    way: Callable[[Pilot[None]], Awaitable[None]],
) -> None:
    async with at(long_trail) as (sitting, board, pilot):
        second = board.targets()[1].move
        await way(pilot)
        await settle(pilot)
        assert sitting.calls == [second]


async def test_arrows_reach_every_play_and_a_column_is_an_end() -> None:
    async with at(long_trail) as (sitting, board, pilot):
        aims = set()
        for key in ("left", "down", "down", "down", "up", "up", "up", "right", *["down"] * 3):
            await pilot.press(key)
            aims.add(board.aimed)
            assert isinstance(board.aimed, Play)
        assert aims == set(sitting.moves()) - {Show()}


@pytest.mark.parametrize(
    ("wanted", "keys", "move"),
    [
        (mine(Phase.TARGET, 3, Effect.VOL), ("3", "enter"), Pick),
        (mine(Phase.TARGET, 3, Effect.TROC), ("3", "enter"), Pick),
        (mine(Phase.ORDER, 2, Effect.ESPION), ("2", "enter"), Keep(1)),
        (ambushed, ("s", "enter"), Show()),
        (stopped, ("s", "s"), Stop()),
        (stopped, ("down", "enter"), Stop()),
    ],
)
async def test_each_phase_has_its_keys(wanted: Wanted, keys: tuple[str, ...], move: object) -> None:
    async with at(wanted) as (sitting, _, pilot):
        expected = sitting.moves()[2] if move is Pick else move
        await pilot.press(*keys)
        await settle(pilot)
        assert sitting.calls == [expected]


async def test_a_square_of_another_colour_is_refused_and_says_so() -> None:
    async with at(ambushed) as (sitting, _, pilot):
        await pilot.press(":", *"1al", "enter")
        await settle(pilot)
        assert "Those two squares have different colours." in frame(pilot.app)
        assert sitting.calls == []


async def test_one_sees_ahead_on_others_turns_but_cannot_play() -> None:
    async with at(waiting, 4) as (_, _, pilot):
        assert " ·  " in frame(pilot.app)
        await pilot.press("1")
        await settle(pilot)
        assert "Nothing is asked of you right now." in frame(pilot.app)


# What is drawn.


async def test_aiming_repaints_a_line_of_the_trail_and_two_plays() -> None:
    async with at(long_trail) as (_, board, pilot):
        await pilot.press("1")
        await settle(pilot)
        before = board.canvas
        await pilot.press("2")
        changed = touched(before, board.canvas)
        assert {y for _, y in changed} == {2, 6, 7}
        assert all(x < 40 for x, _ in changed)


class Exchanged(OpenDeck):
    """An open deck in which pairs of slots have each other's faces."""

    def __init__(self, seats: int, seed: int, pairs: list[tuple[Slot, Slot]]) -> None:
        super().__init__(seats, Dice(seed))
        self.pairs = pairs

    def serve(self, request: Request) -> Event:
        """As any open deck; a shuffle is followed by the exchange."""
        event = super().serve(request)
        if isinstance(event, Shuffled):
            for one, other in self.pairs:
                if one in event.slots:
                    self.faces[one], self.faces[other] = self.faces[other], self.faces[one]
        return event


@pytest.mark.parametrize("me", [0, 1, None])
async def test_a_frame_does_not_depend_on_faces_that_its_seat_has_not_seen(me: Seat | None) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    random = Random(seed)
    steps: list[tuple[Seat, Move]] = []
    table = FakeSitting(3, seed, game="gobelin")
    table.begin()
    pack = range(3, 33)
    while len(steps) < 14 and table.state.round == 1:
        steps.append(step(table, random))
    sights = [set(table._deck.sight(seat)) for seat in range(3)]
    seen = set.intersection(*sights) if me is None else sights[me]
    hidden = [slot for slot in pack if slot not in seen]
    pairs = list(zip(hidden[::2], hidden[1::2], strict=False))
    assert len(pairs) > 3
    frames = []
    for exchanged in ([], pairs):
        sitting = FakeSitting(3, seed, me, game="gobelin")
        sitting._deck = Exchanged(3, seed, exchanged)
        async with playing(sitting) as (_, pilot):
            for seat, move in steps:
                sitting.seal(seat, move)
            await settle(pilot)
            frames.append(frame(pilot.app))
        same = [sitting._deck.faces[slot] == table._deck.faces[slot] for slot in pack]
        assert all(same) is not bool(exchanged)
    assert frames[0] == frames[1]


async def test_who_looks_on_sees_what_is_done_and_no_face() -> None:
    async with at(mine(Phase.TARGET, 3, Effect.VOL), me=None) as (_, _, pilot):
        shown = frame(pilot.app)
        assert "Ana picks a treasure to steal" in shown
        assert "You are looking on." in shown
        assert "1▒▒▒" not in shown


async def test_what_we_know_of_others_cards_is_pale_and_ours_is_not() -> None:
    def traded(sitting: FakeSitting) -> bool:
        state, sight = sitting.state, sitting.sight
        return state.turn == 0 and any(slot in sight for slot in state.hands[1])

    async with at(traded) as (sitting, board, _):
        ours, theirs = [{style for _, style in board.canvas.runs(y)} for y in (11, 12)]
        assert set(STYLES) & ours
        assert not set(STYLES) & theirs
        known = next(slot for slot in sitting.state.hands[1] if slot in sitting.sight)
        card = text(mini(Words("en"), CARDS[sitting.sight[known]]))
        assert card in "".join(part for part, style in board.canvas.runs(12) if style == "dim")


async def test_when_the_game_is_over_all_gold_is_shown_as_it_was_counted() -> None:
    sitting = FakeSitting(3, 2, game="gobelin")
    told: list[Notice] = []
    sitting.listen(told.append)
    async with playing(sitting) as (screen, pilot):
        sitting.end()
        await settle(pilot)
        happened = [notice for notice in told if isinstance(notice, Happened)]
        tales = [tale for one in happened for tale in sitting.game.tell(one.before, one.event)]
        golds = next(tale.facts[0] for tale in reversed(tales) if tale.code == "count")
        assert isinstance(golds, tuple)
        board = cast(Board, screen.board)
        assert [board.options.gold(seat) for seat in range(3) if golds[seat] >= 0] == [
            gold for gold in golds if gold >= 0
        ]
