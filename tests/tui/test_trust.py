"""Names and keys on the screens: the marks in a room, the loud question, what is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules
from net.people.friends import Kind
from net.people.friends_file import NAME, FriendsFile
from net.play.charter import Charter
from net.play.journal import Ticket
from net.play.resume import Saved
from tests.sim.nodes import agreed
from tests.tui.company_stage import (
    ANA,
    BO,
    DAY,
    LAPTOP,
    ME,
    NEWCOMER,
    STRANGER,
    WORDS,
    at,
    gathered,
    known,
    names,
    shown,
    somebody,
)
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom
from tests.tui.frames import frame
from tests.tui.stage import opened, settle
from tui.company import Company, Person
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.trust import TrustScreen
from tui.sitting import Host, Resume
from tui.troubles import trouble

SIZES = [(80, 24), (120, 40)]
LANGUAGES = ["en", "fr"]
LOUD = "A name you know, another key"


# The room before the game.


@pytest.mark.parametrize("size", SIZES)
async def test_a_room_says_whom_we_know(size: tuple[int, int]) -> None:
    room = FakeRoom(
        (
            FakeGuest("Me", host=True, mine=True, identity=ME),
            FakeGuest("Ana", identity=ANA),
            FakeGuest("Bobby", identity=BO),
            FakeGuest("Bo", identity=STRANGER),
            FakeGuest("Dan", identity=NEWCOMER),
            FakeGuest("Puck", bot=True, identity=LAPTOP),
        ),
        6,
    )
    async with opened(FakeDoors(room=room, known=known()), Host(), size=size) as (app, _):
        lines = [line.strip() for line in frame(app).splitlines()]
        assert "● Me  you, host" in lines
        assert "● Ana  known" in lines
        assert "● Bobby  known to you as Bo" in lines
        assert "● Bo   not the Bo you know!" in lines
        assert "● Dan  new" in lines
        assert "● Puck  bot" in lines


async def test_a_program_does_not_get_a_friends_name_for_nothing() -> None:
    room = FakeRoom((FakeGuest("Me", mine=True), FakeGuest("B0", bot=True, identity=STRANGER)), 3)
    async with opened(FakeDoors(room=room, known=known()), Host()) as (app, _):
        assert "● B0  bot   not the Bo you know!" in frame(app)


async def test_our_own_key_in_another_terminal_is_recognised() -> None:
    room = FakeRoom((FakeGuest("Me", mine=True), FakeGuest("You", identity=ME)), 3)
    async with opened(FakeDoors(room=room, known=known()), Host()) as (app, _):
        assert "● You  your own key" in frame(app)


async def test_a_damaged_file_is_said_in_the_room(tmp_path: Path) -> None:
    known(tmp_path)
    (tmp_path / NAME).write_bytes(b"{")
    room = FakeRoom((FakeGuest("Me", mine=True), FakeGuest("Bo", identity=BO)), 3)
    doors = FakeDoors(room=room, known=FriendsFile(tmp_path, ME))
    async with opened(doors, Host()) as (app, _):
        said = app.words.say(trouble("friends-damaged"), code="friends-damaged")
        assert said[:40] in shown(app)
        assert "● Bo  new" in frame(app)


# Remembering.


async def test_people_are_remembered_once_the_game_has_begun() -> None:
    file = known()
    guests = FakeGuest("Bo", identity=BO), FakeGuest("Dan", identity=NEWCOMER)
    puck = FakeGuest("Puck", bot=True, identity=LAPTOP)
    async with gathered(file, *guests, puck, begun=False) as (app, pilot, sitting):
        assert at(app) is GameScreen
        assert names(file) == ["Bo", "Ana"]
        sitting.begin()
        await settle(pilot)
        assert names(file) == ["Bo", "Ana", "Dan"]
        assert somebody(file, BO).games == 2
        sitting.seal(1, sitting.options(1)[0])
        await settle(pilot)
        assert somebody(file, BO).games == 2


async def test_where_nothing_can_be_saved_the_game_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.write_text("no folder", encoding="utf-8")
    file = FriendsFile(folder, ME)
    async with gathered(file, FakeGuest("Bo", identity=BO)) as (app, pilot, sitting):
        assert at(app) is GameScreen
        assert names(file) == ["Bo"]
        await pilot.press("v", "1", "enter")
        await settle(pilot)
        assert somebody(file, BO).checked == {BO}
        assert sitting.calls
        assert folder.read_text(encoding="utf-8") == "no folder"


# The question.


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_friends_name_with_another_key_is_asked_about_loudly(
    language: str, size: tuple[int, int]
) -> None:
    guest = FakeGuest("Bo", identity=STRANGER)
    async with gathered(known(), guest, language=language, size=size) as (app, _, sitting):
        assert at(app) is TrustScreen
        say, text = app.words.say, shown(app)
        assert say(LOUD) in text
        assert "2026-11-12" in text
        assert WORDS in frame(app)
        for sentence in (
            "Ask by voice who it is. All at this table see these four words:",
            "It is {who}, with one more key: remember it",
            "Leave the table",
            "Your board waits; the others and the clock do not.",
        ):
            assert " ".join(say(sentence, who="Bo").split()) in text
        assert "Bo 2" in text
        assert len(frame(app).splitlines()) == size[1]
        assert sitting.request is not None


async def test_the_board_waits_and_the_table_does_not() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=STRANGER)) as (app, pilot, sitting):
        assert names(file) == ["Bo", "Ana"]
        await pilot.press("1", "g", "t", "v", "q", "escape", "colon")
        await settle(pilot)
        assert at(app) is TrustScreen
        assert sitting.calls == []
        sitting.seal(1, sitting.options(1)[0])
        await settle(pilot)
        assert sitting.made
        await pilot.press("enter")
        await settle(pilot)
        assert at(app) is GameScreen
        await pilot.press("1", "enter")
        await settle(pilot)
        assert sitting.calls


async def test_the_first_answer_is_the_safe_one() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=STRANGER)) as (app, pilot, _):
        assert "▸  Somebody else: play on, and remember them as Bo 2" in frame(app)
        await pilot.press("up", "enter")
        await settle(pilot)
        assert at(app) is GameScreen
        assert names(file) == ["Bo", "Ana", "Bo 2"]
        assert somebody(file, STRANGER).keys == (STRANGER,)
        assert somebody(file, BO).games == 1


async def test_a_friend_with_a_new_machine_has_two_keys() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=LAPTOP)) as (app, pilot, _):
        await pilot.press("down", "enter")
        await settle(pilot)
        assert at(app) is GameScreen
        friend = somebody(file, LAPTOP)
        assert (friend.name, friend.keys, friend.games) == ("Bo", (BO, LAPTOP), 2)
        assert friend.checked == frozenset()


async def test_one_can_leave_instead() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=STRANGER)) as (app, pilot, _):
        await pilot.press("down", "down", "down", "enter")
        await settle(pilot)
        assert at(app) is HomeScreen
        assert file.read().owner(STRANGER) is None


async def test_everybody_in_doubt_is_asked_about_one_after_the_other() -> None:
    file = known()
    guests = FakeGuest("B0", identity=STRANGER), FakeGuest("Ana", identity=NEWCOMER)
    async with gathered(file, *guests) as (app, pilot, _):
        assert "B0 is here with another key than Bo, whom you met on 2026-11-12" in shown(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert at(app) is TrustScreen
        assert file.read().owner(NEWCOMER) is None
        assert "Ana is here with another key than the Ana you played with" in shown(app)
        assert "▸  Somebody else" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert at(app) is GameScreen
        assert names(file) == ["Bo", "Ana", "Ana 2"]
        assert somebody(file, STRANGER).name == "Bo"


async def test_a_friend_under_another_friends_name_cannot_become_that_friend() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=ANA)) as (app, pilot, _):
        text = shown(app)
        assert "Bo has the key of Ana, and a name of Bo" in text
        assert "It is Ana: play on" in text
        assert "one more key" not in text
        await pilot.press("enter")
        await settle(pilot)
        assert somebody(file, ANA).called == ("Ana", "Bo")
        assert names(file) == ["Bo", "Ana"]


async def test_the_same_question_is_not_asked_again() -> None:
    file = known()
    async with gathered(file, FakeGuest("Bo", identity=STRANGER)) as (_, pilot, _):
        await pilot.press("enter")
        await settle(pilot)
    async with gathered(file, FakeGuest("Bo", identity=STRANGER)) as (app, _, _):
        assert at(app) is GameScreen
        assert somebody(file, STRANGER).games == 2


async def test_a_program_with_a_friends_name_is_asked_about_and_not_remembered() -> None:
    file = known()
    guest = FakeGuest("Bo", bot=True, identity=STRANGER)
    async with gathered(file, guest) as (app, pilot, _):
        assert "▸  Somebody else: play on\n" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert at(app) is GameScreen
        assert names(file) == ["Bo", "Ana"]


async def test_names_in_the_question_are_harmless_and_the_terminal_may_be_poor() -> None:
    guest = FakeGuest("B\x1b[2J\u202eo\N{ZERO WIDTH SPACE}", identity=STRANGER)
    async with gathered(known(), FakeGuest("Bo\u202e", identity=STRANGER)) as (app, _, _):
        assert "Bo is here with another key than the Bo you played with" in shown(app)
    async with gathered(known(), guest, FakeGuest("B\u2800o", identity=LAPTOP)) as (app, _, _):
        assert "\x1b" not in frame(app)
        assert "\u202e" not in frame(app)
    async with gathered(known(), FakeGuest("Bó", identity=STRANGER), ascii_only=True) as (
        app,
        _,
        _,
    ):
        assert frame(app).isascii()
        assert ">  Somebody else" in frame(app)


async def test_the_question_changes_its_language_and_has_its_help() -> None:
    async with gathered(known(), FakeGuest("Bo", identity=STRANGER)) as (app, pilot, _):
        english = frame(app)
        await pilot.press("f2", "f2", "f1")
        told = ""
        for _ in range(4):
            await settle(pilot)
            told += frame(app)
            await pilot.press("down")
        assert "take the answer that is lit" in told
        await pilot.press("escape")
        await settle(pilot)
        assert frame(app) == english


def a_table_to_go_back_to(invitation: str) -> tuple[Saved, Charter]:
    """A table one left, with a seat 0 that is called like a friend."""
    charter, players = agreed(7, 3, rules.load("gnomia"))
    ticket = Ticket(charter.data(), 1, bytes(players[1].key), players[1].secret, invitation)
    return Saved(Path("gnomia-0123456789ab"), ticket, charter, 0.0), charter


@pytest.mark.parametrize(("invitation", "asked"), [("farfadet://x", True), ("", False)])
async def test_who_goes_back_to_a_table_is_asked_again(invitation: str, asked: bool) -> None:
    table, charter = a_table_to_go_back_to(invitation)
    file = FriendsFile(None, ME)
    file.change(lambda friends: friends.met({BO: charter.names[0]}, DAY))
    sitting = FakeSitting(3, game="gnomia", names=charter.names)
    doors = FakeDoors(sitting=sitting, tables=[table], known=file)
    async with opened(doors, Resume()) as (app, pilot):
        assert (at(app) is TrustScreen) is asked
        assert "these four words" not in shown(app)
        if asked:
            sitting.begin()
            await pilot.press("enter")
            await settle(pilot)
            assert at(app) is GameScreen
            assert names(file) == [charter.names[0]]


def test_whoever_is_doubted_twice_is_settled_once() -> None:
    file = known()
    people = [Person(STRANGER, "Bo"), Person(ME, "Bo")]
    company = Company(file, people, WORDS)
    assert company.doubts == people[:1]
    assert company.standing(people[1]).kind is Kind.ME
    company.settle(people[0], same=True)
    assert company.standing(people[0]).kind is Kind.KNOWN
