"""P42 What must hold of the data, check by check, on the files themselves."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any, Final

import pytest

from domain.pacific_war.board.atlas import (
    FORBIDDEN,
    HEX_NAMES,
    NODES,
    area,
    distance,
    flood,
    kind,
    landward,
    nodes,
    place,
    seaward,
)
from tests.pacific_war.board import sea_distance

Row = dict[str, Any]


def read(name: str) -> Any:
    return json.loads(files("domain.pacific_war").joinpath("data", name).read_bytes())


MAP: Final[Row] = read("map.json")
HEXES: Final[Row] = read("hexes.json")
TABLES: Final[Row] = read("tables.json")
HEADQUARTERS: Final[dict[str, Row]] = {row["id"]: row for row in read("headquarters.json")["headquarters"]}
SCENARIOS: Final[dict[str, Row]] = {row["id"]: row for row in read("scenarios.json")["scenarios"]}
NAVAL: Final[list[Row]] = read("units-naval.json")["units"]
AIR: Final[list[Row]] = read("units-air.json")["units"]
GROUND: Final[list[Row]] = read("units-ground.json")["units"]

LOCATIONS: Final[dict[str, Row]] = {row["id"]: row for row in MAP["locations"]}
BOXES: Final[dict[str, Row]] = {row["id"]: row for row in MAP["boxes"]}
SPOTS: Final = LOCATIONS | BOXES
SHIPS: Final = {row["id"]: row for row in NAVAL}
WINGS: Final = {row["id"]: row for row in AIR}
TROOPS: Final = {row["id"]: row for row in GROUND}
UNITS: Final = SHIPS | WINGS | TROOPS
GROUPS: Final = {row["carrier"]: row for row in AIR if row.get("carrier")}

SIDES: Final = {"JP": {"JP"}, "AL": {"US", "CW", "NL", "CN"}}
CLASSES: Final = {"CV", "CVL", "CVE", "CVS", "BB", "BC", "CA", "CL", "DD", "AA"}
CAPITAL: Final = {"CV", "CVL", "BB", "BC"}
CORE: Final = CAPITAL | {"CVE", "CVS", "AA"}
SCREEN: Final = CAPITAL | {"CA", "CL", "DD"}
PORT_ROOM: Final = {0: 0, 1: 6, 2: 16, 3: 40, 4: len(NAVAL)}
AIR_ROOM: Final = {0: 0, 1: 2, 2: 4, 3: 8, 4: 20}
MONTHS: Final = [
    month
    for year in range(1941, 1946)
    for number in range(1, 13)
    if "1941-12" <= (month := f"{year}-{number:02}") <= "1945-09"
]
PLACED_BY_14_1: Final = {"us_4e_13", "cw_1e_nz"}
"""Their base at Guadalcanal has no airbase when they arrive."""


def gone(unit: Row, month: str) -> bool:
    return unit["hist_lost"] is not None and unit["hist_lost"] < month


def there(unit: Row, month: str) -> bool:
    """Return whether a unit has arrived by a month and is not lost before it."""
    return unit["arrive"] <= month and not gone(unit, month)


# 1


def steps_of(unit: Row, late: bool = False) -> int:
    """Return the steps of a unit, those of January 1944 if it is late in the war and they are other ones."""
    steps: int = unit["steps_1944_01"] if late and "steps_1944_01" in unit else unit["steps"]
    return steps


def out_of_place(unit: Row, where: str, printed: Row) -> Iterator[str]:
    """Say what a unit's base, as printed or as the scenario of 1944 has it, lacks."""
    spot = SPOTS.get(unit[where])
    if spot is None:
        yield f"{unit['id']}: {where} {unit[where]} is no place"
        return
    spot = spot | printed.get(unit[where], {})
    if unit[where] in BOXES and (unit["side"] != "AL" or unit["nat"] not in spot["nats"]):
        yield f"{unit['id']}: not in the box {unit[where]}"
    if unit["id"] in SHIPS and not spot.get("port"):
        yield f"{unit['id']}: {where} {unit[where]} has no port"
    if unit["id"] in WINGS and not unit.get("carrier") and not spot.get("airbase"):
        yield f"{unit['id']}: {where} {unit[where]} has no airbase"


