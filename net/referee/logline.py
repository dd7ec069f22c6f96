"""One line for one event of a service: ``key=value`` after ``key=value``, whatever is in it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable

from rules.game import Seat


def logline(event: str, table: bytes | None = None, **fields: object) -> str:
    """The line that tells ``event``, when it was, at which table, and more about it."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    where = {} if table is None else {"table": table.hex()[:12]}
    told = {"at": at, "event": event, **where, **fields}
    return " ".join(f"{key}={quoted(value)}" for key, value in told.items())


def listed(members: Iterable[Seat]) -> str:
    """A set of members, as it is told."""
    return ",".join(map(str, sorted(members)))


def quoted(value: object) -> str:
    """``value`` as it is if it is one plain word; else in quotes, in ASCII, on one line."""
    text = str(value)
    plain = text.isprintable() and text != "" and not set(text) & set(' "=')
    return text if plain else json.dumps(text)
