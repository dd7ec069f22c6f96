"""The line to say something in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from net.people.chat import LONGEST_TEXT
from tui.widgets.field import Field


class Saying(Field):
    """A line that is there while one talks. Its keys do nothing to what is behind it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,tab", "close", show=False),
        Binding("up,down", "stay", show=False),
    ]

    @dataclass
    class Closed(Message):
        """The player wants to talk no more."""

    def __init__(self) -> None:
        super().__init__(id="saying", max_length=LONGEST_TEXT)

    def action_close(self) -> None:
        """Back to the game."""
        self.post_message(self.Closed())

    def action_stay(self) -> None:
        """Nothing: an arrow is no reason to aim at something."""
