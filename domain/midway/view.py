"""Makes the board as pages and bots get it (`domain.midway.shown`) from the open table."""

from domain.match.parts import Part, Parts
from domain.midway import shown
from domain.midway.charts import CHARTS, SEQUENCE, SHIPS, SIDE_NAMES, SIDES, SQUADRONS, SideId
from domain.midway.table import JAPAN, UNITED_STATES, Carrier, Group, Open, state_of
from domain.midway.victory import lost, points

PURPOSES = {
    "SEARCH": "search",
    "CAP_DOGFIGHT": "CAP against escorts",
    "ESCORT_DOGFIGHT": "escorts against CAP",
    "CAP_VS_BOMBERS": "CAP against bombers",
    "AA": "anti-aircraft fire",
    "ATTACK_D": "attack of the dive bombers",
    "REROLL_D": "sixes of the dive bombers again",
    "ATTACK_T": "attack of the torpedo bombers",
    "REROLL_T": "sixes of the torpedo bombers again",
    "ARMED_DECK": "armed planes on deck",
    "REPAIR": "repair",
}
"""What dice are rolled for."""


def view(open: Open, parts: Parts) -> Part:
    """Return the board; both sides and onlookers see the same (M1.10)."""
    if not open.carriers:
        return Part()
    return shown.Table(
        scenario=open.scenario,
        turn=open.turn,
        turn_limit=open.turn_limit,
        time=parts.one(_time, open.first_minute + max(open.turn - 1, 0) * open.minutes_per_turn),
        sudden_death=open.sudden_death,
        steps=open.steps,
        active=parts.one(_active, open.steps),
        cap_rings=open.options.cap_rings,
        carriers=parts.each(_carrier, open.carriers),
        groups=parts.each(_group, open.groups),
        found=parts.one(_found, open.found),
        points=parts.one(_points, open.carriers),
        losses=parts.one(_losses, parts.each(_lost, open.groups)),
        sequence=SEQUENCE,
        step=open.steps[0] if open.steps else 0,
        step_name=SEQUENCE[open.steps[0] - 1].name if open.steps else "",
        designated=open.designated,
        grade=open.grade,
    )


def names() -> dict[str, str]:
    """Return the display name of every id: sides, carriers, groups, places, and what is rolled for."""
    named: dict[str, str] = dict(zip(SIDES, SIDE_NAMES, strict=True))
    named |= {f"side:{number}": name for number, name in enumerate(SIDE_NAMES)}
    named |= {name: ship.name for name, ship in SHIPS.items()}
    named |= {name: squadron.name for name, squadron in SQUADRONS.items()}
    named |= PURPOSES
    for box in CHARTS.boxes:
        if box.per == "carrier":
            named |= {f"{box.id}:{ship}": f"{box.label} of {SHIPS[ship].name}" for ship in SHIPS}
        else:
            named |= {
                f"{side}:{box.id}": f"{box.label} ({name})"
                for side, name in zip(SIDES, SIDE_NAMES, strict=True)
            }
    return named


def _time(minutes: int) -> str:
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _active(steps: tuple[int, ...]) -> tuple[SideId, ...]:
    return tuple(SEQUENCE[step - 1].side for step in steps)


def _carrier(name: str, carrier: Carrier) -> shown.Carrier:
    return shown.Carrier(
        name=SHIPS[name].name,
        side=SIDES[carrier.side],
        aa=carrier.aa,
        repair=carrier.repair,
        capacity=carrier.capacity,
        damage=carrier.damage,
        state=state_of(carrier.damage),
        seat=carrier.seat,
    )


def _group(name: str, group: Group) -> shown.Group:
    squadron = SQUADRONS[name]
    return shown.Group(
        name=squadron.name,
        side=SIDES[group.side],
        type=squadron.type,
        home=group.home,
        aircraft=squadron.aircraft,
        full=group.full,
        strength=group.strength,
        place=group.place,
        target=group.target,
        committed=group.committed,
        search_group=group.search_group,
        proposed=group.proposed,
        moved=group.moved,
    )


def _found(found: tuple[bool, bool]) -> shown.BySide[bool]:
    return {"JP": found[JAPAN], "US": found[UNITED_STATES]}


def _points(carriers: dict[str, Carrier]) -> shown.BySide[int]:
    board = Open(carriers=carriers)
    return {"JP": points(board, JAPAN), "US": points(board, UNITED_STATES)}


def _lost(_name: str, group: Group) -> tuple[int, int]:
    points = lost(group)
    return (points, 0) if group.side == JAPAN else (0, points)


def _losses(groups: dict[str, tuple[int, int]]) -> shown.BySide[int]:
    return {
        "JP": sum(points[JAPAN] for points in groups.values()),
        "US": sum(points[UNITED_STATES] for points in groups.values()),
    }
