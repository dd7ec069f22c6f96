"""From place to place in lines: the menu, tables nearby, a room, the result, and out again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from net.link.memory import Hub
from tests.plain.stage import Conversation, playing, talking
from tests.tui.company_stage import BO, ME, NEWCOMER, WORDS, known, names
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import Coded, FakeDoors, FakeGuest, FakeRoom, a_saved_table
from tests.tui.test_again import NEW, friends, table
from tui.near import Near, Nearby
from tui.sitting import Home, Host, Join, Play

INVITATION = "farfadet://192.168.1.20:21883/AAAAAAAAAAAAAAAA#AAAAAAAAAAAAAAAAAAAAAA"

# The menu.


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        (["1"], ("play", "taverne", 4, "steady")),
        (["play"], ("play", "taverne", 4, "steady")),
        (["/game gnomia", "/players 2", "/level random", "1"], ("play", "gnomia", 2, "random")),
        (["/bots 2", "/limit 60", "host"], ("host", "taverne", 4, 2, 60)),
        (["join " + INVITATION], ("join", INVITATION)),
        ([INVITATION], ("join", INVITATION)),
        (["4", "safom bahih latoj"], ("join", "safom bahih latoj")),
        (["watch", INVITATION], ("watch", INVITATION)),
    ],
)
async def test_a_number_or_a_word_leads_to_a_table(
    written: list[str], asked: tuple[object, ...]
) -> None:
    doors = FakeDoors()
    async with talking(doors, Home()) as talk:
        await talk.tell(*written)
        assert doors.asked == [asked]


async def test_the_menu_says_what_can_be_written_and_what_would_be_played() -> None:
    async with talking(FakeDoors(), Home()) as talk:
        assert "1 play: play at once, against bots" in talk.said
        assert not [line for line in talk.said if line.startswith("6 ")], "no table to go back to"
        assert talk.said[-1].startswith("Game: La Taverne des Hobbits; Players: 4;")
        assert await talk.tell("/players 9") == ["It can be: 3, 4, 5, 6"]
        assert await talk.tell("what") == ["What is that? /help says what can be written here."]
        assert len(await talk.tell("rules")) > 5
        assert "/quit: leave farfadet" in await talk.tell("/help")
        assert await talk.end("quit") == 0


async def test_a_table_that_was_left_is_offered_and_can_be_forgotten() -> None:
    doors = FakeDoors(tables=[a_saved_table()])
    async with talking(doors, Home()) as talk:
        assert any(line.startswith("6 resume: back to my table (Gnomia") for line in talk.said)
        first = await talk.tell("/forget")
        assert "your seat there is lost for good" in first[0]
        assert doors.tables
        await talk.tell("/forget")
        assert not doors.tables
        assert await talk.tell("/forget") == ["There is no table to go back to."]


async def test_what_does_not_work_is_said_and_the_menu_is_there_again() -> None:
    doors = FakeDoors(error=Coded("auth"))
    async with talking(doors, Home()) as talk:
        news = await talk.tell("join " + INVITATION)
        assert news[0].endswith(".")
        assert "1 play: play at once, against bots" in news


async def test_a_command_that_leads_nowhere_fails() -> None:
    async with talking(FakeDoors(error=Coded("auth")), Join(INVITATION)) as talk:
        with pytest.raises(Coded):
            await talk.running


# Tables near us.


class Nearer(Near):
    """What the test says is near."""

    found: tuple[Nearby, ...] = ()

    @property
    def tables(self) -> tuple[Nearby, ...]:
        """All of them."""
        return self.found


async def test_tables_nearby_are_told_as_they_come_and_keep_their_numbers() -> None:
    near = Nearer(None, None)
    doors = FakeDoors(around=near)
    ana = Nearby("farfadet://a", "gnomia", 4, 2, ("Ana\x1b[2J", "Bo"), False, lan=True)
    eve = Nearby("farfadet://e", "taverne", 3, 3, ("Eve",), True, lan=False)
    async with talking(doors, Home()) as talk:
        await talk.tell("near")
        assert "No table yet: one that is opened is told by itself. /leave goes back." in talk.said
        near.found = (ana,)
        near._tell()
        assert await talk.new() == ["1: Gnomia; 2 of 4 seats taken; Ana[2J, Bo; on this network"]
        near.found = (eve, ana)
        near._tell()
        assert await talk.new() == ["2: La Taverne des Hobbits; playing; Eve"]
        assert await talk.tell("7") == ["There is no table of that number now."]
        await talk.tell("2")
        assert doors.asked == [("watch", "farfadet://e")]
        await talk.tell("/leave", "near", "/next")
        assert doors.asked[1:] == [("join", "farfadet://a")]


# A room.


@asynccontextmanager
async def waiting(room: FakeRoom) -> AsyncIterator[Conversation]:
    """In a room before the game."""
    async with talking(FakeDoors(room=room, sitting=room.sitting), Host()) as talk:
        yield talk


async def test_a_room_tells_who_comes_and_how_others_come() -> None:
    room = FakeRoom(can_add_bot=True)
    async with waiting(room) as talk:
        assert room.invitation in talk.said
        assert f"or say: {room.spoken}" in talk.said
        assert "Ana: you, host" in talk.said
        assert "Waiting for 2 more players." in talk.said
        await talk.new()
        room.arrive(FakeGuest("Zoe\x1b]0;x\x07", identity=NEWCOMER))
        assert await talk.new() == [
            "Zoe]0;x: new",
            "3 of 4 seats taken",
            "Waiting for one more player.",
        ]
        assert "Puck: bot" in await talk.tell("/bot")
        assert await talk.tell("/bot") == ["No bot can take a seat here now."]
        room.full.set()
        room.sitting.begin()
        assert any("Your choice?" in line for line in await talk.new())


async def test_a_host_changes_what_is_agreed_and_anybody_can_be_waited_for() -> None:
    room = FakeRoom(ours=True)
    async with waiting(room) as talk:
        await talk.tell("/players 5", "/limit 60")
        assert (room.seats, room.limit) == (5, 60)
        assert await talk.tell("/players 99") == ["It can be: 3, 4, 5, 6"]
        assert (await talk.tell("/ready"))[-1] == "The others wait for you."
        assert not room.ready
    room = FakeRoom()
    async with waiting(room) as talk:
        assert await talk.tell("/players 5") == ["That is for the host to say, before the game."]


async def test_a_room_that_closes_says_why() -> None:
    room = FakeRoom(error=Coded("auth"))
    async with talking(FakeDoors(room=room), Home()) as talk:
        await talk.tell("host")
        room.full.set()
        news = await talk.new()
        assert "1 play: play at once, against bots" in news


async def test_a_name_with_another_key_is_asked_about_before_anything_else() -> None:
    file = known()
    guests = (
        FakeGuest("Me", host=True, mine=True, identity=ME),
        FakeGuest("Bo", identity=NEWCOMER),
    )
    sitting = FakeSitting(2, names=("Me", "Bo"), game="gnomia")
    room = FakeRoom(guests, 2, words=WORDS, game=sitting.game, sitting=sitting)
    async with talking(FakeDoors(sitting=sitting, room=room, known=file), Host("gnomia")) as talk:
        assert "Bo: not the Bo you know!" in talk.said
        room.full.set()
        await talk.new()
        sitting.begin()
        news = await talk.new()
        assert any(WORDS in line for line in talk.said)
        assert not [line for line in news if "Which gnome" in line]
        assert "Answer first who that is, with a number." in await talk.tell("50")
        assert sitting.calls == []
        news = await talk.tell("1")
        assert any("Which gnome do you send?" in line for line in news)
        assert "Bo 2" in names(file)
        assert file.read().owner(BO) is not None


async def test_words_that_were_compared_are_kept() -> None:
    guests = (
        FakeGuest("Me", host=True, mine=True, identity=ME),
        FakeGuest("Zoe", identity=NEWCOMER),
    )
    file = known()
    sitting = FakeSitting(2, names=("Me", "Zoe"), game="gnomia")
    room = FakeRoom(guests, 2, words=WORDS, game=sitting.game, sitting=sitting)
    async with talking(FakeDoors(sitting=sitting, room=room, known=file), Host("gnomia")) as talk:
        room.full.set()
        await talk.new()
        assert f"Four words to compare aloud: {WORDS}" in talk.said
        sitting.begin()
        await talk.tell("/same")
        owner = file.read().owner(NEWCOMER)
        assert owner is not None
        assert NEWCOMER in owner.checked


# The result.


async def test_the_result_is_taken_apart_and_one_plays_again_as_one_wishes() -> None:
    doors = FakeDoors(sitting=table())
    async with talking(doors, Play("gnomia", 3)) as talk:
        sitting = doors.sitting
        sitting.begin()
        sitting.end()
        news = await talk.new()
        assert sitting.result is not None
        for score in sitting.result.scores:
            assert any(
                line.startswith(f"{score.rank}. {sitting.names[score.seat]}: {score.total}")
                for line in news
            )
        assert any(line.startswith("Verified: 3 seats have signed this result") for line in news)
        assert any(str(sitting.saved) in line for line in news)
        assert await talk.tell("10") == [
            "The game is over. /again plays once more, /leave goes back to the menu."
        ]
        assert len(await talk.tell("/score")) == 6
        doors.asked.clear()
        doors.sitting = table()
        await talk.tell("/players 4", "/again")
        assert doors.asked == [("play", "gnomia", 4, "steady")]


async def test_with_friends_a_new_table_is_made_for_them() -> None:
    doors = FakeDoors(sitting=table(), friends=friends(Hub(), 0))
    async with talking(doors, Play("gnomia", 3)) as talk:
        doors.sitting.begin()
        doors.sitting.end()
        await talk.new()
        doors.asked.clear()
        await talk.tell("/bots 0", "/again")
        assert doors.asked == [("host", "gnomia", 3, 0)]


async def test_one_goes_along_with_a_friend_who_plays_again() -> None:
    hub = Hub()
    mine, theirs = friends(hub, 0), friends(hub, 2)
    doors = FakeDoors(sitting=table(), friends=mine)
    async with talking(doors, Play("gnomia", 3)) as talk:
        doors.sitting.begin()
        doors.sitting.end()
        await talk.new()
        await mine._channel.open()
        await theirs._channel.open()
        theirs.propose(NEW)
        await hub.quiet()
        assert await talk.new() == ["Chloé plays again: /again goes along."]
        doors.asked.clear()
        await talk.tell("/again")
        assert doors.asked == [("join", str(NEW))]


@pytest.mark.parametrize(("theirs", "gives_way"), [(0, True), (2, False)])
async def test_of_two_who_wait_for_each_other_one_gives_way(theirs: int, gives_way: bool) -> None:
    hub = Hub()
    mine, other = friends(hub, 1), friends(hub, theirs)
    doors = FakeDoors(sitting=table(1), friends=mine)
    doors.room.guests = (FakeGuest("Bo", host=True, mine=True), FakeGuest("Puck", bot=True))
    async with talking(doors, Play("gnomia", 3)) as talk:
        doors.sitting.begin()
        doors.sitting.end()
        await talk.new()
        await mine._channel.open()
        await other._channel.open()
        await talk.tell("/again")
        other.propose(NEW)
        await hub.quiet()
        await talk.new()
        assert (("join", str(NEW)) in doors.asked) is gives_way


async def test_who_has_looked_on_is_not_asked_to_play_again() -> None:
    sitting = table(None)
    async with playing(sitting) as talk:
        sitting.end()
        news = await talk.new()
        assert news[-1] == "/leave goes back to the menu."
        assert await talk.tell("/again") == ["Only who has played can play again."]
