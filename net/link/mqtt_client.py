"""aiomqtt's client made fit for bad networks and bad brokers: bounded, tidy, clear about failure.

Private names of aiomqtt 2 and of paho are touched here and nowhere else.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import aiomqtt
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.client import Client as Paho
from paho.mqtt.reasoncodes import ReasonCode

from net.link.address import Broker
from net.link.topics import LIMIT
from net.link.transport import Losses, TransportError, Will

Option: TypeAlias = tuple[int, int, int]
"""An option of a socket: its level, its name, its value."""

NODELAY: Option = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
"""Without it, an answer may wait 40 ms in the system."""

MOST_WAITING = 4096
"""Messages that wait to be heard, or to be sent; more are thrown away."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of payload that wait to be heard, or to be sent; more are thrown away."""

# What says more about a broker of several nodes comes first: who has answered, before who has not.
_TELLING = (
    "auth",
    "denied",
    "tls",
    "closed",
    "failed",
    "timeout",
    "refused",
    "no-route",
    "no-such-host",
)

# MQTT 3.1.1 return codes 1 to 5, as paho names them with the numbers of MQTT 5.
_REFUSALS = {0x86: "auth", 0x87: "auth", 0x88: "closed"}


class Inbox(asyncio.Queue[aiomqtt.Message]):
    """What has arrived and is not yet heard: bounded in number and in bytes."""

    def __init__(self, losses: Losses) -> None:
        super().__init__()
        self._losses = losses
        self._bytes = 0

    def put_nowait(self, message: aiomqtt.Message) -> None:
        size = len(message.payload)
        if size > LIMIT:
            self._losses.oversized += 1
        elif self.qsize() >= MOST_WAITING or self._bytes + size > MOST_BYTES:
            self._losses.flooded += 1
        else:
            self._bytes += size
            super().put_nowait(message)

    def get_nowait(self) -> aiomqtt.Message:
        message = super().get_nowait()
        self._bytes -= len(message.payload)
        return message


class _Socket(ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            # paho forgets the socket of a failed handshake, and leaves it open.
            self.close()
            raise


def trusting() -> ssl.SSLContext:
    """A TLS context that trusts whom the system trusts, or ``SSL_CERT_FILE``; reads the disk."""
    context = ssl.create_default_context()
    context.sslsocket_class = _Socket
    return context


class Client(aiomqtt.Client):
    """aiomqtt's client, without three of its faults around a socket that dies.

    It registers a writer a moment too late, when the socket's number may be another's ("Bad file
    descriptor"); it takes a hang-up before the broker's answer for silence; and after a failed
    attempt or a broken conversation it leaves the socket open.
    """

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._disconnected.done()

    def _on_socket_register_write(self, client: Paho, userdata: Any, sock: Any) -> None:
        def write() -> None:
            try:
                client.loop_write()
            except Exception as error:
                if not self._disconnected.done():
                    self._disconnected.set_exception(error)

        def register() -> None:
            now = client.socket()
            if now is not None and now is sock and client.want_write():
                self._loop.add_writer(now.fileno(), write)

        self._loop.call_soon_threadsafe(register)

    def _on_disconnect(self, client: Paho, userdata: Any, *rest: Any) -> None:
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("closed"))
            # Whoever waits has perhaps given up already.
            self._connected.exception()
        super()._on_disconnect(client, userdata, *rest)

    def drop(self) -> None:
        """Close the socket, if it is still open, without a goodbye."""
        if not self._disconnected.done():
            self._disconnected.set_result(None)
        # Looked at, so that asyncio does not complain that nobody did.
        self._disconnected.exception()
        self._client._sock_close()

    def abandon(self, entering: asyncio.Future[Any]) -> None:
        """Close the socket of an attempt that ended after nobody wanted it any more."""
        if not entering.cancelled():
            entering.exception()
        self.drop()


def client_to(
    broker: Broker,
    host: str,
    port: int,
    losses: Losses,
    *,
    will: Will | None,
    tls: ssl.SSLContext | None,
    keepalive: int,
    timeout: float,
    options: Sequence[Option],
    logger: logging.Logger,
) -> Client:
    """A client for one node of ``broker``, not yet connected: a clean session, under a random id.

    What is more than its inbox takes goes to ``losses``; times are in seconds.
    """
    return Client(
        host,
        port,
        username=broker.user,
        password=broker.password,
        logger=logger,
        identifier=secrets.token_urlsafe(16),
        queue_type=cast(Any, lambda maxsize: Inbox(losses)),
        protocol=aiomqtt.ProtocolVersion.V311,
        will=None if will is None else aiomqtt.Will(will.topic, will.payload, 1, True),
        clean_session=True,
        timeout=timeout,
        keepalive=keepalive,
        tls_context=tls,
        socket_options=options,
    )


def explained(error: Exception) -> TransportError:
    """What ``error``, from aiomqtt, means to somebody who wants to reach a broker."""
    match error:
        case TransportError():
            return error
        case MqttConnectError(rc=reason):
            number = reason.value if isinstance(reason, ReasonCode) else reason
            return TransportError(_REFUSALS.get(number or 0, "failed"), error)
    # aiomqtt raises its own error "from None", but Python remembers what it was handling.
    cause = error.__context__
    match cause if isinstance(cause, OSError) else error:
        case socket.gaierror():
            code = "no-such-host"
        case ConnectionRefusedError():
            code = "refused"
        case ssl.SSLError():
            code = "tls"
        case TimeoutError():
            code = "timeout"
        case ConnectionError():
            code = "closed"
        case OSError():
            code = "no-route"
        case _:
            code = {"Operation timed out": "timeout", "closed": "closed"}.get(str(error), "failed")
    return TransportError(code, error)


def telling(error: TransportError) -> int:
    """How little ``error``, of one node, says about its cluster: 0 is the most telling."""
    return _TELLING.index(error.code)
