"""What the lines around a board say at one moment: what the table does, what the player may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from net.play.notices import Progress
from rules.game import Choose, Deal, Open, Over, Seat, Shuffle
from tui.boards.base import Board
from tui.screens.members import called
from tui.screens.missing import Missing
from tui.sitting import Sitting
from tui.troubles import offence, refusal
from tui.words import N_, Pieces, Words

HURRY: Final = 10
"""Below so many seconds our player is told to hurry."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides what is said. ``refused`` is the code of what was just tried in vain."""

    words: Words
    sitting: Sitting
    board: Board
    missing: Missing
    progress: Progress | None
    problem: Callable[[], str] | None
    refused: str | None
    leaving: bool


def above(now: Situation) -> tuple[Pieces, Pieces]:
    """Who is missing, for the line above the board; else, that our player looks on."""
    left, right = now.missing.banner(now.words, now.board.view.names)
    if now.sitting.me is None and not left:
        told = now.words.say(N_("You are looking on."))
        left = ((f" {told} ", "dim"),)
    return left, right


def phase(now: Situation) -> Pieces:
    """What the table is doing, for the end of the first line."""
    say, view = now.words.say, now.board.view
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
        return now.board.doing()
    return ()


def time_left(now: Situation) -> Pieces:
    """How long somebody may still think, to go on with after the phase."""
    patience, view = now.sitting.patience, now.board.view
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
    say, view = now.words.say, now.board.view
    if now.leaving:
        leave = N_("Leave? The others wait; your seat stays yours. q again leaves.")
        return ((say(leave), "warning"),)
    if now.problem is not None:
        return ((now.problem(), "error"),)
    if now.sitting.blame is not None:
        return _blame(now, *now.sitting.blame)
    if now.refused is not None:
        why = now.board.REFUSALS.get(now.refused) or refusal(now.refused)
        return ((say(why, code=now.refused), "warning"),)
    if view.shown:
        return ((say(N_("This is what everybody chose. Any choice key goes on.")), "dim"),)
    if isinstance(view.request, Over):
        return ((say(N_("The game is over. Enter shows the score.")), "event"),)
    if now.sitting.delegated:
        return ((say(N_("A bot plays for you; z: you play again yourself.")), "name"),)
    if view.moves and now.board.aimed is not None:
        help_ = say(N_("Enter seals it, u undoes"))
        aimed = now.board.describe(now.board.aimed)
        return (("▶ ", "key"), *aimed, ("   ", ""), (help_, "dim"))
    if view.moves:
        return now.board.ask()
    choosing, owing = isinstance(view.request, Choose), now.sitting.owing
    # Sealed choices are opened at once, so only who is away is waited for then.
    late = owing if now.sitting.asked or not choosing else owing & now.sitting.away
    waiting = now.missing.waiting(now.words, view.names, late)
    if view.chosen is not None:
        sealed = now.board.describe(view.chosen)
        return (("◆ ", "sealed"), *sealed, ("   ", ""), *waiting)
    return waiting


def _blame(now: Situation, member: Seat, code: str) -> Pieces:
    who = called(now.words, now.board.view.names, member, "name")
    return now.words.tell(offence(code), who=who, code=code)
