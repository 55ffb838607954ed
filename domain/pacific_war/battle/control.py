"""P2.6 Control of locations, and what falls with them."""

from domain.pacific_war.battle.driven_out import drive_out
from domain.pacific_war.battle.losses import sink, take_out
from domain.pacific_war.battle.seaplane_bases import overrun
from domain.pacific_war.board.campaigns import month_after, of_side
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.table import Open, Table, enemy
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.emergency import drop
from domain.pacific_war.facts.changes import Changes, installations
from domain.pacific_war.facts.intelligence import show_port
from domain.pacific_war.facts.months import MeansAre, PostIs, war
from domain.pacific_war.homefront.raids import evacuate

SCUTTLED_ON = 4
SECOND = 2
"""P11.2.1.3: the reinforcement phase after its loss in which a headquarters is placed again."""
BEFORE_REINFORCEMENTS = ("5.1.A", "5.1.B", "5.1.C", "5.1.D", "5.1.E", "5.1.F", "5.1.G", "5.1.H", "5.1.I")
"""P5.1: the phases of a month that come before its 5.1.J."""


def settle(table: Table) -> None:
    """Let control change where only the other side has ground units (P2.6)."""
    for place in sorted(table.open.bases):
        holder, spot = table.open.bases[place].control, LOCATIONS[place].hex
        taker = enemy(holder)
        if spot in table.open.troops[taker] and spot not in table.open.troops[holder]:
            capture(table, place, taker)
    overrun(table)


def capture(table: Table, place: str, taker: int) -> None:
    """Let a location fall: damage, markers, a headquarters; ships in port, aircraft on the ground (P2.6)."""
    base, loser = table.open.bases[place], enemy(taker)
    show_port(table, place, loser)
    installations(
        table,
        place,
        "is captured",
        control=taker,
        airbase_damage=base.airbase,
        port_damage=max(base.port_damage, base.port // 2),
        fort_hit=False,
        osb=False,
        command=False,
        emergency=False,
    )
    if base.emergency:
        drop(table, loser, place)
    if table.own[loser].means.supplied.get(LOCATIONS[place].hex):
        table.record(MeansAre(loser, supplied={LOCATIONS[place].hex: 0}, why="what was flown in is lost"))
    if table.open.war:
        _disband(table, place, loser)
        evacuate(table, place)
    own = table.own[loser]
    for ship in sorted(ship for ship, one in own.ships.items() if one.port == place):
        face = d10(table, "scuttling", by=loser, target=f"{SCUTTLED_ON} or less is sunk", subject=ship)
        now = Changes(table, "driven out")
        if face <= SCUTTLED_ON:
            sink(now, ship)
        else:
            take_out(now, loser, [ship])
        now.record()
    drive_out(table, loser, place)


def _disband(table: Table, place: str, side: int) -> None:
    """Let the headquarters of a side at a captured location be disbanded; its points are lost (P11.2.1.3).

    That it held points is not told: as much is recorded for one without.
    """
    for hq, post in sorted(war(table.open).posts.items()):
        if of_side(hq) == side and post.site == place:
            gone = Post(returns=returns(table.open))
            table.record(PostIs(hq, gone, f"is disbanded, since [{place}] is captured", captured=True))
            table.record(MeansAre(side, points={hq: 0}, why="the headquarters is disbanded"))


def returns(open: Open) -> str:
    """Return the month in which a headquarters that is lost now is placed again (P11.2.1.3).

    It is that of the second 5.1.J from now on; that of this month may be still to come.
    """
    ahead = open.phase in BEFORE_REINFORCEMENTS
    return month_after(war(open).month, SECOND - ahead)
