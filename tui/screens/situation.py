"""What the lines around a board say at one moment: what the table does, what the player may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from net.notices import Progress
from rules.game import Choose, Deal, Open, Over, Seat, Shuffle
from tui.boards.base import Board
from tui.sitting import Sitting
from tui.words import N_, Pieces, Words, refusal


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides what is said. ``refused`` is the code of what was just tried in vain."""

    words: Words
    sitting: Sitting
    board: Board
    progress: Progress | None
    problem: Callable[[], str] | None
    refused: str | None
    leaving: bool


def phase(now: Situation) -> Pieces:
    """What the table is doing, for the end of the first line."""
    say, view = now.words.say, now.board.view
    if view.shown:
        return ((say(N_("all choices are open")), "event"),)
    request = view.request
    if isinstance(request, Choose) and not request.secret:
        (seat,) = request.seats
        if seat == view.me:
            return ((say(N_("your turn")), "event"),)
        return now.words.tell(N_("{who}'s turn"), who=view.names[seat])
    if isinstance(request, Choose):
        total = len(request.seats)
        done = total - len(view.owing)
        said = say(N_("{n} of {m} sealed"), n=done, m=total)
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


def prompt(now: Situation) -> Pieces:
    """What is asked of the player, or what they should know first."""
    say, view = now.words.say, now.board.view
    if now.leaving:
        asked = N_("Leave? The others wait; your seat stays yours. q again leaves.")
        return ((say(asked), "warning"),)
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
    if view.moves and now.board.aimed is not None:
        help_ = say(N_("Enter seals it, u undoes"))
        aimed = now.board.describe(now.board.aimed)
        return (("▶ ", "key"), *aimed, ("   ", ""), (help_, "dim"))
    if view.moves:
        return now.board.ask()
    waiting = _waiting(now)
    if view.chosen is not None:
        sealed = now.board.describe(view.chosen)
        return (("◆ ", "sealed"), *sealed, ("   ", ""), *waiting)
    return waiting


def _waiting(now: Situation) -> Pieces:
    """For whom the table waits."""
    view = now.board.view
    owing = view.owing if isinstance(view.request, Choose) else now.sitting.owing
    others = sorted(owing - {view.me})
    if not others:
        return ()
    waited = now.words.tell(N_("Waiting for {who}."), who=_named(now, others))
    gone = [seat for seat in others if seat in now.sitting.away]
    if not gone:
        return waited
    said = N_("{who} is away; the seat is kept.")
    if len(gone) > 1:
        said = N_("{who} are away; their seats are kept.")
    absent = now.words.tell(said, who=_named(now, gone))
    return absent if gone == others else (*waited, (" ", ""), *absent)


def _named(now: Situation, seats: Sequence[Seat]) -> Pieces:
    return now.words.several([((now.board.view.names[seat], ""),) for seat in seats])


def _blame(now: Situation, seat: Seat, code: str) -> Pieces:
    return now.words.tell(
        N_("The game is stopped: {who} broke the protocol ({code}). Nobody has won."),
        who=((now.board.view.names[seat], "name"),),
        code=code,
    )
