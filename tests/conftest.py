"""What runs by day and what by night: see the markers ``nightly`` and ``sampled``."""

from __future__ import annotations

from collections import Counter

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of ``n`` cases of a test that is ``sampled(n)``, all but the first are for the night."""
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % mark.args[0]:
            item.add_marker(pytest.mark.nightly)
        seen[test] += 1
