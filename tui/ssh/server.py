"""The ssh server: who may come in is decided here, and nobody gets anything but a seat."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import asyncssh

from net.referee.logline import logline
from tui.ssh.keys import KeyList, KeysError, host_key
from tui.ssh.limits import Gate, origin
from tui.ssh.session import ASKS_WITHIN, GuestSession, House, Visitor
from tui.text import safe
from tui.troubles import trouble
from tui.words import Words

log = logging.getLogger(__name__)

LOGS_IN_WITHIN: Final = 20.0
"""Seconds from the connection until the log-in."""
STILL_THERE: Final = 5.0
"""Seconds of silence after which a client is asked whether it is still there."""
GOES_WITHIN: Final = 5.0
"""Seconds from the end of a visit until a client must have closed the connection."""
MOST_UNANSWERED: Final = 2
"""Such questions without an answer until it is taken for gone."""


class PortError(Exception):
    """There is no listening at that address and port."""

    code = "address-in-use"


class Host:
    """The server, and all who are in; see ``SshServer``."""

    def __init__(self, house: House, keys: KeyList) -> None:
        self.house = house
        self.keys = keys
        self.gate = Gate(house.limits)
        self.sessions: set[GuestSession] = set()
        self._told: dict[tuple[str, str], float] = {}

    def refused(self, peer: str, why: str, **more: str) -> None:
        """Say in the log that somebody was not let in: of each address once a minute."""
        now = time.monotonic()
        self._told = {what: at for what, at in self._told.items() if now - at < 60}
        if self._told.setdefault((peer, why), now) == now and len(self._told) < 1000:
            self.house.tell(logline("refused", None, peer=peer, why=why, **more))


class Door(asyncssh.SSHServer):
    """One connection: a key, then one session. No forwarding, no files: that is the default."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._connection: asyncssh.SSHServerConnection | None = None
        self._address = self._origin = ""
        self._fingerprint = ""
        self._name = ""
        self._knocking = self._inside = False
        self._refusal = ""
        self._used = self._told = False
        self._leaving: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Somebody knocks."""
        self._connection = conn
        self._address = str((conn.get_extra_info("peername") or ("",))[0])
        self._origin = origin(self._address)
        why = self._host.gate.knock(self._origin, time.monotonic())
        if why:
            self._host.refused(self._address, why)
            conn.abort()
        else:
            self._knocking = True

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        if self._knocking:
            self._host.gate.gone()
        if self._inside:
            self._host.gate.leave(self._origin)
        self._knocking = self._inside = False
        self._connection = None
        if self._leaving is not None:
            self._leaving.cancel()

    def begin_auth(self, username: str) -> bool:
        """Nobody comes in without a key, whatever name they say."""
        self._name = username
        return True

    def public_key_auth_supported(self) -> bool:
        """A key is who one is."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether that key may come in; asyncssh checks that they have it."""
        # Called last for the key with which they do come in.
        self._fingerprint = key.get_fingerprint()
        try:
            return self._host.keys.welcome(key, self._address)
        except (OSError, KeysError) as error:
            log.error("nobody can come in: %s", error)
            self._host.refused("*", "bad-friend-keys", error=str(error))
            return False

    def kbdint_auth_supported(self) -> bool:
        """Only so that clients without a key can be told, once, that they need one."""
        return not self._told

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        """Nothing is asked, something is said."""
        code = "key-unknown" if self._fingerprint else "key-missing"
        both = [Words(language).say(trouble(code)) for language in ("en", "fr")]
        return "farfadet", "\n".join(both), "", []

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:
        """Nobody comes in by that."""
        self._told = True
        why = "key-unknown" if self._fingerprint else "key-missing"
        key = self._fingerprint or "none"
        self._host.refused(self._address, why, key=key, login=safe(username, 32))
        return False

    def auth_completed(self) -> None:
        """They are who they are."""
        if self._knocking:
            self._knocking = False
            self._host.gate.gone()
        self._refusal = self._host.gate.enter(self._origin)
        self._inside = not self._refusal
        self._leave_in(ASKS_WITHIN)

    def session_requested(self) -> GuestSession | bool:
        """One session a connection."""
        if self._used:
            return False
        self._used = True
        if self._leaving is not None:
            self._leaving.cancel()
        visitor = Visitor(self._address, self._fingerprint, self._name)
        session = GuestSession(self._host.house, visitor, self._refusal, self._over)
        self._host.sessions.add(session)
        return session

    def _over(self, session: GuestSession) -> None:
        """What they came for is over; a client that stays would only take somebody's place."""
        self._host.sessions.discard(session)
        self._leave_in(GOES_WITHIN)

    def _leave_in(self, seconds: float) -> None:
        if self._connection is not None:
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(seconds, self._connection.abort)


class SshServer:
    """Listens while its ``async with`` lasts; when that ends, all guests are told and leave.

    ``folder`` has the host's key. ``friends``, if not ``None``, is the file of the only keys that
    may come in. Raises ``KeysError`` and ``OSError``.
    """

    def __init__(
        self, folder: Path, house: House, *, address: str, port: int, friends: Path | None
    ) -> None:
        self._folder, self._house = folder, house
        self._address, self.port = address, port
        self._friends = friends
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._host: Host | None = None

    async def __aenter__(self) -> Self:
        """Listen."""
        asyncssh.set_log_level(logging.WARNING)
        keys = KeyList(self._friends)
        if self._friends is not None:
            keys.read(self._friends)
        self._host = host = Host(self._house, keys)
        try:
            self._acceptor = await self._listen(host)
        except OSError as error:
            raise PortError(error) from error
        self.port = self._acceptor.get_port()
        return self

    async def _listen(self, host: Host) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            self._address,
            self.port,
            server_factory=lambda: Door(host),
            server_host_keys=[str(host_key(self._folder))],
            server_version="farfadet",
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            line_editor=False,
            encoding=None,
            compression_algs=None,
            login_timeout=LOGS_IN_WITHIN,
            keepalive_interval=STILL_THERE,
            keepalive_count_max=MOST_UNANSWERED,
        )

    @property
    def sessions(self) -> frozenset[GuestSession]:
        """The visits that are not over."""
        return frozenset(() if self._host is None else self._host.sessions)

    @property
    def guests(self) -> int:
        """How many are in."""
        return 0 if self._host is None else self._host.gate.inside

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let everybody go."""
        assert self._acceptor is not None
        assert self._host is not None
        self._acceptor.close()
        sessions = tuple(self._host.sessions)
        for session in sessions:
            session.end("closing")
        await asyncio.gather(*(session.ended() for session in sessions))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._acceptor.wait_closed(), 1)
