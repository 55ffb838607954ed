"""P5.1.O to T, P5.3 An Operation from its activation to its end; P38.2, second half."""

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.board.war import Toll
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import (
    Activate,
    Bid,
    BidFrom,
    ChooseLighting,
    Continue,
    EndContact,
    EndDay,
    NoBid,
    PayFrom,
)
from domain.pacific_war.facts.changes import public
from domain.pacific_war.facts.cycle import Covered
from domain.pacific_war.facts.intelligence import cover_bases, show_base
from domain.pacific_war.facts.months import InitiativeIs, MeansAre, OperationIs, under_way, war
from domain.pacific_war.operations.operation import CampaignCycle
from domain.pacific_war.victory.closing import close
from tests.pacific_war.board import Die, again_at, dice_left, kinds, options, rolls, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    days,
    in_cycle,
    means,
    operation,
    outset,
    phases,
    play,
    quiet_sea,
    sail,
    sound,
    wake,
    within,
)


def september(*dice: Die) -> Table:
    """Return the table of P38.2 after 5.1.P, at 5.1.Q; these dice will fall."""
    table = outset(points=({"hq_sea": 22}, {"hq_sopac": 14}), levels=(1, 0))
    operation(table, spent=16, ap=12, level=2)
    ships = ["cv_saratoga", "aa_us1"]
    sail(table, "A1", "6545", ships, ["ca_us1", "dd_us1", "dd_us2"], {"aa_us1": ["us_2mar"]})
    wake(table, "us_1e_67fs", "us_4e_11bg", "cw_2e_nz")
    return within(table, "intelligence", *dice)


def test_p38_2_operational_intelligence_contact_and_reaction() -> None:
    """Given die 4 in row 1, two days without detection, then 9 points and 3 hexes for Japan."""
    table = september(4, 9)
    facts = table.facts
    assert ["5.1.Q", "5.1.R"] == phases(facts)
    assert [(4, ())] == [(die.dice[0], die.modifiers) for die in told(facts, RolledUnseen)]
    assert "I" == table.state.own[JAPAN].means.condition
    assert "" == under_way(table.state.open).condition

    assert [9] == days(act(table, ALLIES, EndDay()))
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    assert [10] == days(act(table, ALLIES, EndDay()))
    act(table, JAPAN, d.Pass())
    facts = act(table, ALLIES, EndContact())
    run = under_way(table.state.open)
    assert (6, "I", 10) == (run.moved, run.condition, war(table.state.open).day)
    assert ["5.1.S"] == phases(facts)

    act(table, JAPAN, PayFrom("hq_sea"))
    assert "[hq_sea] has 9 Command Points to spend" in table.prompts[JAPAN].text
    act(table, JAPAN, Activate("ca_chokai_maya"))
    facts = act(table, JAPAN, d.Done())
    assert ["5.1.T"] == phases(facts)
    assert "Move task forces up to 3 hexes, or be done." == table.prompts[JAPAN].text
    facts = act(table, JAPAN, d.Done())
    assert ["search"] == [one[0] for one in rolls(facts)]
    assert ["5.2.A"] == phases(facts)
    assert [ChooseLighting("Day"), ChooseLighting("Night")] == options(table, ALLIES)  # P26.1
    run = under_way(table.state.open)
    assert (16, 1) == (run.spent, run.answered)


def test_p38_2_later_the_allies_have_2_points_and_japan_18_less_what_it_has_spent() -> None:
    table = outset(points=({"hq_sea": 30}, {"hq_sopac": 14}))
    operation(table, spent=16, ap=12, answered=5, condition="I")
    means(table, ALLIES, used={"hq_sopac": 12}, charged=("hq_sopac",))
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["dd_us1"])
    wake(table, "jn_1e_25af")
    table = again_at(table, CampaignCycle(cycle=2, at="joint"))
    act(table, ALLIES, d.Done())
    assert "[hq_sopac] has 2 Command Points to spend" in table.prompts[ALLIES].text
    act(table, ALLIES, d.Done())
    act(table, JAPAN, d.Done())
    act(table, JAPAN, PayFrom("hq_sea"))

    assert "[hq_sea] has 13 Command Points to spend" in table.prompts[JAPAN].text


