"""The figures of the rulebook's tables are those of the data."""

from json import loads
from math import asin, atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from re import MULTILINE, findall, fullmatch
from typing import Any

import pytest

from tests.pacific_war.rulebook import SPECIALS, TEXT, cells, number, paragraph, rows, section, table, tables

DATA = Path(__file__).parents[2] / "domain" / "pacific_war" / "data"


def read(name: str) -> Any:
    return loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


TABLES = read("tables")
MAP = read("map")
LOCATIONS: dict[str, dict[str, Any]] = {one["id"]: one for one in MAP["locations"]}
SHIPS: dict[str, dict[str, Any]] = {one["id"]: one for one in read("units-naval")["units"]}
AIR: dict[str, dict[str, Any]] = {one["id"]: one for one in read("units-air")["units"]}
GROUND: dict[str, dict[str, Any]] = {one["id"]: one for one in read("units-ground")["units"]}
SCENARIOS: dict[str, dict[str, Any]] = {one["id"]: one for one in read("scenarios")["scenarios"]}
PLACES = {"E1": "P1.4", "E2": "P1.5", "E3": "P1.6", "E4": "P1.7", "B1": "P1.8"}
SIDES = {"JP": "Japan", "AL": "Allies"}
NATIONS = {"JP": "Japan", "US": "US", "CW": "Commonwealth"}
CONDITIONS = {"S": "Surprise Attack", "I": "Intercept", "A": "Ambush"}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

every_scenario = pytest.mark.parametrize("name", PLACES)


def numbers(row: list[str]) -> list[int]:
    return [number(cell) for cell in row]


def column_of(head: str) -> dict[str, str]:
    """A column of the table that compares the scenarios: its rows by their first cell."""
    ((heads, lines),) = [one for one in tables(section("1")) if one[0][0] == ""]
    return {line[0]: line[heads.index(head)] for line in lines}


# Strength, dates


def uct() -> list[list[str]]:
    return table(section("3"), "column")


def test_p3_1_the_columns_of_the_combat_table() -> None:
    def words(low: int, high: int | None) -> str:
        return f"{low}+" if high is None else f"{low}" if low == high else f"{low}-{high}"

    expected = [[str(one["column"]), words(one["min"], one["max"])] for one in TABLES["uct"]["columns"]]

    assert expected == [row[:2] for row in uct()]


def test_p3_1_the_hits_of_the_combat_table() -> None:
    assert TABLES["uct"]["rows"] == [numbers(row[2:12]) for row in uct()]


def test_p3_1_the_means_of_the_combat_table() -> None:
    assert [f"{sum(row) / 10:.1f}" for row in TABLES["uct"]["rows"]] == [row[12] for row in uct()]


def test_p3_2_the_shifts_by_date() -> None:
    modifiers = {
        name: sides for name, sides in TABLES["date_modifiers"].items() if name not in {"provenance", "note"}
    }
    del modifiers["kamikaze_allowed"]  # not in the table: P28.13

    def steps(first: str, later: str) -> list[list[str | int]]:
        changes = [
            fullmatch(r"(\S+) from (\d{4}-\d\d)", change) for change in later.split("; ") if change != "-"
        ]
        return [["1941-12", number(first)], *([one[2], number(one[1])] for one in changes if one)]

    found = {row[5]: {"JP": steps(*row[1:3]), "AL": steps(*row[3:5])} for row in table(section("3"), "shift")}

    assert modifiers == found


# Movement, search, lighting, Advantage, submarines


def test_p23_6_the_allowances() -> None:
    assert TABLES["movement"]["battle_cycle"] == {
        row[0]: number(row[1]) for row in table(section("23"), "speed class")
    }


def test_p24_2_the_search_table() -> None:
    ((head, lines),) = [one for one in tables(section("24")) if one[0][0] == "source"]
    values = dict(TABLES["search"]["detect_if_d10_at_most"])
    bands = values.pop("bands")

    assert bands == [band.replace(" hexes", "") for band in head[1:6]]
    assert values == {row[6]: [None if cell == "-" else number(cell) for cell in row[1:6]] for row in lines}


