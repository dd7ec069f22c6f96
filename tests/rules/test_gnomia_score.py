"""Gnomia: what fiestas are worth, the best discard, and how many ways small games can go."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from rules.game import Choose, Chosen, Deal, Dealt, Face, Open, Opened, Over
from rules.gnomia import BROTHER, FIESTAS, ZOZO, Phase, State
from rules.gnomia.score import result, score
from tests.rules.gnomia_table import GNOMIA, G, table

P, Z = BROTHER, ZOZO


@pytest.mark.parametrize(
    ("fiestas", "total"),
    [
        ((), 0),
        ((15,), 15),
        ((3, 7, 7, 15), 38),
        ((3, 7, 7, 15, P), 55),
        ((3, 7, 7, 15, P, Z), 65),
        ((10, 10, 10, 10, P), 150),
        ((14, P), 20),
        ((5, 5, 5), 50),
        ((1, 1, 1, 1), 100),
        ((P,), 0),
    ],
)
def test_groups_and_ptit_frere(fiestas: tuple[Face, ...], total: int) -> None:
    counted = score(fiestas)
    assert counted.total == total == sum(line.points for line in counted.lines)


@pytest.mark.parametrize(
    ("fiestas", "lost"),
    [
        ((2, 9, 9, Z), (2,)),
        ((2, 9, 9, Z, Z), (9,)),
        ((9, 9, P, Z), (9,)),
        ((P, Z), ()),
        ((P, Z, Z), ()),
        ((Z,), ()),
        ((Z, Z, Z), ()),
        ((1, 2, 15, Z, Z, Z), (1, 2, 15)),
        ((1, 2, 15, 14, Z, Z, Z), (1, 2, 14)),
        ((4, 4, 4, 15, 14, 13, P, Z, Z, Z), (13, 14, 15)),
        ((1, P, Z, Z, Z), (P, 1)),
        ((8, 12, P, Z, Z, Z), (P, 8, 12)),
    ],
)
def test_what_the_zozos_take(fiestas: tuple[Face, ...], lost: tuple[Face, ...]) -> None:
    assert sorted(score(fiestas).lost) == sorted(lost)


def test_one_and_two_zozos_never_take_ptit_frere() -> None:
    for zozos in (1, 2):
        assert P not in score((P, 1, *(Z,) * zozos)).lost


def test_ptit_frere_may_be_among_what_three_zozos_take() -> None:
    assert score((3, 9, 9, 9, 9, 10, P, Z, Z, Z)).total == 100


def test_the_choice_at_three_zozos_or_more_is_the_best_there_is() -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    random = Random(seed)
    others = [face for face in FIESTAS if face != ZOZO]
    for _ in range(300):
        owned = random.sample(others, random.randint(0, 10))
        zozos = random.randint(3, 7)
        kept = max(len(owned) - zozos, 0)
        best = max(score(rest).total for rest in combinations(owned, kept))
        assert score((*owned, *(Z,) * zozos)).total == best, (owned, zozos)


def test_the_score_is_taken_apart_line_by_line() -> None:
    lines = [(line.code, line.count, line.points) for line in score((3, 7, 7, 15, P, Z)).lines]
    assert lines == [("single", 1, 15), ("pair", 2, 40), ("zozo", 1, 10)]


def test_equal_points_are_a_shared_victory() -> None:
    ranks = [each.rank for each in result(((15,), (7, 8), (14,))).scores]
    assert ranks == [1, 1, 3]
    assert result(((15,), (7, 8), (14,))).winners == (0, 1)


# Every way a small game can go.


def ways(state: State, faces: tuple[Face, ...]) -> int:
    """How many sequences of legal choices lead from ``state`` to an end.

    Slot s of the pile has the face ``faces[s]``, and whoever looks sees it.
    """
    request = GNOMIA.request(state)
    match request:
        case Over():
            return 1
        case Choose(seats=seats):
            sight = dict(enumerate(faces))
            options = [GNOMIA.moves(state, seat, sight) for seat in seats]
            joint = [tuple(zip(seats, moves, strict=True)) for moves in product(*options)]
            return sum(ways(GNOMIA.apply(state, Chosen(moves)), faces) for moves in joint)
        case Deal(slots=slots, to=seat):
            return ways(GNOMIA.apply(state, Dealt(slots, seat)), faces)
        case Open(slots=slots):
            shown = tuple((slot, faces[slot]) for slot in slots)
            return ways(GNOMIA.apply(state, Opened(shown)), faces)
    raise AssertionError(request)


@pytest.mark.parametrize(
    ("hands", "faces", "count"),
    [
        (((10, 20), (30, 40)), (5, 5, Z, P), 8),
        (((10, G), (30, G)), (5, Z, 5, P), 16),
        (((10, G), (20, G), (30, G)), (5, P, 5, 5), 280),
        (((10, 20, G), (30, 40, G)), (7, Z, 7, P, 2), 592),
    ],
)
def test_small_games_can_go_as_many_ways_as_before(
    hands: tuple[tuple[int, ...], ...], faces: tuple[Face, ...], count: int
) -> None:
    start = table(hands=dict(enumerate(hands)), seats=len(hands), fiesta=0)
    start = replace(start, phase=Phase.TURN, fiesta=None, pile=tuple(range(len(faces))))
    assert ways(start, faces) == count
