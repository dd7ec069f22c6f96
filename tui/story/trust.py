"""Who people are: the loud question about a friend's name with another key, and what answers it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from net.people.friends import Kind, Standing
from tui.company import Company, Person, called
from tui.words import N_, Pieces, Words

Answer: TypeAlias = Literal["other", "them", "leave"]

LOUD: Final = N_("A name you know, another key")
HINT: Final = N_("Your board waits; the others and the clock do not.")


def ask_aloud(company: Company) -> str:
    """How to find out who it is, to translate; the words of the table follow if there are any."""
    if company.words:
        return N_("Ask by voice who it is. All at this table see these four words:")
    return N_("Ask by voice who it is, before you answer.")


def answers(standing: Standing) -> tuple[Answer, ...]:
    """What can be answered; the first answer trusts nobody and loses nothing.

    Whose key it is that is known cannot be answered otherwise.
    """
    return ("other", "leave") if standing.owner is not None else ("other", "them", "leave")


def sentence(words: Words, company: Company, answer: Answer) -> str:
    """An answer about the first of those in doubt, in words."""
    person = company.doubts[0]
    standing = company.standing(person)
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
    name = company.file.read().free(person.name)
    return words.say(
        N_("Somebody else: play on, and remember them as {who}"), who=called(words, name)
    )


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
