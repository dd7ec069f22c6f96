"""Every action has a key nobody else uses, and somebody who does it; players have own keys."""

from __future__ import annotations

from itertools import combinations

import pytest
from textual.binding import Binding
from textual.keys import Keys, _character_to_key

import rules
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import frame
from tests.tui.stage import opened, playing, settle
from tui import boards
from tui.actions import ACTIONS, Action, bindings, of
from tui.app import FarfadetApp
from tui.keymap import CAPS, USUAL, Keymap, cap, key_named, meet, place, read
from tui.manual import PLACES as TITLES
from tui.manual import keys_page
from tui.screens.game import GameScreen
from tui.screens.help import HelpScreen
from tui.screens.home import HomeScreen
from tui.screens.join import JoinScreen
from tui.screens.near import NearScreen
from tui.screens.palette import PaletteScreen
from tui.screens.replay import ReplayScreen
from tui.screens.replays import ReplaysScreen
from tui.screens.result import ResultScreen
from tui.screens.rules import RulesScreen
from tui.screens.settings import SettingsScreen
from tui.screens.table import TableScreen
from tui.screens.talk import Talking
from tui.screens.trust import TrustScreen
from tui.screens.welcome import WelcomeScreen
from tui.sitting import Home
from tui.words import Words

PLACES: dict[str, type] = {
    "any": FarfadetApp,
    "home": HomeScreen,
    "join": JoinScreen,
    "near": NearScreen,
    "table": TableScreen,
    "game": GameScreen,
    "result": ResultScreen,
    "replay": ReplayScreen,
    "replays": ReplaysScreen,
    "talk": Talking,
    "trust": TrustScreen,
    "settings": SettingsScreen,
    "welcome": WelcomeScreen,
    "help": HelpScreen,
    "rules": RulesScreen,
    "palette": PaletteScreen,
}


def everything() -> list[Action]:
    """The registry, and what the boards add to it."""
    return [*ACTIONS, *(action for name in rules.names() for action in boards.load(name).ACTIONS)]


def said(keymap: Keymap) -> list[str]:
    return [slip.said(Words("en")) for slip in keymap.slips]


# The registry.


def test_every_place_with_actions_is_a_screen() -> None:
    assert {action.place for action in ACTIONS} == PLACES.keys() == TITLES.keys()


@pytest.mark.parametrize("where", PLACES)
def test_every_action_is_done_by_its_screen(where: str) -> None:
    for action in of(where):
        assert callable(getattr(PLACES[where], f"action_{action.name}")), action.id


def test_every_action_has_a_key_a_label_and_a_help() -> None:
    for action in everything():
        assert action.keys, action.id
        assert action.shown, action.id
        assert action.label, action.id
        assert action.help, action.id


def test_ids_are_there_once() -> None:
    ids = [action.id for action in everything()]
    assert len(set(ids)) == len(ids)


def test_no_key_means_two_things_on_one_screen() -> None:
    for one, other in combinations(everything(), 2):
        shared = set(one.keys) & set(other.keys)
        assert not (shared and meet(one.place, other.place)), (one.id, other.id, shared)


def test_the_keys_of_two_screens_or_of_two_games_do_not_meet() -> None:
    assert meet("game", "talk")
    assert meet("taverne", "talk")
    assert meet("taverne", "game")
    assert meet("rules", "any")
    assert not meet("taverne", "gnomia")
    assert not meet("taverne", "table")
    assert not meet("home", "game")


def test_bindings_carry_ids() -> None:
    ids = {binding.id for binding in bindings("table") if isinstance(binding, Binding)}
    assert ids == {action.id for action in of("table")}


def test_the_parts_of_an_action_have_as_many_keys_each() -> None:
    for action in everything():
        if action.row:
            assert len(action.each) == action.row, action.id


def test_the_page_of_keys_has_every_action() -> None:
    page = keys_page()
    assert [action.id for action in everything() if f"| `{action.id}` |" not in page] == []


# Keys and their names.


def test_keys_are_called_as_textual_calls_them() -> None:
    for char in map(chr, range(33, 127)):
        assert key_named(char) == _character_to_key(char)
        assert cap(key_named(char)) == char
    assert key_named(" Ctrl+X ") == "ctrl+x"
    assert key_named("PageUp") == "pageup"
    assert key_named("é") == "é"
    assert {key for key in CAPS if not key.startswith("f")} <= {key.value for key in Keys}


def test_caps_say_what_stands_on_a_key() -> None:
    caps = ("f1", "ctrl+p", "question_mark", "shift+tab", "enter", "x")
    assert [cap(key) for key in caps] == ["F1", "^p", "?", "shift+Tab", "↵", "x"]
    words = Words("en", ascii=True)
    assert [USUAL.spoken(one, words) for one in ("game.seal", "game.undo")] == ["Enter", "u"]