def test_p24_2_what_is_added_in_search() -> None:
    modifiers = TABLES["search"]["modifiers"]
    added = dict(table(section("24"), "added"))

    assert {
        "Night": "-4 for both sides (P3.2)",
        "Dusk": f"-{-modifiers['dusk']}",
        "the TF has 8 or more ships": f"+{modifiers['target_8_or_more_units']}",
        "the TF has 2 ships or fewer": f"-{-modifiers['target_2_or_fewer_units']}",
        "each further class of source": (
            f"+{modifiers['each_further_source_class_in_range']}, at most +{modifiers['further_source_max']}"
        ),
        "coastwatch location": f"+{modifiers['coastwatch_location_bonus']}",
    } == added
    assert {"JP": -4, "AL": -4} == {
        side: steps[0][1] for side, steps in TABLES["date_modifiers"]["night_search_mod"].items()
    }


def test_p24_2_the_coastwatch_locations() -> None:
    names = {place["name"] for place in LOCATIONS.values() if place.get("coastwatch")}
    (listed,) = findall(r"In the scenarios these are (.*?)\.", section("24"))

    assert names == set(listed.replace(" and ", ", ").split(", "))


def test_p25_2_the_figures_of_a_submarine_attack() -> None:
    patrol = TABLES["submarine_patrol"]

    assert (1, -2, 1, -2, 4, 4) == (
        patrol["zone_radius"],
        patrol["contact_mods"]["target_speed_F"],
        patrol["contact_mods"]["target_detected"],
        patrol["asw_shift"],
        patrol["detect_after_contact_d10_at_most"],
        patrol["max_points_per_patrol"],
    )
    for words in ("points + 1, lowered by 2 if", "raised by 1 if", "shift -2", "d10 of 4 or less"):
        assert words in paragraph("P25.2")


def test_p26_2_lighting() -> None:
    def words(faces: list[int]) -> str:
        low, high = faces
        return f"{low}" if low == high else f"{low}-{high}"

    lights = TABLES["lighting"]
    expected = [["first cycle, if rolled", *map(words, lights["first"].values())]]
    expected += [[f"after {last}", *map(words, faces.values())] for last, faces in lights["after"].items()]
    ((head, lines),) = tables(section("26"))

    assert ["", *lights["first"]] == head
    assert expected == lines


def test_p27_1_what_is_added_for_the_advantage() -> None:
    mods = TABLES["advantage"]["mods"]

    assert [
        f"+{mods['first_cycle_S_operation']}",
        f"+{mods['first_cycle_A_reaction']}",
        f"+{mods['initiative_holder']}",
        f"+{mods['per_net_detected_enemy_tf']}, at most +{mods['per_net_detected_max']}",
        f"+{mods['night_JP_until_1942_12']}",
    ] == [row[2] for row in rows(section("27"))]


# Air


def test_p2_2_3_the_classes_of_air_units() -> None:
    classes = TABLES["air"]["classes"]
    used = {AIR[one["id"]]["cls"] for name in PLACES for one in SCENARIOS[name]["air"]}
    found = {row[6]: row for head, lines in tables(section("2")) if "range" in head for row in lines}

    assert used == set(found)
    for name, row in found.items():
        one = classes[name]
        assert [one["kind"], one["range"], one["air"], one["nav"], one["gnd"]] == [row[1], *numbers(row[2:6])]


def test_p2_3_2_room_and_launch_limit_of_an_airbase() -> None:
    air = TABLES["air"]
    expected = [
        [int(size), room, air["airbase_launch_steps"][size]]
        for size, room in air["airbase_capacity_units"].items()
    ]

    assert expected == [numbers(row) for row in table(section("2"), "airbase size")]


def test_p28_5_1_shifts_against_ships() -> None:
    air = TABLES["air"]
    shifts = dict(rows(paragraph("P28.5.1")))

    assert "-1 at level 0, 0 at level 1, +1 at level 2" == shifts.pop(
        "level of the attackers: that of most steps, the lower on a tie"
    )
    assert {"0": -1, "1": 0, "2": 1} == air["level_shift"]
    assert "taken off" == shifts.pop("the ship's air defence")
    assert -1 == number(shifts.pop("Dusk"))
    assert {
        "the target is a carrier with 2 or more ready steps aboard": air["deck_shift"],
        "the strike was launched by an Undetected TF": air["unseen_launcher_shift"],
        "the target is in port": air["stationary_port_shift"],
        "all steps on the target are 4E (R-78)": air["strike_4E_naval_shift"],
    } == {words: number(shift) for words, shift in shifts.items()}


