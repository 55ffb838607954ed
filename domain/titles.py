"""The titles that can be played. A title is added here and nowhere else."""

from domain.coral_sea import CORAL_SEA
from domain.match.game import Game
from domain.midway import MIDWAY
from domain.nimitz import NIMITZ

TITLES: dict[str, Game] = {MIDWAY.name: MIDWAY, CORAL_SEA.name: CORAL_SEA, NIMITZ.name: NIMITZ}