def test_p42_1_units() -> None:
    for units in (NAVAL, AIR, GROUND):
        assert len(units) == len({unit["id"] for unit in units})
    assert len(UNITS) == len(NAVAL) + len(AIR) + len(GROUND)
    assert 46 == len(MONTHS)

    assert [] == [unit["id"] for unit in UNITS.values() if unit["arrive"] not in MONTHS]
    assert [] == [unit["id"] for unit in UNITS.values() if unit["nat"] not in SIDES[unit["side"]]]
    faults = [said for unit in UNITS.values() for said in out_of_place(unit, "base", {})]
    assert [f"{unit}: base guadalcanal has no airbase" for unit in sorted(PLACED_BY_14_1)] == sorted(faults)

    in_1944 = [unit for unit in UNITS.values() if unit.get("base_1944_01") is not None]
    overrides = SCENARIOS["S2"]["base_overrides"]
    assert [] == [said for unit in in_1944 for said in out_of_place(unit, "base_1944_01", overrides)]
    assert {
        unit["id"] for unit in UNITS.values() if there(unit, "1944-02") and unit["arrive"] <= "1944-01"
    } == {unit["id"] for unit in in_1944}

    for unit in AIR + GROUND:
        assert 0 < unit["steps"] <= unit["max_steps"], unit["id"]
        assert 0 < steps_of(unit, late=True) <= unit["max_steps"], unit["id"]


# 2


def test_p42_2_ships() -> None:
    assert {*GROUPS} <= {*SHIPS}
    assert len(GROUPS) == sum(bool(wing.get("carrier")) for wing in AIR)

    for ship in NAVAL:
        assert ship["cls"] in CLASSES, ship["id"]
        assert ship["spd"] in {"F", "M", "S"}, ship["id"]
        assert ship["capital"] == (ship["cls"] in CAPITAL), ship["id"]
        assert (ship["cap"] > 0) == (ship["id"] in GROUPS), ship["id"]

    shared = ("side", "nat", "arrive", "hist_lost", "base", "base_1944_01")
    for carrier, group in GROUPS.items():
        ship = SHIPS[carrier]
        assert [ship.get(key) for key in shared] == [group.get(key) for key in shared], carrier
        assert max(steps_of(group), steps_of(group, late=True)) <= ship["cap"], carrier


# 3


def test_p42_3_air() -> None:
    classes = TABLES["air"]["classes"]

    assert set() == {wing["cls"] for wing in AIR} - {*classes}
    assert "TR" in {one["kind"] for one in classes.values()}
    assert {"1E", "2E", "4E", "CVG", "LRA", "TR"} == {one["kind"] for one in classes.values()}
    assert [] == [
        wing["id"] for wing in AIR if (classes[wing["cls"]]["kind"] == "CVG") != bool(wing.get("carrier"))
    ]


# 4


