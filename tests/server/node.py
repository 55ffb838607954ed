"""`python -m tests.server.node`: `fleetfold serve` with the tiny title beside the others, to be killed."""

from domain.titles import TITLES
from server.__main__ import main
from tests.tiny import GAME

if __name__ == "__main__":
    TITLES[GAME.name] = GAME
    main(["serve"], prog_name="fleetfold")
