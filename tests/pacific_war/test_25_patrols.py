"""P25.1 The submarine patrol phase: what is sent, what it costs, who knows of it."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.kernel.table import NotOneCommand, Table, Unfinished
from domain.pacific_war.battle.submarines import zones
from domain.pacific_war.board.atlas import area, distance, kind, within
from domain.pacific_war.board.campaigns import months
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.table import Base, patrols_of
from domain.pacific_war.board.war import Post, Posting
from domain.pacific_war.clock import default
from domain.pacific_war.command.links import links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import (
    AsLastMonth,
    PatrolAt,
    PatrolFrom,
    PatrolOf,
    Suggested,
)
from domain.pacific_war.facts.cycle import PatrolIs
from domain.pacific_war.facts.months import PatrolsLifted, PatrolsPlaced, PicksKept
from domain.pacific_war.months.patrols import (
    SubmarinePatrols,
    free,
    largest,
    payer,
    proposal,
    senders,
    waters,
)
from tests.pacific_war.board import again_at, options, sealed_facts, take, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign, in_sight

NEAR, FAR = "5543", "5640"
"""Two hexes of open sea east of the Solomons, in reach of Truk, of Rabaul and of Brisbane."""
RICH: tuple[dict[str, Any], dict[str, Any]] = ({"points": {"hq_cf": 9}}, {"points": {"hq_swpa": 9}})


def window(means: tuple[dict[str, Any], dict[str, Any]] = RICH, **more: Any) -> Table:
    """Return a table at the patrol phase of C1: two points at Truk and at Rabaul, four at Brisbane."""
    return campaign(means=means, first=SubmarinePatrols(), **more)


def patrol(command: str, points: int, hex: str) -> list[Decision]:
    return [PatrolFrom(command), PatrolOf(points), PatrolAt(hex)]


def open_of(table: Table) -> Any:
    return table.state.open


def test_p25_1_a_command_sends_up_to_4_points_to_a_hex_and_is_asked_for_each_in_turn() -> None:
    """Given 6 points at Brisbane, then a patrol has 1 to 4, and the next 1 or 2 of what is left."""
    table = window(means=({}, {"points": {"hq_swpa": 9}, "submarines": {"brisbane": 6}}))
    assert PatrolFrom("brisbane") in options(table, ALLIES)
    assert [PatrolOf(n) for n in (1, 2, 3, 4)] == options(
        table.ahead(ALLIES, [PatrolFrom("brisbane")]), ALLIES
    )

    ahead = table.ahead(ALLIES, [*patrol("brisbane", 4, NEAR), PatrolFrom("brisbane")])

    assert [PatrolOf(1), PatrolOf(2)] == options(ahead, ALLIES)
    with pytest.raises(NotOneCommand):
        take(table, ALLIES, *patrol("brisbane", 5, NEAR), Done())


def test_p25_1_within_20_hexes_of_a_japanese_and_18_of_an_allied_command_at_sea_or_ashore() -> None:
    """Given Truk and Brisbane, then every sea and shore hex of the area in range is listed, no other."""
    for side, command, radius in ((JAPAN, "truk", 20), (ALLIES, "brisbane", 18)):
        table = window()
        spots = {
            one.hex
            for one in options(table.ahead(side, [PatrolFrom(command), PatrolOf(1)]), side)
            if isinstance(one, PatrolAt)
        }
        home = LOCATIONS[command].hex
        assert spots == {h for h in within(home, radius) & area("C1") if kind(h) in "sh"}
        assert radius == max(distance(home, spot) for spot in spots)
        assert {"s", "h"} == {kind(spot) for spot in spots}


def test_p25_1_no_two_own_patrols_in_a_hex() -> None:
    table = window()
    ahead = table.ahead(ALLIES, [*patrol("brisbane", 1, NEAR), PatrolFrom("brisbane"), PatrolOf(1)])

    assert PatrolAt(NEAR) not in options(ahead, ALLIES)
    assert PatrolAt(FAR) in options(ahead, ALLIES)
    assert NEAR in free(open_of(table), JAPAN, (), "truk")


def test_p25_1_p11_8_each_costs_a_point_of_the_linked_headquarters_with_most() -> None:
    """Given 3 points at Truk and 2 at Rabaul, both linked to either, then Truk pays first, and as named."""
    table = window(means=({"points": {"hq_cf": 3, "hq_sea": 2}}, {}))
    ahead = table.ahead(JAPAN, [PatrolFrom("truk")])
    assert "How strong is the patrol from [truk]? [hq_cf] pays 1 Command Point." == ahead.prompts[JAPAN].text
    second = table.ahead(JAPAN, [*patrol("truk", 1, NEAR), *patrol("truk", 1, FAR), PatrolFrom("rabaul")])
    assert "[hq_sea] pays" in second.prompts[JAPAN].text  # 1 against 2

    take(
        table, JAPAN, *patrol("truk", 1, NEAR), *patrol("truk", 1, FAR), *patrol("rabaul", 2, "5541"), Done()
    )

    own = table.state.own[JAPAN]
    assert {"hq_cf": 1, "hq_sea": 1} == own.means.points
    assert {NEAR: 1, FAR: 1, "5541": 2} == own.patrols
    assert {NEAR: "truk", FAR: "truk", "5541": "rabaul"} == own.means.commands
    assert {} == own.means.submarines
    assert (
        Posting("truk", 1, NEAR),
        Posting("truk", 1, FAR),
        Posting("rabaul", 2, "5541"),
    ) == own.means.postings


def test_p25_1_p11_8_without_a_point_or_a_link_nothing_is_sent() -> None:
    """Given one point, then one patrol; given it with a headquarters out of reach, none."""
    table = window(means=({}, {"points": {"hq_swpa": 1}}))
    assert [Done()] == options(table, JAPAN)
    assert "No more submarine patrols can be sent: be done." == table.prompts[JAPAN].text
    assert [Done()] == options(table.ahead(ALLIES, patrol("brisbane", 1, NEAR)), ALLIES)

    table = window(means=({}, {"points": {"hq_swpa": 1}}), posts={"hq_swpa": Post("tarawa")})

    assert [Done()] == options(table, ALLIES)


def test_p25_1_r_94_fremantle_counts_as_linked_and_the_richest_of_its_side_pays() -> None:
    table = campaign(means=({"points": {"hq_cf": 9}}, {"points": {"hq_swpa": 2, "hq_sopac": 3}}))
    own = table.state.own[ALLIES]
    assert not any(LOCATIONS["fremantle"].hex in hexes for hexes in links(table, ALLIES).values())

    assert "hq_sopac" == payer(own, own.means.points, "fremantle")
    assert "" == payer(own, own.means.points, "darwin")


def test_p25_1_p14_6_a_command_that_is_lost_sends_nothing() -> None:
    table = window(bases={"rabaul": {"control": ALLIES}, "truk": {"command": False}})

    assert [Done()] == options(table, JAPAN)
    assert [] == senders(open_of(table), table.state.own[JAPAN], JAPAN, ())


# the turn of the month


def test_p25_1_r_31_all_patrols_are_lifted_first_and_their_points_are_at_their_commands() -> None:
    """Given 3 of Brisbane's points at sea of which a contact took one, then 3 of 4 are back (P25.2)."""
    table = window()
    take(table, JAPAN, *patrol("rabaul", 2, NEAR), Done())
    take(table, ALLIES, *patrol("brisbane", 3, FAR), Done())
    table.state.own[ALLIES].patrols[FAR] = 2
    open_of(table).bases["rabaul"] = Base(ALLIES)
    table = again_at(table, SubmarinePatrols())

    japan, allies = table.state.own
    assert ({"brisbane": 3}, {}, {}) == (allies.means.submarines, allies.patrols, allies.means.commands)
    assert ({"truk": 2}, 2) == (japan.means.submarines, japan.means.pool)  # P14.6: Rabaul's Command is lost
    assert {} == open_of(table).patrols
    assert [PatrolsLifted()] == told(table.facts, PatrolsLifted)


