"""The broker that this process brings: started when it is needed, where friends look for it."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from broker.engine import BrokerError, Engine
from net.link.address import Broker
from net.meeting.spoken import OWN_PORT

log = logging.getLogger(__name__)

HERE: Final = "127.0.0.1"


class OwnBroker:
    """``folder`` is for its files; without a ``port``: ``OWN_PORT``, or any that is free."""

    def __init__(self, folder: Path, port: int | None) -> None:
        self._folder = folder
        self._wanted = port
        self._stack = AsyncExitStack()
        self._engine: Engine | None = None

    @property
    def port(self) -> int:
        """Where it listens; 0 while it does not run."""
        return 0 if self._engine is None else self._engine.port

    async def reach(self) -> Broker:
        """The way to it from this process; it is started if it does not run."""
        if self._engine is None:
            self._engine = await self._start()
        return Broker(HERE, self._engine.port)

    async def restart(self, port: int) -> Broker:
        """The way to it where others look for it, unless it is still there."""
        if self.port != port:
            self._engine = await self._run(port)
        return Broker(HERE, port)

    async def close(self) -> None:
        """End it."""
        await self._stack.aclose()

    async def _start(self) -> Engine:
        if self._wanted is not None:
            return await self._run(self._wanted)
        try:
            return await self._run(OWN_PORT)
        except BrokerError as error:
            if error.code != "address-in-use":
                raise
            log.info("port %d is taken, choosing another", OWN_PORT)
        return await self._run(0)

    async def _run(self, port: int) -> Engine:
        """A broker that is started again if it dies, until all is over."""
        engine = Engine(self._folder, host="0.0.0.0", port=port)
        await self._stack.enter_async_context(engine)
        keeper = asyncio.create_task(engine.keep())
        self._stack.callback(keeper.cancel)
        return engine


def lan_address() -> str:
    """The address under which others on the local network can reach this machine.

    Asks the system which of its addresses leads outside; nothing is sent. Without a network it is
    the loopback address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return HERE