def test_p42_4_tables() -> None:
    rows = TABLES["uct"]["rows"]
    assert [10] * 12 == [len(row) for row in rows]
    assert all(more >= less for row in rows for more, less in pairwise(row))
    assert all(
        less <= more for upper, lower in pairwise(rows) for less, more in zip(upper, lower, strict=True)
    )
    columns = TABLES["uct"]["columns"]
    assert [*range(1, 13)] == [column["column"] for column in columns]
    assert all(one["max"] + 1 == other["min"] for one, other in pairwise(columns))

    assert {*MONTHS} == {*TABLES["command_points"]["allied_us"]} == {*TABLES["command_points"]["allied_cw"]}
    schedule = {name: row for name, row in TABLES["points_schedule"].items() if isinstance(row, dict)}
    lists = {name: row for name, row in schedule.items() if not name.startswith("start_")}
    assert 5 == len(lists)
    assert {name: {*MONTHS} for name in lists} == {name: {*row} for name, row in lists.items()}

    levels = TABLES["strategic_intelligence"]["level_by_d10"]
    conditions = TABLES["operational_intelligence"]["by_level_d10"]
    assert {10} == {len(row) for dated in levels.values() for _, row in dated}
    assert {10} == {len(row) for row in conditions.values()}
    assert {"S", "I", "A"} == {*chain(*conditions.values())}

    assert {*CLASSES} <= {*TABLES["activation"]["costs"]}
    assert {*CLASSES} == {*TABLES["initiative"]["damage_points"]["sunk"]}
    assert {*CLASSES} == {*TABLES["activation"]["penalty_return_months"]}

    kinds = {"1E", "2E", "CVG", "LRA", "ground"}
    assert [kinds] * len(TABLES["replacements"]["JP"]) == [{*row} for _, row in TABLES["replacements"]["JP"]]
    assert [kinds | {"4E", "TR"}] * len(TABLES["replacements"]["US"]) == [
        {*row} for _, row in TABLES["replacements"]["US"]
    ]


# 5


def test_p42_5_locations() -> None:
    assert 145 == len(MAP["locations"]) == len(LOCATIONS) == len({row["hex"] for row in LOCATIONS.values()})
    assert {*LOCATIONS} == {*HEXES["ports"]}

    for spot, row in LOCATIONS.items():
        column, line = int(row["hex"][:2]), int(row["hex"][2:])
        assert kind(row["hex"]) != "s", spot
        assert row["terrain"] in TABLES["ground"]["terrain"], spot
        assert row["zone"] == HEXES["zone_letters"][HEXES["zone_rows"][line][column]], spot
        assert row["coast"] == HEXES["ports"][spot], spot
        assert row["coast"] is None or row["coast"] in nodes(row["hex"]), spot
        assert row["coast"] is not None or not row.get("port"), spot
    assert {"mandalay", "myitkyina", "imphal", "ledo"} == {
        i for i, row in LOCATIONS.items() if row["coast"] is None
    }
    assert 15 == sum(row.get("resource", False) for row in LOCATIONS.values())

    named = {
        spot
        for region in TABLES["merchant"]["interdiction_strength"]["regions"]
        for spot in region["controlled_any_of"]
    }
    assert set() == (named | {row["site"] for row in HEADQUARTERS.values()}) - {*LOCATIONS}
    others = {spot for row in HEADQUARTERS.values() for spot in row["alternate_sites"]}
    assert {"uswc", "india_w"} == others - {*LOCATIONS}
    sites = {site for row in SCENARIOS.values() for site in row.get("hq_sites", {}).values()}
    assert set() == sites - {*LOCATIONS}


# 6


def over_land(start: str, goal: str, closed: Iterable[str] = ()) -> int | None:
    found = {start: 0}
    for one in (line := [start]):
        for other in landward(one):
            if other not in found and other not in closed:
                found[other] = found[one] + 1
                line.append(other)
    return found.get(goal)


