"""Talking on screens: saying something, where lines stand, what is new, and the keys."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

import rules
from net.people import chat
from net.people.chat import LONGEST_TEXT
from net.play.notices import Rewound
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeRoom
from tests.tui.frames import frame
from tests.tui.parlour import Parlour
from tests.tui.stage import opened, playing, settle, some_turns
from tui import boards
from tui.actions import of
from tui.boards.gobelin import PICKS
from tui.screens.game import GameScreen
from tui.screens.result import ResultScreen
from tui.screens.table import TableScreen
from tui.sitting import Host
from tui.widgets.chat import Saying
from tui.words import text

WIDE = (120, 40)
NAMES = ("Ana", "Bo", "Chloé", "Dan")


def table(game: str = "taverne", seats: int = 4) -> tuple[FakeSitting, Parlour]:
    """Ana's seat, and those who talk with her."""
    sitting, parlour = FakeSitting(seats, game=game), Parlour(*NAMES[:seats])
    sitting.talk = parlour.talks["Ana"]
    return sitting, parlour


async def typed(pilot: Pilot[None], written: str) -> None:
    """Ana says something."""
    await pilot.press("tab")
    pilot.app.screen.query_one(Saying).value = written
    await pilot.press("enter")
    await settle(pilot)


def foot(pilot: Pilot[None]) -> str:
    """The last line."""
    return frame(pilot.app).splitlines()[-1]


def column(pilot: Pilot[None]) -> str:
    """What stands right of the board, as one text."""
    rows = [line.partition("│ ")[2].strip() for line in frame(pilot.app).splitlines()[2:]]
    return " ".join(rows)


# Saying something.


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_what_one_says_is_heard_and_the_keys_are_the_boards_again(
    size: tuple[int, int],
) -> None:
    sitting, parlour = table()
    async with playing(sitting, size=size) as (screen, pilot):
        assert "Tab talk" in foot(pilot)
        await pilot.press("tab", *"hello", "enter")
        await settle(pilot)
        assert parlour.heard("Bo") == ["hello"]
        assert "you: hello" in frame(pilot.app)
        assert screen.board.has_focus
        assert not screen.query_one(Saying).display
        await pilot.press("2", "enter")
        await settle(pilot)
        assert sitting.chosen is not None
        assert parlour.heard("Bo") == ["hello"]


@pytest.mark.parametrize("close", ["escape", "tab"])
async def test_no_key_reaches_the_board_while_one_talks(close: str) -> None:
    sitting, parlour = table()
    async with playing(sitting) as (screen, pilot):
        await pilot.press("tab", "1", "2", "up", "down", "left", "u", "p", "colon", "question_mark")
        await settle(pilot)
        assert "▶" not in frame(pilot.app)
        assert screen.query_one(Saying).value == "1up:?2"
        assert isinstance(pilot.app.screen, GameScreen)
        await pilot.press(close)
        await settle(pilot)
        assert not screen.query_one(Saying).display
        assert screen.query_one(Saying).value == ""
        await pilot.press("2")
        await settle(pilot)
        assert "▶ 2 ◀" in frame(pilot.app)
    assert sitting.calls == []
    assert parlour.heard("Bo") == []


async def test_nothing_is_said_by_opening_the_line_or_by_typing() -> None:
    sitting, parlour = table()
    payloads: list[bytes] = []
    spy = parlour.hub.transport()
    spy.subscribe("#")
    spy.listen(lambda topic, payload: payloads.append(payload), lambda up: None)
    spy.regain()
    async with playing(sitting) as (_, pilot):
        await pilot.press("tab", "x")
        await settle(pilot)
        await pilot.press("backspace", "enter")
        await settle(pilot)
    assert payloads == []


async def test_alone_with_bots_there_is_nobody_to_talk_to() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        assert "talk" not in foot(pilot)
        await pilot.press("tab", "f3", "2", "enter")
        await settle(pilot)
        assert sitting.chosen is not None
        assert not screen.query_one(Saying).display


