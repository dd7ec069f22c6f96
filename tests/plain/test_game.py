"""A game in lines: every game can be played to its end by reading and writing alone."""

from __future__ import annotations

import re
from random import Random

import pytest

import rules
from net.people.talk import Talk
from net.play.notices import Link, Rewound
from rules.gobelin.pieces import Phase
from tests.plain.stage import Conversation, playing, talking
from tests.tui.fake import NAMES, FakeSitting
from tests.tui.fake_doors import Coded, FakeDoors
from tests.tui.parlour import Parlour
from tests.tui.stage import about_to_serve
from tui import boards
from tui.plain import standing
from tui.sitting import Play, Watch
from tui.story.seen import Seen
from tui.words import Words, text

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
GAMES = pytest.mark.parametrize("game", rules.names())

SIGNS = set("◆○●✦▶▸·▒│─\N{MULTIPLICATION SIGN}")

HOSTILE = ("\x1b[2JAna", "Bo\u202eevil", "\r\nI am it", "\x07\x9b31m")


def a_table(game: str, seed: int = 1, **more: object) -> FakeSitting:
    """A table with the fewest seats."""
    seats = rules.load(game).seats.start
    return FakeSitting(seats, seed, game=game, **more)  # type: ignore[arg-type]


async def moves(talk: Conversation) -> dict[str, str]:
    """What /moves lists: what to write, and what it means."""
    listed = await talk.tell("/moves")
    return dict(line.split(": ", 1) for line in listed)


@LANGUAGES
@GAMES
async def test_a_whole_game_can_be_played_by_what_moves_lists(game: str, language: str) -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    sitting, random = a_table(game, seed), Random(seed)
    async with playing(sitting, language) as talk:
        await talk.new()
        while sitting.result is None:
            if sitting.moves():
                listed = await moves(talk)
                assert [sitting.game.read(written) for written in listed] == list(sitting.moves())
                assert all(listed.values())
                wanted = random.choice(list(listed))
                calls = len(sitting.calls)
                answer = await talk.tell(wanted)
                assert sitting.calls[calls:] == [sitting.game.read(wanted)], answer
            for seat in sorted(sitting.owing):
                sitting.seal(seat, random.choice(sitting.options(seat)))
            await talk.new()
        assert "{" not in "".join(talk.said)
        assert any(f"1. {NAMES[seat]}" in "\n".join(talk.said) for seat in sitting.result.winners)
        assert await talk.end() == 0


@GAMES
async def test_the_question_says_what_may_be_written(game: str) -> None:
    sitting = a_table(game)
    async with playing(sitting) as talk:
        while not sitting.moves():
            await talk.new()
            sitting.others()
        question = (await talk.new())[-1]
        found = re.search(r"Write (?:for example )?(.*?)[.;]", question)
        assert found is not None
        for written in found[1].split(", "):
            assert sitting.game.read(written) in sitting.moves()


async def test_of_many_moves_one_is_an_example() -> None:
    sitting = about_to_serve(5)
    async with talking(FakeDoors(sitting=sitting), Play()) as talk:
        question = talk.said[-1]
        assert "Which mushroom is served first? Write for example serve 1 2 3 4;" in question
        assert len(await moves(talk)) == 24


async def test_only_what_has_changed_is_told_and_board_tells_all() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        first = await talk.new()
        assert sum(line.startswith("mushroom ") for line in first) == 2
        sitting.others({1: "2", 2: "2"})
        await talk.tell("2")
        again = [line for line in talk.said[len(first) :] if line.startswith("mushroom ")]
        assert len(again) == 2, "a stone has come on each"
        sitting.others({1: "1", 2: "2"})
        news = await talk.tell("1")
        assert [line for line in news if "points" in line and line.startswith("you, a")] == []
        whole = await talk.tell("/board")
        assert whole[0].startswith("La Taverne des Hobbits, turn 3, bag ")
        assert sum(line.startswith("mushroom ") for line in whole) == 2
        assert "Bo: pixie" in whole


async def test_colours_have_names_and_no_sign_stands_for_anything() -> None:
    for game in rules.names():
        sitting = FakeSitting(3, game=game)
        async with playing(sitting) as talk:
            sitting.end()
            await talk.tell("/board", "/score", "/help", "/rules")
            for line in talk.said:
                if line not in boards.voice(game).RULES:
                    assert not SIGNS & set(line), line


