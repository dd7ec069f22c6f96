"""Talk: whose a line is, how often it is heard, and how little of a flood comes through."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from net.people.chat import (
    BURST,
    CHECK_BURST,
    CROWD,
    CROWD_BURST,
    DOMAIN,
    EVERY,
    HEARD_BURST,
    KEPT,
    LONGEST_TEXT,
    SEEN_FOR,
    Bucket,
    Chat,
    ChatError,
)
from net.play import wire
from net.play.wire import SIGNATURE, pack, unpack

ROOM = "ABCDEFGHIJKLMNOP"
NAMES = ("Ana", "Bo", "Zoé", "Yan")
KEYS = {name: SigningKey(name.encode().ljust(32)) for name in NAMES}
SEATS = [(bytes(KEYS[name].verify_key), name) for name in ("Ana", "Bo")]
SEED = 20261201


def voice(name: str, room: str = ROOM, start: int = 0) -> Chat:
    """The talk as it is heard by one of ``KEYS``; Ana and Bo have seats."""
    found = Chat(room, KEYS[name], name, start)
    found.sit(SEATS)
    return found


def texts(heard: Chat) -> list[str]:
    """What can be read."""
    return [said.text for said in heard.lines]


def forged(key: SigningKey, *fields: object) -> bytes:
    """A line with these fields, signed with ``key``."""
    raw = pack(list(fields))
    return raw + key.sign(DOMAIN + raw).signature


# Whose a line is.


def test_a_line_is_heard_as_its_seat_said_it() -> None:
    ana, bo, zoe = voice("Ana"), voice("Bo"), voice("Zoé")
    said = ana.say("Bonjour à tous", 0.0)
    assert bo.receive(said, 0.0)
    assert zoe.receive(said, 0.0)
    for heard in (ana, bo, zoe):
        (line,) = heard.lines
        assert (line.text, line.voice.seat, line.voice.name) == ("Bonjour à tous", 0, "Ana")
        assert line.mine is (heard is ana)


def test_who_looks_on_has_no_seat_whatever_name_it_takes() -> None:
    bo, zoe = voice("Bo"), Chat(ROOM, KEYS["Zoé"], "Ana", 0)
    assert bo.receive(zoe.say("I am Ana", 0.0), 0.0)
    (line,) = bo.lines
    assert (line.voice.seat, line.voice.name) == (None, "Ana")


def test_a_seat_is_called_what_was_agreed() -> None:
    bo, liar = voice("Bo"), Chat(ROOM, KEYS["Ana"], "Bo", 0)
    assert bo.receive(liar.say("hello", 0.0), 0.0)
    assert bo.lines[0].voice.name == "Ana"


def test_nobody_speaks_with_another_key() -> None:
    bo = voice("Bo")
    ana, yan = bytes(KEYS["Ana"].verify_key), KEYS["Yan"]
    assert not bo.receive(forged(yan, ROOM, ana, 1, b"Ana", b"I give up"), 0.0)
    assert bo.refused == {"signature": 1}
    # Nor in our own name: what we have said is what we remember.
    assert not bo.receive(forged(KEYS["Bo"], ROOM, SEATS[1][0], 1, b"Bo", b"hm"), 0.0)
    assert bo.lines == ()


def test_a_key_of_small_order_says_nothing() -> None:
    bo, weak = voice("Bo"), b"\x01" + bytes(31)
    raw = pack([ROOM, weak, 1, b"", b"hello"])
    assert not bo.receive(raw + weak + bytes(32), 0.0)
    assert bo.refused == {"signature": 1}


def test_what_was_said_in_another_room_is_not_heard_here() -> None:
    bo = voice("Bo")
    assert not bo.receive(voice("Ana", "PONMLKJIHGFEDCBA").say("hello", 0.0), 0.0)
    assert bo.refused == {"chat": 1}


# How often.


def test_each_line_is_heard_once_and_never_after_a_later_one() -> None:
    ana, bo = voice("Ana"), voice("Bo")
    first, second, third = [ana.say(text, 0.0) for text in ("1", "2", "3")]
    for data in (first, first, third, second, third, first):
        bo.receive(data, 0.0)
    assert texts(bo) == ["1", "3"]
    assert bo.refused == {"stale": 4}


def test_who_comes_back_is_heard_and_its_old_lines_are_not() -> None:
    bo, before = voice("Bo"), voice("Ana", start=1_000)
    old = [before.say(text, 0.0) for text in ("a", "b", "c")]
    for data in old:
        bo.receive(data, 0.0)
    after = voice("Ana", start=60_000)
    assert bo.receive(after.say("back", 60.0), 60.0)
    assert not any(bo.receive(data, 61.0) for data in old)
    assert texts(bo) == ["a", "b", "c", "back"]


def test_one_says_so_much_at_once_and_then_a_line_now_and_then() -> None:
    ana = voice("Ana")
    for number in range(BURST):
        ana.say(str(number), 100.0)
    with pytest.raises(ChatError) as caught:
        ana.say("more", 100.0)
    assert caught.value.code == "too-fast"
    ana.say("later", 100.0 + EVERY)
    with pytest.raises(ChatError):
        ana.say("again", 100.0 + EVERY)
    assert texts(ana) == ["0", "1", "2", "3", "4", "later"]


def test_an_honest_voice_is_heard_whatever_holds_its_lines_up() -> None:
    print(f"seed {SEED}")
    source, ana, bo = Random(SEED), voice("Ana"), voice("Bo")
    now, arrived, said = 0.0, 0.0, 0
    for _ in range(500):
        now += source.expovariate(1.0)
        # A line may be late, but not later than one that was said after it.
        arrived = max(arrived, now + source.uniform(0, 4.0))
        try:
            data = ana.say("hm", now)
        except ChatError:
            continue
        said += bo.receive(data, arrived)
        assert not bo.refused
    assert said > 100


def test_a_seat_that_floods_is_heard_a_little() -> None:
    bo, ana = voice("Bo"), SEATS[0][0]
    flood = [forged(KEYS["Ana"], ROOM, ana, at, b"", b"x") for at in range(90)]
    assert sum(bo.receive(data, 5.0) for data in flood) == HEARD_BURST
    assert bo.refused == {"flood": 90 - HEARD_BURST}
    assert bo.receive(forged(KEYS["Ana"], ROOM, ana, 99, b"", b"x"), 5.0 + EVERY)


def test_a_crowd_is_heard_a_little_and_kept_in_little_room() -> None:
    bo, ana = voice("Bo"), voice("Ana")
    print(f"seed {SEED}")
    source, heard = Random(SEED), 0
    bo.receive(ana.say("first", 0.0), 0.0)
    for at in range(600):
        key, now = SigningKey(source.randbytes(32)), at * 0.03
        public = bytes(key.verify_key)
        heard += bo.receive(forged(key, ROOM, public, 1, b"Ana", b"buy this"), now)
    assert heard <= CROWD_BURST + 600 * 0.03 + 1
    assert len(bo.voices) == 1 + CROWD
    assert bo.watching(18.0) == CROWD
    # A seat is heard all the same, and what seats say is not pushed away.
    assert bo.receive(ana.say("last", 18.0), 18.0)
    assert texts(bo)[0] == "first"
    assert texts(bo)[-1] == "last"


def test_no_more_than_so_many_signatures_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bytes] = []

    def look(key: bytes, data: bytes, signature: bytes) -> bool:
        looked.append(data)
        return False

    monkeypatch.setattr(wire, "signed", look)
    bo, ana = voice("Bo"), SEATS[0][0]
    for at in range(5000):
        bo.receive(forged(KEYS["Yan"], ROOM, ana, at, b"", b"x"), 1.0)
    assert len(looked) == CHECK_BURST


def test_old_lines_go() -> None:
    ana, bo = voice("Ana"), voice("Bo")
    for at in range(3 * KEPT):
        bo.receive(ana.say(str(at), at * EVERY), at * EVERY)
    assert texts(bo) == [str(at) for at in range(2 * KEPT, 3 * KEPT)]


def test_a_bucket_lets_a_burst_pass_and_then_fills_slowly() -> None:
    bucket = Bucket(3, 2.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(at) for at in (11.9, 12.0, 12.1, 100.0)] == [False, True, False, True]
    # A clock that stands still or goes back gives nothing.
    assert [bucket.take(90.0) for _ in range(4)] == [True, True, False, False]


# What is a line at all.


@given(st.binary(max_size=400))
def test_whatever_comes_in_is_a_line_or_nothing(data: bytes) -> None:
    bo = voice("Bo")
    assert not bo.receive(data, 0.0)
    assert not bo.receive(data + bytes(SIGNATURE), 0.0)
    assert bo.lines == ()


@pytest.mark.parametrize(
    "fields",
    [
        (ROOM, 1, b"", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), -1, b"", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), True, b"", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key)[:31], 1, b"", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, "", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"", b"\xff\xfe"),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"\xff", b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"", b"x" * (LONGEST_TEXT + 1)),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"x" * 65, b"hello"),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"", "e\u0301".encode()),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"", b"x" * 60_000),
        (ROOM, bytes(KEYS["Ana"].verify_key), 1, b"", b"hello", b"more"),
    ],
)
def test_a_line_of_another_form_is_nothing(fields: tuple[object, ...]) -> None:
    bo = voice("Bo")
    assert not bo.receive(forged(KEYS["Ana"], *fields), 0.0)
    assert bo.lines == ()


@pytest.mark.parametrize("text", ["", "x" * (LONGEST_TEXT + 1), "😀" * (LONGEST_TEXT + 1)])
def test_nothing_is_not_said_and_neither_is_too_much(text: str) -> None:
    with pytest.raises(ChatError) as caught:
        voice("Ana").say(text, 0.0)
    assert caught.value.code == "too-long"


def test_the_longest_line_in_the_widest_script_is_heard_composed() -> None:
    ana, bo = Chat(ROOM, KEYS["Ana"], "😀" * 99, 0), voice("Bo")
    assert bo.receive(ana.say("😀" * LONGEST_TEXT, 0.0), 0.0)
    assert bo.receive(ana.say("e\u0301", 0.0), 0.0)
    assert texts(bo) == ["😀" * LONGEST_TEXT, "é"]


# Who is not heard.


def test_who_is_muted_is_not_heard_until_it_is_again() -> None:
    ana, bo, zoe = voice("Ana"), voice("Bo"), voice("Zoé")
    bo.receive(zoe.say("one", 0.0), 0.0)
    (crowd,) = [found for found in bo.voices if found.seat is None]
    bo.mute(crowd)
    assert bo.muted == (crowd,)
    assert texts(bo) == []
    assert not bo.receive(zoe.say("two", 1.0), 1.0)
    assert bo.receive(ana.say("hello", 1.0), 1.0)
    bo.unmute(crowd)
    assert bo.receive(zoe.say("three", 2.0), 2.0)
    assert texts(bo) == ["one", "hello", "three"]


def test_a_seat_can_be_muted_and_we_cannot() -> None:
    bo, ana = voice("Bo"), voice("Ana")
    assert [found.name for found in bo.voices] == ["Ana"]
    bo.mute(bo.voices[0])
    assert not bo.receive(ana.say("hello", 0.0), 0.0)


def test_all_who_look_on_can_be_muted_at_once() -> None:
    ana, bo, zoe, yan = (voice(name) for name in KEYS)
    bo.receive(zoe.say("one", 0.0), 0.0)
    bo.hushed = True
    assert not bo.receive(yan.say("two", 0.0), 0.0)
    assert bo.receive(ana.say("three", 0.0), 0.0)
    assert texts(bo) == ["three"]
    bo.hushed = False
    assert texts(bo) == ["one", "three"]
    # Who looks on and hushes the others reads its own lines.
    zoe.hushed = True
    assert texts(zoe) == ["one"]


def test_those_who_look_on_are_counted_while_they_say_so() -> None:
    bo, zoe, yan = (voice(name) for name in ("Bo", "Zoé", "Yan"))
    assert bo.receive(zoe.here(), 100.0)
    assert not bo.receive(zoe.here(), 120.0)
    assert bo.receive(yan.here(), 121.0)
    assert (bo.watching(122.0), bo.lines) == (2, ())
    assert bo.watching(120.0 + SEEN_FOR) == 1
    assert bo.receive(zoe.here(), 200.0)
    # A seat that says so is a seat still.
    bo.receive(voice("Ana").here(), 200.0)
    assert bo.watching(200.0) == 1


def test_a_line_reads_back_as_the_protocol_page_says() -> None:
    data = voice("Ana", start=7).say("hé", 0.0)
    assert unpack(data[:-SIGNATURE]) == [ROOM, SEATS[0][0], 8, b"Ana", "hé".encode()]
