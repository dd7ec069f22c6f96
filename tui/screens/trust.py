"""The loud question: somebody has come with the name of a friend, and with another key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, TypeAlias

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from net.people.friends import Kind, Standing
from tui.actions import bindings
from tui.company import Company, Person, called
from tui.screens.frame import Frame
from tui.style import content
from tui.widgets.line import Line
from tui.words import N_, Pieces, Words

Answer: TypeAlias = Literal["other", "them", "leave"]


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
        loud = say(N_("A name you know, another key"))
        warning: Pieces = ((f" {loud} ", "lost"),)
        self.query_one("#banner", Line).show(warning, (), "─")
        standing = company.standing(self.person)
        self._show("asked", ((question(self.words, self.person, standing), "event"),))
        told = say(N_("Ask by voice who it is, before you answer."))
        if company.words:
            told = say(N_("Ask by voice who it is. All at this table see these four words:"))
        self._show("told", ((told, ""),))
        self._show("spoken", ((company.words, "title"),))
        lines = [
            self._line(at, self._sentence(answer, standing))
            for at, answer in enumerate(self._answers(standing))
        ]
        self.query_one("#answers", Static).update(Content("\n").join(lines))
        hint = say(N_("Your board waits; the others and the clock do not."))
        self._show("hint", ((hint, "dim"),))

    def _show(self, name: str, pieces: Pieces) -> None:
        self.query_one(f"#{name}", Static).update(content(pieces))

    def _line(self, at: int, sentence: str) -> Content:
        mark, style = (self.words.fold("▸ "), "aimed") if at == self.at else ("  ", "")
        return content(((mark, "key"), (f" {sentence} ", style)))

    def _answers(self, standing: Standing) -> tuple[Answer, ...]:
        """Whose key it is that is known cannot be answered otherwise."""
        return ("other", "leave") if standing.owner is not None else ("other", "them", "leave")

    def _sentence(self, answer: Answer, standing: Standing) -> str:
        words, person = self.words, self.person
        match answer:
            case "leave":
                return words.say(N_("Leave the table"))
            case "them":
                assert standing.claimed is not None
                who = called(words, standing.claimed.name)
                return words.say(N_("It is {who}, with one more key: remember it"), who=who)
        if standing.owner is not None:
            return words.say(N_("It is {who}: play on"), who=called(words, standing.owner.name))
        if not person.met:
            return words.say(N_("Somebody else: play on"))
        name = self.company.file.read().free(person.name)
        return words.say(
            N_("Somebody else: play on, and remember them as {who}"), who=called(words, name)
        )

    def action_up(self) -> None:
        """The answer before."""
        self._go(-1)

    def action_down(self) -> None:
        """The next answer."""
        self._go(1)

    def _go(self, by: int) -> None:
        answers = self._answers(self.company.standing(self.person))
        self.at = min(max(self.at + by, 0), len(answers) - 1)
        self.relabel()

    def action_enter(self) -> None:
        """Take the answer that is lit, and ask about the next person or give the board free."""
        answer = self._answers(self.company.standing(self.person))[self.at]
        if answer == "leave":
            self.farfadet.home()
            return
        self.company.settle(self.person, same=answer == "them")
        if self.company.doubts:
            self.at = 0
            self.relabel()
        else:
            self.app.pop_screen()


def question(words: Words, person: Person, standing: Standing) -> str:
    """What is odd about ``person``, whose name is another's."""
    friend = standing.claimed
    assert friend is not None
    name, day = called(words, person.name), friend.last.isoformat()
    who = called(words, friend.name)
    if standing.owner is not None:
        return words.say(
            N_("{name} has the key of {owner}, and a name of {who}, whom you met on {day}."),
            name=name,
            owner=called(words, standing.owner.name),
            who=who,
            day=day,
        )
    if name == who:
        return words.say(
            N_(
                "{name} is here with another key than the {name} you played with on {day}. "
                "A new machine, or somebody else?"
            ),
            name=name,
            day=day,
        )
    return words.say(
        N_(
            "{name} is here with another key than {who}, whom you met on {day} and who has "
            "such a name. A new machine, or somebody else?"
        ),
        name=name,
        who=who,
        day=day,
    )


def mark(words: Words, person: Person, standing: Standing) -> Pieces:
    """What a guest is to us, beside the name in a room."""
    say = words.say
    match standing.kind:
        case Kind.ME:
            return ((say(N_("your own key")), "dim"),)
        case Kind.BOT:
            return ()
        case Kind.NEW:
            return ((say(N_("new")), "event"),)
        case Kind.KNOWN:
            assert standing.owner is not None
            own = called(words, standing.owner.name)
            if own == called(words, person.name):
                return ((say(N_("known")), "dim"),)
            return ((say(N_("known to you as {who}"), who=own), "event"),)
        case Kind.CLAIMS:
            assert standing.claimed is not None
            who = called(words, standing.claimed.name)
            loud = say(N_("not the {who} you know!"), who=who)
            return ((f" {loud} ", "lost"),)
