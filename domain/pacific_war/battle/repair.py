"""P31.7, P31.8 Airbase repair and rally."""

from domain.pacific_war.board.charts import LOCATIONS, SCENARIOS
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.table import Table, contested, enemy, troop, troops_in
from domain.pacific_war.command.emergency import supported, supports_bases
from domain.pacific_war.command.links import FROM_HOME, linked_hexes
from domain.pacific_war.facts.changes import Changes, installations
from domain.pacific_war.facts.silence import cushion, sealed

ONE_MORE_ON = 4
ROLL_AND_UNITS = 2
"""Facts that a rally of a side in a campaign seals at most."""


def repair_airbases(table: Table) -> None:
    """Repair damaged airbases (P31.7): by 1, 1 more with an engineer, 1 more on a die.

    In a campaign only those that are Linked (P2.3.2.1, P11.7); in battles all are (R-22).
    """
    supplied = [linked_hexes(table, side) | FROM_HOME[side] for side in (0, 1)] if table.open.war else None
    for place in sorted(table.open.bases):
        base, spot = table.open.bases[place], LOCATIONS[place].hex
        if not base.airbase_damage or spot in table.open.troops[enemy(base.control)]:
            continue
        own = table.own[base.control]
        if supplied and spot not in supplied[base.control] and not supports_bases(table.open, own, place):
            continue
        engineer = any("engineer" in troop(table.open, unit).flags for unit in troops_in(own, spot))
        face = d10(table, "airbase repair", by=base.control, target="4 or less: 1 more", subject=place)
        repaired = 1 + engineer + (face <= ONE_MORE_ON)
        installations(table, place, "is repaired", airbase_damage=max(0, base.airbase_damage - repaired))


def rally(table: Table) -> None:
    """Let Broken ground units rally that are neither Isolated nor share the hex with an enemy (P31.8).

    The dice are unseen, and as many facts are sealed as the scenario has ground units: who is Broken is its
    owner's knowledge.
    """
    before = sealed(table)
    if table.open.war:
        for side in (0, 1):
            _rally_together(table, side)
        cushion(table, before, ROLL_AND_UNITS * 2)
        return
    for side in (0, 1):
        own, now = table.own[side], Changes(table, "rallied")
        for unit, ground in sorted(own.ground.items()):
            if not ground.broken or ground.isolated or not ground.hex or contested(table.open, ground.hex):
                continue
            tq = troop(table.open, unit).tq
            if d10(table, "rally", by=side, target=f"{tq} or less", subject=unit, unseen=True) <= tq:
                now.troops(unit, broken=False)
        now.record()
    cushion(table, before, _units(table) + 2)


def _rally_together(table: Table, side: int) -> None:
    """Let the Broken units of a side rally by one roll of as many dice, by id: so few facts are sealed.

    Isolated units do not rally (R-6), unless an emergency link has supported them since (P11.7).
    """
    own = table.own[side]
    broken = [
        unit
        for unit, one in sorted(own.ground.items())
        if one.broken
        and one.hex
        and (not one.isolated or supported(table.open, own, unit))
        and not contested(table.open, one.hex)
    ]
    dice = table.roll_unseen("rally", len(broken), 10, by=side, target="troop quality or less, by id")
    now = Changes(table, "rallied")
    for unit, die in zip(broken, dice, strict=True):
        if die % 10 <= troop(table.open, unit).tq:
            now.troops(unit, broken=False)
    now.record()


def _units(table: Table) -> int:
    battle = SCENARIOS[table.open.scenario]
    return len(battle.ground) + sum(len(cargo) for tf in battle.tfs for cargo in tf.cargo.values())