def test_p25_1_p0_4_2_lifting_seals_as_much_whatever_was_at_sea() -> None:
    counts = set()
    for picks in ((), (*patrol("brisbane", 1, NEAR), *patrol("brisbane", 3, FAR))):
        table = window()
        take(table, JAPAN, Done())
        take(table, ALLIES, *picks, Done())
        table = again_at(table, SubmarinePatrols())
        counts.add(sealed_facts(table.facts))

    assert 1 == len(counts)


def test_p25_1_where_they_lie_is_told_when_both_are_done_and_their_points_are_not() -> None:
    """Given patrols of both, one hex shared, then all learn the hexes at the end (P0.4.2)."""
    table = window()
    first = take(table, JAPAN, *patrol("truk", 2, NEAR), *patrol("rabaul", 1, FAR), Done())
    assert [] == [fact for fact in first if fact.audience() is Audience.ALL]
    facts = take(table, ALLIES, *patrol("brisbane", 4, NEAR), Done())

    (placed,) = [fact for fact in facts if fact.audience() is Audience.ALL]
    assert PatrolsPlaced(((NEAR, FAR), (NEAR,))) == placed
    board = open_of(table)
    assert ({NEAR: 0, FAR: 0}, {NEAR: 0}) == (patrols_of(board, JAPAN), patrols_of(board, ALLIES))
    assert (
        "[side:0] has 2 patrols at hex 5543, hex 5640; [side:1] have 1 patrol at hex 5543" in placed.words()
    )


