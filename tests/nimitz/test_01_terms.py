"""N1 Terms."""

from domain.nimitz.board import value
from domain.nimitz.charts import AREAS, COUNTERS, DISTANCE, FORCES, OBJECTIVES, YEARS
from domain.nimitz.facts import TurnBegan
from domain.nimitz.table import ashore, contested, held_objectives, is_ashore, rated, supply
from domain.nimitz.theatres import theatre
from tests.nimitz.board import JA, US, begun, full, given
from tests.nimitz.rulebook import rows, section


def test_n1_1_twenty_areas_and_thirty_four_links_with_their_distances() -> None:
    links = {tuple(sorted((area, there))) for area in AREAS for there in AREAS[area].neighbours}

    assert (20, 34) == (len(AREAS), len(links))
    assert all(area in AREAS[there].neighbours for area, there in links)
    for name, area in AREAS.items():
        stored = (area.dist_to_JA, area.dist_to_AU, area.dist_to_HI)
        assert stored == tuple(DISTANCE[name][to] for to in ("JA", "AU", "HI"))


def test_n1_1_n1_12_the_tables_of_areas_are_those_of_the_book() -> None:
    book = rows(section("1"))
    printed = {row[1]: row for row in book if row[1] in AREAS}
    distances = {row[0]: row[1:] for row in book if len(row) == 4}
    areas, links = {}, {"area": ["links to Japan", "to Australia", "to Hawaii"]}
    for area in AREAS.values():
        years = [year for year in YEARS if area.id in OBJECTIVES[year]]
        since = {0: "never", 1: "1945", 4: "all years"}.get(len(years), f"from {min(years, default=0)}")
        room = str(area.airfield or ("no limit" if area.us_lba_unlimited else "none"))
        beside = ", ".join(AREAS[there].name for there in area.neighbours)
        areas[area.id] = [area.name, area.id, room, since, beside]
        links[area.name] = [str(area.dist_to_JA), str(area.dist_to_AU), str(area.dist_to_HI)]

    assert printed == areas
    assert list(printed) == sorted(AREAS)
    assert distances == links


def test_n1_2_r_31_australian_forces_are_on_the_us_side_and_abda_is_their_ship() -> None:
    australian = [c for c in FORCES[1942].values() if c.nation == "AU"]

    assert {"US"} == {counter.side for counter in australian}
    assert ["ABDA"] == [counter.name for counter in australian if counter.kind == "SHIP"]


def test_n1_3_forces_are_ships_infantry_and_land_based_aircraft() -> None:
    kinds = {counter.kind: set[str]() for year in YEARS for counter in FORCES[year].values()}
    for year in YEARS:
        for counter in FORCES[year].values():
            kinds[counter.kind].add(counter.type)

    assert {"CV", "CVL", "CVE", "BB", "CRU", "DD", "SS"} == kinds["SHIP"]
    assert {"ARMY", "MARINE", "BASE"} == kinds["INF"]
    assert {"FIGHTER", "BOMBER"} == kinds["LBA"]


def test_n1_4_a_transport_group_counts_as_a_ship_of_value_4() -> None:
    assert (4, 1, 3) == tuple(map(value, ("transport", "airfield", "42-ja-kongo-haruna")))


def test_n1_5_a_bomber_has_a_bomb_rating_and_a_fighter_none() -> None:
    for counter in COUNTERS.values():
        if counter.kind in {"LBA", "CAG"}:
            ratings = counter.ratings.full
            bombs = ratings.bomb_ship is not None or ratings.bomb_ground is not None
            assert bombs == (counter.type == "BOMBER")
            assert bombs or ratings.dogfight is not None


def test_n1_6_value_and_price_are_equal_but_for_us_carriers() -> None:
    unequal = {c.type for c in COUNTERS.values() if c.kind != "CAG" and c.value != c.buy}

    assert unequal <= {"CV", "CVL", "CVE"}
    assert (1, 5) == (COUNTERS["42-us-enterprise"].value, COUNTERS["42-us-enterprise"].buy)


