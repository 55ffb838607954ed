"""N0.2 One attack; N10.6 to N10.10 who attacks whom; N11.6 what Japanese plans add to it."""

from typing import Literal

from domain.kernel.facts import Modifier
from domain.nimitz.automaton import D10
from domain.nimitz.board import (
    COASTAL,
    ISLAND,
    OCEAN,
    airborne,
    bombers,
    enemy,
    in_foxholes,
    landed,
    on_beach,
    ships,
    side_ashore,
    subs,
    surface_targets,
    transported,
)
from domain.nimitz.charts import COUNTERS, JA, JA_PLANS, US
from domain.nimitz.rows import Ratings
from domain.nimitz.table import AIRFIELD, Open, Table, fighting, rated

Kind = Literal["Dogfight", "AAA", "Bomb runs", "Torpedoes", "Depth charges", "Naval guns", "Infantry"]
DOGFIGHT: Kind = "Dogfight"
AAA: Kind = "AAA"
BOMBS: Kind = "Bomb runs"
TORPEDOES: Kind = "Torpedoes"
DEPTH: Kind = "Depth charges"
GUNS: Kind = "Naval guns"
INFANTRY: Kind = "Infantry"

ASKED_BY: dict[str, str] = {
    DOGFIGHT: "N10.6",
    AAA: "N10.7",
    BOMBS: "N10.8",
    TORPEDOES: "N10.9",
    DEPTH: "N10.9",
    GUNS: "N10.9",
    INFANTRY: "N10.10",
}
"""The rule that asks for a kind of attack; its rolls are recorded under N0.8, which says how they fall."""

KAMIKAZE_YEARS = (1944, 1945)

BONUS: dict[str, tuple[tuple[Kind, ...], int, int]] = {
    "ja.air_combat": ((DOGFIGHT, BOMBS), 3, 2),
    "ja.attack_plan": ((DOGFIGHT, AAA, BOMBS, TORPEDOES, DEPTH, GUNS, INFANTRY), 1, 0),
    "ja.infantry_combat": ((INFANTRY,), 3, 2),
    "ja.ship_combat": ((AAA, GUNS), 3, 2),
    "ja.submarine_warfare": ((TORPEDOES, DEPTH), 4, 2),
}
"""Plan to the attacks it helps, and what it adds to value and superior value (N11.6)."""


def printed(ratings: Ratings, kind: Kind, area: str) -> tuple[int | None, int]:
    """Return the value and superior value of a kind of attack; None is no such attack."""
    if kind == DOGFIGHT:
        return ratings.dogfight, ratings.dogfight_sup
    if kind == AAA:
        return ratings.aaa, ratings.aaa_sup
    if kind == BOMBS:
        return (ratings.bomb_ground if area == ISLAND else ratings.bomb_ship), 0
    if kind == DEPTH:
        return ratings.depth, 0
    return (ratings.infantry if kind == INFANTRY else ratings.surface), 0


def strength(open: Open, name: str, kind: Kind, area: str) -> tuple[int, int, tuple[Modifier, ...]]:
    """Return value, superior value and modifiers of an attack; value 0 or less attacks not (N0.2, R-67)."""
    value, superior = printed(rated(open, name), kind, area)
    if value is None:
        return 0, 0, ()
    modifiers = []
    if COUNTERS[name].side == "JA":
        for plan in fighting(open).in_force:
            kinds, more, better = BONUS.get(plan, ((), 0, 0))
            if kind in kinds:
                modifiers.append(Modifier(JA_PLANS[plan].name, more))
                value, superior = value + more, superior + better
    return value, superior, tuple(modifiers)


def attack(table: Table, name: str, kind: Kind, area: str) -> int | None:
    """Roll one attack and return its hits; None if the force makes no such attack."""
    value, superior, modifiers = strength(table.open, name, kind, area)
    if value <= 0:
        return None
    twice = f", {superior} or less twice" if superior > 0 else ""
    target = f"{value} or less hits{twice}"
    side = US if COUNTERS[name].side == "US" else JA
    (face,) = table.roll(kind, 1, D10, by=side, target=target, subject=name, modifiers=modifiers)
    return (face <= value) + (face <= value and face <= superior)


