"""The line to say something in, and how what others say is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from net.people.chat import LONGEST_TEXT, Said, Voice
from tui.screens.members import NAME
from tui.text import safe
from tui.words import N_, Pieces, Words

CELLS: Final = 2 * LONGEST_TEXT
"""Most cells of what somebody says: wide characters take two."""

MARK: Final = "▸"
"""Stands before what is said, where the history has a number."""


class Saying(Input):
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


def name(voice: Voice) -> str:
    """What somebody is called, as on the boards; who has no seat stands in square brackets."""
    called = safe(voice.name, NAME)
    if voice.seat is None:
        return f"[{called or '?'}]"
    return called or f"({'abcdef'[voice.seat % 6]})"


def spoken(words: Words, said: Said) -> Pieces:
    """A line of the talk. Whatever is in it, it is only text."""
    if said.mine:
        who: Pieces = ((words.say(N_("you")), "me"),)
    else:
        who = ((words.fold(name(said.voice)), "dim" if said.voice.seat is None else "name"),)
    told = words.fold(safe(said.text, CELLS))
    return words.tell(N_("{who}: {text}"), who=who, text=((told, "chat"),))
