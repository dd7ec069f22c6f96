"""Talking on a screen: the key, the line to type in, muting; where lines are shown is the screen's.

What is typed is sent and the line is closed at once: the next key is for the game again, and no
choice is typed to everybody by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.widget import Widget
from textual.widgets import Input

from net.people.chat import ChatError
from net.people.talk import Talk
from tui.actions import Action, bindings, of
from tui.screens.frame import COLUMNS, WIDTH, Frame
from tui.story.talk import CELLS, HUSHED, MARK, REFUSALS, mute, spoken, unmute
from tui.text import safe
from tui.widgets.chat import Saying
from tui.widgets.foot import Foot
from tui.widgets.line import Line
from tui.words import N_, NN_, Pieces, text

COMMANDS: Final = N_("/mute NAME and /unmute NAME are all that starts with a stroke.")


class Talking(Frame):
    """A screen with a talk, if there is anybody to talk to."""

    BINDINGS: ClassVar = bindings("talk")
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Talking #note, Talking Saying { display: none; }
    Talking.-noted #note, Talking.-talking Saying { display: block; }
    Talking #note { background: $surface; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        """How many lines have been said so far, as far as we have seen."""
        self._news = 0

    @property
    def talk(self) -> Talk | None:
        """The talk, if there is any."""
        raise NotImplementedError

    @property
    def wide(self) -> bool:
        """Whether there is room for columns."""
        return self.app.size.width >= COLUMNS

    def show_talk(self) -> None:
        """Show what is said, and how much of it is new."""
        raise NotImplementedError

    def saying(self) -> Iterator[Widget]:
        """The line to type in, and what there is to be told about it."""
        yield Line(id="note")
        yield Saying()

    def actions(self) -> tuple[Action, ...]:
        """Talking is offered last of what is particular to this screen."""
        return (*of(self.PLACE), *of("talk"), *of("any"))

    def on_mount(self) -> None:
        """Listen to the others."""
        if self.talk is not None:
            self._count = self._latest()
            self.talk.listen(self._heard)

    def relabel(self) -> None:
        """The line to type in, too."""
        super().relabel()
        hint = N_("Enter sends it to everybody here, Esc closes; /mute NAME")
        self.query_one(Saying).placeholder = self.words.say(hint)

    def _heard(self) -> None:
        if self.is_attached:
            self.call_later(self._take)

    def _take(self) -> None:
        if self.talk is None or not self.is_attached:
            return
        others = sum(not said.mine and said.number >= self._count for said in self.talk.lines)
        self._count = self._latest()
        # Whoever is typing has the talk before their eyes.
        self._news = 0 if self.talking else self._news + others
        self.show_talk()
        self.query_one(Foot).redraw()

    def _latest(self) -> int:
        assert self.talk is not None
        # Whoever is muted takes their lines away: what was seen of them stays seen.
        return max(self._count, *(said.number + 1 for said in self.talk.lines), 0)

    @property
    def talking(self) -> bool:
        """Whether our player is typing."""
        return self.has_class("-talking")

    def read(self) -> None:
        """Our player is looking: nothing is new any more."""
        if self._news:
            self._news = 0
            self.show_talk()

    def on_key(self, event: events.Key) -> None:
        """Whoever presses a key is there, and has read what there was to be told."""
        self.read()
        if not self.talking:
            self._note(None)

    def refocus(self) -> None:
        """Keys go to the screen."""
        self.set_focus(None)

    # What is said.

    def lines(self) -> list[tuple[str, Pieces]]:
        """What is said, as lines with their mark."""
        if self.talk is None:
            return []
        return [(self.words.fold(MARK), spoken(self.words, said)) for said in self.talk.lines]

    def around(self, cells: int = WIDTH) -> Pieces:
        """How much is new and how many look on, as far as ``cells`` allow."""
        if self.talk is None:
            return ()
        parts = list[Pieces]()
        if self._news:
            said = self.words.count(NN_("{n} new line", "{n} new lines"), self._news)
            parts.append(((f" {said} ", "event"),))
        if self.talk.watching:
            said = self.words.count(NN_("{n} looks on", "{n} look on"), self.talk.watching)
            if self.talk.hushed:
                said = self.words.say(N_("{others}, muted"), others=said)
            parts.append(((f" {said} ", "dim"),))
        while parts and sum(cell_len(text(part)) for part in parts) >= cells:
            parts.pop()
        return tuple(piece for part in parts for piece in part)

    def ticker(self) -> Pieces:
        """The last line, where there may be no room for the others."""
        if self.talk is None or not self._news:
            return ()
        return ((" ", ""), *spoken(self.words, self.talk.lines[-1]), (" ", ""))

    # What our player does.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether there is anybody to talk to, and to be muted."""
        match action:
            case "talk":
                return self.talk is not None
            case "hush":
                return self.talk is not None and (
                    self.talk.hushed or any(voice.seat is None for voice in self.talk.voices)
                )
        return super().check_action(action, parameters)

    def label(self, action: Action) -> str:
        """One key mutes and hears again."""
        hushed = action.name == "hush" and self.talk is not None and self.talk.hushed
        return N_("hear again") if hushed else super().label(action)

    def action_talk(self) -> None:
        """Open the line to type in."""
        self.add_class("-talking")
        self.query_one(Saying).focus()
        self.read()
        self.show_talk()

    def action_hush(self) -> None:
        """Hear those who look on, or none of them."""
        assert self.talk is not None
        self.talk.hush(not self.talk.hushed)
        self._note(HUSHED[self.talk.hushed])
        self.query_one(Foot).redraw()

    @on(Saying.Closed)
    def _close(self) -> None:
        self.query_one(Saying).clear()
        self._note(None)
        self.remove_class("-talking")
        self.show_talk()
        self.refocus()

    @on(Input.Changed, "#saying")
    def _typing(self) -> None:
        if self.query_one(Saying).value:
            self._note(None)

    @on(Input.Submitted, "#saying")
    def _say(self, event: Input.Submitted) -> None:
        event.stop()
        written = safe(event.value, CELLS)
        if written.startswith("/"):
            self._command(written)
            event.input.clear()
            return
        assert self.talk is not None
        if written:
            try:
                self.talk.say(written)
            except ChatError as error:
                self._note(REFUSALS[error.code])
                return
        self._close()

    def _command(self, written: str) -> None:
        """Mute somebody, or hear them again."""
        assert self.talk is not None
        command, _, called = written.partition(" ")
        match command:
            case "/mute":
                self._note(*mute(self.talk, called))
            case "/unmute":
                self._note(*unmute(self.talk, called))
            case _:
                self._note(COMMANDS)

    def _note(self, said: str | None, who: str = "") -> None:
        """Tell our player something about the talk, or nothing any more."""
        self.set_class(said is not None, "-noted")
        told = "" if said is None else self.words.say(said, who=who)
        self.query_one("#note", Line).show(((told, "warning"),))
