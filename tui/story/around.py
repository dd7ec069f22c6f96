"""The tables near us in words: since when they are open, and why there may be more of them."""

from __future__ import annotations

import time
from typing import Final

from tui.words import N_, Words

MINUTE: Final = 60


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