def test_p25_1_p25_2_patrols_of_both_sides_in_a_hex_have_each_their_zone_and_points() -> None:
    """Given both at one hex, when contacts tell of them and end one, then the other stays."""
    table = window()
    take(table, JAPAN, *patrol("truk", 2, NEAR), Done())
    take(table, ALLIES, *patrol("brisbane", 4, NEAR), Done())
    board = open_of(table)
    assert {NEAR} == {*zones(board, JAPAN)} == {*zones(board, ALLIES)}

    PatrolIs(NEAR, ALLIES, 4).apply(board)
    PatrolIs(NEAR, JAPAN, 2).apply(board)
    assert ({NEAR: 2}, {NEAR: 4}) == (patrols_of(board, JAPAN), patrols_of(board, ALLIES))
    PatrolIs(NEAR, JAPAN, 0).apply(board)
    assert ({}, {NEAR: 4}) == (patrols_of(board, JAPAN), patrols_of(board, ALLIES))
    PatrolIs(NEAR, ALLIES, 0).apply(board)
    assert {} == board.patrols == board.war.doubled

    PatrolsPlaced(((NEAR,), (NEAR,))).apply(board)
    PatrolIs(NEAR, ALLIES, 0).apply(board)
    assert ({NEAR: 0}, {}) == (patrols_of(board, JAPAN), patrols_of(board, ALLIES))


# what others can tell

SETS: tuple[tuple[Decision, ...], ...] = (
    (Done(),),
    (Suggested(),),
    (*patrol("truk", 2, NEAR), Done()),
    (*patrol("rabaul", 1, FAR), *patrol("truk", 1, NEAR), *patrol("truk", 1, "5541"), Done()),
)


