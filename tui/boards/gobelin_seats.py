"""The seats of Gobelin des bois: a line each, with the cards before it, some there to be picked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.geometry import Region

from rules.game import Seat, Slot
from rules.gobelin.pieces import WINS, Effect, Phase, Pick
from tui.boards.base import Board
from tui.boards.gobelin_options import Options
from tui.boards.gobelin_terms import mini
from tui.boards.gobelin_trail import paint_back
from tui.boards.voices import ABSENT
from tui.widgets.canvas import Canvas
from tui.words import N_

HANDS: Final = 18
CHESTS: Final = 29
"""Columns where the cards before a seat start."""
GOLD: Final = 16
WON: Final = 9
"""Columns from the right where the last two headings start."""


def paint_seats(board: Board, options: Options, canvas: Canvas, y: int, tall: bool) -> None:
    """A rule with headings in line ``y``, then we, then the others clockwise.

    That is the order in which cards to pick are numbered. With ``tall`` a seat has three lines.
    """
    say, count = board.farfadet.words.say, len(board.view.names)
    canvas.fill(0, y, canvas.width, "─", "rule")
    headings = {
        HANDS: say(N_("hand")),
        CHESTS: say(N_("treasures")),
        canvas.width - GOLD: say(N_("gold")),
        canvas.width - WON: say(N_("rounds")),
    }
    for x, heading in headings.items():
        canvas.put(x, y, f" {heading} ", "dim")
    y += 2 if tall else 1
    for line in range(count):
        seat = ((board.view.me or 0) + line) % count
        _seat(board, options, canvas, y + line * (3 if tall else 1), seat, 2 if tall else 1)


def _seat(board: Board, options: Options, canvas: Canvas, y: int, seat: Seat, height: int) -> None:
    words, view, state = board.farfadet.words, board.view, board.view.state
    mine, right = seat == view.me, canvas.width
    canvas.put(1, y, "▶" if seat == state.turn else " ", "key")
    canvas.put(3, y, "abcd"[seat], "dim")
    name = words.say(N_("you")) if mine else view.names[seat]
    x = canvas.put(5, y, name, "me" if mine else "" if state.playing[seat] else "dim")
    if seat in view.absent and height > 1:
        canvas.put(5, y + 1, words.say(ABSENT), "warning")
    elif seat in view.absent:
        canvas.put(x + 1, y, ABSENT[0], "warning")
    if not state.playing[seat]:
        canvas.put(HANDS + 1, y, words.say(N_("ambushed: out of this round")), "warning")
    else:
        swap = state.effect is Effect.TROC
        room = Region(HANDS, y, CHESTS - HANDS, height)
        _cards(board, options, canvas, room, seat, state.hands[seat], swap)
        room = Region(CHESTS, y, right - GOLD - CHESTS, height)
        _cards(board, options, canvas, room, seat, state.treasures[seat], not swap)
        gold = options.gold(seat)
        known = ("    ?", "dim") if gold is None else (f"{gold:>5}", "lit")
        canvas.put(right - GOLD, y, *known)
    won = canvas.put(right - WON + 1, y, "● " * state.wins[seat], "lit")
    canvas.put(won, y, "○ " * (WINS - state.wins[seat]), "dim")


def _cards(
    board: Board,
    options: Options,
    canvas: Canvas,
    room: Region,
    seat: Seat,
    slots: Sequence[Slot],
    aimable: bool,
) -> None:
    """Cards before a seat, ``aimable`` if the effect being carried out picks among them."""
    state = board.view.state
    picking = aimable and options.mine and state.phase is Phase.TARGET
    targets = {target.move: target for target in board.targets()} if picking else {}
    pitch = next((cells for cells in (5, 3) if cells * len(slots) <= room.width), 2)
    for index, slot in enumerate(slots):
        place = Region(room.x + index * pitch, room.y, pitch, room.height)
        target = targets.get(Pick(seat, index))
        lit = target is not None and board.lit == target.move
        if target is not None:
            canvas.put(place.x, place.y, board.caps(target.keys[0]), "aimed" if lit else "key")
            board.spot(place, target)
        card = options.card(slot)
        face = None if card is None else mini(board.farfadet.words, card)
        # What others hold is known to us alone, if at all, until all cards are open.
        private = board.view.me not in (None, seat) and state.phase is not Phase.OVER
        paint_back(canvas, place, face, private, lit)
