"""What is said of a table on the local network, how it is read, and which address is taken."""

from __future__ import annotations

import os
import random
import secrets
import socket
from dataclasses import replace
from ipaddress import ip_address, ip_interface
from typing import Any

import pytest
from zeroconf import ServiceInfo

from broker import announcement
from broker.announcement import LONGEST_NAME, SERVICE, Announced, read, service
from broker.links import Link, links, nearest
from net.meeting.invitation import Invitation
from tests.broker.lan_tables import HOME, as_seen, some_table

LOOPBACK = ("127.0.0.1",)


@pytest.mark.parametrize("changes", [{}, {"open": False, "taken": 4}, {"host": "Zoé 🧚"}])
def test_what_is_announced_is_what_is_read(changes: dict[str, Any]) -> None:
    table = some_table(**changes)
    said = service(table, HOME)
    assert said.parsed_addresses() == ["192.168.1.7"]
    assert said.server is not None
    # The text is small enough for one packet with everything else (RFC 6763, 6.2).
    assert len(said.text) < 200
    room = table.invitation.room
    found = read(room, said.server, 21883, said.text, [ip_address("192.168.1.20")], HOME)
    assert found == as_seen(table, "192.168.1.20")


def test_a_broker_elsewhere_is_called_by_its_name() -> None:
    invitation = Invitation("games.example.net", 8883, "A" * 16, bytes(16), True)
    table = some_table(invitation=invitation)
    said = service(table, HOME)
    assert said.server == "games.example.net."
    assert said.parsed_addresses() == []
    assert read("A" * 16, said.server, 8883, said.text, [], HOME) == table


def test_the_nodes_of_a_cluster_are_told_as_far_as_they_fit() -> None:
    others = tuple((f"{letter * 30}.example.net", 8883) for letter in "bcdefgh")
    told = Invitation("a.example.net", 8883, "A" * 16, bytes(16), True, others)
    said = service(some_table(invitation=told), HOME)
    found = read("A" * 16, said.server or "", 8883, said.text, [], HOME)
    assert found.invitation == replace(told, others=others[:4])


def test_a_broker_at_one_address_is_not_said_to_be_at_others() -> None:
    table = as_seen(some_table(), "192.168.1.99")
    assert service(table, HOME).parsed_addresses() == ["192.168.1.99"]


def test_the_name_of_the_machine_is_not_said() -> None:
    said = service(some_table(), HOME)
    assert said.server is not None
    assert socket.gethostname().encode() not in said.text + said.server.encode()


def test_a_long_or_strange_name_of_a_host_is_made_to_fit() -> None:
    said = service(some_table(host="\x1b[31m" + "🧚" * 99), HOME)
    server, room = said.server or "", said.name[:16]
    found = read(room, server, 21883, said.text, [ip_address("192.168.1.20")], HOME)
    assert found.host == ("[31m" + "🧚" * 99)[:LONGEST_NAME]


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "Taverne"},
        {"game": "a" * 17},
        {"seats": 1},
        {"seats": 17},
        {"taken": 5},
        {"taken": -1},
        {"invitation": Invitation("0.0.0.0", 0, "A" * 16, bytes(16))},
        {"invitation": Invitation("0.0.0.0", 1883, "a room", bytes(16))},
        {"invitation": Invitation("0.0.0.0", 1883, "A" * 16, bytes(15))},
        {"invitation": Invitation("not..a name", 1883, "A" * 16, bytes(16))},
    ],
)
def test_what_nobody_would_believe_is_not_said(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        service(some_table(**changes), HOME)


GOOD = {
    "v": "1",
    "key": "A" * 22,
    "tls": "0",
    "game": "taverne",
    "seats": "4",
    "taken": "1",
    "open": "1",
    "host": "Lou",
}


def _text(fields: dict[str, Any]) -> bytes:
    return ServiceInfo(SERVICE, f"x.{SERVICE}", properties=fields).text


def _reads(text: bytes, server: str = f"farfadet-{'a' * 16}.local.") -> Announced:
    return read("A" * 16, server, 1883, text, [ip_address("192.168.1.20")], HOME)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("v", "2"),
        ("key", "A" * 21),
        ("key", "A" * 21 + "/"),
        ("tls", "yes"),
        ("game", ""),
        ("game", "gnômia"),
        ("seats", "0"),
        ("seats", "99"),
        ("seats", "\N{ARABIC-INDIC DIGIT FOUR}"),
        ("taken", "5"),
        ("taken", "+1"),
        ("taken", "1 "),
        ("open", "2"),
        ("others", "a/b"),
        ("others", ","),
        ("others", "b:99999"),
        ("host", "a" * 33),
        ("host", "\x1b[2J"),
        ("host", b"\xff\xfe"),
        ("more", "a" * 249),
    ],
)
def test_one_bad_field_is_enough_not_to_be_read(key: str, value: str | bytes) -> None:
    assert _reads(_text(GOOD)).host == "Lou"
    more = {"more1": "a" * 240} if key == "more" else {}
    with pytest.raises(ValueError, match=r".+"):
        _reads(_text({**GOOD, key: value, **more}))


