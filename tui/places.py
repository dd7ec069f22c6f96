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
    def log(self) -> Path:
        """The log file; older ones lie beside it."""
        return self.state / "farfadet.log"


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
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.captureWarnings(True)
