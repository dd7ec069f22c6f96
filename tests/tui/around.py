"""What is near, as a test says."""

from __future__ import annotations

import time
from dataclasses import replace

from tui.near import Near, Nearby


class Around(Near):
    """What the test says is near."""

    def __init__(self, *tables: Nearby, problem: str = "") -> None:
        super().__init__(None, None)
        self.found = tables
        self.trouble = problem

    @property
    def tables(self) -> tuple[Nearby, ...]:
        return self.found

    @property
    def problem(self) -> str:
        return self.trouble

    @property
    def looks(self) -> bool:
        return True

    def change(self, *tables: Nearby) -> None:
        """Tables come and go."""
        self.found = tables
        self._tell()


ANA = Nearby("farfadet://ana", "gnomia", 3, 1, ("Ana",), begun=False, lan=True)
BO = Nearby(
    "farfadet://bo", "taverne", 4, 2, ("Bo", "Chloé"), begun=False, lan=False, since=time.time()
)
FULL = replace(BO, invitation="farfadet://full", taken=4, names=("Dan", "Eve"))
PLAYING = replace(ANA, invitation="farfadet://playing", taken=3, names=("Félix",), begun=True)
