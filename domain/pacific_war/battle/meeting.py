"""P29.1 Who meets where, who evades, who has surprise, and whose range pick counts."""

from collections.abc import Collection, Mapping

from msgspec import Struct

from domain.pacific_war.board import special
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, NIGHT, SPEED
from domain.pacific_war.board.combat import d10, month
from domain.pacific_war.board.table import NavalBattle, Open, Table, enemy, members, speed, tfs_at

EVADES_ON = 6
SURPRISED_BY = 5
BREAKS_OFF_ON, BREAKS_OFF_AT_NIGHT = 6, 4
RADAR_FROM, NIGHT_FIGHTERS_UNTIL = "1943-01", "1942-12"


class Meeting(Struct, frozen=True):
    """Who may fight on a node: task forces by side, and by side the location whose ships and fort are there.

    A task force that has fought in this cycle is left out: wherever it retreated to, nothing more comes of it
    (P29.2.5, R-63).
    """

    node: str
    forces: tuple[tuple[str, ...], tuple[str, ...]]
    ports: tuple[str, str]

    @staticmethod
    def of(open: Open, node: str) -> "Meeting":
        """Return who may fight on a node."""
        forces = _fresh(open, node, 0), _fresh(open, node, 1)
        return Meeting(node, forces, (_port(open, node, 0), _port(open, node, 1)))

    @property
    def hostile(self) -> bool:
        """Whether there is anybody to fight."""
        return any(self.forces[side] and (self.forces[1 - side] or self.ports[1 - side]) for side in (0, 1))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides that have task forces, and so a choice (P29.1.2)."""
        return tuple(side for side in (0, 1) if self.forces[side])


def _fresh(open: Open, node: str, side: int) -> tuple[str, ...]:
    """Return the task forces of a side on a node that have not fought in this cycle, by id."""
    return tuple(tf for tf in tfs_at(open, node, side) if not open.tfs[tf].fought)


def _port(open: Open, node: str, side: int) -> str:
    """Return the location of a side whose inactive ships or fort are met on a node (P29.1, R-62)."""
    for place, base in open.bases.items():
        if base.control != side or LOCATIONS[place].hex != node[:4]:
            continue
        if base.port and LOCATIONS[place].coast not in (node, None):
            continue
        if base.fort or place in open.ports[side]:
            return place
    return ""


def meetings_left(open: Open, fought: Collection[str]) -> list[str]:
    """Return the nodes where a naval combat may still be fought in this cycle, by id."""
    nodes = sorted({force.node for force in open.tfs.values()} - set(fought))
    return [node for node in nodes if Meeting.of(open, node).hostile]


def immobile(open: Open, side: int) -> bool:
    """Return whether a side fights with ships in port and a fort alone (P29.1.2), be it at the end only."""
    battle = open.naval
    assert battle is not None
    return not any(tf in open.tfs for tf in battle.forces[side])


def slowest(table: Table, tfs: Collection[str], side: int) -> int:
    """Return the speed of the slowest unit of task forces; 0 for what cannot move."""
    own = table.own[side]
    ships = [ship for tf in tfs if tf in own.fleets for ship in members(own, tf)]
    return SPEED[speed(table.open, own, ships)] if ships else 0


def known(open: Open, tfs: Collection[str]) -> bool:
    """Return whether a force counts as Detected (P29.1.1); ships in port and forts do."""
    return not tfs or any(open.tfs[tf].known for tf in tfs)


def evades(table: Table, meeting: Meeting, side: int) -> bool:
    """Return whether a side gets away from one that engages (P29.1). The die is unseen."""
    board, foe = table.open, enemy(side)
    ahead = slowest(table, meeting.forces[side], side) - slowest(table, meeting.forces[foe], foe)
    shifts = [
        ("speed", 2 * ahead),
        ("Night", 1 if board.lighting == NIGHT else 0),
        ("Detected", -1 if known(board, meeting.forces[side]) else 0),
    ]
    face = d10(
        table,
        "evasion",
        by=side,
        target=f"{EVADES_ON} or more evades",
        subject=meeting.node,
        shifts=shifts,
        unseen=True,
    )
    return face + sum(amount for _, amount in shifts) >= EVADES_ON


def surprised(table: Table, battle: NavalBattle) -> int:
    """Return the side that has surprise, or -1 (P29.1). The dice are unseen."""
    board = table.open
    if (sure := special.surprise(board)) >= 0:
        return sure
    totals = [0, 0]
    for side in (board.advantage, enemy(board.advantage)):
        mine, theirs = battle.forces[side], battle.forces[enemy(side)]
        shifts = [
            ("enemy Detected", 1 if known(board, theirs) else 0),
            ("Undetected", 2 if not known(board, mine) else 0),
            ("radar", 2 if side == ALLIES and month(board) >= RADAR_FROM else 0),
            ("trained for Night", 2 if _night_fighters(board, side) else 0),
        ]
        face = d10(table, "surprise", by=side, subject=battle.node, shifts=shifts, unseen=True)
        totals[side] = face + sum(amount for _, amount in shifts)
    if abs(totals[0] - totals[1]) < SURPRISED_BY:
        return -1
    return totals.index(max(totals))


def _night_fighters(open: Open, side: int) -> bool:
    return side == JAPAN and open.lighting == NIGHT and month(open) <= NIGHT_FIGHTERS_UNTIL


def breaks_off(table: Table, side: int) -> bool:
    """Return whether a side gets away from a combat (P29.2 a)."""
    battle = table.open.naval
    assert battle is not None
    foe = enemy(side)
    mine, theirs = slowest(table, battle.forces[side], side), slowest(table, battle.forces[foe], foe)
    if mine != theirs:
        return mine > theirs
    need = BREAKS_OFF_AT_NIGHT if table.open.lighting == NIGHT else BREAKS_OFF_ON
    return d10(table, "breaking off", by=side, target=f"{need} or more", subject=battle.node) >= need


def settled(table: Table, bids: Mapping[int, str]) -> str:
    """Return the range pick that counts (P29.2 a): the faster side's, of equals the higher die's."""
    battle = table.open.naval
    assert battle is not None
    if len(set(bids.values())) <= 1:
        return next(iter(bids.values()), "Hold")
    speeds = [slowest(table, battle.forces[side], side) for side in (0, 1)]
    if speeds[0] != speeds[1]:
        return bids[speeds.index(max(speeds))]
    first = table.open.advantage
    while True:
        one = d10(table, "range", by=first, target="the higher die", subject=battle.node)
        other = d10(table, "range", by=enemy(first), target="the higher die", subject=battle.node)
        if one != other:
            return bids[first if one > other else enemy(first)]
