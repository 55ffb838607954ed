"""P41 Each line of the invariants has a test that names it, and is noticed when it is broken."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from re import DOTALL, findall, search
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import dice
from domain.kernel.dice import seeded
from domain.kernel.facts import Fact, Rolled, evolve
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.atlas import area
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Contents, Fleet
from domain.pacific_war.board.war import EmergencyLink, Operation
from domain.pacific_war.decisions.orders_of_month import Suggested
from domain.pacific_war.facts.cycle import (
    AdvantageIs,
    CycleBegan,
    LightingIs,
    PhaseBegan,
    ShipHit,
)
from domain.pacific_war.facts.fighting import GroundStepsLost, RaidsAre, TookOff
from domain.pacific_war.facts.months import DayIs, OperationIs
from domain.pacific_war.months.administration import Administration
from tests.kernel.playing import Playing, copy_of, finished
from tests.pacific_war.campaign import campaign_at
from tests.pacific_war.course import course
from tests.pacific_war.days import ALLIES, JAPAN, operation, outset, sail, wake
from tests.pacific_war.invariants import invariants_of_state, steady
from tests.pacific_war.lively import lively
from tests.pacific_war.test_05_administration import crowded
from tests.pacific_war.test_13_proposals import RICH
from tests.pacific_war.test_41_operations import COMMANDS, begin, pick
from tests.pacific_war.twins import CHANGES

HERE = Path(__file__).parent
HURT = {"ca_us1": {"port": "suva", "damage": 2}}
BOOK = (Path(__file__).parents[2] / "docs" / "rules" / "pacific-war.md").read_text()
MOST_TRIED = 30
"""Decisions of a list that are tried, by chance."""
LINES = findall(r"(?m)^(\d+)\. ", search(r"## P41 .*?(?=## P42)", BOOK, DOTALL)[0])  # type: ignore[index]


# states that are broken


def at_sea() -> Table:
    """Return a table of C1 with an Operation of the Allies: a carrier group and troops in a task force."""
    table = outset()
    operation(table, condition="I")
    sail(table, "A1", "6147", ["cv_saratoga", "aa_us1"], ["dd_us1"], {"aa_us1": ["us_2mar"]})
    wake(table, "us_1e_67fs")
    table.facts = []
    assert [] == list(invariants_of_state(table.state))
    return table


def unit(book: str, name: str, side: int = ALLIES, **fields: Any) -> Callable[[Table], None]:
    """Return what changes a unit behind the rules' back."""

    def change(table: Table) -> None:
        units = getattr(table.state.own[side], book)
        units[name] = replace(units[name], **fields)

    return change


def base(place: str, **fields: Any) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        table.state.open.bases[place] = replace(table.state.open.bases[place], **fields)

    return change


def means(side: int, **fields: Any) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        for name, value in fields.items():
            setattr(table.state.own[side].means, name, value)

    return change


def board(**fields: Any) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        for name, value in fields.items():
            setattr(table.state.open.war, name, value)

    return change


def led(**fields: Any) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        war = table.state.open.war
        war.operation = replace(war.operation, **fields)

    return change


def slots(core: Sequence[str], screen: Sequence[str]) -> Callable[[Table], None]:
    """Return what lays out task force A1 anew, its ships with it."""

    def change(table: Table) -> None:
        own = table.state.own[ALLIES]
        own.fleets["A1"] = Fleet(Contents(tuple(core), tuple(screen)))
        for ship in (*core, *screen):
            own.ships[ship] = replace(own.ships[ship], tf="A1", port="")

    return change


def over(table: Table) -> None:
    """Let the Operation be over, and its units out."""
    table.state.open.war.operation = None


def linked(table: Table) -> None:
    """Let a destroyer keep up a link that nobody sees."""
    table.state.own[ALLIES].means.emergency = {"efate": EmergencyLink("DD", "dd_us2")}