def test_p28_5_2_find() -> None:
    fails = TABLES["air"]["find_fails"]

    assert ([9], [8, 9], 1) == (fails["normal"], fails["at_maximum_range"], fails["dusk_extra"])
    assert (
        "It fails on 9; at the longest range of a unit that takes part, on 8 or 9; at Dusk on one face more."
        in (paragraph("P28.5.2"))
    )


def test_p28_6_and_p28_7_shifts_against_what_is_on_land() -> None:
    air = TABLES["air"]
    shifts = {row[0]: number(row[1].split(",")[0].split()[-1]) for row in rows(paragraph("P28.6"))}

    assert air["airbase_strike_shift"] == shifts["airbase"]
    assert air["port_installation_shift"] == shifts["port"]
    assert air["ground_strike_shift"] == shifts["fort"] == -3
    assert "level of the attackers, -3, less half the fort" in paragraph("P28.7")
    assert air["night_bomber_shift"] == -2
    assert "with shift -2" in paragraph("P26.3")


def test_p28_8_the_order_of_air_combat() -> None:
    lines = rows(paragraph("P28.8"))

    assert ["escorts", "engaged CAP", "free CAP"] == [line[0] for line in lines]
    assert ["CAP", "escorts", "strike steps"] == [line[3] for line in lines]
    assert (-1, -1, 2) == (
        TABLES["air"]["cap_vs_strike_shift"],
        TABLES["air"]["strike_4E_cap_shift"],
        TABLES["air"]["relative_level_cap"],
    )
    assert lines[2][2].endswith("CAP shift of P3.2; -1; -1 more if only 4E strike")


# Naval battles, bombardment, ground combat


def test_p29_1_evasion_and_surprise() -> None:
    naval = TABLES["naval"]
    evade, surprise = naval["evade"], naval["surprise"]

    assert (6, 2, 1, -1) == (evade["need"], evade["per_speed_step"], evade["night"], evade["evader_detected"])
    assert "+2 for each speed class by which he is faster" in paragraph("P29.1")
    assert "+1 at Night, -1 if he is Detected. With 6 or more there is no combat" in paragraph("P29.1")
    assert f"ahead by {surprise['difference']} or more has Surprise" in paragraph("P29.1")
    assert [
        surprise["enemy_detected"],
        surprise["own_undetected"],
        surprise["al_radar_from_1943_01"],
        surprise["jp_night_until_1942_12"],
    ] == [number(row[1]) for row in rows(paragraph("P29.1"))]


def test_p29_1_3_the_fort_as_a_ship() -> None:
    fort = TABLES["naval"]["fort"]

    assert (
        f"guns {fort['gun_per_level']} for each level, gun defence {fort['def_g']},"
        f" air defence {fort['def_a']}, and {fort['hits_per_level']} hits for each level"
    ) in paragraph("P29.1.3")


def test_p23_6_interception() -> None:
    most, mods = TABLES["naval"]["intercept_d10_at_most"], TABLES["naval"]["intercept_mods"]

    assert (
        f"a d10 of {most} or less; the {most} is raised by {mods['target_detected']}"
        f" if the mover is Detected, and by {mods['interceptor_faster']} if"
    ) in paragraph("P23.6")


def test_p29_2_the_range_shifts_of_guns() -> None:
    ((head, lines),) = [one for one in tables(section("29")) if one[0][0] == "guns of"]
    found = {
        name: dict(zip("210", numbers(row[1:]), strict=True))
        for row in lines
        for name in row[0].replace("others, forts", "other").split(", ")
    }

    assert ["long", "medium", "short"] == head[1:]
    assert TABLES["naval"]["gun_range_shift"] == found


