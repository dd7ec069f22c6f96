"""The board of La Taverne des Hobbits: mushrooms with their stones, and a line for each seat."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.geometry import Region

from rules.game import Choose, Move, Seat
from rules.taverne import Character, Mushroom, Phase, Protect, Serve
from rules.taverne.turn import plus, points
from tui.actions import DIGITS, Action
from tui.boards import base
from tui.boards.base import Target
from tui.boards.taverne_words import CHARACTERS, Voice, stones
from tui.boards.voices import ABSENT, View
from tui.widgets.canvas import Canvas
from tui.words import N_, Pieces

SEAT_KEYS: Final = "abcdef"
SMALL: Final = 6
"""Lines of a mushroom where there are few, its label included."""
TALL: Final = 9
"""Lines of a mushroom where there is room."""
NARROWEST: Final = 11
"""Cells inside the cap of a small mushroom."""


class Board(base.Board):
    """See ``tui/boards/base.py``. In the last refill the distributor presses mushrooms in order."""

    ACTIONS: ClassVar = (
        Action(
            "taverne.mushroom",
            tuple(key for keys in DIGITS[:5] for key in keys),
            "1-5",
            N_("mushroom"),
            N_("point at a mushroom; unshifted on a French keyboard too"),
            row=5,
        ),
        Action(
            "taverne.tile",
            tuple(SEAT_KEYS),
            "a-f",
            N_("tile"),
            N_("point at a player's tile, to steal its stones"),
            row=6,
        ),
        Action("taverne.protect", ("p",), "p", N_("protect"), N_("protect your own stones")),
    )

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._order: tuple[int, ...] = ()

    # Words.

    @property
    def voice(self) -> Voice:
        """The words for this player."""
        return Voice(self.farfadet.words, self.view)

    def ask(self) -> Pieces:
        """As on any board; of an order that is half made, what it is so far."""
        if not self._serving or not self._order:
            return super().ask()
        listed = ", ".join(str(index + 1) for index in self._order)
        said = N_("Served so far: {order}. Which next? u starts again.")
        return ((self.farfadet.words.say(said, order=listed), "event"),)

    def keys(self) -> list[tuple[str, str]]:
        """The kinds of targets that are open."""
        say, view = self.farfadet.words.say, self.view
        numbers = f"1-{len(view.state.mushrooms)}"
        if view.state.phase is Phase.SERVE:
            return [(numbers, say(N_("in order")))]
        keys = [(numbers, say(N_("a mushroom")))]
        tiles = [SEAT_KEYS[move.seat] for move in view.moves if isinstance(move, Character)]
        if tiles:
            keys.append((" ".join(tiles), say(N_("a tile"))))
        if Protect() in view.moves:
            keys.append(("p", say(N_("protect"))))
        return keys

    # Targets.

    def targets(self) -> tuple[Target, ...]:
        """All mushrooms, all other tiles, and protection; or the mushrooms still to be served."""
        state, me = self.view.state, self.view.me
        mushrooms = tuple(
            Target(Mushroom(index), DIGITS[index]) for index in range(len(state.mushrooms))
        )
        if state.phase is Phase.SERVE and Mushroom(0) not in self.view.moves:
            return mushrooms
        tiles = tuple(
            Target(Character(seat), (SEAT_KEYS[seat], SEAT_KEYS[seat].upper()))
            for seat in range(state.seats)
            if seat != me
        )
        return (*mushrooms, *tiles, Target(Protect(), ("p", "P")))

    def press(self, target: Target) -> None:
        """In the last refill each mushroom pressed is served next; else as on any board."""
        if not self._serving or not isinstance(target.move, Mushroom):
            super().press(target)
            return
        count = len(self.view.state.mushrooms)
        index = target.move.index
        if index not in self._order:
            self._order = (*self._order, index)
            left = [other for other in range(count) if other not in self._order]
            if len(left) == 1:
                self._order = (*self._order, *left)
            self.aim_at(Serve(self._order) if len(self._order) == count else None)

    def aim(self, direction: base.Direction) -> None:
        """In the last refill arrows go through the orders, else through the targets."""
        if not self._serving:
            super().aim(direction)
            return
        orders = self.view.moves
        step = 1 if direction in {"right", "down"} else -1
        here = orders.index(self.aimed) if self.aimed in orders else -step if step > 0 else 0
        order = orders[(here + step) % len(orders)]
        self._order = order.order
        self.aim_at(order)

    def undo(self) -> None:
        """Start the order again, too."""
        self._order = ()
        super().undo()

    def show(self, view: View) -> None:
        """Forget a half-made order once it is of no use."""
        if view.state.phase is not Phase.SERVE:
            self._order = ()
        super().show(view)

    @property
    def _serving(self) -> bool:
        return bool(self.view.moves) and self.view.state.phase is Phase.SERVE

    # The picture.

    def rows(self) -> int:
        """Mushrooms, a rule, a heading and the seats."""
        return SMALL + 2 + len(self.view.names)

    def paint(self, canvas: Canvas) -> None:
        """Mushrooms above, seats below."""
        state = self.view.state
        spare = canvas.height - (TALL + 5 + 2 * state.seats)
        tall = spare >= 0
        top = 1 + spare // 4 if tall else 0
        count = len(state.mushrooms)
        pitch = canvas.width // count
        left = (canvas.width - pitch * count) // 2
        inside = min(17, (pitch - 5) // 2 * 2 + 1)
        for index in range(count):
            place = Region(left + index * pitch, top, pitch, TALL if tall else SMALL)
            self._mushroom(canvas, index, place, max(inside, NARROWEST))
        y = top + (TALL + 1 + spare // 4 if tall else SMALL)
        canvas.fill(0, y, canvas.width, "─", "rule")
        self._seats(canvas, y + 1 + tall, 2 if tall else 1)

    def _mushroom(self, canvas: Canvas, index: int, place: Region, inside: int) -> None:
        """A cap of ``inside`` cells between its edges, the stones on it, and a stem."""
        words, state = self.farfadet.words, self.view.state
        lit = self.lit == Mushroom(index)
        # Only the rim is lit: a whole cap would be a kilobyte down the line at every key.
        rim = "lit" if lit else "cap"
        tall = place.height == TALL
        width = inside + 2
        x = place.x + (place.width - width) // 2
        middle = x + width // 2
        y = place.y
        canvas.fill(middle - (width // 2 - 3), y, width - 6, "▄", "cap")
        y += 1
        canvas.put(x + 1, y, "▄" + "█" * (width - 4) + "▄", "cap")
        for spot in (middle - 3, middle + 2):
            canvas.put(spot, y, "•", "cap-dots")
        if tall:
            y += 1
            canvas.fill(x, y, width, "█", "cap")
            for spot in (middle - 5, middle, middle + 5):
                canvas.put(spot, y, "●", "cap-dots")
        y += 1
        pile = stones(words, state.mushrooms[index], inside)
        size = sum(len(part) for part, _ in pile)
        canvas.fill(x, y, width, "█", "cap")
        canvas.fill(x + 1, y, inside, " ", "cap-in")
        canvas.pieces(middle - size // 2, y, _on("cap-in", pile))
        y += 1
        canvas.fill(x, y, width, "▀", rim)
        canvas.fill(middle - 1, y, 3, "▀", f"{rim}-stem")
        for _ in range(2 if tall else 1):
            y += 1
            canvas.put(middle - 2, y, "▐███▌", "stem")
        self._label(canvas, index, place, y + 1)
        self.spot(place, Target(Mushroom(index), DIGITS[index]))

    def _label(self, canvas: Canvas, index: int, place: Region, y: int) -> None:
        """The mushroom's number and, while choices are shown, who pointed at it."""
        view = self.view
        number = str(index + 1)
        pieces: Pieces = ((number, "key"),)
        pointing = [seat for seat, move in view.shown if move == Mushroom(index)]
        if pointing:
            names = ", ".join(self._short(seat) for seat in pointing)
            pieces = (*pieces, (" ← ", ""), (names[: place.width - 6], "name"))
        elif index in self._order:
            pieces = (*pieces, (" → ", ""), (str(self._order.index(index) + 1), "name"))
        elif self.lit == Mushroom(index):
            pieces = ((f"▶ {number} ◀", "aimed"),)
        size = sum(len(part) for part, _ in pieces)
        canvas.pieces(place.x + (place.width - size) // 2, y, pieces)

    def _short(self, seat: Seat) -> str:
        return self.farfadet.words.say(N_("you")) if seat == self.view.me else self.view.names[seat]

    def _seats(self, canvas: Canvas, y: int, step: int) -> None:
        say, state = self.farfadet.words.say, self.view.state
        extra = max(0, canvas.width - 80)
        at = _Columns(27, 46 + extra // 2, 62 + extra, 67 + extra)
        canvas.put(at.tile, y, say(N_("on the tile")), "dim")
        canvas.put(at.safe, y, say(N_("safe")), "dim")
        heading = say(N_("points"))
        canvas.put(at.points + 3 - len(heading), y, heading, "dim")
        for seat in range(state.seats):
            self._seat(canvas, y + 1 + step * seat + (step - 1), seat, at)

    def _seat(self, canvas: Canvas, y: int, seat: Seat, at: _Columns) -> None:
        words, view, state = self.farfadet.words, self.view, self.view.state
        mine = seat == view.me
        move: Move = Protect() if mine else Character(seat)
        target = next((target for target in self.targets() if target.move == move), None)
        aimed = self.lit == move
        key = self.caps("p" if mine else SEAT_KEYS[seat])
        canvas.put(1, y, "▶" if aimed else " ", "key")
        canvas.put(3, y, key, "aimed" if aimed else "key" if move in view.moves else "dim")
        name = words.say(N_("you")) if mine else view.names[seat]
        canvas.put(6, y, name, "aimed" if aimed else "me" if mine else "")
        canvas.put(17, y, "✦" if seat == state.distributor else " ", "dim")
        canvas.put(19, y, words.say(CHARACTERS[seat]), "dim")
        canvas.pieces(at.tile, y, stones(words, state.tiles[seat], at.safe - at.tile - 1))
        canvas.pieces(at.safe, y, stones(words, state.safe[seat], at.points - at.safe - 1))
        worth = points(plus(state.tiles[seat], state.safe[seat]))
        canvas.put(at.points, y, f"{worth:>3}", "event")
        canvas.pieces(at.state, y, self._doing(seat))
        if target is not None:
            self.spot(Region(0, y, canvas.width, 1), target)

    def _doing(self, seat: Seat) -> Pieces:
        """What a seat is up to: its choice while choices are shown, else whether it has one."""
        say, view = self.farfadet.words.say, self.view
        shown = dict(view.shown).get(seat)
        if isinstance(shown, Mushroom):
            return ((f"→ {shown.index + 1}", "name"),)
        if isinstance(shown, Character):
            return ((f"→ {self._short(shown.seat)}", "name"),)
        if isinstance(shown, Protect):
            return ((say(N_("protects")), "sealed"),)
        if seat in view.absent:
            return ((say(ABSENT), "warning"),)
        if view.state.resting[seat]:
            return ((say(N_("○ resting")), "dim"),)
        if not isinstance(view.request, Choose) or seat not in view.request.seats:
            return ()
        if seat in view.owing:
            return ((say(N_("… choosing")), ""),)
        return ((say(N_("◆ sealed")), "sealed"),)


def _on(style: str, pieces: Pieces) -> Pieces:
    """The pieces, with ``style`` where they have none."""
    return tuple((part, own or style) for part, own in pieces)


class _Columns:
    """Where the columns of the seats' lines start; of the points, where three digits start."""

    def __init__(self, tile: int, safe: int, points: int, state: int) -> None:
        self.tile = tile
        self.safe = safe
        self.points = points
        self.state = state
