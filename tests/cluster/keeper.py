"""Runs a command, and sees to it that nothing which came of it outlives this process by more than GRACE.

Run as a script, under an account of its own, through `server.postgres.launch`: at the end of its starter, or
when it is to stop, it gets SIGINT and hands it on. Patroni may then wait for an etcd that is gone for ever,
and its Postgres is nobody's child: here it becomes ours.
"""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
GRACE = 8.0
NAP = 0.05


def reaped() -> None:
    """Take note of all that has ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def left() -> list[int]:
    """Return the processes that are ours, those that were orphaned among them."""
    reaped()
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def main(command: list[str]) -> None:
    """Run it until it ends or we are asked to; then let nothing be left."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    asked = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: asked.set())
    child = os.posix_spawn(command[0], command, os.environ)
    while child in left() and not asked.wait(NAP):
        pass
    until = time.monotonic() + GRACE
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGINT)
    while left() and time.monotonic() < until:
        time.sleep(NAP)
    while there := left():
        for pid in there:
            os.kill(pid, signal.SIGKILL)
        time.sleep(NAP)


if __name__ == "__main__":
    main(sys.argv[1:])
