"""What the lines around a board say at one moment: what the table does, what the player may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from net.play.notices import Progress
from rules.game import Choose, Deal, Move, Open, Over, Seat, Shuffle
from tui.boards.voices import Voice
from tui.keymap import USUAL, Keymap
from tui.sitting import Sitting
from tui.story.members import called
from tui.story.missing import Missing
from tui.troubles import offence, refusal
from tui.words import N_, Pieces, Words

HURRY: Final = 10
"""Below so many seconds our player is told to hurry."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides what is said.

    ``refused`` is the code of what was just tried in vain. ``ask`` has the question, with whatever
    answers it; ``aimed`` is what our player may seal next.
    """

    sitting: Sitting
    voice: Voice
    missing: Missing
    progress: Progress | None
    problem: Callable[[], str] | None
    refused: str | None
    leaving: bool
    aimed: Move | None
    ask: Callable[[], Pieces]
    keymap: Keymap = USUAL

    @property
    def words(self) -> Words:
        """The player's language."""
        return self.voice.words

    def key(self, wanted: str) -> str:
        """The key of an action, for a sentence."""
        return self.keymap.spoken(wanted, self.words)


def above(now: Situation) -> tuple[Pieces, Pieces]:
    """Who is missing, for the line above the board; else, that our player looks on."""
    left, right = now.missing.banner(now.words, now.voice.view.names, now.keymap)
    if now.sitting.me is None and not left:
        told = now.words.say(N_("You are looking on."))
        left = ((f" {told} ", "dim"),)
    return left, right


def phase(now: Situation) -> Pieces:
    """What the table is doing, for the end of the first line."""
    say, view = now.words.say, now.voice.view
    if now.sitting.me is None and view.request is None and not view.shown:
        caught = now.sitting.blame is not None or now.problem is not None
        return () if caught else ((say(N_("catching up…")), "dim"),)
    if view.shown:
        return ((say(N_("all choices are open")), "event"),)
    request = view.request
    if isinstance(request, Choose) and not request.secret:
        (seat,) = request.seats
        if seat == view.me:
            return ((say(N_("your turn")), "event"),)
        return now.words.tell(N_("{who}'s turn"), who=view.names[seat])
    if isinstance(request, Choose):
        present = frozenset(request.seats) - view.absent
        if time_left(now) and len(view.owing) == 1 and not view.moves:
            (seat,) = view.owing
            return now.words.tell(N_("{who} is choosing"), who=view.names[seat])
        total = len(present)
        said = say(N_("{n} of {m} sealed"), n=total - len(view.owing), m=total)
        if view.moves:
            return ((say(N_("choose")), "event"), (" · " + said, ""))
        return ((said, ""),)
    if now.progress is not None:
        said = {
            "seal": say(N_("shuffling")),
            "proof": say(
                N_("shuffling: {n} of {m} proofs checked"),
                n=now.progress.done,
                m=now.progress.total,
            ),
        }.get(now.progress.code, "")
        return ((said, ""),)
    if isinstance(request, Shuffle | Open | Deal):
        return now.voice.doing()
    return ()


def time_left(now: Situation) -> Pieces:
    """How long somebody may still think, to go on with after the phase."""
    patience, view = now.sitting.patience, now.voice.view
    if patience is None or view.shown or not view.owing:
        return ()
    seconds = ceil(patience)
    if seconds > 60:
        said = f"{seconds // 60}:{seconds % 60:02}"
    elif seconds:
        said = now.words.say(N_("{n} s"), n=seconds)
    else:
        said = now.words.say(N_("time is up"))
    if view.moves and seconds < HURRY:
        said = now.words.say(N_("hurry: {time}"), time=said) if seconds else said
        return (("· ", ""), (f" {said} ", "lost"))
    return (("· " + said, ""), (" ", ""))


def prompt(now: Situation) -> Pieces:
    """What is asked of the player, or what they should know first."""
    say, view = now.words.say, now.voice.view
    if now.leaving:
        leave = N_("Leave? The others wait; your seat stays yours. {key} again leaves.")
        return ((say(leave, key=now.key("game.leave")), "warning"),)
    if now.problem is not None:
        return ((now.problem(), "error"),)
    if now.sitting.blame is not None:
        return blamed(now.voice, *now.sitting.blame)
    if now.refused is not None:
        why = now.voice.REFUSALS.get(now.refused) or refusal(now.refused)
        return ((say(why, code=now.refused), "warning"),)
    if view.shown:
        return ((say(N_("This is what everybody chose. Any choice key goes on.")), "dim"),)
    if isinstance(view.request, Over):
        over = N_("The game is over. {key} shows the score.")
        return ((say(over, key=now.key("game.seal")), "event"),)
    if now.sitting.delegated:
        told = N_("A bot plays for you; {key}: you play again yourself.")
        return ((say(told, key=now.key("game.delegate")), "name"),)
    if view.moves and now.aimed is not None:
        seal, undo = now.key("game.seal"), now.key("game.undo")
        help_ = say(N_("{seal} seals it, {undo} undoes"), seal=seal, undo=undo)
        aimed = now.voice.describe(now.aimed)
        return (("▶ ", "key"), *aimed, ("   ", ""), (help_, "dim"))
    if view.moves:
        return now.ask()
    choosing, owing = isinstance(view.request, Choose), now.sitting.owing
    # Sealed choices are opened at once, so only who is away is waited for then.
    late = owing if now.sitting.asked or not choosing else owing & now.sitting.away
    waiting = now.missing.waiting(now.words, view.names, late, now.keymap)
    if view.chosen is not None:
        sealed = now.voice.describe(view.chosen)
        return (("◆ ", "sealed"), *sealed, ("   ", ""), *waiting)
    return waiting


def blamed(voice: Voice, member: Seat, code: str) -> Pieces:
    """Who has stopped the table, and how."""
    who = called(voice.words, voice.view.names, member, "name")
    return voice.words.tell(offence(code), who=who, code=code)
