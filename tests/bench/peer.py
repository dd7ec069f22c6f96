"""Times a peer: random-order goofspiel in OpenSpiel (C++), played by players that do not think."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

CARDS = 13
SEATS = range(2, 6)


def goofspiel(seats: int, games: int, seed: int) -> float:
    """Joint steps (one simultaneous choice of all seats) per second of processor time."""
    spiel: Any = import_module("pyspiel")
    terms = {"players": seats, "num_cards": CARDS, "points_order": "random"}
    game = spiel.load_game("goofspiel", terms)
    below: Callable[[int], int] = _below(seed)
    begin, steps = process_time(), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[below(len(outcomes))][0])
                continue
            options = [state.legal_actions(seat) for seat in range(seats)]
            state.apply_actions([actions[below(len(actions))] for actions in options])
            steps += 1
    return steps / (process_time() - begin)


def _below(seed: int) -> Callable[[int], int]:
    random = Random(seed).random
    return lambda bound: int(random() * bound)
