"""Choosing on a board: aiming, sealing, typing a move, and being told why it may not be made."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events, on
from textual.widget import Widget
from textual.widgets import Input

from rules.game import Illegal, RuleError
from tui.boards.base import Board, Direction
from tui.screens.talk import Talking
from tui.sitting import Sitting
from tui.widgets.field import Field


class Choosing(Talking):
    """A screen with the ``board`` of a ``sitting``. Only what is sealed leaves it."""

    DEFAULT_CSS = """
    Choosing #typed { display: none; }
    Choosing.-typing #typed { display: block; }
    """
    sitting: Sitting
    board: Board

    def __init__(self) -> None:
        super().__init__()
        self.refused: str | None = None
        """The code of what was just tried in vain."""
        self.leaving = False
        """Whether our player was just asked to confirm that they leave."""

    def typing(self) -> Iterator[Widget]:
        """The line to type a move in."""
        yield Field(id="typed", max_length=40)

    def update(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def ask(self) -> None:
        """Show what is asked of our player."""
        raise NotImplementedError

    def relabel(self) -> None:
        """What can be typed."""
        super().relabel()
        self.query_one("#typed", Input).placeholder = self.board.voice.EXAMPLES

    def on_key(self, event: events.Key) -> None:
        """Anything but a second q means staying."""
        if event.key not in self.farfadet.keymap.keys("game.leave"):
            self.calm()

    def calm(self) -> None:
        """Neither leaving nor wrong any more."""
        if self.leaving or self.refused is not None:
            self.leaving, self.refused = False, None
            self.update()

    def on_board_move_chosen(self, message: Board.MoveChosen) -> None:
        """Seal it at the table, which then tells that we have contributed."""
        self.refused = None
        try:
            self.sitting.choose(message.move)
        except Illegal as illegal:
            self.refused = illegal.code
            self.update()

    def on_board_refused(self, message: Board.Refused) -> None:
        """Say why."""
        self.refused = message.code
        self.update()

    def on_board_aimed(self) -> None:
        """Ask for the seal."""
        self.refused, self.leaving = None, False
        self.read()
        self.ask()

    def action_aim(self, direction: Direction) -> None:
        """The nearest target in a direction."""
        self.board.aim(direction)

    def action_undo(self) -> None:
        """Aim at nothing; close the line to type in."""
        if self.has_class("-typing"):
            self._close_input()
        else:
            self.board.undo()

    def action_type(self) -> None:
        """Open the line to type a move in."""
        self.calm()
        self.add_class("-typing")
        self.query_one("#typed", Input).focus()

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
        """Seal what was typed, if it is a move; nothing typed closes the line."""
        written = event.value.strip()
        if written:
            try:
                move = self.sitting.game.read(written)
            except RuleError as error:
                self.refused = error.code
                self.update()
                return
            if not self.board.allowed(move):
                return
            self.board.post_message(Board.MoveChosen(move))
        self._close_input()

    @on(Input.Changed, "#typed")
    def _retyped(self) -> None:
        """What was wrong is being put right."""
        self.calm()

    def _close_input(self) -> None:
        self.query_one("#typed", Input).clear()
        self.remove_class("-typing")
        self.board.focus()

    def refocus(self) -> None:
        """Keys go to the line that is open, else to the board."""
        if self.has_class("-typing"):
            self.query_one("#typed", Input).focus()
        else:
            self.board.focus()