def test_p42_6_map() -> None:
    kinds = Counter(map(kind, HEX_NAMES))
    counts = {
        "kinds": {"shore": kinds["h"], "land": kinds["l"], "sea": kinds["s"]},
        "hexes_with_several_coasts": sum(len(nodes(one)) > 1 for one in HEX_NAMES),
        "nodes": len(NODES),
        "sea_edges": sum(len(seaward(one)) for one in NODES) // 2,
        "land_edges": sum(len(landward(one)) for one in HEX_NAMES) // 2,
    }
    assert {
        "kinds": {"shore": 680, "land": 960, "sea": 3290},
        "hexes_with_several_coasts": 98,
        "nodes": 4089,
        "sea_edges": 11_421,
        "land_edges": 3576,
    } == counts
    assert HEXES["check"] == counts
    assert (4930, 637) == (len(HEX_NAMES), len(FORBIDDEN))
    assert {*NODES} == {*flood("5020", len(NODES))}
    assert [] == [(one, other) for one in NODES for other in seaward(one) if one not in seaward(other)]

    check = MAP["check"]
    ends = {pair: [LOCATIONS[end] for end in pair.split("-")] for key in _PATHS for pair in check[key]}
    assert check["sea_path"] == {
        pair: sea_distance(*(end["coast"] for end in ends[pair])) for pair in check["sea_path"]
    }
    assert check["hex_distance"] == {
        pair: distance(*(end["hex"] for end in ends[pair])) for pair in check["hex_distance"]
    }
    assert check["land_path"] == {
        pair: over_land(*(end["hex"] for end in ends[pair])) for pair in check["land_path"]
    }
    assert over_land(ends["hong_kong-amoy"][0]["hex"], ends["hong_kong-amoy"][1]["hex"], FORBIDDEN) is None

    assert HEXES["kind_rows"] == check["kind_rows"]
    assert max(row.count("h") for row in HEXES["kind_rows"]) <= 45


_PATHS: Final = ("sea_path", "hex_distance", "land_path")


# 7


@dataclass
class Start:
    """How a scenario begins.

    `ashore`, `inactive` and `based` are a place to ground units, ships and air units; `adrift` is what task
    forces hold, `later` what reinforces; `steps` has air units, `aboard` groups whose base the file names.
    """

    row: Row
    month: str
    control: dict[str, str]
    bases: dict[str, Row]
    ashore: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    inactive: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    based: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    adrift: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    aboard: dict[str, str] = field(default_factory=dict)

    def placed(self) -> list[tuple[str, str]]:
        stacks = chain(self.ashore.items(), self.inactive.items(), self.based.items())
        return [(unit, at) for at, units in stacks for unit in units]

    def ships(self) -> list[str]:
        return [unit for unit in chain(*self.inactive.values(), self.adrift) if unit in SHIPS]

    def all(self) -> list[str]:
        groups = [wing for wing in self.steps if WINGS[wing].get("carrier")]
        return [*(unit for unit, _ in self.placed()), *self.adrift, *self.later, *groups]


def controlled(row: Row) -> dict[str, str]:
    control = {spot: printed["control_1941_12"] for spot, printed in LOCATIONS.items()}
    for side, spots in row.get("control", {}).items():
        rest = [spot for spot in LOCATIONS if all(spot not in held for held in row["control"].values())]
        control |= dict.fromkeys(rest if spots == "all other locations" else spots, side)
    return control


def cargo(fleet: Row) -> dict[str, dict[str, int | None]]:
    """Return ship to units aboard, each to its steps, None for all."""
    loads: dict[str, dict[str, int | None]] = {}
    for ship, listed in fleet["cargo"].items():
        parts = [entry.partition(":") for entry in listed]
        loads[ship] = {unit: int(steps) if steps else None for unit, _, steps in parts}
    return loads


@cache
def start(scenario: str) -> Start:
    row = SCENARIOS[scenario]
    changed: dict[str, Row] = row["base_overrides"] if row["type"] == "strategic" else row["bases"]
    bases = {spot: printed | changed.get(spot, {}) for spot, printed in SPOTS.items()}
    found = Start(row, row.get("month") or row["start_month"], controlled(row), bases)
    (by_file if row["type"] == "strategic" else by_list)(found)
    return found


def by_list(found: Start) -> None:
    for fleet in found.row.get("tfs", []):
        troops = {unit: None for load in cargo(fleet).values() for unit in load}
        found.adrift += [*fleet["core"], *fleet["screen"], *troops]
    for port in found.row.get("naval", []):
        found.inactive[port["at"]] += port["units"]
    for wing in found.row["air"]:
        found.steps[wing["id"]] = wing["steps"]
        if "base" in wing:
            found.based[wing["base"]].append(wing["id"])
    for unit in found.row["ground"]:
        found.ashore[unit["hex"]].append(unit["id"])
    for arrival in found.row.get("reinforcements", []):
        found.later += arrival["units"]


