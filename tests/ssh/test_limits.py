"""Who may knock and who may come in, and what is believed of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.ssh.limits import COLUMNS, ROWS, Gate, Limits, believed, origin, terminal_of


def test_an_address_may_try_so_often_a_minute_and_no_more() -> None:
    gate = Gate(Limits(logins=3, knocking=100))
    assert [gate.knock("a", now) for now in (0, 1, 2, 3)] == ["", "", "", "hurried"]
    assert gate.knock("b", 3) == ""
    # What was refused counts too: only a quiet minute helps.
    assert gate.knock("a", 59) == "hurried"
    assert gate.knock("a", 125) == ""


def test_only_so_many_may_be_at_the_door() -> None:
    gate = Gate(Limits(knocking=2))
    assert [gate.knock(name, 0) for name in "abc"] == ["", "", "busy"]
    gate.gone()
    assert gate.knock("c", 1) == ""


def test_a_house_is_full_and_a_room_crowded() -> None:
    gate = Gate(Limits(guests=3, per_address=2))
    assert [gate.enter("a") for _ in range(3)] == ["", "", "host-crowded"]
    assert gate.enter("b") == ""
    assert gate.enter("c") == "host-full"
    gate.leave("a")
    assert gate.inside == 2
    assert gate.enter("c") == ""


def test_a_flood_of_addresses_is_not_remembered_for_ever() -> None:
    gate = Gate(Limits(logins=1, knocking=10**6))
    for number in range(Gate.MOST_ORIGINS + 10):
        assert gate.knock(str(number), 0) == ""
    assert gate.knock(str(Gate.MOST_ORIGINS + 9), 1) == "hurried"
    assert gate.knock("0", 1) == ""


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_a_household_is_one_address(address: str, same: str) -> None:
    assert origin(address) == same


@given(st.integers(-(2**40), 2**40), st.integers(-(2**40), 2**40))
def test_no_size_is_unreasonable(columns: int, rows: int) -> None:
    width, height = believed(columns, rows)
    assert COLUMNS[0] <= width <= COLUMNS[1]
    assert ROWS[0] <= height <= ROWS[1]


@given(st.dictionaries(st.sampled_from(["TERM", "LANG", "COLORTERM", "LC_ALL"]), st.text()))
def test_what_is_said_of_a_terminal_is_harmless_or_nothing(said: dict[str, str]) -> None:
    kept = terminal_of(said)
    assert set(kept) <= set(said)
    assert ("TERM" in kept) is ("TERM" in said)
    for value in kept.values():
        assert value.isascii()
        assert value.isprintable()
        assert not set(value) & set("/\\ $`'\"")


def test_other_variables_are_not_said() -> None:
    assert terminal_of({"LD_PRELOAD": "x", "PATH": "/tmp", "LANG": "fr_FR.UTF-8"}) == {
        "LANG": "fr_FR.UTF-8"
    }
