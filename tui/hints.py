"""Hints for newcomers: each is shown once, in the first game of its kind, and never again after it.

What has been shown is kept in a small file, by game: codes of hints, or nothing but that a whole
game has been played. A file that cannot be read or written costs nothing but that.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from net.disk import replace

log = logging.getLogger(__name__)

READ: Final = 1.5
"""Seconds that a hint must have been on the screen to have been read."""

PLAYED: Final = "*"
"""Stands in place of codes when a whole game has been played."""


class Hints:
    """What one player has been told. ``path`` is where that is kept; ``clock`` gives seconds."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._told = _read(path)
        self._game, self._code = "", ""
        """The hint that is on the screen, if there is one."""
        self._since = 0.0

    def pick(self, game: str, fitting: Sequence[str]) -> str | None:
        """The code of the hint to show now, of those that fit.

        The one that is on the screen stays as long as it fits: it goes when the player has acted.
        """
        if self._code and (game != self._game or self._code not in fitting):
            self._drop()
        told = self._told.get(game, [])
        if not self._code and PLAYED not in told:
            self._code = next((code for code in fitting if code not in told), "")
            self._game, self._since = game, self._clock()
        return self._code or None

    def played(self, game: str) -> None:
        """A whole game of this kind has been played: there is nothing more to be told about it."""
        self._code = ""
        if self._told.get(game) != [PLAYED]:
            self._told[game] = [PLAYED]
            self._save()

    def _drop(self) -> None:
        read, code, self._code = self._clock() - self._since >= READ, self._code, ""
        if read:
            self._told.setdefault(self._game, []).append(code)
            self._save()

    def _save(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace(self._path, json.dumps(self._told).encode())
        except OSError as error:
            log.warning("hints are not kept: %s", error)


def _read(path: Path) -> dict[str, list[str]]:
    """What is in the file, as far as it is what we write."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {game: list(map(str, codes)) for game, codes in found.items() if isinstance(codes, list)}
