"""P10 Command Points: what a month brings, and how both sides share it out unseen."""

from itertools import product
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal, NotOneCommand, Table, Unfinished
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.war import Post, Share
from domain.pacific_war.clock import default
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import (
    AllocateCP,
    AsLastMonth,
    CommandPoints,
    Suggested,
    UndoAllocation,
)
from domain.pacific_war.facts.months import PicksKept, TotalsAre
from domain.pacific_war.months.command_points import (
    NATIONS,
    Allocation,
    allies,
    census,
    commanded,
    japan,
    largest,
    listed,
    of_month,
    proposal,
    room,
    takes,
)
from tests.pacific_war.board import again_at, options, sealed_facts, take, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign, in_sight

CF, SEA, SOPAC, SWPA = "hq_cf", "hq_sea", "hq_sopac", "hq_swpa"


def window(month: str = "1942-08", **more: Any) -> Table:
    """Return a table at the allocation of a month."""
    return campaign(month=month, first=Allocation(), **more)


def give(*shares: tuple[str, int], purse: str = "JP") -> list[Decision]:
    """Return the picks that give these headquarters these points."""
    return [one for hq, n in shares for one in (AllocateCP(purse, hq), CommandPoints(n))]


def held(table: Table, side: int) -> dict[str, int]:
    return dict(table.state.own[side].means.points)


# the figures


@pytest.mark.parametrize(
    ("date", "msp", "resources", "hrl", "points"),
    [
        ("1943-07", 54, 12, 20, 81),  # the example of P38.1
        ("1941-12", 60, 15, 20, 120),
        ("1941-12", 0, 0, 0, 120),
        ("1942-01", 60, 15, 20, 90),
        ("1944-12", 21, 9, 18, 10 + 10 + 2 * 5 + 18),  # MSP // 4 = 5 limits the resources
        ("1945-08", 11, 1, 4, 10 + 5 + 2 + 4),
        ("1945-09", 0, 9, 0, 10),
    ],
)
def test_p10_1_japan_by_shipping_resources_and_homeland(
    date: str, msp: int, resources: int, hrl: int, points: int
) -> None:
    assert points == japan(date, msp, resources, hrl)


@pytest.mark.parametrize(
    ("date", "us", "cw"),
    [
        ("1941-12", 22, 12),
        ("1942-04", 36, 14),
        ("1942-06", 45, 14),
        ("1942-07", 50, 12),
        ("1942-09", 55, 12),
        ("1942-12", 60, 14),
        ("1943-06", 68, 16),
        ("1944-03", 110, 24),
        ("1945-09", 175, 44),
    ],
)
def test_p10_2_the_allies_by_the_table(date: str, us: int, cw: int) -> None:
    assert {"US": us, "CW": cw} == allies(date)
    assert {*TABLES["command_points"]["allied_us"]} == {*TABLES["command_points"]["allied_cw"]}


@pytest.mark.parametrize(
    ("month", "japanese", "allied"),
    [("1942-08", 36, 58), ("1942-09", 40, 40), ("1942-10", 48, 46), ("1942-11", 48, 54), ("1942-12", 34, 48)],
)
def test_p10_2_a_campaign_has_its_own_figures_and_tells_them(month: str, japanese: int, allied: int) -> None:
    table = window(month)

    assert (japanese, allied) == of_month(table) == table.state.open.war.totals
    assert [TotalsAre((japanese, allied))] == told(table.facts, TotalsAre)


# the window


def test_p10_3_each_headquarters_is_given_what_is_left_up_to_its_cap() -> None:
    """Given 36 points and Rabaul with 38 of 40, then Truk takes 1 to 36 and Rabaul 1 or 2."""
    table = window(means=({"points": {SEA: 38}}, {}))
    assert [AllocateCP("JP", CF), AllocateCP("JP", SEA)] == options(table, JAPAN)[:2]
    assert Done() == options(table, JAPAN)[-1]

    truk = table.ahead(JAPAN, [AllocateCP("JP", CF)])
    rabaul = table.ahead(JAPAN, [AllocateCP("JP", SEA)])

    assert [CommandPoints(n) for n in range(1, 37)] == options(truk, JAPAN)
    assert [CommandPoints(1), CommandPoints(2)] == options(rabaul, JAPAN)
    assert "How many Command Points for [hq_sea]?" == rabaul.prompts[JAPAN].text
    rest = table.ahead(JAPAN, give((CF, 35)))
    assert [AllocateCP("JP", SEA)] == [o for o in options(rest, JAPAN) if isinstance(o, AllocateCP)]
    assert [CommandPoints(1)] == options(table.ahead(JAPAN, [*give((CF, 35)), AllocateCP("JP", SEA)]), JAPAN)


