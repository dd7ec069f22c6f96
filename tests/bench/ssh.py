"""Twenty guests at once over ssh: until each sees the first screen, memory, bytes a second."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

import asyncssh

from tests.ssh.hosts import our_server
from tui.ssh.fingerprints import home_of

GUESTS: Final = 20
WATCHED: Final = 10.0
"""Seconds for which bytes are counted."""
ROUNDS: Final = 3


class Guest:
    """One guest at the other end of a line."""

    def __init__(self, home: Path, key: asyncssh.SSHKey) -> None:
        self._home, self._key = home_of(key.get_fingerprint(), home), key
        self._process: Any = None
        self.seen = b""

    async def come(self, stack: AsyncExitStack, port: int) -> float:
        """Come in; seconds until the first screen is there."""
        config = self._home / "config"
        config.mkdir(parents=True)
        (config / "settings.toml").write_text('name = "Ana"\nmouse = false\n')
        began = time.monotonic()
        connection = await stack.enter_async_context(
            asyncssh.connect(
                "127.0.0.1",
                port,
                client_keys=[self._key],
                known_hosts=None,
                config=None,
                agent_path=None,
            )
        )
        self._process = await connection.create_process(
            term_type="xterm-256color", term_size=(80, 24), encoding=None
        )
        asyncio.get_running_loop().create_task(self._read())
        await self._until(b"Play now")
        return time.monotonic() - began

    async def _read(self) -> None:
        while data := await self._process.stdout.read(65536):
            self.seen += data

    async def _until(self, text: bytes) -> None:
        async with asyncio.timeout(120):
            while text not in self.seen:  # noqa: ASYNC110  # as it comes
                await asyncio.sleep(0.01)

    async def play(self) -> None:
        """Sit down with three bots."""
        self.seen = b""
        self._process.stdin.write(b"\r")
        await self._until(b"Your choice?")

    def press(self, keys: bytes) -> None:
        """Press keys."""
        self._process.stdin.write(keys)

    @property
    def pid(self) -> int:
        """The process at the host."""
        return int((self._home / "state" / "guest.pid").read_text())


async def _bytes(guests: list[Guest], seconds: float) -> list[float]:
    """Bytes a second to each."""
    before = [len(guest.seen) for guest in guests]
    await asyncio.sleep(seconds)
    return [(len(guest.seen) - was) / seconds for guest, was in zip(guests, before, strict=True)]


def _memory(pid: int) -> dict[str, float]:
    """MiB of a process: all that it uses, and its share of it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return {"rss": sizes["Rss"], "pss": sizes["Pss"]}


def _spread(values: list[float], digits: int = 2) -> dict[str, float]:
    return {"median": round(median(values), digits), "most": round(max(values), digits)}


async def figures() -> dict[str, object]:
    """One alone, then all at once: on the first screen, then each in a game with three bots."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with our_server(folder, "--per-address", str(2 * GUESTS)) as host:
            async with AsyncExitStack() as stack:
                data = host.guests.parent
                keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(GUESTS + 1)]
                guests = [Guest(data, key) for key in keys]
                alone = await guests[0].come(stack, host.port)
                started = len(guests[0].seen)
                rest = guests[1:]
                began = time.monotonic()
                starts = await asyncio.gather(*(guest.come(stack, host.port) for guest in rest))
                all_in = time.monotonic() - began
                home = await _bytes(rest, WATCHED)
                at_home = [_memory(guest.pid) for guest in rest]
                await asyncio.gather(*(guest.play() for guest in rest))
                await asyncio.sleep(2)
                idle = await _bytes(rest, WATCHED)
                before = [len(guest.seen) for guest in rest]
                for _ in range(ROUNDS):
                    for guest in rest:
                        guest.press(b"\x1b[C")
                    await asyncio.sleep(1)
                keyed = [
                    (len(guest.seen) - was) / ROUNDS
                    for guest, was in zip(rest, before, strict=True)
                ]
                playing = [_memory(guest.pid) for guest in rest]
                server = _memory(host.service.process.pid)
                return {
                    "guests": GUESTS,
                    "cores": os.cpu_count(),
                    "first screen, alone, s": round(alone, 2),
                    "first screen, all at once, s": _spread(starts),
                    "until the last is in, s": round(all_in, 2),
                    "bytes of the first screen": started,
                    "bytes a second, first screen": _spread(home, 0),
                    "bytes a second, own turn": _spread(idle, 0),
                    "bytes a key": _spread(keyed, 0),
                    "MiB a guest, first screen": _spread([one["rss"] for one in at_home], 1),
                    "MiB a guest, in a game": _spread([one["rss"] for one in playing], 1),
                    "MiB a guest, its share": _spread([one["pss"] for one in playing], 1),
                    "MiB of the server": round(server["rss"], 1),
                }
