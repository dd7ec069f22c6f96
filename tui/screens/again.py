"""Once more: under a result, what to play next, and who waits for us already."""

from __future__ import annotations

from typing import Final

from net.meeting.again import Proposal
from tui.story.members import called
from tui.widgets.canvas import Canvas, Picture
from tui.wish import Wish
from tui.words import N_

SHORT: Final = {
    "game": "",
    "seats": N_("players"),
    "level": N_("bots play"),
    "bots": N_("bots"),
    "limit": N_("time limit"),
}
"""The labels of what can be changed."""

LEFT = 6
GAP = 3


class Again(Picture):
    """A line to ask, a line of what can be changed, the value that is lit between arrows.

    ``friends`` is whether people have played; ``names`` are the players', made harmless.
    """

    DEFAULT_CSS = "Again { height: 3; dock: bottom; margin-bottom: 1; }"

    def __init__(self, wish: Wish, names: tuple[str, ...], *, friends: bool) -> None:
        super().__init__(id="again")
        self.wish = wish
        self.offered: Proposal | None = None
        self._names = names
        self._at = 0
        self._rows = ("game", "seats", *(("bots", "limit") if friends else ("level",)))

    def move(self, step: int) -> None:
        """Light what is ``step`` further on."""
        self._at = (self._at + step) % len(self._rows)
        self.redraw()

    def change(self, step: int) -> None:
        """Take the next or the previous value of what is lit."""
        self.wish.change(self._rows[self._at], step)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        """Somebody else's table comes first: nothing is to be changed there."""
        words = self.farfadet.words
        if self.offered is not None:
            who = called(words, self._names, self.offered.seat, "name")
            canvas.pieces(LEFT, 0, words.tell(N_("{who} plays again: Enter goes along."), who=who))
            return
        canvas.put(LEFT, 0, words.say(N_("Play again with Enter, as it was or changed:")), "")
        x = LEFT
        for number, row in enumerate(self._rows):
            lit = number == self._at
            label = words.say(SHORT[row]) if SHORT[row] else ""
            if label:
                x = canvas.put(x, 2, label + " ", "dim")
            x = canvas.put(x, 2, "◀" if lit else " ", "key")
            x = canvas.put(x, 2, self.wish.said(row, words), "key" if lit else "")
            x = canvas.put(x, 2, "▶" if lit else " ", "key") + GAP - 1