def test_p10_3_p41_6_a_full_headquarters_and_a_spent_purse_are_not_listed() -> None:
    table = window(means=({"points": {SEA: 40}}, {}))
    assert [AllocateCP("JP", CF)] == [o for o in options(table, JAPAN) if isinstance(o, AllocateCP)]

    spent = table.ahead(JAPAN, give((CF, 36)))

    assert [UndoAllocation(CF), Done()] == options(spent, JAPAN)
    assert "0 Command Points to share out; what you leave is lost." == spent.prompts[JAPAN].text


def test_p10_3_r_2_unused_points_stay_and_what_is_not_allocated_is_lost() -> None:
    """Given 7 points kept at Truk, when 10 and 20 of 36 are allocated, then 17 and 20 are there."""
    table = window(means=({"points": {CF: 7}}, {}))
    take(table, JAPAN, *give((CF, 10), (SEA, 20)), Done())

    assert {CF: 17, SEA: 20} == held(table, JAPAN)
    take(table, ALLIES, Done())
    assert {} == held(table, ALLIES)
    table = again_at(table, Allocation())
    assert 36 == sum(table.state.open.war.totals[:1])


@pytest.mark.parametrize(
    ("hq", "us", "cw"),
    [
        ("hq_cincpac", True, False),
        ("hq_sopac", True, True),
        ("hq_swpa", True, True),
        ("hq_malaya", False, True),
        ("hq_abda", True, True),
        ("hq_india", True, True),
    ],
)
def test_p10_3_points_of_a_nation_go_to_headquarters_of_it(hq: str, us: bool, cw: bool) -> None:
    assert (us, cw) == (takes(hq, "US"), takes(hq, "CW"))
    assert takes(hq, "AL")
    assert all(takes(one, "JP") for one in HEADQUARTERS if HEADQUARTERS[one].side == "JP")


def test_p10_3_each_headquarters_once_and_taken_back_once() -> None:
    """Given points for Truk, then it is not listed; taken back it is, but not taken back again (R-58)."""
    table = window()
    given = table.ahead(JAPAN, give((CF, 5)))
    assert AllocateCP("JP", CF) not in options(given, JAPAN)
    assert UndoAllocation(CF) in options(given, JAPAN)
    assert UndoAllocation(SEA) not in options(given, JAPAN)

    back = table.ahead(JAPAN, [*give((CF, 5)), UndoAllocation(CF)])
    assert AllocateCP("JP", CF) in options(back, JAPAN)
    afresh = table.ahead(JAPAN, [*give((CF, 5)), UndoAllocation(CF), *give((CF, 9))])

    assert UndoAllocation(CF) not in options(afresh, JAPAN)
    take(table, JAPAN, *give((CF, 5)), UndoAllocation(CF), *give((CF, 9)), Done())
    assert {CF: 9} == held(table, JAPAN)


def test_p10_3_r_58_only_headquarters_of_ones_own_are_taken_back() -> None:
    """Given what Japan has picked, then the Allies see nothing of it, and the other way round."""
    table = window()
    take(table, JAPAN, *give((CF, 5)), Done())

    assert [] == [o for o in options(table, ALLIES) if isinstance(o, UndoAllocation)]
    assert [] == options(table, JAPAN)
    assert 58 == len(options(table.ahead(ALLIES, [AllocateCP("AL", SOPAC)]), ALLIES))


def test_p10_3_r_87_p11_2_1_4_who_leaves_or_is_disbanded_is_not_listed_who_is_in_a_box_is() -> None:
    """Given headquarters that leave in April and May 1942, one disbanded, one in a box, then as named."""
    posts = {"hq_abda": Post("surabaya"), "hq_usaffe": Post("manila"), SWPA: Post("", "1942-10")}
    table = campaign(month="1942-04", posts=posts | {"hq_cincpac": Post("uswc")})

    assert ["hq_cincpac", SOPAC, "hq_usaffe"] == listed(table.state.open, ALLIES)
    table.state.open.war.month = "1942-05"
    assert ["hq_abda", "hq_cincpac", SOPAC] == listed(table.state.open, ALLIES)
    assert [CF, SEA] == listed(table.state.open, JAPAN)


def test_p0_3_2_no_pick_alone_ends_a_command_nor_is_more_taken_than_there_is() -> None:
    table = window()
    with pytest.raises(Unfinished):
        table.decide(JAPAN, AllocateCP("JP", CF))
    with pytest.raises(NotOneCommand):
        take(table, JAPAN, *give((CF, 37)), Done())
    with pytest.raises(Illegal):
        table.decide(JAPAN, AllocateCP("AL", SOPAC))
    with pytest.raises(Illegal):
        table.decide(JAPAN, AsLastMonth())


# what others can tell

