"""What is said of a finished game's file: what its audit has found, and how far it has come."""

from __future__ import annotations

from net.play.audit import Verdict
from tui.story.members import called
from tui.troubles import offence, trouble
from tui.words import N_, NN_, Pieces, Words

VOID = frozenset({"nobody-present", "no-face"})
"""Faults for which the file cannot be blamed: the game could not go on."""


def judged(words: Words, names: tuple[str, ...], verdict: Verdict) -> Pieces:
    """The verdict in a sentence."""
    fault = verdict.fault
    if fault is None:
        good = NN_(
            "Verified: {n} message, every signature, draw, proof and move as it must be.",
            "Verified: {n} messages, every signature, draw, proof and move as it must be.",
        )
        return ((words.count(good, verdict.messages), "sealed"),)
    if verdict.seat is not None:
        who = called(words, names, verdict.seat, "name")
        return words.tell(offence(fault), who=who, code=fault)
    if fault == "unfinished":
        return ((words.say(N_("Unfinished: the file ends before the game does.")), "warning"),)
    if fault in VOID:
        return ((words.say(trouble(fault), code=fault), "warning"),)
    if verdict.message is None:
        said = words.say(N_("Bad: the file is not as it was saved ({code})."), code=fault)
    else:
        bad = N_(
            "Bad at message {n} ({code}): the file is damaged, or not what was played. What comes "
            "after that is not shown."
        )
        said = words.say(bad, n=verdict.message, code=fault)
    return ((said, "error"),)


def stamp(words: Words, verdict: Verdict) -> Pieces:
    """The verdict in a few words."""
    if verdict.good:
        return ((words.say(N_("verified")), "sealed"),)
    if verdict.fault == "unfinished":
        return ((words.say(N_("unfinished")), "warning"),)
    if verdict.message is None:
        return ((words.say(N_("bad")), "error"),)
    return ((words.say(N_("bad at message {n}"), n=verdict.message), "error"),)


def reading(words: Words, progress: float) -> Pieces:
    """How much of a file has been checked so far, from 0 to 1."""
    return ((words.say(N_("checking: {n} %"), n=round(100 * progress)), "dim"),)
