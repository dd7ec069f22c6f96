"""Gobelin des bois, rule by rule: a round and a game, ambushes, and what is claimed of hands."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.game import Choose, Foul, Line, Open, Over, Shuffle
from rules.gobelin import (
    ASIDE,
    CARDS,
    RESHUFFLES,
    SEATS,
    Claim,
    Colour,
    Phase,
    Pick,
    Play,
    Show,
    Stop,
)
from tests.rules.gobelin_table import PLAIN, Table, new_round, table

FIRST_LEFT = Play(0, 0, 0)
NO_WAY = "G-/G- 0"
"""A card that goes with neither end of a red and blue trail."""


# Setup.


@pytest.mark.parametrize("seats", SEATS)
def test_two_cards_in_hand_one_treasure_eight_aside_and_one_on_the_trail(seats: int) -> None:
    state = new_round(seats, 3).state
    assert [len(hand) for hand in state.hands] == [2] * seats
    assert [len(chest) for chest in state.treasures] == [1] * seats
    assert len(state.aside) == ASIDE == 8
    assert len(state.trail) == 1
    assert len(state.deck) == CARDS - 8 - 3 * seats - 1
    assert state.reshuffles == RESHUFFLES[seats] == seats - 2


def test_each_player_sees_its_own_three_cards_and_the_trail() -> None:
    at = new_round(3, 3)
    for seat in range(3):
        own = {*at.state.hands[seat], *at.state.treasures[seat]}
        others = {slot for row in (*at.state.hands, *at.state.treasures) for slot in row} - own
        assert own <= at.sight(seat).keys()
        assert not others & at.sight(seat).keys()
        assert not {*at.state.aside, *at.state.deck} & at.sight(seat).keys()


def test_whoever_begins_is_drawn_and_every_seat_can_be() -> None:
    begins = {new_round(4, seed).state.first for seed in range(40)}
    assert begins == {0, 1, 2, 3}
    at = new_round(4, 5)
    assert at.told[0] == ("first", at.state.first)
    assert at.told[1] == ("start", 1, at.state.trail[0].face)
    assert at.state.turn == at.state.first


# An ambush.


def ambushed(seats: int = 3, treasures: Sequence[Sequence[str]] = ((), (), ())) -> Table:
    """Seat 0 has nothing to play and shows it."""
    hands = [(NO_WAY, NO_WAY), *[(PLAIN, PLAIN)] * (seats - 1)]
    return table(hands, ["R-/B- 0"], treasures=treasures).do(Show())


def test_an_ambushed_player_shows_both_cards_and_leaves_the_round_with_all_it_has() -> None:
    at = table([(NO_WAY, NO_WAY), *[(PLAIN, PLAIN)] * 2], ["R-/B- 0"], treasures=[(PLAIN,), (), ()])
    gone = at.state.hands[0] + at.state.treasures[0]
    assert at.moves == (Show(),)
    at.say(Show())
    assert at.asks() == Open(at.state.hands[0])
    at.run()
    assert at.told == [("ambush", 0, (1, 2))]
    assert at.state.removed == gone
    assert at.state.hands[0] == at.state.treasures[0] == ()
    assert at.state.playing == (False, True, True)
    assert at.asks() == Choose((1,), secret=False)


def test_the_last_player_left_wins_the_round_at_once_whatever_its_gold() -> None:
    at = ambushed(2, [("G-/G- 5",), ()])
    assert at.told[1:] == [
        ("last-one", 1),
        ("count", (-1, 2), (-1, 2)),
        ("round-won", 1),
    ]
    assert at.state.wins == (0, 1)


def test_cards_that_are_out_never_come_back_in_a_renewed_deck() -> None:
    trail = ["R-/Y- 0", "G-/G- 1", "G-/G- 2", "R-/B- 0"]
    hands = [(NO_WAY, "Y-/Y- 0"), ("R-/R- 0", PLAIN), (PLAIN, PLAIN)]
    at = table(hands, trail, deck=[PLAIN], aside=[PLAIN], reshuffles=1)
    trail_faces = {laid.face for laid in at.state.trail}
    at.do(Show(), FIRST_LEFT)
    assert at.told[-1] == ("reshuffle", 0)
    assert {at.deck.faces[slot] for slot in at.state.deck} <= trail_faces
    assert len(at.state.removed) == 2
    assert len(at.state.aside) == 1


# Showing a hand although it can be played.


def test_of_a_hand_that_is_shown_the_first_play_is_made_and_the_turn_goes_on() -> None:
    at = table([(NO_WAY, "Gg/Rc 2"), (PLAIN, PLAIN)], ["R-/B- 0"]).do(Show())
    assert at.told == [("shown", 0, (1, 2)), ("play", 0, 2, 1, 0), ("coffre", 0)]
    assert at.state.turn == 1
    assert at.state.hands[0][0] in at.sight(1)


# What is claimed after a galop.


def stopped(hand: Sequence[str] = (NO_WAY, NO_WAY)) -> Table:
    """Seat 0 has played a galop, then said that it cannot go on; the ends are blue and yellow."""
    at = table(
        [("Rg/B- 2", hand[0]), ("B-/B- 0", "Bt/B- 0")], deck=[hand[1], PLAIN, PLAIN, PLAIN, PLAIN]
    )
    return at.do(FIRST_LEFT, Stop())


def test_what_is_said_after_a_galop_is_believed_and_written_down() -> None:
    at = stopped()
    assert at.told[-1] == ("stop", 0)
    assert at.state.claims == (Claim(0, at.state.hands[0], (Colour.BLUE, Colour.YELLOW)),)
    assert at.state.turn == 1
    assert at.state.hands[0][0] not in at.sight(1)


def test_stopping_is_offered_only_to_those_for_whom_it_is_true() -> None:
    at = table([("Rg/B- 2", NO_WAY), (PLAIN, PLAIN)], deck=["Y-/Y- 0", PLAIN]).do(FIRST_LEFT)
    assert at.moves == (Play(1, 0, 1), Play(1, 1, 1), Show())
    at.say(Stop())
    assert at.state.turn == 1


def test_a_false_claim_is_found_out_when_the_card_is_played() -> None:
    at = stopped((NO_WAY, "Y-/G- 0")).do(FIRST_LEFT)
    at.say(Play(1, 0, 1))
    with pytest.raises(Foul, match="could-play") as caught:
        at.serve()
    assert caught.value.seat == 0


def test_a_false_claim_is_found_out_when_the_hand_is_shown() -> None:
    at = stopped((NO_WAY, "Y-/G- 0")).do(FIRST_LEFT)
    at.say(Show())
    with pytest.raises(Foul, match="could-play") as caught:
        at.serve()
    assert caught.value.seat == 0


def test_a_false_claim_convicts_whoever_made_it_wherever_the_card_is_by_then() -> None:
    at = stopped(("Y-/G- 0", NO_WAY))
    lie = at.state.hands[0][0]
    at.do(Play(1, 0, 0), Pick(0, 0))
    assert at.state.hands[1][0] == lie
    at.do(Show())
    assert at.state.turn == 1
    at.say(Play(0, 0, 1))
    with pytest.raises(Foul, match="could-play") as caught:
        at.serve()
    assert caught.value.seat == 0


def test_a_false_claim_is_found_out_at_the_end_of_the_round() -> None:
    at = table([("Rg/B- 2", NO_WAY), (NO_WAY, NO_WAY)], deck=["Y-/Y- 0", PLAIN])
    at.do(FIRST_LEFT, Stop())
    at.say(Show())
    at.serve()
    assert at.state.phase is Phase.COUNT
    with pytest.raises(Foul, match="could-play") as caught:
        at.serve()
    assert caught.value.seat == 0


def test_a_true_claim_is_forgotten_card_by_card_as_it_is_proven() -> None:
    at = stopped()
    first, second = at.state.hands[0]
    claimed = []
    for moves in [(Play(1, 0, 0), Pick(0, 0)), (Show(),), (Show(),)]:
        at.do(*moves)
        claimed.append([claim.slots for claim in at.state.claims])
    assert claimed == [[(first, second)], [(first,)], []]
    assert at.told[-1] == ("round-won", 0)


# The end of a round.


def last_turn(
    mine: Sequence[str], theirs: Sequence[str], wins: tuple[int, int] = (0, 0), first: int = 0
) -> Table:
    """Seat 0 draws the last card of the deck; gold and treasures are as given."""
    return table(
        [("R-/R- 0", "G-/G- 1"), ("G-/G- 1", "G-/G- 1")],
        treasures=[mine, theirs],
        deck=["G-/G- 1"],
        wins=wins,
        first=first,
    ).do(FIRST_LEFT)


def test_all_cards_of_those_still_in_are_opened_and_their_gold_counted() -> None:
    at = table(
        [("R-/R- 0", "G-/G- 1"), ("G-/G- 1", "G-/G- 1")],
        treasures=[("G-/G- 5",), (PLAIN, PLAIN)],
        deck=["G-/G- 1"],
    )
    at.say(FIRST_LEFT)
    at.serve()
    at.serve()
    assert at.state.phase is Phase.COUNT
    assert at.asks() == Open(held(at))
    at.run()
    assert at.told[2:] == [("count", (7, 4), (3, 4)), ("round-won", 0)]
    assert at.state.wins == (1, 0)


def held(at: Table) -> tuple[int, ...]:
    """All slots that players hold, seat after seat, hands first."""
    pairs = zip(at.state.hands, at.state.treasures, strict=True)
    return tuple(slot for hand, chest in pairs for slot in (*hand, *chest))


def test_equal_gold_goes_to_whoever_has_more_cards() -> None:
    at = last_turn(["G-/G- 2"], ["G-/G- 1", "G-/G- 1"])
    assert at.told[-2:] == [("count", (4, 4), (3, 4)), ("round-won", 1)]


def test_a_round_that_is_still_tied_is_replayed_and_the_same_seat_begins() -> None:
    at = last_turn(["G-/G- 2"], ["G-/G- 2"], wins=(1, 1), first=1)
    assert at.told[-1] == ("replay",)
    assert (at.state.wins, at.state.first, at.state.round) == ((1, 1), 1, 1)
    assert at.asks() == Shuffle(tuple(range(len(at.cards))))


def test_the_next_round_is_begun_by_the_next_seat_clockwise() -> None:
    at = last_turn(["G-/G- 5"], [], first=1)
    assert (at.state.first, at.state.round) == (0, 2)


def test_two_rounds_won_end_the_game_and_rank_the_seats() -> None:
    at = last_turn(["G-/G- 5"], [], wins=(1, 1))
    assert at.state.phase is Phase.OVER
    request = at.asks()
    assert isinstance(request, Over)
    scores = request.result.scores
    assert [(score.total, score.rank) for score in scores] == [(2, 1), (1, 2)]
    assert scores[0].lines == (Line("round", 2, 2),)


def test_one_round_won_does_not_end_the_game() -> None:
    assert last_turn(["G-/G- 5"], [], wins=(0, 1)).state.phase is Phase.PACK


def test_a_new_round_lays_out_all_cards_again() -> None:
    at = new_round(2, 4)
    at.until(Phase.PACK)
    at.until(Phase.PLAY)
    assert at.state.round == 2
    assert at.state.removed == ()
    assert at.state.playing == (True, True)
    assert len(at.state.deck) == 15
    assert sum(at.state.wins) == 1
