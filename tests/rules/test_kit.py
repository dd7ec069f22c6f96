"""Every game, at every number of seats, passes the kit."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

import rules
from rules.game import RuleError, Seat
from tests.rules import kit, kit_absence
from tests.rules.kit import House

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))
GAMES = 5
TABLES = [(name, seats) for name in rules.names() for seats in rules.load(name).seats]
CHECKS = [
    kit.ends,
    kit.replays,
    kit.touches_nothing,
    kit.offers_legal_moves,
    kit.refuses_everything_else,
    kit.round_trips,
    kit.hides_what_is_hidden,
    kit.tells_what_happens,
    kit.counts_rounds,
    kit_absence.draws_for_the_absent,
    kit_absence.deals_anew_at_any_moment,
    kit_absence.goes_on_whoever_is_away,
]


def house(name: str) -> House:
    """What the game called ``name`` alone knows of itself."""
    found: House = import_module(f"tests.rules.houses.{name}").HOUSE
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "seats"), TABLES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_kit(check: object, name: str, seats: Seat) -> None:
    assert callable(check)
    for seed in range(SEED, SEED + GAMES):
        print(f"seed {seed}")
        check(rules.load(name), seats, seed)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_game_keeps_what_it_must_and_treats_seats_alike(name: str, seats: Seat) -> None:
    for seed in range(SEED, SEED + GAMES):
        print(f"seed {seed}")
        kit.keeps_what_it_must(rules.load(name), seats, seed, house(name))
        kit.treats_seats_alike(rules.load(name), seats, seed, house(name))


@pytest.mark.parametrize("name", rules.names())
def test_no_game_starts_with_other_numbers_of_seats(name: str) -> None:
    kit.refuses_other_numbers_of_seats(rules.load(name))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_golden_play_throughs_are_as_they_were(name: str, seats: Seat) -> None:
    now, kept = kit.golden(rules.load(name), seats)
    assert now == kept


def test_there_is_no_game_of_another_name() -> None:
    for name in ("chess", "", "deal", "../taverne", "game"):
        with pytest.raises(RuleError, match="unknown-game"):
            rules.load(name)
