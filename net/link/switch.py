"""One connection for many rooms: a transport that is shared by a line for each room.

A broker limits what one client may subscribe to, so the switch asks for all rooms at once and
gives each line what is said in its room.
"""

from __future__ import annotations

from net.link import topics
from net.link.transport import Hear, Losses, Notify, Transport

KINDS = ("log", "sync")
"""What is heard of all rooms."""


class Switch:
    """The ways into many rooms through ``transport``, which it opens and closes.

    ``hear`` and ``notify`` are called like a transport's, with what no line is there for.
    """

    def __init__(self, transport: Transport, hear: Hear, notify: Notify) -> None:
        self.up = False
        self._transport = transport
        self._hear, self._notify = hear, notify
        self._lines: dict[str, list[Line]] = {}
        for kind in KINDS:
            transport.subscribe(topics.everywhere(kind))
        transport.listen(self._take, self._link)

    @property
    def losses(self) -> Losses:
        """What the connection has thrown away."""
        return self._transport.losses

    def line(self, room: str) -> Line:
        """A way into ``room``, not yet open."""
        return Line(self, room)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """See ``net.link.transport.Transport``."""
        self._transport.publish(topic, payload, retain)

    async def open(self) -> None:
        """Reach the broker; raises ``net.link.transport.TransportError``."""
        await self._transport.open()

    async def close(self) -> None:
        """Say goodbye."""
        await self._transport.close()

    def join(self, line: Line) -> None:
        """From now on ``line`` hears what is said in its room."""
        self._lines.setdefault(line.room, []).append(line)

    def leave(self, line: Line) -> None:
        """From now on it does not."""
        lines = self._lines.get(line.room, [])
        if line in lines:
            lines.remove(line)
        if not lines:
            self._lines.pop(line.room, None)

    def _take(self, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        lines = None if address is None else self._lines.get(address.room)
        if lines is None:
            self._hear(topic, payload)
        else:
            for line in tuple(lines):
                line.take(topic, payload)

    def _link(self, up: bool) -> None:
        self.up = up
        self._notify(up)
        for lines in tuple(self._lines.values()):
            for line in tuple(lines):
                line.notify(up)


class Line(Transport):
    """The way into one room through a ``Switch``; hears there what is of one of its ``KINDS``."""

    def __init__(self, switch: Switch, room: str) -> None:
        self.room = room
        self.losses = switch.losses
        self._switch = switch
        self._patterns: dict[str, None] = {}
        self._hear: Hear = lambda topic, payload: None
        self._notify: Notify = lambda up: None

    def subscribe(self, pattern: str) -> None:
        self._patterns[pattern] = None

    def listen(self, hear: Hear, notify: Notify) -> None:
        self._hear, self._notify = hear, notify

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self._switch.publish(topic, payload, retain)

    async def open(self) -> None:
        """Begin to hear; the connection itself may be up or being tried again."""
        self._switch.join(self)
        if self._switch.up:
            self.notify(True)

    async def close(self) -> None:
        self._switch.leave(self)

    def take(self, topic: str, payload: bytes) -> None:
        """Take one message from the switch, if we asked for it."""
        if any(topics.matches(pattern, topic) for pattern in self._patterns):
            self._hear(topic, payload)

    def notify(self, up: bool) -> None:
        """Tell the listener about the link."""
        self._notify(up)
