"""The loud question: somebody has come with the name of a friend, and with another key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.actions import bindings
from tui.company import Company, Person
from tui.screens.frame import Frame
from tui.story.trust import HINT, LOUD, answers, ask_aloud, question, sentence
from tui.style import content
from tui.widgets.line import Line
from tui.words import N_, Pieces


class TrustScreen(Frame):
    """Over the game, until our player has said of everybody in doubt who they are.

    Only the board waits: the table below goes on listening and answering.
    """

    PLACE = "trust"
    BINDINGS: ClassVar = bindings("trust")
    DEFAULT_CSS = """
    TrustScreen #asked { height: auto; margin: 2 6 0 6; }
    TrustScreen #told { height: auto; margin: 1 6 0 6; }
    TrustScreen #spoken { height: auto; margin: 1 10 0 10; }
    TrustScreen #answers { height: auto; margin: 1 6 0 6; }
    TrustScreen #hint { height: auto; margin: 1 6 0 6; }
    """

    def __init__(self, company: Company, game: str) -> None:
        super().__init__()
        self.company = company
        self.at = 0
        """The answer that is lit; the first one trusts nobody and loses nothing."""
        self._game = game

    @property
    def game(self) -> str:
        """The game that waits."""
        return self._game

    @property
    def person(self) -> Person:
        """Whom we ask about."""
        return self.company.doubts[0]

    def parts(self) -> Iterator[Widget]:
        """The question, what helps to answer it, and the answers."""
        yield Line(id="top")
        yield Line(id="banner")
        for name in ("asked", "told", "spoken", "answers", "hint"):
            yield Static(id=name, markup=False)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        say, company = self.words.say, self.company
        self.query_one("#top", Line).show(((say(N_("Who is that?")), "title"),))
        warning: Pieces = ((f" {say(LOUD)} ", "lost"),)
        self.query_one("#banner", Line).show(warning, (), "─")
        standing = company.standing(self.person)
        self._show("asked", ((question(self.words, self.person, standing), "event"),))
        self._show("told", ((say(ask_aloud(company)), ""),))
        self._show("spoken", ((company.words, "title"),))
        lines = [
            self._line(at, sentence(self.words, company, answer))
            for at, answer in enumerate(answers(standing))
        ]
        self.query_one("#answers", Static).update(Content("\n").join(lines))
        self._show("hint", ((say(HINT), "dim"),))

    def _show(self, name: str, pieces: Pieces) -> None:
        self.query_one(f"#{name}", Static).update(content(pieces))

    def _line(self, at: int, sentence: str) -> Content:
        mark, style = (self.words.fold("▸ "), "aimed") if at == self.at else ("  ", "")
        return content(((mark, "key"), (f" {sentence} ", style)))

    def action_up(self) -> None:
        """The answer before."""
        self._go(-1)

    def action_down(self) -> None:
        """The next answer."""
        self._go(1)

    def _go(self, by: int) -> None:
        found = answers(self.company.standing(self.person))
        self.at = min(max(self.at + by, 0), len(found) - 1)
        self.relabel()

    def action_enter(self) -> None:
        """Take the answer that is lit, and ask about the next person or give the board free."""
        answer = answers(self.company.standing(self.person))[self.at]
        if answer == "leave":
            self.farfadet.home()
            return
        self.company.settle(self.person, same=answer == "them")
        if self.company.doubts:
            self.at = 0
            self.relabel()
        else:
            self.app.pop_screen()
