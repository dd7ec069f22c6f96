"""A terminal that is the same everywhere: Textual reads the environment when it is imported."""

from __future__ import annotations

import os

for _name in list(os.environ):
    if _name in {"NO_COLOR", "COLORTERM", "LANG"} or _name.startswith(("TEXTUAL_", "LC_")):
        del os.environ[_name]
