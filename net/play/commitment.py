"""Choosing in secret: commit to a move, see that all have committed, then open.

A commitment hides the move behind 32 random bytes and binds table, step, everything that happened
before, and seat, so that nobody can copy another's commitment and later its opening. The reveal
is sent in the step after, whose ``prev`` covers all commitments: it says by itself which set of
commitments its sender saw.
"""

from __future__ import annotations

from typing import Any

from net.play.digest import SIZE, digest
from net.play.rounds import Absent, Contributions, Fault, Here, Round, Script
from net.play.stream import Stream
from net.play.wire import pack
from rules.form import from_plain, plain
from rules.game import Choose, Chosen, Game, Malformed, Move, RuleError, Seat, State

NONCE = 32
"""Length of a commitment's nonce in bytes."""


def commitment(here: Here, seat: Seat, nonce: bytes, move: bytes) -> bytes:
    """What ``seat`` publishes at ``here`` to bind itself to the packed ``move``."""
    return digest(b"farfadet commit", here.context(seat), nonce, move)


def choose_secretly(
    game: Game, state: State, request: Choose, me: Seat | None, secret: bytes | None
) -> Script[Chosen]:
    """Two rounds: every seat asked commits, then every one of them reveals."""
    mine: list[Any] = []
    places: dict[Seat, Here] = {}

    def commit(here: Here, move: Move) -> bytes:
        assert me is not None
        assert secret is not None
        nonce = Stream(secret, b"commit", here.context(me)).take(NONCE)
        mine[:] = [nonce, plain(move)]
        return commitment(here, me, nonce, pack(mine[1]))

    def committed(here: Here, seat: Seat, body: Any) -> bytes:
        if not isinstance(body, bytes) or len(body) != SIZE:
            raise Fault("bad-commitment")
        places[seat] = here
        return body

    commits = yield Round("commit", request.seats, None, committed, commit)

    def revealed(_: Here, seat: Seat, body: Any) -> Move:
        match body:
            case [bytes(nonce), opened] if len(nonce) == NONCE:
                pass
            case _:
                raise Fault("bad-reveal")
        if commitment(places[seat], seat, nonce, pack(opened)) != commits[seat]:
            raise Fault("reveal-mismatch")
        return legal(game, state, seat, opened)

    # Without what we committed to (made before we were restarted) only others can bring it back.
    make = (lambda _: list(mine)) if mine else None
    sealed = tuple(seat for seat in request.seats if not isinstance(commits[seat], Absent))
    opened = (yield Round("reveal", sealed, make, revealed)) if sealed else {}
    return Chosen(
        tuple((seat, _move(game, state, seat, commits[seat], opened)) for seat in request.seats)
    )


def _move(
    game: Game, state: State, seat: Seat, commit: bytes | Absent, opened: Contributions
) -> Move:
    """What ``seat`` has opened, or what counts in its place."""
    if isinstance(commit, Absent):
        return drawn(game, state, seat, commit)
    return game.default(state, seat) if isinstance(opened[seat], Absent) else opened[seat]


def choose_openly(game: Game, state: State, request: Choose) -> Script[Chosen]:
    """One round: the only seat asked plays its move for all to see."""
    moves = yield Round(
        "play",
        request.seats,
        None,
        lambda _, seat, body: legal(game, state, seat, body),
        lambda _, move: plain(move),
    )
    ((seat, move),) = moves.items()
    if isinstance(move, Absent):
        move = drawn(game, state, seat, move)
    return Chosen(((seat, move),))


def drawn(game: Game, state: State, seat: Seat, absent: Absent) -> Move:
    """The move of a seat that is absent when it should choose: drawn by lot, so it says nothing."""
    moves = game.absent(state, seat)
    return moves[Stream(absent.draw, b"absent").below(len(moves))]


def legal(game: Game, state: State, seat: Seat, body: Any) -> Move:
    """The move in ``body``, if ``seat`` may make it; otherwise ``Fault``."""
    try:
        move = from_plain(game.move_types, body)
        game.check(state, seat, move)
    except Malformed as error:
        raise Fault("bad-move", error) from error
    except RuleError as error:
        raise Fault("illegal-move", error) from error
    return move
