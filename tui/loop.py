"""The event loop that everything runs in which speaks to a broker."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, or raises."""
    # Proofs are checked in threads; with the usual 5 ms, all else would wait for them too long.
    sys.setswitchinterval(0.001)
    # The loop that Windows prefers cannot watch the sockets of an MQTT client.
    loop = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(work)