BROKEN: list[tuple[str, Callable[[Table], None], str]] = [
    ("1", unit("ships", "dd_us2", tf="A1"), "dd_us2 says A1"),
    ("1", unit("ships", "dd_us1", port="noumea"), "at sea and in port"),
    ("1", unit("ships", "dd_us2", port=""), "no place"),
    ("1", means(ALLIES, penalty={"dd_us2": "1942-11"}), "dd_us2 is in"),
    ("1", unit("ground", "us_2mar", hex="6147"), "us_2mar with"),
    ("1", unit("air", "us_1e_67fs", home=""), "no home"),
    ("1", linked, "emergency links"),
    ("2", unit("ships", "dd_us2", damage=9), "has 9 hits"),
    ("2", unit("air", "us_1e_67fs", steps=99), "99 steps"),
    ("2", unit("air", "us_1e_67fs", level=3), "level 3"),
    ("2", unit("ground", "us_1mardiv", steps=99), "99 steps"),
    ("2", base("noumea", airbase_damage=9), "more damage than size"),
    ("2", base("noumea", fort=4), "a fort of 4"),
    ("2", base("noumea", resource_damage=3), "resource damage of 3"),
    ("3", slots(["cv_saratoga", "aa_us1", "dd_us1"], []), "light ship is in the core"),
    ("3", slots(["cv_saratoga"], ["dd_us1", "aa_us1"]), "auxiliary is in the screen"),
    ("3", unit("air", "cvg_saratoga", steps=9), "9 steps aboard cv_saratoga"),
    ("4", board(day=31), "the day is 31"),
    ("5", board(msp=66), "66 Merchant Shipping Points"),
    ("5", board(hrl=21), "Homeland Resource Level of 21"),
    ("5", means(JAPAN, fop=41), "41 in its pool"),
    ("6", means(JAPAN, points={"hq_sea": -1}), "-1 points"),
    ("6", led(spent=19), "19 of a bid of 18"),
    ("6", led(answered=19), "19 Activation Points answer 12"),
    ("7", unit("air", "us_1e_67fs", ready=2, cap=2), "2 ready and 2 on CAP"),
    ("8", over, "there is no Operation"),
    ("9", unit("ships", "dd_us1", damage=1), "dd_us1 is told to be"),
]


@pytest.mark.parametrize(("line", "breaks", "told"), BROKEN, ids=[f"{n}-{t}" for n, _, t in BROKEN])
def test_p41_a_broken_line_of_the_state_is_noticed(
    line: str, breaks: Callable[[Table], None], told: str
) -> None:
    table = at_sea()
    if line == "9":
        table.state.open.ships["dd_us1"] = replace(table.state.own[ALLIES].ships["dd_us1"])
    breaks(table)

    assert told in "; ".join(invariants_of_state(table.state))


# logs that are broken


def phase(number: str) -> PhaseBegan:
    return PhaseBegan(number, "for the test")


OUT_OF_PLACE: list[tuple[str, list[Fact], str]] = [
    ("4", [phase("5.1.R"), DayIs(3), DayIs(5)], "day 5 follows 3 in 5.1.R"),
    ("4", [phase("5.2.O"), DayIs(3), DayIs(4)], "day 4 follows 3 in 5.2.O"),
    ("4", [phase("5.1.O"), DayIs(3), DayIs(4)], "day 4 follows 3 in 5.1.O"),
    ("4", [phase("5.2.D"), DayIs(3), DayIs(4)], "day 4 follows 3 in 5.2.D"),
    ("7", [phase("5.2.B"), LightingIs("Day")], "in 5.2.B"),
    ("7", [phase("5.2.A"), AdvantageIs(JAPAN)], "in 5.2.A"),
    ("7", [TookOff(ALLIES, {"us_1e_67fs": 4}), TookOff(ALLIES, {"us_1e_67fs": 4})], "has flown 8 steps"),
    ("8", [OperationIs(Operation(side, "", 1), "", begun=True) for side in (0, 1)], "within another"),
    ("11", [phase("5.2.C"), RaidsAre((), "")], "RaidsAre in 5.2.C"),
    ("11", [phase("5.2.K"), GroundStepsLost("us_2mar", 1, 2, broken=False)], "GroundStepsLost in 5.2.K"),
    ("11", [phase("5.1.R"), ShipHit("dd_us1", 1, 1, 2)], "ShipHit in 5.1.R"),
]


