"""Trust on first use: whose key is whose, and names that are too much alike."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.people.friends import Friend, Friends, FriendsError, Kind, fingerprint
from net.people.identity import Identity
from net.people.lookalike import alike, skeleton
from net.play.charter import LONGEST_NAME

DAY = date(2026, 11, 12)
LATER = date(2026, 12, 24)


def key() -> bytes:
    return Identity.fresh("").public


def met(*names: str) -> tuple[Friends, list[bytes]]:
    """A game with people of these names, and their keys."""
    keys = [key() for _ in names]
    return Friends().met(dict(zip(keys, names, strict=True)), DAY), keys


# Names that are too much alike.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo", "bo"),
        ("Bo", "B\N{CYRILLIC SMALL LETTER O}"),
        ("Ana", "\N{GREEK CAPITAL LETTER ALPHA}na"),
        ("Bo", "B0"),
        ("Bo", "B o\N{ZERO WIDTH SPACE}."),
        ("Bo", "\N{FULLWIDTH LATIN CAPITAL LETTER B}o"),
        ("Chloé", "CHLOE"),
        ("Chloé", "Chloe\N{COMBINING ACUTE ACCENT}"),
        ("Iris", "lris"),
        ("Iris", "1RIS"),
        ("Marnie", "Mamie"),
        ("Bartholomew the Great", "Bartholomew the Small"),
    ],
)
def test_names_that_are_taken_for_each_other(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Bo", "Bob"), ("Bo", "Bo 2"), ("Ana", "Anna"), ("🦊", "🐻"), ("...", "!!"), ("", "?")],
)
def test_names_that_are_told_apart(one: str, other: str) -> None:
    assert not alike(one, other)


@given(st.text(max_size=LONGEST_NAME))
def test_a_name_is_like_itself_in_any_case_and_accent(name: str) -> None:
    assert alike(name, name)
    assert skeleton(name) or not name


# Who somebody is.


def test_whoever_is_met_first_has_the_name() -> None:
    friends, (bo,) = met("Bo")
    assert friends.standing(bo, "Bo").kind is Kind.KNOWN
    assert friends.people == (Friend("Bo", (bo,), ("Bo",), DAY, DAY, games=1),)
    assert friends.standing(key(), "Chloé").kind is Kind.NEW


def test_ourselves_and_programs_are_nobody_to_remember() -> None:
    friends, (bo,) = met("Bo")
    assert friends.standing(bo, "Bo", me=bo).kind is Kind.ME
    assert friends.standing(key(), "Puck", bot=True).kind is Kind.BOT


def test_a_known_key_under_another_name_is_still_known() -> None:
    friends, (bo,) = met("Bo")
    standing = friends.standing(bo, "Bobby")
    assert (standing.kind, standing.owner) == (Kind.KNOWN, friends.people[0])
    friends = friends.met({bo: "Bobby"}, LATER)
    (friend,) = friends.people
    assert (friend.name, friend.called) == ("Bo", ("Bo", "Bobby"))
    assert (friend.first, friend.last, friend.games) == (DAY, LATER, 2)
    assert friends.standing(key(), "Bobby").kind is Kind.CLAIMS


@pytest.mark.parametrize("name", ["Bo", "b0", "B\N{CYRILLIC SMALL LETTER O}"])
@pytest.mark.parametrize("bot", [False, True])
def test_a_new_key_with_a_friends_name_claims_to_be_that_friend(name: str, bot: bool) -> None:
    friends, _ = met("Ana", "Bo")
    standing = friends.standing(key(), name, bot=bot)
    assert standing.kind is Kind.CLAIMS
    assert standing.claimed == friends.people[1]
    assert standing.owner is None


def test_a_friend_who_takes_another_friends_name_is_seen_through() -> None:
    friends, (_, mallory) = met("Bo", "Mallory")
    standing = friends.standing(mallory, "Bo")
    assert (standing.kind, standing.owner) == (Kind.CLAIMS, friends.people[1])
    assert standing.claimed == friends.people[0]


def test_a_second_key_may_belong_to_the_same_friend() -> None:
    friends, (bo,) = met("Bo")
    laptop = key()
    friends = friends.adopted(laptop, "Bo", bo)
    assert friends.people[0].keys == (bo, laptop)
    assert friends.standing(laptop, "Bo").kind is Kind.KNOWN
    assert friends.met({bo: "Bo", laptop: "Bo"}, LATER).people[0].games == 2


def test_a_key_that_is_somebodys_is_not_given_away() -> None:
    friends, (bo, ana) = met("Bo", "Ana")
    assert friends.adopted(ana, "Ana", bo) == friends
    assert friends.adopted(key(), "Bo", key()) == friends


def test_somebody_else_of_the_same_name_gets_a_name_of_their_own() -> None:
    friends, (bo,) = met("Bo")
    other = key()
    friends = friends.met({other: "Bo"}, DAY)
    assert [friend.name for friend in friends.people] == ["Bo", "Bo 2"]
    assert friends.standing(other, "Bo").kind is Kind.KNOWN
    assert friends.standing(bo, "Bo").kind is Kind.KNOWN
    assert friends.standing(key(), "Bo").claimed == friends.people[0]


def test_two_strangers_of_one_name_at_one_table_are_two_people() -> None:
    friends, _ = met("Zoé", "Zoé", "x" * LONGEST_NAME, "x" * LONGEST_NAME)
    names = [friend.name for friend in friends.people]
    assert names[:2] == ["Zoé", "Zoé 2"]
    assert len(set(names)) == 4
    assert max(map(len, names)) <= LONGEST_NAME


def test_names_are_not_kept_without_end() -> None:
    friends, (bo,) = met("Bo")
    for number in range(100):
        friends = friends.met({bo: f"Bo the {number}th"}, DAY)
    assert friends.people[0].name == "Bo"
    assert len(friends.people[0].called) == 16


def test_a_key_is_checked_by_itself() -> None:
    friends, (bo,) = met("Bo")
    laptop = key()
    friends = friends.compared([bo, key()]).adopted(laptop, "Bo", bo)
    assert friends.standing(bo, "Bo").checked
    assert not friends.standing(laptop, "Bo").checked
    assert not friends.compared([bo], same=False).standing(bo, "Bo").checked


# Finding and naming people.


def test_people_are_found_by_name_and_by_fingerprint() -> None:
    friends, (bo, ana) = met("Bo", "Ana")
    words = fingerprint(ana)
    for who in ("Ana", "ana", "aná", words, words[:5], words.replace("-", " ").upper()):
        assert friends.find(who) == friends.people[1], who
    assert friends.find(fingerprint(bo)) == friends.people[0]


@pytest.mark.parametrize("who", ["Chloé", "", "-", "lusab-lusab-lusab"])
def test_who_is_nobody_is_said(who: str) -> None:
    friends, _ = met("Bo", "Ana")
    with pytest.raises(FriendsError) as caught:
        friends.find(who)
    assert caught.value.code == "nobody-known"


def test_who_could_be_several_lists_them() -> None:
    friends, _ = met("Bo", "B0")
    with pytest.raises(FriendsError) as caught:
        friends.find("bо")  # noqa: RUF001 - neither of them as it is written
    assert caught.value.code == "which-friend"
    assert caught.value.found == friends.people
    assert friends.find("B0") == friends.people[1]


def test_a_nickname_keeps_the_name_they_come_under() -> None:
    friends, (bo, _) = met("Bo", "Ana")
    friend = friends.people[0]
    friends = friends.renamed(bo, friends.acceptable_name("  Tante\tBo ", friend))
    assert friends.people[0].name == "Tante Bo"
    assert friends.standing(bo, "Bo").kind is Kind.KNOWN
    assert friends.standing(key(), "Bo").kind is Kind.CLAIMS
    for name, code in (
        ("ANA", "name-taken"),
        (" ", "bad-name"),
        ("a\x1b[2J", "bad-name"),
        ("x" * (LONGEST_NAME + 1), "bad-name"),
    ):
        with pytest.raises(FriendsError) as caught:
            friends.acceptable_name(name, friends.people[0])
        assert caught.value.code == code
    assert friends.acceptable_name("tante bo", friends.people[0]) == "tante bo"


def test_whoever_is_forgotten_is_a_stranger() -> None:
    friends, (bo, ana) = met("Bo", "Ana")
    friends = friends.forgotten(bo)
    assert friends.standing(bo, "Bo").kind is Kind.NEW
    assert friends.standing(ana, "Ana").kind is Kind.KNOWN


def test_a_fingerprint_is_six_words_and_always_the_same() -> None:
    assert fingerprint(bytes(32)) == fingerprint(bytes(32))
    words = [fingerprint(bytes([at] * 32)) for at in range(200)]
    assert len(set(words)) == 200
    assert {len(each.split("-")) for each in words} == {6}
