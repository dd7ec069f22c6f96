"""The file of the people one has met: damaged, edited, shared by processes, or not to be had."""

from __future__ import annotations

import json
import multiprocessing
from datetime import date
from pathlib import Path
from random import Random

import pytest

from net.people.friends import Friends, FriendsError, Kind
from net.people.friends_file import NAME, FriendsFile, parsed
from net.people.identity import Identity

DAY = date(2026, 11, 12)
SEED = 20261112


def key() -> bytes:
    return Identity.fresh("").public


def met(*names: str) -> tuple[Friends, list[bytes]]:
    """A game with people of these names, and their keys."""
    keys = [key() for _ in names]
    return Friends().met(dict(zip(keys, names, strict=True)), DAY), keys


def test_what_is_kept_is_read_again_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    file = FriendsFile(folder)
    assert file.read() == Friends()
    assert not folder.exists()
    friends, (bo, _) = met("Bo", 'Chloé "\x00\u202e😀')
    friends = friends.compared([bo]).adopted(key(), "Bo", bo)
    file.change(lambda _: friends)
    assert FriendsFile(folder).read() == friends
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert (folder / "friends.lock").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in folder.iterdir()) == [NAME, "friends.lock"]
    assert file.trouble is None


def kept(folder: Path) -> Path:
    """A file with Bo and Ana in it."""
    friends, _ = met("Bo", "Ana")
    FriendsFile(folder).change(lambda _: friends)
    return folder / NAME


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"[" * 100_000,
        b'{"version": 2, "friends": []}',
        b'{"version": 1, "friends": {}}',
        b'{"version": 1, "friends": [' + b"9" * 10_000 + b"]}",
    ],
)
def test_a_damaged_file_is_kept_aside_and_said(tmp_path: Path, data: bytes) -> None:
    path = kept(tmp_path)
    path.write_bytes(data)
    file = FriendsFile(tmp_path)
    assert file.read() == Friends()
    assert file.trouble == "friends-damaged"
    assert (tmp_path / "friends-damaged-1.json").read_bytes() == data
    friends, _ = met("Chloé")
    file.change(lambda _: friends)
    again = FriendsFile(tmp_path)
    assert again.read() == friends
    assert again.trouble is None


def test_each_damaged_file_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    path = kept(tmp_path)
    for number in (1, 2, 3):
        path.write_bytes(b"broken %d" % number)
        FriendsFile(tmp_path).change(lambda friends: friends)
    for number in (1, 2, 3):
        aside = tmp_path / f"friends-damaged-{number}.json"
        assert aside.read_bytes() == b"broken %d" % number


@pytest.mark.parametrize(
    "harm",
    [
        lambda entry: entry.pop("keys"),
        lambda entry: entry.update(keys=[]),
        lambda entry: entry.update(keys=[{"key": "00" * 31, "checked": True}]),
        lambda entry: entry.update(keys=[{"key": "zz", "checked": True}]),
        lambda entry: entry.update(keys=entry["keys"] * 2),
        lambda entry: entry.update(name="x" * 65),
        lambda entry: entry.update(name="\ud800"),
        lambda entry: entry.update(called=[1]),
        lambda entry: entry.update(called=["x"] * 17),
        lambda entry: entry.update(last="yesterday"),
        lambda entry: entry.update(games=-1),
    ],
)
def test_what_can_be_read_of_an_edited_file_is_in_use(tmp_path: Path, harm: object) -> None:
    assert callable(harm)
    path = kept(tmp_path)
    content = json.loads(path.read_bytes())
    harm(content["friends"][0])
    path.write_text(json.dumps(content), encoding="utf-8")
    edited = path.read_bytes()
    file = FriendsFile(tmp_path)
    assert [friend.name for friend in file.read().people] == ["Ana"]
    assert file.trouble == "friends-damaged"
    assert (tmp_path / "friends-damaged-1.json").read_bytes() == edited