def test_n1_7_damaged_ratings_are_half_rounded_up() -> None:
    for counter in COUNTERS.values():
        whole, half = counter.ratings.full, counter.ratings.damaged
        for name in ("aaa", "surface", "depth", "dogfight", "bomb_ship", "bomb_ground", "infantry"):
            rating = getattr(whole, name)
            wanted = None if rating is None else 0 if counter.type == "BN" else -(-rating // 2)
            assert wanted == getattr(half, name), (counter.id, name)
        for name in ("aaa_sup", "dogfight_sup"):
            better = getattr(whole, name)
            assert (-(-better // 2) if better > 1 else 0) == getattr(half, name)


def test_n1_7_a_damaged_force_has_its_damaged_ratings() -> None:
    board = given({"SI": ["1st-marine*", "2nd-marine"]})

    assert [3, 5] == [rated(board.open, f"42-us-{n}").infantry for n in ("1st-marine", "2nd-marine")]


def test_n1_8_r_05_infantry_off_its_transport_and_aircraft_are_ashore_ships_never() -> None:
    board = given({"SI": ["1st-marine~", "abda"], "NG": ["mag-22"], "MI": ["25th-inf"]})

    assert [False, False, True, True] == [
        is_ashore(board.open, full(board.open, end)) for end in ("1st-marine", "abda", "mag-22", "25th-inf")
    ]
    assert [False, True, True] == [ashore(board.open, area, US) for area in ("SI", "NG", "MI")]


def test_n1_10_r_32_r_33_held_and_supplied_areas_grow_from_the_west_coast() -> None:
    board = given(
        {"HI": ["25th-inf"], "SA": ["mag-13"], "NC": ["us-bn-01"], "SI": ["1st-marine"], "CI": ["us-bn-02"]},
        {"SI": ["55th-inf"], "GI": ["ja-bn-01"]},
    )

    held, supplied = supply(board.open)
    assert {"WC", "HI", "SA", "NC", "AU"} == held
    assert {"AK", "MI", "GI", "SI", "NG", "BO"} == supplied - held
    assert "CI" not in supplied
    cut_off = given({"HI": ["25th-inf"]})
    assert "AU" not in supply(cut_off.open)[0]


def test_n1_10_a_contested_area_passes_no_supply_on() -> None:
    board = given({"HI": ["25th-inf"], "GI": ["1st-marine"], "ML": ["2nd-marine"]}, {"GI": ["ja-bn-01"]})

    _, supplied = supply(board.open)
    assert ("GI" in supplied, "ML" in supplied) == (True, False)


def test_n1_11_forces_of_any_kind_on_both_sides_make_an_area_contested() -> None:
    board = given({"SI": ["sub-gp-1"], "MI": ["mag-22"]}, {"SI": ["ja-bn-01"], "GI": ["kaga"]})

    assert ["SI"] == contested(board.open)


def test_n1_12_objectives_by_year_never_the_homes() -> None:
    assert [8, 10, 14, 16] == [len(OBJECTIVES[year]) for year in YEARS]
    assert set() == {"WC", "AU", "JA", "EA"} & {area for year in YEARS for area in OBJECTIVES[year]}
    assert ["AK", "HI", "MI", "NC", "SA", "SI"] == sorted(held_objectives(begun().open))


def test_n1_9_infantry_on_transports_forms_one_group_free_of_charge() -> None:
    board = given({"SI": ["1st-marine~", "25th-inf~"]}, {"SI": ["55th-inf"]})

    assert ["1st-marine~", "25th-inf~"] == board.in_place("SI", US)


def test_n1_13_boxes_belong_to_the_pacific_theatre_and_stand_beside_the_map() -> None:
    board = begun(mode=3)

    boxes = ("US_RE", "P1", "P2", "P3", "RAID", "SB", "INV")
    assert {0} == {theatre(board.open, box) for box in boxes}


def test_n1_14_r_57_r_61_battalions_have_value_0_and_8_wait_in_the_box() -> None:
    for year in YEARS:
        assert 8 == len(begun(year).in_place("JA_BN"))
    most = {"ja-bn": 33, "us-bn": 9}
    for side, count in most.items():
        assert [f"{side}-{n:02}" for n in range(1, count + 1)] == sorted(n for n in COUNTERS if side in n)
    assert ("Japanese Battalion 1", "US Battalion 2") == (
        COUNTERS["ja-bn-01"].name,
        COUNTERS["us-bn-02"].name,
    )
    for name in ("ja-bn-01", "us-bn-01"):
        assert (0, 1, 0) == (
            COUNTERS[name].value,
            COUNTERS[name].ratings.full.infantry,
            COUNTERS[name].ratings.damaged.infantry,
        )


def test_n1_15_marks_are_cleared_when_a_turn_begins() -> None:
    board = begun()
    board.open.forces["42-ja-kaga"].moved = board.open.forces["42-ja-kaga"].arrived = True
    board.open.auto_held = ["NG"]
    board.open.forces["42-us-hornet"].seat = 1
    board.table.record(TurnBegan(2))

    assert -1 == board.open.forces["42-us-hornet"].seat
    kaga = board.open.forces["42-ja-kaga"]
    assert (False, False, []) == (kaga.moved, kaga.arrived, board.open.auto_held)
    assert JA == 1
