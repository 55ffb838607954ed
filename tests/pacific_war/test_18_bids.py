"""P18 Bids for an Operation, in secret; P5.4.2 an Operation that is claimed; C1.2 the first one."""

from typing import Any

import pytest

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Decided, Paused, Rolled
from domain.kernel.procedures import Decision
from domain.kernel.table import NotOneCommand, Table, Unfinished
from domain.match.views import Views
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.months import BidsOpened, DayIs, MonthIs, OperationIs
from domain.pacific_war.operations.bids import Claim
from tests.pacific_war.board import dice_left, options, sealed_facts, take, told
from tests.pacific_war.operations import (
    ALLIES,
    CF,
    JAPAN,
    SEA,
    SOPAC,
    SWPA,
    at,
    bid,
    determine,
    lead,
    means,
    offered,
    seen,
    sound,
)


def bids(*dice: int, **changes: Any) -> Table:
    """Return a table at the bids, with few points."""
    return determine(*dice, **{"points": {CF: 3, SEA: 5, SOPAC: 4, SWPA: 2}} | changes)


# P18.1 what can be bid


def test_p18_1_one_headquarters_with_points_bids_from_1_to_all_it_has_or_nothing() -> None:
    table = bids()

    assert [c.BidFrom(CF), c.BidFrom(SEA), c.NoBid()] == options(table, JAPAN)
    assert [c.BidFrom(SOPAC), c.BidFrom(SWPA), c.NoBid()] == options(table, ALLIES)
    ahead = table.ahead(JAPAN, [c.BidFrom(SEA)])
    assert [*map(c.Bid, (1, 2, 3, 4, 5))] == options(ahead, JAPAN)


def test_p18_1_a_headquarters_without_points_does_not_bid() -> None:
    table = bids(points={SEA: 5, SOPAC: 4})

    assert [c.BidFrom(SEA), c.NoBid()] == options(table, JAPAN)


def test_p18_1_who_has_no_points_is_asked_all_the_same() -> None:
    table = bids(points={SOPAC: 4})

    assert [c.NoBid()] == options(table, JAPAN)
    bid(table, ALLIES, SOPAC, 1)
    assert [c.NoBid()] == options(table, JAPAN)


def test_p18_1_a_bid_is_one_command() -> None:
    table = bids()

    with pytest.raises(Unfinished):
        take(table, JAPAN, c.BidFrom(SEA))
    with pytest.raises(NotOneCommand):
        take(table, JAPAN, c.BidFrom(SEA), c.Bid(6))


# P18.1, P0.3.2, P0.4.2 in secret

PICKS: list[tuple[Decision, ...]] = [
    (c.NoBid(),),
    (c.BidFrom(CF), c.Bid(1)),
    (c.BidFrom(SEA), c.Bid(5)),
]


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
def test_p18_1_p0_3_2_until_both_are_in_nobody_can_tell_one_bid_from_another(first: int) -> None:
    """Given any two bids of who bids first, what the others are sent, and how much is sealed, is alike."""
    mine: dict[int, list[tuple[Decision, ...]]] = {
        JAPAN: PICKS,
        ALLIES: [(c.NoBid(),), (c.BidFrom(SOPAC), c.Bid(4)), (c.BidFrom(SWPA), c.Bid(1))],
    }
    others = [one for one in VIEWERS if one.side != first]
    streams, views, counts, prompts = [], [], [], []
    for picks in mine[first]:
        table = bids()
        facts = take(table, first, *picks)
        counts.append(sealed_facts(facts))
        streams.append([seen(facts, one) for one in others])
        made = Views(PACIFIC_WAR).of(table.state)
        views.append([made[one] for one in others])
        prompts.append(table.prompts[1 - first])

    assert 1 == len(set(counts))
    assert [[], []] == streams[0]
    assert all(stream == streams[0] for stream in streams)
    assert all(view == views[0] for view in views)
    assert all(prompt == prompts[0] for prompt in prompts)


