"""Spoken invitations: they survive being said and heard, and every slip is found and named."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from net.meeting import proquint as proquints
from net.meeting import spoken as module
from net.meeting.invitation import BadInvitation, Invitation
from net.meeting.proquint import proquint, read_proquint
from net.meeting.spoken import OWN_PORT, BadWords, Spoken, looks_spoken, read_spoken

SEED = 20261130
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-."

HOSTS = (
    st.ip_addresses(v=4).map(str)
    | st.ip_addresses(v=6).map(str)
    | st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{1,9}){0,3}", fullmatch=True)
)
PORTS = st.sampled_from([OWN_PORT, 1883, 8883]) | st.integers(1, 65535)
SPOKEN = st.builds(Spoken, HOSTS, PORTS, st.booleans(), st.binary(min_size=6, max_size=6))

LAN = Spoken("192.168.1.20", OWN_PORT, False, b"secret")


def some(count: int) -> Iterator[Spoken]:
    """Spoken invitations of all forms, the same for one seed."""
    print(f"seed {SEED}")
    source = Random(SEED)
    for at in range(count):
        host = ".".join(str(source.randrange(256)) for _ in range(4))
        form = (
            (host, OWN_PORT, False),
            (host, source.randrange(1, 65536), False),
            ("games.example.net", 1883, False),
            ("jeux.example.org", 8884, True),
        )[at % 4]
        yield Spoken(*form, source.randbytes(6))


def refusal(text: str) -> BadWords:
    """Why ``text`` is refused."""
    with pytest.raises(BadWords) as caught:
        read_spoken(text)
    return caught.value


def test_the_examples_are_true() -> None:
    for example in (module, proquints):
        results = doctest.testmod(example)
        assert results.attempted > 2
        assert results.failed == 0


def test_every_number_has_a_word_of_its_own() -> None:
    words = [proquint(value) for value in range(1 << 16)]
    assert len(set(words)) == 1 << 16
    assert [read_proquint(word) for word in words] == list(range(1 << 16))


@given(st.text(max_size=8))
def test_what_is_no_word_has_no_number(text: str) -> None:
    value = read_proquint(text)
    assert value is None or proquint(value) == text


@given(SPOKEN)
def test_what_is_said_is_read(spoken: Spoken) -> None:
    said = str(spoken)
    assert looks_spoken(said)
    assert read_spoken(said) == spoken
    assert said.count("-") + 1 <= 7


@given(SPOKEN, st.randoms(use_true_random=False))
def test_how_it_is_written_down_does_not_matter(spoken: Spoken, source: Random) -> None:
    words, at, address = str(spoken).partition("@")
    accents = str.maketrans({"a": "à", "i": "ï", "o": "ô", "u": "Ù"})
    parts = [source.choice((str, str.upper, str.title))(word) for word in words.split("-")]
    parts = [part.translate(accents) if source.random() < 0.5 else part for part in parts]
    joint = source.choice((" ", "", ", ", " - ", "\n", "'", "\N{EN DASH}"))
    text = joint.join(parts) + f" {at} {address.upper()}"
    assert read_spoken(f' "{text}".\n' if at else f"«{text}» ") == spoken


def test_the_usual_broker_takes_six_words_any_other_port_a_seventh() -> None:
    assert len(str(LAN).split("-")) == 6
    assert len(str(Spoken("192.168.1.20", 1883, False, b"secret")).split("-")) == 7
    assert str(Spoken("localhost", 1883, False, b"secret")).endswith("@localhost")
    assert str(Spoken("10.0.0.1", 8883, True, b"secret")).endswith("-tls@10.0.0.1")
    assert str(Spoken("::1", 1884, False, b"secret")).endswith("@[::1]:1884")


def test_a_fresh_one_has_a_secret_of_its_own() -> None:
    made = {Spoken.fresh("Games.Example.net", 8883, True) for _ in range(100)}
    assert len({spoken.secret for spoken in made}) == 100
    assert {spoken.host for spoken in made} == {"games.example.net"}


@pytest.mark.parametrize(
    ("host", "port", "secret"),
    [
        ("", 1883, b"secret"),
        ("a b", 1883, b"secret"),
        ("a/b", 1883, b"secret"),
        ("-", 1883, b"secret"),
        ("é.example.net", 1883, b"secret"),
        ("example.net", 0, b"secret"),
        ("example.net", 65536, b"secret"),
        ("example.net", 1883, b"short"),
    ],
)
def test_what_cannot_be_said_is_not(host: str, port: int, secret: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be said"):
        Spoken(host, port, False, secret)


# Slips. The share of those named is printed: pytest -s.


@pytest.mark.nightly
def test_every_wrong_letter_is_refused_and_the_word_named() -> None:
    tried = named = 0
    for spoken in some(8):
        words = str(spoken).partition("@")[0].split("-")
        for at, word in enumerate(words[: 6 + (len(words) == 7)]):
            if word == "tls":
                continue
            for place in range(5):
                for letter in ascii_lowercase.replace(word[place], ""):
                    wrong = word[:place] + letter + word[place + 1 :]
                    error = refusal(_with(spoken, at, wrong))
                    tried += 1
                    named += (error.word, error.word_text, error.suggestion) == (at, wrong, word)
    print(f"a wrong letter: {tried} refused, {named} of them named")
    assert tried > 4000
    assert named == tried


@given(st.integers(0, 5), st.integers(1, (1 << 16) - 1))
@settings(max_examples=1000)
def test_a_word_misheard_as_any_other_is_refused(at: int, change: int) -> None:
    """Always: with a hash for a check word, one in 65536 would pass."""
    words = str(LAN).split("-")
    other = proquint((read_proquint(words[at]) or 0) ^ change)
    assert refusal("-".join([*words[:at], other, *words[at + 1 :]])).code in (
        "wrong-word",
        "swapped-words",
        "wrong-words",
    )


def test_a_slip_in_one_place_never_looks_like_one_in_another() -> None:
    shifts = ((16, 12), (4, 10), (16, 6), (4, 4), (16, 0))
    letters = {change << shift for count, shift in shifts for change in range(1, count)}
    codes = list(map(ord, CHARACTERS))
    characters = {one ^ other for one in codes for other in codes} - {0}
    assert (len(letters), len(characters)) == (51, 63)
    for apart in range(1, 30):
        moved = {module._over(slip, apart) for slip in letters}
        assert apart > 6 or letters.isdisjoint(moved)
        assert apart < 6 or characters.isdisjoint(moved)
        assert characters.isdisjoint(module._over(slip, apart) for slip in characters)


def test_every_letter_left_out_or_put_in_or_exchanged_is_refused_and_named() -> None:
    tried = named = 0
    for spoken in some(80):
        words = str(spoken).partition("@")[0].removesuffix("-tls").split("-")
        for at, word in enumerate(words):
            slips = {word[:place] + word[place + 1 :] for place in range(5)}
            slips |= {word[:p] + word[p + 1] + word[p] + word[p + 2 :] for p in range(4)}
            slips |= {word[:place] + "e" + word[place:] for place in range(6)}
            for wrong in slips - {word}:
                error = refusal(_with(spoken, at, wrong))
                tried += 1
                named += (error.word, error.word_text, error.suggestion) == (at, wrong, word)
    print(f"a letter too few, too many, or exchanged: {tried} refused, {named} of them named")
    assert tried > 6000
    assert named == tried


def test_every_exchange_of_two_words_is_refused_and_neighbours_are_named() -> None:
    tried = named = 0
    for spoken in some(400):
        said, at, address = str(spoken).partition("@")
        tail = "-tls" if spoken.tls else ""
        words = said.removesuffix("-tls").split("-")
        for one, other in pairwise(range(len(words))):
            if words[one] != words[other]:
                pair = f"{words[one]} {words[other]}"
                mixed = list(words)
                mixed[one], mixed[other] = words[other], words[one]
                error = refusal("-".join(mixed) + tail + at + address)
                tried += 1
                named += (error.code, error.word, error.suggestion) == ("swapped-words", one, pair)
        first, last = words[0], words[-1]
        if first != last:
            refusal("-".join([last, *words[1:-1], first]) + tail + at + address)
    print(f"two words exchanged: {tried} refused, {named} of them named")
    assert tried > 1500
    assert named / tried > 0.98


def test_every_wrong_character_of_an_address_is_refused_and_nearly_all_named() -> None:
    tried = named = 0
    for spoken in list(some(8)):
        said, at, address = str(spoken).partition("@")
        for place in range(len(address)):
            for letter in CHARACTERS.replace(address[place], ""):
                wrong = address[:place] + letter + address[place + 1 :]
                error = refusal(said + at + wrong)
                tried += 1
                # A port with a letter in it, or too high a one, is none.
                named += error.suggestion == address or error.code == "no-address"
    print(f"a wrong character in the address: {tried} refused, {named} of them named")
    assert tried > 2500
    assert named / tried > 0.98


def test_a_port_that_is_the_usual_one_may_be_said() -> None:
    spoken = Spoken("games.example.net", 1883, False, b"secret")
    assert read_spoken(f"{spoken}:1883") == spoken


def test_tls_left_out_or_put_in_is_refused() -> None:
    for spoken in some(40):
        said, at, address = str(spoken).partition("@")
        if spoken.tls:
            refusal(said.removesuffix("-tls") + at + address)
        elif at:
            refusal(f"{said}-tls{at}{address}")


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("", "how-many-words", 0),
        ("safom bahih latoj katuf kijuh", "how-many-words", 5),
        ("safom bahih latoj katuf kijuh ramal babab babab", "how-many-words", 8),
        ("safom bahih latoj katuf dutop@example.net", "how-many-words", 5),
        ("hello", "no-word", 0),
        ("safom bahih latoj katuf kijuh sesame", "no-word", 5),
        ("safox bahih latoj katuf kijuq ramal", "no-word", 0),
        ("safom babab latoj kabab kijuh ramal", "wrong-words", None),
        ("latoj katuf kijuh dojof tls @", "no-address", None),
        ("latoj katuf kijuh dojof@exam ple/net", "no-address", None),
        ("latoj katuf kijuh dojof@example.net:99999", "no-address", None),
        ("latoj katuf kijuh dojof@[::1", "no-address", None),
    ],
)
def test_what_is_no_invitation_says_what_is_wrong(text: str, code: str, word: int | None) -> None:
    error = refusal(text)
    assert (error.code, error.word) == (code, word)
    assert error.suggestion == ""


@given(st.text(max_size=60) | st.text("abdijlostu -@.:1", max_size=60))
@settings(max_examples=500)
def test_anything_else_is_refused_like_any_bad_invitation(text: str) -> None:
    with pytest.raises(BadInvitation):
        read_spoken(text)


def test_no_broker_is_at_port_0() -> None:
    numbers = [0xC0A8, 0x0114, 0, 1, 2, 3, 0]
    numbers[-1] = module._off(numbers, "", False)
    assert refusal(" ".join(map(proquint, numbers))).code == "wrong-words"


def test_one_line_takes_both_forms() -> None:
    invitation = Invitation("example.net", 8883, "ABCDEFGHIJKLMNOP", bytes(16), True)
    assert not looks_spoken(str(invitation))
    assert not looks_spoken(str(invitation)[4:])
    assert not looks_spoken(" ")
    assert looks_spoken("Safom bahih")


def _with(spoken: Spoken, at: int, word: str) -> str:
    """``spoken`` with another ``word`` in this place."""
    said, mark, address = str(spoken).partition("@")
    words = said.split("-")
    return "-".join([*words[:at], word, *words[at + 1 :]]) + mark + address
