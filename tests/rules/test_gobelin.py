"""Gobelin des bois, rule by rule: a turn; every row of the ruling's case table is a test here."""

from __future__ import annotations

import pytest

from rules.game import Choose, Deal, Foul, Open, Shuffle
from rules.gobelin import (
    CARDS,
    Colour,
    Effect,
    Keep,
    Laid,
    Phase,
    Pick,
    Play,
    Show,
    Stop,
)
from rules.gobelin.trail import ends, squares
from tests.rules.gobelin_table import GOBELIN, PLAIN, Table, new_round, table
from tests.rules.houses.gobelin import cards as held
from tests.rules.kit import moments, played

FIRST_LEFT = Play(0, 0, 0)
FIRST_RIGHT = Play(0, 0, 1)


def hand(at: Table, seat: int) -> list[int]:
    """The faces of the hand of ``seat``."""
    return [at.deck.faces[slot] for slot in at.state.hands[seat]]


# Playing a card.


def test_a_square_covers_an_end_of_its_colour_and_the_other_half_is_the_new_end() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], ["R-/Y- 0"])
    at.do(Play(0, 0, 0))
    assert ends(at.cards, at.state.trail) == (Colour.BLUE, Colour.YELLOW)
    assert at.state.trail == (Laid(1, turned=True), Laid(0, turned=False))
    assert at.told == [("play", 0, 1, 0, 0)]


@pytest.mark.parametrize(
    ("half", "end", "trail", "turned"),
    [
        (0, 0, "R-/Y- 0", True),
        (0, 1, "Y-/R- 0", False),
        (1, 0, "B-/Y- 0", False),
        (1, 1, "Y-/B- 0", True),
    ],
)
def test_a_card_is_turned_so_that_the_square_chosen_covers(
    half: int, end: int, trail: str, turned: bool
) -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], [trail]).do(Play(0, half, end))
    laid = at.state.trail[-end]
    assert laid == Laid(1, turned)
    assert squares(at.cards, laid)[end] == at.cards[1].squares[1 - half]


def test_only_squares_of_the_colour_of_an_end_are_offered() -> None:
    at = table([("R-/B- 2", "G-/Y- 1"), (PLAIN, PLAIN)], ["R-/Y- 0"])
    assert at.moves == (Play(0, 0, 0), Play(1, 1, 1), Show())


def test_a_square_of_any_colour_goes_with_every_end_and_every_square_with_such_an_end() -> None:
    at = table([("R-/*- 0", "G-/B- 0"), (PLAIN, PLAIN)], ["R-/Y- 0"])
    assert at.moves == (Play(0, 0, 0), Play(0, 1, 0), Play(0, 1, 1), Show())
    at = table([("G-/B- 0", PLAIN), (PLAIN, PLAIN)], ["*-/Y- 0"])
    assert at.moves[:2] == (Play(0, 0, 0), Play(0, 1, 0))


def test_both_ends_of_a_trail_of_one_card_can_be_covered() -> None:
    at = table([("R-/G- 0", "B-/B- 0"), (PLAIN, PLAIN)], ["R-/R- 0"])
    assert at.moves == (Play(0, 0, 0), Play(0, 0, 1), Show())


def test_a_card_that_does_not_match_convicts_whoever_played_it_when_it_is_uncovered() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], ["R-/Y- 0"])
    at.say(Play(0, 1, 0))
    assert at.asks() == Open((1,))
    with pytest.raises(Foul, match="no-match") as caught:
        at.serve()
    assert caught.value.seat == 0


def test_the_hand_is_filled_up_unseen_by_others_and_the_next_seat_clockwise_plays() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN), (PLAIN, PLAIN)], deck=["B-/B- 4", PLAIN])
    top = at.state.deck[0]
    at.say(FIRST_LEFT)
    at.serve()
    assert at.asks() == Deal((top,), 0)
    at.run()
    assert at.state.hands[0] == (2, top)
    assert top in at.sight(0)
    assert top not in at.sight(1)
    assert at.asks() == Choose((1,), secret=False)


def test_who_is_out_is_passed_over() -> None:
    at = table([("R-/R- 2", PLAIN), (), (PLAIN, PLAIN)], playing=(True, False, True))
    assert at.do(FIRST_LEFT).state.turn == 2
    assert at.do(FIRST_LEFT).state.turn == 0


# Effects.


