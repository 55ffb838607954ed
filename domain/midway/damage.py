"""M11 Damage and losses aboard: what hits do to groups and to carriers."""

from domain.midway.charts import CRIPPLED_AT, SUNK_AT
from domain.midway.facts import CarrierCrippled, CarrierDamaged, CarrierSunk, GroupLost, StrengthLost
from domain.midway.table import Table, aboard


def lose(table: Table, group: str, points: int, cause: str) -> None:
    """Take strength points off a group; at none it is lost (M1.4, M1.5)."""
    left = table.open.groups[group].strength - points
    if left:
        table.record(StrengthLost(group, points, left, cause))
    else:
        table.record(GroupLost(group, points, cause))


def hit(table: Table, ship: str, hits: int) -> None:
    """Mark hits on a carrier (M7.11): from 7 she is crippled (M11.2), at 10 she sinks (M11.4, M11.5)."""
    before = table.open.carriers[ship].damage
    damage = before + hits
    if damage >= SUNK_AT:
        table.record(CarrierSunk(ship, hits, tuple(aboard(table.open, ship))))
        return
    table.record(CarrierDamaged(ship, hits, damage))
    if before < CRIPPLED_AT <= damage:
        table.record(CarrierCrippled(ship))
