"""Times the journal: what a record costs, and how long a seat takes to come back after a kill."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import rules
from net.deck.verified import Verified
from net.play.journal import Journal, Ticket
from net.play.resume import restored
from net.play.rounds import Here
from rules.taverne import Mushroom
from tests.sim.world import World

MESSAGE = bytes(370)
"""About the size of a seat's messages in a secret round."""


def figures(seed: int = 1) -> dict[str, object]:
    """Milliseconds. ``fsync`` is the floor of a choice: the same bytes, written and waited for."""
    return {"record_ms": _records(), "back_ms": {game: _back(game, seed) for game in rules.names()}}


def _records(count: int = 300) -> dict[str, float]:
    heard, chosen, floor = [], [], []
    with TemporaryDirectory() as name:
        folder = Path(name)
        journal = Journal.create(folder / "seat.journal", Ticket(b"", 0, bytes(32), bytes(32)))
        with open(folder / "floor", "wb", buffering=0) as file:
            for step in range(count):
                begin = perf_counter()
                journal.heard(MESSAGE)
                heard.append(perf_counter() - begin)
                begin = perf_counter()
                journal.chosen(Here(bytes(32), step, bytes(32)), Mushroom(1))
                chosen.append(perf_counter() - begin)
                begin = perf_counter()
                file.write(bytes(32))
                os.fsync(file.fileno())
                floor.append(perf_counter() - begin)
        journal.close()
    return {
        "heard": _ms(heard),
        "chosen": _ms(chosen),
        "fsync": _ms(floor),
    }


def _back(game: str, seed: int) -> dict[str, float]:
    """A seat of a game with the most seats comes back at its end: the most there is to take in."""
    world = World(seed, max(rules.load(game).seats), game=game)
    world.run()
    node = world.nodes[0]
    begin = perf_counter()
    restored(node.ticket, node.entries)
    remembered = perf_counter() - begin
    begin = perf_counter()
    restored(node.ticket, node.entries, Verified())
    verified = perf_counter() - begin
    return {
        "steps": node.table.step,
        "checks_kept": round(1000 * remembered, 1),
        "checked_again": round(1000 * verified, 1),
    }


def _ms(times: list[float]) -> float:
    return round(1000 * median(times), 3)
