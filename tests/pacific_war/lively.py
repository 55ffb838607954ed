"""A player by chance that seeks the enemy, so that random matches have battles in them."""

from collections.abc import Sequence
from random import Random

from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOATS, LOCATIONS
from domain.pacific_war.board.table import Open, enemy
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import Activate

ENDS = (
    d.Done,
    d.Pass,
    d.EndMissions,
    d.Decline,
    d.Evade,
    d.NoAttack,
    d.HoldFire,
    d.DeactivateTF,
    d.Deactivate,
)
"""What ends a window, or avoids a fight: picked less often."""
SELDOM = 0.15
SUBMARINES = tuple(map(Activate, BOATS))
EAGER = 0.7
"""How often a task force sails as near to the enemy as it can, and a seaplane to a base of its own."""


def lively(table: Table, chance: Random) -> tuple[int, list[Decision]]:
    """Return a seat that is asked and a whole command of it."""
    seat = chance.choice(sorted(table.prompts))
    ahead, decisions = table, [_pick(table, seat, chance)]
    while ahead.sealed(seat) and decisions[-1] in ahead.quiet(seat):
        ahead = ahead.ahead(seat, decisions[-1:])
        decisions.append(_pick(ahead, seat, chance))
    return seat, decisions


def _pick(table: Table, seat: int, chance: Random) -> Decision:
    options = table.prompts[seat].options
    if isinstance(options[0], d.SailTo) and chance.random() < EAGER:
        return _nearest(table.state.open, seat, options)
    seaplanes = [one for one in options if isinstance(one, d.Target) and one.target in BOATS]
    if seaplanes and chance.random() < EAGER:
        return seaplanes[0]
    weights = [SELDOM if isinstance(option, ENDS) else 1.0 for option in options]
    # Few moves and landings beside many other options, and one submarine among many ships.
    weights = [
        w * (len(options) if isinstance(o, (d.MoveTF, d.Disembark)) or o in SUBMARINES else 1)
        for w, o in zip(weights, options, strict=True)
    ]
    return chance.choices(options, weights)[0]


def _nearest(open: Open, side: int, options: Sequence[Decision]) -> Decision:
    foe = enemy(side)
    goals = [force.node[:4] for force in open.tfs.values() if force.side == foe]
    goals += [LOCATIONS[place].hex for place, base in open.bases.items() if base.control == foe]

    def far(option: Decision) -> int:
        assert isinstance(option, d.SailTo)
        return min((distance(option.node, goal) for goal in goals), default=0)

    return min(options, key=far)