async def test_who_says_too_much_is_told_and_keeps_what_was_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # However long this machine takes to type.
    monkeypatch.setattr(chat, "EVERY", 1e9)
    sitting, parlour = table()
    async with playing(sitting) as (screen, pilot):
        for at in range(5):
            await typed(pilot, f"line {at}")
        await typed(pilot, "one more")
        assert "Not so fast" in frame(pilot.app)
        assert screen.query_one(Saying).value == "one more"
        parlour.ways["Ana"].lose()
        await pilot.press("enter")
        await settle(pilot)
        assert "nobody would hear you" in frame(pilot.app)
        await pilot.press("escape")
        await settle(pilot)
        assert "nobody would hear you" not in frame(pilot.app)
    assert parlour.heard("Bo") == [f"line {at}" for at in range(5)]


async def test_no_more_can_be_typed_than_can_be_said() -> None:
    sitting, parlour = table()
    async with playing(sitting) as (_, pilot):
        await typed(pilot, "é" * (LONGEST_TEXT + 50))
        assert parlour.heard("Bo") == []
        await pilot.press("escape")
        await typed(pilot, "é" * LONGEST_TEXT)
    assert parlour.heard("Bo") == ["é" * LONGEST_TEXT]


# Where it stands.


async def test_below_a_hundred_columns_lines_stand_where_they_were_said() -> None:
    sitting, parlour = table()
    async with playing(sitting) as (screen, pilot):
        some_turns(sitting, 1)
        parlour.talks["Bo"].say("well played")
        await settle(pilot)
        some_turns(sitting, 1)
        await settle(pilot)
        told = screen.story.whole(screen.board.voice)
        marks = [mark for mark, _ in told]
        (at,) = [at for at, mark in enumerate(marks) if mark == "▸"]
        assert text(told[at][1]) == "Bo: well played"
        assert marks[at - 1] == "1" or marks[at - 1] == "2"
        assert "2" in marks[at + 1 :]
        assert "▸  Bo: well played" in frame(pilot.app)
        sitting.tell(Rewound(()))
        await settle(pilot)
        assert "▸  Bo: well played" in frame(pilot.app)


async def test_from_a_hundred_columns_on_talk_has_a_place_of_its_own() -> None:
    sitting, parlour = table()
    async with playing(sitting, size=WIDE) as (screen, pilot):
        before = frame(pilot.app)
        parlour.talks["Bo"].say("well played")
        await settle(pilot)
        assert [mark for mark, _ in screen.story.game(screen.board.voice)].count("▸") == 0
        assert "▸ Bo: well played" in " ".join(column(pilot).split())
        # The board has not moved.
        left = [line[:80] for line in before.splitlines()[2:-2]]
        assert [line[:80] for line in frame(pilot.app).splitlines()[2:-2]] == left
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "▸  Bo: well played" in frame(pilot.app)
        await pilot.resize_terminal(*WIDE)
        await settle(pilot)
        assert "▸ Bo: well played" in " ".join(column(pilot).split())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", rules.names())
@pytest.mark.parametrize("size", [(80, 24), (100, 24), WIDE])
async def test_however_much_is_said_the_board_stays_whole(game: str, size: tuple[int, int]) -> None:
    sitting, parlour = table(game)
    async with playing(sitting, size=size) as (screen, pilot):
        board = screen.board.region
        for other in ("Bo", "Chloé", "Dan"):
            for at in range(4):
                parlour.talks[other].say(f"{at} " + "word " * 30)
        await settle(pilot)
        await pilot.press("tab")
        await settle(pilot)
        assert screen.board.region == board
        assert screen.query_one("#history").size.height > 0


