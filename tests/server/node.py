"""`python -m tests.server.node`: `fleetfold serve` with the tiny title beside the others, to be killed.

It is one process unless it is told by `--processes` to be several, which know the title, too.
"""

import os
import sys

from domain.titles import TITLES
from server.__main__ import main
from server.commands import child
from server.machine import parent
from tests.tiny import GAME

if __name__ == "__main__":
    TITLES[GAME.name] = GAME
    match sys.argv[1:]:
        case ["child", line, starter]:
            child.main(line, starter)
        case given:
            parent.PROGRAM[:] = ["-P", "-m", "tests.server.node", "child"]
            os.environ.setdefault("FLEETFOLD_PROCESSES", "1")
            main(["serve", *given], prog_name="fleetfold")
