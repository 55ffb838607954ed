"""P26 Lighting, P27 Advantage: the first two phases of a battle cycle."""

from typing import Any

from msgspec import convert

from domain.pacific_war.board.charts import JAPAN, NIGHT, SCENARIOS, SIDES, TABLES, Lighting
from domain.pacific_war.board.combat import d10, month
from domain.pacific_war.board.special import first_strike
from domain.pacific_war.board.table import Open, Table, enemy
from domain.pacific_war.facts.cycle import AdvantageIs, LightingIs

_FIRST: dict[str, Any] = TABLES["lighting"]["first"]
_AFTER: dict[str, Any] = TABLES["lighting"]["after"]
_MODS: dict[str, int] = TABLES["advantage"]["mods"]
TRAINED_UNTIL = "1942-12"


def light(table: Table, cycle: int) -> None:
    """Fix the lighting of a cycle: the scenario's in the first, else by a die (P26.1, P26.2)."""
    battle = SCENARIOS.get(table.open.scenario)
    first = battle.first_lighting if battle else "roll"
    if cycle == 1 and first != "roll":
        table.record(LightingIs(convert(first, Lighting)))
        return
    rows = _FIRST if cycle == 1 else _AFTER[table.open.lighting]
    face = d10(
        table, "lighting", by=-1, target=", ".join(f"{name} to {most}" for name, (_, most) in rows.items())
    )
    table.record(LightingIs(convert(next(n for n, (_, most) in rows.items() if face <= most), Lighting)))


def take_advantage(table: Table, cycle: int) -> None:
    """Determine the Advantage player of a cycle (P27.1)."""
    board = table.open
    battle = SCENARIOS.get(board.scenario)
    if cycle == 1 and battle and battle.first_advantage:
        table.record(AdvantageIs(SIDES.index(battle.first_advantage)))
        return
    if board.war and first_strike(board):  # S1.4
        table.record(AdvantageIs(JAPAN))
        return
    totals = []
    for side in (0, 1):
        shifts = modifiers(board, side, cycle)
        face = d10(table, "Advantage", by=side, target="the higher total", shifts=shifts)
        totals.append(face + sum(amount for _, amount in shifts))
    if totals[0] == totals[1]:
        side = board.operation if cycle == 1 else board.advantage
    else:
        side = totals.index(max(totals))
    table.record(AdvantageIs(side, tuple(totals)))


def modifiers(open: Open, side: int, cycle: int) -> list[tuple[str, int]]:
    """Return what is added to a side's die (P27.1)."""
    condition, initiative = standing(open)
    surprise = cycle == 1 and condition == "S" and side == open.operation
    ambush = cycle == 1 and condition == "A" and side == enemy(open.operation)
    holder = 0 if initiative > 0 else 1
    more = detected(open, enemy(side)) - detected(open, side)
    trained = side == JAPAN and open.lighting == NIGHT and month(open) <= TRAINED_UNTIL
    return [
        ("Surprise Attack", _MODS["first_cycle_S_operation"] if surprise else 0),
        ("Ambush", _MODS["first_cycle_A_reaction"] if ambush else 0),
        ("initiative", _MODS["initiative_holder"] if initiative and side == holder else 0),
        ("enemies Detected", max(0, min(_MODS["per_net_detected_max"], more))),
        ("trained for Night", _MODS["night_JP_until_1942_12"] if trained else 0),
    ]


def standing(open: Open) -> tuple[str, int]:
    """Return the Condition and the initiative: of a battle, or of the Operation under way."""
    if open.war:
        return (open.war.operation.condition if open.war.operation else ""), open.war.initiative
    battle = SCENARIOS[open.scenario]
    return battle.condition, battle.initiative


def detected(open: Open, side: int) -> int:
    """Return how many task forces of a side are Detected."""
    return sum(force.detected for force in open.tfs.values() if force.side == side)
