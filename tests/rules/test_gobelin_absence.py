"""Gobelin des bois: what is drawn for a seat that is absent, and what dealing anew undoes."""

from __future__ import annotations

from rules.game import Choose, Deal, Slot
from rules.gobelin import Keep, Phase, Pick, Play, Show, Stop
from tests.rules.gobelin_table import GOBELIN, PLAIN, Table, table
from tests.rules.kit import moments

FIRST_LEFT = Play(0, 0, 0)
NO_WAY = "G-/G- 4"


def deal_anew(at: Table, *swaps: tuple[Slot, Slot]) -> None:
    """Pairs of hidden cards change places, and are seen again by whoever had seen them."""
    for one, other in swaps:
        at.deck.faces[one], at.deck.faces[other] = at.deck.faces[other], at.deck.faces[one]
    for seat in range(at.state.seats):
        at.deck.serve(Deal(tuple(at.sight(seat)), seat))
    at.state = at.game.redealt(at.state)


# What is drawn for the absent.


def test_the_absent_show_whatever_they_hold() -> None:
    for mine in ("R-/B- 2", NO_WAY):
        at = table([(mine, mine), (PLAIN, PLAIN)])
        assert at.game.absent(at.state, 0) == (Show(),)
        assert at.game.absent(at.state, 1) == ()


def test_the_absent_show_after_a_galop_too() -> None:
    at = table([("Rg/B- 2", NO_WAY), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.state.galop
    assert at.game.absent(at.state, 0) == (Show(),)


def test_any_card_may_be_picked_and_any_kept_for_the_absent() -> None:
    at = table([("Rt/B- 2", PLAIN), *[(PLAIN, PLAIN)] * 2]).do(FIRST_LEFT)
    assert at.game.absent(at.state, 0) == (Pick(1, 0), Pick(1, 1), Pick(2, 0), Pick(2, 1))
    at = table([("Re/B- 2", PLAIN), (PLAIN, PLAIN)]).do(FIRST_LEFT)
    assert at.game.absent(at.state, 0) == (Keep(0), Keep(1))


# What dealing anew undoes.


def test_a_card_that_was_to_be_uncovered_is_in_hand_again_and_its_owner_plays_again() -> None:
    at = table([("R-/B- 2", PLAIN), (PLAIN, PLAIN)], deck=["Y-/Y- 3", PLAIN])
    slots, top = at.state.hands[0], at.state.deck[0]
    at.say(FIRST_LEFT)
    deal_anew(at, (slots[0], top))
    assert at.asks() == Choose((0,), secret=False)
    assert at.state.hands[0] == slots
    assert at.state.played is None
    assert at.moves[0] == Play(0, 0, 1)
    at.do(Play(0, 0, 1))
    assert at.told == [("play", 0, top, 0, 1)]


def test_a_hand_that_was_to_be_shown_can_be_played_from_if_it_has_become_better() -> None:
    at = table([(NO_WAY, NO_WAY), (PLAIN, PLAIN)], deck=["G-/R- 3", PLAIN])
    at.say(Show())
    deal_anew(at, (at.state.hands[0][1], at.state.deck[0]))
    assert at.asks() == Choose((0,), secret=False)
    assert at.moves == (Play(1, 1, 0), Show())
    assert at.do(Play(1, 1, 0)).state.turn == 1


def test_a_turn_after_a_galop_is_still_one_when_its_card_comes_back() -> None:
    at = table([("Rg/B- 2", "Y-/Y- 0"), (PLAIN, PLAIN)], deck=[NO_WAY, NO_WAY, PLAIN])
    at.do(FIRST_LEFT)
    at.say(Play(0, 0, 1))
    deal_anew(at, (at.state.hands[0][0], at.state.deck[0]))
    assert at.state.galop
    assert at.moves == (Stop(), Show())


def test_what_was_truly_said_of_old_cards_convicts_nobody_by_the_new_ones() -> None:
    for move in (FIRST_LEFT, Show()):
        at = table(
            [("Rg/B- 2", NO_WAY), ("Y-/G- 0", NO_WAY)], deck=[NO_WAY, "B-/B- 3", PLAIN, PLAIN]
        )
        at.do(FIRST_LEFT, Stop())
        better = at.state.deck[0]
        deal_anew(at, (at.state.hands[0][0], better))
        assert at.state.claims == ()
        assert at.asks() == Choose((1,), secret=False)
        at.do(Play(0, 0, 1), move)
        assert at.told[-1] == ("play", 0, better, 0, 0)


def test_all_else_stays_as_it_is() -> None:
    same: set[Phase] = set()
    undone: set[Phase] = set()
    for seed in range(40):
        for moment in moments(GOBELIN, 3, seed):
            if moment.state.claims:
                continue
            anew = GOBELIN.redealt(moment.state)
            (same if anew == moment.state else undone).add(moment.state.phase)
    assert undone == {Phase.UNCOVER, Phase.AMBUSH}
    assert same == set(Phase) - undone - {Phase.OVER}
