"""The open deck, the playing loop, the simulation, and the bots that play in them."""

from __future__ import annotations

from collections import Counter

import pytest

import rules
from rules.bots import bot, levels
from rules.bots.chooser import Dice
from rules.deal import OpenDeck, play, simulate
from rules.game import (
    Choose,
    Deal,
    Dealt,
    Illegal,
    Mismatch,
    Move,
    Open,
    Opened,
    RuleError,
    Shuffle,
    Shuffled,
)
from rules.taverne import Mushroom

TAVERNE = rules.load("taverne")


def test_slots_are_numbered_on_across_shuffles() -> None:
    deck = OpenDeck(2, Dice(1))
    assert deck.serve(Shuffle((5, 6, 7))) == Shuffled((0, 1, 2))
    assert deck.serve(Shuffle((8,))) == Shuffled((3,))
    assert sorted(deck.faces[:3]) == [5, 6, 7]


def test_a_dealt_slot_is_seen_by_its_seat_alone_and_an_opened_one_by_all() -> None:
    deck = OpenDeck(2, Dice(1))
    deck.serve(Shuffle((5, 6)))
    assert deck.serve(Deal((1,), 0)) == Dealt((1,), 0)
    assert dict(deck.sight(0)) == {1: deck.faces[1]}
    assert dict(deck.sight(1)) == {}
    assert deck.serve(Open((0,))) == Opened(((0, deck.faces[0]),))
    assert 0 in deck.sight(0)
    assert 0 in deck.sight(1)


def test_dealing_anew_moves_hidden_faces_within_their_shuffle_and_shows_them_again() -> None:
    deck = OpenDeck(2, Dice(1))
    deck.serve(Shuffle(tuple(range(40))))
    deck.serve(Shuffle(tuple(range(100, 140))))
    deck.serve(Deal(tuple(range(35, 45)), 0))
    deck.serve(Open((0, 40, 41)))
    before, sight = list(deck.faces), deck.sight(0)
    deck.deal_anew()
    assert [deck.faces[slot] for slot in (0, 40, 41)] == [before[slot] for slot in (0, 40, 41)]
    assert sorted(deck.faces[:40]) == sorted(before[:40]) != before[:40]
    assert sorted(deck.faces[40:]) == sorted(before[40:])
    assert sum(old != new for old, new in zip(before, deck.faces, strict=True)) > 60
    assert dict(sight) == {slot: deck.faces[slot] for slot in (*range(35, 45), 0)}
    assert dict(deck.sight(1)) == {slot: before[slot] for slot in (0, 40, 41)}


def test_slots_that_do_not_exist_and_requests_for_players_are_refused() -> None:
    deck = OpenDeck(2, Dice(1))
    with pytest.raises(Mismatch, match="unknown-slot"):
        deck.serve(Open((0,)))
    with pytest.raises(Mismatch, match="not-a-deck-request"):
        deck.serve(Choose((0,), secret=True))


def test_every_order_of_a_small_deck_is_about_equally_likely() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(1200):
        deck = OpenDeck(2, Dice(seed))
        deck.serve(Shuffle((1, 2, 3)))
        orders[tuple(deck.faces)] += 1
    assert len(orders) == 6
    assert all(140 < count < 260 for count in orders.values())


def test_a_player_who_makes_an_illegal_move_ends_the_game_with_an_error() -> None:
    def cheat(*_: object) -> Move:
        return Mushroom(99)

    with pytest.raises(Illegal, match="no-such-mushroom"):
        play(TAVERNE, 3, [cheat] * 3, Dice(1))


def test_a_simulation_is_the_same_for_the_same_seed_and_adds_up() -> None:
    one = simulate(TAVERNE, 4, ["steady", "random", "random", "random"], 40, 7)
    assert one == simulate(TAVERNE, 4, ["steady", "random", "random", "random"], 40, 7)
    assert one != simulate(TAVERNE, 4, ["steady", "random", "random", "random"], 40, 8)
    assert sum(level["wins"] for level in one["levels"].values()) == pytest.approx(1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", rules.names())
def test_steady_beats_random_clearly_at_every_number_of_seats(name: str) -> None:
    game = rules.load(name)
    for seats in game.seats:
        print(f"{name}, {seats} seats, seed 3")
        figures = simulate(game, seats, ["steady", *["random"] * (seats - 1)], 180, 3)
        steady = figures["levels"]["steady"]
        assert _odds(steady["wins"]) > 1.4 * _odds(steady["fair"])


def _odds(chance: float) -> float:
    return chance / (1 - chance)


def test_there_is_no_bot_of_another_level() -> None:
    assert levels() == ("random", "steady")
    with pytest.raises(RuleError, match="unknown-level"):
        bot("perfect", Dice(1))
