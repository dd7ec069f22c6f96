"""Many rooms over one connection: everybody hears their own room, and of the link."""

from __future__ import annotations

from net.link import topics
from net.link.memory import Hub
from net.link.switch import Line, Switch

Heard = list[tuple[str, bytes]]


def line(switch: Switch, room: str, heard: Heard, links: list[bool]) -> Line:
    """A way into ``room`` that notes what it hears of the log."""
    way = switch.line(room)
    way.subscribe(topics.heard(room, "log"))
    way.listen(lambda topic, payload: heard.append((topic, payload)), links.append)
    return way


class Stage:
    """A switch with two rooms, and somebody else on the same hub."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.transport = self.hub.transport()
        self.rest: Heard = []
        self.links: list[bool] = []
        self.switch = Switch(
            self.transport,
            lambda topic, payload: self.rest.append((topic, payload)),
            self.links.append,
        )
        self.heard: dict[str, Heard] = {"A": [], "B": []}
        self.told: dict[str, list[bool]] = {"A": [], "B": []}
        self.lines = {
            room: line(self.switch, room, self.heard[room], self.told[room]) for room in "AB"
        }
        self.other = self.hub.transport()

    async def open(self) -> None:
        """All are there."""
        await self.switch.open()
        await self.other.open()
        for way in self.lines.values():
            await way.open()

    async def say(self, *spoken: tuple[str, str, bytes]) -> None:
        """The other says things: room, kind, payload."""
        for room, kind, payload in spoken:
            self.other.publish(topics.spoken(room, kind, "x"), payload)
        await self.hub.quiet()


async def test_each_line_hears_what_it_asked_for_in_its_room() -> None:
    stage = Stage()
    await stage.open()
    await stage.say(("A", "log", b"1"), ("B", "log", b"2"), ("A", "sync", b"3"))
    assert stage.heard == {
        "A": [(topics.spoken("A", "log", "x"), b"1")],
        "B": [(topics.spoken("B", "log", "x"), b"2")],
    }


async def test_what_is_said_elsewhere_is_for_the_owner_of_the_switch() -> None:
    stage = Stage()
    await stage.open()
    await stage.say(("C", "log", b"1"), ("C", "chat", b"2"))
    assert stage.rest == [(topics.spoken("C", "log", "x"), b"1")]
    assert stage.heard == {"A": [], "B": []}


async def test_a_closed_line_hears_nothing_and_the_others_go_on() -> None:
    stage = Stage()
    await stage.open()
    await stage.lines["A"].close()
    await stage.lines["A"].close()
    await stage.say(("A", "log", b"1"), ("B", "log", b"2"))
    assert stage.heard["A"] == []
    assert len(stage.heard["B"]) == 1


async def test_two_lines_into_one_room_do_not_hinder_each_other() -> None:
    stage, heard = Stage(), Heard()
    await stage.open()
    second = line(stage.switch, "A", heard, [])
    await second.open()
    await stage.say(("A", "log", b"1"))
    await second.close()
    await stage.say(("A", "log", b"2"))
    assert [payload for _, payload in heard] == [b"1"]
    assert [payload for _, payload in stage.heard["A"]] == [b"1", b"2"]


async def test_what_a_line_says_reaches_the_room() -> None:
    stage, heard = Stage(), Heard()
    stage.other.subscribe(topics.heard("A", "log"))
    stage.other.listen(lambda topic, payload: heard.append((topic, payload)), lambda up: None)
    await stage.open()
    stage.lines["A"].publish(topics.spoken("A", "log", "me"), b"hello")
    await stage.hub.quiet()
    assert heard == [(topics.spoken("A", "log", "me"), b"hello")]


async def test_all_learn_when_the_link_is_lost_and_when_it_is_back() -> None:
    stage = Stage()
    await stage.open()
    stage.transport.lose()
    late_told: list[bool] = []
    await line(stage.switch, "C", [], late_told).open()
    assert late_told == []
    stage.transport.regain()
    assert stage.links == [True, False, True]
    assert stage.told == {"A": [True, False, True], "B": [True, False, True]}
    assert late_told == [True]


async def test_one_subscription_serves_any_number_of_rooms() -> None:
    stage = Stage()
    await stage.open()
    before = set(stage.transport._patterns)
    for number in range(100):
        await line(stage.switch, f"R{number}", [], []).open()
    assert set(stage.transport._patterns) == before
