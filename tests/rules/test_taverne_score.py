"""La Taverne des Hobbits: the score, what players type, and what the history tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.game import Choose, Chosen, Malformed, Move, Over, Score
from rules.taverne import NONE, Character, Mushroom, Phase, Protect, Serve, Stones
from tests.rules.taverne_table import TAVERNE, R, Y, table, turn

# Scoring.


def scores(*hands: Stones) -> tuple[Score, ...]:
    """The scores of a table that has ended with these stones."""
    over = replace(TAVERNE.start(len(hands)), phase=Phase.OVER, tiles=hands, last=True)
    request = TAVERNE.request(over)
    assert isinstance(request, Over)
    return request.result.scores


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        (NONE, 0),
        ((1, 1, 1, 0), 5),
        ((2, 1, 1, 0), 6),
        ((0, 0, 0, 3), 6),
        ((1, 1, 0, 1), 4),
        ((3, 3, 3, 0), 15),
        ((5, 2, 3, 2), 2 * 5 + 3 + 1 + 4),
        ((18, 0, 0, 0), 18),
    ],
)
def test_three_colours_are_five_points_whites_two_the_rest_one(hand: Stones, total: int) -> None:
    score = scores(hand, NONE, NONE)[0]
    assert score.total == total == sum(line.points for line in score.lines)


def test_white_stones_are_never_part_of_a_set() -> None:
    assert scores((1, 1, 0, 1), NONE, NONE)[0].lines[0].count == 0


def test_secured_stones_and_those_on_the_tile_count_together() -> None:
    state = table({1: (0, 1, 1, 0)}, bag=(), last=True, safe=(NONE, R, NONE, NONE))
    after = turn(state, Mushroom(0), Mushroom(0), Mushroom(1), Mushroom(1))
    request = TAVERNE.request(after)
    assert isinstance(request, Over)
    assert request.result.scores[1].total == 5


def test_a_tie_goes_to_whoever_has_more_white_stones() -> None:
    ranks = [score.rank for score in scores((2, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0))]
    assert ranks == [2, 1, 3]


def test_a_tie_again_is_a_shared_victory() -> None:
    ranks = [score.rank for score in scores((1, 1, 0, 0), (0, 1, 1, 0), (1, 0, 0, 0))]
    assert ranks == [1, 1, 3]


def test_stones_left_on_mushrooms_count_for_nobody() -> None:
    state = table(bag=(), last=True)
    after = turn(state, *[Mushroom(0)] * 4)
    request = TAVERNE.request(after)
    assert isinstance(request, Over)
    assert [score.total for score in request.result.scores] == [0] * 4


# Text and tales.


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("3", Mushroom(2)),
        (" B ", Character(1)),
        ("p", Protect()),
        ("PROTECT", Protect()),
        ("protéger", Protect()),
        ("serve 2 1 3", Serve((1, 0, 2))),
        ("servir  1 2", Serve((0, 1))),
    ],
)
def test_moves_are_read_as_people_type_them(typed: str, move: Move) -> None:
    assert TAVERNE.read(typed) == move


@pytest.mark.parametrize("typed", ["", "0", "7", "g", "protect me", "serve", "serve 1 1", "1 2"])
def test_other_texts_are_no_moves(typed: str) -> None:
    with pytest.raises(Malformed, match="move-text"):
        TAVERNE.read(typed)


def test_a_turn_is_told_in_tales() -> None:
    state = table({1: R, 3: Y}, {2: NONE}, seats=6)
    moves = (Mushroom(0), Mushroom(1), Mushroom(1), Protect(), Character(3), Character(1))
    request = TAVERNE.request(state)
    assert isinstance(request, Choose)
    event = Chosen(tuple(zip(request.seats, moves, strict=True)))
    told = [(tale.code, tale.facts) for tale in TAVERNE.tell(state, event)]
    assert told == [
        ("protect", (3, Y)),
        ("take", (0, 0, (1, 1, 0, 0))),
        ("clash", (1, (1, 2))),
        ("steal", (5, 1, R)),
        ("blocked", (4, 3)),
    ]
