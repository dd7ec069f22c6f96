"""What has been heard of tables, on the test's own clock: echoes, farewells, silence, floods."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv6Address, ip_address

from broker.announcement import SERVICE, TTL, service
from broker.sightings import AAAA, ECHOES, MOST, MOST_ADDRESSES, PTR, STALE, A, Sightings
from net.meeting.invitation import read_invitation
from tests.broker.lan_tables import HOME, Record, as_seen, records_of, some_table


def _sightings() -> Sightings:
    heard = Sightings()
    heard.move(HOME)
    return heard


def test_records_make_a_table_in_any_order() -> None:
    for shift in range(4):
        heard, table = _sightings(), some_table()
        records = records_of(table)
        heard.hear(records[shift:] + records[:shift], 0, 0)
        assert heard.tables == (as_seen(table, "192.168.1.20"),)


def test_a_table_is_there_once_all_of_it_has_been_heard() -> None:
    heard, table = _sightings(), some_table()
    for record in reversed(records_of(table)):
        assert not heard.tables
        heard.hear([record], 0, 0)
    assert heard.tables == (as_seen(table, "192.168.1.20"),)


def test_the_last_word_counts_and_its_echoes_do_not() -> None:
    heard, table = _sightings(), some_table()
    said = [records_of(replace(table, taken=taken), word=at) for at, taken in enumerate((1, 2, 1))]
    for at, taken in ((0, 1), (1, 2), (0, 2), (2, 1), (0, 1), (1, 1), (2, 1)):
        heard.hear(said[at], 0, 0)
        assert [found.taken for found in heard.tables] == [taken]
    # Who begins to count anew is heard, too.
    heard.hear(said[1], 0, ECHOES + 0.1)
    assert [found.taken for found in heard.tables] == [2]


def test_a_farewell_is_taken_at_once_and_silence_in_the_end() -> None:
    heard, one, other = _sightings(), some_table(), some_table()
    heard.hear(records_of(one), 0, 0)
    heard.hear(records_of(other), 0, 0)
    heard.hear(records_of(one, ttl=0), 0, 1)
    assert len(heard.tables) == 1
    heard.age(TTL)
    assert len(heard.tables) == 1
    heard.age(TTL + 0.1)
    assert not heard.tables


def test_an_answer_after_the_farewell_does_not_bring_a_table_back_but_its_host_does() -> None:
    heard, table = _sightings(), some_table()
    heard.hear(records_of(table, word=1), 0, 0)
    heard.hear(records_of(table, word=1, ttl=0), 0, 1)
    heard.hear(records_of(table, word=1), 0, 1 + ECHOES)
    assert not heard.tables
    heard.hear(records_of(table, word=2), 0, 1 + ECHOES)
    assert len(heard.tables) == 1
    heard.hear(records_of(table, word=2, ttl=0), 0, 5)
    heard.age(5 + ECHOES + 0.1)
    heard.hear(records_of(table, word=0), 0, 5 + ECHOES + 0.1)
    assert len(heard.tables) == 1


def test_what_answers_in_time_stays() -> None:
    heard, table, asked = _sightings(), some_table(), 0
    heard.hear(records_of(table), 0, 0)
    for now in range(10 * TTL):
        heard.age(now)
        assert len(heard.tables) == 1
        if heard.missing(now):
            asked += 1
            heard.hear(records_of(table), 0, now)
    assert 10 / STALE[1] - 2 < asked < 10 / STALE[0] + 1


def test_nobody_is_believed_for_longer_than_we_say() -> None:
    heard = _sightings()
    heard.hear(records_of(some_table(), ttl=2**31), 0, 0)
    assert len(heard.tables) == 1
    heard.age(TTL + 0.1)
    assert not heard.tables


def test_a_flood_fills_what_there_is_room_for_and_no_more() -> None:
    heard = _sightings()
    for _ in range(3 * MOST):
        heard.hear(records_of(some_table()), 0, 0)
    assert len(heard.tables) == MOST
    assert heard.dropped == 2 * MOST
    heard.age(TTL + 1)
    heard.hear(records_of(some_table()), 0, TTL + 1)
    assert len(heard.tables) == 1


def test_a_table_with_a_thousand_addresses_keeps_a_few() -> None:
    heard, table = _sightings(), some_table()
    server = service(table, HOME).server or ""
    heard.hear(records_of(table), 0, 0)
    many = [Record(server, A, address=ip_address(0x0A000000 + at).packed) for at in range(1000)]
    heard.hear(many, 0, 0)
    [seen] = heard._found.values()
    assert len(seen.addresses) == MOST_ADDRESSES
    assert heard.tables == (as_seen(table, "192.168.1.20"),)


def test_an_address_that_is_no_longer_said_is_forgotten() -> None:
    heard, table = _sightings(), some_table()
    heard.hear(records_of(table, "192.168.1.20"), 0, 0)
    heard.hear(records_of(table, "192.168.1.30"), 0, TTL)
    heard.age(TTL + 1)
    assert heard.tables == (as_seen(table, "192.168.1.30"),)


def test_an_address_of_one_link_is_told_with_the_link() -> None:
    heard, table = _sightings(), some_table()
    (_, *records) = records_of(table)
    address = IPv6Address("fe80::1").packed
    server = service(table, HOME).server or ""
    heard.hear([*records, Record(server, AAAA, address=address)], 0, 0)
    assert not heard.tables
    heard.hear([Record(server, AAAA, address=address, scope_id=3)], 0, 0)
    [found] = heard.tables
    assert found.invitation.host == "fe80::1%3"
    assert read_invitation(str(found.invitation)) == found.invitation


def test_our_own_table_is_not_one_of_the_others() -> None:
    heard, table = _sightings(), some_table()
    heard.hear(records_of(table), 0, 0)
    heard.own(table.invitation.room)
    assert not heard.tables
    assert not heard.echo
    heard.hear(records_of(table), 0, 0)
    assert not heard.tables
    assert heard.echo


def test_names_that_are_none_are_counted_and_forgotten() -> None:
    heard = _sightings()
    for alias in ("", SERVICE, f"..{SERVICE}", f"{'a' * 17}.{SERVICE}", "x" * 255):
        heard.hear([Record(SERVICE, PTR, alias=alias)], 0, 0)
    assert heard.dropped == 5
    assert not heard.missing(0)
