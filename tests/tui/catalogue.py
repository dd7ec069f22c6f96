"""The French catalogue against the texts in the code; with FARFADET_GOLDEN=write, it is updated.

New texts get an empty translation to fill in; texts that are gone are dropped; the compiled file is
written anew.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

TUI = Path(__file__).parents[2] / "tui"
PO = TUI / "locale" / "fr" / "LC_MESSAGES" / "farfadet.po"
MO = PO.with_suffix(".mo")

KEYWORDS = {"N_": None, "NN_": (1, 2)}


_NOISE = tuple(
    f'"{field}:'
    for field in (
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Generated-By",
        "Last-Translator",
        "Language-Team",
        "Report-Msgid-Bugs-To",
    )
)
"""Header lines that would differ from day to day or say nothing."""

PLURALS = "nplurals=2; plural=(n > 1);"


def _empty() -> Catalog:
    catalogue = Catalog(
        locale="fr",
        domain="farfadet",
        project="farfadet",
        version="1",
        header_comment="# farfadet in French.",
        fuzzy=False,
    )
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    catalogue.mime_headers = [("Plural-Forms", PLURALS)]
    return catalogue


def texts() -> Catalog:
    """Every marked text in the code."""
    catalogue = _empty()
    found = extract_from_dir(TUI, keywords=KEYWORDS, comment_tags=())
    for file, _, message, _, _ in sorted(found, key=lambda entry: (entry[0], entry[1])):
        catalogue.add(message, locations=[(file.replace("\\", "/"), 0)])
    return catalogue


def french() -> Catalog:
    """The translations as they are."""
    with PO.open("rb") as file:
        return read_po(file, locale="fr", domain="farfadet")


def updated() -> Catalog:
    """The translations for exactly the texts in the code."""
    old, new = french(), texts()
    for message in new:
        known = old.get(message.id) if message.id else None
        if known is not None:
            message.string = known.string
    return new


def po_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as a file for translators."""
    buffer = BytesIO()
    write_po(buffer, catalogue, width=100, omit_header=False, include_lineno=False)
    lines = buffer.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_NOISE)).encode()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as programs read it; the same bytes for the same translations."""
    bare = _empty()
    for message in catalogue:
        if message.id:
            bare.add(message.id, message.string)
    buffer = BytesIO()
    write_mo(buffer, bare)
    return buffer.getvalue()
