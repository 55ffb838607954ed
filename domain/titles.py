"""The titles that can be played. A title is added here and nowhere else."""

from domain.kernel.game import Game
from domain.midway import MIDWAY

TITLES: dict[str, Game] = {MIDWAY.name: MIDWAY}