@pytest.mark.parametrize(("one", "other"), [*product(SETS, SETS[:2])])
def test_p25_1_p0_3_2_p41_14_exchanged_picks_change_neither_count_nor_public_value(
    one: tuple[Decision, ...], other: tuple[Decision, ...]
) -> None:
    """Given any two sets of picks, then until the window closes the Allies are sent the same.

    Whoever answers first: the command that closes it seals as much, too.
    """
    sent, closed = [], []
    for picks in (one, other):
        table = window()
        facts = take(table, JAPAN, *picks)
        views = [in_sight(facts, viewer) for viewer in (ALLIES, None)]
        sent.append((len(facts), sealed_facts(facts), views, open_of(table)))
        table = window()
        take(table, ALLIES, Done())
        closed.append(sealed_facts(take(table, JAPAN, *picks)))
    assert sent[0] == sent[1]
    assert closed[0] == closed[1]


def test_p25_1_p0_3_2_the_longest_set_fits_the_padding() -> None:
    """Given 6 points in C1 at most, then 18 picks, what ends the window, and what is kept are 23."""
    schedule = TABLES["points_schedule"]
    assert 2 == sum(schedule["jp_submarines"][m] for m in months("C1"))
    assert 2 == sum(schedule["al_submarines"][m] for m in months("C1"))
    assert 3 * (4 + 2) + 5 == largest("C1")
    means = {"points": {"hq_swpa": 9}, "submarines": {"brisbane": 6}}
    table = window(means=({}, means))
    spots = free(open_of(table), ALLIES, (), "brisbane")[:6]
    facts = take(table, ALLIES, *(one for spot in spots for one in patrol("brisbane", 1, spot)), Done())

    assert largest("C1") + 1 == sealed_facts(facts)  # and the bookmark
    assert 1 == [type(fact).__name__ for fact in facts].count("Padding")  # `AsLastMonth` was not taken


def test_p0_3_2_no_pick_alone_ends_a_command() -> None:
    with pytest.raises(Unfinished):
        window().decide(ALLIES, PatrolFrom("brisbane"))


# conveniences


def test_p0_9_2_as_last_month_leaves_the_patrols_where_they_were() -> None:
    """Given a patrol of 3 at one hex, when a point was lost since, then 2 of 4 stay legal picks only."""
    table = window()
    assert AsLastMonth() not in options(table, ALLIES)
    take(table, JAPAN, Done())
    take(table, ALLIES, *patrol("brisbane", 3, NEAR), *patrol("brisbane", 1, FAR), Done())
    table = again_at(table, SubmarinePatrols())

    ahead = table.ahead(ALLIES, [AsLastMonth()])
    assert [Done()] == options(ahead, ALLIES)
    take(table, ALLIES, AsLastMonth(), Done())

    own = table.state.own[ALLIES]
    assert ({NEAR: 3, FAR: 1}, {"hq_swpa": 5}) == (own.patrols, own.means.points)


def test_p0_9_2_p41_16_what_is_not_legal_now_is_left_out_and_the_rest_is_as_single_picks() -> None:
    """Given 3 and 1 last month, when 2 points are left, then the patrol of 1 alone is sent, once."""
    tables = [window(means=({}, {"points": {"hq_swpa": 9}, "submarines": {"brisbane": 2}})) for _ in "ab"]
    for table in tables:
        last = (Posting("brisbane", 3, NEAR), Posting("brisbane", 1, FAR), Posting("brisbane", 1, FAR))
        table.state.own[ALLIES].means.postings = (*last, Posting("darwin", 1, "5541"))
        table._advance()
    ahead = tables[0].ahead(ALLIES, [AsLastMonth()])
    assert AsLastMonth() not in options(ahead, ALLIES)
    take(tables[0], ALLIES, AsLastMonth(), Done())
    take(tables[1], ALLIES, *patrol("brisbane", 1, FAR), Done())

    assert {FAR: 1} == tables[0].state.own[ALLIES].patrols
    assert tables[0].state.own == tables[1].state.own