def test_p5_1_o_to_t_come_once_an_operation_in_their_order() -> None:
    """Given bids, when nobody does more than he must, then O to T follow each other, and 5.2.A."""
    table = play(outset(), Campaign(scenario="C1", at="determine"), 9)
    quiet_sea(table)
    seen = phases(table.facts)
    seen += phases(act(table, JAPAN, NoBid()))
    seen += phases(act(table, ALLIES, BidFrom("hq_sopac"), Bid(18)))
    seen += phases(act(table, ALLIES, d.Decline()))
    seen += phases(act(table, ALLIES, Activate("dd_us1")))
    seen += phases(act(table, ALLIES, d.Done()))
    seen += phases(act(table, ALLIES, EndDay()))
    act(table, JAPAN, d.Pass())
    seen += phases(act(table, ALLIES, EndContact()))
    while JAPAN in table.prompts:
        seen += phases(act(table, JAPAN, d.Done()))

    assert ["5.1.O", "5.1.P", "5.1.Q", "5.1.R", "5.1.S", "5.1.T", "5.2.A"] == seen


def test_c1_2_the_first_operation_is_the_allies_without_a_bid_and_a_surprise_attack() -> None:
    table = play(outset(begun=0), Campaign(scenario="C1", at="determine"))
    assert "PlaceOSB" in kinds(table, ALLIES)
    act(table, ALLIES, d.Decline())
    act(table, ALLIES, PayFrom("hq_sopac"))
    act(table, ALLIES, Activate("dd_us1"))
    facts = act(table, ALLIES, d.Done())

    assert "S" == under_way(table.state.open).condition == table.state.own[JAPAN].means.condition
    assert [] == rolls(facts)
    assert 0 == dice_left(table)


# P5.3


def test_p5_3_1_an_operation_ends_when_nobody_is_activated_also_in_the_middle_of_a_phase() -> None:
    """Given the last unit deactivated in 5.2.M, no `Done` is asked for and nothing is activated."""
    table = outset()
    operation(table, condition="I")
    wake(table, "us_1e_67fs")
    facts = act(in_cycle(table, "joint"), ALLIES, d.Deactivate("us_1e_67fs"))

    assert ["5.2.N", "5.2.O", "5.1.O"] == phases(facts)[-3:]
    assert [10] == days(facts)
    assert war(table.state.open).operation is None


def test_p5_3_4_r_3_an_operation_that_ended_in_a_cycle_goes_to_n_and_o_of_it() -> None:
    """Given nobody Activated when 5.2.C is to begin, no phase between is played."""
    table = outset()
    operation(table, condition="I")
    table = in_cycle(table, "movement")

    assert ["5.2.N", "5.2.O", "5.1.O"] == phases(table.facts)
    assert [10] == days(table.facts)


def test_p5_3_4_r_3_an_operation_that_ended_before_the_first_cycle_costs_no_day() -> None:
    table = outset()
    operation(table, condition="I", moved=6, days=2)
    table = within(table, "fight")

    assert ["5.1.O"] == phases(table.facts)
    assert [] == days(table.facts)


def test_p5_3_1_while_one_side_has_a_unit_it_goes_on() -> None:
    for unit in ("us_1e_67fs", "jp_ssd", "jn_1e_25af"):
        table = outset()
        operation(table, condition="I")
        wake(table, unit)
        table = within(table, "fight", 0, 5, 5)

        assert ["5.2.A", "5.2.B", "5.2.C"] == phases(table.facts)[:3] or ALLIES in table.prompts
        assert war(table.state.open).operation is not None


