"""What all places have in common in which one writes lines: obeying them, and telling things."""

from __future__ import annotations

import asyncio
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

from net.people.chat import ChatError
from net.people.talk import Talk
from tui.plain.lines import INTERRUPT
from tui.sitting import Replay, Start
from tui.story.talk import CELLS, HUSHED, REFUSALS, mute, name, unmute
from tui.text import safe
from tui.words import LANGUAGES, N_, NN_, Pieces, Words

if TYPE_CHECKING:
    from tui.plain.client import Client

T = TypeVar("T")


class Quit(Exception):
    """The player leaves farfadet, with this exit ``code``."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Around:
    """Go to the list of the tables near us."""


Way: TypeAlias = Start | Replay | Around
"""Where one can go."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a line that starts with a stroke does.

    Its ``names`` are English, French, more; the first is the code's, too. ``takes`` stands for what
    is written after it, ``help`` says what it does; both to translate.
    """

    names: tuple[str, ...]
    help: str
    takes: str = ""

    def shown(self, words: Words) -> str:
        """How it is written."""
        french = words.language == "fr" and len(self.names) > 1
        return f"/{self.names[1] if french else self.names[0]}"


EVERYWHERE = (
    Command(("help", "aide", "?"), N_("what can be written here")),
    Command(("rules", "règles", "regles"), N_("how to play")),
    Command(("fr",), N_("go on in French")),
    Command(("en",), N_("go on in English")),
    Command(("leave", "partir"), N_("back to the menu")),
    Command(("quit", "quitter"), N_("leave farfadet")),
)
TALK = (
    Command(
        ("say", "dire"),
        N_("say it to everybody here; a line that starts with ' does too"),
        N_("TEXT"),
    ),
    Command(
        ("mute",), N_("do not hear somebody any more; without a name: who is muted"), N_("NAME")
    ),
    Command(("unmute",), N_("hear them again"), N_("NAME")),
    Command(("hush",), N_("hear those who look on no more, or again")),
)


class Place(ABC, Generic[T]):
    """Where one is, until there is somewhere else to go: ``stay`` returns what that is."""

    COMMANDS: ClassVar[tuple[Command, ...]] = ()
    """What can be done here and not everywhere; ``do_…`` has the first of the names."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._next: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._leaving = False

    # What a place may be.

    @property
    def game(self) -> str:
        """The game that one would ask the rules of."""
        raise NotImplementedError

    @property
    def talk(self) -> Talk | None:
        """The talk here."""
        return None

    @property
    def held(self) -> bool:
        """Whether it is asked once more before one leaves."""
        return False

    def arrive(self) -> None:
        """Say where one is."""

    def written(self, line: str) -> None:
        """What is no command."""
        self.say(N_("What is that? /help says what can be written here."))

    def remind(self) -> None:
        """An empty line: say again what is asked."""

    def home(self) -> T:
        """What ``stay`` returns when one goes back to the menu."""
        raise NotImplementedError

    def usable(self, command: Command) -> bool:
        """Whether ``command`` would do something now."""
        return True

    # Staying.

    def go(self, there: T) -> None:
        """Go there."""
        if not self._next.done():
            self._next.set_result(there)

    def fail(self, error: Exception) -> None:
        """Leave, because of ``error``."""
        if not self._next.done():
            self._next.set_exception(error)

    async def stay(self) -> T:
        """Obey what is written until one goes somewhere; raises ``Quit`` if one leaves farfadet."""
        if self.talk is not None:
            self.talk.listen(self.hear_talk)
        self.arrive()
        self.hear_talk()
        while not self._next.done():
            reading = asyncio.ensure_future(self.client.lines.read())
            try:
                await asyncio.wait((reading, self._next), return_when=asyncio.FIRST_COMPLETED)
            finally:
                # A line that comes now waits for the next place.
                if not reading.done():
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)
            if not reading.cancelled():
                self.obey(reading.result())
        return self._next.result()

    def obey(self, line: str | None) -> None:
        """Do what ``line`` says."""
        if line is None:
            raise Quit
        if line == INTERRUPT:
            if self.sure():
                raise Quit(130)
            return
        line = line.strip()
        command, _, rest = line.removeprefix("/").partition(" ")
        found = next((c for c in self.commands if command.casefold() in c.names), None)
        if not line.startswith("/") or found is None or found.names[0] not in ("leave", "quit"):
            self._leaving = False
        if not line:
            self.remind()
        elif line[0] in "'\N{RIGHT SINGLE QUOTATION MARK}" and self.talk is not None:
            self.do_say(line[1:].strip())
        elif not line.startswith("/"):
            self.written(line)
        elif found is None:
            self.say(
                N_("There is no command {command} here; /help lists them."),
                command=f"/{safe(command, 20)}",
            )
        else:
            self._do(found, rest.strip())

    def _do(self, command: Command, rest: str) -> None:
        try:
            getattr(self, f"do_{command.names[0]}")(rest)
        except Quit:
            raise
        except Exception as error:
            self.client.tell(self.client.explain(error))

    def sure(self) -> bool:
        """Whether one may leave; if not yet, it is asked, and then one may."""
        if not self.held or self._leaving:
            return True
        self._leaving = True
        self.say(N_("Leave? The others wait; your seat stays yours. Once more leaves."))
        return False

    # Telling.

    def say(self, text: str, /, **blanks: object) -> None:
        """Say ``text``, translated, its blanks filled."""
        self.client.tell(self.client.words.say(text, **blanks))

    def tell(self, pieces: Pieces) -> None:
        """Say what has been put into words."""
        self.client.tell("".join(part for part, _ in pieces))

    def pair(self, what: str, value: str) -> None:
        """Say what something is, or means."""
        self.say(N_("{what}: {value}"), what=what, value=value)

    # Commands.

    @property
    def commands(self) -> Sequence[Command]:
        """All that can be done here."""
        talk = TALK if self.talk is not None else ()
        return [*self.COMMANDS, *talk, *EVERYWHERE]

    def do_help(self, _: str) -> None:
        """List the commands."""
        words = self.client.words
        for command in self.commands:
            if self.usable(command):
                takes = f" {words.say(command.takes)}" if command.takes else ""
                self.pair(command.shown(words) + takes, words.say(command.help))

    def do_rules(self, _: str) -> None:
        """How to play."""
        self.client.rules(self.game)

    def do_fr(self, _: str) -> None:
        """In French."""
        self._speak("fr")

    def do_en(self, _: str) -> None:
        """In English."""
        self._speak("en")

    def _speak(self, language: str) -> None:
        self.client.speak(language)
        self.say(N_("The language is {language}."), language=LANGUAGES[language])

    def do_leave(self, _: str) -> None:
        """Back to the menu."""
        if self.sure():
            self.go(self.home())

    def do_quit(self, _: str) -> None:
        """Out."""
        if self.sure():
            raise Quit

    # Talk.

    def hear_talk(self) -> None:
        """Tell what others have said."""
        talk = self.talk
        if talk is None or self._next.done():
            return
        heard = self.client.heard.get(talk, 0)
        for said in talk.lines:
            if said.number >= heard and not said.mine:
                told = safe(said.text, CELLS)
                self.say(N_("{who} says: {text}"), who=name(said.voice), text=told)
        # Whoever is muted takes their lines away: what was heard stays heard.
        self.client.heard[talk] = max(heard, *(said.number + 1 for said in talk.lines), 0)

    def do_say(self, text: str) -> None:
        """To everybody here."""
        assert self.talk is not None
        said = safe(text, CELLS) if text else ""
        if not said:
            self.say(N_("Say what? /say TEXT"))
            return
        try:
            self.talk.say(said)
        except ChatError as error:
            self.say(REFUSALS[error.code])

    def do_mute(self, called: str) -> None:
        """Hear somebody no more."""
        assert self.talk is not None
        said, who = mute(self.talk, called)
        self.say(said, who=safe(who, 60))

    def do_unmute(self, called: str) -> None:
        """Hear them again."""
        assert self.talk is not None
        said, who = unmute(self.talk, called)
        self.say(said, who=safe(who, 60))

    def do_hush(self, _: str) -> None:
        """Hear none of those who look on, or all."""
        assert self.talk is not None
        self.talk.hush(not self.talk.hushed)
        self.say(HUSHED[self.talk.hushed])

    def around(self) -> str:
        """How many look on; empty if nobody does."""
        if self.talk is None or not self.talk.watching:
            return ""
        return self.client.words.count(NN_("{n} looks on", "{n} look on"), self.talk.watching)
