"""The line that a player types or pastes in: nothing but text that can be seen gets into it."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Input

from tui.text import harmless


class Field(Input):
    """As Textual's, but whatever is pasted is only text: a friend's message can carry anything."""

    # Blinking is some hundred bytes down the line every second.
    cursor_blink = reactive(False, init=False)

    def validate_value(self, value: str) -> str:
        """What is left of ``value``."""
        return harmless(value)
