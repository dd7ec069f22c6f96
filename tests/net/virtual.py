"""An event loop whose clock jumps: hours of a real program in seconds, the same every time."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")


class Inline(Executor):
    """Runs long work at once: in a world without real time nobody waits for threads."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run it, here and now."""
        future = Future[T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """It may be shared: there is nothing to end."""


class _Hasty(selectors.SelectSelector):
    """Waits for nothing; the clock goes on by as much as there was to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready."""
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing will ever happen again"
            self.now += max(0.0, timeout)
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop; its time starts at 0."""

    def __init__(self) -> None:
        self._hasty = _Hasty()
        super().__init__(self._hasty)

    def time(self) -> float:
        """Seconds since it was made."""
        return self._hasty.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` in a loop of its own, where ``time.monotonic`` is that loop's clock."""
    with (
        patch.object(time, "monotonic", lambda: asyncio.get_running_loop().time()),
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
    ):
        return runner.run(main)


def now() -> float:
    """What time it is in the loop that runs."""
    return asyncio.get_running_loop().time()
