"""What ``farfadet friends`` prints and changes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from net.people.friends import FriendsError, fingerprint
from net.people.friends_file import NAME
from net.people.identity import load
from tests.tui.company_stage import ANA, BO, DAY, STRANGER, known, names
from tui import friends as command
from tui.places import Places


def places(folder: Path) -> Places:
    return Places(folder, folder / "data", folder / "state")


def test_people_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.show(places(tmp_path))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Nobody yet")
    later = date(2026, 12, 24)
    known(tmp_path).change(lambda friends: friends.met({ANA: "A\x1b[2Jnn"}, later))
    command.show(places(tmp_path))
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        "Ana (also called A[2Jnn): 2 games, last 2026-12-24, first 2026-11-12",
        f"  {fingerprint(ANA)}  checked",
        "Bo: 1 game, last 2026-11-12, first 2026-11-12",
        f"  {fingerprint(BO)}  not checked",
    ]
    command.show(places(tmp_path), as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert [person["name"] for person in found] == ["Ana", "Bo"]
    assert found[0]["keys"] == [
        {"fingerprint": fingerprint(ANA), "key": ANA.hex(), "checked": True}
    ]
    assert found[0]["called"] == ["Ana", "A\x1b[2Jnn"]


def test_people_are_renamed_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = known(tmp_path)
    command.rename(places(tmp_path), fingerprint(BO)[:11], "Uncle")
    assert names(file) == ["Uncle", "Ana"]
    with pytest.raises(FriendsError) as caught:
        command.rename(places(tmp_path), "uncle", "ana")
    assert caught.value.code == "name-taken"
    file.change(lambda friends: friends.met({STRANGER: "B0"}, DAY))
    with pytest.raises(FriendsError) as caught:
        command.forget(places(tmp_path), "bo")
    assert caught.value.code == "which-friend"
    err = capsys.readouterr().err
    assert "Uncle (also called Bo)" in err
    assert "B0: 1 game" in err
    command.forget(places(tmp_path), "uncle")
    assert names(file) == ["Ana", "B0"]
    with pytest.raises(FriendsError) as caught:
        command.forget(places(tmp_path), "uncle")
    assert caught.value.code == "nobody-known"


def test_a_damaged_file_is_said_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(tmp_path)
    (tmp_path / NAME).write_bytes(b"{")
    command.show(places(tmp_path), as_json=True)
    out, err = capsys.readouterr()
    assert json.loads(out) == []
    assert err.count("\n") == 1


def test_one_can_read_ones_own_key_aloud(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = load(tmp_path, "Lou").public
    command.me(places(tmp_path), "Lou")
    assert capsys.readouterr().out == f"Lou\n  {fingerprint(own)}\n"
    command.me(places(tmp_path), "Lou", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told == {"name": "Lou", "fingerprint": fingerprint(own), "key": own.hex()}
