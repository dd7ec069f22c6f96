"""Tables found between machines: network namespaces that are joined by cables of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from tests.broker.neighbour import Neighbour
from tests.services import program

pytestmark = pytest.mark.broker


class Site:
    """Machines that nothing but these cables leads to or from; gone when it is closed."""

    def __init__(self) -> None:
        self._ip = str(program("ip"))
        self._machines: list[str] = []
        self._cables = 0

    def run(self, *command: str) -> None:
        """``ip`` with these arguments."""
        subprocess.run([self._ip, *command], check=True, capture_output=True, text=True)

    def machine(self) -> str:
        """A new machine, on no network."""
        name = f"farfadet-{os.getpid()}-{len(self._machines)}"
        self.run("netns", "add", name)
        self._machines.append(name)
        # An address may be used at once, without asking around for two seconds whose it is.
        self.set(name, "default/accept_dad", "0")
        self.run("-n", name, "link", "set", "lo", "up")
        return name

    def set(self, machine: str, setting: str, value: str) -> None:
        """Change a setting of IPv6."""
        write = f"echo {value} > /proc/sys/net/ipv6/conf/{setting}"
        self.run("netns", "exec", machine, "sh", "-c", write)

    def cable(self, *ends: tuple[str, str]) -> str:
        """Join two machines, each with this address (``""``: none but what it gives itself)."""
        self._cables += 1
        name = f"cable{self._cables}"
        (one, _), (other, _) = ends
        veth = ("type", "veth", "peer", "name", name, "netns", other)
        self.run("-n", one, "link", "add", name, *veth)
        for machine, address in ends:
            if address:
                self.run("-n", machine, "address", "add", address, "dev", name)
            self.run("-n", machine, "link", "set", name, "up")
        return name

    def on(self, machine: str, role: str, **settings: object) -> Neighbour:
        """A neighbour that lives there."""
        return Neighbour(role, self._ip, "netns", "exec", machine, **settings)

    def close(self) -> None:
        """Take everything down."""
        for machine in self._machines:
            subprocess.run([self._ip, "netns", "delete", machine], check=False)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    try:
        try:
            site.machine()
        except subprocess.CalledProcessError as error:
            # What a kernel forbids cannot be installed.
            if os.environ.get("CI") and "not permitted" not in str(error.stderr).lower():
                raise
            pytest.skip(f"no network namespaces here: {error.stderr}")
        yield site
    finally:
        site.close()


async def test_a_table_is_found_on_another_machine_and_joined(site: Site) -> None:
    here, there = site.machine(), site.machine()
    site.cable((here, "10.77.1.1/24"), (there, "10.77.1.2/24"))
    async with site.on(there, "look") as guest:
        await guest.says(tables=0, problem="")
        async with site.on(here, "host") as host:
            await guest.says(tables=1, at="10.77.1.1", taken=1)
            guest.tell("join")
            await guest.says(joined="Lou")
            host.tell("2")
            await guest.says(tables=1, taken=2)
        await guest.says(tables=0, problem="")


async def test_who_comes_later_finds_it_too(site: Site) -> None:
    here, there = site.machine(), site.machine()
    site.cable((here, "10.77.1.1/24"), (there, "10.77.1.2/24"))
    async with site.on(here, "host") as host:
        await host.says(problem="")
        async with site.on(there, "look") as guest:
            await guest.says(tables=1, at="10.77.1.1")
            host.tell("withdraw")
            await guest.says(tables=0)


async def test_a_network_without_ipv4_will_do(site: Site) -> None:
    here, there = site.machine(), site.machine()
    site.cable((here, "fd77::1/64"), (there, "fd77::2/64"))
    async with site.on(there, "look") as guest, site.on(here, "host"):
        await guest.says(tables=1, at="fd77::1")
        guest.tell("join")
        await guest.says(joined="Lou")


async def test_a_cable_between_two_machines_and_no_addresses_will_do(site: Site) -> None:
    here, there = site.machine(), site.machine()
    site.cable((here, ""), (there, ""))
    async with site.on(there, "look") as guest, site.on(here, "host"):
        found = await guest.says(tables=1)
        assert found["at"].startswith("fe80::")
        assert "%" in found["at"]
        guest.tell("join")
        await guest.says(joined="Lou")


async def test_a_network_without_ipv6_will_do(site: Site) -> None:
    here, there = site.machine(), site.machine()
    for machine in (here, there):
        site.set(machine, "all/disable_ipv6", "1")
        site.set(machine, "default/disable_ipv6", "1")
    site.cable((here, "10.77.1.1/24"), (there, "10.77.1.2/24"))
    async with site.on(there, "look") as guest, site.on(here, "host"):
        await guest.says(tables=1, at="10.77.1.1")


async def test_each_is_told_the_address_that_it_reaches(site: Site) -> None:
    middle, left, right = site.machine(), site.machine(), site.machine()
    site.cable((middle, "10.77.1.1/24"), (left, "10.77.1.2/24"))
    site.cable((middle, "10.77.2.1/24"), (right, "10.77.2.2/24"))
    for machine in (middle, left, right):
        # As machines with containers have it, all of them alike.
        site.run("-n", machine, "link", "add", "docker0", "type", "bridge")
        site.run("-n", machine, "address", "add", "172.17.0.1/16", "dev", "docker0")
        site.run("-n", machine, "link", "set", "docker0", "up")
    async with (
        site.on(middle, "host"),
        site.on(left, "look") as one,
        site.on(right, "look") as other,
    ):
        for guest, address in ((one, "10.77.1.1"), (other, "10.77.2.1")):
            await guest.says(tables=1, at=address)
            guest.tell("join")
            await guest.says(joined="Lou")


async def test_without_a_network_one_is_told(site: Site) -> None:
    alone = site.machine()
    async with site.on(alone, "host") as host, site.on(alone, "look") as guest:
        await host.says(problem="no-multicast")
        # Two terminals of one machine see each other even so.
        await guest.says(tables=1, problem="no-multicast")


async def test_without_any_interface_one_is_told(site: Site) -> None:
    alone = site.machine()
    site.run("-n", alone, "link", "set", "lo", "down")
    async with site.on(alone, "look") as guest:
        await guest.says(tables=0, problem="no-multicast")


async def test_a_network_that_comes_later_is_used(site: Site) -> None:
    here, there = site.machine(), site.machine()
    async with (
        site.on(there, "look", rescan=1) as guest,
        site.on(here, "host", rescan=1) as host,
    ):
        await guest.says(tables=0, problem="no-multicast")
        await host.says(problem="no-multicast")
        cable = site.cable((here, "10.77.1.1/24"), (there, "10.77.1.2/24"))
        await guest.says(tables=1, problem="", at="10.77.1.1")
        site.run("-n", there, "link", "set", cable, "down")
        await guest.says(problem="no-multicast")
