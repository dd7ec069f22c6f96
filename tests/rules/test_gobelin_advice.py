"""How a good player of Gobelin des bois plays: what it prefers, and what it never does."""

from __future__ import annotations

import pytest

from rules.deal import simulate
from rules.game import Move, Open
from rules.gobelin import Keep, Pick, Play, Show, Stop
from tests.rules.gobelin_table import GOBELIN, PLAIN, Table, table
from tests.rules.kit import moments

SURE = 0.9


def weights(at: Table) -> dict[Move, float]:
    """The share of each move that is advised to the seat whose turn it is."""
    assert at.state.turn is not None
    advice = at.game.advise(at.state, at.state.turn, at.sight(at.state.turn))
    total = sum(weight for _, weight in advice)
    return {move: weight / total for move, weight in advice}


def share(at: Table, card: int) -> float:
    """How often ``card`` is the one that is played."""
    chances = weights(at).items()
    return sum(weight for move, weight in chances if isinstance(move, Play) and move.card == card)


def show(at: Table, seat: int) -> None:
    """All that ``seat`` holds has been seen by everybody."""
    at.deck.serve(Open(at.state.hands[seat] + at.state.treasures[seat]))


@pytest.mark.parametrize("seats", GOBELIN.seats)
def test_a_hand_is_never_shown_and_a_galop_never_ended_while_something_can_be_played(
    seats: int,
) -> None:
    for seed in range(10):
        print(f"seed {seed}")
        for moment in moments(GOBELIN, seats, seed):
            for seat in range(seats):
                sight = moment.sights[seat]
                advised = {move for move, _ in GOBELIN.advise(moment.state, seat, sight)}
                offered = GOBELIN.moves(moment.state, seat, sight)
                if any(isinstance(move, Play) for move in offered):
                    assert not advised & {Show(), Stop()}


def test_with_nothing_to_play_after_a_galop_the_hand_stays_hidden() -> None:
    at = table([("Rg/B- 2", "G-/G- 0"), (PLAIN, PLAIN)], deck=["G-/G- 0", PLAIN])
    assert weights(at.do(Play(0, 0, 0))) == {Stop(): 1}


def test_with_nothing_to_play_there_is_only_the_ambush() -> None:
    assert weights(table([("G-/G- 0", "G-/G- 0"), (PLAIN, PLAIN)])) == {Show(): 1}


def test_on_the_last_turn_gold_is_what_counts() -> None:
    at = table([("R-/B- 5", "R-/B- 0"), (PLAIN, PLAIN)], deck=[PLAIN])
    assert share(at, card=1) > SURE


def test_a_play_that_leaves_nothing_to_play_next_time_is_avoided() -> None:
    deck = ["G-/G- 0", "R-/R- 0"] * 3
    at = table([("R-/B- 1", "R-/Y- 1"), ("*-/*- 0", "*-/*- 0")], deck=deck)
    show(at, 1)
    stuck = Play(1, 0, 0)
    assert stuck in at.moves
    assert weights(at).get(stuck, 0) < 1 - SURE


def test_an_opponent_who_has_shown_its_hand_is_hindered() -> None:
    at = table([("R-/G- 1", "R-/Y- 1"), ("Y-/Y- 0", "Y-/Y- 0")], ["R-/R- 0"])
    show(at, 1)
    assert share(at, card=0) > SURE


def test_the_best_treasure_that_has_been_seen_is_stolen() -> None:
    chest = ("G-/G- 0", "G-/G- 5")
    at = table([("Rv/B- 2", PLAIN), (PLAIN, PLAIN)], treasures=[(), chest])
    show(at, 1)
    assert weights(at.do(Play(0, 0, 0)))[Pick(1, 1)] > SURE


def test_of_two_cards_spied_the_useful_one_with_more_gold_is_kept_on_top() -> None:
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)], deck=["G-/G- 0", "B-/Y- 4", PLAIN])
    assert weights(at.do(Play(0, 0, 0)))[Keep(1)] > SURE


@pytest.mark.parametrize("seats", GOBELIN.seats)
def test_a_steady_player_beats_those_who_do_not_think(seats: int) -> None:
    levels = ["steady", *["random"] * (seats - 1)]
    steady = simulate(GOBELIN, seats, levels, games=60, seed=3)["levels"]["steady"]
    assert steady["wins"] > 1.3 * steady["fair"]
