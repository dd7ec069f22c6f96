"""Programs for empty seats: as many as are wanted, when they are wanted."""

from __future__ import annotations

import asyncio

from net.meeting.reserve import ANOTHER_EVERY, Reserve


class Programs:
    """Those who were sent; each stays until told to go."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.tasks: list[asyncio.Task[None]] = []

    def send(self, number: int) -> asyncio.Task[None]:
        """One more."""
        self.numbers.append(number)
        self.tasks.append(asyncio.create_task(asyncio.sleep(3600)))
        return self.tasks[-1]

    async def gone(self) -> None:
        """All go."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def test_no_more_are_sent_than_there_are_free_seats() -> None:
    programs = Programs()
    reserve = Reserve(programs.send)
    for _ in range(5):
        reserve.call(2, 0)
    assert programs.numbers == [0, 1]
    assert not reserve.wanted(2, 0)
    # The two have sat down, one more has left.
    assert not reserve.wanted(0, 2)
    assert reserve.wanted(1, 2)
    reserve.call(1, 2)
    assert programs.numbers == [0, 1, 2]
    await programs.gone()


async def test_one_that_has_gone_without_a_seat_is_not_waited_for() -> None:
    programs = Programs()
    reserve = Reserve(programs.send)
    reserve.call(1, 0)
    assert not reserve.wanted(1, 0)
    await programs.gone()
    assert reserve.wanted(1, 0)


async def test_after_a_time_they_come_one_after_the_other() -> None:
    programs = Programs()
    reserve = Reserve(programs.send, 30.0)
    reserve.tick(100.0, 2, 0)
    reserve.tick(129.9, 2, 0)
    assert programs.numbers == []
    reserve.tick(130.0, 2, 0)
    reserve.tick(130.0 + ANOTHER_EVERY / 2, 1, 1)
    assert programs.numbers == [0]
    reserve.tick(130.0 + ANOTHER_EVERY, 1, 1)
    reserve.tick(140.0, 0, 2)
    assert programs.numbers == [0, 1]
    await programs.gone()


async def test_without_a_time_none_comes_by_itself() -> None:
    programs = Programs()
    reserve = Reserve(programs.send)
    for now in (0.0, 1e6):
        reserve.tick(now, 2, 0)
    assert programs.numbers == []