def test_p18_1_p0_3_2_who_has_no_points_cannot_be_told_either() -> None:
    counts = []
    for points in ({SOPAC: 4}, {CF: 3, SEA: 5, SOPAC: 4}):
        facts = take(bids(points=points), JAPAN, c.NoBid())
        counts.append((sealed_facts(facts), [seen(facts, one) for one in VIEWERS if one.side != JAPAN]))

    assert counts[0] == counts[1]


def test_p18_1_what_is_sealed_is_the_umpires() -> None:
    facts = take(bids(), JAPAN, c.BidFrom(SEA), c.Bid(5))

    assert [Decided, Decided, Paused] == [type(fact) for fact in facts]
    assert [] == seen(facts, Audience.SIDE_0)


def test_p18_2_both_are_revealed_at_once_headquarters_and_amount() -> None:
    table = bids()
    bid(table, ALLIES, SWPA, 2)
    facts = bid(table, JAPAN, SEA, 5)

    assert [BidsOpened((SEA, SWPA), (5, 2))] == told(facts, BidsOpened)
    assert all(BidsOpened((SEA, SWPA), (5, 2)) in seen(facts, one) for one in VIEWERS)


# P18.2 who wins


@pytest.mark.parametrize(("japan", "allies", "winner"), [(3, 2, JAPAN), (2, 3, ALLIES)])
def test_p18_2_the_higher_bid_wins(japan: int, allies: int, winner: int) -> None:
    for initiative in (-10, 10):
        table = bids(initiative=initiative)
        bid(table, JAPAN, SEA, japan)
        facts = bid(table, ALLIES, SOPAC, allies)

        assert winner == lead(table).player == table.state.open.operation
        assert [] == told(facts, Rolled)


@pytest.mark.parametrize(("initiative", "winner"), [(1, JAPAN), (10, JAPAN), (-1, ALLIES), (-10, ALLIES)])
def test_p18_2_p19_2_a_tie_goes_to_who_holds_the_initiative(initiative: int, winner: int) -> None:
    table = bids(initiative=initiative)
    bid(table, JAPAN, SEA, 4)
    facts = bid(table, ALLIES, SOPAC, 4)

    assert winner == lead(table).player
    assert [] == told(facts, Rolled)


@pytest.mark.parametrize(
    ("dice", "winner"),
    [((5, 4), JAPAN), ((4, 5), ALLIES), ((0, 1), ALLIES), ((9, 0), JAPAN), ((3, 3, 0, 0, 2, 7), ALLIES)],
)
def test_p18_2_if_nobody_holds_it_the_higher_die_wins_and_ties_are_rolled_again(
    dice: tuple[int, ...], winner: int
) -> None:
    table = bids(*dice, initiative=0)
    bid(table, JAPAN, SEA, 4)
    facts = bid(table, ALLIES, SOPAC, 4)

    assert winner == lead(table).player
    assert 0 == dice_left(table)
    assert [n % 2 for n in range(len(dice))] == [roll.by for roll in told(facts, Rolled)]


def test_p18_2_who_bids_alone_wins() -> None:
    table = bids(initiative=10)
    take(table, JAPAN, c.NoBid())
    bid(table, ALLIES, SOPAC, 1)

    assert (ALLIES, SOPAC, 1) == (lead(table).player, lead(table).hq, lead(table).bid)


# P18.3


def test_p18_3_p5_4_1_d_if_nobody_bids_the_month_ends() -> None:
    table = bids(5, 5, month="1942-08", day=12)  # for the Strategic Intelligence of September
    take(table, JAPAN, c.NoBid())
    facts = take(table, ALLIES, c.NoBid())

    assert [BidsOpened(("", ""), (0, 0))] == told(facts, BidsOpened)
    assert [DayIs(0, "since nobody bids")] == told(facts, DayIs)
    assert [MonthIs("1942-09")] == told(facts, MonthIs)
    assert [] == told(facts, OperationIs)


