"""Looking on: the same boards without a player, no key that chooses, and waiting for the game."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

import rules
from net.meeting.room import RoomError
from rules.game import Choose
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom
from tests.tui.frames import frame
from tests.tui.parlour import Parlour
from tests.tui.stage import opened, playing, settle
from tui.screens.game import GameScreen
from tui.screens.home import HomeScreen
from tui.screens.result import ResultScreen
from tui.screens.table import TableScreen
from tui.sitting import Watch

SIZES = [(80, 24), (120, 40)]
OURS = {
    "en": ("you", "You", "your", "Your"),
    "fr": ("tu", "Tu", "toi", "Toi", "ta", "ton", "tes"),
}
"""Words that mean our player."""


def foot(pilot: Pilot[None]) -> str:
    """The last line."""
    return frame(pilot.app).splitlines()[-1]


def named(shown: str, language: str) -> set[str]:
    """Which of the words for our player are on the screen, besides that it looks on."""
    for said in ("You are looking on", "Tu regardes la partie"):
        shown = shown.replace(said, "")
    return set(OURS[language]) & set("".join(c if c.isalpha() else " " for c in shown).split())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", rules.names())
async def test_nobody_on_the_board_is_called_you(
    game: str, language: str, size: tuple[int, int]
) -> None:
    sitting = FakeSitting(3, 3, me=None, game=game)
    async with playing(sitting, language, size) as (_, pilot):
        for turn in range(40):
            if not isinstance(sitting.request, Choose):
                break
            if turn % 8 == 0:
                await settle(pilot)
                shown = frame(pilot.app)
                assert named(shown, language) == set(), shown
                assert "Tu regardes la partie" in shown or language == "en"
                assert "You are looking on" in shown or language == "fr"
            for seat in sorted(sitting.owing):
                moves = sitting.options(seat)
                sitting.seal(seat, moves[(2 * turn + seat) % len(moves)])
        await settle(pilot)


@pytest.mark.parametrize("game", rules.names())
async def test_no_key_chooses_and_the_foot_offers_none(game: str) -> None:
    sitting = FakeSitting(3, me=None, game=game)
    async with playing(sitting) as (screen, pilot):
        for word in ("aim", "seal", "undo", "type", "go on"):
            assert word not in foot(pilot)
        keys = ["1", "2", "a", "b", "p", "g", "t", "s", "enter", "up", "down", "u", "colon", "w"]
        for key in keys:
            await pilot.press(key)
        await pilot.click("#board", offset=(40, 3))
        await pilot.click("#board", offset=(40, 3))
        await settle(pilot)
        assert sitting.calls == []
        assert sitting.pleas == []
        assert screen.board.aimed is None
        assert not screen.has_class("-typing")
        await pilot.press("1")
        await settle(pilot)
        if screen.board.targets():
            assert "You are looking on, not playing." in frame(pilot.app)


async def test_who_looks_on_leaves_at_once() -> None:
    async with playing(FakeSitting(3, me=None)) as (_, pilot):
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", rules.names())
async def test_the_result_is_there_to_look_at(game: str, size: tuple[int, int]) -> None:
    sitting = FakeSitting(3, me=None, game=game)
    async with playing(sitting, size=size) as (_, pilot):
        sitting.end()
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)
        shown = frame(pilot.app)
        assert named(shown, "en") == set()
        assert "lay again" not in shown
        await pilot.press("enter", "left", "up", "b")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        assert "↵ score" in foot(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ResultScreen)


async def test_cards_that_lie_open_are_seen_and_no_others() -> None:
    sitting = FakeSitting(3, me=None, game="gobelin")
    async with playing(sitting) as (screen, pilot):
        hands = [slot for hand in sitting.state.hands for slot in hand]
        assert not [slot for slot in hands if slot in screen.board.view.sight]
        lines = frame(pilot.app).splitlines()
        assert sum("▒▒▒  ▒▒▒" in line and " ?" in line for line in lines) == 3
        sitting.end()
        await settle(pilot)
        await pilot.press("b")
        await settle(pilot)
        # When the gold has been counted, all that was counted lies open.
        assert "?" not in "".join(frame(pilot.app).splitlines()[11:16])


async def test_an_invitation_to_look_leads_to_the_game() -> None:
    room = FakeRoom(looking_on=True, begun=True, sitting=FakeSitting(4, me=None))
    room.full.set()
    doors = FakeDoors(room=room)
    async with opened(doors, Watch("farfadet://x")) as (app, pilot):
        assert doors.asked == [("watch", "farfadet://x")]
        assert isinstance(app.screen, GameScreen)
        # Until the first step of it is here.
        assert "catching up" in frame(app)
        room.sitting.begin()
        await settle(pilot)
        assert "catching up" not in frame(app)
        assert "You are looking on." in frame(app)


@pytest.mark.parametrize(("language", "said"), [("en", "You are looking on. Waiting for 2 more")])
async def test_before_the_game_one_waits_for_it_and_is_told_so(language: str, said: str) -> None:
    room = FakeRoom(looking_on=True, sitting=FakeSitting(4, me=None))
    async with opened(FakeDoors(room=room), Watch("x"), language) as (app, pilot):
        assert isinstance(app.screen, TableScreen)
        assert said in frame(app)
        room.arrive(FakeGuest("Chloé"), FakeGuest("Dan"))
        room.full.set()
        await settle(pilot)
        assert isinstance(app.screen, GameScreen)


@pytest.mark.parametrize("code", ["nobody-here", "wrong-key", "other-rules"])
async def test_what_cannot_be_looked_at_is_said_at_home(code: str) -> None:
    async with opened(FakeDoors(error=RoomError(code)), Watch("x")) as (app, _):
        assert isinstance(app.screen, HomeScreen)
        assert "Something went wrong" not in frame(app) or code == "wrong-key"


async def test_who_looks_on_talks_too() -> None:
    sitting, parlour = FakeSitting(3, me=None), Parlour("Ana", "Bo", "Chloé")
    sitting.talk = parlour.enter("Zoé")
    async with playing(sitting) as (_, pilot):
        parlour.talks["Bo"].say("who is there?")
        await settle(pilot)
        assert "Bo: who is there?" in frame(pilot.app)
        await pilot.press("tab", *"me", "enter")
        await settle(pilot)
        assert parlour.heard("Bo") == ["who is there?", "me"]
        assert parlour.talks["Bo"].lines[1].voice.seat is None
        # It has said that it is here, too.
        assert parlour.talks["Ana"].watching == 1
