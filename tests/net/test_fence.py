"""What leaves a referee's process: nothing without the claim, no vote that was not promised."""

from __future__ import annotations

import asyncio

from nacl.signing import SigningKey

from net.link import topics
from net.link.memory import Hub
from net.people.identity import Identity
from net.play.votes import VOTE
from net.play.wire import compose, pack
from net.referee.beats import LEASE, SETTLE
from net.referee.claim import Seal
from net.referee.claims import Claims
from net.referee.fence import Fence
from tests.net import virtual

WHO = Identity("Arbitre", SigningKey(b"r" * 32))
TABLE = bytes(range(32))
KEY = bytes(16)
ROOM = "ROOM"


class Stage:
    """A fence whose claims are heard by nobody, until what they say is brought ``back``."""

    def __init__(self) -> None:
        hub = Hub()
        self.heard: list[str] = []
        self.noted: list[bytes] = []
        self.links: list[bool] = []
        self.now = 0.0
        self.hub = hub
        self.claims = Claims(Seal(WHO), b"instance", None, 10)
        self.transport, self.other = hub.transport(), hub.transport()
        self.other.subscribe(topics.heard(ROOM))
        self.other.listen(self._hear, lambda up: None)
        self.fence = Fence(
            self.transport,
            ROOM,
            WHO.public,
            KEY,
            table=TABLE,
            member=2,
            claims=self.claims,
            note=self.noted.append,
        )
        self.fence.listen(lambda kind, payload: None, self.links.append)

    async def open(self, now: float) -> None:
        """The claim is made, and is back, at that time."""
        await self.other.open()
        self.claims.link(True, now - SETTLE)
        self.claims.tick(now - SETTLE)
        self.back(now)
        assert self.claims.claim(TABLE, ROOM, KEY, now)
        self.back(now)
        await self.fence.open()

    def back(self, now: float) -> None:
        """What we have said about claims comes back."""
        while self.claims.outbox:
            self.claims.hear(self.claims.outbox.popleft()[1], now)
        self.fence.look()

    def _hear(self, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        assert address is not None
        self.heard.append(address.kind)


def vote(*history: int, seat: int = 2) -> bytes:
    """A vote of the referee, or somebody else."""
    seq = len(history) - 1
    return compose(WHO.key, TABLE, seat, seq, 5, bytes(32), VOTE, list(history)).data


def test_a_vote_leaves_once_it_has_been_promised_and_all_that_follows_waits() -> None:
    async def main() -> None:
        stage = Stage()
        await stage.open(virtual.now())
        assert stage.links == [True]
        stage.fence.publish("sync", b"head")
        stage.fence.publish("log", vote(4))
        stage.fence.publish("sync", b"head")
        await stage.hub.quiet()
        assert stage.heard == ["sync"]
        assert stage.noted == [vote(4)]
        assert stage.claims.promises(TABLE) == {(5, bytes(32)): (4,)}
        stage.back(virtual.now())
        await stage.hub.quiet()
        assert stage.heard == ["sync", "log", "sync"]
        stage.fence.publish("log", vote(4))
        await stage.hub.quiet()
        assert stage.heard[3:] == ["log"]

    virtual.run(main())


def test_a_vote_in_what_we_hand_on_is_promised_as_well_and_others_votes_are_not() -> None:
    async def main() -> None:
        stage = Stage()
        await stage.open(virtual.now())
        stage.fence.publish("sync", pack([vote(1, seat=0), vote(4)]))
        assert stage.claims.promises(TABLE) == {(5, bytes(32)): (4,)}
        stage.fence.publish("log", vote(7, seat=1))
        stage.back(virtual.now())
        await stage.hub.quiet()
        assert stage.heard == ["sync", "log"]
        assert stage.claims.promises(TABLE) == {(5, bytes(32)): (4,)}

    virtual.run(main())


def test_what_contradicts_a_promise_never_leaves() -> None:
    async def main() -> None:
        stage = Stage()
        await stage.open(virtual.now())
        assert stage.claims.promise(TABLE, (5, bytes(32)), (4,))
        stage.back(virtual.now())
        stage.fence.publish("log", vote(0))
        stage.fence.publish("sync", pack([vote(0)]))
        stage.back(virtual.now())
        await stage.hub.quiet()
        assert stage.heard == []
        assert stage.noted == []

    virtual.run(main())


def test_who_does_not_hear_itself_any_more_says_nothing_any_more() -> None:
    async def main() -> None:
        stage = Stage()
        await stage.open(virtual.now())
        stage.fence.publish("log", vote(4))
        await asyncio.sleep(LEASE + 0.1)
        stage.fence.look()
        assert stage.links == [True, False]
        stage.fence.publish("sync", b"head")
        stage.back(virtual.now())
        await stage.hub.quiet()
        assert stage.heard == []
        stage.claims.tick(virtual.now())
        stage.back(virtual.now())
        assert stage.links == [True, False, True]
        stage.fence.publish("sync", b"head")
        await stage.hub.quiet()
        assert stage.heard == ["sync"]

    virtual.run(main())


def test_without_a_link_or_without_the_claim_nothing_leaves() -> None:
    async def main() -> None:
        stage = Stage()
        await stage.open(virtual.now())
        stage.transport.lose()
        assert stage.links == [True, False]
        stage.transport.regain()
        assert stage.links == [True, False, True]
        stage.claims.release(TABLE)
        stage.fence.publish("sync", b"head")
        assert stage.links == [True, False, True, False]
        await stage.hub.quiet()
        assert stage.heard == []

    virtual.run(main())