def attackers(open: Open, side: int, kind: Kind, area: str, only: tuple[str, ...] = ()) -> list[str]:
    """Return who of a side makes an attack in a battle area, by id; nobody without a target."""
    names = [name for name in _armed(open, side, kind, area) if not only or name in only]
    if not names or not targets(open, enemy(side), kind, area):
        return []
    return [name for name in names if strength(open, name, kind, area)[0] > 0]


def _armed(open: Open, side: int, kind: Kind, area: str) -> list[str]:
    if kind == DOGFIGHT:
        return airborne(open, side, area)
    if kind == BOMBS:
        return bombers(airborne(open, side, area))
    if kind in {TORPEDOES, DEPTH}:
        return _at_sea(open, side, kind, area)
    if kind == GUNS:
        return ships(open, side, COASTAL)
    return in_foxholes(open, side)


def _at_sea(open: Open, side: int, kind: Kind, area: str) -> list[str]:
    """Return who attacks with torpedoes or depth charges; by No Contact no US submarine in the ocean does."""
    if side == US and area == OCEAN and "ja.no_contact" in fighting(open).in_force:
        return []  # no other US ship is ever there
    return subs(open, side, area) if kind == TORPEDOES else depth_chargers(open, side, area)


def depth_chargers(open: Open, side: int, area: str) -> list[str]:
    """Return as many ships of a side as there are enemy submarines, the best ones (N10.9 b), by id."""
    hunted = len(subs(open, enemy(side), area))
    return sorted(name for name, _ in by_depth(open, side, area)[:hunted])


def by_depth(open: Open, side: int, area: str) -> list[tuple[str, int]]:
    """Return the ships of a side that can attack submarines, with their depth values, the best first."""
    there = [*ships(open, side, area), *subs(open, side, area)]
    armed = [(name, rated(open, name).depth or 0) for name in there if rated(open, name).depth]
    return sorted(armed, key=lambda row: (-row[1], row[0]))


def targets(
    open: Open,
    victim: int,
    kind: Kind,
    area: str,
    only: tuple[str, ...] = (),
    *,
    ashore: bool | None = None,
) -> list[str]:
    """Return what an attack on a side may hit as things are now.

    `ashore` says whether the attackers were ashore when they attacked, if that may have changed since (R-84).
    """
    if kind in {DOGFIGHT, AAA}:
        return [name for name in airborne(open, victim, area) if not only or name in only]
    if kind == DEPTH:
        return subs(open, victim, area)
    if kind == INFANTRY:
        return in_foxholes(open, victim) or [*on_beach(open, victim), *_airfield(open, victim)]
    if kind == TORPEDOES or (kind == BOMBS and area != ISLAND):
        return surface_targets(open, victim, area)
    with_friends = side_ashore(open, enemy(victim)) if ashore is None else ashore
    infantry = landed(open, victim) if with_friends else []
    at_sea = surface_targets(open, victim, COASTAL) if kind == GUNS else []
    return [*at_sea, *_airfield(open, victim), *infantry]


def _airfield(open: Open, side: int) -> list[str]:
    return [AIRFIELD] if fighting(open).airfields.get(side) else []


def kamikaze(open: Open) -> bool:
    """Return whether the Kamikaze plan has its effect (N11.6)."""
    return "ja.kamikaze" in fighting(open).in_force and not no_kamikaze(open)


def no_kamikaze(open: Open) -> str:
    """Return why a Kamikaze plan has no effect, or nothing (N11.6)."""
    if open.year not in KAMIKAZE_YEARS:
        return f"before {KAMIKAZE_YEARS[0]} it has no effect"
    if not ships(open, US) and not transported(open, US):
        return "the US have no surface ship or transport here"
    return ""
