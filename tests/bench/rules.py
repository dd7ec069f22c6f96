"""Times the rules: whole games between players that do not think, on the open deck."""

from __future__ import annotations

from statistics import median
from time import process_time

import rules
from rules.bots import bot
from rules.bots.chooser import Dice
from rules.deal import play
from rules.form import fingerprint
from rules.game import Game
from tests.bench.peer import goofspiel

LOOP = 200_000
"""Turns of the calibration loop: some hundredths of a second."""


def calibration() -> float:
    """Turns per second of a loop of bare integers: how fast this machine is just now."""
    begin, total = process_time(), 0
    for number in range(LOOP):
        total += number * number % 7
    return LOOP / (process_time() - begin)


def play_outs(game: Game, seats: int, games: int, seed: int) -> float:
    """Joint steps (choices of the whole table) per second of processor time."""
    begin, steps = process_time(), 0
    for number in range(games):
        dice = Dice(f"{seed}/{number}")
        steps += play(game, seats, [bot("random", dice)] * seats, dice).choices
    return steps / (process_time() - begin)


def replays(game: Game, seats: int, games: int, seed: int) -> float:
    """Events per second when finished games are applied again, each state fingerprinted."""
    dice = Dice(f"{seed}")
    finished = [play(game, seats, [bot("random", dice)] * seats, dice) for _ in range(games)]
    begin, steps = process_time(), 0
    for played in finished:
        state = game.start(seats)
        for event in played.events:
            state = game.apply(state, event)
            fingerprint(state)
        steps += len(played.events)
    return steps / (process_time() - begin)


def figures(rounds: int = 9, games: int = 40, seed: int = 1) -> dict[str, dict[str, float]]:
    """For each game, at its fewest seats: medians of ``rounds`` slices.

    ``per_1000_loops`` is the play-outs' rate per thousand turns of a calibration loop timed before
    and after each slice. It moves less than the rates do when the machine is busy, but it moves.
    ``of_goofspiel`` compares with the peer's C++ at the same number of seats, in the same slice.
    """
    table = {}
    for name in rules.names():
        game = rules.load(name)
        seats = min(game.seats)
        rates, ratios, peers, applied = [], [], [], []
        for number in range(rounds):
            before = calibration()
            rates.append(play_outs(game, seats, games, seed + number))
            ratios.append(2000 * rates[-1] / (before + calibration()))
            peers.append(rates[-1] / goofspiel(seats, games, seed + number))
            applied.append(replays(game, seats, games // 4, seed + number))
        table[name] = {
            "seats": seats,
            "steps_per_s": round(median(rates)),
            "per_1000_loops": round(median(ratios), 3),
            "of_goofspiel": round(median(peers), 3),
            "replayed_events_per_s": round(median(applied)),
        }
    return table
