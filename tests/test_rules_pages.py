"""The rule pages for players say, in both languages, what the code does."""

from __future__ import annotations

import re
import tomllib
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import rules
from rules.gnomia import BROTHER, FIESTAS, VALUES, ZOZO, veinards
from rules.gnomia.score import GROUP_POINTS, score
from rules.gobelin import ASIDE, CARDS, MOST_GOLD, RESHUFFLES, Card, Colour, Effect, Gobelin, Square
from rules.gobelin.deck import LONGEST
from rules.gobelin.rounds import DEALT, winners
from rules.taverne import BAG, Stones
from rules.taverne.pieces import SET_POINTS, SINGLE_POINTS, WHITE_POINTS
from rules.taverne.turn import points
from tui import boards
from tui.boards.gobelin_terms import EFFECTS
from tui.boards.taverne_words import LETTERS
from tui.words import Words

PAGES: Final = Path(__file__).parent.parent / "docs" / "rules"
LANGUAGES: Final = ("en", "fr")
FILES: Final = tuple(f"{game}.{language}.md" for game in rules.names() for language in LANGUAGES)

COLOURS: Final = {
    "en": {"red": Colour.RED, "yellow": Colour.YELLOW, "green": Colour.GREEN, "blue": Colour.BLUE},
    "fr": {"rouge": Colour.RED, "jaune": Colour.YELLOW, "vert": Colour.GREEN, "bleu": Colour.BLUE},
}
ANY: Final = {"en": "any", "fr": "multi"}
STONES: Final = {
    "en": ("red", "blue", "yellow", "white"),
    "fr": ("rouge", "bleue", "jaune", "transparente"),
}

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
on_every_page = pytest.mark.parametrize("name", FILES)


def page(game: str, language: str) -> str:
    """The whole text of a page."""
    return (PAGES / f"{game}.{language}.md").read_text(encoding="utf-8")


