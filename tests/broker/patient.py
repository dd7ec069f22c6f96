"""A small MQTT broker in the test's own process, well or with one illness that a doctor can see."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from net.link.topics import ROOT, matches

CONNECT, PUBLISH, PUBACK, SUBSCRIBE, PINGREQ, DISCONNECT = 1, 3, 4, 8, 12, 14
CRAMPED = 48 * 1024
"""Bytes of payload that a ``cramped`` broker still carries."""


@dataclass(eq=False)
class Session:
    """One client."""

    writer: asyncio.StreamWriter
    will: tuple[str, bytes, bool] | None = None
    keepalive: int = 0
    patterns: list[str] = field(default_factory=list)


class Patient:
    """A broker that carries what begins with ``farfadet/1/``, except for its ``illness``."""

    def __init__(self, illness: str = "") -> None:
        self.illness = illness
        self.retained: dict[str, bytes] = {}
        self._sessions: list[Session] = []
        self._serving: set[asyncio.Task[None]] = set()
        self._held: tuple[str, bytes] | None = None
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """How to reach it."""
        assert self._server is not None
        return f"mqtt://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        """Listen."""

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._serve(reader, Session(writer)))
            self._serving.add(task)

        self._server = await asyncio.start_server(accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hang up on everybody."""
        assert self._server is not None
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, session: Session) -> None:
        try:
            while True:
                wait = 1.5 * session.keepalive if session.keepalive else None
                async with asyncio.timeout(None if self.illness == "patient" else wait):
                    kind, flags, body = await _packet(reader)
                if kind == DISCONNECT:
                    break
                self._take(session, kind, flags, body)
        except (OSError, EOFError, TimeoutError):
            self._bury(session)
        finally:
            if self.illness == "morbid":
                self._bury(session)
            if session in self._sessions:
                self._sessions.remove(session)
            session.writer.close()

    def _take(self, session: Session, kind: int, flags: int, body: bytes) -> None:
        if kind == CONNECT:
            self._connect(session, body)
        elif kind == SUBSCRIBE:
            self._subscribe(session, body)
        elif kind == PINGREQ:
            session.writer.write(b"\xd0\x00")
        elif kind == PUBLISH:
            name, rest = _cut(body)
            if flags & 0b110:
                mark, rest = rest[:2], rest[2:]
                if self.illness != "speechless":
                    session.writer.write(bytes([PUBACK << 4, 2]) + mark)
            self._publish(name.decode(), rest, bool(flags & 1))

    def _connect(self, session: Session, body: bytes) -> None:
        flags, session.keepalive = body[7], int.from_bytes(body[8:10], "big")
        _, rest = _cut(body[10:])
        if flags & 4:
            topic, rest = _cut(rest)
            payload, _ = _cut(rest)
            session.will = topic.decode(), payload, bool(flags & 32)
        refused = 5 if self.illness == "locked" else 0
        if self.illness == "crowded" and len(self._sessions) >= 11:
            refused = 3
        session.writer.write(bytes([0x20, 2, 0, refused]))
        if refused:
            session.writer.close()
        else:
            self._sessions.append(session)

    def _subscribe(self, session: Session, body: bytes) -> None:
        pattern = _cut(body[2:])[0].decode()
        ours = pattern.startswith(ROOT) or self.illness == "open"
        denied = not ours and not (self.illness == "vain" and pattern.startswith("$SYS"))
        denied = denied or (self.illness == "narrow" and len(session.patterns) >= 10)
        denied = denied or (self.illness == "forbidding" and pattern.startswith(ROOT))
        session.writer.write(b"\x90\x03" + body[:2] + (b"\x80" if denied else b"\x00"))
        if denied:
            return
        session.patterns.append(pattern)
        for topic, payload in self.retained.items():
            if matches(pattern, topic):
                session.writer.write(_publication(topic, payload, True))
        if self.illness == "vain" and pattern.startswith("$SYS"):
            session.writer.write(_publication("$SYS/broker/version", b"7", True))

    def _publish(self, topic: str, payload: bytes, retain: bool) -> None:
        if retain and not payload and self.illness != "clinging":
            self.retained.pop(topic, None)
        elif retain and payload and self.illness != "forgetful":
            self.retained[topic] = payload
        if not topic.startswith(ROOT) and self.illness != "open":
            return
        if self.illness == "mute" and "/chat/" in topic:
            return
        if self.illness == "cramped" and len(payload) > CRAMPED:
            return
        if payload == b"100" and self.illness == "leaky":
            return
        if payload == b"100" and self.illness == "hasty":
            self._held = topic, payload
            return
        self._hand_out(topic, payload)
        if payload == b"100" and self.illness == "stuttering":
            self._hand_out(topic, payload)
        if self._held is not None:
            self._hand_out(*self._held)
            self._held = None

    def _hand_out(self, topic: str, payload: bytes) -> None:
        for session in self._sessions:
            if any(matches(pattern, topic) for pattern in session.patterns):
                session.writer.write(_publication(topic, payload, False))

    def _bury(self, session: Session) -> None:
        if session.will is not None and self.illness != "heartless":
            self._publish(*session.will)


async def _packet(reader: asyncio.StreamReader) -> tuple[int, int, bytes]:
    """The next packet: its kind, its flags and the rest."""
    (first,) = await reader.readexactly(1)
    length = shift = 0
    while True:
        (part,) = await reader.readexactly(1)
        length |= (part & 127) << shift
        shift += 7
        if part < 128:
            return first >> 4, first & 15, await reader.readexactly(length)


def _publication(topic: str, payload: bytes, retained: bool) -> bytes:
    body = len(topic).to_bytes(2, "big") + topic.encode() + payload
    length, size = bytearray(), len(body)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([PUBLISH << 4 | retained, *length, size]) + body


def _cut(data: bytes) -> tuple[bytes, bytes]:
    """A text with its length before it, and the rest."""
    size = int.from_bytes(data[:2], "big")
    return data[2 : 2 + size], data[2 + size :]
