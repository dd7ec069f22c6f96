"""A host as a process of its own: ``python open_host.py URL`` opens a table until it is told to go.

It says the name of its room on stdout once it is there, and leaves when stdin ends.
"""

from __future__ import annotations

import asyncio
import sys

import rules
from net.link import topics
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.transport import Will
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.meeting.tables import Poster
from net.people.identity import Identity


async def host(url: str) -> None:
    """Wait for guests who never come."""
    broker, who = Broker.parse(url), Newcomer.fresh(Identity.fresh("Ana"))
    told = invite(who.key, broker.host, broker.port)
    transport = MqttTransport(broker, Will(topics.lobby(told.room), b""))
    offer = Offer(rules.load("gnomia"), 4)
    room = Room(transport, told, who, None, offer, poster=Poster(who.key, told.key, offer))
    await room.open()
    waiting = asyncio.create_task(room.wait())
    print(told.room, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(host(sys.argv[1]))
