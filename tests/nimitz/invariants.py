"""What must hold on the table after every fact. The fuzzer of all titles calls `invariants`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from re import findall

from domain.kernel.facts import Decided, Fact, Paused
from domain.nimitz import NIMITZ
from domain.nimitz.charts import AREAS, COUNTERS, LENGTH_MOST, SIDE_OF, TRACK_MOST, US, US_PLANS
from domain.nimitz.table import Battle, Force, Open

US_BOXES = {"US_RE", "P1", "P2", "P3", "RAID", "SB", "INV", "OUT"}
JA_BOXES = {"JA_RE", "JA_BN", "OUT"}


def invariants(open: Open) -> Iterator[str]:
    """Yield a sentence for each invariant that is broken."""
    if not open.year:
        return
    if not 0 <= open.counter <= TRACK_MOST:
        yield f"N7.2: the counter is {open.counter}"
    if any(points < 0 for points in open.supply.values()):
        yield f"N4.2: supply {open.supply}"
    for name, force in open.forces.items():
        yield from _force(name, force)
    for kind, queue in open.returned.items():
        for name in queue:
            if open.forces[name].place != "JA_RE" or COUNTERS[name].kind != kind or open.forces[name].damaged:
                yield f"N13.4: {name} in the queue of {kind} is {open.forces[name]}"
    yield from _limits(open)
    if open.battle is not None:
        yield from _battle(open, open.battle)


def nameless(facts: Iterable[Fact]) -> set[str]:
    """Return the ids without a name in what is told of facts; `test_campaigns` reads whole campaigns."""
    ids: set[str] = set()
    for fact in facts:
        if not isinstance(fact, Decided | Paused):
            ids.update(findall(r"\[(.*?)\]", fact.words()))
    return {name for name in ids if not name.startswith("seat:") and name not in NIMITZ.names}


def _force(name: str, force: Force) -> Iterator[str]:
    if force.place in PLACES[name] and not force.aboard and not force.damaged and force.place != "JA_BN":
        return  # hundreds of forces at every prompt, and hardly ever anything to say
    area, boxes = AREAS.get(force.place), US_BOXES if SIDE_OF[name] == US else JA_BOXES
    if area is None and force.place not in boxes:
        yield f"N1.13: {name} is in {force.place}"
    if area is not None and not (area.us_may_enter if SIDE_OF[name] == US else area.ja_may_enter):
        yield f"N6.4, N7.5: {name} is in {force.place}"
    if area is not None and SIDE_OF[name] == US and COUNTERS[name].nation == "AU" and not area.au:
        yield f"N6.4 d: {name} is in {force.place}"
    if force.aboard and (COUNTERS[name].kind != "INF" or area is None):
        yield f"N1.9: {name} is on a transport"
    if area is None and force.place in {"US_RE", "JA_RE", "JA_BN", "OUT"} and force.damaged:
        yield f"N4.3, N14: {name} is damaged in {force.place}"
    if force.place == "JA_BN" and COUNTERS[name].type != "BN":
        yield f"N1.14: {name} is in the battalion box"


def _places(name: str) -> frozenset[str]:
    """Return where a sound force may be: its boxes, and the areas that it may enter."""
    if SIDE_OF[name] != US:
        return frozenset(JA_BOXES | {area.id for area in AREAS.values() if area.ja_may_enter})
    abroad = COUNTERS[name].nation != "AU"
    return frozenset(US_BOXES | {a.id for a in AREAS.values() if a.us_may_enter and (abroad or a.au)})


PLACES = {name: _places(name) for name in COUNTERS}


def _limits(open: Open) -> Iterator[str]:
    """Check that US aircraft have their airfields (N6.4 b)."""
    groups = Counter(
        force.place
        for name, force in open.forces.items()
        if COUNTERS[name].kind == "LBA" and SIDE_OF[name] == US
    )
    for place, count in groups.items():
        limit = AREAS[place].airfield if place in AREAS else None
        if limit is not None and count > limit and open.turn > 1:
            yield f"N6.4 b: {count} groups in {place}"


def _battle(open: Open, battle: Battle) -> Iterator[str]:
    if not -1 <= battle.left <= LENGTH_MOST + 2:
        yield f"N9.8: {battle.left} turns left"
    for ship in battle.ships:
        if open.forces[ship].place != battle.area:
            yield f"N9.1: {ship} is on the board and in {open.forces[ship].place}"
    for name in (*battle.foxhole, *battle.beach):
        if open.forces[name].place != battle.area or open.forces[name].aboard:
            yield f"N9.3: {name} is on the island and {open.forces[name]}"
    if set(battle.foxhole) & set(battle.beach):
        yield "N10.11: somebody is in a foxhole and on the beach"
    yield from _planes_and_plans(open, battle)


def _planes_and_plans(open: Open, battle: Battle) -> Iterator[str]:
    for name, plane in battle.planes.items():
        if not plane.home and (open.forces[name].place, open.forces[name].damaged) != (
            battle.area,
            plane.damaged,
        ):
            yield f"N9.3: {name} flies and is {open.forces[name]}"
    if any(count < 0 for count in battle.airfields.values()):
        yield f"N11.3: airfields {battle.airfields}"
    if battle.points < 0 or set(battle.held) & set(battle.used) or not set(battle.held) <= set(US_PLANS):
        yield f"N9.11: {battle.points} points, {battle.held} held, {battle.used} used"