def by_file(found: Start) -> None:
    late = found.month != "1941-12"
    for unit in UNITS.values():
        base = unit.get("base_1944_01") if late else unit["base"]
        if base is None or not there(unit, found.month):
            continue
        if unit["id"] in WINGS:
            found.steps[unit["id"]] = steps_of(unit, late)
        if unit["id"] in SHIPS:
            found.inactive[base].append(unit["id"])
        elif unit["id"] in TROOPS:
            found.ashore[base].append(unit["id"])
        elif unit.get("carrier"):
            found.aboard[unit["id"]] = base
        else:
            found.based[base].append(unit["id"])


def misnamed(row: Row) -> Iterator[str]:
    """Yield what a scenario names and nobody knows."""
    spots = [spot for held in row.get("control", {}).values() if isinstance(held, list) for spot in held]
    spots += [*row.get("bases", {}), *row.get("base_overrides", {}), *row.get("hq_sites", {}).values()]
    spots += [spot for held in row.get("osb", {}).values() for spot in held]
    spots += [*row.get("victory", {}).get("monthly_location_points", {})]
    spots += [one["at"] for key in ("naval", "reinforcements") for one in row.get(key, [])]
    spots += [one["base"] for one in row.get("air", []) if "base" in one]
    spots += [one["hex"] for one in row.get("ground", [])]
    yield from (spot for spot in spots if spot not in LOCATIONS)

    hexes = [one["hex"] for key in ("tfs", "patrols") for one in row.get(key, [])]
    yield from (one for one in hexes if one not in LOCATIONS and one not in HEX_NAMES)

    sides = [*row.get("control", {}), *row.get("osb", {}), *row.get("command_points", {})]
    sides += [
        one["side"] for key in ("tfs", "naval", "reinforcements", "patrols") for one in row.get(key, [])
    ]
    sides += [row[key] for key in ("operation_player", "reaction_player", "first_advantage") if key in row]
    yield from (side for side in sides if side not in SIDES)

    kinds: list[tuple[str, dict[str, Row]]] = [("air", WINGS), ("ground", TROOPS), ("overrides", SHIPS)]
    yield from (one["id"] for key, known in kinds for one in row.get(key, []) if one["id"] not in known)
    ships = [unit for port in row.get("naval", []) for unit in port["units"]]
    ships += [
        unit for fleet in row.get("tfs", []) for unit in (*fleet["core"], *fleet["screen"], *fleet["cargo"])
    ]
    yield from (unit for unit in ships if unit not in SHIPS)
    troops = [unit for fleet in row.get("tfs", []) for load in cargo(fleet).values() for unit in load]
    yield from (unit for unit in troops if unit not in TROOPS)
    yield from (unit for one in row.get("reinforcements", []) for unit in one["units"] if unit not in UNITS)

    listed = row.get("hqs", {})
    if isinstance(listed, dict):
        yield from (hq for held in listed.values() for hq in held if hq not in HEADQUARTERS)
    yield from (hq for hq in row.get("hq_sites", {}) if hq not in HEADQUARTERS)


def of_the_other_side(row: Row) -> Iterator[str]:
    """Yield units that are listed with a side which is not theirs."""
    for one in row.get("naval", []) + row.get("reinforcements", []):
        yield from (unit for unit in one["units"] if UNITS[unit]["side"] != one["side"])
    for fleet in row.get("tfs", []):
        units = chain(fleet["core"], fleet["screen"], *cargo(fleet).values())
        yield from (unit for unit in units if UNITS[unit]["side"] != fleet["side"])


