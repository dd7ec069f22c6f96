"""The ssh server in the test's own process, with guests' processes that are small scripts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import asyncssh

from tui.ssh.limits import Limits
from tui.ssh.server import SshServer
from tui.ssh.session import House

PATIENCE = 30.0

SAYS_ALL = """
import json, os, sys
print(json.dumps({"size": list(os.get_terminal_size()) if sys.stdin.isatty() else None,
                  "environment": dict(os.environ)}), flush=True)
"""
"""Says how the world looks to it, and ends."""

WAITS = "import time; print('up', flush=True); time.sleep(600)"
"""Does nothing, for long."""

ROOMY = Limits(logins=1000, per_address=100, memory=0)


@dataclass
class Inside:
    """A server and what it has said."""

    server: SshServer
    lines: list[str] = field(default_factory=list)

    def connect(self, key: asyncssh.SSHKey | None = None, **options: Any) -> Any:
        """A connection of a guest with ``key``, or with one of their own."""
        keys = [asyncssh.generate_private_key("ssh-ed25519") if key is None else key]
        return asyncssh.connect(
            "127.0.0.1",
            self.server.port,
            **{
                "username": "ana",
                "client_keys": keys,
                "known_hosts": None,
                "config": None,
                "agent_path": None,
                **options,
            },
        )

    async def told(self, *parts: str) -> str:
        """Wait for a line of the session log with all of these in it; the line."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for line in self.lines:
                    if all(part in line for part in parts):
                        return line
                await asyncio.sleep(0.01)


@asynccontextmanager
async def inside(
    folder: Path, script: str = SAYS_ALL, *, friends: Path | None = None, **limits: Any
) -> AsyncIterator[Inside]:
    """The server, on a free port of the loopback interface; each guest's process is ``script``."""
    lines: list[str] = []
    granted = replace(ROOMY, **limits)
    house = House(
        (sys.executable, "-c", script),
        folder / "data",
        {"PATH": "/usr/bin:/bin", "FARFADET_BROKER": "mqtt://127.0.0.1:1"},
        granted,
        lines.append,
        asyncio.Semaphore(granted.starting),
    )
    server = SshServer(folder / "config", house, address="127.0.0.1", port=0, friends=friends)
    async with server:
        yield Inside(server, lines)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0.01)
