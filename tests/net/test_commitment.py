"""A commitment says nothing until it is opened, and then only one thing, in one place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

import rules
from net.play.commitment import NONCE, choose_openly, choose_secretly, commitment, legal
from net.play.digest import SIZE
from net.play.rounds import Fault, Here, Round
from net.play.wire import pack, unpack
from rules.deal import play
from rules.form import plain
from rules.game import Choose, Chosen, Move, State
from rules.taverne import Mushroom
from tests.net.test_wire import bodies

GAME = rules.load("taverne")
HERE = Here(b"t" * SIZE, 7, b"p" * SIZE)
NEXT = Here(b"t" * SIZE, 8, b"q" * SIZE)
SECRETS = (b"a" * SIZE, b"b" * SIZE, b"c" * SIZE)

FIRST = Mushroom(0)


def first_choice() -> tuple[State, Choose]:
    """The state at the first secret choice of a game of three, and what it asks."""
    from rules.bots import bot
    from rules.bots.chooser import Dice

    dice = Dice("commitment")
    state = GAME.start(3)
    for event in play(GAME, 3, [bot("random", dice)] * 3, dice).events:
        request = GAME.request(state)
        if isinstance(request, Choose) and request.secret:
            return state, request
        state = GAME.apply(state, event)
    raise AssertionError


STATE, REQUEST = first_choice()


class Seat:
    """One seat's script of a secret choice, answered by hand."""

    def __init__(self, seat: int | None) -> None:
        secret = None if seat is None else SECRETS[seat]
        self.script = choose_secretly(GAME, STATE, REQUEST, seat, secret)
        self.commit = self.asked({})

    def asked(self, answer: dict[int, Any]) -> Round:
        """The round that the script asks for after ``answer``."""
        asked = self.script.send(answer) if answer else next(self.script)
        assert isinstance(asked, Round)
        return asked

    def seal(self, move: Move, here: Here = HERE) -> Any:
        """What the seat says to commit to ``move``."""
        assert self.commit.answer is not None
        return self.commit.answer(here, move)


def sealed_and_opened(move: Move = FIRST) -> tuple[Seat, list[bytes], list[Any]]:
    """A follower that has seen everybody commit to ``move``, their commitments and openings."""
    follower, seats = Seat(None), [Seat(seat) for seat in REQUEST.seats]
    said = [seat.seal(move) for seat in seats]
    parsed = {at: follower.commit.check(HERE, at, body) for at, body in enumerate(said)}
    openings = []
    for seat in seats:
        for at, body in enumerate(said):
            seat.commit.check(HERE, at, body)
        reveal = seat.asked(parsed)
        assert reveal.make is not None
        openings.append(unpack(pack(reveal.make(NEXT))))
    follower.commit = follower.asked(parsed)
    return follower, said, openings


def fault(round_: Round, seat: int, body: Any) -> str:
    """Of what ``body`` convicts ``seat``."""
    with pytest.raises(Fault) as caught:
        round_.check(NEXT, seat, body)
    return caught.value.code


def test_what_is_sealed_is_opened_by_everybody_alike() -> None:
    follower, _, openings = sealed_and_opened()
    moves = {at: follower.commit.check(NEXT, at, body) for at, body in enumerate(openings)}
    with pytest.raises(StopIteration) as stopped:
        follower.script.send(moves)
    assert stopped.value.value == Chosen(tuple((seat, Mushroom(0)) for seat in REQUEST.seats))


def test_everything_around_it_is_inside_the_commitment() -> None:
    places = [
        HERE,
        replace(HERE, table=b"u" * SIZE),
        replace(HERE, step=8),
        replace(HERE, prev=b"q" * SIZE),
    ]
    nonce, move = bytes(NONCE), pack(plain(Mushroom(0)))
    made = [commitment(here, seat, nonce, move) for here in places for seat in (0, 1)]
    made.append(commitment(HERE, 0, b"\1" + nonce[1:], move))
    made.append(commitment(HERE, 0, nonce, pack(plain(Mushroom(1)))))
    assert len(set(made)) == len(made)
    assert all(len(each) == SIZE for each in made)


def test_equal_moves_look_different_on_every_seat_and_at_every_step() -> None:
    seats = [Seat(seat) for seat in REQUEST.seats]
    said = [seat.seal(Mushroom(0), here) for seat in seats for here in (HERE, NEXT)]
    assert len(set(said)) == len(said)


def test_a_seat_that_is_started_again_makes_the_same_commitment() -> None:
    assert Seat(1).seal(Mushroom(1)) == Seat(1).seal(Mushroom(1))
    assert Seat(1).seal(Mushroom(1)) != Seat(1).seal(Mushroom(0))


def test_what_is_no_commitment_convicts() -> None:
    for body in (b"", bytes(31), bytes(33), None, 0, "x" * 32, [bytes(32)]):
        assert fault(Seat(None).commit, 0, body) == "bad-commitment"


def test_an_opening_of_another_move_nonce_or_seat_convicts() -> None:
    follower, _, openings = sealed_and_opened()
    nonce, move = openings[0]
    for body in (
        [nonce, plain(Mushroom(1))],
        [bytes(NONCE), move],
        openings[1],
        [nonce, [*move, 0]],
        [nonce, None],
    ):
        assert fault(follower.commit, 0, body) == "reveal-mismatch"
    for body in ([nonce[1:], move], [move, nonce], [nonce], [nonce, move, 0], None, b"", []):
        assert fault(follower.commit, 0, body) == "bad-reveal"


@pytest.mark.parametrize(
    ("opened", "code"),
    [
        (["Mushroom", 99], "illegal-move"),
        (["Mushroom", -1], "illegal-move"),
        (["Mushroom", 2**63], "illegal-move"),
        (["Mushroom", True], "bad-move"),
        (["Mushroom", "0"], "bad-move"),
        (["Mushroom"], "bad-move"),
        (["Mushroom", 0, 0], "bad-move"),
        (["Nothing", 0], "bad-move"),
        (None, "bad-move"),
    ],
)
def test_a_move_that_was_well_sealed_but_may_not_be_made_convicts(opened: Any, code: str) -> None:
    follower = Seat(None)
    body = commitment(HERE, 0, bytes(NONCE), pack(opened))
    parsed = {seat: follower.commit.check(HERE, seat, body) for seat in REQUEST.seats}
    assert fault(follower.asked(parsed), 0, [bytes(NONCE), opened]) == code


@given(bodies)
def test_no_body_makes_the_judgement_of_a_move_fail_in_any_other_way(body: Any) -> None:
    try:
        move = legal(GAME, STATE, 0, body)
    except Fault as found:
        code = found.code
    else:
        assert plain(move) == body
        return
    assert code in ("bad-move", "illegal-move")


def test_an_open_choice_is_judged_like_a_sealed_one() -> None:
    asked = next(choose_openly(GAME, STATE, Choose((0,), secret=False)))
    assert isinstance(asked, Round)
    assert asked.answer is not None
    said = asked.answer(HERE, Mushroom(1))
    assert asked.check(HERE, 0, said) == Mushroom(1)
    assert fault(asked, 0, ["Mushroom", 99]) == "illegal-move"
    assert fault(asked, 0, b"") == "bad-move"