def under_the_enemy(found: Start) -> list[str]:
    """Return units on a location that their side does not control."""
    return [
        f"{unit} at {at}"
        for unit, at in found.placed()
        if at in LOCATIONS and found.control[at] != UNITS[unit]["side"]
    ]


def crowded(found: Start) -> Iterator[str]:
    """Yield ports and airbases without room for what is there (P2.3); boxes have room for all."""
    for at, units in found.inactive.items():
        if at in LOCATIONS and len(units) > PORT_ROOM[found.bases[at].get("port", 0)]:
            yield f"{len(units)} ships in {at}"
    for at, units in found.based.items():
        if at in LOCATIONS and len(units) > AIR_ROOM[found.bases[at].get("airbase", 0)]:
            yield f"{len(units)} air units at {at}"


def apart(found: Start) -> Iterator[str]:
    """Yield carriers and groups without each other, and groups with more steps than there is room."""
    groups = {wing for wing in found.steps if WINGS[wing].get("carrier")}
    aboard = {GROUPS[ship]["id"] for ship in found.ships() if ship in GROUPS}
    yield from groups ^ aboard
    yield from groups & {*chain(*found.based.values())}
    berths = {ship: at for at, ships in found.inactive.items() for ship in ships}
    for wing in groups & aboard:
        carrier = WINGS[wing]["carrier"]
        if not 0 < found.steps[wing] <= SHIPS[carrier]["cap"]:
            yield f"{wing}: {found.steps[wing]} steps"
        if wing in found.aboard and found.aboard[wing] != berths[carrier]:
            yield f"{wing}: not where its carrier is"


def test_p42_7_scenarios() -> None:
    assert ["E1", "B1", "E2", "E3", "E4", "C1", "S1", "S2"] == [*SCENARIOS]

    for scenario, row in SCENARIOS.items():
        assert [] == [*misnamed(row)], scenario
        assert [] == [*of_the_other_side(row)], scenario
        found = start(scenario)
        assert [] == [unit for unit, count in Counter(found.all()).items() if count > 1], scenario
        assert [] == under_the_enemy(found), scenario
        assert [] == [*crowded(found)], scenario
        assert [] == [*apart(found)], scenario
        assert [] == [wing for wing, steps in found.steps.items() if steps > WINGS[wing]["max_steps"]], (
            scenario
        )


# 8


def ill_formed(fleet: Row, row: Row) -> Iterator[str]:
    """Yield what is wrong with a task force of a scenario (P2.2.2)."""
    core, screen, at = fleet["core"], fleet["screen"], fleet["hex"]
    if not core + screen or len(core) > 6 or len(screen) > 4:
        yield f"{len(core)} in the core, {len(screen)} in the screen"
    yield from (unit for unit in core if SHIPS[unit]["cls"] not in CORE)
    yield from (unit for unit in screen if SHIPS[unit]["cls"] not in SCREEN)
    if len(nodes(at)) != 1:
        yield f"{at} has {len(nodes(at))} nodes"
    (south, north), (west, east) = row["area"]["lat"], row["area"]["lon"]
    lat, lon = place(at)
    if not (south <= lat <= north and west <= lon <= east) or at not in area(row["id"]):
        yield f"{at} is outside"
    for ship, load in cargo(fleet).items():
        if ship not in core + screen:
            yield f"{ship} is elsewhere"
        steps = sum(TROOPS[unit]["steps"] if part is None else part for unit, part in load.items())
        if not 0 < steps <= SHIPS[ship]["lift"]:
            yield f"{ship} carries {steps}"
        yield from (unit for unit in load if not there(TROOPS[unit], row["month"]))
    yield from (unit for unit in core + screen if not there(SHIPS[unit], row["month"]))


def split(fleet: Row) -> Iterator[str]:
    """Yield ground units with more steps aboard than they have."""
    steps: Counter[str] = Counter()
    for load in cargo(fleet).values():
        for unit, part in load.items():
            steps[unit] += TROOPS[unit]["steps"] if part is None else part
    yield from (unit for unit, count in steps.items() if count > TROOPS[unit]["steps"])


