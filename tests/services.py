"""Real brokers for tests, on free loopback ports, and what to do where a program is missing."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

PATIENCE = 30.0
"""Seconds after which a test gives up waiting; nothing normally takes one."""


class Service(Protocol):
    """A broker that can be stopped and started again at the same port, empty."""

    @property
    def url(self) -> str:
        """How to reach it."""

    async def start(self) -> None:
        """Start it and wait until it answers."""

    async def stop(self) -> None:
        """Stop it."""


def find(name: str) -> Path | None:
    """Where ``name`` is installed, also if it is for administrators; ``None`` if it is not."""
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/opt/homebrew/sbin"))
    found = shutil.which(name, path=places)
    return None if found is None else Path(found)


def program(name: str) -> Path:
    """Where ``name`` is installed; without it the test is skipped, but fails in CI."""
    found = find(name)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return found


def children(process: int) -> list[int]:
    """The processes that ``process`` has started."""
    command = [str(program("pgrep")), "-P", str(process)]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [int(line) for line in found.split()]


def free_port() -> int:
    """A loopback port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def self_signed(folder: Path) -> Path:
    """A certificate for this machine, made in ``folder`` beside its key, ``key.pem``."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    kind = ("-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    files = ("-keyout", str(key), "-out", str(certificate))
    command = [str(program("openssl")), "req", *kind, *files, *names]
    subprocess.run(command, check=True, capture_output=True)
    return certificate


class Mosquitto:
    """A Mosquitto set up as we advise: loopback, 64 KiB payloads, nothing on disk.

    ``settings`` are further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self._program = program("mosquitto")
        self._folder = folder
        self._settings = {
            "allow_anonymous": "true",
            "message_size_limit": "65536",
            "persistence": "false",
            "set_tcp_nodelay": "true",
            **(settings or {}),
        }
        if os.geteuid() == 0:
            # It would become a user who may not read the test's files.
            self._settings["user"] = "root"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """How to reach it."""
        return f"mqtt://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start it and wait until it accepts connections."""
        conf = self._folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1"]
        lines += [f"{key} {value}" for key, value in self._settings.items()]
        conf.write_text("\n".join(lines) + "\n")
        self._launch(conf)
        async with asyncio.timeout(PATIENCE):
            while not await self._accepts():
                assert self._process is not None
                assert self._process.poll() is None, (self._folder / "log").read_text()
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Stop it; does nothing if it does not run."""
        if self._process is not None:
            self._process.terminate()
            await asyncio.to_thread(self._process.wait)
            self._process = None

    def _launch(self, conf: Path) -> None:
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", conf], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def _accepts(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return True
