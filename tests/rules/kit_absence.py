"""The kit's checks of what happens when seats are away and hidden cards are dealt anew."""

from __future__ import annotations

import msgpack

from rules.bots import bot
from rules.bots.chooser import Dice
from rules.deal import OpenDeck
from rules.form import from_plain, from_text, plain, text
from rules.game import Choose, Chosen, Face, Game, Move, Over, Seat, Shuffle, Shuffled, Slot, State
from tests.rules.kit import moments

GAMES = 40
"""How many games are played for each seed."""
LOST = 12
"""In one of so many moments, all that is hidden is dealt anew."""
SLOW = 6
"""One of so many moves of a seat that is present is drawn by lot."""
GUESSES = 12
"""How often the faces that a seat has seen are exchanged for others."""
LONGEST = 3000
"""No game takes so many moments, although some of them are undone."""


def draws_for_the_absent(game: Game, seats: int, seed: int) -> None:
    """For a seat that is asked there are moves to draw, all legal whatever is hidden."""
    dice = Dice(f"{seed}")
    pools: dict[Slot, tuple[Face, ...]] = {}
    for moment in moments(game, seats, seed):
        asked = moment.request.seats if isinstance(moment.request, Choose) else ()
        for seat in range(seats):
            drawn = game.absent(moment.state, seat)
            assert drawn == game.absent(moment.state, seat)
            assert len(set(drawn)) == len(drawn)
            assert bool(drawn) is (seat in asked)
            for move in drawn:
                game.check(moment.state, seat, move)
            for _ in range(GUESSES if drawn else 0):
                guess = {s: pools[s][dice.below(len(pools[s]))] for s in moment.sights[seat]}
                assert set(drawn) <= set(game.moves(moment.state, seat, guess))
        if isinstance(moment.request, Shuffle) and isinstance(moment.event, Shuffled):
            pools.update(dict.fromkeys(moment.event.slots, moment.request.faces))


def deals_anew_at_any_moment(game: Game, seats: int, seed: int) -> None:
    """A state of which all that is hidden was dealt anew is a state like any other."""
    for moment in moments(game, seats, seed):
        anew = game.redealt(moment.after)
        assert game.redealt(anew) == anew
        assert isinstance(game.request(anew), Over) is isinstance(game.request(moment.after), Over)
        if anew != moment.after:
            packed = msgpack.packb(plain(anew))
            assert from_plain(game.state_type, msgpack.unpackb(packed)) == anew
            assert from_text(game.state_type, text(anew)) == anew


def goes_on_whoever_is_away(game: Game, seats: int, seed: int) -> None:
    """Games come to an end, and convict nobody, when seats are away and cards are dealt anew.

    One seat is away for the whole game, the others now and then; all play legal moves as they see
    them. Nothing raises: no ``Foul``, no ``Illegal``, no ``Mismatch``.
    """
    lost = sum(_lossy(game, seats, f"{seed}/{number}") for number in range(GAMES))
    assert lost > 0


def _lossy(game: Game, seats: int, seed: str) -> int:
    """Play such a game to its end; returns how often cards were dealt anew."""
    print(f"seed {seed}")
    dice, deck = Dice(seed), OpenDeck(seats, Dice(f"{seed}/deck"))
    players = [bot("random", Dice(f"{seed}/{seat}")) for seat in range(seats)]
    away, state, lost = dice.below(seats), game.start(seats), 0

    def move(state: State, seat: Seat) -> Move:
        if seat == away or dice.below(SLOW) == 0:
            drawn = game.absent(state, seat)
            return drawn[dice.below(len(drawn))]
        return players[seat](game, state, seat, deck.sight(seat))

    for _ in range(LONGEST):
        if dice.below(LOST) == 0:
            deck.deal_anew()
            state, lost = game.redealt(state), lost + 1
        request = game.request(state)
        if isinstance(request, Over):
            return lost
        if isinstance(request, Choose):
            moves = tuple([(seat, move(state, seat)) for seat in request.seats])
            state = game.apply(state, Chosen(moves))
        else:
            state = game.apply(state, deck.serve(request))
    raise AssertionError("this game does not end")
