"""P25.2 Submarine combat: patrols attack task forces that come into their zone."""

from domain.kernel.facts import Padding
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.board.atlas import within
from domain.pacific_war.board.charts import OWNERS
from domain.pacific_war.board.combat import d10, dated, uct
from domain.pacific_war.board.table import Open, Table, enemy, members, patrols_of, printed, speed, value
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import PatrolIs
from domain.pacific_war.facts.happenings import Looked
from domain.pacific_war.facts.intelligence import detect

DETECTED_ON = 4
WELL_INFORMED = 3
"""P7.2, P25.2: the level of Strategic Intelligence that helps a side's patrols."""


def zones(open: Open, side: int) -> dict[str, frozenset[str]]:
    """Return the patrols of a side to the hexes of their zones, by hex."""
    return {at: within(at, 1) for at in patrols_of(open, side)}


def waiting(open: Open, tf: str) -> list[str]:
    """Return the enemy patrols that have not yet looked for a task force in this phase, where it is now."""
    force = open.tfs[tf]
    return [
        at
        for at, zone in zones(open, enemy(force.side)).items()
        if force.node[:4] in zone and f"{at}:{tf}" not in open.contacts
    ]


def drawn(table: Table, count: int, by: int, tf: str, *, unseen: bool) -> int:
    """Draw the ship attacked, from 0, each equally likely (P25.2).

    It is a die with so many faces, by id, so that an unseen draw leaves no gap in the others (R-96).
    """
    roll = table.roll_unseen if unseen else table.roll
    (die,) = roll("the ship attacked", 1, count, by=by, target=f"1 to {count}, by id", subject=tf)
    return die - 1


def attack(table: Table, at: str, tf: str) -> None:
    """Let a patrol look for a task force and attack it (P25.2). Its place is a hex."""
    board, side = table.open, table.open.tfs[tf].side
    foe, own = enemy(side), table.own[side]
    unseen = not board.tfs[tf].detected
    points = table.own[foe].patrols[at]
    table.record(Looked(at, tf))
    shifts = (
        ("a fast task force", -2 if speed(board, own, members(own, tf)) == "F" else 0),
        ("Detected", 1 if board.tfs[tf].detected else 0),
        ("Strategic Intelligence", 1 if table.own[foe].means.level == WELL_INFORMED else 0),
    )
    need = points + 1 + sum(amount for _, amount in shifts)
    face = d10(table, "contact", by=foe, target=f"{need} or less", subject=tf, shifts=shifts, unseen=True)
    if face > need:
        return
    table.record(PatrolIs(at, foe, points))
    ships = sorted(members(own, tf))
    target = ships[drawn(table, len(ships), foe, tf, unseen=unseen)]
    hits = uct(
        table,
        "submarine torpedoes",
        2 * points,
        (
            ("torpedoes of the time", dated(board, "sub_torpedo_shift", foe)),
            ("protection", -printed(board, target).def_a),
        ),
        by=foe,
        subject=target if not unseen else tf,
        unseen=unseen,
    )
    inflict(table, {target: hits})
    strength = sum(value(board, ship, own.ships[ship].damage, "asw") for ship in ships if own.ships[ship].tf)
    if unseen and not strength:
        table.record(Padding())
    if uct(table, "anti-submarine attack", strength, (("ASW", -2),), by=side, subject=tf, unseen=unseen):
        now = Changes(table, "hit by escorts")
        now.patrol(foe, at, points - 1)
        now.record()
        table.record(PatrolIs(at, foe, points - 1))
    if tf in board.tfs:
        face = d10(table, "report of a submarine", by=foe, target=f"{DETECTED_ON} or less", subject=tf)
        if face <= DETECTED_ON:
            detect(table, tf, "by a submarine", "25.2")


def waylay(table: Table, at: str, ship: str) -> bool:
    """Let a patrol attack a crippled ship on strategic transport (P13.2.5); return whether it loses a point.

    The ship counts as an Undetected task force of speed class S, whatever an earlier patrol has done, so
    nothing comes of a report and no die is rolled for it. The point is taken off later (R-50).
    """
    board, side = table.open, OWNERS[ship]
    foe, own = enemy(side), table.own[side]
    points = table.own[foe].patrols[at]
    shifts = (("Strategic Intelligence", int(table.own[foe].means.level == WELL_INFORMED)),)
    need = points + 1 + shifts[0][1]
    face = d10(table, "contact", by=foe, target=f"{need} or less", shifts=shifts, unseen=True)
    if face > need:
        return False
    table.record(PatrolIs(at, foe, points))
    drawn(table, 1, foe, "", unseen=True)
    hits = uct(
        table,
        "submarine torpedoes",
        2 * points,
        (
            ("torpedoes of the time", dated(board, "sub_torpedo_shift", foe)),
            ("protection", -printed(board, ship).def_a),
        ),
        by=foe,
        unseen=True,
    )
    inflict(table, {ship: hits})
    afloat = own.ships[ship]
    strength = value(board, ship, afloat.damage, "asw") if afloat.port else 0
    if not strength:
        table.record(Padding())
    return uct(table, "anti-submarine attack", strength, (("ASW", -2),), by=side, unseen=True) > 0