def test_p29_2_first_range_torpedoes_and_breaking_off() -> None:
    naval, breaking = TABLES["naval"], TABLES["break_off"]

    assert {"Day": 2, "Dusk": 1, "Night": 0} == naval["start_range"]
    assert {"2": None, "1": -1, "0": 0} == naval["torpedo_range_shift"]
    assert -1 == naval["torpedo_light_cap"]
    assert "The first range is long by Day, medium at Dusk, short at Night." in paragraph("P29.2")
    assert (
        f"a d10 is {breaking['equal_speed_need_d10']} or more"
        f" (at Night {breaking['equal_speed_need_d10'] - breaking['night_bonus']} or more)"
    ) in paragraph("P29.2")


def test_p29_3_bombardment() -> None:
    found = {row[0].removesuffix(" units"): number(row[1]) for row in rows(paragraph("P29.3"))}

    assert TABLES["bombardment"]["shift"] == found
    assert 1 == TABLES["bombardment"]["airbase_hit_also_kills_parked_air_steps"]


def test_p2_2_2_the_size_and_number_of_task_forces() -> None:
    limits = TABLES["naval"]["tf_limits"]
    text = paragraph("P2.2.2")

    assert f"a *core* of up to {limits['core_max']} ships" in text
    assert f"a *screen* of up to {limits['screen_max']} " in text
    assert (
        f"Japan may have {limits['markers']['JP']} TFs at once, the Allies {limits['markers']['AL']}." in text
    )


def test_p31_3_the_shifts_of_ground_combat() -> None:
    ground = TABLES["ground"]
    shifts = {row[0]: row[1:] for row in table(paragraph("P31.3"), "shift")}
    odds = [values for words, values in shifts.items() if "odds" in words]

    assert [ground["attack_base"], ground["defence_base"]] == numbers(shifts["always"])
    assert [one["shift"] for one in ground["odds"]] == [number(one[0]) for one in odds]
    assert [4, 2, 1, 0.5, 0] == [one["min_ratio"] for one in ground["odds"]]
    assert [ground["atoll_both"]] * 2 == numbers(shifts["atoll"])
    assert ground["landing_first_cycle"] == number(shifts["every attacking unit has a Landing marker"][0])
    assert any(f"together at most {ground['terrain_fort_doctrine_cap']}" in words for words in shifts)
    assert f"at most {ground['frontage']} on each side" in paragraph("P31.3")
    assert (3, 2) == (ground["tq_divisor"], ground["tq_cap"])


def test_p31_3_terrain() -> None:
    assert TABLES["ground"]["terrain"] == {
        row[0]: number(row[1]) for row in table(paragraph("P31.3"), "terrain")
    }


def test_p2_7_stacking() -> None:
    limit = TABLES["ground"]["stack_limit_steps"]

    assert f"{limit['atoll']} ground steps in an atoll hex, {limit['other']} in any other" in paragraph(
        "P2.7"
    )


# The scenarios


def area(name: str) -> tuple[list[float], list[float]]:
    """Latitudes and longitudes, the latter from 0 to 360, as the book writes them."""

    def degree(words: str) -> float:
        figure, _, letter = words.partition("°")
        value = float(figure)
        return -value if letter.strip() == "S" else 360 - value if letter.strip() == "W" else value

    written = column_of(name)
    return tuple(
        [degree(end) for end in written[f"{kind} of the area"].split(" to ")]
        for kind in ("latitudes", "longitudes")
    )  # type: ignore[return-value]


def centre(hex_id: str) -> tuple[float, float]:
    """Latitude and longitude of a hex centre: the inverse of the projection."""
    grid, radius = MAP["grid"], MAP["projection"]["radius_nm"]
    column, row = int(hex_id[:2]), int(hex_id[2:])
    x = grid["origin_x"] + grid["column_step"] * column
    y = grid["origin_y"] - grid["row_step"] * row + (grid["odd_column_shift_y"] if column % 2 else 0)
    lat, lon = (radians(MAP["projection"][one]) for one in ("lat0", "lon0"))
    rho = hypot(x, y)
    angle = 2 * asin(rho / (2 * radius))
    north = asin(cos(angle) * sin(lat) + y * sin(angle) * cos(lat) / rho)
    east = lon + atan2(x * sin(angle), rho * cos(lat) * cos(angle) - y * sin(lat) * sin(angle))
    return degrees(north), degrees(east) % 360


