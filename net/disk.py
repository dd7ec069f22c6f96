"""Writing a file of our own, for its owner's eyes, whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def draft(path: Path, data: bytes) -> Iterator[Path]:
    """Beside ``path``, a file with ``data``, on disk for certain: to be put in its place.

    What has not become of it by then is removed in the end. Raises ``OSError``.
    """
    made = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield made
    finally:
        made.unlink(missing_ok=True)


def replace(path: Path, data: bytes) -> None:
    """Let ``path`` be a file with ``data``, whole or, with an ``OSError``, as it was."""
    with draft(path, data) as made:
        os.replace(made, path)
