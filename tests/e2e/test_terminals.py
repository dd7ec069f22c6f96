"""Friends in their terminals play each game to the score, and the files stand up to audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.players import audited, embedded, files, gather, leave, play
from tests.e2e.terminals import terminals
from tests.services import Mosquitto, program

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(400)]


def table(folder: Path, game: str, *hosting: str) -> list[Path]:
    """Play a whole ``game`` between three; their transcripts, the host's first."""
    with terminals(folder) as server:
        players, _ = gather(server, folder, game, *hosting)
        play(players)
        leave(players)
    return files(folder)


@pytest.mark.nightly
def test_three_terminals_play_to_the_score_over_the_embedded_broker(tmp_path: Path) -> None:
    program("tmux")
    # The other games are played to the end in the tests of crashes and absences.
    found = table(tmp_path, "gobelin", "--seats", "3", *embedded())
    data = found[0].read_bytes()
    assert [path.read_bytes() for path in found] == [data] * 3
    verdict = audited(found[0])
    assert verdict["verdict"] == "good"
    assert sorted(map(str, verdict["names"])) == ["Ana", "Bo", "Chloe"]  # type: ignore[call-overload]
    for at in (30, 300, len(data) // 2, len(data) - 1):
        broken = tmp_path / "broken.farfadet"
        broken.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        worse = audited(broken)
        assert worse["verdict"] == "bad"
        assert worse["fault"]


async def test_three_terminals_and_a_bot_play_over_mosquitto(tmp_path: Path) -> None:
    program("tmux")
    program("mosquitto")
    broker = Mosquitto(tmp_path)
    await broker.start()
    try:
        found = table(tmp_path, "taverne", "--seats", "4", "--bots", "1", "--broker", broker.url)
    finally:
        await broker.stop()
    assert len({path.read_bytes() for path in found}) == 1
    assert audited(found[0])["verdict"] == "good"
