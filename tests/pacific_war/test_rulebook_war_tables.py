"""The tables that players read of months and operations say what the data say."""

from re import findall, search
from typing import Any

import pytest

from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS
from domain.pacific_war.board.charts import LOCATIONS, SHIPS, TABLES
from domain.pacific_war.board.toll import SUNK
from domain.pacific_war.board.war import Condition, Operation
from domain.pacific_war.command.costs import COSTS, reaction_hexes, reaction_limit
from tests.pacific_war.rulebook import number, paragraph, rows, table

NONE = "-"
NAMES = {place: one.name for place, one in LOCATIONS.items()} | {
    "uswc": "the box of the United States West Coast",
    "india_w": "the box of British India West",
}


def test_p7_1_the_levels_of_intelligence_are_those_of_the_data() -> None:
    read = {row[0]: [int(cell) for cell in row[1:]] for row in table(paragraph("P7.1"), "side, from")}

    wanted = {
        f"{name}, {since}": levels
        for name, side in (("Allies", "AL"), ("Japan", "JP"))
        for since, levels in TABLES["strategic_intelligence"]["level_by_d10"][side]
    }
    assert wanted == read


def test_p10_2_the_command_points_of_the_allies_are_those_of_the_data() -> None:
    read = dict[str, tuple[int, int]]()
    for months, us, cw in table(paragraph("P10.2"), "months"):
        first, _, last = months.partition(" to ")
        year = first[:4]
        for each in range(int(first[5:]), int((last or first)[-2:]) + 1):
            read[f"{year}-{each:02}"] = (int(us), int(cw))

    points = TABLES["command_points"]
    assert {
        month: (points["allied_us"][month], points["allied_cw"][month]) for month in points["allied_us"]
    } == read


def test_p11_1_p11_2_1_the_headquarters_are_those_of_the_data() -> None:
    lines = {row[-1]: row for row in table(paragraph("P11.1"), "headquarters")}

    assert set(HEADQUARTERS) == set(lines)
    for hq, one in HEADQUARTERS.items():
        name, _, site, radius, cost, most, arrive, end, *_ = lines[hq]
        assert (one.name, NAMES[one.site]) == (name, site)
        assert (one.radius, one.op_cost, one.cp_cap) == (int(radius), int(cost), int(most))
        assert (one.arrive, one.end or NONE) == (arrive, end)


@pytest.mark.parametrize("kind", ["msp", "al_submarines", "jp_submarines"])
def test_p14_3_the_points_of_each_month_are_those_of_the_data(kind: str) -> None:
    named = {"msp": "MSP", "al_submarines": "Allied submarines", "jp_submarines": "Japanese submarines"}[kind]
    read = dict[str, int]()
    for what, year, *cells in table(paragraph("P14.3"), "points"):
        if what.split(",")[0] in (named, f"{named} points", named.replace("submarines", "submarine points")):
            read |= {f"{year}-{n:02}": number(cell) for n, cell in enumerate(cells, 1)}

    schedule: dict[str, int] = TABLES["points_schedule"][kind]
    assert {m: n for m, n in schedule.items() if n} == {m: n for m, n in read.items() if n}
    assert any(read.values())


def test_p16_1_the_replacement_steps_are_those_of_the_data() -> None:
    head = ("1E", "2E", "4E", "CVG", "LRA", "TR", "any_air", "ground")
    read = {
        (row[0], row[1]): {
            kind: number(cell) for kind, cell in zip(head, row[2:], strict=True) if number(cell)
        }
        for row in table(paragraph("P16.1"), "steps of a month")
    }

    names = {"JP": "Japan", "US": "US", "CW": "Commonwealth"}
    for nation, name in names.items():
        for since, steps in TABLES["replacements"][nation]:
            assert {kind: n for kind, n in steps.items() if n} == read.pop((name, since))
    assert {} == read


def test_p19_3_the_damage_points_are_those_of_the_data() -> None:
    read = dict[str, int]()
    for what, points in table(paragraph("P19.3"), "enemy losses"):
        if (match := search(r"^(.*) sunk$", what)) and points.isdigit():
            read |= dict.fromkeys(match[1].split(", "), int(points))

    assert SUNK == read


def test_p20_1_the_costs_of_activation_are_those_of_the_data() -> None:
    read = dict[str, int]()
    for what, points in table(paragraph("P20.1"), "unit"):
        read |= {cls: int(points) for cls in findall(r"\b[A-Z]{2,3}\b", what) if cls in COSTS}

    assert {cls: cost for cls, cost in COSTS.items() if cls in {ship.cls for ship in SHIPS.values()}} == {
        cls: cost for cls, cost in read.items() if cls in {ship.cls for ship in SHIPS.values()}
    }


def test_p20_2_3_f_the_months_in_the_penalty_box_are_those_of_the_data() -> None:
    given: dict[str, int] = TABLES["activation"]["penalty_return_months"]
    read = dict[str, int]()
    for classes, months in table(paragraph("P20.2.3.F"), "class"):
        read |= dict.fromkeys(findall(r"\b[A-Z]{2,3}\b", classes), int(months))

    rest = {cls: months for cls, months in given.items() if cls not in read}
    assert {cls: given[cls] for cls in read} == read
    assert {1} == set(rest.values()) | {1}


def test_p21_1_the_conditions_are_those_of_the_data() -> None:
    read = {row[0]: row[1:] for row in table(paragraph("P21.1"), "level")}

    assert TABLES["operational_intelligence"]["by_level_d10"] == read


@pytest.mark.parametrize(
    ("condition", "points", "moved", "limit", "reach"),
    [
        ("S", 8, 30, 3, 0),
        ("S", 20, 30, 5, 0),
        ("I", 7, 30, 6, 9),
        ("I", 20, 12, 15, 6),
        ("A", 7, 30, 10, 18),
        ("A", 20, 12, 30, 15),
    ],
)
def test_p22_1_limits_are_as_the_table_has_them(
    condition: Condition, points: int, moved: int, limit: int, reach: int
) -> None:
    operation = Operation(0, "hq_cf", 40, ap=points, moved=moved, condition=condition)

    assert limit == reaction_limit(operation, condition)
    assert reach == reaction_hexes(operation)
    cells = rows(paragraph("P22.1"))
    assert ["a quarter, but at least 3", "three quarters, but at least 6", "one and a half times"] == cells[
        0
    ][1:]
    assert ["0", "half, at most 9", "all and 3 more, at most 18"] == cells[1][1:]


def test_p33_2_the_places_of_c1_are_those_of_the_data() -> None:
    lines = table(paragraph("P1.9"), "who controls it at a month end scores (P33.2)")
    read: dict[str, Any] = {name: {"JP": int(japan), "AL": int(allies)} for name, japan, allies in lines}

    victory = CAMPAIGNS["C1"].victory
    assert {NAMES[place]: worth for place, worth in victory.locations.items()} == read
    levels = table(paragraph("P1.9"), "Allied less Japanese points at least")
    assert [(str(row.min) if row.min is not None else "any less", row.result) for row in victory.levels] == [
        tuple(line) for line in levels
    ]


@pytest.mark.parametrize(("side", "column"), [("JP", 1), ("AL", 2)])
def test_p10_3_the_command_points_of_c1_are_those_of_the_data(side: str, column: int) -> None:
    lines = table(paragraph("P1.9"), "Command Points in C1")

    wanted = list(CAMPAIGNS["C1"].command_points[side].values())  # type: ignore[index]
    assert wanted == [int(row[column]) for row in lines]