def rows(text: str) -> list[tuple[str, ...]]:
    """The rows of all tables, in the order of the page."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return [row for row in cells if set("".join(row)) != {"-"}]


def numbered(text: str, columns: int) -> list[tuple[int, ...]]:
    """The rows of ``columns`` numbers and nothing else."""
    found = [row for row in rows(text) if len(row) == columns]
    return [tuple(map(int, row)) for row in found if all(cell.isdecimal() for cell in row)]


def prose(text: str) -> str:
    """The text without code, links and the rules of tables."""
    text = re.sub(r"^(    .*|\|[-|]+)$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


# All games.


def test_every_game_has_a_page_in_each_language_and_no_page_is_left_over() -> None:
    assert sorted(path.name for path in PAGES.iterdir()) == sorted(FILES)


@on_every_page
def test_a_page_is_called_like_the_game_and_leads_to_the_other_language(name: str) -> None:
    game, language, _ = name.split(".")
    text = page(game, language)
    assert text.startswith(f"# {boards.voice(game).TITLE}\n")
    (other,) = set(LANGUAGES) - {language}
    assert f"]({game}.{other}.md)" in text


@on_every_page
def test_relative_links_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", (PAGES / name).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if ":" not in link and not (PAGES / link).exists()] == []


@on_every_page
def test_names_in_the_code_are_there(name: str) -> None:
    game, language, _ = name.split(".")
    names = re.findall(r"`([a-z]+\.[A-Za-z_]+)`", page(game, language))
    assert len(names) > 8
    package = import_module(f"rules.{game}")
    for dotted in names:
        assert reduce(getattr, dotted.split("."), package) is not None


@on_every_page
def test_moves_that_a_page_says_one_can_type_are_read(name: str) -> None:
    game, language, _ = name.split(".")
    (typed,) = [row[1] for row in rows(page(game, language)) if row[0] == "`:`"]
    # A letter alone may be a part of a move that is explained by itself.
    texts = [text for text in re.findall(r"`([^`]+)`", typed) if len(text) > 1]
    assert len(texts) > 1
    loaded = rules.load(game)
    for text in texts:
        assert type(loaded.read(text)) in loaded.move_types


@on_every_page
def test_a_page_has_all_keys_of_its_board(name: str) -> None:
    game, language, _ = name.split(".")
    keys = " ".join(row[0] for row in rows(page(game, language)) if row[0].startswith("`"))
    actions = import_module(f"tui.boards.{game}").Board.ACTIONS
    shown = [key for action in actions for key in action.shown.split("-")]
    assert [key for key in shown if f"`{key}`" not in keys] == []


@on_every_page
def test_the_number_of_players_is_that_of_the_game(name: str) -> None:
    game, language, _ = name.split(".")
    seats = rules.load(game).seats
    said = {"en": "{} to {} players", "fr": "De {} à {},"}[language]
    assert said.format(seats[0], seats[-1]) in page(game, language)


@pytest.mark.parametrize("game", rules.names())
def test_both_languages_have_the_same_tables_and_name_the_same_code(game: str) -> None:
    english, french = [page(game, language) for language in LANGUAGES]
    assert [len(row) for row in rows(english)] == [len(row) for row in rows(french)]
    for row, ligne in zip(rows(english), rows(french), strict=True):
        said, dit = [sorted(re.findall(r"\d+", " ".join(cells))) for cells in (row, ligne)]
        assert said == dit, (row, ligne)
    names = [re.findall(r"`[a-z]+\.[A-Za-z_]+`", text) for text in (english, french)]
    assert names[0] == names[1]


@pytest.mark.parametrize("game", rules.names())
def test_french_keeps_a_space_before_high_punctuation_on_the_line(game: str) -> None:
    text = prose(page(game, "fr"))
    assert re.findall(r".{0,20}[^\u00a0:;!?»][:;!?»].{0,5}", text) == []
    assert re.findall(r"«[^\u00a0]", text) == []
    assert "'" not in text


# La Taverne des Hobbits.


@in_both_languages
def test_the_bag_of_taverne(language: str) -> None:
    found = {row[0]: row for row in rows(page("taverne", language)) if len(row) == 4}
    assert tuple(int(found[stone][1]) for stone in STONES[language]) == BAG
    assert str(sum(BAG)) in page("taverne", language)
    *coloured, white = [re.findall(r"\d", found[stone][3]) for stone in STONES[language]]
    assert coloured == [[str(SET_POINTS), str(SINGLE_POINTS)]] * 3
    assert white == [str(WHITE_POINTS)]


@in_both_languages
def test_the_letters_of_the_stones_are_those_on_the_screen(language: str) -> None:
    found = {row[0]: row for row in rows(page("taverne", language)) if len(row) == 4}
    letters = " ".join(found[stone][2] for stone in STONES[language])
    assert letters == Words(language).say(LETTERS)


@in_both_languages
def test_the_example_of_taverne_is_counted_right(language: str) -> None:
    text = page("taverne", language)
    found = [row for row in rows(text) if len(row) == 6 and row[5].isdecimal()]
    assert len(found) == 3
    keys = {}
    for name, *numbers in found:
        red, blue, yellow, white, total = map(int, numbers)
        hand: Stones = (red, blue, yellow, white)
        assert points(hand) == total
        keys[name] = (total, white)
    assert f"**{max(keys, key=lambda name: keys[name])}**" in text


# Gnomia.


@in_both_languages
def test_the_veinards_of_gnomia(language: str) -> None:
    seats = range(5)
    table = [row for row in numbered(page("gnomia", language), 6) if row[0] in VALUES]
    assert table == [(value, *(veinards(seat, value) for seat in seats)) for value in VALUES]


@in_both_languages
def test_the_fiestas_of_gnomia(language: str) -> None:
    fiestas: list[int] = []
    for name, each, in_all in [row for row in rows(page("gnomia", language)) if len(row) == 3]:
        if not each.isdecimal() or not in_all.isdecimal():
            continue
        span = re.fullmatch(r"(\d+) (?:to|à) (\d+)", name)
        faces = range(int(span[1]), int(span[2]) + 1) if span else [_face(name)]
        assert len(faces) * int(each) == int(in_all)
        fiestas += [face for face in faces for _ in range(int(each))]
    assert sorted(fiestas) == sorted(FIESTAS)
    assert f"**{len(FIESTAS)} fiestas**" in page("gnomia", language)


@in_both_languages
def test_what_groups_are_worth_in_gnomia(language: str) -> None:
    table = rows(page("gnomia", language))
    (sizes,) = [row for row in table if row[1:] == tuple("12345") and not row[0].isdecimal()]
    worth = table[table.index(sizes) + 1]
    said = {int(size): int(cell) for size, cell in zip(sizes[2:], worth[2:], strict=True)}
    assert said == GROUP_POINTS


@in_both_languages
def test_the_examples_of_gnomia_are_counted_right(language: str) -> None:
    table = [row for row in rows(page("gnomia", language)) if len(row) == 3]
    examples = [row for row in table if "," in row[0] and row[1].isdecimal()]
    assert len(examples) == 5
    for listed, total, _ in examples:
        assert score(tuple(_face(name) for name in listed.split(", "))).total == int(total), listed


def _face(name: str) -> int:
    if name.isdecimal():
        return int(name)
    return {"Zozo": ZOZO, "P'tit frère": BROTHER}[name.replace("\u2019", "'")]


# Gobelin des bois.


@in_both_languages
def test_the_thirty_cards_of_gobelin(language: str) -> None:
    game = rules.load("gobelin")
    assert isinstance(game, Gobelin)
    found: dict[int, Card] = {}
    for row in rows(page("gobelin", language)):
        if len(row) == 12 and row[0].isdecimal():
            for start in (0, 4, 8):
                number, gold, a, b = row[start : start + 4]
                squares = (_square(a, language), _square(b, language))
                found[int(number)] = Card(int(gold), squares)
    assert tuple(found[number] for number in sorted(found)) == game.cards
    assert sorted(found) == list(range(1, CARDS + 1))


@in_both_languages
def test_every_effect_of_gobelin_is_explained_under_its_name_on_the_screen(language: str) -> None:
    words = Words(language)
    assert _effects(language) == {words.say(EFFECTS[effect]): effect for effect in Effect}


@in_both_languages
def test_decks_and_reshuffles_of_gobelin_by_players(language: str) -> None:
    seats = rules.load("gobelin").seats
    decks = [(n, CARDS - ASIDE - DEALT * n - 1, RESHUFFLES[n]) for n in seats]
    assert numbered(page("gobelin", language), 3) == decks


@in_both_languages
def test_the_example_of_gobelin_is_counted_right(language: str) -> None:
    text = page("gobelin", language)
    found = [row for row in rows(text) if len(row) == 5 and row[4].isdecimal()]
    golds, counts = [int(row[3]) for row in found], [int(row[4]) for row in found]
    for row, gold, count in zip(found, golds, counts, strict=True):
        held = [int(value) for value in f"{row[1]}, {row[2]}".split(", ")]
        assert (sum(held), len(held)) == (gold, count)
    (best,) = winners(golds, counts)
    assert f"**{found[best][0]}**" in text


@in_both_languages
def test_the_line_of_a_deck_file_and_its_limits_are_those_of_the_game(language: str) -> None:
    text = page("gobelin", language)
    found = re.search(r"`(\{ gold = .* \}),`", text)
    assert found
    cards = tomllib.loads(f"cards = [{found[1]}]")["cards"] * CARDS
    listed = [f'{{gold={card["gold"]},a="{card["a"]}",b="{card["b"]}"}}' for card in cards]
    assert rules.load("gobelin", f"cards=[{','.join(listed)}]").deck
    said = {"en": f"Gold is 0 to {MOST_GOLD}", "fr": f"va de 0 à {MOST_GOLD}"}[language]
    assert said in text
    assert str(LONGEST) in text


def _effects(language: str) -> dict[str, Effect]:
    """The effects as the page calls them."""
    words = {effect.name.lower(): effect for effect in Effect}
    table = [row for row in rows(page("gobelin", language)) if len(row) == 3]
    return {row[0]: words[row[1][1:-1]] for row in table if row[1][1:-1] in words}


def _square(said: str, language: str) -> Square:
    if said == ANY[language]:
        return Square(Colour.ANY, Effect.NONE)
    colour, effect = said.split()
    return Square(COLOURS[language][colour], _effects(language)[effect])