def inside(name: str, hex_id: str) -> bool:
    (south, north), (west, east) = area(name)
    lat, lon = centre(hex_id)
    return south <= lat <= north and west <= lon <= east


@every_scenario
def test_p1_what_the_scenarios_give(name: str) -> None:
    scenario, written = SCENARIOS[name], column_of(name)
    year, month = map(int, scenario["month"].split("-"))

    assert f"{scenario['start_day']} {MONTHS[month - 1]} {year}" == written["date of the first day"]
    assert str(scenario["battle_cycles"]) == written["cycles"]
    assert SIDES[scenario["operation_player"]] == written["Operation player"]
    assert SIDES[scenario["reaction_player"]] == written["Reaction player"]
    assert CONDITIONS[scenario["condition"]] == written["Condition"]
    assert SIDES["JP" if scenario["initiative"] > 0 else "AL"] == written["Initiative"]
    assert scenario["first_lighting"].replace("roll", "rolled") == written["first lighting"]
    assert SIDES.get(scenario.get("first_advantage", ""), "rolled") == written["first Advantage"]
    assert scenario["activation"].startswith(
        "all listed units" if written["Activated at the start"] == "all units" else "the Japanese"
    )
    assert (scenario["area"]["lat"], scenario["area"]["lon"]) == area(name)
    assert "clear" == scenario["weather"]


@every_scenario
def test_p1_the_list_of_scenarios(name: str) -> None:
    scenario = SCENARIOS[name]
    (line,) = [row for row in table(section("1"), "scenario") if row[0].startswith(name)]
    cycles = scenario["battle_cycles"]

    assert f"{name} {scenario['name']}" == line[0]
    assert line[1].startswith(f"{cycles} cycle{'s' if cycles > 1 else ''}")
    assert paragraph(PLACES[name]).startswith(f"{name}: {scenario['name']}.**")


@every_scenario
def test_p1_task_forces(name: str) -> None:
    lines = table(paragraph(PLACES[name]), "task force")

    assert [f"TF {one['id']}" for one in SCENARIOS[name]["tfs"]] == [line[0] for line in lines]
    for force, line in zip(SCENARIOS[name]["tfs"], lines, strict=True):
        assert [
            force["hex"],
            *(", ".join(SHIPS[ship]["name"] for ship in force[slot]) or "-" for slot in ("core", "screen")),
        ] == line[1:4]
        assert not force["detected"]
        cargo = []
        for ship, units in force["cargo"].items():
            for unit, _, part in (one.partition(":") for one in units):
                steps = int(part or GROUND[unit]["steps"])
                words = f"{steps} step{'s' if steps > 1 else ''}"
                cargo.append(f"{GROUND[unit]['name']}, {words}, on {SHIPS[ship]['name']}")
        assert ("; ".join(cargo) or "-") == line[4]
        aboard = {one.partition(":")[0] for units in force["cargo"].values() for one in units}
        assert {*force["core"], *force["screen"], *aboard} == set(line[5].split())


@every_scenario
def test_p1_ships_in_port(name: str) -> None:
    ports = [
        row
        for head, lines in tables(paragraph(PLACES[name]))
        if head[0] == "inactive in port"
        for row in lines
    ]

    assert [
        [
            LOCATIONS[one["at"]]["name"],
            ", ".join(SHIPS[ship]["name"] for ship in one["units"]),
            " ".join(one["units"]),
        ]
        for one in SCENARIOS[name].get("naval", [])
    ] == ports


@every_scenario
def test_p1_ships_that_are_not_as_they_are_elsewhere(name: str) -> None:
    head = "ship that is not as in P2.2.1"
    changed = [row for heads, lines in tables(paragraph(PLACES[name])) if heads[0] == head for row in lines]
    expected = []
    for change in SCENARIOS[name]["overrides"]:
        ship = SHIPS[change["id"]] | change
        assert {"id", "note", "gun", "torp", "hits"} >= set(change)
        expected.append(
            [
                ship["name"],
                change.get("note", "-"),
                *(str(ship[key]) for key in ("gun", "torp", "hits")),
                change["id"],
            ]
        )

    assert expected == changed


