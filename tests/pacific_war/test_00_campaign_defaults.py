"""P0.8 What is decided in a campaign for a seat whose time has run out."""

from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import (
    Activate,
    Bid,
    BidFrom,
    ChooseLighting,
    ClaimOperation,
    EndContact,
    EndDay,
    Forfeit,
    FormTF,
    NoBid,
)
from domain.pacific_war.operations.bids import Claim, FreeSupportBase
from tests.pacific_war.days import ALLIES, JAPAN, OPEN_SEA, act, means, operation, outset, play, sail, within


def by_default(table: Table, side: int) -> Decision:
    """Return the default of a side that is asked."""
    return PACIFIC_WAR.default(table.state, side, table.prompts[side])


def test_p0_8_no_bid_and_a_bid_begun_is_the_first_amount() -> None:
    table = play(outset(), Campaign(scenario="C1", at="determine"))
    assert NoBid() == by_default(table, JAPAN)
    begun = table.ahead(JAPAN, [BidFrom("hq_sea")])

    assert Bid(1) == by_default(begun, JAPAN)


def test_p0_8_the_support_base_is_declined() -> None:
    table = outset()
    operation(table)

    tell_links(table, ALLIES)
    table = play(table, FreeSupportBase(side=ALLIES))

    assert d.Decline() == by_default(table, ALLIES)


def test_p0_8_an_operation_is_not_claimed_and_a_claim_begun_goes_on_with_the_first() -> None:
    table = play(outset(), Claim(side=JAPAN))
    assert ClaimOperation(yes=False) == by_default(table, JAPAN)
    act(table, JAPAN, ClaimOperation(yes=True))
    assert BidFrom("hq_sea") == by_default(table, JAPAN)
    act(table, JAPAN, BidFrom("hq_sea"))

    assert Bid(1) == by_default(table, JAPAN)


def test_p0_8_who_has_activated_nothing_forfeits_else_he_is_done_without_more_time() -> None:
    table = outset()
    operation(table, level=0, ap=0)
    table = within(table, "activation")
    assert Forfeit() == by_default(table, ALLIES)
    begun = table.ahead(ALLIES, [Activate("cv_saratoga")])
    assert FormTF("core") == by_default(begun, ALLIES)
    act(table, ALLIES, Activate("dd_us1"))

    assert d.Done() == by_default(table, ALLIES)


def test_p0_8_the_day_ends_nothing_is_forced_and_then_contact_ends() -> None:
    table = outset()
    operation(table)
    means(table, JAPAN, condition="I")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], detected=True)
    table = within(table, "contact")
    for side, decision in ((ALLIES, EndDay()), (JAPAN, d.Pass()), (ALLIES, EndContact())):
        assert decision == by_default(table, side)
        act(table, side, decision)


def test_p0_8_the_first_cycle_is_fought_by_day() -> None:
    table = outset()
    operation(table, condition="I")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"])

    assert ChooseLighting("Day") == by_default(within(table, "fight"), ALLIES)
