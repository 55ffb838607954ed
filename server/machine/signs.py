"""Whether a process stands still: how often one has looked at its signs of life in vain.

Looks are counted, and not seconds, so that one who stood still himself, or is late since the machine is busy,
does not take that for silence. A late look does not count at all: what was said meanwhile may not have been
read yet. A process that would run and is given no processor is not counted either: it is starved, and another
in its place would be, too. Only Linux tells of that.
"""

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Final

LOOK: Final = 1.0
"""Seconds between two looks."""

LATE: Final = 2.0
"""Times LOOK since the look before after which one is late."""

STARVED: Final = 0.05
"""Share of the time between two looks below which one that would run was not let."""


class Signs:
    """What was seen of one process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._heard = float("-inf")
        self._used = 0.0
        self._vain = 0
        self._looked = time.monotonic()

    def look(self, heard: float) -> float:
        """Look, with the time when something was heard last; return for how many seconds it stands still."""
        before, self._looked = self._looked, time.monotonic()
        late = self._looked - before > LATE * LOOK
        runnable, used = _running(self._pid)
        starved = runnable and used - self._used < STARVED * LOOK
        self._used = used
        if heard != self._heard:
            self._heard, self._vain = heard, 0
        elif not (starved or late):
            self._vain += 1
        return self._vain * LOOK


def _running(pid: int) -> tuple[bool, float]:
    """Return whether a process runs or would run, and the seconds of the processor that it has used."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            return fields[0] == "R", (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return False, 0.0