def test_coffre_makes_the_top_card_of_the_deck_a_treasure_that_only_its_owner_sees() -> None:
    at = table([("Rc/B- 2", PLAIN), (PLAIN, PLAIN)], deck=["G-/G- 5", PLAIN, PLAIN])
    first, second, _ = at.state.deck
    at.do(FIRST_LEFT)
    assert at.state.treasures == ((first,), ())
    assert at.state.hands[0] == (2, second)
    assert first in at.sight(0)
    assert first not in at.sight(1)
    assert at.told[1:] == [("coffre", 0)]


def test_vol_takes_a_treasure_unseen_and_only_then_is_it_looked_at() -> None:
    at = table([("Rv/B- 2", PLAIN), (PLAIN, PLAIN)], treasures=[(), ("G-/G- 5", "Y-/Y- 4")])
    stolen = at.state.treasures[1][1]
    at.do(FIRST_LEFT)
    assert at.state.phase is Phase.TARGET
    assert at.moves == (Pick(1, 0), Pick(1, 1))
    assert stolen not in at.sight(0)
    at.say(Pick(1, 1))
    assert at.asks() == Deal((stolen,), 0)
    at.run()
    assert at.state.treasures[0] == (stolen,)
    assert len(at.state.treasures[1]) == 1
    assert at.told[1:] == [("vol", 0, 1)]


def test_troc_exchanges_ones_remaining_card_and_both_look() -> None:
    at = table([("Rt/B- 2", "G-/G- 0"), (PLAIN, "Y-/Y- 5"), (PLAIN, PLAIN)])
    mine, theirs = at.state.hands[0][1], at.state.hands[1][1]
    at.do(FIRST_LEFT)
    assert at.moves == (Pick(1, 0), Pick(1, 1), Pick(2, 0), Pick(2, 1))
    at.do(Pick(1, 1))
    assert at.state.hands[0][0] == theirs
    assert at.state.hands[1][1] == mine
    assert theirs in at.sight(0)
    assert mine in at.sight(1)
    assert mine not in at.sight(2)
    assert theirs not in at.sight(2)
    assert at.told[1:] == [("troc", 0, 1)]


def test_sherif_puts_a_treasure_under_the_deck_and_nobody_looks() -> None:
    at = table([("Rs/B- 2", PLAIN), (PLAIN, PLAIN)], treasures=[(), ("G-/G- 5",)])
    gone = at.state.treasures[1][0]
    at.do(FIRST_LEFT, Pick(1, 0))
    assert at.state.treasures == ((), ())
    assert at.state.deck[-1] == gone
    assert gone not in at.sight(0)
    assert at.told[1:] == [("sherif", 0, 1)]


@pytest.mark.parametrize("keep", [0, 1])
def test_espion_looks_at_two_cards_and_puts_one_on_top_the_other_at_the_bottom(keep: int) -> None:
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)], deck=["G-/G- 5", "Y-/Y- 4", PLAIN])
    *spied, rest = at.state.deck
    at.say(FIRST_LEFT)
    at.serve()
    assert at.asks() == Deal(tuple(spied), 0)
    at.run()
    assert at.moves == (Keep(0), Keep(1))
    assert not any(slot in at.sight(1) for slot in spied)
    at.do(Keep(keep))
    assert at.state.hands[0][1] == spied[keep]
    assert at.state.deck == (rest, spied[1 - keep])
    assert at.told[1:] == [("espion", 0)]


def test_galop_plays_again_after_the_hand_is_filled_up() -> None:
    at = table([("Rg/B- 2", "Y-/Y- 0"), (PLAIN, PLAIN)], deck=["B-/B- 1", PLAIN, PLAIN])
    at.do(FIRST_LEFT)
    assert at.state.turn == 0
    assert at.state.galop
    assert len(at.state.hands[0]) == 2
    assert at.told[1:] == [("galop", 0)]
    assert not at.do(FIRST_RIGHT).state.galop
    assert at.state.turn == 1


def test_the_effect_is_the_covering_squares_and_the_first_card_of_a_trail_has_none() -> None:
    at = table([("Rc/Bg 2", PLAIN), (PLAIN, PLAIN)], ["Bs/Rv 0"])
    at.do(Play(0, 1, 0))
    assert ("galop", 0) in at.told
    assert at.state.treasures[0] == ()
    begun = new_round(3, 5)
    assert begun.told[-1][0] == "start"
    assert begun.state.effect is Effect.NONE


