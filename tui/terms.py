"""How this process plays: what the command line and the environment say about it."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.text import safe

if TYPE_CHECKING:
    from net.link.address import Broker

OFF = "off"
"""In place of interfaces: not to look for tables on the local network, nor to announce ours."""


_DUMB = frozenset(("", "dumb", "unknown", "network"))


def dumb(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that it cannot draw. Windows has no such name for its own."""
    return os.name != "nt" and environ.get("TERM", "") in _DUMB


@dataclass(frozen=True, slots=True)
class Terms:
    """How this process plays: under which ``name``, and through which broker.

    Without ``broker`` an embedded one is started when it is needed, on ``port`` (``None``: any that
    is free). ``address`` is what invitations say about this machine. ``seed`` makes local bots
    repeat themselves. ``lan`` is where to look for tables nearby: addresses of interfaces, with
    commas; empty: all of them; ``"off"``: nowhere. With ``listed``, every table of ours stands in
    the lobby of ``broker``.
    """

    name: str
    broker: Broker | None = None
    port: int | None = None
    address: str | None = None
    level: str = "steady"
    seed: int | None = None
    lan: str = ""
    listed: bool = False


def own_name(usual: str = "") -> str:
    """What to call the player who has not said: ``usual``, else as the account, made harmless."""
    try:
        name = os.environ.get("FARFADET_NAME") or usual or getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return safe(name, 16) or "farfadet"