SETS: tuple[tuple[Decision, ...], ...] = (
    (Done(),),
    (Suggested(),),
    (*give((CF, 36)), Done()),
    (*give((CF, 1), (SEA, 35)), UndoAllocation(CF), UndoAllocation(SEA), *give((SEA, 7), (CF, 9)), Done()),
)


@pytest.mark.parametrize(("one", "other"), [*product(SETS, SETS[:2])])
def test_p10_3_p0_3_2_p41_14_exchanged_picks_change_neither_count_nor_public_value(
    one: tuple[Decision, ...], other: tuple[Decision, ...]
) -> None:
    """Given any two sets of picks, then Allies and onlookers are sent the same, whoever answers first."""
    for first in (True, False):
        sent = []
        for picks in (one, other):
            table = window()
            facts = [] if first else take(table, ALLIES, Done())
            facts += take(table, JAPAN, *picks)
            facts += take(table, ALLIES, Done()) if first else []
            views = [in_sight(facts, viewer) for viewer in (ALLIES, None)]
            sent.append((len(facts), sealed_facts(facts), views, table.state.open))
        assert sent[0] == sent[1]


def test_p10_3_p0_3_2_the_longest_set_fills_the_padding_exactly() -> None:
    """Given every pick that the rule allows, each once, then nothing is left to pad."""
    table = window(means=({}, {}))
    table.state.own[JAPAN].means.shares = (Share("JP", CF, 1),)
    table._advance()
    picks = [
        *give((CF, 1), (SEA, 1)),
        UndoAllocation(CF),
        UndoAllocation(SEA),
        *give((CF, 1)),
        *give((SEA, 1)),
    ]
    facts = take(table, JAPAN, *picks, Done())

    assert 4 * 2 + 2 + 4 == largest(table.state.open) == 14
    assert 14 + 1 == sealed_facts(facts)  # and the bookmark
    assert 1 == [type(fact).__name__ for fact in facts].count("Padding")  # `AsLastMonth` was not taken


def test_p10_3_p0_4_2_the_split_is_the_owners() -> None:
    table = window()
    facts = take(table, JAPAN, *give((CF, 20), (SEA, 16)), Done())

    assert [] == [fact for fact in facts if fact.audience() is Audience.ALL]
    assert {CF: 20, SEA: 16} == held(table, JAPAN)


# conveniences


def test_p0_9_2_as_last_month_repeats_the_picks_and_goes_on() -> None:
    """Given 36 points shared in August, then September takes the same, and has 4 left to share."""
    table = window()
    assert AsLastMonth() not in options(table, JAPAN)
    take(table, JAPAN, *give((SEA, 30), (CF, 6)), Done())
    take(table, ALLIES, Done())
    table.state.own[JAPAN].means.points = {}
    table.state.open.war.month = "1942-09"
    table = again_at(table, Allocation())

    ahead = table.ahead(JAPAN, [AsLastMonth()])
    assert "4 Command Points to share out; what you leave is lost." == ahead.prompts[JAPAN].text
    assert AsLastMonth() not in options(ahead, JAPAN)
    take(table, JAPAN, AsLastMonth(), Done())

    assert {SEA: 30, CF: 6} == held(table, JAPAN)


def test_p0_9_2_p41_16_what_is_not_legal_now_is_left_out_and_the_rest_is_as_single_picks() -> None:
    """Given 30 and 6 last month, when Rabaul has room for 5 only, then Truk alone gets its 6."""
    tables = [window(means=({"points": {SEA: 35}}, {})) for _ in range(2)]
    for table in tables:
        table.state.own[JAPAN].means.shares = (Share("JP", SEA, 30), Share("JP", CF, 6), Share("JP", "x", 1))
        table._advance()
    take(tables[0], JAPAN, AsLastMonth(), Done())
    take(tables[1], JAPAN, *give((CF, 6)), Done())

    assert {SEA: 35, CF: 6} == held(tables[0], JAPAN)
    assert tables[0].state.own == tables[1].state.own


def test_p10_3_p41_6_what_a_headquarters_is_given_counts_for_its_cap_whatever_the_purse() -> None:
    """Given 80 of 90 held, and 4 given of one purse, then 6 are left of any other."""
    table = campaign(means=({}, {"points": {SWPA: 80}}))
    own = table.state.own[ALLIES]

    assert (10, 6) == (room(own, (), SWPA), room(own, (Share("US", SWPA, 4),), SWPA))
    assert {"US": {"US"}, "CW": {"CW", "NL", "CN"}} == NATIONS


def test_p0_9_2_r_58_as_last_month_once_a_window() -> None:
    """Given what it gave was taken back, then it is not offered a second time."""
    table = window()
    table.state.own[JAPAN].means.shares = (Share("JP", CF, 6),)
    table._advance()
    ahead = table.ahead(JAPAN, [AsLastMonth(), UndoAllocation(CF)])

    assert AllocateCP("JP", CF) in options(ahead, JAPAN)
    assert AsLastMonth() not in options(ahead, JAPAN)


