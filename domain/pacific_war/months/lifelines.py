"""P11.7 Emergency links in 5.1.J: those that a side has are kept or dropped, then new ones are established.

A link whose asset is gone can only be dropped; so nobody else learns what kept it up. Read so: a location has
one link at most, and it is one that is cut off and where the side has units.
"""

from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.table import Open, Own, Sight, Table, based, troops_in
from domain.pacific_war.board.war import EmergencyLink
from domain.pacific_war.command.emergency import ESTABLISH, KINDS, MAINTAIN, assets, drop, establish, serving
from domain.pacific_war.command.links import linked, richest
from domain.pacific_war.decisions.dispositions import DropECL, EstablishECL, MaintainECL, With
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.months.desk import Chapter, Desk, pay


def kept_or_dropped(sight: Sight, desk: Desk) -> list[Decision]:
    """Return for each link that a side has: keep it, or drop it."""
    own = sight.own
    return [
        choice
        for place in sorted(own.means.emergency)
        if f"kept:{place}" not in desk.done
        for choice in (
            *(MaintainECL(place, hq) for hq in keepers(sight.open, own, place)),
            DropECL(place),
        )
    ]


def keepers(open: Open, own: Own, place: str) -> list[str]:
    """Return the headquarters that pays for keeping a link, if what keeps it up is still there (P11.8)."""
    return richest(own, MAINTAIN)[:1] if serving(open, own, place) else []


def keep_or_drop(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Keep a link, or drop it."""
    if isinstance(decision, MaintainECL):
        pay(table, side, decision.hq, MAINTAIN, "for an emergency link")
        return desk.did(f"kept:{decision.location}")
    assert isinstance(decision, DropECL)
    drop(table, side, decision.location)
    installations(table, decision.location, "has no emergency link any more", emergency=False)
    return desk


def options(sight: Sight, _desk: Desk) -> list[Decision]:
    """Return the links that can be established."""
    board, own, side = sight.open, sight.own, sight.side
    return [
        EstablishECL(place, kind, hq)
        for hq in richest(own, ESTABLISH)[:1]
        for place in sorted(board.bases)
        if friendly(board, side, place)
        and place not in own.means.emergency
        and not linked(own, LOCATIONS[place].hex)
        for kind in KINDS
        if _manned(board, own, side, place, kind) and assets(board, own, side, place, kind)
    ]


def _manned(open: Open, own: Own, side: int, place: str, kind: str) -> bool:
    """Return whether units are at a location that a link of a kind may support."""
    if troops_in(own, LOCATIONS[place].hex):
        return True
    return KINDS[kind].bases and (place in open.ports[side] or bool(based(own, place)))


def picks(_desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return the link that is picked: what keeps it up must follow."""
    match decision:
        case EstablishECL(place, kind, hq):
            return place, kind, hq
    return ()


def seconds(sight: Sight, desk: Desk) -> list[Decision]:
    """Return what can keep up the link that is picked."""
    place, kind, _ = desk.picked
    return [With(asset) for asset in assets(sight.open, sight.own, sight.side, place, kind)]


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Establish the link that was picked."""
    assert isinstance(decision, With)
    place, kind, hq = desk.picked
    pay(table, side, hq, ESTABLISH, "for an emergency link")
    establish(table, side, place, EmergencyLink(kind, decision.unit))
    installations(table, place, "has an emergency link", emergency=True)
    return desk.did(f"established:{place}")


CHAPTERS = (
    Chapter(
        "11.7",
        "Choose for each emergency link: keep it up, or drop it.",
        kept_or_dropped,
        keep_or_drop,
        must=True,
    ),
    Chapter(
        "11.7",
        "Establish emergency links at places that are cut off, or be done.",
        options,
        take,
        picks,
        seconds,
        lambda picked: f"Choose what keeps up the link to [{picked[0]}].",
    ),
)