async def test_what_is_no_move_or_not_allowed_is_refused_with_its_reason() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        assert await talk.tell("xyzzy") == ["That is no move; /moves lists them all."]
        assert await talk.tell("b") == ["In the first turn only mushrooms may be pointed at."]
        assert await talk.tell("5") == ["There is no such mushroom."]
        assert await talk.tell("/nonsense") == [
            "There is no command /nonsense here; /help lists them."
        ]
        assert (await talk.tell("/undo"))[0].startswith("Nothing can be undone")
        assert await talk.tell("1") == ["Sealed: Mushroom 1."]
        assert await talk.tell("2") == ["Your choice is sealed: there is no way back."]
        assert len(sitting.calls) == 1


async def test_who_has_sealed_is_told_and_not_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "AT_REST", 0.0)
    told = []
    for choice in ("1", "2"):
        sitting = FakeSitting(4)
        async with playing(sitting) as talk:
            await talk.new()
            sitting.seal(2, sitting.game.read(choice))
            await talk.until("1 of 4 sealed")
            told.append([*talk.said, *await talk.tell("/who")])
    assert told[0] == told[1]
    assert told[0][-4:] == ["you: choosing", "Bo: choosing", "Chloé: sealed", "Dan: choosing"]


async def test_what_happens_is_told_once_and_history_tells_it_again() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.others({1: "2", 2: "2"})
        await talk.tell("1")
        clash = "Bo and Chloé both pointed at mushroom 2: nothing moves."
        assert talk.said.count(clash) == 1
        assert clash in await talk.tell("/history")


async def test_who_comes_late_is_told_the_end_of_a_long_story() -> None:
    sitting = FakeSitting(3, me=None)
    doors = FakeDoors(sitting=sitting)
    doors.room.begun, doors.room.sitting = True, sitting
    doors.room.full.set()
    async with talking(doors, Watch("farfadet://x")) as talk:
        assert "You are looking on." in talk.said
        sitting.begin()
        for _ in range(15):
            sitting.others()
        news = await talk.new()
        assert news[0].endswith("sentences before this; /history tells all.")
        assert len([line for line in news if line.endswith((".", "!"))]) < 20
        assert await talk.tell("1") == ["You are looking on, not playing."]
        assert len(await talk.tell("/history")) > 20
        assert await talk.end() == 0


async def test_what_was_taken_back_is_told_as_it_really_was() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.tell(Rewound(()))
        news = await talk.new()
        told = "While you were cut off the others went on: this is what really happened."
        assert news[0] == told
        assert any("Your choice?" in line for line in news), "the question is put again"


async def test_nothing_is_told_of_faces_that_one_has_not_seen() -> None:
    sitting = FakeSitting(3, 5, game="gobelin")
    async with playing(sitting) as talk:
        await talk.new()
        while sitting.state.phase is not Phase.PLAY:
            sitting.others()
        whole = await talk.tell("/board")
        cards = [line for line in whole if "(" in line]
        slots = [*sitting.state.hands[0], *sitting.state.treasures[0]]
        assert len(cards) == len([slot for slot in slots if slot in sitting.sight])
        assert all(line.casefold().startswith("your ") for line in cards)


# Somebody is missing.


async def test_one_can_go_on_without_who_is_away() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as talk:
        await talk.new()
        assert await talk.tell("/go") == ["There is nobody to go on without now."]
        sitting.lose(1)
        assert await talk.new() == [
            "Bo is away; the seat is kept.",
            "/go goes on without them.",
        ]
        assert "/go: go on without those who are away" in await talk.tell("/help")
        await talk.tell("/go")
        assert sitting.pleas == ["go-on"]
        assert "Going on without Bo: the others are being asked…" in talk.said
        sitting.rule(1)
        assert "Bo is absent: the table goes on without them." in await talk.new()
        assert "Bo: absent" in await talk.tell("/who")


async def test_who_was_left_behind_often_says_when_they_are_back() -> None:
    sitting = FakeSitting(4)
    async with playing(sitting) as talk:
        await talk.new()
        for _ in range(3):
            sitting.rule(0)
            sitting.admit(0)
        sitting.rule(0)
        news = await talk.new()
        assert "The table does not wait for you now. /back when you are back." in news
        await talk.tell("/back")
        assert sitting.pleas == ["come-back"]
        sitting.admit(0)
        assert "You are back: the table waits for you again." in await talk.new()
        assert await talk.tell("/back") == ["You are at the table already."]


async def test_a_lost_connection_is_told_and_that_it_is_back() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.tell(Link(up=False))
        assert await talk.new() == ["The connection is lost; trying again. Your choices are kept."]
        sitting.tell(Link(up=True))
        assert await talk.new() == ["The connection is back."]


async def test_time_that_runs_out_is_told_before() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.patience = 9.5
        await talk.until("10 s left.")


