"""The kit every game must pass: a check is a function of a game, a number of seats and a seed.

``tests/rules/test_kit.py`` runs all of it on every game there is. What only one game has (what is
conserved, which seats are alike) is given by that game's module in ``tests/rules/houses/``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgpack

from rules.bots import bot, levels
from rules.bots.chooser import Dice
from rules.deal import OpenDeck, Played, play
from rules.form import EVENTS, fingerprint, from_plain, from_text, plain, text
from rules.game import (
    Choose,
    Chosen,
    Dealt,
    Event,
    Game,
    Move,
    Opened,
    Over,
    Request,
    RuleError,
    Seat,
    Shuffled,
    Sight,
    State,
)

GOLDEN = Path(__file__).parent / "golden"
REWRITE = os.environ.get("FARFADET_GOLDEN") == "write"

STRANGERS: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    "",
    "x" * 5000,
    b"",
    (),
    (1, 2),
    [],
    {},
    object(),
    float("nan"),
    Shuffled(()),
    Shuffled((0, 0)),
    Dealt((0,), 0),
    Opened(()),
    Opened(((0, 99),)),
    Opened(((-1, 0),)),
    Chosen(()),
    Chosen(((0, None),)),
    Chosen(((99, None),)),
)
"""Values that answer nothing and are no move: whoever is given one must say so and do nothing."""


@dataclass(frozen=True)
class House:
    """What only one game knows of itself.

    ``kept`` counts what a state must always hold; ``turned`` is the state with every seat moved on
    by one, or ``None`` where seats differ by the rules; ``moved`` is a move so turned.
    """

    kept: Callable[[State], object]
    turned: Callable[[State], State] | None = None
    moved: Callable[[State, Move], Move] | None = None


Item = TypeVar("Item")


def moved_on(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """What is kept by seat, when every seat has moved on by one."""
    return (items[-1], *items[:-1])


@dataclass(frozen=True)
class Moment:
    """One point of a game: its state, what it asks, what each seat sees, and what came of it."""

    state: State
    request: Request
    sights: Mapping[Seat, Sight]
    event: Event
    after: State


def played(game: Game, seats: int, seed: int, level: str = "random") -> Played:
    """A whole game between bots."""
    choosers = [bot(level, Dice(f"{seed}/{seat}")) for seat in range(seats)]
    return play(game, seats, choosers, Dice(f"{seed}"))


def moments(game: Game, seats: int, seed: int) -> Iterator[Moment]:
    """The same game, moment by moment."""
    deck = OpenDeck(seats, Dice(f"{seed}"))
    state = game.start(seats)
    for event in played(game, seats, seed).events:
        request = game.request(state)
        sights = {seat: dict(deck.sight(seat)) for seat in range(seats)}
        if not isinstance(request, Choose):
            assert deck.serve(request) == event
        after = game.apply(state, event)
        yield Moment(state, request, sights, event, after)
        state = after


def raises_rule_error(call: Callable[[], object]) -> bool:
    """Whether ``call`` fails, and in the one way that rules may fail."""
    try:
        call()
    except RuleError:
        return True
    return False


# The checks.


def ends(game: Game, seats: int, seed: int) -> None:
    """Every game ends, with a score for every seat, ranks that agree with them, and a winner."""
    result = played(game, seats, seed).result
    assert [score.seat for score in result.scores] == list(range(seats))
    assert all(sum(line.points for line in s.lines) == s.total for s in result.scores)
    assert result.winners
    for score in result.scores:
        better = [other for other in result.scores if other.rank < score.rank]
        assert len(better) == score.rank - 1
        assert all(other.total >= score.total for other in better)


def replays(game: Game, seats: int, seed: int) -> None:
    """The events alone lead to the same end again."""
    state = game.start(seats)
    once = played(game, seats, seed)
    for event in once.events:
        state = game.apply(state, event)
    assert game.request(state) == Over(once.result)


def touches_nothing(game: Game, seats: int, seed: int) -> None:
    """No call changes a state it was given: all past states keep their fingerprints."""
    past: list[tuple[State, bytes]] = []
    for moment in moments(game, seats, seed):
        past.append((moment.state, fingerprint(moment.state)))
        for seat in range(seats):
            game.moves(moment.state, seat, moment.sights[seat])
            game.advise(moment.state, seat, moment.sights[seat])
            game.absent(moment.state, seat)
        game.redealt(moment.state)
        game.tell(moment.state, moment.event)
    assert all(fingerprint(state) == mark for state, mark in past)


def offers_legal_moves(game: Game, seats: int, seed: int) -> None:
    """Who is asked has moves: all legal, none twice, always the same; who is not has none."""
    for moment in moments(game, seats, seed):
        asked = moment.request.seats if isinstance(moment.request, Choose) else ()
        for seat in range(seats):
            sight = moment.sights[seat]
            offered = game.moves(moment.state, seat, sight)
            assert offered == game.moves(moment.state, seat, sight)
            assert len(set(offered)) == len(offered)
            assert bool(offered) is (seat in asked)
            for move in offered:
                game.check(moment.state, seat, move)
            if seat in asked:
                assert game.default(moment.state, seat) in offered
                advice = game.advise(moment.state, seat, sight)
                assert advice
                assert all(move in offered and weight > 0 for move, weight in advice)


def refuses_everything_else(game: Game, seats: int, seed: int) -> None:
    """Any value that is not the answer is refused with a ``RuleError``, and nothing changes."""
    for moment in moments(game, seats, seed):
        state, mark = moment.state, fingerprint(moment.state)
        for stranger in STRANGERS:
            assert raises_rule_error(lambda s=state, x=stranger: game.apply(s, x))  # type: ignore[misc]
            for seat in (*range(seats), -1, 99, None, "0"):
                assert raises_rule_error(
                    lambda s=state, p=seat, x=stranger: game.check(s, p, x)  # type: ignore[misc]
                )
        if isinstance(moment.event, Chosen) and len(moment.event.moves) > 1:
            moves = moment.event.moves
            for wrong in (moves[1:], moves[::-1], (*moves, moves[-1])):
                assert raises_rule_error(lambda s=state, w=wrong: game.apply(s, Chosen(w)))  # type: ignore[misc]
        assert fingerprint(state) == mark
    for stranger in STRANGERS:
        assert raises_rule_error(lambda x=stranger: game.request(x))  # type: ignore[misc]
        assert raises_rule_error(lambda x=stranger: game.absent(x, 0))  # type: ignore[misc]
        assert raises_rule_error(lambda x=stranger: game.redealt(x))  # type: ignore[misc]
        assert raises_rule_error(lambda x=stranger: game.read(x))  # type: ignore[misc]
        assert raises_rule_error(lambda x=stranger: game.write(x))  # type: ignore[misc]


def refuses_other_numbers_of_seats(game: Game) -> None:
    """A game starts with the seats it is for, and no others."""
    others: tuple[Any, ...] = (0, -1, 1, max(game.seats) + 1, True, None, "3", 3.0)
    for seats in others:
        assert raises_rule_error(lambda n=seats: game.start(n))  # type: ignore[misc]


def round_trips(game: Game, seats: int, seed: int) -> None:
    """State, event and move come back from bytes and from text as they were."""
    for moment in moments(game, seats, seed):
        packed = msgpack.packb(plain(moment.state))
        assert from_plain(game.state_type, msgpack.unpackb(packed)) == moment.state
        assert from_text(game.state_type, text(moment.state)) == moment.state
        packed = msgpack.packb(plain(moment.event))
        moves = game.move_types
        assert from_plain(EVENTS, msgpack.unpackb(packed), moves) == moment.event
        assert from_text(EVENTS, text(moment.event), moves) == moment.event
        if isinstance(moment.event, Chosen):
            for _, move in moment.event.moves:
                assert from_plain(moves, msgpack.unpackb(msgpack.packb(plain(move)))) == move
                assert game.read(game.write(move)) == move


def hides_what_is_hidden(game: Game, seats: int, seed: int) -> None:
    """What a seat has not seen changes nothing for it: neither the state nor what its bot does.

    The same game twice; at some moment all faces that one seat has not seen are exchanged in the
    second. That seat must not notice before such a face is shown, or another player acts on it.
    """
    dice, compared = Dice(f"{seed}"), 0
    steps = len(played(game, seats, seed).events) * 2 // 3
    for level in levels():
        for watcher in range(seats):
            compared += _twins(game, seats, seed, level, watcher, cut=dice.below(steps))
    assert compared > 0


def _twins(game: Game, seats: int, seed: int, level: str, watcher: Seat, cut: int) -> int:
    """How many moves of ``watcher`` were the same before the two games could differ."""
    decks = [OpenDeck(seats, Dice(f"{seed}")) for _ in range(2)]
    players = [[bot(level, Dice(f"{seed}/{seat}")) for seat in range(seats)] for _ in decks]
    state, compared = game.start(seats), 0
    shuffles: list[tuple[int, ...]] = []
    for step in range(10_000):
        if step == cut:
            for slots in shuffles:
                _exchange(decks[1], slots, watcher, Dice(f"{seed}/{step}"))
        request = game.request(state)
        if isinstance(request, Over):
            break
        events: list[Event] = []
        for deck, choosers in zip(decks, players, strict=True):
            if isinstance(request, Choose):
                asked = [
                    (seat, choosers[seat](game, state, seat, deck.sight(seat)))
                    for seat in request.seats
                ]
                events.append(Chosen(tuple(asked)))
            else:
                events.append(deck.serve(request))
        if isinstance(request, Choose) and watcher in request.seats:
            at = request.seats.index(watcher)
            assert events[0].moves[at] == events[1].moves[at]  # type: ignore[union-attr]
            compared += step >= cut
        if events[0] != events[1] or decks[0].sight(watcher) != decks[1].sight(watcher):
            break
        if isinstance(events[0], Shuffled):
            shuffles.append(events[0].slots)
        state = game.apply(state, events[0])
    return compared


def _exchange(deck: OpenDeck, slots: tuple[int, ...], watcher: Seat, dice: Dice) -> None:
    """Put the faces of ``slots`` that ``watcher`` has not seen into another order."""
    hidden = [slot for slot in slots if slot not in deck.sight(watcher)]
    faces = [deck.faces[slot] for slot in hidden]
    for slot in hidden:
        deck.faces[slot] = faces.pop(dice.below(len(faces)))


def treats_seats_alike(game: Game, seats: int, seed: int, house: House) -> None:
    """A table whose seats have all moved on by one is offered and does the same, moved on."""
    if house.turned is None or house.moved is None:
        return
    for moment in moments(game, seats, seed):
        there = house.turned(moment.state)
        assert game.redealt(there) == house.turned(game.redealt(moment.state))
        if not isinstance(moment.event, Chosen):
            continue
        moves = {
            (seat + 1) % seats: house.moved(moment.state, move) for seat, move in moment.event.moves
        }
        after = game.apply(there, Chosen(tuple(sorted(moves.items()))))
        assert after == house.turned(moment.after)


def keeps_what_it_must(game: Game, seats: int, seed: int, house: House) -> None:
    """What the game says is kept is kept, at every moment and when cards are dealt anew."""
    after = [moment.after for moment in moments(game, seats, seed)]
    counts = {house.kept(state) for state in (*after, *map(game.redealt, after))}
    assert len(counts) == 1, counts


def tells_what_happens(game: Game, seats: int, seed: int) -> None:
    """Every choice is told in at least one tale, made of integers and tuples of them."""
    for moment in moments(game, seats, seed):
        tales = game.tell(moment.state, moment.event)
        if isinstance(moment.event, Chosen) and len(moment.event.moves) > 1:
            assert tales
        for tale in tales:
            flat = [f for fact in tale.facts for f in (fact if isinstance(fact, tuple) else [fact])]
            assert all(type(fact) is int for fact in flat)


def counts_rounds(game: Game, seats: int, seed: int) -> None:
    """Rounds are counted from 0 before the first, upwards one by one, whatever is dealt anew."""
    assert game.round(game.start(seats)) == 0
    for moment in moments(game, seats, seed):
        before, after = game.round(moment.state), game.round(moment.after)
        assert after - before in (0, 1)
        assert game.round(game.redealt(moment.after)) == after
    assert after > 0
    assert raises_rule_error(lambda: game.round(None))


def golden(game: Game, seats: int) -> tuple[str, str]:
    """One play-through as text, as it is now and as it was kept."""
    lines = []
    for moment in moments(game, seats, 1):
        lines.append(text(moment.event))
        lines += (f"  {text(tale)}" for tale in game.tell(moment.state, moment.event))
        lines.append(f"= {text(moment.after)}")
    lines.append(text(played(game, seats, 1).result))
    now = "\n".join(lines) + "\n"
    path = GOLDEN / f"{game.name}-{seats}.txt"
    if REWRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    return now, path.read_text(encoding="utf-8")
