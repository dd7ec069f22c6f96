"""Every action has a key nobody else uses, and somebody who does it."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.binding import Binding

from tui import boards
from tui.actions import ACTIONS, bindings, of
from tui.app import FarfadetApp
from tui.screens.game import GameScreen
from tui.screens.help import HelpScreen
from tui.screens.home import HomeScreen
from tui.screens.join import JoinScreen
from tui.screens.near import NearScreen
from tui.screens.result import ResultScreen
from tui.screens.table import TableScreen
from tui.screens.talk import Talking
from tui.screens.trust import TrustScreen

PLACES: dict[str, type] = {
    "any": FarfadetApp,
    "home": HomeScreen,
    "join": JoinScreen,
    "near": NearScreen,
    "table": TableScreen,
    "game": GameScreen,
    "result": ResultScreen,
    "talk": Talking,
    "trust": TrustScreen,
    "help": HelpScreen,
}


def test_every_place_with_actions_is_a_screen() -> None:
    assert {action.place for action in ACTIONS} == PLACES.keys()


@pytest.mark.parametrize("place", PLACES)
def test_every_action_is_done_by_its_screen(place: str) -> None:
    for action in of(place):
        assert callable(getattr(PLACES[place], f"action_{action.name}")), action.id
        assert action.keys
        assert action.label
        assert action.help


@pytest.mark.parametrize("place", [place for place in PLACES if place != "any"])
def test_no_key_means_two_things_in_one_place(place: str) -> None:
    board = boards.load("taverne").ACTIONS if place == "game" else ()
    keys = Counter(key for action in (*of(place), *of("any"), *board) for key in action.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_bindings_carry_ids() -> None:
    ids = {binding.id for binding in bindings("table") if isinstance(binding, Binding)}
    assert ids == {"table.copy", "table.bot", "table.leave"}
