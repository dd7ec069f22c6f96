"""What all boards share: targets to aim at by key, arrow or mouse, and the seal."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from textual import events
from textual.geometry import Region
from textual.message import Message

from rules.game import Move
from tui.actions import Action
from tui.boards.voices import View, Voice
from tui.widgets.canvas import Picture
from tui.words import Pieces

Direction: TypeAlias = Literal["up", "down", "left", "right"]

_STEPS: Final[dict[str, tuple[int, int]]] = {
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
}


@dataclass(frozen=True, slots=True)
class Target:
    """Something on the board that stands for a move. ``keys`` are Textual's names."""

    move: Move
    keys: tuple[str, ...]


class Board(Picture, can_focus=True):
    """A game's board. A choice is first aimed at, then sealed; only the seal leaves the board."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    """The keys of this game, for the help."""

    @dataclass
    class MoveChosen(Message):
        """The player has sealed ``move``."""

        move: Move

    @dataclass
    class Refused(Message):
        """The player tried what is not allowed; ``code`` says why."""

        code: str

    class Aimed(Message):
        """The player aims at something else, or at nothing any more."""

    class Skipped(Message):
        """The player has seen enough of what is being shown."""

    def __init__(self, view: View) -> None:
        super().__init__(id="board")
        self.view = view
        self.aimed: Move | None = None
        self._spots: list[tuple[Region, Target]] = []

    # What each game has of its own.

    @property
    @abstractmethod
    def voice(self) -> Voice:
        """What there is to say, in the player's language."""

    @abstractmethod
    def targets(self) -> tuple[Target, ...]:
        """Everything one can try to aim at now, legal or not."""

    @abstractmethod
    def rows(self) -> int:
        """The height that shows everything, in a terminal of 24 lines."""

    @abstractmethod
    def keys(self) -> list[tuple[str, str]]:
        """The keys that answer what is asked now, each with what it stands for, in words."""

    def ask(self) -> Pieces:
        """What the player is asked, and the keys for it; only called when there is something."""
        pieces, before = self.voice.question(), ("  ", "")
        for keys, said in self.keys():
            pieces = (*pieces, before, (self.caps(keys), "key"))
            if said:
                pieces = (*pieces, (f" {said}", ""))
            before = (" · ", "dim")
        return pieces

    def caps(self, keys: str) -> str:
        """What stands on this player's keys where ``keys``, ``"1-4"`` or ``"b c"``, are usual."""
        shown = self.farfadet.keymap.shown
        return " ".join(
            "-".join(shown(self.ACTIONS, key) for key in part.split("-")) for part in keys.split()
        )

    # Aiming and sealing.

    def show(self, view: View) -> None:
        """Show ``view``; an aim that is no longer allowed is dropped."""
        self.view = view
        if self.aimed not in view.moves:
            self.aimed = None
        self.redraw()

    def press(self, target: Target) -> None:
        """Aim at ``target``; seal it if it was aimed at already, unless Enter alone seals."""
        if self._skip():
            return
        if target.move == self.aimed:
            if not self.farfadet.settings.confirm:
                self.seal()
        elif self.allowed(target.move):
            self.aim_at(target.move)

    def aim_at(self, move: Move | None) -> None:
        """Aim at ``move``, or at nothing."""
        self.aimed = move
        self.redraw()
        self.post_message(self.Aimed())

    def aim(self, direction: Direction) -> None:
        """Aim at the nearest allowed target in this direction."""
        if self._skip():
            return
        open_spots = [
            (region, target) for region, target in self._spots if target.move in self.view.moves
        ]
        here = next((region for region, target in open_spots if target.move == self.aimed), None)
        if here is None:
            ranked = open_spots
        else:
            ranked = [spot for spot in open_spots if _gap(here, spot[0], direction) > 0]
            ranked.sort(key=lambda spot: _distance(here, spot[0], direction))
        if ranked:
            self.aim_at(ranked[0][1].move)

    def seal(self) -> None:
        """Seal what is aimed at."""
        if self._skip():
            return
        if self.aimed is None:
            self.post_message(self.Refused("no-aim" if self.view.moves else self.voice.idle()))
        else:
            self.post_message(self.MoveChosen(self.aimed))

    def undo(self) -> None:
        """Drop the aim; after the seal there is nothing to drop."""
        if self.view.chosen is not None:
            self.post_message(self.Refused("sealed"))
        else:
            self.aim_at(None)

    def allowed(self, move: Move) -> bool:
        """Whether we may choose ``move`` now; says why not, if not."""
        code = self.voice.forbids(move)
        if code is not None:
            self.post_message(self.Refused(code))
        return code is None

    def _skip(self) -> bool:
        if self.view.shown:
            self.post_message(self.Skipped())
        return bool(self.view.shown)

    @property
    def lit(self) -> Move | None:
        """What we have sealed, else what we aim at."""
        return self.aimed if self.view.chosen is None else self.view.chosen

    # Keys, mouse, size.

    def spot(self, region: Region, target: Target) -> None:
        """While painting: ``target`` is drawn in ``region``."""
        self._spots.append((region, target))

    def redraw(self) -> None:
        """Paint again, and learn again where the targets are."""
        self._spots.clear()
        super().redraw()

    def on_key(self, event: events.Key) -> None:
        """Press the target this key stands for."""
        key = self.farfadet.keymap.pressed(self.ACTIONS, event.key)
        for target in self.targets():
            if key in target.keys:
                event.stop()
                self.press(target)
                return

    def on_click(self, event: events.Click) -> None:
        """Press the target under the mouse."""
        for region, target in self._spots:
            if region.contains(event.x, event.y):
                self.press(target)
                return
        self._skip()

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As high as all of it."""
        return self.rows()


def _gap(here: Region, there: Region, direction: str) -> float:
    """How far the middle of ``there`` lies in the direction, in cells."""
    dx, dy = _STEPS[direction]
    (x, y), (u, v) = here.center, there.center
    return (u - x) * dx + (v - y) * dy


def _distance(here: Region, there: Region, direction: str) -> tuple[float, float]:
    """Nearest along the direction first, then nearest to the line."""
    (x, y), (u, v) = here.center, there.center
    sideways = abs(u - x) if _STEPS[direction][0] == 0 else abs(v - y)
    along = _gap(here, there, direction)
    overlapping = here.overlaps(there) or sideways == 0 or _STEPS[direction][0] == 0
    return (along if overlapping else along + 1000, sideways)
