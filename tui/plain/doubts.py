"""The loud question, in lines: somebody has the name of a friend, and another key."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tui.company import Company
from tui.plain.place import Place
from tui.story.trust import HINT, LOUD, answers, ask_aloud, question, sentence
from tui.words import N_

if TYPE_CHECKING:
    from tui.plain.client import Client

T = TypeVar("T")


class Doubting(Place[T]):
    """A table at whose ``company`` one may have to ask who somebody is, before anything else."""

    def __init__(self, client: Client, company: Company | None) -> None:
        super().__init__(client)
        self.company = company

    @property
    def asking(self) -> bool:
        """Whether our player is to say who somebody is."""
        return self.company is not None and bool(self.company.doubts)

    def settled(self) -> None:
        """Nobody is in doubt any more."""

    def doubt(self) -> None:
        """Put the question, if there is one."""
        company = self.company
        if company is None or not company.doubts:
            return
        words, person = self.client.words, company.doubts[0]
        standing = company.standing(person)
        self.say(LOUD)
        self.client.tell(question(words, person, standing))
        self.client.tell(f"{words.say(ask_aloud(company))} {company.words}")
        for number, answer in enumerate(answers(standing), 1):
            self.pair(str(number), sentence(words, company, answer))
        self.say(HINT)

    def answered(self, line: str) -> bool:
        """Take ``line`` for the answer, if one is asked for."""
        company = self.company
        if company is None or not company.doubts:
            return False
        person = company.doubts[0]
        found = answers(company.standing(person))
        if line not in [str(number) for number in range(1, len(found) + 1)]:
            self.say(N_("Answer first who that is, with a number."))
            self.doubt()
            return True
        answer = found[int(line) - 1]
        if answer == "leave":
            self.go(self.home())
            return True
        company.settle(person, same=answer == "them")
        if company.doubts:
            self.doubt()
        else:
            self.settled()
        return True