def test_p42_8_task_forces() -> None:
    fleets = [(row, fleet) for row in SCENARIOS.values() for fleet in row.get("tfs", [])]

    assert 19 == len(fleets)
    assert {"engagement", "battle"} == {row["type"] for row, _ in fleets}
    for row, fleet in fleets:
        assert [] == [*ill_formed(fleet, row), *split(fleet)], (row["id"], fleet["id"])
    ids = Counter((row["id"], fleet["id"]) for row, fleet in fleets)
    assert {1} == {*ids.values()}
    markers = Counter((row["id"], fleet["side"]) for row, fleet in fleets)
    assert all(count <= TABLES["naval"]["tf_limits"]["markers"][side] for (_, side), count in markers.items())


# 9


def unscored(scenario: str) -> Iterator[str]:
    """Yield the naval classes of a scenario for which it has no points."""
    points = SCENARIOS[scenario]["victory"]["points"]
    for ship in start(scenario).ships():
        cls = SHIPS[ship]["cls"]
        yield from (f"{cls} {harm}" for harm in ("sunk", "crippled") if cls not in points[harm])


def untimely(row: Row) -> Iterator[str]:
    """Yield reinforcements of the wrong side or month, and places that are not their side's."""
    control = controlled(row)
    for arrival in row["reinforcements"]:
        month = arrival["month"]
        if not row["start_month"] <= month <= row["end_month"]:
            yield month
        if control[arrival["at"]] != arrival["side"]:
            yield arrival["at"]
        for unit in arrival["units"]:
            if UNITS[unit]["side"] != arrival["side"] or not there(UNITS[unit], month):
                yield unit


def test_p42_9_points_reinforcements_and_the_start_of_the_war() -> None:
    scored = [scenario for scenario, row in SCENARIOS.items() if row["type"] in {"engagement", "battle"}]
    assert ["E1", "B1", "E2", "E3", "E4"] == scored
    assert {scenario: [] for scenario in scored} == {scenario: [*unscored(scenario)] for scenario in scored}

    campaigns = [row for row in SCENARIOS.values() if row["type"] == "campaign"]
    assert ["C1"] == [row["id"] for row in campaigns]
    assert [] == [*chain(*map(untimely, campaigns))]

    strategic = [scenario for scenario, row in SCENARIOS.items() if row["type"] == "strategic"]
    assert ["S1", "S2"] == strategic
    for scenario in strategic:
        found = start(scenario)
        assert [] == under_the_enemy(found), scenario
        assert {*LOCATIONS, *BOXES} >= {at for _, at in found.placed()}, scenario
        assert {unit["id"] for unit in UNITS.values() if there(unit, found.month)} >= {*found.all()}, scenario


# beside the checks


@pytest.mark.parametrize("scenario", ["E1", "B1", "E2", "E3", "E4", "C1"])
def test_p1_1_a_scenario_uses_units_of_its_month(scenario: str) -> None:
    found = start(scenario)
    placed = [unit for unit, _ in found.placed()] + found.adrift + [*found.steps]

    assert set() == {unit for unit in placed if not there(UNITS[unit], found.month)}


@pytest.mark.parametrize("scenario", [*SCENARIOS])
def test_p2_7_no_hex_begins_above_its_stack(scenario: str) -> None:
    found, limits = start(scenario), TABLES["ground"]["stack_limit_steps"]
    sizes = {one["id"]: one.get("steps") for one in found.row.get("ground", [])}

    for at, units in found.ashore.items():
        steps = sum(sizes.get(unit) or steps_of(TROOPS[unit], scenario == "S2") for unit in units)
        atoll = at in LOCATIONS and LOCATIONS[at]["terrain"] == "atoll"
        assert at in BOXES or steps <= limits["atoll" if atoll else "other"], at