# The player's own keys.


def test_what_cannot_be_is_said_and_stays_as_it_was() -> None:
    keymap = read(
        {
            "table.copy": "y,F6",
            "game.nothing": "x",
            "home.quit": "banana",
            "home.enter": "hyper+x",
            "table.bot": " , ",
            "join.enter": "j",
            "taverne.mushroom": "a,b",
            "gnomia.grincheux": "u",
        }
    )
    assert keymap.own == {"table.copy": ("y", "f6")}
    assert said(keymap) == [
        "Keys: there is nothing called game.nothing.",
        "Keys: home.quit stays as it was, there is no key banana.",
        "Keys: home.enter stays as it was, there is no key hyper+x.",
        "Keys: table.bot stays as it was, it needs a key.",
        "Keys: join.enter stays as it was, j is needed to write there.",
        "Keys: taverne.mushroom stays as it was, it takes 5 keys in order.",
        "Keys: gnomia.grincheux stays as it was, u is the key of game.undo.",
    ]


def test_two_actions_can_change_keys() -> None:
    keymap = read({"table.copy": "b", "table.bot": "c"})
    assert keymap.own == {"table.copy": ("b",), "table.bot": ("c",)}
    assert keymap.slips == ()


def test_who_gets_its_old_key_back_takes_it_from_another() -> None:
    # The bot's key is wrong, so it keeps b, and copying cannot have it.
    keymap = read({"table.copy": "b", "table.bot": "nonsense"})
    assert keymap.own == {}
    assert [slip.code for slip in keymap.slips] == ["unknown-key", "clash"]


def test_a_key_may_be_used_on_another_screen_or_in_another_game() -> None:
    keymap = read({"home.quit": "c", "gnomia.take": "p", "taverne.protect": "t"})
    assert keymap.slips == ()
    assert [slip.id for slip in read({"any.help": "c"}).slips] == ["any.help"]
    assert [slip.id for slip in read({"talk.talk": "p"}).slips] == ["talk.talk"]
    assert [slip.id for slip in read({"table.copy": "y,y"}).slips] == ["table.copy"]


def test_no_wish_leaves_two_actions_with_one_key() -> None:
    wishes = {action.id: ",".join("x" * (action.row or 1)) for action in everything()}
    own = read(wishes).own
    has = [(action.id, own.get(action.id, action.keys)) for action in everything()]
    for (one, mine), (other, theirs) in combinations(has, 2):
        assert not (set(mine) & set(theirs) and meet(place(one), place(other))), (one, other)


async def test_own_keys_work_and_are_shown() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        app.use_keys({"home.quit": "f6", "home.down": "n", "any.help": "f9"})
        await settle(pilot)
        assert "F6 quit" in frame(app)
        assert "F9 help" in frame(app)
        await pilot.press("n")
        assert isinstance(app.screen, HomeScreen)
        assert app.screen.menu.row == "host"
        await pilot.press("j", "q", "f1")
        assert app.screen.menu.row == "host"
        await pilot.press("f9")
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)
        assert "F6" in frame(app)
        app.use_keys({})
        await pilot.press("escape", "j")
        assert "q quit" in frame(app)


async def test_a_slip_is_said_on_the_first_screen() -> None:
    async with opened(FakeDoors(), Home()) as (app, pilot):
        app.use_keys({"home.quit": "down"})
        await settle(pilot)
        assert "Keys: home.quit stays as it was, ↓ is the key of home.down." in frame(app)
        assert "q quit" in frame(app)


async def test_the_keys_of_a_board_can_be_changed() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as (screen, pilot):
        own = {"taverne.mushroom": "g,h,j,k,l", "game.undo": "y", "game.aim": "i,m,o,n"}
        screen.farfadet.use_keys(own)
        await settle(pilot)
        assert "g-j a mushroom" in frame(pilot.app)
        await pilot.press("2")
        assert screen.board.aimed is None
        await pilot.press("h")
        await settle(pilot)
        assert screen.board.aimed == sitting.game.read("2")
        assert "Enter seals it, y undoes" in frame(pilot.app)
        await pilot.press("n")
        assert screen.board.aimed == sitting.game.read("3")
        await pilot.press("y")
        assert screen.board.aimed is None
        await pilot.press("G", "G")
        await settle(pilot)
        assert sitting.chosen == sitting.game.read("1")


async def test_the_key_to_leave_is_asked_for_twice_under_its_new_name() -> None:
    async with playing(FakeSitting(4)) as (screen, pilot):
        screen.farfadet.use_keys({"game.leave": "x"})
        await pilot.press("x")
        await settle(pilot)
        assert "x again leaves" in frame(pilot.app)
        await pilot.press("x")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)
