"""`python -m tests.peers.node`: `fleetfold serve`, with the endless title beside the others."""

from domain.titles import TITLES
from server.__main__ import main
from server.bench.endless import ENDLESS

if __name__ == "__main__":
    TITLES[ENDLESS.name] = ENDLESS
    main(["serve"], prog_name="fleetfold")
