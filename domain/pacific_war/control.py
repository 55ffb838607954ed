"""P2.6 Control of locations, and what falls with them."""

from domain.pacific_war.atlas import distance
from domain.pacific_war.campaigns import month_after, of_side
from domain.pacific_war.changes import Changes, installations
from domain.pacific_war.charts import AIR_ROOM, LOCATIONS
from domain.pacific_war.combat import d10
from domain.pacific_war.intelligence import show_port
from domain.pacific_war.losses import sink, take_out
from domain.pacific_war.months import MeansAre, PostIs, war
from domain.pacific_war.raids import evacuate
from domain.pacific_war.table import Table, air_class, based, enemy
from domain.pacific_war.war import Post

SCUTTLED_ON = 4


def settle(table: Table) -> None:
    """Let control change where only the other side has ground units (P2.6)."""
    for place in sorted(table.open.bases):
        holder, spot = table.open.bases[place].control, LOCATIONS[place].hex
        taker = enemy(holder)
        if spot in table.open.troops[taker] and spot not in table.open.troops[holder]:
            capture(table, place, taker)


def capture(table: Table, place: str, taker: int) -> None:
    """Let a location fall: damage, ships in port with what is aboard, aircraft on the ground (P2.6)."""
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
    )
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
    for unit in based(own, place):
        lost = (own.air[unit].steps + 1) // 2
        now = Changes(table, "driven out")
        now.lose_air(unit, lost, "on the ground", of="ready")
        now.record()
        if own.air[unit].steps:
            _flee(table, unit, loser, place)


def _disband(table: Table, place: str, loser: int) -> None:
    """Disband a headquarters that is captured; in the second 5.1.J after that it comes again (P11.2.1.3)."""
    board = war(table.open)
    later = 1 if table.open.phase == "5.1.H" else 2
    for hq, post in sorted(board.posts.items()):
        if post.site == place and of_side(hq) == loser:
            back = Post(returns=month_after(board.month, later))
            table.record(PostIs(hq, back, "is disbanded", captured=True))
            table.record(MeansAre(loser, points={hq: 0}, why="after a headquarters is disbanded"))


def _flee(table: Table, unit: str, side: int, place: str) -> None:
    """Let an air unit ferry to the nearest own airbase with room within its range, else it is lost."""
    own, here = table.own[side], LOCATIONS[place].hex
    fields = [
        (distance(here, LOCATIONS[other].hex), other)
        for other, base in table.open.bases.items()
        if base.control == side
        and len(based(own, other)) < AIR_ROOM[base.airbase]
        and distance(here, LOCATIONS[other].hex) <= air_class(unit).range
    ]
    now = Changes(table, "driven out")
    if fields:
        now.aircraft(unit, home=min(fields)[1], ready=0, cap=0)
    else:
        now.lose_air(unit, own.air[unit].steps, "on the ground")
    now.record()
