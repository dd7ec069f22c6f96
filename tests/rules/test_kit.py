"""Every game, at every number of seats, passes the kit."""

from __future__ import annotations

import os

import pytest

import rules
from rules.game import RuleError, Seat
from rules.taverne import Character, Mushroom, Protect, Serve
from rules.taverne import State as TaverneState
from tests.rules import kit
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
]


def stones_of_taverne(state: TaverneState) -> object:
    """All stones: 60 from the moment they are in the bag (and none before)."""
    lying = (*state.mushrooms, *state.tiles, *state.safe)
    return len(state.bag) + sum(map(sum, lying)) or 60


def taverne_turned(state: TaverneState) -> TaverneState:
    """Every seat one further on; mushrooms stay."""

    def on(items: tuple[object, ...]) -> tuple[object, ...]:
        return (items[-1], *items[:-1])

    named = state.distributor
    return TaverneState(
        **{
            **{field: getattr(state, field) for field in state.__slots__},
            "distributor": None if named is None else (named + 1) % state.seats,
            "tiles": on(state.tiles),
            "safe": on(state.safe),
            "resting": on(state.resting),
        }
    )


def taverne_moved(state: TaverneState, move: object) -> Mushroom | Character | Protect | Serve:
    """The same move at the turned table."""
    if isinstance(move, Character):
        return Character((move.seat + 1) % state.seats)
    assert isinstance(move, Mushroom | Protect | Serve)
    return move


HOUSES: dict[str, House] = {
    "taverne": House(stones_of_taverne, taverne_turned, taverne_moved),
}


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
        kit.keeps_what_it_must(rules.load(name), seats, seed, HOUSES[name])
        kit.treats_seats_alike(rules.load(name), seats, seed, HOUSES[name])


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
