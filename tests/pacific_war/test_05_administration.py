"""P5.1 From 5.1.I to 5.1.M: each side by itself, both at once, to the end whatever they choose."""

from random import Random
from typing import Any

import pytest

from domain.kernel.dice import seeded
from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal, Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.administration import CHAPTERS, Administration
from domain.pacific_war.campaigns import months
from domain.pacific_war.charts import AIR, GROUND
from domain.pacific_war.decisions import Done
from domain.pacific_war.dispositions import BreakDown, MoveHQ, NewAirUnit, To, Transport
from domain.pacific_war.months import LinksAre
from domain.pacific_war.table import Ship, printed, stack_room
from domain.pacific_war.war import Post
from tests.pacific_war.board import options, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, alter, campaign_at, laid_out, of, through
from tests.pacific_war.clash import check

POINTS = {
    JAPAN: {"points": {"hq_cf": 20, "hq_sea": 16}},
    ALLIES: {"points": {"hq_sopac": 30, "hq_swpa": 28}},
}


def begun(**changes: Any) -> Table:
    """Return a table on which both sides begin."""
    return campaign_at(Administration(), **({"means": POINTS} | changes))


def test_p11_6_1_both_are_told_their_links_and_safe_paths_at_the_beginning() -> None:
    found = told(begun().facts, LinksAre)

    assert [JAPAN, ALLIES] == [one.side for one in found]
    assert all(one.safe for one in found)


def test_r_44_both_are_asked_at_once_each_by_the_rule_of_where_it_is() -> None:
    table = begun()
    assert {JAPAN: "13.1", ALLIES: "13.1"} == rules(table)
    take(table, JAPAN, Done())

    assert {JAPAN: "14.6", ALLIES: "13.1"} == rules(table)
    take(table, ALLIES, Transport("us_32div"), To("noumea"))
    assert {JAPAN: "14.6", ALLIES: "13.1"} == rules(table)
    take(table, ALLIES, Done())
    assert {JAPAN: "14.6", ALLIES: "14.1"} == rules(table)
    through(table, JAPAN)
    assert {ALLIES: "14.1"} == rules(table)
    through(table, ALLIES)
    assert {} == table.prompts
    assert [] == table.state.stack


def rules(table: Table) -> dict[int, str]:
    """Return the rule by which each side is asked."""
    return {side: prompt.rule for side, prompt in table.prompts.items()}


def test_p5_1_the_chapters_come_in_the_order_of_the_rules() -> None:
    order = ["13.1", "11.2.1", "20.2.3", "14.1", "8.1", "14.6", "15.1", "16.1", "17.1"]

    assert order == [chapter.rule for chapter in CHAPTERS]


def test_p0_3_a_chapter_with_nothing_but_done_is_passed_without_asking() -> None:
    """Given Japan without points, damage and headquarters, then it is not asked at all."""
    posts = {"hq_cf": Post(), "hq_sea": Post()}
    table = begun(means={JAPAN: {"points": {}}}, posts=posts, bases={"shortland": {"osb": False}})
    swaps = [one for one in options(table, JAPAN) if not isinstance(one, Done)]

    assert JAPAN not in table.prompts or rules(table)[JAPAN] == "16.1"
    assert all(type(one).__name__ == "SwapLevels" for one in swaps)


def test_p0_3_1_quiet_are_first_picks_with_a_choice_of_seconds() -> None:
    table = begun()

    quiet = set(table.quiet(JAPAN))
    assert Transport("jp_ichiki") in quiet
    assert Transport("jp_sas5") not in quiet  # one place to go: it goes there at once
    assert Done() not in quiet
    with pytest.raises(Illegal):
        take(table, JAPAN, To("rabaul"))


def test_p0_3_1_a_pick_that_waits_is_asked_for_by_name() -> None:
    table = begun()
    take(table, ALLIES, MoveHQ("hq_swpa"))

    assert "Choose where [hq_swpa] goes." == table.prompts[ALLIES].text
    assert {To("noumea"), To("port_moresby"), To("suva")} == {*options(table, ALLIES)}
    take(table, JAPAN, Done())  # the other goes on meanwhile
    take(table, ALLIES, To("suva"))
    assert table.state.open.war is not None
    assert Post("suva") == table.state.open.war.posts["hq_swpa"]


