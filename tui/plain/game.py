"""The game: what happens as sentences, the position as lines, and a line that is a move."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from net.people.talk import Talk
from net.play.notices import Notice, Rewound
from rules.game import Choose, Illegal, Over, RuleError, State
from tui import boards
from tui.boards.voices import Voice
from tui.going import Seated, sit_through
from tui.plain.doubts import Doubting
from tui.plain.place import Command, Way
from tui.plain.result import Outcome
from tui.plain.standing import Standing
from tui.sitting import Home
from tui.story.members import clean_names
from tui.story.reveal import Entry
from tui.story.seen import Seen
from tui.story.situation import blamed
from tui.story.told import told_of
from tui.troubles import refusal
from tui.words import N_, text

if TYPE_CHECKING:
    from tui.plain.client import Client

AT_ONCE: Final = 20
"""Sentences told at once; of more, the last ones: somebody who comes late is told a whole game."""
SO_FAR: Final = 3
"""Sentences told to somebody who comes back to a game."""
ALL_LISTED: Final = 12
"""Moves listed with the question; of more, the first one is an example."""
GOODBYE: Final = 2.0
"""Seconds in which the others may still be told of the end when we leave."""


class Table(Doubting[Way | None]):
    """At the table of ``seated``: all of it is told from the sitting, as the screen draws it."""

    COMMANDS: ClassVar = (
        Command(("board", "plateau"), N_("where everything stands")),
        Command(("moves", "coups"), N_("what may be chosen now, with what to write for it")),
        Command(("history", "histoire"), N_("all that has happened")),
        Command(("who", "qui"), N_("who is at the table, and who has sealed")),
        Command(("undo", "annuler"), N_("why a choice cannot be undone")),
        Command(("bot", "robot"), N_("let a bot play for you, or play again yourself")),
        Command(("go", "continuer"), N_("go on without those who are away")),
        Command(("back", "retour"), N_("be waited for again")),
        Command(("same", "pareil"), N_("the four words are the same for all, or are not")),
        Command(("score",), N_("the score, when the game is over")),
    )

    def __init__(self, client: Client, seated: Seated) -> None:
        super().__init__(client, seated.company)
        self.sitting = seated.sitting
        self.seen = Seen(self.sitting)
        self.problem: Exception | None = None
        self._standing = Standing(self)
        self._told: list[Entry] = []
        """What has happened, as far as it was told."""
        self._lines: frozenset[str] = frozenset()
        """The position as it was told last."""
        self._placed: State = None
        self._asked: State = None
        """The states in which the position was told, and the question put."""
        self._behind = False
        self._stopped = self._arrived = False
        self._gone = asyncio.Event()

    @property
    def game(self) -> str:
        """The game that is played."""
        return self.sitting.game.name

    @property
    def talk(self) -> Talk | None:
        """The talk at the table."""
        return self.sitting.talk

    @property
    def voice(self) -> Voice:
        """What the game says of this moment."""
        return boards.voice(self.game)(self.client.words, self.seen.view())

    @property
    def over(self) -> bool:
        """Whether nothing is lost by leaving."""
        stopped = self.problem is not None or self.sitting.blame is not None
        return stopped or isinstance(self.sitting.request, Over)

    @property
    def held(self) -> bool:
        """A seat that others wait for is not left by mistake."""
        return self.sitting.me is not None and not self.over

    def home(self) -> Way | None:
        """The menu."""
        return Home()

    def usable(self, command: Command) -> bool:
        """As the keys of the screen."""
        seated, missing = self.sitting.me is not None, self.seen.missing
        match command.names[0]:
            case "moves" | "undo":
                return seated and not self.over
            case "bot":
                return seated and not self.over
            case "go":
                return missing.can_go_on
            case "back":
                return missing.can_come_back
            case "same":
                return self.company is not None and self.company.can_compare
            case "score":
                return self.sitting.result is not None
        return True

    # Sitting there.

    async def play(self) -> Way:
        """Until one leaves; where to go then."""
        self.sitting.listen(self._hear)
        if self.company is not None:
            self.company.attend(self.sitting)
        running = asyncio.create_task(self._run())
        try:
            while True:
                way = await self.stay()
                if way is None:
                    way = await Outcome(self.client, self).stay()
                if way is not None:
                    return way
                self._next = asyncio.get_running_loop().create_future()
        finally:
            self._standing.close()
            self._gone.set()
            if self.sitting.result is not None:
                await asyncio.wait((running,), timeout=GOODBYE)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def _run(self) -> None:
        await sit_through(self.sitting, self._play, self._gone)

    async def _play(self) -> None:
        try:
            await self.sitting.run()
        except Exception as error:
            self.problem = error
        self._later()

    def _hear(self, notice: Notice) -> None:
        # Lines are read at one's own pace: nothing is shown for a moment.
        self.seen.take(notice, moving=False)
        if isinstance(notice, Rewound):
            self._placed = self._asked = None
        self._later()

    def _later(self) -> None:
        """Tell all that is new, once for all that is waiting."""
        if not self._behind:
            self._behind = True
            asyncio.get_running_loop().call_soon(self._tell_news)

    def _tell_news(self) -> None:
        try:
            self._catch_up()
        except Exception as error:
            self.fail(error)

    # What is told.

    def arrive(self) -> None:
        """Who plays what, and what has happened so far."""
        if self._arrived:
            return
        self._arrived = True
        words = self.client.words
        names = clean_names(self.sitting)
        others = [((name, ""),) for seat, name in enumerate(names) if seat != self.sitting.me]
        said = N_("{game}. At the table: {who}.")
        if self.sitting.me is not None:
            said = N_("{game}. At the table with you: {who}.")
        title = words.say(self.voice.TITLE)
        self.tell(words.tell(said, game=title, who=words.several(others)))
        if self.sitting.me is None:
            self.say(N_("You are looking on."))
        if self.company is not None and self.company.words:
            self.say(N_("Four words to compare aloud: {words}"), words=self.company.words)
            if self.company.can_compare:
                self.say(N_("/same if all see the same words."))
        self.say(N_("A line is what you choose; /help says what else can be written."))
        self._told = list(self.seen.reveal.told)
        self._recount(self._told[-SO_FAR:])
        self.doubt()
        self._later()

    def _catch_up(self) -> None:
        self._behind = False
        if self._next.done():
            return
        self._tell_story()
        self._standing.tell()
        if self.problem is not None or self.sitting.blame is not None:
            self._tell_end()
        elif self.sitting.result is not None:
            self._tell_position()
            self.go(None)
        else:
            self._tell_position()
            self._ask()

    def _tell_story(self) -> None:
        """What is new; of a past that was taken back, all that is different now."""
        now = self.seen.reveal.told
        same = 0
        for old, new in zip(self._told, now, strict=False):
            if old is not new and old != new:
                break
            same += 1
        news = now[same:]
        self._told = list(now)
        if len(news) > AT_ONCE:
            left = len(news) - AT_ONCE // 2
            self.say(N_("{n} sentences before this; /history tells all."), n=left)
            news = news[left:]
        self._recount(news)

    def _recount(self, entries: list[Entry]) -> None:
        voice = self.voice
        for entry in entries:
            for _, pieces in told_of(voice, entry):
                self.tell(pieces)

    def _tell_end(self) -> None:
        """Why it does not go on."""
        if self._stopped:
            return
        self._stopped = True
        if self.sitting.blame is not None:
            self.tell(blamed(self.voice, *self.sitting.blame))
        elif self.problem is not None:
            self.client.tell(self.client.explain(self.problem))
        self.say(N_("/leave goes back to the menu."))

    def _tell_position(self) -> None:
        """What has changed since it was told last, whenever somebody is to choose."""
        view = self.seen.view()
        if not isinstance(view.request, Choose | Over) or view.state == self._placed:
            return
        self._placed = view.state
        lines = [text(line) for line in (self.voice.headline(), *self.voice.position()) if line]
        for line in lines:
            if line not in self._lines:
                self.client.tell(line)
        self._lines = frozenset(lines)

    def _ask(self) -> None:
        """Put the question, once for each choice."""
        view = self.seen.view()
        if view.moves and view.state != self._asked and not self.asking:
            self._asked = view.state
            if not self.sitting.delegated:
                self.remind()

    def remind(self) -> None:
        """What is asked, with what can be written."""
        if self.asking:
            self.doubt()
            return
        words, view = self.client.words, self.seen.view()
        if not view.moves:
            self._standing.remind()
            return
        written = [view.game.write(move) for move in view.moves]
        said, listed = N_("Write {moves}."), ", ".join(written)
        if len(written) > ALL_LISTED:
            said, listed = N_("Write for example {moves}; /moves lists all."), written[0]
        question = text(self.voice.question())
        self.client.tell(f"{question} {words.say(said, moves=listed)}")

    # What one does.

    def written(self, line: str) -> None:
        """An answer to who somebody is, else a move."""
        if self.answered(line):
            return
        if self.sitting.delegated:
            self.say(N_("A bot plays for you; /bot: you play again yourself."))
            return
        voice = self.voice
        try:
            move = self.sitting.game.read(line)
        except RuleError as error:
            self._refuse(error.code)
            return
        code = voice.forbids(move)
        if code is not None:
            self._refuse(code)
            return
        said = voice.describe(move)
        try:
            self.sitting.choose(move)
        except Illegal as illegal:
            self._refuse(illegal.code)
        else:
            words = self.client.words
            self.tell(words.tell(N_("Sealed: {move}."), move=said))

    def _refuse(self, code: str) -> None:
        said = self.voice.REFUSALS.get(code) or refusal(code)
        if code == "move-text":
            said = N_("That is no move; /moves lists them all.")
        self.say(said, code=code)

    def settled(self) -> None:
        """Nobody is in doubt any more."""
        self._later()

    def do_board(self, _: str) -> None:
        """All of it."""
        voice = self.voice
        self.tell(((self.client.words.say(voice.TITLE), ""), *voice.headline()))
        for line in (*voice.position(), *voice.details()):
            self.tell(line)

    def do_moves(self, _: str) -> None:
        """A line for each."""
        voice, view = self.voice, self.seen.view()
        if not view.moves:
            self._refuse(voice.idle())
        for move in view.moves:
            self.pair(view.game.write(move), text(voice.describe(move)))

    def do_history(self, _: str) -> None:
        """From the beginning."""
        self._recount(self._told)

    def do_who(self, _: str) -> None:
        """A line for each."""
        self._standing.who()

    def do_undo(self, _: str) -> None:
        """There is nothing before the seal."""
        self.say(N_("Nothing can be undone: what you write is sealed at once, for good."))

    def do_bot(self, _: str) -> None:
        """Let it play, or play."""
        if self.sitting.me is None or self.over:
            self._refuse("not-asked")
            return
        stand_in = None if self.sitting.delegated else self.client.doors.stand_in()
        self.sitting.delegate(stand_in)
        if self.sitting.delegated:
            self.say(N_("A bot plays for you; /bot: you play again yourself."))
        else:
            self.say(N_("You play again yourself."))
            self._asked = None
            self._later()

    def do_go(self, _: str) -> None:
        """Ask the others to go on without those who are away."""
        if self.seen.missing.can_go_on:
            self.sitting.go_on()
            self._later()
        else:
            self.say(N_("There is nobody to go on without now."))

    def do_back(self, _: str) -> None:
        """Be waited for again."""
        if self.seen.missing.can_come_back:
            self.sitting.come_back()
            self.say(N_("coming back…"))
        else:
            self.say(N_("You are at the table already."))

    def do_same(self, _: str) -> None:
        """They have been compared aloud."""
        if self.company is None or not self.company.can_compare:
            self.say(N_("There are no words to compare now."))
            return
        self.company.compare()
        said = N_("Noted: the words are the same for all.")
        self.say(said if self.company.same else N_("Noted: the words are not the same for all."))

    def do_score(self, _: str) -> None:
        """Not before the end."""
        self.say(N_("The score is counted at the end; /board says how things stand."))