@pytest.mark.parametrize(("mine", "theirs", "before", "after"), [
    (Toll(points=8), Toll(points=1), -1, 0),
    (Toll(points=6), Toll(), -1, 0),
    (Toll(points=5), Toll(), -1, -1),
    (Toll(), Toll(points=5), -1, -1),
    (Toll(), Toll(points=6), -1, -2),
    (Toll(points=99), Toll(), -1, 2),
    (Toll(), Toll(points=99), -8, -10),
    (Toll(air=5), Toll(ground=15), -1, -1),
    (Toll(air=5), Toll(ground=16), -1, -2),
    (Toll(crippled=("cv_saratoga", "ca_us1", "dd_us1")), Toll(), 0, 0),
    (Toll(points=2, crippled=("cv_saratoga", "ca_us1", "dd_us1")), Toll(), 0, 1),
])  # fmt: skip
def test_p5_3_2_p19_3_a_sixth_of_the_difference_at_most_3(
    mine: Toll, theirs: Toll, before: int, after: int
) -> None:
    """Given steps, which count half, and crippled ships, half of their points, each rounded down."""
    table = outset()
    war(table.state.open).initiative = before
    operation(table, tolls=(mine, theirs))
    close(table)

    assert after == war(table.state.open).initiative


def test_p5_3_3_what_was_noted_of_the_operation_is_taken_away() -> None:
    table = outset()
    operation(table, condition="I", moved=6)
    for side in (JAPAN, ALLIES):
        hq = ("hq_sea", "hq_sopac")[side]
        means(table, side, used={hq: 11}, charged=(hq,), near=("dd_us1",), condition="I")
    close(table)

    assert war(table.state.open).operation is None
    for side in (JAPAN, ALLIES):
        held = table.state.own[side].means
        assert ({}, (), (), "") == (held.used, held.charged, held.near, held.condition)


def test_p18_4_unspent_points_of_a_bid_stay_with_the_hq() -> None:
    table = outset(points=({"hq_sea": 22}, {"hq_sopac": 14}))
    operation(table, spent=16)
    close(table)

    assert {"hq_sopac": 14} == table.state.own[ALLIES].means.points


# P0.4.1: hidden again at 5.3


def struck() -> Table:
    """Return a table on which Rabaul and Shortland were struck in a cycle of the Operation."""
    table = outset()
    operation(table, condition="I")
    show_base(table, "rabaul", JAPAN, "port")
    show_base(table, "shortland", JAPAN, "airbase")
    return table


def test_p0_4_1_p5_3_what_was_shown_of_struck_bases_is_hidden_when_the_operation_ends() -> None:
    table = struck()
    board = table.state.open
    assert "ca_chokai_maya" in board.ships
    assert {"jn_1e_25af", "jn_2e_25af", "jn_lra_25af"} == board.air.keys()
    close(table)

    assert ({}, {}, []) == (board.ships, board.air, board.struck)


def test_p0_4_1_p5_3_nothing_of_it_is_public_in_the_month_that_follows() -> None:
    table = struck()
    war(table.state.open).day = 29
    table = within(table, "tally", cycle=1)

    first = next(n for n, fact in enumerate(table.facts) if isinstance(fact, Covered))
    month = next(n for n, fact in enumerate(table.facts) if type(fact).__name__ == "MonthIs")
    assert first < month


def test_p0_4_1_a_detected_task_force_is_not_covered_with_the_bases_its_ships_in_port_are() -> None:
    """Given a carrier in a port with her group, both seen, then both are hidden; those at sea are not."""
    table = outset()
    operation(table)
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["dd_us1"], detected=True)
    board, own = table.state.open, table.state.own[ALLIES]
    board.ships["cv_enterprise"] = own.ships["cv_enterprise"]
    board.air["cvg_enterprise"] = public(own.air["cvg_enterprise"])
    cover_bases(table)

    assert ({"cv_saratoga", "dd_us1"}, {"cvg_saratoga"}) == ({*board.ships}, {*board.air})
    sound(table)


def test_p5_3_r_86_the_closing_is_told_to_all_and_what_he_had_to_its_owner() -> None:
    table = struck()
    table.facts = []
    close(table)

    for fact in table.facts:
        secret = isinstance(fact, MeansAre)
        assert secret == (fact.audience() is not Audience.ALL)
    assert {InitiativeIs, OperationIs} <= {type(fact) for fact in table.facts}