@pytest.mark.parametrize(("line", "log", "told"), OUT_OF_PLACE, ids=[f"{n}-{t}" for n, _, t in OUT_OF_PLACE])
def test_p41_a_fact_out_of_its_place_is_noticed(line: str, log: list[Fact], told: str) -> None:
    assert line in LINES
    assert told in "; ".join(course(log))


def test_p41_4_p41_7_p41_11_a_fact_in_its_place_is_not() -> None:
    """Given days to Month Begin and past it, torpedoes of a patrol, and steps that fly cycle by cycle."""
    fire = Rolled(0, "25.2", "submarine torpedoes", ALLIES, 10, (3,))
    group = TookOff(ALLIES, {"us_1e_67fs": 3})
    log = [
        *(phase("5.1.R"), DayIs(29), fire, ShipHit("dd_us1", 1, 1, 2), DayIs(30), DayIs(0)),
        *(phase("5.2.O"), DayIs(2), phase("5.1.O"), DayIs(0), phase("5.1.P"), DayIs(1)),
        *(CycleBegan(1), phase("5.2.A"), LightingIs("Day"), group, CycleBegan(2), group),
    ]

    assert [] == course(log)


def test_p41_4_p41_5_months_never_fall_and_the_homeland_level_never_rises() -> None:
    before, after = outset(month="1942-09").state.open.war, outset(month="1942-08").state.open.war
    assert before is not None
    assert after is not None
    before.hrl, after.hrl = 19, 20

    assert 2 == len(list(steady(before, after)))


# whole matches