def test_p18_3_the_loser_keeps_all_his_points_and_the_winner_too_at_first() -> None:
    table = bids()
    bid(table, JAPAN, SEA, 5)
    bid(table, ALLIES, SOPAC, 4)

    assert {CF: 3, SEA: 5} == means(table, JAPAN).points
    assert {SOPAC: 4, SWPA: 2} == means(table, ALLIES).points


# P18.4, P18.5


def test_p18_4_the_headquarters_that_is_named_leads_and_the_bid_is_the_limit() -> None:
    table = bids()
    bid(table, JAPAN, CF, 2)
    bid(table, ALLIES, SOPAC, 1)

    operation = lead(table)
    assert (JAPAN, CF, 2, 0) == (operation.player, operation.hq, operation.bid, operation.spent)
    assert 2 == table.state.open.war.operations  # the one before the test, and this


def test_p18_5_the_winner_places_a_support_base_before_he_activates() -> None:
    table = bids()
    bid(table, JAPAN, SEA, 5)
    bid(table, ALLIES, SOPAC, 4)

    assert offered(table, JAPAN, c.PlaceOSB)
    assert ALLIES not in table.prompts
    take(table, JAPAN, d.Decline())
    assert offered(table, JAPAN, c.Activate)
    assert "5.1.P" == table.state.open.phase


# P5.4.2 the claim


def test_p5_4_2_r_17_a_claim_is_made_openly_with_a_headquarters_and_an_amount() -> None:
    table = at(Claim(side=ALLIES), points={SOPAC: 4, SWPA: 2})
    assert [c.ClaimOperation(yes=True), c.ClaimOperation(yes=False)] == options(table, ALLIES)
    take(table, ALLIES, c.ClaimOperation(yes=True))
    assert [c.BidFrom(SOPAC), c.BidFrom(SWPA)] == options(table, ALLIES)
    take(table, ALLIES, c.BidFrom(SOPAC))
    assert [*map(c.Bid, (1, 2, 3, 4))] == options(table, ALLIES)
    facts = take(table, ALLIES, c.Bid(3))

    assert (ALLIES, SOPAC, 3) == (lead(table).player, lead(table).hq, lead(table).bid)
    (begun,) = [fact for fact in seen(facts, Audience.ONLOOKERS) if isinstance(fact, OperationIs)]
    assert begun.begun
    assert "3 Command Points of [hq_sopac]" in begun.words()


def test_p5_4_2_who_has_no_points_is_asked_and_can_only_decline() -> None:
    table = at(Claim(side=ALLIES), points={SEA: 4})
    assert [c.ClaimOperation(yes=False)] == options(table, ALLIES)
    facts = take(table, ALLIES, c.ClaimOperation(yes=False))

    assert [] == told(facts, OperationIs)


# C1.2


def test_c1_2_the_allies_lead_the_first_operation_without_a_bid() -> None:
    table = determine(first=True)

    assert JAPAN not in table.prompts
    assert offered(table, ALLIES, c.PlaceOSB)
    operation = lead(table)
    assert (ALLIES, "", 0) == (operation.player, operation.hq, operation.bid)
    sound(table)


def test_c1_2_the_second_one_is_bid_for() -> None:
    table = determine()

    assert {JAPAN, ALLIES} == table.prompts.keys()
    assert c.NoBid() in options(table, ALLIES)


# P0.8


def test_p0_8_whose_time_is_up_bids_nothing_and_claims_nothing() -> None:
    table = bids()
    assert c.NoBid() == default(table.state, JAPAN, table.prompts[JAPAN])

    table = at(Claim(side=ALLIES))
    assert c.ClaimOperation(yes=False) == default(table.state, ALLIES, table.prompts[ALLIES])
    take(table, ALLIES, c.ClaimOperation(yes=True))
    take(table, ALLIES, default(table.state, ALLIES, table.prompts[ALLIES]))
    assert c.Bid(1) == default(table.state, ALLIES, table.prompts[ALLIES])