def test_p0_9_2_p11_8_what_nobody_can_pay_for_is_left_out() -> None:
    """Given two patrols last month and one Command Point, then the first is sent."""
    table = window(means=({}, {"points": {"hq_swpa": 1}}))
    table.state.own[ALLIES].means.postings = (Posting("brisbane", 1, NEAR), Posting("brisbane", 1, FAR))
    table._advance()
    take(table, ALLIES, AsLastMonth(), Done())

    assert {NEAR: 1} == table.state.own[ALLIES].patrols
    assert {} == table.state.own[ALLIES].means.points


def test_p0_9_1_the_proposal_is_strong_patrols_off_the_greatest_enemy_ports_the_nearest_first() -> None:
    """Given 6 points at Brisbane, then 4 lie off Truk, the greatest port in 18 hexes or off Rabaul, and 2."""
    table = window(means=({}, {"points": {"hq_swpa": 9}, "submarines": {"brisbane": 6}}))
    board, own = open_of(table), table.state.own[ALLIES]
    found = proposal(board, own, ALLIES, ())
    home = LOCATIONS["brisbane"].hex
    ports = sorted(
        (-base.port, distance(home, LOCATIONS[place].hex), LOCATIONS[place].hex)
        for place, base in board.bases.items()
        if base.control == JAPAN and base.port and LOCATIONS[place].hex in waters("C1", "brisbane", 18)
    )

    assert [("brisbane", 4, ports[0][2]), ("brisbane", 2, ports[1][2])] == [
        (one.command, one.points, one.hex) for one in found
    ]
    assert "rabaul" == next(p for p in board.bases if LOCATIONS[p].hex == ports[0][2])
    assert "Proposed: 4 from [brisbane] at [rabaul], 2 from" in table.prompts[ALLIES].text


def test_p0_9_1_without_an_enemy_port_in_reach_nothing_is_proposed() -> None:
    table = window()
    board = open_of(table)
    board.bases = {place: replace(base, control=ALLIES) for place, base in board.bases.items()}

    assert [] == proposal(board, table.state.own[ALLIES], ALLIES, ())
    table._advance()
    assert Suggested() not in options(table, ALLIES)
    text = "Send submarine patrols, then be done. Where they lie stays hidden until both are done."
    assert text == table.prompts[ALLIES].text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (PatrolFrom("truk"), "send a patrol from [truk]"),
        (PatrolOf(3), "3 submarine points"),
        (PatrolAt(NEAR), "patrol at hex 5543"),
        (PatrolAt(LOCATIONS["rabaul"].hex), "patrol at [rabaul]"),
        (PatrolsLifted(), "All submarine patrols return"),
        (
            PatrolsPlaced(((), (FAR,))),
            "Submarines: [side:0] has no patrol; [side:1] have 1 patrol at hex 5640",
        ),
        (
            PicksKept(1, postings=(Posting("brisbane", 4, NEAR),)),
            "Chosen by [side:1] this month: 4 submarine points of [brisbane] at hex 5543",
        ),
    ],
)
def test_p25_1_what_is_picked_and_told_is_said_in_plain_words(said: Any, words: str) -> None:
    assert words == said.words()


def test_p0_9_1_p41_16_suggested_is_what_its_picks_would_be() -> None:
    tables = [window() for _ in "ab"]
    first = patrol("brisbane", 1, NEAR)
    mine = (Posting("brisbane", 1, NEAR),)
    (rest,) = proposal(open_of(tables[0]), tables[0].state.own[ALLIES], ALLIES, mine)
    take(tables[0], ALLIES, *first, Suggested())
    take(tables[1], ALLIES, *first, *patrol(rest.command, rest.points, rest.hex), Done())

    assert 3 == rest.points
    assert tables[0].state.own == tables[1].state.own


def test_p0_8_when_time_runs_out_the_proposal_is_taken_else_nothing() -> None:
    table = window(means=({}, {"points": {"hq_swpa": 1}}))

    assert Done() == default(table.state, JAPAN, table.prompts[JAPAN])
    assert Suggested() == default(table.state, ALLIES, table.prompts[ALLIES])
