"""Out again: by the end of what is written, by a signal, by Ctrl-C, by saying so; from anywhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from tests.plain.stage import Conversation, playing, talking
from tests.plain.test_places import INVITATION, waiting
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeRoom, a_saved_table
from tui.going import NoTable
from tui.sitting import Home, Play, Resume, Watch


async def in_the_menu() -> AbstractAsyncContextManager[Conversation]:
    return talking(FakeDoors(tables=[a_saved_table()]), Home())


async def near() -> AbstractAsyncContextManager[Conversation]:
    return _after(talking(FakeDoors(), Home()), "near")


async def in_a_room() -> AbstractAsyncContextManager[Conversation]:
    return waiting(FakeRoom())


async def asked() -> AbstractAsyncContextManager[Conversation]:
    return playing(FakeSitting(3))


async def sealed() -> AbstractAsyncContextManager[Conversation]:
    return _after(playing(FakeSitting(3)), "1")


async def before_the_game() -> AbstractAsyncContextManager[Conversation]:
    return talking(FakeDoors(), Play())


async def looking_on() -> AbstractAsyncContextManager[Conversation]:
    sitting = FakeSitting(3, me=None)
    return playing(sitting)


async def at_the_result() -> AbstractAsyncContextManager[Conversation]:
    sitting = FakeSitting(3)
    return _after(playing(sitting), do=sitting.end)


@asynccontextmanager
async def _after(
    stage: AbstractAsyncContextManager[Conversation],
    *lines: str,
    do: Callable[[], None] = lambda: None,
) -> AsyncIterator[Conversation]:
    async with stage as talk:
        await talk.new()
        do()
        await talk.tell(*lines)
        yield talk


Phase = Callable[[], Awaitable[AbstractAsyncContextManager[Conversation]]]
SOMETHING_TO_LOSE: tuple[Phase, ...] = (asked, sealed, before_the_game)
NOTHING_TO_LOSE: tuple[Phase, ...] = (in_the_menu, near, in_a_room, looking_on, at_the_result)
ASKED = "Leave? The others wait; your seat stays yours. Once more leaves."


@pytest.mark.parametrize("phase", [*SOMETHING_TO_LOSE, *NOTHING_TO_LOSE])
async def test_the_end_of_what_is_written_is_the_end_in_every_phase(phase: Phase) -> None:
    async with await phase() as talk:
        await talk.new()
        assert await talk.end() == 0
        assert await talk.new() == []


@pytest.mark.parametrize("phase", [*SOMETHING_TO_LOSE, *NOTHING_TO_LOSE])
async def test_being_told_to_end_is_the_same(phase: Phase) -> None:
    async with await phase() as talk:
        talk.client.hang_up()
        assert await talk.running == 0


@pytest.mark.parametrize("phase", SOMETHING_TO_LOSE)
async def test_ctrl_c_asks_once_where_others_wait(phase: Phase) -> None:
    async with await phase() as talk:
        await talk.new()
        await talk.interrupted()
        assert talk.said[-1] == ASKED
        await talk.tell("/who")
        await talk.interrupted()
        assert talk.said[-1] == ASKED, "whoever writes something else stays"
        await talk.interrupted()
        assert await talk.running == 130


@pytest.mark.parametrize("phase", NOTHING_TO_LOSE)
async def test_ctrl_c_leaves_where_there_is_nothing_to_lose(phase: Phase) -> None:
    async with await phase() as talk:
        await talk.interrupted()
        assert await talk.running == 130


async def test_leaving_a_game_is_asked_once_too() -> None:
    async with playing(FakeSitting(3)) as talk:
        await talk.new()
        assert await talk.tell("/leave") == [ASKED]
        assert "1 play: play at once, against bots" in await talk.tell("/leave")
        assert await talk.end("/quit") == 0


async def test_what_takes_long_can_be_given_up() -> None:
    class Slow(FakeDoors):
        async def watch(self, invitation: str) -> FakeRoom:
            """Never gets there."""
            await self.room.full.wait()
            raise AssertionError

    for leave, code in ((Conversation.interrupted, 130),):
        async with talking(Slow(), Watch(INVITATION)) as talk:
            await leave(talk)
            assert await talk.running == code
    async with talking(Slow(), Watch(INVITATION)) as talk:
        talk.client.hang_up()
        assert await talk.running == 0


async def test_nobody_goes_back_to_a_table_that_is_not() -> None:
    async with talking(FakeDoors(), Resume()) as talk:
        with pytest.raises(NoTable):
            await talk.running