async def test_a_bot_plays_in_our_place_until_we_do() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        assert await talk.tell("/bot") == ["A bot plays for you; /bot: you play again yourself."]
        assert len(sitting.calls) == 1
        assert await talk.tell("1") == ["A bot plays for you; /bot: you play again yourself."]
        assert await talk.tell("/bot") == ["You play again yourself."]
        sitting.others()
        assert any("Your choice?" in line for line in await talk.new())


async def test_who_broke_the_protocol_has_stopped_the_game() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.blame = (1, "bad-proof")
        sitting.tell(Link(up=True))
        news = await talk.new()
        assert any("The game is stopped: Bo" in line for line in news)
        assert news[-1] == "/leave goes back to the menu."
        await talk.tell("/leave")
        assert not talk.running.done()


async def test_a_table_that_fails_says_why() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting) as talk:
        await talk.new()
        sitting.fail(Coded("auth"))
        news = await talk.new()
        assert len(news) == 2
        assert news[-1] == "/leave goes back to the menu."


async def test_everything_hidden_may_be_dealt_anew() -> None:
    sitting = FakeSitting(3, game="gobelin")
    async with playing(sitting) as talk:
        await talk.new()
        sitting.deal_anew()
        assert "The hidden cards are dealt anew: hands have changed." in await talk.new()


# Talk, names, languages.


def parlour(sitting: FakeSitting, *names: str) -> dict[str, Talk]:
    """The talk of the table; ours is the first one's."""
    found = Parlour(*names)
    sitting.talk = found.talks[names[0]]
    return found.talks


async def test_one_says_and_hears_mutes_and_hushes() -> None:
    sitting = FakeSitting(2, game="gnomia")
    talks = parlour(sitting, "Ana", "Bo")
    async with playing(sitting) as talk:
        await talk.new()
        talks["Bo"].say("hello")
        assert await talk.new() == ["Bo says: hello"]
        assert await talk.tell("/say good luck", "'and fun") == []
        assert [said.text for said in talks["Bo"].lines] == ["hello", "good luck", "and fun"]
        assert await talk.tell("/mute bo") == ["You do not hear Bo."]
        talks["Bo"].say("are you there?")
        assert await talk.new() == []
        assert await talk.tell("/unmute Bo", "/mute Zoe", "/hush", "/say") == [
            "You hear Bo again.",
            "Nobody here is called Zoe.",
            "Those who look on are not heard any more.",
            "Say what? /say TEXT",
        ]
        talks["Bo"].say("ah")
        assert "Bo says: ah" in await talk.new()


async def test_a_line_that_is_refused_is_not_said() -> None:
    sitting = FakeSitting(2, game="gnomia")
    parlour(sitting, "Ana", "Bo")
    async with playing(sitting) as talk:
        await talk.new()
        answers = await talk.tell("/say " + "a" * 300, *["/say again"] * 7)
        assert answers[0] == "That is too long to be said at once."
        assert "Not so fast: wait a moment before you say more." in answers


@LANGUAGES
@GAMES
async def test_whatever_people_are_called_and_say_it_is_text(game: str, language: str) -> None:
    names = HOSTILE[: rules.load(game).seats.start]
    sitting = FakeSitting(len(names), names=names, game=game)
    talks = parlour(sitting, *names)
    async with playing(sitting, language) as talk:
        for text in HOSTILE:
            talks[names[1]].say(text)
        sitting.end()
        await talk.tell("/who", "/board", "/history", "/mute \x1b[31m", "\x1b]0;x\x07", "/\x1b[2J")
        assert any("evil" in line for line in talk.said)
        for line in talk.said:
            assert line.isprintable(), repr(line)
            assert line != "I am it", "nobody has a line to themselves"


async def test_the_language_changes_at_once_and_ascii_stays() -> None:
    sitting = FakeSitting(3)
    async with playing(sitting, ascii_only=True) as talk:
        await talk.new()
        assert (await talk.tell("/fr"))[-1].endswith("francais.")
        french = await talk.tell("/board")
        assert french[0].startswith("La Taverne des Hobbits, tour 1, sac ")
        assert (await talk.tell("/en"))[-1] == "The language is English."
        assert all(line.isascii() for line in talk.said)


def test_a_voice_says_of_a_position_what_is_so_in_both_languages() -> None:
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    for game in rules.names():
        for language in ("en", "fr"):
            sitting, random = a_table(game, seed), Random(seed)
            sitting.begin()
            words = Words(language, aloud=True)

            while sitting.result is None:
                voice = boards.voice(game)(words, Seen(sitting).view())
                lines = [text(line) for line in (*voice.position(), *voice.details())]
                assert not [line for line in lines if "{" in line]
                for seat in sorted(sitting.owing):
                    sitting.seal(seat, random.choice(sitting.options(seat)))