def test_an_effect_that_is_possible_is_carried_out_whoever_would_rather_not() -> None:
    at = table([("Rt/B- 2", "G-/G- 5"), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.moves == (Pick(1, 0), Pick(1, 1))
    assert at.refusal(Show()) == at.refusal(Stop()) == at.refusal(FIRST_LEFT) == "not-now"


def test_targets_are_offered_clockwise_from_the_mover() -> None:
    chests = [(PLAIN,)] * 4
    at = table(
        [(PLAIN, PLAIN)] * 2 + [("Rv/B- 2", PLAIN), (PLAIN, PLAIN)], treasures=chests, turn=2
    )
    assert at.do(FIRST_LEFT).moves == (Pick(3, 0), Pick(0, 0), Pick(1, 0))


# The case table.


def test_case_declining_to_play_is_not_allowed() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)])
    assert at.refusal(Stop()) == "no-galop"
    assert not {type(move) for move in at.moves} - {Play, Show}
    at.do(Show())
    assert at.told[:2] == [("shown", 0, (1, 2)), ("play", 0, 1, 0, 0)]
    assert at.state.turn == 1


def test_case_an_ambush_on_the_first_turn_stands() -> None:
    for seed in range(2000):
        at = new_round(3, seed)
        if at.moves == (Show(),):
            break
    seat = at.state.turn
    assert seat is not None
    at.do(Show())
    assert at.told[-1][:2] == ("ambush", seat)
    assert not at.state.playing[seat]
    assert at.state.turn == (seat + 1) % 3


def test_case_coffre_takes_the_last_card_and_the_player_ends_with_one_card_in_hand() -> None:
    at = table([("Rc/B- 2", "G-/G- 3"), (PLAIN, PLAIN)], deck=["Y-/Y- 5"])
    at.do(FIRST_LEFT)
    assert at.told[1:4] == [("coffre", 0), ("deck-out",), ("count", (8, 2), (2, 2))]
    assert at.state.phase is Phase.PACK
    assert len(at.state.hands[0]) == 1


def test_case_coffre_takes_the_last_card_and_the_deck_is_renewed_before_the_draw() -> None:
    trail = ["R-/Y- 0", "G-/G- 1", "G-/G- 2", "B-/B- 0"]
    at = table([("Rc/B- 2", PLAIN), (PLAIN, PLAIN)], trail, deck=["Y-/Y- 5"], reshuffles=2)
    at.do(FIRST_LEFT)
    assert at.told[1:] == [("coffre", 0), ("reshuffle", 1)]
    assert len(at.state.treasures[0]) == 1
    assert len(at.state.hands[0]) == 2
    assert hand(at, 0)[1] in {0, 1, 2}
    assert len(at.state.deck) == 2


def test_case_a_draw_takes_the_last_card_and_the_deck_is_renewed_at_once() -> None:
    trail = ["R-/Y- 0", "G-/G- 1", "G-/G- 2", "B-/B- 0"]
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], trail, deck=["Y-/Y- 5"], reshuffles=1)
    at.say(FIRST_LEFT)
    at.serve()
    assert at.asks() == Shuffle((0, 1, 2))
    at.run()
    assert at.told[1:] == [("reshuffle", 0)]
    assert [laid.face for laid in at.state.trail] == [4, 3]
    assert sorted(at.deck.faces[slot] for slot in at.state.deck) == [0, 1, 2]
    assert at.state.turn == 1
    assert not at.state.ending


def test_case_after_a_renewal_in_mid_draw_drawing_goes_on() -> None:
    trail = ["R-/Y- 0", "G-/G- 1", "G-/G- 2", "B-/B- 0"]
    at = table([("R-/B- 2",), (PLAIN, PLAIN)], trail, deck=["Y-/Y- 5"], reshuffles=1)
    at.do(FIRST_LEFT)
    assert at.told[1:] == [("reshuffle", 0)]
    assert len(at.state.hands[0]) == 2
    assert len(at.state.deck) == 2


def test_case_with_nothing_to_renew_the_deck_from_the_round_ends_with_the_turn() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], deck=["Y-/Y- 5"], reshuffles=2)
    at.do(FIRST_LEFT)
    assert at.told[1:3] == [("deck-out",), ("count", (6, 2), (2, 2))]
    assert at.state.phase is Phase.PACK


def test_case_an_effect_without_a_target_is_skipped() -> None:
    for letter, effect in [("v", Effect.VOL), ("s", Effect.SHERIF)]:
        at = table([(f"R{letter}/B- 2", PLAIN), (PLAIN, PLAIN)], treasures=[(PLAIN,), ()])
        at.do(FIRST_LEFT)
        assert at.told[1:] == [("skipped", 0, int(effect))]
        assert at.state.turn == 1
    at = table([("Rt/B- 2", PLAIN), ()])
    assert at.do(FIRST_LEFT).told[1:] == [("skipped", 0, int(Effect.TROC))]


