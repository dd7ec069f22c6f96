"""The record of a table: charter and signed messages in order, linked by hash; save and load.

File: the line ``farfadet transcript 1``, then records of a 4-byte big-endian length and as many
bytes: the charter, then the messages by step and, within a step, by seat. Messages that convict
somebody follow the last complete step.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from net.digest import digest
from net.wire import LONGEST, Refusal

MAGIC = b"farfadet transcript 1\n"
MOST = 64 * 1024 * 1024
"""Most bytes in a transcript file; a game of six takes under a megabyte."""


class Transcript:
    """What has been said at a table. ``head`` is the hash of all complete steps so far."""

    def __init__(self, charter: bytes, table: bytes) -> None:
        self.charter = charter
        self.head = table
        self.steps: list[tuple[bytes, ...]] = []
        self.evidence: list[bytes] = []

    def close(self, step: Iterable[bytes]) -> None:
        """Add a complete step: its messages in the order of seats."""
        messages = tuple(step)
        self.steps.append(messages)
        self.head = digest(b"farfadet step", self.head, *messages)

    @property
    def messages(self) -> list[bytes]:
        """The messages of all complete steps, in order."""
        return [message for step in self.steps for message in step]

    def data(self) -> bytes:
        """The bytes of the file."""
        records = (self.charter, *self.messages, *self.evidence)
        return MAGIC + b"".join(len(r).to_bytes(4, "big") + r for r in records)

    def save(self, path: Path) -> None:
        """Write the file whole or not at all; raises ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(path.name + ".part")
        with open(draft, "wb") as file:
            file.write(self.data())
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)


def records(data: bytes) -> Iterator[bytes]:
    """The charter, then the messages, of a transcript file; raises ``Refusal`` where it breaks."""
    if not data.startswith(MAGIC) or len(data) > MOST:
        raise Refusal("no-transcript")
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        record = data[at + 4 : at + 4 + size]
        if len(data) < at + 4 or len(record) != size or size > LONGEST:
            raise Refusal("broken-record")
        yield record
        at += 4 + size
