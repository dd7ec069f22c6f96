"""Addresses and invitations that name several nodes of one cluster, written and read back."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.link.address import MOST_HOSTS, PORTS, Broker
from net.link.mqtt_client import telling
from net.link.transport import TransportError
from net.meeting.invitation import BadInvitation, Invitation, read_invitation
from net.meeting.room import invite
from net.people.identity import Identity

names = st.from_regex(r"[a-z0-9]([a-z0-9._-]{0,20}[a-z0-9])?", fullmatch=True)
hosts = st.one_of(names, st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(str))
places = st.tuples(hosts, st.integers(1, 65535))
several = st.lists(places, min_size=1, max_size=MOST_HOSTS)


@given(several, st.booleans(), st.none() | st.text(), st.none() | st.text())
def test_an_address_is_read_back_as_it_was_written(
    named: list[tuple[str, int]], tls: bool, user: str | None, password: str | None
) -> None:
    (host, port), *others = named
    broker = Broker(host, port, tls, others=tuple(others))
    assert Broker.parse(str(broker)) == broker
    assert broker.hosts == tuple(named)
    login = "" if user is None else quote(user, safe="")
    login += "" if password is None else f":{quote(password, safe='')}"
    scheme, _, rest = str(broker).partition("://")
    found = Broker.parse(f"{scheme}://{login}@{rest}")
    assert (found.user, found.password) == (user or "", password)
    assert (found.hosts, found.tls) == (broker.hosts, tls)


@given(several, st.booleans(), st.binary(min_size=16, max_size=16))
def test_an_invitation_is_read_back_as_it_was_written(
    named: list[tuple[str, int]], tls: bool, key: bytes
) -> None:
    (host, port), *others = named
    told = Invitation(host, port, "ABCDEFGHIJKLMNOP", key, tls, tuple(others))
    assert read_invitation(f'"{told}" ') == told
    assert told.broker == Broker(host, port, tls, others=tuple(others))


@given(st.text())
def test_no_text_breaks_the_reading_of_addresses(text: str) -> None:
    for start in ("", "mqtt://", "mqtts://a,", "mqtt://[", "mqtt://lou:secret@"):
        try:
            found = Broker.parse(start + text)
        except TransportError:
            continue
        # Read once more, the user aside, it means the same.
        again = Broker.parse(str(found))
        assert (again.hosts, again.tls) == (found.hosts, found.tls)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mqtt://a,b:7,c", [("a", 1883), ("b", 7), ("c", 1883)]),
        ("mqtts://lou:a,b@A.example.net,b", [("a.example.net", 8883), ("b", 8883)]),
        ("mqtts://[::1],[2001:db8::2]:8884/", [("::1", 8883), ("2001:db8::2", 8884)]),
    ],
)
def test_every_host_has_a_port(text: str, expected: list[tuple[str, int]]) -> None:
    assert Broker.parse(text).hosts == tuple(expected)


TOO_MANY = "mqtt://" + ",".join(["a"] * (MOST_HOSTS + 1))


@pytest.mark.parametrize(
    "text",
    [
        *("mqtt://a,", "mqtt://,a", "mqtt://a,,b", "mqtt://a;b", "mqtt://a, b", "mqtt://a,b:0"),
        *("mqtt://a,b:65536", "mqtt://a,[b]", "mqtt://a,::1", "mqtt://a,lou@b,c@d:x", TOO_MANY),
        *("mqtt://exämple.net", "mqtt://a:", "mqtt://[::1]x", "mqtt://a,mqtt://b"),
    ],
)
def test_what_is_no_list_of_hosts_is_refused(text: str) -> None:
    with pytest.raises(TransportError) as caught:
        Broker.parse(text)
    assert caught.value.code == "bad-url"


@pytest.mark.parametrize(
    ("hosts", "code"),
    [
        ("a,", "bad-invitation"),
        ("a,b@c", "bad-invitation"),
        ("a,b:65536", "bad-port"),
        (",".join(["a"] * (MOST_HOSTS + 1)), "bad-invitation"),
    ],
)
def test_what_is_no_invitation_to_a_cluster_says_what_is_wrong(hosts: str, code: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        read_invitation(f"farfadet://{hosts}/ABCDEFGHIJKLMNOP#AAAAAAAAAAAAAAAAAAAAAA")
    assert caught.value.code == code


def test_an_invitation_without_ports_means_the_usual_ones() -> None:
    rest = "a.example.net,b.example.net/ABCDEFGHIJKLMNOP#AAAAAAAAAAAAAAAAAAAAAA"
    for tls, scheme in (("", "mqtt"), ("s", "mqtts")):
        found = read_invitation(f"farfadet{tls}://{rest}")
        assert {port for _, port in found.broker.hosts} == {PORTS[scheme]}


def test_a_host_on_a_cluster_invites_to_all_of_it() -> None:
    at = Broker.parse("mqtts://lou:secret@a,b:7")
    told = invite(Identity.fresh("lou").key, at.host, at.port, at.tls, at.others)
    assert told.broker.hosts == at.hosts
    assert "secret" not in str(told)


def test_who_has_answered_says_more_than_who_has_not() -> None:
    codes = ["no-such-host", "timeout", "closed", "refused", "auth", "tls"]
    found = min((TransportError(code) for code in codes), key=telling)
    assert found.code == "auth"
