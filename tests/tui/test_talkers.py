"""Those who talk: muting them, one or all, and text that would like to be more than text."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from net.people.chat import LONGEST_TEXT, Said, Voice
from tests.tui.frames import frame
from tests.tui.stage import playing, settle
from tests.tui.test_chat import WIDE, foot, table, typed
from tui.screens.game import GameScreen
from tui.story.talk import name, spoken
from tui.words import Words, text

# Muting.


async def test_who_looks_on_stands_in_brackets_and_can_be_muted_with_one_key() -> None:
    sitting, parlour = table()
    zoe = parlour.enter("Zoé")
    async with playing(sitting) as (_, pilot):
        assert "F3" not in foot(pilot)
        zoe.say("take the red ones!")
        await settle(pilot)
        assert "[Zoé]: take the red ones!" in frame(pilot.app)
        assert "1 looks on" in frame(pilot.app)
        await pilot.press("f3")
        await settle(pilot)
        assert "F3 hear again" in foot(pilot)
        assert "take the red ones!" not in frame(pilot.app)
        assert "1 looks on, muted" in frame(pilot.app)
        assert "are not heard any more" in frame(pilot.app)
        zoe.say("no, the blue ones")
        parlour.talks["Bo"].say("quiet now")
        await settle(pilot)
        assert "Bo: quiet now" in frame(pilot.app)
        assert "blue" not in frame(pilot.app)
        await pilot.press("f3")
        await settle(pilot)
        assert "[Zoé]: take the red ones!" in frame(pilot.app)
        assert "new line" not in frame(pilot.app)


async def test_one_person_is_muted_by_name_and_heard_again() -> None:
    sitting, parlour = table()
    async with playing(sitting) as (_, pilot):
        parlour.talks["Chloé"].say("hm")
        await settle(pilot)
        await typed(pilot, "/mute chloe")
        assert "You do not hear Chloé." in frame(pilot.app)
        assert "Chloé: hm" not in frame(pilot.app)
        parlour.talks["Chloé"].say("hello?")
        parlour.talks["Dan"].say("she is muted")
        await settle(pilot)
        assert "hello?" not in frame(pilot.app)
        assert "Dan: she is muted" in frame(pilot.app)
        await pilot.press("escape")
        await typed(pilot, "/mute")
        assert "Muted: Chloé" in frame(pilot.app)
        await pilot.press("escape")
        await typed(pilot, "/unmute CHLOÉ")
        assert "You hear Chloé again." in frame(pilot.app)
        assert "Chloé: hm" in frame(pilot.app)
    # Nobody else is told.
    assert parlour.heard("Bo") == ["hm", "hello?", "she is muted"]


async def test_who_borrows_a_name_is_muted_before_its_owner() -> None:
    sitting, parlour = table()
    thief = parlour.enter("Bo")
    async with playing(sitting) as (_, pilot):
        thief.say("I am Bo")
        parlour.talks["Bo"].say("I am")
        await settle(pilot)
        await typed(pilot, "/mute Bo")
        assert "[Bo]: I am Bo" not in frame(pilot.app)
        assert "Bo: I am" in frame(pilot.app)
        await pilot.press("escape")
        await typed(pilot, "/mute Bo")
        assert "Bo: I am" not in frame(pilot.app)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("/mute nobody", "Nobody here is called nobody."),
        ("/unmute Bo", "Nobody here is called Bo."),
        ("/mute", "Muted: -"),
        ("/kick Bo", "/mute NAME and /unmute NAME"),
        ("/mute [/]", "Nobody here is called [/]."),
        ("/mute {who} {0}", "Nobody here is called {who} {0}."),
    ],
)
async def test_a_command_that_does_nothing_says_why_and_is_not_sent(
    written: str, said: str
) -> None:
    sitting, parlour = table()
    async with playing(sitting) as (_, pilot):
        await typed(pilot, written)
        assert said in frame(pilot.app)
    assert parlour.heard("Bo") == []


# Hostile text.


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=LONGEST_TEXT), st.text(max_size=64), st.booleans(), st.booleans())
def test_whatever_is_said_is_harmless(said: str, who: str, seated: bool, ascii_only: bool) -> None:
    voice = Voice(bytes(32), who, 1 if seated else None)
    shown = text(spoken(Words("en", ascii_only), Said(0, voice, said, False)))
    assert not [char for char in shown if category(char)[0] == "C"]
    assert cell_len(name(voice)) <= 13
    assert name(voice).startswith("[") or seated
    assert shown.isascii() or not ascii_only


HOSTILE = [
    "[bold red]not markup[/] [@click=app.quit]x[/]",
    "\x1b[2J\x1b]0;title\x07 gone",
    "\u202eright to left\u202c\u2066 isolates",
    "a" + "\u0301" * 150 + " zalgo",
    "宽" * 199,
    "{who}: {text} {0} %s",
    "x" * LONGEST_TEXT,
    "line\nbreak\r\n\ttab\u2028para",
    "\u200b\u200d\ufeff\u00ad",
    "👨‍👩‍👧‍👦 family",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [(80, 24), WIDE])
@pytest.mark.parametrize("hostile", HOSTILE)
async def test_hostile_lines_and_names_are_only_text(hostile: str, size: tuple[int, int]) -> None:
    sitting, parlour = table()
    other = parlour.enter(hostile[:64])
    async with playing(sitting, size=size) as (screen, pilot):
        board = screen.board.canvas.text()
        other.say(hostile)
        parlour.talks["Bo"].say("the end")
        await settle(pilot)
        shown = frame(pilot.app)
        assert "Bo: the end" in shown
        assert not [char for char in shown if category(char)[0] == "C" and char != "\n"]
        assert max(map(cell_len, shown.splitlines())) <= size[0]
        assert screen.board.canvas.text() == board
        assert isinstance(pilot.app.screen, GameScreen)
        # What can be shown of it is shown as it is, brackets and all.
        told = text(screen.lines()[0][1])
        assert "[bold red]not markup[/]" in told or not hostile.startswith("[bold")
