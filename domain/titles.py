"""The titles that can be played. A title is added here and nowhere else."""

from domain.coral_sea import CORAL_SEA
from domain.match.game import Game
from domain.midway import MIDWAY
from domain.nimitz import NIMITZ
from domain.pacific_war import PACIFIC_WAR

TITLES: dict[str, Game] = {game.name: game for game in (MIDWAY, CORAL_SEA, NIMITZ, PACIFIC_WAR)}
