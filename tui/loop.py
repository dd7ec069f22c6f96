"""The event loop that everything runs in which speaks to a broker."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def on_signals(names: Iterable[str], reaction: Callable[[], object]) -> None:
    """Call ``reaction`` in the loop that runs, when the system sends us one of these signals."""
    loop = asyncio.get_running_loop()
    for name in names:
        # Windows has not all of them, and its loop takes none.
        with suppress(AttributeError, NotImplementedError):
            loop.add_signal_handler(getattr(signal, name), reaction)


def run(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, or raises."""
    # Proofs are checked in threads; with the usual 5 ms, all else would wait for them too long.
    sys.setswitchinterval(0.001)
    # The loop that Windows prefers cannot watch the sockets of an MQTT client.
    loop = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(work)