def test_p0_9_1_only_units_of_its_nations_count_for_a_headquarters() -> None:
    """Given all places in reach of one with American units alone, then the others do not count."""
    table = campaign()
    own = table.state.own[ALLIES]
    own.means.links = dict.fromkeys(("hq_cincpac", SWPA), tuple(one.hex for one in LOCATIONS.values()))
    units = [unit for kind in (own.ships, own.air, own.ground) for unit in kind]

    commonwealth = [unit for unit in units if unit.startswith(("cw_", "au_", "nz_")) or "_cw" in unit]
    assert len(units) - len(commonwealth) == commanded(own, "hq_cincpac", census(own))
    assert len(units) == commanded(own, SWPA, census(own))


@pytest.mark.parametrize(("few", "most"), [(SEA, CF), (CF, SEA)])
def test_p0_9_1_the_proposal_goes_by_the_units_that_a_headquarters_commands(few: str, most: str) -> None:
    """Given all units in reach of one, four of the other, then 22 and 4 of 26; who has most gets the rest."""
    table = window()
    own, board = table.state.own[JAPAN], table.state.open
    own.means.links = own.means.links | {few: (LOCATIONS["truk"].hex,)}
    table._advance()
    found = {one.hq: one.points for one in proposal(board, own, JAPAN, ())}

    assert (22, 4) == (commanded(own, most, census(own)), commanded(own, few, census(own)))
    assert {most: 36 - 36 * 4 // 26, few: 36 * 4 // 26} == found
    text = "36 Command Points to share out; what you leave is lost. Proposed: "
    assert f"{text}[{most}] 31, [{few}] 5." == table.prompts[JAPAN].text


def test_p0_9_1_p41_16_suggested_is_what_its_picks_would_be() -> None:
    """Given 3 points for Rabaul by hand, then the rest is as proposed, within the cap of each."""
    tables = [window(means=({"points": {CF: 50}}, {})) for _ in range(2)]
    mine = (Share("JP", SEA, 3),)
    rest = proposal(tables[0].state.open, tables[0].state.own[JAPAN], JAPAN, mine)
    assert [Share("JP", CF, 10)] == rest
    take(tables[0], JAPAN, *give((SEA, 3)), Suggested())
    take(tables[1], JAPAN, *give((SEA, 3), *((one.hq, one.points) for one in rest)), Done())

    assert {CF: 60, SEA: 3} == held(tables[0], JAPAN)
    assert tables[0].state.own == tables[1].state.own


def test_p0_9_1_what_one_has_no_room_for_goes_to_the_other() -> None:
    table = window(means=({"points": {CF: 58}}, {}))
    found = proposal(table.state.open, table.state.own[JAPAN], JAPAN, ())

    assert [Share("JP", CF, 2), Share("JP", SEA, 34)] == found


def test_p0_8_when_time_runs_out_the_proposal_is_taken() -> None:
    table = window()

    assert Suggested() == default(table.state, JAPAN, table.prompts[JAPAN])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (AllocateCP("JP", CF), "give Command Points to [hq_cf]"),
        (AllocateCP("AL", SOPAC), "give Command Points to [hq_sopac]"),
        (AllocateCP("US", SOPAC), "give American Command Points to [hq_sopac]"),
        (AllocateCP("CW", SOPAC), "give Commonwealth Command Points to [hq_sopac]"),
        (CommandPoints(1), "1 Command Point"),
        (CommandPoints(12), "12 Command Points"),
        (UndoAllocation(CF), "take back what [hq_cf] was given"),
        (Suggested(), "do as proposed, and be done"),
        (AsLastMonth(), "as last month"),
        (
            PicksKept(0, shares=(Share("JP", CF, 5),)),
            "Chosen by [side:0] this month: 5 Command Points for [hq_cf]",
        ),
        (PicksKept(1, shares=()), "Chosen by [side:1] this month: nothing"),
        (TotalsAre((36, 58)), "This month Japan gets 36 Command Points, the Allies 58 Command Points"),
    ],
)
def test_p10_3_p0_9_what_is_picked_and_told_is_said_in_plain_words(said: Any, words: str) -> None:
    assert words == said.words()


def test_p11_6_1_both_are_told_their_links_before_they_share_out() -> None:
    table = window()

    assert [SOPAC, SWPA] == [*table.state.own[ALLIES].means.links]
    assert 2 == len([fact for fact in table.facts if type(fact).__name__ == "LinksAre"])
    assert CAMPAIGNS["C1"].hqs["AL"] == (SOPAC, SWPA)