@every_scenario
def test_p1_air_units(name: str) -> None:
    found = [
        row for heads, lines in tables(paragraph(PLACES[name])) if heads[0] == "air unit" for row in lines
    ]
    classes = {
        row[6]: row[0]
        for head, lines in tables(section("2"))
        if "range" in head and "kind" in head
        for row in lines
    }
    expected = []
    for one in SCENARIOS[name]["air"]:
        unit = AIR[one["id"]]
        home = LOCATIONS[one["base"]]["name"] if "base" in one else SHIPS[unit["carrier"]]["name"]
        expected.append(
            [unit["name"], home, classes[unit["cls"]], str(one["steps"]), str(one["level"]), one["id"]]
        )

    assert expected == found


@every_scenario
def test_p1_ground_units(name: str) -> None:
    scenario = SCENARIOS[name]
    expected = {}
    for one in scenario["ground"]:
        unit = GROUND[one["id"]] | one
        expected[one["id"]] = (LOCATIONS[one["hex"]]["name"], unit["steps"], unit["tq"])
    for force in scenario["tfs"]:
        aboard = [one.partition(":") for units in force["cargo"].values() for one in units]
        for unit_id in dict.fromkeys(one[0] for one in aboard):
            parts = [int(part or GROUND[unit_id]["steps"]) for found, _, part in aboard if found == unit_id]
            expected[unit_id] = (f"aboard TF {force['id']}", sum(parts), GROUND[unit_id]["tq"])
    found = {
        row[6]: (row[1], int(row[4]), int(row[5]))
        for heads, lines in tables(paragraph(PLACES[name]))
        if heads[0] == "ground unit"
        for row in lines
    }

    assert expected == found
    for heads, lines in tables(paragraph(PLACES[name])):
        for row in lines if heads[0] == "ground unit" else []:
            unit = GROUND[row[6]]
            assert [unit["name"], SIDES[unit["side"]], unit["size"]] == [row[0], row[2], row[3]]


@every_scenario
def test_p1_locations(name: str) -> None:
    scenario = SCENARIOS[name]
    control = {place: side for side, places in scenario["control"].items() for place in places}
    expected = {}
    for key, place in LOCATIONS.items():
        if inside(name, place["hex"]):
            sizes = place | scenario.get("bases", {}).get(key, {})
            side = SIDES[control.get(key, place["control_1941_12"])]
            counts = [str(sizes.get(what, 0)) for what in ("port", "airbase", "fort")]
            expected[key] = [place["name"], place["hex"], side, *counts, place["terrain"]]

    assert set(control) <= set(expected)
    assert expected == {row[7]: row[:7] for row in table(paragraph(PLACES[name]), "location")}


@every_scenario
def test_p1_patrols(name: str) -> None:
    found = [
        row
        for heads, lines in tables(paragraph(PLACES[name]))
        if heads[0] == "submarine patrol"
        for row in lines
    ]

    assert [
        [
            SIDES[one["side"]],
            LOCATIONS[one["hex"]]["hex"] if one["hex"] in LOCATIONS else one["hex"],
            str(one["points"]),
        ]
        for one in SCENARIOS[name].get("patrols", [])
    ] == found


@every_scenario
def test_p33_1_points_for_ships(name: str) -> None:
    points = SCENARIOS[name]["victory"]["points"]
    lines = table(paragraph(PLACES[name]), "points for enemy ships")

    assert points["sunk"] == {row[0]: number(row[1]) for row in lines}
    assert points["crippled"] == {row[0]: number(row[2]) for row in lines}


