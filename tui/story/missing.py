"""Who is missing at the table, and what can be done about it: what is said, and which keys help.

Somebody is *away* if nothing is heard from them: they are waited for. They are *absent* once the
others have agreed to go on without them (``net/play/patience.py``).
"""

from __future__ import annotations

from typing import TypeAlias

from net.play.ballots import most
from net.play.notices import DealtAnew, Link, Notice, Returned, Rewound, Ruled
from rules.game import Seat
from tui.boards.voices import Voice
from tui.keymap import USUAL, Keymap
from tui.sitting import Sitting
from tui.story.members import called, listed
from tui.words import N_, Pieces, Words, capital, text

Remark: TypeAlias = Ruled | Returned | DealtAnew | Rewound
"""What has happened to the table, not in the game, and belongs into the history."""


class Missing:
    """Who is missing at the table of ``sitting``, our own player included."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self.linked = True
        """Whether we are connected."""

    def take(self, notice: Notice) -> None:
        """Take note of what the table tells."""
        if isinstance(notice, Link):
            self.linked = notice.up

    # What is so.

    @property
    def gone(self) -> frozenset[Seat]:
        """Those who are away, if the table waits for one of them."""
        sitting = self._sitting
        away = sitting.away - sitting.absent - {sitting.me}
        return away if away & sitting.owing else frozenset()

    @property
    def enough(self) -> bool:
        """Whether those who are here are enough to go on: more than half of all members."""
        members = self._sitting.members
        return most(len(members - self._sitting.absent - self.gone), len(members))

    @property
    def absent(self) -> bool:
        """Whether our own player is absent."""
        return self._sitting.me in self._sitting.absent and not self._ended

    @property
    def _ended(self) -> bool:
        return self._sitting.result is not None or self._sitting.blame is not None

    @property
    def can_go_on(self) -> bool:
        """Whether our player can ask to go on without those who are away."""
        sitting = self._sitting
        present = sitting.me is not None and not self.absent
        return present and bool(self.gone) and self.enough and not sitting.impatient

    @property
    def can_come_back(self) -> bool:
        """Whether it takes a key of our player to be waited for again."""
        return self.absent and self._sitting.stays_out

    # What is said.

    def banner(
        self, words: Words, names: tuple[str, ...], keymap: Keymap = USUAL
    ) -> tuple[Pieces, Pieces]:
        """What matters most, and at the right end what can be done about it."""
        say = words.say
        if not self.linked:
            lost = say(N_("The connection is lost; trying again. Your choices are kept."))
            return _loud(lost), ()
        if self.absent:
            told = say(N_("You were away: the table went on without you."))
            todo = N_("{key}: back at the table") if self.can_come_back else N_("coming back…")
            return _loud(told), _loud(say(todo, key=keymap.spoken("game.come_back", words)))
        if self.gone:
            return self._gone(words, names, keymap.spoken("game.go_on", words))
        return self._absent(words, names), ()

    def _gone(self, words: Words, names: tuple[str, ...], key: str) -> tuple[Pieces, Pieces]:
        who = listed(words, names, self.gone)
        one = len(self.gone) == 1
        if not self.enough:
            said = N_("{who} is away; too few are left to go on.")
            if not one:
                said = N_("{who} are away; too few are left to go on.")
            return _loud(text(capital(words.tell(said, who=who)))), ()
        if self._sitting.impatient:
            said = N_("Going on without {who}: the others are being asked…")
            return _loud(text(words.tell(said, who=who))), ()
        said = N_("{who} is away; the seat is kept.")
        if not one:
            said = N_("{who} are away; their seats are kept.")
        todo: Pieces = ()
        if self.can_go_on:
            hint = N_("{key}: go on without {who}") if one else N_("{key}: go on without them")
            todo = _loud(text(words.tell(hint, who=who, key=key)))
        return _loud(text(capital(words.tell(said, who=who)))), todo

    def _absent(self, words: Words, names: tuple[str, ...]) -> Pieces:
        absent = self._sitting.absent
        if not absent or self._ended:
            return ()
        said = N_("{who} is absent: the table goes on without them.")
        if len(absent) > 1:
            said = N_("{who} are absent: the table goes on without them.")
        told = capital(words.tell(said, who=listed(words, names, absent)))
        return ((f" {text(told)} ", "warning"),)

    def waiting(
        self,
        words: Words,
        names: tuple[str, ...],
        owing: frozenset[Seat],
        keymap: Keymap = USUAL,
    ) -> Pieces:
        """For whom the table waits."""
        if self.can_come_back:
            said = N_("The table does not wait for you now. Press {key} when you are back.")
            return ((words.say(said, key=keymap.spoken("game.come_back", words)), "event"),)
        if self.gone and not self.enough:
            said = N_("The table waits. You can leave, and come back to it later.")
            return ((words.say(said), ""),)
        others = owing - {self._sitting.me}
        if not others:
            return ()
        return words.tell(N_("Waiting for {who}."), who=listed(words, names, others))


def remark(voice: Voice, notice: Remark) -> list[Pieces]:
    """``notice`` as lines of the history."""
    words, names, me = voice.words, voice.view.names, voice.view.me
    match notice:
        case Ruled(members, mine):
            lines = _for_each(
                words,
                names,
                members - {me} if mine else members,
                N_("{who} is absent: the table goes on without them."),
                N_("{who} are absent: the table goes on without them."),
            )
            own = words.say(N_("You were away: the table went on without you."))
            return [*lines, ((own, "warning"),)] if mine else lines
        case Returned(members):
            lines = _for_each(
                words, names, members - {me}, N_("{who} is back."), N_("{who} are back.")
            )
            own = words.say(N_("You are back: the table waits for you again."))
            return [*lines, ((own, "event"),)] if me in members else lines
        case DealtAnew():
            return [((words.say(voice.DEALT_ANEW), "event"),)]
        case Rewound():
            told = N_("While you were cut off the others went on: this is what really happened.")
            return [((words.say(told), "warning"),)]


def _for_each(
    words: Words, names: tuple[str, ...], members: frozenset[Seat], one: str, several: str
) -> list[Pieces]:
    if not members:
        return []
    who: Pieces = words.several(
        [called(words, names, member, "name") for member in sorted(members)]
    )
    return [capital(words.tell(one if len(members) == 1 else several, who=who))]


def _loud(said: str) -> Pieces:
    return ((f" {said} ", "lost"),)
