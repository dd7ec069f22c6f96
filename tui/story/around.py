"""Tables at which one does not sit, in words: what is played, since when, why there may be more."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from tui import boards
from tui.text import safe
from tui.words import N_, Words

MINUTE: Final = 60
NAME: Final = 11
"""Most cells of a name where several stand in a line."""


def played(words: Words, game: str, names: Iterable[str]) -> str:
    """The game, and with whom."""
    title = words.say(boards.voice(game).TITLE)
    said = ", ".join(safe(name, NAME) or "?" for name in names)
    return words.say(N_("{game}, with {names}"), game=title, names=said)


def problem(words: Words, code: str) -> str:
    """What there is to say about ``tui.near.Near.problem``."""
    match code:
        case "no-multicast":
            return words.say(N_("The local network lets nothing be found: use invitations."))
        case "no-lobby":
            return words.say(N_("The broker cannot be reached now; it is tried again."))
    return ""


def age(words: Words, since: float | None) -> str:
    """How old a table is; empty if nobody knows."""
    if since is None:
        return ""
    minutes = int(max(0.0, time.time() - since) // MINUTE)
    if minutes < 1:
        return words.say(N_("just opened"))
    if minutes < 120:
        return words.say(N_("{n} min old"), n=minutes)
    return words.say(N_("{n} h old"), n=minutes // 60)
