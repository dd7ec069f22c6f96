"""Gobelin des bois: why a move is refused, what the silent do, and what players type."""

from __future__ import annotations

import pytest

from rules.game import Malformed, Move
from rules.gobelin import Keep, Pick, Play, Show, Stop
from tests.rules.gobelin_table import GOBELIN, PLAIN, table

FIRST_LEFT = Play(0, 0, 0)


# Refusals, and whoever falls silent.


def test_each_refusal_says_why() -> None:
    at = table([(PLAIN, PLAIN)] * 3, treasures=[(PLAIN,), (PLAIN,), ()])
    assert at.refusal(FIRST_LEFT, seat=1) == "not-asked"
    assert at.refusal(FIRST_LEFT, seat=9) == "not-asked"
    assert at.refusal(Pick(1, 0)) == at.refusal(Keep(0)) == "not-now"
    assert at.refusal(7) == "not-a-move"
    assert at.refusal(Play(2, 0, 0)) == at.refusal(Play(-1, 0, 0)) == "no-such-card"
    assert at.refusal(Play(0, 2, 0)) == "no-such-half"
    assert at.refusal(Play(0, 0, 2)) == "no-such-end"
    assert at.refusal(Stop()) == "no-galop"


def test_each_refusal_of_a_pick_says_why() -> None:
    treasures = [(PLAIN,), (PLAIN,), (), ()]
    at = table([("Rv/B- 2", PLAIN), *[(PLAIN, PLAIN)] * 2], treasures=treasures).do(FIRST_LEFT)
    assert at.refusal(Pick(3, 0)) == at.refusal(Pick(-1, 0)) == "no-such-seat"
    assert at.refusal(Pick(0, 0)) == "own-card"
    assert at.refusal(Pick(2, 0)) == "no-treasure"
    assert at.refusal(Pick(1, 1)) == "no-such-card"
    at = table([("Rt/B- 2", PLAIN), (PLAIN, PLAIN), ()]).do(FIRST_LEFT)
    assert at.refusal(Pick(2, 0)) == "empty-hand"
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.refusal(Keep(2)) == "no-such-card"
    assert at.refusal(Pick(1, 0)) == "not-now"


def test_nobody_can_say_that_nothing_goes_with_an_end_of_any_colour() -> None:
    at = table([("Rg/*- 0", PLAIN), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.refusal(Stop()) == "any-end"


def test_who_seals_and_falls_silent_shows_picks_the_first_card_and_keeps_the_top_one() -> None:
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)])
    assert at.game.default(at.state, 0) == Show()
    assert at.game.default(at.do(FIRST_LEFT).state, 0) == Keep(0)
    at = table([("Rt/B- 2", PLAIN), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.game.default(at.state, 0) == Pick(1, 0)


# Text.


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1al", Play(0, 0, 0)),
        ("2BR", Play(1, 1, 1)),
        ("1 a left", Play(0, 0, 0)),
        ("2 b right", Play(1, 1, 1)),
        ("1 a gauche", Play(0, 0, 0)),
        ("1 b droite", Play(0, 1, 1)),
        ("2ad", Play(1, 0, 1)),
        ("2a g", Play(1, 0, 0)),
        ("show", Show()),
        ("Montrer", Show()),
        ("stop", Stop()),
        ("b2", Pick(1, 1)),
        ("d 12", Pick(3, 11)),
        ("keep 1", Keep(0)),
        ("garder  2", Keep(1)),
    ],
)
def test_moves_are_read_as_people_type_them(typed: str, move: Move) -> None:
    assert GOBELIN.read(typed) == move
    assert GOBELIN.read(GOBELIN.write(move)) == move


@pytest.mark.parametrize(
    "typed", ["", "1", "1a", "3al", "1cl", "1ax", "show me", "e1", "b0", "b31", "keep 3", "keep"]
)
def test_other_texts_are_no_moves(typed: str) -> None:
    with pytest.raises(Malformed, match="move-text"):
        GOBELIN.read(typed)


def test_the_shortest_text_is_the_one_written() -> None:
    moves = [Play(0, 0, 0), Play(1, 1, 1), Show(), Stop(), Pick(1, 1), Keep(0)]
    texts = ["1al", "2br", "show", "stop", "b2", "keep 1"]
    assert [GOBELIN.write(move) for move in moves] == texts
