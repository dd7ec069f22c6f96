"""People who talk in one room, over a hub: for screens, and for who talks to them."""

from __future__ import annotations

from nacl.signing import SigningKey

from net.link.channel import Channel
from net.link.memory import Hub, MemoryTransport
from net.people.talk import Talk

ROOM = "ABCDEFGHIJKLMNOP"
SECRET = bytes(16)


class Parlour:
    """``seats`` are the names of those who play; others come by ``enter``."""

    def __init__(self, *seats: str) -> None:
        self.hub = Hub()
        self.ways: dict[str, MemoryTransport] = {}
        self._keys = [(SigningKey.generate(), name) for name in seats]
        self.talks = {name: self._talk(name, key) for key, name in self._keys}

    def _talk(self, name: str, key: SigningKey) -> Talk:
        public, way = bytes(key.verify_key), self.hub.transport()
        self.ways.setdefault(name, way)
        talk = Talk(Channel(way, ROOM, public, SECRET), ROOM, key, name)
        talk.sit([(bytes(own.verify_key), called) for own, called in self._keys])
        way.regain()
        return talk

    def enter(self, name: str) -> Talk:
        """Somebody who looks on comes in, and may be called like somebody who plays."""
        return self._talk(name, SigningKey.generate())

    def heard(self, name: str) -> list[str]:
        """What one of them can read."""
        return [said.text for said in self.talks[name].lines]
