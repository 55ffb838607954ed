"""P10.1, P13.1, P14.3, P16.1 What a month brings: by the scenario in a campaign, by tables in the war."""

from typing import Any

from domain.pacific_war.board.campaigns import CAMPAIGNS, Campaign, since
from domain.pacific_war.board.charts import JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.table import Open, Own, Table
from domain.pacific_war.command.links import linked, linked_hexes
from domain.pacific_war.facts.months import war

_TRANSPORT: dict[str, Any] = TABLES["strategic_transport"]
_POINTS: dict[str, dict[str, int]] = TABLES["points_schedule"]
_SHIPPING_A_POINT, _BESIDE = 6, 2
"""P13.1: Merchant Shipping Points for one of transport, and what Japan has beside."""
RAISED: dict[str, dict[str, tuple[tuple[str, int], ...]]] = {
    "S1": {
        "1943-06": (("tarawa", 2), ("rabaul", 2), ("kwajalein", 1)),
        "1944-03": (("saipan", 1),),
        "1944-08": (("iwo_jima", 3),),
        "1944-10": (("okinawa", 2),),
        "1944-12": (("manila", 1),),
    },
    "S2": {
        "1944-03": (("saipan", 1),),
        "1944-08": (("iwo_jima", 3),),
        "1944-10": (("okinawa", 2),),
        "1944-12": (("manila", 1),),
    },
}
"""S1.8, S2.1: month to the forts that rise without cost, and the level to which they do."""


def scenario_of(open: Open) -> Campaign:
    """Return the scenario that is played in months."""
    return CAMPAIGNS[open.scenario]


def strategic(open: Open) -> bool:
    """Return whether the whole war is played (P1)."""
    return open.scenario in CAMPAIGNS and CAMPAIGNS[open.scenario].strategic


def arrives(name: str, month: str) -> int:
    """Return the points of a kind that come in a month (P14.3); in a month that is not listed none do."""
    return _POINTS[name].get(month, 0)


def transport_points(open: Open) -> dict[str, int]:
    """Return the transport points of a month by purse (P13.1)."""
    if not strategic(open):
        return scenario_of(open).strategic_transport
    month = war(open).month
    return {
        "JP": war(open).msp // _SHIPPING_A_POINT + _BESIDE,
        "AL_US": since(_TRANSPORT["al_us"], month),
        "AL_CW": since(_TRANSPORT["al_cw"], month),
    }


def replacement_steps(open: Open) -> dict[str, dict[str, int]]:
    """Return the replacement steps of a month by nation and kind (P16.1)."""
    if not strategic(open):
        return scenario_of(open).replacements
    rows = TABLES["replacements"]
    return {nation: since(rows[nation], war(open).month) for nation in ("JP", "US", "CW")}


def _intact(open: Open) -> list[str]:
    """Return the hexes of Japan's resources that are intact (P10.1)."""
    return [
        LOCATIONS[place].hex
        for place, base in open.bases.items()
        if LOCATIONS[place].resource and base.control == JAPAN and not base.resource_damage
    ]


def resources(table: Table) -> int:
    """Return how many resource hexes count for Japan: controlled, intact, Linked now (P10.1)."""
    reached = linked_hexes(table, JAPAN)
    return sum(spot in reached for spot in _intact(table.open))


def resources_told(open: Open, own: Own) -> int:
    """Return how many resource hexes count for Japan by the links that it was told (P14.3)."""
    return sum(linked(own, spot) for spot in _intact(open))
