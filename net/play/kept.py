"""The finished games: their files, newest first, and what is quickly told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from net.deck.verified import Verified
from net.play.audit import Hearing
from net.play.charter import Charter
from net.play.transcript import MAGIC, SUFFIX
from net.play.wire import LONGEST
from rules.game import Result

HEAD = len(MAGIC) + 4
"""Bytes before the charter."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The file of a game; ``at`` is when it was written, in seconds since 1970."""

    path: Path
    at: float


def kept(folder: Path) -> list[Kept]:
    """The games in ``folder``, the newest first; none of them is opened. Raises ``OSError``."""
    if not folder.is_dir():
        return []
    found = [Kept(path, path.stat().st_mtime) for path in folder.glob(f"*{SUFFIX}")]
    return sorted(found, key=lambda game: (game.at, game.path.name), reverse=True)


def terms(path: Path) -> Charter:
    """What was agreed for the game in a file, of which only the beginning is read.

    Raises ``OSError``, and ``Refusal`` or ``RuleError`` for what cannot be followed here.
    """
    with open(path, "rb") as file:
        head = file.read(HEAD)
        size = int.from_bytes(head[len(MAGIC) :], "big")
        return Hearing(head + file.read(min(size, LONGEST))).charter


class _Unchecked(Verified):
    """Takes every proof for good."""

    def once(self, name: bytes, parts: tuple[bytes, ...], check: Callable[[], None]) -> None:
        """Skip it."""


def outcome(data: bytes) -> Result | None:
    """The result that the bytes of a file lead to if its proofs hold, which nobody looks at here.

    Some ten times as quick as the audit, and no verdict. ``None`` if there is no result.
    """
    try:
        return Hearing(data, _Unchecked()).verdict().result
    except Exception:
        # What was not looked at may be anything, and fail in any way.
        return None
