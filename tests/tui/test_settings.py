"""The schema of settings, and the file: careful in reading, more careful in writing."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from tui.manual import DOCS, PAGES
from tui.settings import (
    KEYS,
    SETTINGS,
    USUAL,
    BadSetting,
    Settings,
    Value,
    changed,
    find,
    get,
    text,
)
from tui.settings_file import load, save
from tui.terms import own_name
from tui.troubles import told
from tui.words import LANGUAGES, Words

BY_HAND = """\
# mine, do not touch
theme = "light"   # for the balcony
"later" = [1, 2]

[keys]
# two ways to write the same
game.undo = "z"
"table.copy" = "y"

[other]
a = 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where settings are, or may be."""
    return tmp_path / "config" / "settings.toml"


def by_hand(file: Path, written: bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(written)


def codes(file: Path) -> list[str]:
    return [trouble.code for trouble in load(file)[1]]


# The schema.


def test_the_schema_has_every_setting_once() -> None:
    assert [*(setting.key for setting in SETTINGS), KEYS] == [one.name for one in fields(Settings)]


def test_every_value_can_be_written_and_read() -> None:
    for one in SETTINGS:
        assert one.read(text(one.usual)) == one.usual
        for value in one.values:
            assert text(one.read(value)) == value


def test_all_languages_are_offered_in_their_own_words() -> None:
    assert list(find("language").values) == ["", *LANGUAGES]
    for spoken in LANGUAGES:
        say = Words(spoken).say
        assert say(find("language").values["en"]) == "in English"
        assert say(find("language").values["fr"]) == "en français"


@pytest.mark.parametrize(
    ("key", "raw", "value"),
    [
        ("mouse", False, False),
        ("mouse", "off", False),
        ("animation", True, "on"),
        ("name", "  Ana \n", "Ana"),
        ("name", "", ""),
        ("language", "", ""),
    ],
)
def test_values_may_be_written_in_several_ways(key: str, raw: object, value: object) -> None:
    assert get(changed(USUAL, key, raw), key) == value


@pytest.mark.parametrize(
    ("key", "raw", "code"),
    [
        ("theme", "pink", "bad-setting"),
        ("theme", 3, "bad-setting"),
        ("mouse", "perhaps", "bad-setting"),
        ("name", 7, "bad-setting"),
        ("name", "x" * 65, "bad-name"),
        ("name", "\u202e\x1b", "bad-name"),
        ("tehme", "light", "no-such-setting"),
        ("keys", "u", "bad-setting"),
        ("keys.game.undo", 3, "bad-setting"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(key: str, raw: object, code: str) -> None:
    with pytest.raises(BadSetting) as caught:
        changed(USUAL, key, raw)
    assert caught.value.code == code
    for language in ("en", "fr"):
        said = told(Words(language), caught.value, code)
        assert "{" not in said
        assert "\x1b" not in said


def test_the_locale_decides_what_is_not_set() -> None:
    french = {"LANG": "fr_FR.ISO-8859-1"}
    assert (USUAL.words(french).language, USUAL.words(french).ascii) == ("fr", True)
    told_so = Settings(language="en", glyphs="unicode").words(french)
    assert (told_so.language, told_so.ascii) == ("en", False)
    assert Settings(glyphs="ascii").words({}).ascii


def test_a_name_in_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARFADET_NAME", raising=False)
    assert own_name("Ana") == "Ana"
    monkeypatch.setenv("FARFADET_NAME", "Bo")
    assert own_name("Ana") == "Bo"


# The file.


def test_nothing_is_made_until_something_is_set(file: Path) -> None:
    assert load(file) == (USUAL, ())
    assert not file.parent.exists()


def test_what_is_saved_is_there_the_next_time(file: Path) -> None:
    wanted: dict[str, Value] = {
        "name": "Chloé",
        "theme": "terminal",
        "mouse": False,
        "keys.game.undo": "u,z",
    }
    for key, value in wanted.items():
        save(file, key, value)
    settings, troubles = load(file)
    assert {key: get(settings, key) for key in wanted} == wanted
    assert troubles == ()
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_what_was_written_by_hand_stays(file: Path) -> None:
    by_hand(file, BY_HAND.encode())
    save(file, "bell", "never")
    save(file, "theme", "terminal")
    save(file, "keys.game.undo", "u")
    save(file, "keys.table.copy", None)
    now = file.read_text(encoding="utf-8")
    assert "# mine, do not touch" in now
    assert "# for the balcony" in now
    assert "# two ways to write the same" in now
    assert tomllib.loads(now) == {
        "theme": "terminal",
        "later": [1, 2],
        "bell": "never",
        "keys": {"game.undo": "u"},
        "other": {"a": 1},
    }
    settings, _ = load(file)
    assert settings == Settings(theme="terminal", bell="never", keys={"game.undo": "u"})


def test_both_ways_to_write_a_key_are_read(file: Path) -> None:
    by_hand(file, BY_HAND.encode())
    settings, troubles = load(file)
    assert settings == Settings(theme="light", keys={"game.undo": "z", "table.copy": "y"})
    assert [trouble.blanks["key"] for trouble in troubles] == ["later", "other"]


def test_one_bad_value_costs_no_other(file: Path) -> None:
    by_hand(file, b'theme = "pink"\nmouse = false\nbell = 3\n[keys]\n"game.undo" = 1\na.b = "c"\n')
    settings, troubles = load(file)
    assert settings == Settings(mouse=False, keys={"a.b": "c"})
    assert [trouble.blanks["key"] for trouble in troubles] == ["theme", "bell", "keys.game.undo"]


@pytest.mark.parametrize(
    "written",
    [
        b"theme = ",
        b'theme = "light"\ntheme = "light"\n',
        b"name = '\xff'\n",
        b"a = " + b"[" * 5000,
    ],
)
def test_a_file_that_cannot_be_read_is_never_written_to(file: Path, written: bytes) -> None:
    by_hand(file, written)
    assert load(file)[0] == USUAL
    assert codes(file) == ["settings-damaged"]
    with pytest.raises(BadSetting) as caught:
        save(file, "theme", "light")
    assert caught.value.code == "settings-damaged"
    assert file.read_bytes() == written


def test_a_folder_in_its_place_is_a_sentence(file: Path) -> None:
    file.mkdir(parents=True)
    assert codes(file) == ["settings-damaged"]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(BadSetting) as caught:
        save(tmp_path / "taken" / "settings.toml", "theme", "light")
    assert caught.value.code in {"settings-not-saved", "settings-damaged"}


def test_a_mark_in_front_and_the_line_ends_of_windows_do_no_harm(file: Path) -> None:
    by_hand(file, b'\xef\xbb\xbf# hello\r\ntheme = "light"\r\n')
    assert load(file) == (Settings(theme="light"), ())
    save(file, "mouse", False)
    assert load(file) == (Settings(theme="light", mouse=False), ())


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text('theme = "light"\n', encoding="utf-8")
    file.parent.mkdir()
    file.symlink_to(real)
    save(file, "theme", "terminal")
    assert file.is_symlink()
    assert real.read_text(encoding="utf-8") == 'theme = "terminal"\n'


@pytest.mark.parametrize("seed", range(8))
def test_any_changes_end_in_the_file_as_in_memory(file: Path, seed: int) -> None:
    random, settings = Random(seed), USUAL
    if seed % 2:
        by_hand(file, b'# first\n[keys]\ngame.undo = "z"\n[last]\nb = 2\n')
        settings = load(file)[0]
    for _ in range(30):
        raw: object = None
        if random.random() < 0.3:
            key = random.choice(["keys.game.undo", "keys.game.type", "keys.home.up", KEYS])
            raw = (
                random.choice(["u", 'u,"', "x\\"])
                if key != KEYS and random.random() < 0.7
                else None
            )
        else:
            key = random.choice(SETTINGS).key
            values = [*find(key).values] or ["Ana", 'B"o', ""]
            raw = random.choice([*values, None])
        settings = changed(settings, key, raw)
        save(file, key, None if raw is None else get(settings, key))
        assert load(file)[0] == settings, f"seed {seed}"
    assert ("# first" in file.read_text(encoding="utf-8")) is bool(seed % 2)


# The docs.


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_made_from_the_code_are_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run: make docs"
