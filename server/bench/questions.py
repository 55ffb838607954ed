"""The share of decision time spent in some frequent queries of the rules, in matches played by bots.

Bots move, supply and fight more than random play does, so this is nearer to a match of people. Only the rules
are profiled, neither the bot nor the view it is given.
"""

import cProfile
from types import CodeType
from typing import Final

from clients.bots import strengths
from domain.titles import TITLES
from server.bench.chance import play
from server.bench.rules import Shares, module_of
from server.bench.sensible import ENDLESS, by

LOOKED_AT: Final = {
    "reach": {"routes", "reach", "ways", "can_end"},
    "supply": {"supply"},
    "isolation": {"isolation"},
}
"""Questions that may be dear, and the modules and functions of a title that answer them; each counts once."""


def questions_shares(most: int = ENDLESS) -> dict[str, Shares]:
    """Return for each title the share of decision time that each query takes, in a match of `most` facts."""
    found = {}
    for game in TITLES.values():
        profile = cProfile.Profile()
        best = list(strengths(game.name).values())[-1]
        play(game, next(iter(game.scenarios)), most, choose=by(game, best), around=profile.runcall)
        shares = looked_at(profile)
        if any(shares.values()):
            found[game.name] = shares
    return found


def looked_at(profile: cProfile.Profile) -> Shares:
    """Return the part of all that was profiled that each question takes, with what it calls."""
    entries = profile.getstats()
    whole = sum(entry.inlinetime for entry in entries)
    took = dict.fromkeys(LOOKED_AT, 0.0)
    for entry in entries:
        if question := _question(entry.code):
            within = sum(call.totaltime for call in entry.calls or () if _question(call.code))
            took[question] += entry.totaltime - within
    return {question: round(seconds / whole, 3) for question, seconds in took.items()}


def _question(code: CodeType | str) -> str:
    """Name the question that a function answers; empty for all others."""
    module = module_of(code)
    if module is None or isinstance(code, str):
        return ""
    names = {module.rpartition(".")[2], code.co_name}
    return next((question for question, answered in LOOKED_AT.items() if names & answered), "")
