"""Gobelin des bois, counted out: all games of a few moves from small tables, cards unknown or not.

Every legal move is made, and every face that a hidden card may have is tried. The numbers are those
that were found when each rule had been tested alone; they change only when a rule does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from rules.game import (
    Choose,
    Chosen,
    Deal,
    Dealt,
    Event,
    Face,
    Game,
    Open,
    Opened,
    Shuffle,
    Shuffled,
    Slot,
    State,
)
from rules.gobelin import Phase
from tests.rules.gobelin_table import Table, table


@dataclass(frozen=True)
class Pile:
    """Hidden cards and the faces they have in some order."""

    slots: frozenset[Slot]
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class World:
    """A state, the faces that are settled, and the piles whose order still is not."""

    state: State
    known: Mapping[Slot, Face]
    piles: tuple[Pile, ...]


def settled(world: World, slot: Slot) -> list[World]:
    """The worlds in which the face of ``slot`` is settled: one for each face it can have."""
    if slot in world.known:
        return [world]
    at, pile = next((at, pile) for at, pile in enumerate(world.piles) if slot in pile.slots)
    worlds = []
    for index, face in enumerate(pile.faces):
        rest = Pile(pile.slots - {slot}, pile.faces[:index] + pile.faces[index + 1 :])
        piles = (*world.piles[:at], rest, *world.piles[at + 1 :])
        worlds.append(replace(world, known={**world.known, slot: face}, piles=piles))
    return worlds


def shown(world: World, slots: Sequence[Slot]) -> list[World]:
    """The worlds in which all of ``slots`` are settled."""
    worlds = [world]
    for slot in slots:
        worlds = [further for each in worlds for further in settled(each, slot)]
    return worlds


def answers(game: Game, world: World) -> list[tuple[World, Event]]:
    """All that may happen next, each with the world in which it happens."""
    state, request = world.state, game.request(world.state)
    match request:
        case Choose(seats=(seat,)):
            # Each seat is given all settled faces; of these it uses only those of its own cards.
            moves = game.moves(state, seat, world.known)
            return [(world, Chosen(((seat, move),))) for move in moves]
        case Deal(slots=slots, to=seat):
            return [(each, Dealt(slots, seat)) for each in shown(world, slots)]
        case Open(slots=slots):
            return [
                (each, Opened(tuple((slot, each.known[slot]) for slot in slots)))
                for each in shown(world, slots)
            ]
    assert isinstance(request, Shuffle)
    first = 1000 * (1 + len(world.piles))
    slots = tuple(range(first, first + len(request.faces)))
    pile = Pile(frozenset(slots), request.faces)
    return [(replace(world, piles=(*world.piles, pile)), Shuffled(slots))]


def walk(game: Game, world: World, depth: int, counts: Counter[str]) -> None:
    """Count all ways to go on from ``world`` for ``depth`` moves, and what is told on them."""
    choosing = isinstance(game.request(world.state), Choose)
    if (choosing and depth == 0) or world.state.phase is Phase.PACK:
        counts["ways"] += 1
        return
    for where, event in answers(game, world):
        counts.update(tale.code for tale in game.tell(world.state, event))
        after = replace(where, state=game.apply(world.state, event))
        walk(game, after, depth - choosing, counts)


def counted(at: Table, depth: int) -> dict[str, int]:
    """What ``walk`` counts from a table whose deck may lie in any order."""
    deck = at.state.deck
    known = {slot: slot for slot in range(len(at.deck.faces)) if slot not in deck}
    world = World(at.state, known, (Pile(frozenset(deck), deck),))
    counts: Counter[str] = Counter()
    walk(at.game, world, depth, counts)
    return dict(counts)


HANDS = ["Rc/Bg 1", "Yt/*- 3"], ["Gv/Rs 2", "Be/Yg 4"], ["Rg/Ge 0", "Bs/*- 2"]
DECK = ["Rt/Ye 5", "Gc/Bg 1", "Yv/Gs 3", "Gg/Bt 0"]


@pytest.mark.parametrize(
    ("seats", "depth", "counts"),
    [
        # By hand: four plays and a show. The coffre: 4 treasures by 3 draws, once played, once
        # shown; the troc: 1 choice; the card that goes with all, on either end: 4 draws each.
        (2, 1, {"coffre": 2, "play": 5, "shown": 1, "ways": 33}),
        (2, 2, {"coffre": 2, "galop": 96, "play": 101, "shown": 33, "troc": 2, "ways": 208}),
        (
            2,
            3,
            {
                "coffre": 22,
                "count": 36,
                "deck-out": 36,
                "espion": 192,
                "galop": 174,
                "play": 330,
                "round-won": 36,
                "sherif": 8,
                "shown": 113,
                "skipped": 36,
                "stop": 24,
                "stop-shown": 24,
                "troc": 2,
                "ways": 676,
            },
        ),
        (
            2,
            4,
            {
                "coffre": 76,
                "count": 1084,
                "deck-out": 1084,
                "espion": 312,
                "galop": 228,
                "play": 2536,
                "replay": 7,
                "round-won": 1077,
                "sherif": 40,
                "shown": 566,
                "skipped": 418,
                "stop": 33,
                "stop-shown": 33,
                "troc": 122,
                "vol": 26,
                "ways": 2755,
            },
        ),
        (3, 1, {"coffre": 2, "play": 5, "shown": 1, "ways": 33}),
        (3, 2, {"coffre": 2, "galop": 96, "play": 101, "shown": 33, "troc": 4, "ways": 216}),
        (
            3,
            3,
            {
                "coffre": 22,
                "espion": 192,
                "galop": 234,
                "play": 378,
                "reshuffle": 36,
                "sherif": 16,
                "shown": 121,
                "stop": 24,
                "stop-shown": 24,
                "troc": 4,
                "ways": 804,
            },
        ),
        (
            3,
            4,
            {
                "coffre": 46,
                "espion": 408,
                "galop": 590,
                "play": 2544,
                "reshuffle": 1478,
                "sherif": 112,
                "shown": 658,
                "skipped": 84,
                "stop": 33,
                "stop-shown": 33,
                "troc": 244,
                "vol": 84,
                "ways": 3477,
            },
        ),
    ],
)
def test_all_ways_to_go_on_are_as_many_as_they_were(
    seats: int, depth: int, counts: dict[str, int]
) -> None:
    at = table(
        HANDS[:seats],
        ["R-/Y- 0", "G-/G- 1", "B-/R- 2", "B-/Y- 0"],
        treasures=[(f"G-/G- {seat}",) for seat in range(seats)],
        deck=DECK,
        reshuffles=seats - 2,
    )
    assert counted(at, depth) == counts
