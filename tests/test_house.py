"""The house rules that no other tool checks: what is really imported, and how long files are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 400
"""Most lines of a file: a longer one is asking to be two."""

IMPORT_ALL = """
import json, pkgutil, sys
from importlib import import_module
room = import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    import_module(module.name)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def imported(room: str) -> set[str]:
    """The top-level packages that are loaded when all of ``room`` is, in a process of its own."""
    command = [sys.executable, "-c", IMPORT_ALL, room]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_rules_load_nothing_but_the_standard_library() -> None:
    others = imported("rules") - sys.stdlib_module_names - {"rules", "__main__", "__mp_main__"}
    # An editable install hooks itself into every process.
    assert {name for name in others if not name.startswith(("_", "site"))} == set()


def test_the_network_loads_no_screen_and_no_broker() -> None:
    loaded = imported("net")
    assert {"nacl", "msgpack", "aiomqtt"} <= loaded
    assert not loaded & {"textual", "rich", "tui", "broker"}


def test_the_broker_loads_no_rules_and_no_screen() -> None:
    assert not imported("broker") & {"textual", "rules", "tui", "nacl"}


@pytest.mark.parametrize("suffix", ["py", "md"])
def test_nothing_kept_names_a_place_on_this_machine(suffix: str) -> None:
    files = [path for path in ROOT.rglob(f"*.{suffix}") if ".venv" not in path.parts]
    assert files
    for path in files:
        assert "/work" + "/" not in path.read_text(encoding="utf-8"), path


def test_every_link_in_the_pages_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) > 20
    missing = [(page.name, target) for page, target in links if not (page.parent / target).exists()]
    assert missing == []


def test_no_file_is_over_long() -> None:
    rooms = ("rules", "net", "broker", "tui", "tests")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 40
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in files
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_locked_dependencies_carry_hashes_and_no_places() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    names = [line for line in lock.splitlines() if line and line[0].isalpha()]
    assert len(names) > 20
    assert all("==" in line for line in names)
    assert lock.count("--hash=sha256:") >= len(names)
    assert "://" not in lock
