"""A finished game as plain text: what happened, how it ended, and what its file is worth."""

from __future__ import annotations

from collections.abc import Iterator

from tui import boards
from tui.replayed import Replayed
from tui.story.judged import judged
from tui.story.outcome import scored, victory
from tui.story.seen import Seen
from tui.story.told import told_of
from tui.words import Words, text

MARK = 3
"""Cells for the round in which something happened."""


def retell(sitting: Replayed, words: Words) -> Iterator[str]:
    """Read all of the file, and tell it line by line."""
    playback = sitting.playback
    playback.read()
    sitting.go(playback.last)
    seen = Seen(sitting)
    voice = boards.voice(sitting.game.name)(words, seen.view())
    names = voice.view.names
    yield f"{words.say(voice.TITLE)}: {words.fold(', '.join(names))}"
    for entry in seen.reveal.told:
        for mark, pieces in told_of(voice, entry):
            yield f"{mark:>{MARK}}  {text(pieces)}"
    if sitting.result is not None:
        yield text(victory(words, sitting, sitting.result))
        for score in sorted(sitting.result.scores, key=lambda score: (score.rank, score.seat)):
            yield scored(voice, score)
    if playback.verdict is not None:
        yield text(judged(words, names, playback.verdict))
