"""How much of the host a guest may take: who may knock, how often, and what is believed of them.

Pure: addresses, counts and times come in, a code comes out, and nothing waits.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

MINUTE: Final = 60.0

MEBIBYTE: Final = 1024 * 1024

SIZE: Final = (80, 24)
"""Columns and rows of a terminal that does not say."""
COLUMNS: Final = (20, 300)
ROWS: Final = (5, 100)
"""The least and the most that is believed of a terminal: each cell costs the host memory."""

MOST_ENVIRONMENT: Final = 16 * 1024
"""Bytes of variables that a client may send before its session starts."""
LONGEST_COMMAND: Final = 1024
"""Characters after the host's name on the command line of ssh."""

HOSTS: Final = ("PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZ", "VIRTUAL_ENV")
"""Variables of the host that a guest's process needs to run at all."""

TERMINAL: Final = "xterm-256color"
"""What a terminal is taken for whose name cannot be one."""

_VALUE: Final = {
    "TERM": re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,39}"),
    "COLORTERM": re.compile(r"[a-z0-9-]{1,16}"),
    "NO_COLOR": re.compile(r"[a-z0-9]{1,8}"),
    "LANG": re.compile(r"[A-Za-z0-9._@-]{1,40}"),
    "LC_ALL": re.compile(r"[A-Za-z0-9._@-]{1,40}"),
    "LC_CTYPE": re.compile(r"[A-Za-z0-9._@-]{1,40}"),
    "LC_MESSAGES": re.compile(r"[A-Za-z0-9._@-]{1,40}"),
}
"""What a guest may say about their terminal, and how that looks."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a host grants. Counts are of connections, times in seconds, memory in bytes."""

    guests: int = 32
    """Connections that are in, at a time."""
    homes: int = 2000
    """Keys that have a folder here; with so many, only those still come in."""
    per_address: int = 8
    """Of one address: a household, or a whole /64 of IPv6."""
    knocking: int = 32
    """Connections that have not logged in yet."""
    logins: int = 20
    """Attempts to connect, an address and minute."""
    starting: int = 4
    """Processes that may start at the same time; the next guests wait a moment."""
    idle: float = 30 * MINUTE
    """Without a key pressed."""
    memory: int = 256 * MEBIBYTE
    """A guest's process, as the system counts its data."""


class Gate:
    """Who has knocked and who is in; whoever it lets in, it must be told when they have left.

    Codes: ``"busy"``, too many are logging in; ``"hurried"``, too many attempts from there in a
    minute; ``"host-full"``, too many are in; ``"host-crowded"``, too many from there are.
    """

    MOST_ORIGINS: Final = 4096
    """Addresses whose attempts are remembered; beyond that, the longest quiet are forgotten."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tries: dict[str, deque[float]] = {}
        self._knocking = 0
        self._inside: Counter[str] = Counter()

    @property
    def inside(self) -> int:
        """How many are in."""
        return self._inside.total()

    def knock(self, origin: str, now: float) -> str:
        """Somebody connects: ``""``, or the code of why they may not even log in."""
        tries = self._tries.pop(origin, None) or deque(maxlen=self._limits.logins + 1)
        self._tries[origin] = tries
        while len(self._tries) > self.MOST_ORIGINS:
            del self._tries[next(iter(self._tries))]
        while tries and now - tries[0] >= MINUTE:
            tries.popleft()
        tries.append(now)
        if len(tries) > self._limits.logins:
            return "hurried"
        if self._knocking >= self._limits.knocking:
            return "busy"
        self._knocking += 1
        return ""

    def gone(self) -> None:
        """Somebody who has knocked goes away, or has logged in."""
        self._knocking -= 1

    def enter(self, origin: str) -> str:
        """Somebody has logged in: ``""``, and they are in, or the code of why they may not."""
        if self.inside >= self._limits.guests:
            return "host-full"
        if self._inside[origin] >= self._limits.per_address:
            return "host-crowded"
        self._inside[origin] += 1
        return ""

    def leave(self, origin: str) -> None:
        """Somebody who was in has left."""
        self._inside[origin] -= 1
        if not self._inside[origin]:
            del self._inside[origin]


def origin(address: str) -> str:
    """What counts as one address: all of IPv4, the network part of IPv6; else the text itself."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Network((int(found) >> 64 << 64, 64)))
    return str(found)


def believed(columns: int, rows: int) -> tuple[int, int]:
    """The size of a terminal, as much of it as is believed."""
    if columns <= 0 or rows <= 0:
        return SIZE
    return (
        min(max(columns, COLUMNS[0]), COLUMNS[1]),
        min(max(rows, ROWS[0]), ROWS[1]),
    )


def terminal_of(said: Mapping[str, str]) -> dict[str, str]:
    """The variables about a guest's terminal and language; nothing else, and nothing strange."""
    told = {name: said[name] for name in _VALUE if name in said}
    kept = {name: value for name, value in told.items() if _VALUE[name].fullmatch(value)}
    if "TERM" in told:
        kept.setdefault("TERM", TERMINAL)
    return kept