def test_r_58_the_table_can_be_saved_between_any_two_decisions() -> None:
    table = begun()
    take(table, ALLIES, Transport("us_32div"))
    copy = Table(PACIFIC_WAR, PACIFIC_WAR.restore(PACIFIC_WAR.encode(table.state)), seeded(1))

    assert table.prompts == copy.prompts


@pytest.mark.parametrize("month", months("C1"))
@pytest.mark.parametrize("seed", range(20))
def test_r_58_whatever_both_choose_they_come_to_the_end(month: str, seed: int) -> None:
    """Given a month with losses on both sides, when both choose at random, then both come through."""
    rng = Random(f"{month}{seed}")
    table = Table(PACIFIC_WAR, battered(month, rng).state, seeded(f"{month}{seed}"), Administration())
    count = 0
    while table.prompts:
        side = rng.choice(sorted(table.prompts))
        take(table, side, _pick(rng, options(table, side)))
        count += 1
        assert count < 600
    check(table)
    whole(table)
    assert [] == table.state.stack


def _pick(rng: Random, found: list[Decision]) -> Decision:
    """Return one of the options: each kind as likely as the others, and seldom `Done`."""
    kinds = sorted({type(one) for one in found}, key=lambda kind: kind.__name__)
    kind = rng.choice(
        [one for one in kinds if one is not Done or len(kinds) == 1 or rng.random() < 0.1] or kinds
    )
    return rng.choice([one for one in found if type(one) is kind])


def battered(month: str, rng: Random) -> Table:
    """Return a table after hard fighting: ships are damaged, units lost, bases hit, patrols at sea."""
    table = laid_out(month)
    for own in table.state.own:
        for ship in own.ships:
            hits = printed(table.state.open, ship).hits
            alter(table, units={ship: {"damage": rng.choice([0, 0, *range(hits)])}})
        for unit, air in own.air.items():
            if air.home not in own.ships and rng.random() < 0.25:
                alter(table, units={unit: {"home": "", "steps": 0}})
        for unit, ground in [*own.ground.items()]:
            alter(table, units={unit: {"steps": rng.randint(1, ground.steps), "broken": rng.random() < 0.1}})
    alter(
        table,
        bases={"rabaul": {"airbase_damage": 2}, "noumea": {"port_damage": 1, "command": True}},
        patrols={"6047": (JAPAN, 2), "5033": (ALLIES, 2)},
        means=POINTS,
        units={"aa_jp10": {"port": ""}, "jp_kure5": {"hex": "", "aboard": {"aa_jp10": 1}, "steps": 1}},
        posts={"hq_sea": Post(returns=month)},
    )
    table.state.own[JAPAN].means.penalty = {"aa_jp10": month}
    return table


def whole(table: Table) -> None:
    """Assert that units are within their figures, and nothing was spent that was not there."""
    board = table.state.open
    for own in table.state.own:
        assert all(points >= 0 for points in own.means.points.values())
        assert all(points >= 0 for points in (*own.means.transport.values(), *own.means.steps.values()))
        for unit, air in own.air.items():
            assert 0 <= air.steps <= AIR[unit].max_steps
            assert 0 <= air.level <= 2
            assert bool(air.home) == bool(air.steps)
        for unit, ground in own.ground.items():
            assert 0 <= ground.steps <= GROUND[unit].max_steps
            assert bool(ground.hex or ground.aboard) == bool(ground.steps)
            assert not ground.hex or stack_room(own, ground.hex) >= 0
        assert all(0 <= one.damage <= printed(board, ship).hits for ship, one in own.ships.items())
    for base in board.bases.values():
        assert 0 <= base.airbase_damage <= base.airbase <= 4
        assert 0 <= base.port_damage <= base.port <= 4
        assert 0 <= base.fort <= 3


def test_p40_what_is_on_a_list_is_said_in_words() -> None:
    table = battered("1942-08", Random(1))
    table = campaign_at(Administration(), table=table)

    words = [one.words() for side in (JAPAN, ALLIES) for one in options(table, side)]
    assert "transport [jp_ichiki]" in words
    assert "raise [us_1e_35fg] anew" == NewAirUnit("us_1e_35fg").words()
    assert "break [us_37div] down" == BreakDown("us_37div").words()
    assert Ship() != Ship(assault=True)
    assert [] == [one for one in words if "[]" in one]
    assert of(table, ALLIES, Transport)
