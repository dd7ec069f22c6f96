"""Where things are kept: identity and settings, finished games, logs and the broker's files."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import PlatformDirs

HOME = "FARFADET_HOME"
"""Names a folder that holds everything, instead of the system's usual places."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one user. They are made when something is first put into them."""

    config: Path
    data: Path
    state: Path

    @property
    def settings(self) -> Path:
        """What the player has set; there is no such file until something is."""
        return self.config / "settings.toml"

    @property
    def games(self) -> Path:
        """Transcripts of games, one file each."""
        return self.data / "games"

    @property
    def tables(self) -> Path:
        """What must survive a crash, a folder for each table that is being played."""
        return self.state / "tables"

    @property
    def broker(self) -> Path:
        """What the embedded broker needs on disk."""
        return self.state / "broker"

    @property
    def referee(self) -> Path:
        """A referee's key and its record of tables."""
        return self.data / "referee"

    @property
    def hints(self) -> Path:
        """Which hints its player has been given."""
        return self.state / "hints.json"

    @property
    def log(self) -> Path:
        """The log file; older ones lie beside it."""
        return self.state / "farfadet.log"


class Readable(logging.Formatter):
    """One message is one line, and whatever would not be seen is written as Python writes it.

    There may be something from the network in it, and people look at logs in their terminals.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's word
        """The line."""
        return super().formatMessage(record).replace("\n", "\\n")

    def format(self, record: logging.LogRecord) -> str:
        """The line, and a traceback if there is one."""
        return "".join(map(_seen, super().format(record)))


def _seen(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return char
    return char.encode("unicode_escape").decode("ascii")


def find() -> Places:
    """The folders of whoever runs this process."""
    if home := os.environ.get(HOME):
        root = Path(home).expanduser().absolute()
        return Places(root / "config", root / "data", root / "state")
    dirs = PlatformDirs("farfadet", appauthor=False)
    return Places(dirs.user_config_path, dirs.user_data_path, dirs.user_state_path)


def keep_log(places: Places) -> None:
    """Send all logging to the log file: a line on a screen that Textual owns would be lost."""
    places.state.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = RotatingFileHandler(places.log, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(Readable("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.captureWarnings(True)
