"""Who sits at a table with us: what we know of them, what must be asked, and what is kept of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from net.people.friends import FriendsError, Kind, Standing
from tui.sitting import Guest, Sitting
from tui.text import safe
from tui.words import N_, Pieces, Words, text

if TYPE_CHECKING:
    from net.people.friends_file import Change, FriendsFile
    from net.play.charter import Charter
    from net.play.notices import Notice
    from rules.game import Seat

log = logging.getLogger(__name__)

NAME = 16
"""Most cells of a name in a sentence."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table: long-term key, and name as text from the network.

    ``met`` says whether playing with them is to be remembered: not with a program.
    """

    key: bytes
    name: str
    met: bool = True


class Company:
    """The others at one table.

    ``words`` are the table's, to compare aloud, while that helps. Everybody is remembered as met
    once the game has begun and nobody's name is in doubt.
    """

    def __init__(self, file: FriendsFile, people: Iterable[Person], words: str = "") -> None:
        self.file = file
        self.words = words
        self.same = False
        """Whether our player says that the words are the same for all."""
        self._people = tuple(person for person in people if person.key != file.me)
        self._standings = {person: self.standing(person) for person in self._people}
        self._begun = False
        self.doubts = [
            person for person in self._people if self._standings[person].kind is Kind.CLAIMS
        ]
        """Whose names are still to be asked about, in the order of seats."""

    @classmethod
    def of_guests(cls, file: FriendsFile, guests: Iterable[Guest], words: str | None) -> Company:
        """Those who have sat down with us in a room."""
        people = [Person(g.identity, g.name, met=not g.bot) for g in guests if not g.mine]
        return cls(file, people, words or "")

    @classmethod
    def of_charter(cls, file: FriendsFile, charter: Charter, me: Seat) -> Company:
        """Those at a table that we come back to; who is a program, its charter does not say."""
        chairs = [chair for seat, chair in enumerate(charter.chairs) if seat != me]
        return cls(file, [Person(chair.identity, chair.name, met=False) for chair in chairs])

    def standing(self, person: Person) -> Standing:
        """What ``person`` is to us, as things are."""
        friends = self.file.read()
        return friends.standing(person.key, person.name, bot=not person.met, me=self.file.me)

    def attend(self, sitting: Sitting) -> None:
        """Remember everybody once the game there has begun."""

        def hear(_: Notice) -> None:
            if sitting.step > 0 and not self._begun:
                self._begun = True
                self._remember()

        sitting.listen(hear)

    def settle(self, person: Person, same: bool) -> None:
        """Our player has asked: ``person`` is the same as the one whose name it is, or is not."""
        claimed = self._standings[person].claimed
        if same and claimed is not None:
            key = claimed.keys[0]
            self._keep(lambda friends: friends.adopted(person.key, person.name, key))
        self.doubts.remove(person)
        self._remember()

    def _remember(self) -> None:
        if self._begun and not self.doubts:
            here = {person.key: person.name for person in self._people if person.met}
            day, same, keys = date.today(), self.same, self._fresh
            if here:
                self._keep(lambda friends: friends.met(here, day).compared(keys, same))

    def _keep(self, change: Change) -> None:
        try:
            self.file.change(change)
        except FriendsError as error:
            log.warning("%s", error)

    # The four words.

    @property
    def _fresh(self) -> tuple[bytes, ...]:
        """The keys under which no words have been compared before this table."""
        standings = self._standings.items()
        return tuple(person.key for person, was in standings if person.met and not was.checked)

    @property
    def can_compare(self) -> bool:
        """Whether comparing the words would say anything new."""
        return bool(self.words and self._fresh)

    def compare(self) -> None:
        """The words are the same for all; once more, and they are not."""
        self.same = not self.same
        if self._begun and not self.doubts:
            same, keys = self.same, self._fresh
            self._keep(lambda friends: friends.compared(keys, same))

    def spoken(self, words: Words) -> Pieces:
        """The words of the table, and whose keys they would vouch for."""
        if not self.words:
            return ()
        said = words.say(N_("Four words to compare aloud: {words}"), words=self.words)
        fresh = [person for person in self._people if person.key in self._fresh]
        if not fresh:
            return ((said, "dim"),)
        new = [person for person in fresh if self._standings[person].owner is None]
        if self.same:
            who = _listed(words, fresh)
            more = words.say(N_("The same: {who} will be known as checked (v: no)."), who=who)
        elif new:
            who = _listed(words, new)
            more = words.say(N_("First game with {who}: v if all see the same words."), who=who)
        else:
            more = words.say(N_("v if all see the same words."))
        style = "event" if new and not self.same else "dim"
        return ((f"{said}. {more}", style),)


def called(words: Words, name: str) -> str:
    """``name``, which may come from anywhere, as part of a sentence."""
    return words.fold(safe(name, NAME)) or "?"


def _listed(words: Words, people: Iterable[Person]) -> str:
    names: list[Pieces] = [((called(words, person.name), ""),) for person in people]
    return text(words.several(names))