def test_case_those_who_are_out_are_no_targets() -> None:
    at = table(
        [("Rv/B- 2", PLAIN), (PLAIN, PLAIN), ()],
        treasures=[(), (PLAIN,), (PLAIN,)],
        playing=(True, True, False),
    )
    at.do(FIRST_LEFT)
    assert at.moves == (Pick(1, 0),)
    assert at.refusal(Pick(2, 0)) == "out-of-round"


def test_case_troc_without_a_remaining_card_is_skipped() -> None:
    at = table([("Rt/B- 2",), (PLAIN, PLAIN)])
    assert at.do(FIRST_LEFT).told[1:] == [("skipped", 0, int(Effect.TROC))]


def test_case_espion_with_fewer_than_two_cards_in_the_deck_is_skipped() -> None:
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)], deck=[PLAIN])
    assert at.do(FIRST_LEFT).told[1] == ("skipped", 0, int(Effect.ESPION))


def test_case_coffre_with_an_empty_deck_is_skipped() -> None:
    at = table([("Rc/B- 2", PLAIN), (PLAIN, PLAIN)], deck=[], ending=True)
    assert at.do(FIRST_LEFT).told[1] == ("skipped", 0, int(Effect.COFFRE))


def test_case_several_galops_in_a_row_are_allowed() -> None:
    deck = ["Bg/G- 0", "Gc/R- 0", PLAIN, PLAIN, PLAIN]
    at = table([("Rg/B- 0", PLAIN), (PLAIN, PLAIN)], deck=deck)
    at.do(FIRST_LEFT, Play(1, 0, 0), Play(1, 0, 0))
    assert [tale[0] for tale in at.told] == ["play", "galop", "play", "galop", "play", "coffre"]
    assert at.state.turn == 1


def test_case_after_a_galop_nobody_falls_into_an_ambush() -> None:
    hopeless = ("Rg/B- 0", "G-/G- 0")
    for move, code in [(Stop(), "stop"), (Show(), "stop-shown")]:
        at = table([hopeless, (PLAIN, PLAIN)], deck=["G-/G- 0", PLAIN]).do(FIRST_LEFT)
        assert at.moves == (Stop(), Show())
        at.do(move)
        assert at.told[-1][0] == code
        assert at.state.playing == (True, True)
        assert at.state.turn == 1


def test_case_a_galop_chain_is_over_when_the_deck_runs_out() -> None:
    at = table([("Rg/B- 2", PLAIN), (PLAIN, PLAIN)], deck=[PLAIN]).do(FIRST_LEFT)
    assert at.told[1:3] == [("deck-out",), ("skipped", 0, int(Effect.GALOP))]
    assert at.told[3][0] == "count"


def test_case_a_galop_chain_goes_on_after_a_renewal_of_the_deck() -> None:
    trail = ["R-/Y- 0", "G-/G- 1", "B-/B- 0"]
    at = table([("Rg/B- 2", PLAIN), (PLAIN, PLAIN)], trail, deck=[PLAIN], reshuffles=1)
    assert at.do(FIRST_LEFT).told[1:] == [("reshuffle", 0), ("galop", 0)]
    assert at.state.turn == 0


def test_case_a_sherif_has_no_effect_once_the_round_is_finished() -> None:
    rider = ("Rg/B- 2", "Bs/G- 0")
    at = table([rider, (PLAIN, PLAIN)], deck=[PLAIN], treasures=[(), ("G-/G- 5",)])
    at.do(FIRST_LEFT)
    assert at.state.phase is Phase.PACK
    assert "sherif" not in [tale[0] for tale in at.told]
    assert ("count", (1, 7), (2, 3)) in at.told


def test_case_a_sherif_before_the_last_draw_keeps_the_round_going() -> None:
    at = table([("Rs/B- 2", PLAIN), (PLAIN, PLAIN)], deck=[PLAIN], treasures=[(), ("G-/G- 5",)])
    at.do(FIRST_LEFT, Pick(1, 0))
    assert not at.state.ending
    assert len(at.state.deck) == 1
    assert at.state.turn == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_case_thirty_cards_are_conserved_at_every_moment(seats: int) -> None:
    for seed in range(6):
        for moment in moments(GOBELIN, seats, seed):
            assert held(moment.after) == CARDS


# Whole games.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_many_games_between_players_that_do_not_think_end_without_a_fault(seats: int) -> None:
    for seed in range(60):
        print(f"seed {seed}")
        assert len(played(GOBELIN, seats, seed).result.winners) == 1
