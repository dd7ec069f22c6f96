"""Runs a server for exactly as long as somebody holds our standard input open.

Started by ``broker/engine.py`` as a program of its own, with a folder and a command as arguments.
When the process that started it ends, however it ends, the system closes the pipe; then the server
is stopped and the folder removed. A pipe does this on every system. On Linux the kernel also stops
the server should this program itself be killed; elsewhere the server would stay.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading

GRACE = 3.0
"""Seconds between asking the server to stop and stopping it."""


_PR_SET_PDEATHSIG = 1


def _die_with_us() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main(folder: str, *command: str) -> int:
    """Run ``command`` until it ends or standard input does; its exit status, 127 if not run."""
    try:
        server = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            # Safe here, where there is no thread yet.
            preexec_fn=_die_with_us if sys.platform == "linux" else None,
        )
    except OSError as error:
        print(error, file=sys.stderr)
        return 127

    def stop() -> None:
        server.terminate()
        try:
            server.wait(GRACE)
        except subprocess.TimeoutExpired:
            server.kill()

    def hold() -> None:
        # Not sys.stdin: its lock, held here, would abort the interpreter's own ending.
        while os.read(0, 1024):
            pass
        stop()

    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    threading.Thread(target=hold, daemon=True).start()
    try:
        return server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
