"""The deck of Gobelin des bois: the thirty cards we play with, and decks that people type in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from rules.bots import bot
from rules.bots.chooser import Dice
from rules.deal import play
from rules.game import Malformed
from rules.gobelin import CARDS, Card, Colour, Effect, Gobelin, Square, with_deck
from rules.gobelin.deck import LONGEST, built_in, read_deck, write_deck
from tests.rules.gobelin_table import GOBELIN

PLAIN = '{gold=1,a="red troc",b="any none"}'


def deck(**changed: str) -> str:
    """Thirty cards, of which ``card7="..."`` is another."""
    cards = [changed.get(f"card{number}", PLAIN) for number in range(1, CARDS + 1)]
    return f"cards = [{','.join(cards)}]"


def refused(text: Any) -> tuple[str, object]:
    """The code and the detail with which ``text`` is refused."""
    with pytest.raises(Malformed) as caught:
        read_deck(text)
    return caught.value.code, caught.value.detail


# Ours.


def test_our_deck_is_balanced_as_the_ruling_says() -> None:
    cards = built_in()
    assert len(cards) == CARDS
    assert sum(card.gold for card in cards) == 68
    squares = Counter(square for card in cards for square in card.squares)
    for colour in set(Colour) - {Colour.ANY}:
        assert squares[Square(colour, Effect.COFFRE)] == 3
        assert squares[Square(colour, Effect.NONE)] == 0
        for effect in set(Effect) - {Effect.COFFRE, Effect.NONE}:
            assert squares[Square(colour, effect)] == 2
    assert squares[Square(Colour.ANY, Effect.NONE)] == squares.total() - 4 * 13 == 8


def test_our_deck_has_the_cards_of_the_ruling_in_its_order() -> None:
    cards = built_in()
    red, yellow, any_ = Colour.RED, Colour.YELLOW, Colour.ANY
    assert cards[0] == Card(3, (Square(red, Effect.TROC), Square(yellow, Effect.COFFRE)))
    assert cards[23] == Card(1, (Square(red, Effect.GALOP), Square(any_, Effect.NONE)))
    golds = [
        3,
        2,
        3,
        1,
        4,
        4,
        2,
        2,
        3,
        3,
        3,
        3,
        5,
        4,
        2,
        3,
        4,
        1,
        4,
        2,
        3,
        2,
        1,
        1,
        0,
        1,
        0,
        1,
        1,
        0,
    ]
    assert [card.gold for card in cards] == golds


# Others'.


def test_a_deck_comes_back_from_its_text_as_it_was() -> None:
    for cards in (
        built_in(),
        read_deck(deck()),
        read_deck(deck(card3='{gold=5,a="any galop",b="blue none"}')),
    ):
        written = write_deck(cards)
        assert read_deck(written) == cards
        assert write_deck(read_deck(written)) == written
        assert len(written) < LONGEST


def test_the_game_with_another_deck_says_so_and_can_be_made_again_from_what_it_says() -> None:
    game = with_deck(deck(card1='{gold=0,a="green vol",b="blue sherif"}'))
    assert isinstance(game, Gobelin)
    assert game.cards[0] == Card(
        0, (Square(Colour.GREEN, Effect.VOL), Square(Colour.BLUE, Effect.SHERIF))
    )
    assert game.deck == write_deck(game.cards)
    again = with_deck(game.deck)
    assert isinstance(again, Gobelin)
    assert again.cards == game.cards


def test_the_empty_text_is_our_deck_and_so_is_our_deck_typed_in() -> None:
    assert with_deck("") is GOBELIN
    assert isinstance(GOBELIN, Gobelin)
    assert GOBELIN.deck == ""
    typed = with_deck(write_deck(built_in()))
    assert isinstance(typed, Gobelin)
    assert (typed.deck, typed.cards) == ("", GOBELIN.cards)


def test_a_game_can_be_played_with_another_deck() -> None:
    cards = tuple(replace(card, gold=card.gold // 2) for card in built_in()[::-1])
    game = with_deck(write_deck(cards))
    choosers = [bot("steady", Dice(seat)) for seat in range(3)]
    assert len(play(game, 3, choosers, Dice(1)).result.winners) == 1


# What is no deck.


@pytest.mark.parametrize("text", [None, 7, b"", "#" * (LONGEST + 1)])
def test_what_is_no_text_or_too_long_is_no_deck(text: object) -> None:
    assert refused(text)[0] == "deck-text"


@pytest.mark.parametrize(
    "text",
    ["cards", "cards = [", "a = " + "[" * 4000, "a = " + "9" * 5000, "a = 2000-99-99", "\x00"],
)
def test_what_is_no_toml_is_no_deck(text: str) -> None:
    assert refused(text)[0] == "deck-toml"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "cards"),
        ("cards = 3", "cards"),
        ("[cards]\na = 1", "cards"),
        (deck() + "\ncolour = 1", "colour"),
        (deck() + '\n"\\u001b[2J" = 1', "\\x1b[2J"),
    ],
)
def test_a_deck_is_one_list_of_cards_and_nothing_else(text: str, key: str) -> None:
    assert refused(text) == ("deck", key)


@pytest.mark.parametrize("count", [0, 29, 31])
def test_a_deck_has_thirty_cards(count: int) -> None:
    assert refused(f"cards = [{','.join([PLAIN] * count)}]") == ("deck-size", count)


@pytest.mark.parametrize(
    ("card", "code", "field"),
    [
        ("7", "deck-card", ""),
        ("[]", "deck-card", ""),
        ('{a="red troc",b="any none"}', "deck-card", "gold"),
        ('{gold=1,b="any none"}', "deck-card", "a"),
        ('{gold=1,a="red troc"}', "deck-card", "b"),
        ('{gold=1,a="red troc",b="any none",c=1}', "deck-card", "c"),
        ('{gold="1",a="red troc",b="any none"}', "deck-card", "gold"),
        ('{gold=true,a="red troc",b="any none"}', "deck-card", "gold"),
        ('{gold=1.0,a="red troc",b="any none"}', "deck-card", "gold"),
        ('{gold=1,a=["red","troc"],b="any none"}', "deck-card", "a"),
        ('{gold=1,a="red",b="any none"}', "deck-card", "a"),
        ('{gold=1,a="red troc",b="any none none"}', "deck-card", "b"),
        ('{gold=6,a="red troc",b="any none"}', "deck-gold", "gold"),
        ('{gold=-1,a="red troc",b="any none"}', "deck-gold", "gold"),
        ('{gold=1,a="pink troc",b="any none"}', "deck-colour", "a"),
        ('{gold=1,a="red troc",b="Any none"}', "deck-colour", "b"),
        ('{gold=1,a="red shérif",b="any none"}', "deck-effect", "a"),
        ('{gold=1,a="red troc",b="any -"}', "deck-effect", "b"),
    ],
)
def test_what_is_wrong_with_a_card_is_told_by_its_number_and_field(
    card: str, code: str, field: str
) -> None:
    assert refused(deck(card7=card)) == (code, (7, field))


def test_the_first_wrong_card_is_the_one_that_is_told() -> None:
    assert refused(deck(card30="1", card4="2", card9="3")) == ("deck-card", (4, ""))
