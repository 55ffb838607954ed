"""Twins of a table: a hidden thing of a side is another, and what everybody else is sent must be the same.

Each of `CHANGES` puts another value behind a side's screen: a level, Command Points, points of submarines,
what lies in which port. A command is then carried out on the table as it is and on its twin, with the same
dice. Deliberately absent: picks of sealed windows, see `test_00_twins.picked`.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.kernel.audience import Audience, Viewer
from domain.kernel.dice import Dice, Scripted
from domain.kernel.facts import State
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.views import Views, patch
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.table import Open, Own
from tests.kernel.playing import copy_of
from tests.kernel.secrecy import message

Change = Callable[[Open, Own, Random], bool]
"""Puts another value behind a screen; False where there is nothing to change."""


def level(_open: Open, own: Own, chance: Random) -> bool:
    """Another level of Strategic Intelligence (P7.1)."""
    own.means.level = chance.choice([n for n in range(4) if n != own.means.level])
    return True


def condition(_open: Open, own: Own, chance: Random) -> bool:
    """Another Condition (P21.1)."""
    if not own.means.condition:
        return False
    own.means.condition = chance.choice([one for one in ("S", "I", "A") if one != own.means.condition])
    return True


def points(_open: Open, own: Own, chance: Random) -> bool:
    """Another number of Command Points of a headquarters (P10.3)."""
    return _more(own.means.points, chance)


def submarines(_open: Open, own: Own, chance: Random) -> bool:
    """Another number of submarine points at a Command (P14.6)."""
    return _more(own.means.submarines, chance)


def pools(_open: Open, own: Own, chance: Random) -> bool:
    """Another number in one of the pools, or of escorts (P9.1, P10.4, P14.2)."""
    name = chance.choice(("pool", "fop", "escorts"))
    setattr(own.means, name, getattr(own.means, name) + 1)
    return True


def duty(_open: Open, own: Own, _chance: Random) -> bool:
    """Another number of submarine points on merchant duty (P9.2, P14.2)."""
    if not own.means.duty:
        return False
    own.means.duty += 1
    return True


def priority(_open: Open, own: Own, _chance: Random) -> bool:
    """Another target of the submarines (P9.2)."""
    if not own.means.priority:
        return False
    own.means.priority = "escorts" if own.means.priority == "merchants" else "merchants"
    return True


def patrols(_open: Open, own: Own, chance: Random) -> bool:
    """Another number of points on a patrol (P25.1)."""
    return _more(own.patrols, chance)


def links(_open: Open, own: Own, chance: Random) -> bool:
    """A headquarters without the links that it was told (P11.6.1)."""
    known = sorted(hq for hq, spots in own.means.links.items() if spots)
    if known:
        own.means.links = own.means.links | {chance.choice(known): ()}
    return bool(known)


def order(_open: Open, own: Own, chance: Random) -> bool:
    """Another standing order (P0.9.5)."""
    own.means.order = chance.choice([n for n in (-1, 0, 3, 6, 10) if n != own.means.order])
    return True


def ships(open: Open, own: Own, chance: Random) -> bool:
    """Two hidden ships that have changed their ports."""
    moored = [ship for ship, one in sorted(own.ships.items()) if one.port and ship not in open.ships]
    pairs = [(a, b) for a in moored for b in moored if own.ships[a].port < own.ships[b].port]
    if not pairs:
        return False
    one, other = chance.choice(pairs)
    mine, theirs = own.ships[one], own.ships[other]
    own.ships |= {one: replace(mine, port=theirs.port), other: replace(theirs, port=mine.port)}
    return True


def wings(open: Open, own: Own, chance: Random) -> bool:
    """A hidden air unit of another level."""
    based = [unit for unit, one in sorted(own.air.items()) if one.home and one.steps and unit not in open.air]
    if not based:
        return False
    unit = chance.choice(based)
    own.air |= {unit: replace(own.air[unit], level=1 if own.air[unit].level != 1 else 2)}
    return True


def troops(open: Open, own: Own, chance: Random) -> bool:
    """A hidden ground unit that is Isolated, or is not."""
    there = [unit for unit, one in sorted(own.ground.items()) if one.hex and unit not in open.ground]
    if not there:
        return False
    unit = chance.choice(there)
    own.ground |= {unit: replace(own.ground[unit], isolated=not own.ground[unit].isolated)}
    return True


def _more(counts: dict[str, int], chance: Random) -> bool:
    if not counts:
        return False
    what = chance.choice(sorted(counts))
    counts[what] += 1
    return True


CHANGES: Mapping[str, Change] = {
    "level": level,
    "condition": condition,
    "points": points,
    "submarines": submarines,
    "pools": pools,
    "duty": duty,
    "priority": priority,
    "patrols": patrols,
    "links": links,
    "order": order,
    "ships": ships,
    "wings": wings,
    "troops": troops,
}


def asked(state: State[Any, Any]) -> set[int]:
    """Return which seats are asked where a state stands, by what they can decide now."""
    return {*Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, state), Scripted(())).prompts}


def sent(
    state: State[Any, Any], dice: Dice, seat: int, decisions: Sequence[Decision], foe: int
) -> list[tuple[bytes, bytes]]:
    """Carry out a command; return what side `foe` and the onlookers saw before it, and are sent for it.

    Raises Illegal and NotOneCommand.
    """
    audiences: tuple[Viewer, ...] = (Audience.of(foe), Audience.ONLOOKERS)
    views = Views(PACIFIC_WAR)
    table = Table(PACIFIC_WAR, state, dice)
    was = views.of(state, audiences)
    prompts = {side: prompt for side, prompt in table.prompts.items() if side == foe}
    facts = list(enumerate(table.decide_all(seat, decisions), 1))
    now = views.of(state, audiences)
    return [
        (
            PACIFIC_WAR.encode([was[audience], {} if side is None else prompts]),
            message(table, facts, patch(was[audience], now[audience]), side),
        )
        for audience, side in zip(audiences, (foe, None), strict=True)
    ]
