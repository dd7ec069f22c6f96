"""How this process plays: what the command line and the environment say about it."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass

from net.link.address import Broker
from tui.text import safe

OFF = "off"
"""In place of interfaces: not to look for tables on the local network, nor to announce ours."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How this process plays: under which ``name``, and through which broker.

    Without ``broker`` an embedded one is started when it is needed, on ``port`` (``None``: any that
    is free). ``address`` is what invitations say about this machine. ``seed`` makes local bots
    repeat themselves. ``lan`` is where to look for tables nearby: addresses of interfaces, with
    commas; empty: all of them; ``"off"``: nowhere.
    """

    name: str
    broker: Broker | None = None
    port: int | None = None
    address: str | None = None
    level: str = "steady"
    seed: int | None = None
    lan: str = ""


def own_name() -> str:
    """What to call the player who has not said: the name of the account, made harmless."""
    try:
        name = os.environ.get("FARFADET_NAME") or getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return safe(name, 16) or "farfadet"
