"""The long work of one replica: what waits to be run, whose it is, and how far it has got."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from net.play.notices import Progress
from net.play.rounds import Job
from rules.game import Seat


class Works:
    """Jobs, each on account of the message of some seat in some step."""

    def __init__(self) -> None:
        self.waiting: deque[Job] = deque()
        self.making: Job | None = None
        """The job whose outcome is our own next message."""
        self._owners: dict[Job, tuple[Seat, int]] = {}
        self._done: set[Job] = set()
        self._counts: dict[str, int] = {}

    def begin(self, job: Job, seat: Seat, step: int) -> Progress | None:
        """Let ``job`` be run, unless it has been begun; how far the work of its name is."""
        if job in self._owners or job in self._done:
            return None
        self._owners[job] = seat, step
        self.waiting.append(job)
        return self._count(job, 0)

    def owner(self, job: Job) -> tuple[Seat, int] | None:
        """Whose ``job`` has returned, and for which step; ``None`` if nobody waits for it now."""
        return self._owners.pop(job, None)

    def finish(self, job: Job) -> Progress:
        """``job`` has succeeded."""
        progress = self._count(job, 1)
        if job is self.making:
            self.making = None
            self._counts.pop(job.name, None)
        else:
            self._done.add(job)
        return progress

    def settled(self, jobs: Iterable[Job]) -> bool:
        """Whether all ``jobs`` have succeeded; if so, they are forgotten."""
        wanted = set(jobs)
        if not wanted <= self._done:
            return False
        self._done -= wanted
        for job in wanted:
            self._counts.pop(job.name, None)
        return True

    def _count(self, job: Job, done: int) -> Progress:
        total = self._counts.get(job.name, 0) + done
        self._counts[job.name] = total
        return Progress(job.name, total, job.of)
