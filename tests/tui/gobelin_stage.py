"""Games of Gobelin des bois that are where a test wants them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from random import Random
from typing import TypeAlias

from textual.pilot import Pilot

from rules.game import Move, Seat
from rules.gobelin.pieces import Effect, Phase, Show, Stop
from tests.tui.fake import FakeSitting
from tests.tui.stage import playing, settle
from tui.boards.gobelin import Board

Wanted: TypeAlias = Callable[[FakeSitting], bool]


def mine(phase: Phase, moves: int, effect: Effect = Effect.NONE) -> Wanted:
    """Seat 0 is asked in this phase, with so many moves or more."""

    def wanted(sitting: FakeSitting) -> bool:
        state = sitting.state
        here = state.turn == 0 and state.phase is phase and state.effect is effect
        return here and len(sitting.options(0)) >= moves

    return wanted


def ambushed(sitting: FakeSitting) -> bool:
    """Seat 0 can play nothing."""
    return mine(Phase.PLAY, 1)(sitting) and sitting.options(0) == (Show(),)


def stopped(sitting: FakeSitting) -> bool:
    """Seat 0 can play nothing more after a galop."""
    return mine(Phase.PLAY, 1)(sitting) and Stop() in sitting.options(0)


def long_trail(sitting: FakeSitting) -> bool:
    """Seat 0 has a choice, and there is much to show."""
    return mine(Phase.PLAY, 6)(sitting) and len(sitting.state.trail) > 8


def second_round(sitting: FakeSitting) -> bool:
    """A round has been won, and another seat begins the next one."""
    return bool(sitting.state.round == 2) and sitting.state.turn != 0


def waiting(sitting: FakeSitting) -> bool:
    """It is somebody else's turn, and somebody is out already."""
    state = sitting.state
    return state.turn != 0 and state.playing[0] and not all(state.playing)


def step(sitting: FakeSitting, random: Random) -> tuple[Seat, Move]:
    """Who is asked makes any move, but shows its hand only when it must."""
    (seat,) = sitting.owing
    options = sitting.options(seat)
    move = random.choice(options[:-1] if options[-1] == Show() and len(options) > 1 else options)
    sitting.seal(seat, move)
    return seat, move


@cache
def way_to(wanted: Wanted, seats: int) -> tuple[int, int]:
    """A seed, and how many choices later a game with it is as ``wanted``; rather few of them."""
    for most in (12, 25, 50):
        for seed in range(200):
            sitting, random = FakeSitting(seats, seed, game="gobelin"), Random(seed)
            sitting.begin()
            for steps in range(most):
                if sitting.result is None and wanted(sitting):
                    return seed, steps
                if sitting.result is None:
                    step(sitting, random)
    raise AssertionError("no seed leads there")


@asynccontextmanager
async def at(
    wanted: Wanted,
    seats: int = 3,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    me: Seat | None = 0,
    ascii_only: bool = False,
) -> AsyncIterator[tuple[FakeSitting, Board, Pilot[None]]]:
    """A table in an app, where the game is as ``wanted``."""
    seed, steps = way_to(wanted, seats)
    sitting = FakeSitting(seats, seed, me, game="gobelin")
    async with playing(sitting, language, size, ascii_only=ascii_only) as (screen, pilot):
        random = Random(seed)
        for _ in range(steps):
            step(sitting, random)
        await settle(pilot)
        assert isinstance(screen.board, Board)
        yield sitting, screen.board, pilot