@every_scenario
def test_p33_1_points_for_air_steps_and_places(name: str) -> None:
    points = dict(SCENARIOS[name]["victory"]["points"])
    del points["sunk"], points["crippled"]
    steps = points.pop("air_steps_per_point")
    text = paragraph(PLACES[name])
    words = (
        "each enemy step destroyed is 1 point"
        if steps == 1
        else f"every {steps} enemy steps destroyed are 1 point"
    )
    places = {
        "JP_controls_port_moresby": "Japan scores {} if it controls Port Moresby at the end.",
        "AL_if_no_japanese_ground_step_ashore_at_port_moresby": (
            "The Allies score {} if no Japanese ground step is ashore at Port Moresby at the end."
        ),
        "JP_controls_wake": "Japan scores {} if it controls Wake Island at the end.",
        "AL_controls_wake_uncontested": (
            "The Allies score {} if they control it at the end and no Japanese ground unit is in its hex."
        ),
        "JP_controls_midway": "Japan scores {} if it controls Midway at the end.",
        "AL_controls_midway_uncontested": (
            "The Allies score {} if they control it at the end and no Japanese ground unit is in its hex."
        ),
    }

    assert words in text
    assert [] == [key for key, score in points.items() if places[key].format(score) not in text]
    assert len(points) == text.count("scores ") + text.count(" score ")


@every_scenario
def test_p33_1_levels(name: str) -> None:
    levels = SCENARIOS[name]["victory"]["levels_JP_minus_AL"]
    expected = [["any less" if one["min"] is None else str(one["min"]), one["result"]] for one in levels]
    found = table(paragraph(PLACES[name]), "Japanese less Allied points at least")

    assert expected == found


def test_p1_3_as_many_special_rules_as_the_scenarios_have() -> None:
    assert {name: len(SCENARIOS[name]["special"]) for name in PLACES} == {
        name: len([one for one in SPECIALS if one.startswith(name)]) for name in PLACES
    }


def test_p2_2_1_the_values_of_the_ships() -> None:
    used = {
        ship for name in PLACES for one in SCENARIOS[name]["tfs"] for ship in (*one["core"], *one["screen"])
    }
    used |= {ship for name in PLACES for one in SCENARIOS[name].get("naval", []) for ship in one["units"]}
    keys = ("gun", "aa", "torp", "asw", "def_g", "def_a", "hits")
    lines = {row[15]: row for row in table(section("2"), "ship")}

    assert used == set(lines)
    for name, row in lines.items():
        ship = SHIPS[name]
        assert [ship["name"], NATIONS[ship["nat"]], ship["cls"]] == row[:3]
        assert [ship[key] for key in keys] == numbers(row[3:10])
        assert [ship["spd"], str(ship["cap"]), str(ship["lift"])] == row[10:13]
        assert [ship["reload"], ship["float_planes"]] == ["yes" == cell for cell in row[13:15]]


# References


def test_the_book_has_every_number_that_it_cites() -> None:
    numbers = r"P\d+(?:\.\d+)*(?:\.[A-T]\b)?|[EBCS]\d\.\d|R-\d+"
    known = set(findall(rf"^(?:\*\*|## |\| )({numbers})", TEXT, MULTILINE))

    assert set() == set(findall(rf"\b(?:{numbers})", TEXT)) - known


# The examples


def hits(column: int, shift: int, die: int) -> int:
    at = min(column + shift, 12)
    return int(TABLES["uct"]["rows"][at - 1][die]) if at >= 1 else 0


def test_p38_4_the_example_reads_the_combat_table_rightly() -> None:
    count = 0
    for row in rows(paragraph("P38.4")):
        for how, die, result in zip(*(cell.split("; ") for cell in row[1:]), strict=True):
            column, sign, shift = how.split()
            assert int(result) == hits(int(column), int(shift) * (1 if sign == "+" else -1), int(die))
            count += 1

    assert 25 == count


def test_p38_3_the_example_reads_the_combat_table_rightly() -> None:
    rolled = [
        (6, 0, 2, 3),
        (5, 0, 6, 1),
        (6, 0, 0, 5),
        (2, 0, 1, 1),
        (2, 0, 5, 0),
        (2, -1, 0, 1),
        (4, -2, 4, 0),
        (5, -2, 1, 2),
    ]

    assert [wanted for *_, wanted in rolled] == [hits(column, shift, die) for column, shift, die, _ in rolled]


def test_a_cell_is_read_without_its_marks() -> None:
    assert ["a", "b"] == cells("| a | <!-- engine -->`b`<!-- /engine --> |")