async def test_what_is_new_is_marked_until_a_key_is_pressed() -> None:
    sitting, parlour = table()
    async with playing(sitting) as (_, pilot):
        parlour.talks["Bo"].say("one")
        parlour.talks["Bo"].say("two")
        await settle(pilot)
        assert "2 new lines" in frame(pilot.app)
        await pilot.press("2")
        await settle(pilot)
        assert "new line" not in frame(pilot.app)
        await typed(pilot, "our own is not new")
        assert "new line" not in frame(pilot.app)


async def test_a_line_repaints_its_region_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting, parlour = table()
    async with playing(sitting, size=WIDE) as (screen, pilot):
        parlour.talks["Bo"].say("one")
        await settle(pilot)
        repainted = set[str | None]()
        refresh = Widget.refresh

        def spy(widget: Widget, *regions: object, **how: object) -> Widget:
            repainted.add(widget.id or type(widget).__name__)
            return refresh(widget, *regions, **how)  # type: ignore[arg-type]

        monkeypatch.setattr(Widget, "refresh", spy)
        parlour.talks["Bo"].say("two")
        await settle(pilot)
        monkeypatch.undo()
        assert "board" not in repainted
        assert "top" not in repainted
        assert screen.board.canvas.text()


# Before and after the game.


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_friends_talk_while_they_wait_for_the_game(size: tuple[int, int]) -> None:
    parlour, room = Parlour("Ana", "Bo"), FakeRoom()
    room.talk = parlour.talks["Ana"]
    sitting = FakeSitting(4)
    sitting.talk, room.sitting = room.talk, sitting
    async with opened(FakeDoors(room=room), Host(), size=size) as (app, pilot):
        assert isinstance(app.screen, TableScreen)
        parlour.talks["Bo"].say("who else comes?")
        await settle(pilot)
        assert "Bo: who else comes?" in frame(app)
        assert "1 new line" in frame(app)
        await typed(pilot, "Dan does")
        assert parlour.heard("Bo")[-1] == "Dan does"
        # The keys of this screen are its own again.
        await pilot.press("c")
        assert app.clipboard == room.invitation
        room.full.set()
        await settle(pilot)
        assert isinstance(app.screen, GameScreen)
        assert "you: Dan does" in frame(app)


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_friends_talk_under_the_result(size: tuple[int, int]) -> None:
    sitting, parlour = table("gnomia")
    async with playing(sitting, size=size) as (_, pilot):
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        parlour.talks["Dan"].say("again?")
        await settle(pilot)
        assert "Dan: again?" in frame(pilot.app)
        assert "1 new line" in frame(pilot.app)
        await typed(pilot, "with pleasure")
        assert parlour.heard("Dan")[-1] == "with pleasure"
        await pilot.press("tab")
        await settle(pilot)
        assert "you: with pleasure" in frame(pilot.app)
        await pilot.press("escape", "b")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        assert "you: with pleasure" in frame(pilot.app)


async def test_the_room_is_left_with_the_screen_and_not_with_the_game() -> None:
    sitting, parlour = table()
    way = parlour.ways["Ana"]
    async with playing(sitting) as (_, pilot):
        sitting.end()
        await settle(pilot)
        assert parlour.hub.joined(way)
        await pilot.press("b", "q")
        await settle(pilot)
        assert not parlour.hub.joined(way)


async def test_leaving_in_the_middle_leaves_the_room() -> None:
    sitting, parlour = table()
    way = parlour.ways["Ana"]
    async with playing(sitting) as (_, pilot):
        assert parlour.hub.joined(way)
        await pilot.press("q", "q")
        await settle(pilot)
        assert not parlour.hub.joined(way)


# Keys.


@pytest.mark.parametrize("place", ["table", "game", "result"])
def test_the_keys_of_talk_mean_nothing_else(place: str) -> None:
    actions = [*of(place), *of("any")]
    for game in rules.names() if place == "game" else ():
        actions += boards.load(game).ACTIONS
    taken = Counter(key for action in actions for key in action.keys)
    taken.update(key for keys in PICKS for key in keys)
    assert not [key for action in of("talk") for key in action.keys if key in taken]