def by_chance(scenario: str, seed: int) -> Playing:
    """Play a match by chance to its end."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    while not playing.state.match.over:
        playing.decide_all(*lively(playing.table, chance))
    return playing


def test_p41_10_a_log_folds_twice_to_equal_states_and_rolls_no_die(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = by_chance("B1", 1)
    monkeypatch.setattr(dice.Fair, "roll", None)
    states = [evolve(PACIFIC_WAR.state(), (fact for _, fact in playing.log)) for _ in range(2)]

    assert any(isinstance(fact, Rolled) for _, fact in playing.log)
    assert states[0] == states[1]
    assert PACIFIC_WAR.encode(states[0]) == PACIFIC_WAR.encode(playing.state)


@pytest.mark.parametrize("scenario", ["E1", "E4", "B1"])
def test_p41_12_every_decision_of_a_list_leads_to_a_valid_state(scenario: str) -> None:
    """Given a match by chance, now and then all that both may decide is decided on a copy."""
    chance, playing, tried = Random(2), Playing(PACIFIC_WAR, scenario, {}, seeded(2)), 0
    for n in range(1_000):
        if playing.state.match.over:
            break
        for seat, prompt in playing.table.prompts.items() if n % 6 == 0 else ():
            assert prompt.options
            assert len(prompt.options) == len(set(prompt.options))
            for option in chance.sample(prompt.options, min(len(prompt.options), MOST_TRIED)):
                copy = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, playing.state), seeded(n))
                copy.decide_all(seat, finished(copy, seat, option, chance.choice))
                assert [] == list(invariants_of_state(copy.state))
                tried += 1
        playing.decide_all(*lively(playing.table, chance))

    assert tried > 10


@pytest.mark.parametrize("scenario", ["E1", "E2", "E3", "E4", "B1"])
def test_p41_13_p1_2_in_a_battle_no_unit_is_outside_the_area_so_no_window_waits_for_one(
    scenario: str,
) -> None:
    inside, seen = area(scenario), set[str]()
    chance, playing = Random(3), Playing(PACIFIC_WAR, scenario, {}, seeded(3))
    while not playing.state.match.over:
        for own in playing.state.own:
            homes = {one.home for one in own.air.values()} | {one.port for one in own.ships.values()}
            seen |= {LOCATIONS[place].hex for place in homes if place in LOCATIONS}
            seen |= {one.hex for one in own.ground.values() if one.hex}
        seen |= {force.node[:4] for force in playing.state.open.tfs.values()}
        playing.decide_all(*lively(playing.table, chance))

    assert seen
    assert seen <= inside


def test_p41_17_a_list_is_the_same_whatever_the_enemy_hides() -> None:
    """Given Operations by chance, with each hidden thing of the other side exchanged, lists are alike."""
    compared = Counter[str]()
    for seed in range(3):
        chance, table = Random(seed), begin(seed)
        for n in range(COMMANDS):
            for seat in table.prompts if n % 7 == 0 else ():
                for name, change in CHANGES.items():
                    twin = copy_of(PACIFIC_WAR, table.state)
                    if change(twin.open, twin.own[1 - seat], chance):
                        assert table.prompts[seat] == Table(PACIFIC_WAR, twin, seeded(n)).prompts.get(seat), (
                            name
                        )
                        compared[name] += 1
            table.decide_all(*pick(table, chance))

    of_the_war = {"priority", "duty"}
    assert {*CHANGES} - of_the_war == {*compared}


def test_p41_17_p13_p17_a_list_and_a_proposal_of_a_month_are_the_same_whatever_the_enemy_hides() -> None:
    """Given a month of C1 from P13 to P17 by chance, with hurt ships and steps to give on both sides."""
    compared, rules = Counter[str](), set[str]()
    for seed in range(2):
        chance, table = Random(seed), campaign_at(Administration(), units=HURT, means=RICH)
        for n in range(COMMANDS):
            if not table.prompts:
                break
            for seat, prompt in table.prompts.items():
                rules |= {prompt.rule for one in prompt.options if isinstance(one, Suggested)}
                for name, change in CHANGES.items():
                    twin = copy_of(PACIFIC_WAR, table.state)
                    if change(twin.open, twin.own[1 - seat], chance):
                        assert prompt == Table(PACIFIC_WAR, twin, seeded(n)).prompts.get(seat), name
                        compared[name] += 1
            table.decide_all(*lively(table, chance))

    assert {"13.1", "16.1"} <= rules
    assert {"level", "points", "pools", "ships", "troops", "wings"} <= {*compared}


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, 10))])
def test_p41_17_p13_p17_so_they_are_in_the_war_where_many_lie_in_boxes(seed: int) -> None:
    """Given a month of the war in which both take each proposal, and else are done."""
    chance = Random(seed)
    table = campaign_at(Administration(), table=crowded(chance))
    compared, known = set[tuple[str, str]](), set[tuple[int, str]]()
    while table.prompts:
        for seat, prompt in table.prompts.items():
            if (seat, prompt.rule) in known:
                continue
            proposed = any(isinstance(one, Suggested) for one in prompt.options)
            for name, change in CHANGES.items():
                twin = copy_of(PACIFIC_WAR, table.state)
                if change(twin.open, twin.own[1 - seat], chance):
                    assert prompt == Table(PACIFIC_WAR, twin, seeded(seed)).prompts.get(seat), name
                    compared |= {(prompt.rule, name)} if proposed else set()
        seat, prompt = next(iter(table.prompts.items()))
        known.add((seat, prompt.rule))
        taken = next((one for one in prompt.options if isinstance(one, Suggested)), prompt.options[-1])
        table.decide(seat, taken)

    hidden = {"points", "ships", "troops", "wings"}
    assert {(rule, name) for rule in ("13.1", "15.1", "16.1") for name in hidden} <= compared


def test_p41_every_line_is_named_by_a_test() -> None:
    """Of several lines that one test names, as in `p41_1_to_15`, none counts."""
    names = findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")))
    named = {number for name in names for number in findall(r"p41_(\d+)_(?!to_)", name)}
    named |= {line for line, *_ in (*BROKEN, *OUT_OF_PLACE)}

    assert 17 == len(LINES)
    assert [] == [line for line in LINES if line not in named]
