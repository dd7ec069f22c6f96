"""Gnomia, rule by rule: every row of the ruling's case table is a test here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rules.game import Choose, Chosen, Deal, Dealt, Foul, Malformed, Move, Open, Over
from rules.gnomia import (
    BROTHER,
    FIESTAS,
    HAND,
    VALUES,
    ZOZO,
    Give,
    Gnome,
    Phase,
    State,
    Take,
    veinards,
)
from tests.rules.gnomia_table import GNOMIA, G, code_of, decide, open_, play, spent, table

# Components.


def test_there_are_fifty_three_fiestas() -> None:
    count = Counter(FIESTAS)
    assert len(FIESTAS) == 53
    assert [count[value] for value in range(1, 16)] == [4] * 10 + [1] * 5
    assert (count[ZOZO], count[BROTHER]) == (7, 1)


def test_everybody_starts_with_the_eleven_gnomes_of_a_colour() -> None:
    assert HAND == (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, G)
    assert GNOMIA.start(5).hands == (HAND,) * 5


def test_veinards_break_every_tie_and_no_colour_has_more_of_them() -> None:
    for value in VALUES:
        assert {veinards(seat, value) for seat in range(5)} == {1, 2, 3, 4, 5}
    assert {sum(veinards(seat, value) for value in VALUES) for seat in range(5)} == {30}
    rows = {10: (1, 2, 3, 4, 5), 20: (3, 4, 5, 1, 2), 60: (5, 4, 3, 2, 1), 100: (2, 1, 5, 4, 3)}
    for value, row in rows.items():
        assert tuple(veinards(seat, value) for seat in range(5)) == row


# A normal fiesta.


def test_the_highest_gnome_takes_the_fiesta_and_is_spent_the_others_come_back() -> None:
    after = play(table(9), 50, 70, 60)
    assert after.won == ((), (9,), ())
    assert [spent(after, seat) for seat in range(3)] == [set(), {70}, set()]
    assert after.phase is Phase.TURN
    assert GNOMIA.request(after) == Open((100,))


@pytest.mark.parametrize(("value", "winner"), [(10, 2), (60, 0), (100, 2)])
def test_equal_gnomes_are_parted_by_their_veinards(value: int, winner: int) -> None:
    after = play(table(9), value, value, value)
    assert [bool(fiestas) for fiestas in after.won] == [seat == winner for seat in range(3)]
    assert spent(after, winner) == {value}


def test_a_single_bidder_wins_at_the_normal_cost() -> None:
    after = play(table(9, {1: (), 2: (G,)}), 10, G)
    assert after.won[0] == (9,)
    assert spent(after, 0) == {10}


def test_a_fiesta_that_nobody_bids_for_leaves_the_game() -> None:
    after = play(table(9), G, G, G)
    assert after.gone == (9,)
    assert after.won == ((),) * 3


# Zozo.


def test_the_winner_of_a_zozo_keeps_his_gnome_and_all_others_pay_theirs() -> None:
    after = play(table(ZOZO), 50, 70, 60)
    assert after.won == ((), (ZOZO,), ())
    assert [spent(after, seat) for seat in range(3)] == [{50}, set(), {60}]


def test_a_single_bidder_takes_a_zozo_and_keeps_his_gnome() -> None:
    after = play(table(ZOZO, {1: (G,), 2: (G,)}), 10)
    assert after.won[0] == (ZOZO,)
    assert spent(after, 0) == set()


def test_grincheux_may_not_be_played_on_a_zozo() -> None:
    state = table(ZOZO)
    assert code_of(state, 0, Gnome(G)) == "not-for-zozo"
    assert Gnome(G) not in GNOMIA.moves(state, 0, {})


def test_who_holds_only_grincheux_sits_out_a_zozo_and_keeps_it() -> None:
    state = table(ZOZO, {1: (G,)})
    assert GNOMIA.request(state) == Choose((0, 2), secret=True)
    assert code_of(state, 1, Gnome(G)) == "not-asked"
    assert play(state, 50, 40).hands[1] == (G,)


def test_a_zozo_that_finds_only_grincheux_leaves_the_game() -> None:
    before = replace(table(9, {0: (G,), 1: (G,), 2: ()}), phase=Phase.TURN, fiesta=None)
    state = open_(before, ZOZO)
    assert state.gone == (ZOZO,)
    assert state.phase is Phase.TURN
    assert state.hands == ((G,), (G,), ())


# P'tit frère.


def test_the_lowest_gnome_takes_ptit_frere_and_is_spent() -> None:
    after = play(table(BROTHER), 50, 70, 60)
    assert after.won == ((BROTHER,), (), ())
    assert [spent(after, seat) for seat in range(3)] == [{50}, set(), set()]


def test_equal_lowest_gnomes_are_parted_by_the_most_veinards_too() -> None:
    assert play(table(BROTHER), 60, 60, 70).won[0] == (BROTHER,)
    assert play(table(BROTHER), 10, 10, 70).won[1] == (BROTHER,)


def test_grincheux_is_legal_on_ptit_frere_and_never_the_lowest() -> None:
    after = play(table(BROTHER), G, 70, 60)
    assert after.won[2] == (BROTHER,)
    assert after.looker == 0


# Grincheux.


def looking() -> State:
    """Seat 0 has played the only Grincheux and has looked at the pile."""
    state = play(table(9), G, 70, 60)
    assert GNOMIA.request(state) == Deal((100,), 0)
    after: State = GNOMIA.apply(state, Dealt((100,), 0))
    return after


def test_the_only_grincheux_looks_alone_after_the_fiesta_is_awarded() -> None:
    state = looking()
    assert state.won[1] == (9,)
    assert GNOMIA.request(state) == Choose((0,), secret=False)
    assert GNOMIA.moves(state, 0, {100: 4}) == (Take(), Give(1), Give(2))
    assert GNOMIA.moves(state, 1, {}) == ()


def test_who_keeps_what_he_saw_loses_grincheux() -> None:
    after = open_(decide(looking(), Take()), 4)
    assert after.won[0] == (4,)
    assert spent(after, 0) == {G}


def test_who_gives_what_he_saw_keeps_grincheux() -> None:
    after = open_(decide(looking(), Give(2)), 4)
    assert after.won == ((), (9,), (4,))
    assert spent(after, 0) == set()


def test_a_zozo_that_was_seen_must_be_taken_and_grincheux_stays() -> None:
    state = looking()
    assert GNOMIA.moves(state, 0, {100: ZOZO}) == (Take(),)
    after = open_(decide(state, Take()), ZOZO)
    assert after.won[0] == (ZOZO,)
    assert spent(after, 0) == set()


def test_giving_a_zozo_away_is_a_foul() -> None:
    with pytest.raises(Foul, match="zozo-given") as caught:
        open_(decide(looking(), Give(1)), ZOZO)
    assert caught.value.seat == 0


def test_ptit_frere_that_was_seen_is_kept_or_given_like_any_fiesta() -> None:
    state = looking()
    assert GNOMIA.moves(state, 0, {100: BROTHER}) == (Take(), Give(1), Give(2))
    assert open_(decide(state, Give(1)), BROTHER).won[1] == (9, BROTHER)
    kept = open_(decide(state, Take()), BROTHER)
    assert (kept.won[0], spent(kept, 0)) == ((BROTHER,), {G})


def test_two_grincheux_or_more_look_at_nothing_and_all_go_back() -> None:
    after = play(table(9), G, G, 60)
    assert after.looker is None
    assert after.hands[0] == after.hands[1] == HAND
    assert after.won[2] == (9,)


def test_there_is_no_look_at_an_empty_pile() -> None:
    after = play(table(9, pile=0), G, 70, 60)
    assert after.phase is Phase.OVER
    assert after.hands[0] == HAND


def test_a_fiesta_may_be_given_to_who_has_no_gnomes_left() -> None:
    state = play(table(9, {2: ()}), G, 70)
    state = GNOMIA.apply(state, Dealt((100,), 0))
    assert open_(decide(state, Give(2)), 4).won[2] == (4,)


# The end.


def test_who_has_no_gnomes_left_plays_no_more() -> None:
    state = table(9, {1: ()})
    assert GNOMIA.request(state) == Choose((0, 2), secret=True)
    assert code_of(state, 1, Gnome(10)) == "out-of-gnomes"
    assert GNOMIA.moves(state, 1, {}) == ()


def test_the_last_with_gnomes_draws_as_many_fiestas_grincheux_counts() -> None:
    state = play(table(9, {0: (10,), 1: (20, 30, G), 2: ()}), 10, G)
    assert state.phase is Phase.LOOK
    state = play(table(9, {0: (40,), 1: (20, 30, G), 2: ()}), 40, 20)
    assert GNOMIA.request(state) == Open((100, 101, 102))
    after = open_(state, BROTHER, ZOZO, 7)
    assert after.won == ((9,), (BROTHER, ZOZO, 7), ())
    assert after.hands == ((), (), ())
    assert isinstance(GNOMIA.request(after), Over)


def test_the_last_draw_takes_what_the_pile_still_has() -> None:
    state = play(table(9, {0: (40,), 1: (20, 30, G), 2: ()}, pile=2), 40, 20)
    assert GNOMIA.request(state) == Open((100, 101))


def test_grincheux_is_resolved_before_the_last_draw() -> None:
    state = play(table(9, {0: (40,), 1: (G,), 2: ()}), 40, G)
    assert GNOMIA.request(state) == Deal((100,), 1)
    state = GNOMIA.apply(state, Dealt((100,), 1))
    state = open_(decide(state, Give(0)), 4)
    assert GNOMIA.request(state) == Open((101,))
    assert open_(state, 5).won == ((9, 4), (5,), ())


def test_if_the_last_two_run_out_together_nobody_draws() -> None:
    state = play(table(9, {0: (40,), 1: (G,), 2: ()}), 40, G)
    state = GNOMIA.apply(state, Dealt((100,), 1))
    assert open_(decide(state, Take()), 4).phase is Phase.OVER


def test_an_empty_pile_ends_the_game() -> None:
    after = play(table(9, pile=0), 50, 70, 60)
    assert after.phase is Phase.OVER


# Bad moves, absence, words.


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Gnome(15), "no-such-gnome"),
        (Gnome(True), "no-such-gnome"),
        (Gnome(30), "spent"),
        (Take(), "not-now"),
        (Give(1), "not-now"),
        ("30", "not-a-move"),
    ],
)
def test_an_illegal_bid_says_why(move: object, code: str) -> None:
    assert code_of(table(9, {0: (10, 20)}), 0, move) == code


@pytest.mark.parametrize(
    ("move", "code"),
    [(Give(0), "own-seat"), (Give(3), "no-such-seat"), (Gnome(10), "not-now")],
)
def test_an_illegal_gift_says_why(move: object, code: str) -> None:
    assert code_of(looking(), 0, move) == code


def test_who_seals_and_falls_silent_bids_so_as_not_to_win_and_takes_what_it_sees() -> None:
    assert GNOMIA.default(table(9), 0) == Gnome(10)
    assert GNOMIA.default(table(ZOZO), 0) == Gnome(10)
    assert GNOMIA.default(table(BROTHER), 0) == Gnome(100)
    assert GNOMIA.default(table(9, {0: (G,)}), 0) == Gnome(G)
    assert GNOMIA.default(looking(), 0) == Take()


def test_for_an_absent_seat_a_gnome_is_drawn_but_what_it_saw_is_taken() -> None:
    state = table(ZOZO, {0: (10, 40, G)})
    assert GNOMIA.absent(state, 0) == (Gnome(10), Gnome(40))
    assert GNOMIA.absent(table(9, {0: (10, 40, G)}), 0) == (Gnome(10), Gnome(40), Gnome(G))
    assert GNOMIA.absent(table(9, {0: ()}), 0) == ()
    assert GNOMIA.absent(looking(), 0) == (Take(),)
    assert GNOMIA.absent(looking(), 1) == ()


@pytest.mark.parametrize("move", [Take(), Give(1)])
def test_when_fiestas_are_dealt_anew_the_looker_looks_and_decides_again(move: Move) -> None:
    state = looking()
    for then in (state, decide(state, move)):
        anew = GNOMIA.redealt(then)
        assert GNOMIA.request(anew) == Deal((100,), 0)
        assert GNOMIA.apply(anew, Dealt((100,), 0)) == state


def test_a_gift_is_no_foul_if_the_fiesta_became_a_zozo_by_being_dealt_anew() -> None:
    anew = GNOMIA.redealt(decide(looking(), Give(1)))
    again = GNOMIA.apply(anew, Dealt((100,), 0))
    assert GNOMIA.moves(again, 0, {100: ZOZO}) == (Take(),)
    assert open_(decide(again, Take()), ZOZO).won == ((ZOZO,), (9,), ())


def test_fiestas_dealt_anew_change_nothing_if_nobody_has_looked() -> None:
    bidding = table(9)
    ending = play(table(9, {0: (40,), 1: (20, 30, G), 2: ()}), 40, 20)
    for state in (GNOMIA.start(3), bidding, play(bidding, 50, 70, 60), ending):
        assert GNOMIA.redealt(state) == state


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("100", Gnome(100)),
        (" 10 ", Gnome(10)),
        ("G", Gnome(G)),
        ("Grincheux", Gnome(G)),
        ("prendre", Take()),
        ("give b", Give(1)),
        ("Donner E", Give(4)),
    ],
)
def test_what_players_type(written: str, move: object) -> None:
    assert GNOMIA.read(written) == move


@pytest.mark.parametrize("written", ["", "15", "0", "give", "give f", "take b", "100 10"])
def test_what_is_no_move(written: str) -> None:
    with pytest.raises(Malformed, match="move-text"):
        GNOMIA.read(written)


def test_the_history_tells_who_won_and_why() -> None:
    moves = Chosen(((0, Gnome(60)), (1, Gnome(60)), (2, Gnome(G))))
    told = [(tale.code, tale.facts) for tale in GNOMIA.tell(table(9), moves)]
    assert told == [("win", (0, 9, (60, 60, 0), 1)), ("grincheux", (2,))]
