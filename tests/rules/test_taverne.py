"""La Taverne des Hobbits, rule by rule: every row of the ruling's case table is a test here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.bots.chooser import Dice
from rules.deal import OpenDeck
from rules.game import Choose, Chosen, Open, Opened, Over
from rules.taverne import (
    BAG,
    NONE,
    Character,
    Mushroom,
    Phase,
    Protect,
    Serve,
)
from tests.rules.kit import moments, played
from tests.rules.taverne_table import TAVERNE, B, R, Y, code_of, table, turn

# Setup.


def test_there_are_sixty_stones_and_one_mushroom_fewer_than_players() -> None:
    assert BAG == (18, 18, 18, 6)
    assert [len(TAVERNE.start(seats).mushrooms) for seats in range(3, 7)] == [2, 3, 4, 5]


@pytest.mark.parametrize("seats", range(3, 7))
def test_the_first_turn_finds_two_stones_on_each_mushroom_and_empty_tiles(seats: int) -> None:
    first = next(m.after for m in moments(TAVERNE, seats, 3) if m.after.phase is Phase.POINT)
    assert first.turn == 1
    assert [sum(stones) for stones in first.mushrooms] == [2] * (seats - 1)
    assert first.tiles == first.safe == (NONE,) * seats
    assert len(first.bag) == 60 - 2 * (seats - 1)


def test_the_distributor_is_drawn_and_every_seat_can_be_it() -> None:
    drawn = set()
    for seed in range(40):
        deck = OpenDeck(3, Dice(seed))
        state = TAVERNE.start(3)
        for _ in range(2):
            state = TAVERNE.apply(state, deck.serve(TAVERNE.request(state)))
        drawn.add(state.distributor)
    assert drawn == {0, 1, 2}


def test_on_the_first_turn_only_mushrooms_may_be_pointed_at() -> None:
    state = table({1: R}, turn=1)
    assert code_of(state, 0, Character(1)) == "first-turn"
    assert code_of(state, 1, Protect()) == "first-turn"
    empty = table(turn=1)
    assert TAVERNE.moves(empty, 0, {}) == (Mushroom(0), Mushroom(1), Mushroom(2))


# A turn.


def test_who_points_alone_at_a_mushroom_takes_all_its_stones() -> None:
    after = turn(table(), Mushroom(0), Mushroom(1), Mushroom(1), Mushroom(1))
    assert after.tiles[0] == (1, 1, 0, 0)
    assert after.mushrooms[0] == NONE


def test_two_or_more_at_one_mushroom_get_nothing_and_the_stones_stay() -> None:
    after = turn(table(), Mushroom(0), Mushroom(0), Mushroom(1), Mushroom(1))
    assert after.tiles == (NONE,) * 4
    assert after.mushrooms == ((1, 1, 0, 0),) * 3


def test_who_points_alone_at_an_unprotected_tile_steals_all_of_it() -> None:
    after = turn(table({1: (2, 0, 1, 0)}), Character(1), Mushroom(0), Mushroom(1), Mushroom(1))
    assert after.tiles[0] == (2, 0, 1, 0)
    assert after.tiles[1] == (1, 1, 0, 0)


def test_two_or_more_at_one_tile_get_nothing() -> None:
    after = turn(table({1: R}), Character(1), Mushroom(0), Character(1), Mushroom(1))
    assert after.tiles[1] == (2, 1, 0, 0)
    assert after.tiles[0] == after.tiles[2] == NONE


def test_protected_stones_are_won_for_good_and_the_player_rests_one_turn() -> None:
    after = turn(table({1: Y}), Mushroom(0), Protect(), Mushroom(1), Mushroom(1))
    assert after.safe[1] == Y
    assert after.tiles[1] == NONE
    assert after.resting == (False, True, False, False)
    point = replace(after, phase=Phase.POINT)
    assert TAVERNE.request(point) == Choose((0, 2, 3), secret=True)
    later = turn(point, Mushroom(1), Mushroom(1), Mushroom(1))
    assert later.resting == (False,) * 4


def test_who_points_at_a_protected_tile_gets_nothing() -> None:
    after = turn(table({1: Y}), Character(1), Protect(), Mushroom(1), Mushroom(1))
    assert after.tiles[0] == NONE
    assert after.safe[1] == Y


def test_several_at_a_protected_tile_get_nothing() -> None:
    after = turn(table({1: Y}), Character(1), Protect(), Character(1), Mushroom(1))
    assert (after.tiles[0], after.tiles[2]) == (NONE, NONE)
    assert after.safe[1] == Y


def test_two_who_point_at_each_other_swap_their_old_stones() -> None:
    state = table({0: R, 1: (0, 2, 0, 0)})
    after = turn(state, Character(1), Character(0), Mushroom(0), Mushroom(0))
    assert after.tiles[:2] == ((0, 2, 0, 0), R)


def test_in_a_chain_each_takes_what_lay_there_before_the_turn() -> None:
    state = table({1: R, 2: Y}, {0: (0, 0, 0, 2)})
    after = turn(state, Character(1), Character(2), Mushroom(0), Mushroom(1))
    assert after.tiles[:3] == (R, Y, (0, 0, 0, 2))


def test_a_thief_who_is_robbed_keeps_what_he_steals() -> None:
    state = table({0: B, 1: R})
    after = turn(state, Character(1), Mushroom(0), Character(0), Mushroom(0))
    assert after.tiles[0] == R
    assert after.tiles[2] == B


def test_the_thief_takes_before_the_booty_of_this_turn_arrives() -> None:
    state = table({1: R}, {0: (0, 0, 2, 0)})
    after = turn(state, Character(1), Mushroom(0), Mushroom(1), Mushroom(1))
    assert after.tiles[0] == R
    assert after.tiles[1] == (0, 0, 2, 0)


def test_who_protects_points_at_nothing_and_gains_nothing() -> None:
    after = turn(table({0: R}), Protect(), Mushroom(0), Mushroom(1), Mushroom(2))
    assert after.tiles[0] == NONE
    assert after.mushrooms == (NONE,) * 3


# The case table.


def test_case_pointing_at_an_empty_tile_is_not_offered() -> None:
    state = table({1: R})
    assert code_of(state, 0, Character(2)) == "empty-tile"
    assert Character(2) not in TAVERNE.moves(state, 0, {})
    assert Character(1) in TAVERNE.moves(state, 0, {})


def test_case_protecting_an_empty_tile_is_not_offered() -> None:
    state = table({1: R})
    assert code_of(state, 0, Protect()) == "nothing-to-protect"
    assert Protect() not in TAVERNE.moves(state, 0, {})
    assert Protect() in TAVERNE.moves(state, 1, {})


def test_case_pointing_at_an_empty_mushroom_is_allowed_and_gains_nothing() -> None:
    state = table(mushrooms={0: NONE})
    after = turn(state, Mushroom(0), Mushroom(1), Mushroom(2), Mushroom(2))
    assert after.tiles[0] == NONE
    assert after.mushrooms[0] == NONE


def test_case_a_resting_player_cannot_be_pointed_at_since_the_tile_is_empty() -> None:
    for seed in range(30):
        for moment in moments(TAVERNE, 4, seed):
            state = moment.after
            if state.phase is Phase.POINT:
                for seat in (at for at, rests in enumerate(state.resting) if rests):
                    assert state.tiles[seat] == NONE
                    asker = (seat + 1) % 4
                    assert Character(seat) not in TAVERNE.moves(state, asker, {})


def test_case_when_all_protect_nobody_plays_the_next_turn_but_the_refill_happens() -> None:
    state = table(dict.fromkeys(range(4), R), {0: NONE})
    after = turn(state, *[Protect()] * 4)
    assert after.phase is Phase.REFILL
    request = TAVERNE.request(after)
    assert isinstance(request, Open)
    assert len(request.slots) == 2 + 1 + 1
    skipped = TAVERNE.apply(after, Opened(tuple((slot, 0) for slot in request.slots)))
    assert skipped.turn == state.turn + 1
    assert skipped.phase is Phase.REFILL
    assert skipped.resting == (False,) * 4
    assert sum(map(sum, skipped.mushrooms)) == 4 + 4


def test_case_a_player_resting_on_the_last_turn_stays_out_and_the_stones_count() -> None:
    state = table({1: R}, bag=(), last=True, resting=(True, False, False, False), safe=(Y,) * 4)
    after = turn(state, Mushroom(0), Mushroom(1), Mushroom(1))
    request = TAVERNE.request(after)
    assert isinstance(request, Over)
    assert request.result.scores[0].total == 1
    assert request.result.scores[1].total == 5 + 1  # red, blue and the yellow in safety, and a red


def test_case_a_player_who_is_asked_always_has_a_mushroom() -> None:
    for seats in range(3, 7):
        for moment in moments(TAVERNE, seats, 5):
            if isinstance(moment.request, Choose) and moment.request.secret:
                for seat in moment.request.seats:
                    assert Mushroom(0) in TAVERNE.moves(moment.state, seat, {})


def test_case_sixty_stones_are_conserved_at_every_moment() -> None:
    for seats in range(3, 7):
        for moment in moments(TAVERNE, seats, 9):
            state = moment.after
            if state.phase > Phase.FILL:
                lying = (*state.mushrooms, *state.tiles, *state.safe)
                assert len(state.bag) + sum(map(sum, lying)) == 60


def test_one_cannot_point_at_oneself_or_at_what_is_not_there() -> None:
    state = table({0: R})
    assert code_of(state, 0, Character(0)) == "own-tile"
    assert code_of(state, 0, Character(4)) == "no-such-seat"
    assert code_of(state, 0, Mushroom(3)) == "no-such-mushroom"
    assert code_of(state, 0, Mushroom(-1)) == "no-such-mushroom"
    assert code_of(state, 0, Serve((0, 1, 2))) == "not-now"
    rests = table(resting=(True, False, False, False))
    assert code_of(rests, 0, Mushroom(0)) == "resting"


# Refill and end.


def test_a_refill_gives_two_to_an_empty_mushroom_and_one_to_each_other() -> None:
    after = turn(table(mushrooms={1: NONE}), *[Mushroom(0)] * 4)
    request = TAVERNE.request(after)
    assert isinstance(request, Open)
    assert request.slots == (100, 101, 102, 103)
    filled = TAVERNE.apply(after, Opened(((100, 0), (101, 1), (102, 2), (103, 3))))
    assert filled.mushrooms == ((2, 1, 0, 0), (0, 1, 1, 0), (1, 1, 0, 1))
    assert filled.turn == 6
    assert not filled.last


def test_the_turn_after_the_refill_that_empties_the_bag_is_the_last() -> None:
    after = turn(table(bag=(7, 8, 9)), *[Mushroom(0)] * 4)
    filled = TAVERNE.apply(after, Opened(((7, 0), (8, 0), (9, 0))))
    assert filled.last
    assert filled.bag == ()
    over = turn(filled, *[Mushroom(0)] * 4)
    assert isinstance(TAVERNE.request(over), Over)


def test_when_the_bag_is_short_the_distributor_says_who_is_served_first() -> None:
    state = table(mushrooms={0: NONE, 1: NONE}, bag=(7, 8, 9), distributor=2)
    after = turn(state, *[Mushroom(2)] * 4)
    assert TAVERNE.request(after) == Choose((2,), secret=False)
    assert len(TAVERNE.moves(after, 2, {})) == 6
    assert TAVERNE.moves(after, 0, {}) == ()
    assert code_of(after, 2, Serve((0, 0, 1))) == "bad-order"
    assert code_of(after, 2, Mushroom(0)) == "not-now"
    assert code_of(after, 0, Serve((0, 1, 2))) == "not-asked"
    served = TAVERNE.apply(after, Chosen(((2, Serve((1, 2, 0))),)))
    filled = TAVERNE.apply(served, Opened(((7, 3), (8, 3), (9, 2))))
    assert filled.mushrooms == (NONE, (0, 0, 0, 2), (1, 1, 1, 0))
    assert filled.last


def test_a_short_refill_may_give_one_stone_of_two() -> None:
    state = table(mushrooms={0: NONE, 1: NONE, 2: NONE}, bag=(7, 8, 9))
    after = turn(state, *[Mushroom(0)] * 4)
    served = TAVERNE.apply(after, Chosen(((0, Serve((2, 0, 1))),)))
    filled = TAVERNE.apply(served, Opened(((7, 0), (8, 0), (9, 1))))
    assert [sum(stones) for stones in filled.mushrooms] == [1, 0, 2]


def test_who_seals_and_falls_silent_gets_a_poor_mushroom_and_a_left_to_right_refill() -> None:
    state = table(mushrooms={0: (2, 2, 0, 0), 1: R, 2: R})
    assert TAVERNE.default(state, 0) == Mushroom(1)
    short = replace(state, phase=Phase.SERVE)
    assert TAVERNE.default(short, 0) == Serve((0, 1, 2))


def test_for_the_absent_any_legal_move_is_drawn() -> None:
    state = table({0: R, 1: B}, seats=3, resting=(False, False, True))
    assert TAVERNE.absent(state, 0) == (Mushroom(0), Mushroom(1), Character(1), Protect())
    assert TAVERNE.absent(state, 2) == ()
    short = replace(state, phase=Phase.SERVE)
    assert TAVERNE.absent(short, 0) == (Serve((0, 1)), Serve((1, 0)))


def test_stones_dealt_anew_in_the_bag_change_nothing() -> None:
    for moment in moments(TAVERNE, 3, 5):
        assert TAVERNE.redealt(moment.after) == moment.after


def test_games_have_about_the_length_they_have_on_a_table() -> None:
    turns = {}
    for seats in range(3, 7):
        games = [played(TAVERNE, seats, seed) for seed in range(60)]
        turns[seats] = sum(game.choices for game in games) / len(games)
    assert turns[3] > turns[4] > turns[5] > turns[6]
    assert 18 < turns[3] < 26
    assert 7 < turns[6] < 12
