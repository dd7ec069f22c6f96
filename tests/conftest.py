"""What runs by day and what by night: see the markers ``nightly`` and ``sampled``."""

from __future__ import annotations

from collections import defaultdict

import pytest

SCREENS = "tests/tui/"
"""Where a case starts an app, and half of the cases of a test will do by day."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of ``n`` cases of a test that is ``sampled(n)``, all but one are for the night."""
    tests: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    for name, cases in tests.items():
        mark = cases[0].get_closest_marker("sampled")
        if mark is not None:
            late = [case for at, case in enumerate(cases) if at % mark.args[0]]
        elif name.startswith(SCREENS) and len(cases) > 2:
            # Neither the even nor the odd ones: they would all be of one language.
            late = [case for at, case in enumerate(cases) if at.bit_count() % 2]
        else:
            continue
        for case in late:
            case.add_marker(pytest.mark.nightly)
