"""The end of a game in words: who has won, and what vouches for it."""

from __future__ import annotations

from rules.game import Result, Score
from tui.boards.voices import Voice
from tui.sitting import Sitting
from tui.story.members import clean_names
from tui.words import N_, NN_, Pieces, Words, text


def victory(words: Words, sitting: Sitting, result: Result) -> Pieces:
    """Who has won."""
    names, winners = clean_names(sitting), result.winners
    if len(winners) > 1:
        listed = words.several([((names[seat], "name"),) for seat in winners])
        return words.tell(N_("{who} share the victory: play again!"), who=listed)
    if winners == (sitting.me,):
        return ((words.say(N_("You win!")), "sealed"),)
    return words.tell(N_("{who} wins."), who=((names[winners[0]], "name"),))


def scored(voice: Voice, score: Score) -> str:
    """A seat's rank and score, taken apart."""
    parts = [f"{text(voice.worth(line))} {line.points}" for line in score.lines if line.count]
    said = N_("{rank}. {who}: {total} ({parts})") if parts else N_("{rank}. {who}: {total}")
    return voice.words.say(
        said,
        rank=score.rank,
        who=voice.view.names[score.seat],
        total=score.total,
        parts=", ".join(parts),
    )


def verified(words: Words, sitting: Sitting, result: Result) -> str:
    """How many vouch for the result; empty where there is nobody but us."""
    if not sitting.messages:
        return ""
    signed = {score.seat for score in result.scores} - sitting.absent
    return words.count(
        NN_(
            "Verified: {n} seat has signed this result; {m} messages, all checked.",
            "Verified: {n} seats have signed this result; {m} messages, all checked.",
        ),
        len(signed),
        m=sitting.messages,
    )


SAVED = N_("Saved, for anyone to check with farfadet audit:")
"""What comes before the path of the file."""