def test_a_file_edited_by_hand_need_not_look_like_ours(tmp_path: Path) -> None:
    path = kept(tmp_path)
    content = json.loads(path.read_bytes())
    content["note"] = "mine"
    content["friends"][1]["name"] = "Mum"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(content).encode())
    file = FriendsFile(tmp_path)
    assert [friend.name for friend in file.read().people] == ["Bo", "Mum"]
    assert file.trouble is None


def test_no_key_belongs_to_two_people(tmp_path: Path) -> None:
    path = kept(tmp_path)
    content = json.loads(path.read_bytes())
    content["friends"][1]["keys"] = content["friends"][0]["keys"]
    friends, sound = parsed(json.dumps(content).encode())
    assert [friend.name for friend in friends.people] == ["Bo"]
    assert not sound


def test_any_byte_of_the_file_may_be_lost(tmp_path: Path) -> None:
    print(f"seed {SEED}")
    source, data = Random(SEED), kept(tmp_path).read_bytes()
    for _ in range(300):
        at = source.randrange(len(data))
        broken = data[:at] + bytes([source.randrange(256)]) + data[at + 1 :]
        friends, _ = parsed(broken)
        assert len(friends.people) <= 2


def add_people(folder: Path, name: str, count: int) -> None:
    file = FriendsFile(folder)
    for number in range(count):
        somebody = {key(): f"{name}{number}"}
        file.change(lambda friends, here=somebody: friends.met(here, DAY))  # type: ignore[misc]


def test_several_processes_at_once_lose_nobody(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=add_people, args=(tmp_path, name, 20)) for name in ("A", "B")]
    for worker in workers:
        worker.start()
    add_people(tmp_path, "C", 20)
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    names = {friend.name for friend in FriendsFile(tmp_path).read().people}
    assert names == {f"{name}{number}" for name in "ABC" for number in range(20)}
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME, "friends.lock"]


def test_what_cannot_be_saved_is_remembered_until_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.write_text("a file where the folder should be", encoding="utf-8")
    file = FriendsFile(folder)
    bo, ana = key(), key()
    with pytest.raises(FriendsError) as caught:
        file.change(lambda friends: friends.met({bo: "Bo"}, DAY))
    said = file.trouble
    assert (caught.value.code, said) == ("friends-not-saved", "friends-not-saved")
    assert file.read().standing(bo, "Bo").kind is Kind.KNOWN
    folder.unlink()
    file.change(lambda friends: friends.met({ana: "Ana"}, DAY))
    assert file.trouble is None
    assert [friend.name for friend in FriendsFile(folder).read().people] == ["Bo", "Ana"]


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    file = FriendsFile(tmp_path)
    assert file.read() == Friends()
    assert file.trouble == "friends-not-saved"
    with pytest.raises(FriendsError):
        file.change(lambda friends: friends)
    assert (tmp_path / NAME).is_dir()


def test_what_can_be_read_of_a_damaged_file_is_in_use_even_where_it_cannot_be_mended(
    tmp_path: Path,
) -> None:
    path = kept(tmp_path)
    content = json.loads(path.read_bytes())
    content["friends"][0]["name"] = 7
    path.write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "friends.lock").unlink()
    (tmp_path / "friends.lock").mkdir()
    file = FriendsFile(tmp_path)
    assert [friend.name for friend in file.read().people] == ["Ana"]
    assert file.trouble == "friends-not-saved"
    assert json.loads(path.read_bytes()) == content


def test_what_another_process_has_changed_is_seen(tmp_path: Path) -> None:
    kept(tmp_path)
    one, other = FriendsFile(tmp_path), FriendsFile(tmp_path)
    for name in ("Chloé", "Dan", "Eve"):
        somebody = key()
        before = one.read()
        assert before == one.read()
        other.change(lambda friends, here={somebody: name}: friends.met(here, DAY))  # type: ignore[misc]
        assert one.read().standing(somebody, name).kind is Kind.KNOWN


def test_without_a_folder_people_are_only_remembered() -> None:
    file, bo = FriendsFile(None), key()
    file.change(lambda friends: friends.met({bo: "Bo"}, DAY))
    assert file.read().standing(bo, "Bo").kind is Kind.KNOWN
