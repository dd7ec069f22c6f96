"""Gnomia: 53 fiestas and eleven gnomes each; seats differ by their veinards."""

from __future__ import annotations

from rules.gnomia import State
from tests.rules.kit import House


def fiestas(state: State) -> object:
    """All fiestas: 53 from the moment the pile is shuffled (and none before)."""
    owned = sum(map(len, state.won)) + len(state.gone)
    return len(state.pile) + owned + (state.fiesta is not None) or 53


HOUSE = House(fiestas)
