"""The tables on the local network, by multicast DNS (RFC 6762): ours announced, the others' seen.

Nothing here is needed to play: where multicast does not pass, an invitation does.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

# The first two are public, but left out of its __all__.
from zeroconf import (  # type: ignore[attr-defined]
    DNSOutgoing,
    DNSQuestion,
    Error,
    RecordUpdate,
    RecordUpdateListener,
    ServiceInfo,
    Zeroconf,
)
from zeroconf.asyncio import AsyncZeroconf

from broker.announcement import SERVICE, Announced, service
from broker.links import Link, links
from broker.sightings import PTR, Sightings

log = logging.getLogger(__name__)

AGAIN_AFTER: Final = 3.0
"""Seconds from one question to the next while an answer is missing."""

RAREST: Final = 3600.0
"""Seconds between two questions when all is known (RFC 6762, 5.2)."""

TICK: Final = 1.0
"""Seconds between two looks at what is due."""

RESCAN: Final = 10
"""Ticks between two looks at the interfaces of this machine."""

ECHO: Final = 3
"""Ticks within which our own announcement must come back to us."""

SETTLES: Final = 0.05
"""Seconds that changes are gathered for before listeners are told."""

_CLASS_IN: Final = 1


class Lan:
    """The tables on the local network while its ``async with`` lasts, and one of our own.

    ``interfaces`` are the addresses of those to use; otherwise all that can multicast. Without a
    network nothing fails: ``problem`` says so, and what is wanted happens once there is one.
    """

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        self._only = interfaces
        self._links: tuple[Link, ...] = ()
        self._zeroconf: AsyncZeroconf | None = None
        self._changing = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._sightings = Sightings()
        self._asked = self._pause = 0.0
        self._wanted: Announced | None = None
        self._said: ServiceInfo | None = None
        self._saying: asyncio.Future[Any] | None = None
        self._word = 0
        self._unheard: int | None = None
        self._listeners: list[Callable[[], None]] = []
        self._telling: asyncio.TimerHandle | None = None
        self._told: tuple[tuple[Announced, ...], str] = ((), "")

    @property
    def tables(self) -> tuple[Announced, ...]:
        """The tables of others, the first one found first."""
        return self._sightings.tables

    @property
    def dropped(self) -> int:
        """How many announcements were thrown away: unreadable, or too many."""
        return self._sightings.dropped

    @property
    def problem(self) -> str:
        """Why the others are not seen, or do not see us: ``"no-multicast"``; empty if all is well.

        A network that swallows multicast between its machines looks like an empty one.
        """
        alone = self._only is None and all(link.loopback for link in self._links)
        deaf = self._unheard is not None and self._unheard >= ECHO
        return "no-multicast" if self._zeroconf is None or alone or deaf else ""

    @property
    def available(self) -> bool:
        """Whether there is no ``problem``."""
        return not self.problem

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback``, in the loop's thread, whenever ``tables`` or ``problem`` change."""
        self._listeners.append(callback)

    async def __aenter__(self) -> Self:
        """Begin to look; takes some milliseconds."""
        async with self._changing:
            await self._rescan()
        self._told = (self.tables, self.problem)
        self._looking = asyncio.create_task(self._look())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take back what was announced, which takes a quarter of a second, and stop looking."""
        self._listeners.clear()
        async with self._changing:
            # Not in the midst of a change: zeroconf would leave its sockets open.
            if self._looking is not None:
                self._looking.cancel()
                await asyncio.wait((self._looking,))
            self._hush()
            await self._close()
        if self._telling is not None:
            self._telling.cancel()

    async def announce(self, table: Announced) -> None:
        """Announce ``table``, in place of what was announced before.

        A broker at ``0.0.0.0`` or ``::`` is on this machine, and everybody gets the address under
        which they see it; any other address or name is told as it is. A name of the host that is
        too long is cut. What still would be believed by nobody is not announced, but logged.
        """
        async with self._changing:
            room = table.invitation.room
            if self._wanted is not None and self._wanted.invitation.room != room:
                await self._take_back()
            self._sightings.own(room)
            self._wanted = table
            await self._say()

    async def update(self, table: Announced) -> None:
        """Tell how our ``table`` stands now; nothing if it is not the one that is announced."""
        async with self._changing:
            room = table.invitation.room
            if self._wanted is not None and self._wanted.invitation.room == room:
                self._wanted = table
                await self._say()

    async def withdraw(self) -> None:
        """Take our table back, from all who look at once; says so three times in 0.25 s."""
        async with self._changing:
            await self._take_back()

    async def _say(self) -> None:
        """Say what is wanted, or how it stands now."""
        if self._zeroconf is None or self._wanted is None:
            return
        try:
            self._word += 1
            info = service(self._wanted, self._links, self._word)
            self._hush()
            if self._said is None:
                # Nobody else is called like our room, so nobody need be asked first (1.2 s).
                saying = await self._zeroconf.async_register_service(
                    info, cooperating_responders=True
                )
                self._sightings.echo, self._unheard = False, 0
            else:
                saying = await self._zeroconf.async_update_service(info)
        except (Error, OSError, ValueError) as error:
            log.warning("the table is not announced: %s", error)
        else:
            self._said = info
            self._saying = asyncio.ensure_future(saying)

    async def _take_back(self) -> None:
        self._hush()
        said, self._said, self._wanted, self._unheard = self._said, None, None, None
        self._stir()
        if said is not None and self._zeroconf is not None:
            await (await self._zeroconf.async_unregister_service(said))

    def _hush(self) -> None:
        """Say no more what is now no longer so: all is said three times."""
        if self._saying is not None:
            self._saying.cancel()
            self._saying = None

    def _hear(self, records: Sequence[Any], millis: float) -> None:
        self._sightings.hear(records, millis, asyncio.get_running_loop().time())
        if self._sightings.echo:
            self._unheard = None
        self._stir()

    def _stir(self) -> None:
        """Tell the listeners soon, if there is news."""
        if self._telling is None and self._told != (self.tables, self.problem):
            self._telling = asyncio.get_running_loop().call_later(SETTLES, self._tell)

    def _tell(self) -> None:
        self._telling = None
        now = (self.tables, self.problem)
        if self._told == now:
            return
        self._told = now
        for callback in tuple(self._listeners):
            try:
                callback()
            except Exception:
                log.exception("a listener failed on the local network")

    async def _look(self) -> None:
        ticks = 0
        while True:
            await asyncio.sleep(TICK * random.uniform(0.1, 0.2) if ticks == 0 else TICK)
            ticks += 1
            self._age(asyncio.get_running_loop().time())
            if ticks % RESCAN == 0:
                async with self._changing:
                    await self._rescan()

    def _age(self, now: float) -> None:
        """Forget whom nobody answers for any more; ask if an answer is missing."""
        self._sightings.age(now)
        if self._unheard is not None:
            self._unheard += 1
        self._stir()
        soon = self._sightings.missing(now)
        if now > self._asked + (min(AGAIN_AFTER, self._pause) if soon else self._pause):
            self._ask(now)

    def _ask(self, now: float) -> None:
        """Ask who has a table: all answer, with all that one must know (RFC 6763, 12.1)."""
        if now > self._asked + self._pause:
            # At first soon again, then ever more rarely: new tables announce themselves.
            self._pause = min(2 * self._pause, RAREST) or TICK
        self._asked = now
        if self._zeroconf is not None:
            question = DNSOutgoing(0)
            question.add_question(DNSQuestion(SERVICE, PTR, _CLASS_IN))
            self._zeroconf.zeroconf.async_send(question)

    async def _rescan(self) -> None:
        """Use the interfaces that there are now; if that does not work, the next time."""
        try:
            found = await asyncio.to_thread(links, self._only)
            if found != self._links or (found and self._zeroconf is None):
                await self._move([sender for link in found for sender in link.senders])
                self._links, self._pause = found, 0.0
                self._sightings.move(found)
                await self._say()
        except Exception as error:
            # Whatever an odd interface brings about: nobody must need the local network.
            log.warning("the interfaces cannot be used: %r", error)
        self._stir()

    async def _move(self, senders: list[str]) -> None:
        """Listen and speak at ``senders`` from now on, at none if there are none."""
        if not senders:
            self._sightings.forget()
            await self._close()
        elif self._zeroconf is not None:
            await self._zeroconf.async_update_interfaces(senders)
        elif not await self._open(senders):
            # There may be addresses of IPv6 and nothing behind them.
            fours = [sender for sender in senders if ":" not in sender]
            if fours and fours != senders:
                await self._open(fours)

    async def _open(self, senders: list[str]) -> bool:
        try:
            opened = AsyncZeroconf(interfaces=senders)
            try:
                # Shielded: what is cancelled in there could not be closed any more.
                await asyncio.shield(opened.zeroconf.async_wait_for_start())
            except BaseException:
                await opened.async_close()
                raise
        except (Error, OSError, RuntimeError) as error:
            log.info("no multicast at %s: %s", senders, error)
            return False
        opened.zeroconf.async_add_listener(_Ear(self._hear), None)
        self._zeroconf = opened
        return True

    async def _close(self) -> None:
        zeroconf, self._zeroconf, self._said, self._unheard = self._zeroconf, None, None, None
        if zeroconf is not None:
            await zeroconf.async_close()


class _Ear(RecordUpdateListener):
    """What zeroconf calls with all that it hears."""

    def __init__(self, hear: Callable[[Sequence[Any], float], None]) -> None:
        self._hear = hear

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        try:
            self._hear([update.new for update in records], now)
        except Exception:
            # It would end in zeroconf, which would not take in the rest.
            log.exception("what was heard on the local network cannot be taken in")

    def async_update_records_complete(self) -> None:
        """Nothing is left to do."""