@pytest.mark.parametrize("key", GOOD)
def test_no_field_may_be_left_out(key: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        _reads(_text({name: value for name, value in GOOD.items() if name != key}))


def test_what_a_later_version_adds_is_passed_over() -> None:
    assert _reads(_text({**GOOD, "mood": "fine"})) == _reads(_text(GOOD))


@pytest.mark.parametrize("server", ["", ".", f"farfadet-{'b' * 16}.local.", "a b.", "x" * 64 + "."])
def test_a_server_that_is_none_is_refused(server: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        _reads(_text(GOOD), server)


def test_garbage_is_refused_or_read_but_never_fails() -> None:
    seed = int(os.environ.get("FARFADET_SEED", secrets.randbits(32)))
    print("FARFADET_SEED", seed)
    chance = random.Random(seed)
    good, refused = _text(GOOD), 0
    for _ in range(3000):
        text = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            text[chance.randrange(len(text))] = chance.randrange(256)
        try:
            found = _reads(bytes(text[: chance.choice((len(text), chance.randrange(len(text))))]))
        except ValueError:
            refused += 1
        else:
            assert 0 <= found.taken <= found.seats <= 16
            assert len(found.host) <= LONGEST_NAME
    assert refused > 1000


@pytest.mark.parametrize(
    ("addresses", "best"),
    [
        (["10.0.0.1", "192.168.1.20"], "192.168.1.20"),
        (["fd00::1", "192.168.1.20"], "192.168.1.20"),
        (["203.0.113.1", "fd00::1"], "fd00::1"),
        (["fe80::1%3", "fd00::1"], "fd00::1"),
        (["fe80::1", "fe80::1%3"], "fe80::1%3"),
        (["fe80::1%3", "203.0.113.1"], "fe80::1%3"),
        (["172.17.0.1", "203.0.113.1"], "203.0.113.1"),
        (["172.17.0.1"], "172.17.0.1"),
        (["127.0.0.1", "::1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "fe80::1"], None),
        ([], None),
    ],
)
def test_the_nearest_address_is_told(addresses: list[str], best: str | None) -> None:
    docker = Link((ip_interface("172.17.0.1/16"),), ("172.17.0.1",))
    ula = Link((ip_interface("fd00::7/64"), ip_interface("fe80::7/64")), ("fe80::7",))
    found = nearest([ip_address(address) for address in addresses], (docker, *HOME, ula))
    assert (None if found is None else str(found)) == best


def test_the_loopback_address_leads_to_oneself_alone() -> None:
    alone = (Link((ip_interface("127.0.0.1/8"),), LOOPBACK),)
    assert nearest([ip_address("127.0.0.1")], alone) == ip_address("127.0.0.1")


def test_a_link_is_found_by_its_address_and_an_unknown_one_is_not() -> None:
    assert [link.senders for link in links(LOOPBACK)] == [LOOPBACK]
    assert links(("192.0.2.77",)) == ()


def test_names_are_as_long_as_the_standard_allows() -> None:
    kind = SERVICE.split(".")[0]
    assert len(kind.removeprefix("_")) <= 15
    assert announcement.LONGEST_TEXT <= 1300
