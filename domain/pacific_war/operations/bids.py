"""P18 The bids for an Operation, P11.3.1 the free support base, P5.4.2 an Operation that is claimed."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, SIDES, TABLES
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.table import Open, Own, Sight, Table, enemy
from domain.pacific_war.board.war import Operation
from domain.pacific_war.command.links import linked, tell_links
from domain.pacific_war.command.pool import draw, purse, spenders
from domain.pacific_war.decisions.choices import Bid, BidFrom, ClaimOperation, NoBid, PlaceOSB
from domain.pacific_war.decisions.cycle import Decline
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.months import BidsOpened, OperationIs, under_way, war
from domain.pacific_war.facts.wording import does, number

OSB_MOST: dict[str, int] = TABLES["command_links"]["osb_max"]
SEALED_FACTS = 2
"""P18.1: facts that a bid seals: a headquarters and an amount."""


def bidders(open: Open, own: Own) -> list[BidFrom]:
    """Return the headquarters that can bid: those with points, their own or the pool's (P18.1, P10.4)."""
    return [*map(BidFrom, spenders(open, own))]


def amounts(open: Open, own: Own, hq: str) -> list[Bid]:
    """Return what a headquarters can bid (P18.1)."""
    return [Bid(amount) for amount in range(1, purse(open, own, hq) + 1)]


class Bidding(Procedure):
    """P18 BOTH BID FOR THE OPERATION."""

    hqs: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to the headquarters picked; empty for no bid."""
    bids: dict[str, int] = {}  # noqa: RUF012
    """Side to the amount."""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell both their links."""
        tell_links(table, JAPAN, ALLIES)

    @ask("18.1", by="both", sealed=True)
    def bid(self, sight: Sight) -> list[Decision]:
        """Bid Command Points of one headquarters for the Operation, or nothing."""
        side = str(sight.side)
        if side in self.bids:
            return []
        if hq := self.hqs.get(side):
            return [*amounts(sight.open, sight.own, hq)]
        return [*bidders(sight.open, sight.own), NoBid()]

    @bid.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if hq := self.hqs.get(str(sight.side)):
            return (
                f"How many Command Points does [{hq}] bid? The bid is the most that the Operation may cost."
            )
        if len(options) == 1:
            return "No headquarters has points to bid: bid nothing. If neither side bids, the month ends."
        return "Bid for the Operation from one headquarters, or bid nothing. If neither bids, the month ends."

    @bid.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, BidFrom)]

    @bid.chosen
    def _(self, table: Table, decision: BidFrom | Bid | NoBid) -> Flow:
        side = str(table.actor)
        match decision:
            case BidFrom(hq):
                self.hqs = self.hqs | {side: hq}
            case Bid(amount):
                self.bids = self.bids | {side: amount}
            case NoBid():
                self.bids = self.bids | {side: 0}
        if side in self.bids:
            table.pad(SEALED_FACTS)
        return self.bid

    @step("18.2")
    def open(self, table: Table) -> Flow:
        """Reveal both bids; the higher wins, a tie goes by the initiative, then by dice."""
        hqs = (self.hqs.get("0", ""), self.hqs.get("1", ""))
        bids = (self.bids["0"], self.bids["1"])
        table.record(BidsOpened(hqs, bids))
        if not any(bids):
            return DONE
        winner = _winner(table, bids)
        begin(table, winner, hqs[winner], bids[winner])
        return None

    @step("11.3.1")
    def support(self, table: Table) -> Flow:
        """Let the Operation player place a support base (P18.5)."""
        return FreeSupportBase(side=table.open.operation)

    @property
    def both(self) -> tuple[int, int]:
        """Both are asked."""
        return (0, 1)


def _winner(table: Table, bids: tuple[int, int]) -> int:
    """Return who wins (P18.2): the higher bid, else who has the initiative, else the higher die."""
    if bids[0] != bids[1]:
        return bids.index(max(bids))
    initiative = war(table.open).initiative
    if initiative:
        return JAPAN if initiative > 0 else ALLIES
    while True:
        rolled = [d10(table, "tied bids", by=side, target="the higher") for side in (JAPAN, ALLIES)]
        if rolled[0] != rolled[1]:
            return rolled.index(max(rolled))


def begin(table: Table, side: int, hq: str, bid: int) -> None:
    """Let a side be the Operation player; without a headquarters it names one when it activates."""
    why = f"{does(side, 'lead')} the Operation"
    limit = f", with at most {number(bid, 'Command Point')} of [{hq}]" if hq else ""
    table.record(OperationIs(Operation(side, hq, bid), why + limit, begun=True))


def support_sites(open: Open, own: Own, side: int) -> list[PlaceOSB]:
    """Return where a support base can stand (P11.3.1): friendly, Linked, a port, no enemy, none there yet."""
    if sum(base.osb for base in open.bases.values() if base.control == side) >= OSB_MOST[SIDES[side]]:
        return []
    return [
        PlaceOSB(place)
        for place, base in sorted(open.bases.items())
        if base.control == side
        and base.port
        and not base.osb
        and LOCATIONS[place].hex not in open.troops[enemy(side)]
        and linked(own, LOCATIONS[place].hex)
    ]


class FreeSupportBase(Procedure):
    """P11.3.1 THE OPERATION PLAYER PLACES A SUPPORT BASE."""

    side: int

    @ask("11.3.1", by="side")
    def place(self, sight: Sight) -> list[Decision]:
        """Place a free Offensive Support Base, or decline."""
        sites = support_sites(sight.open, sight.own, self.side)
        return [*sites, Decline()] if sites else []

    @place.chosen
    def _(self, table: Table, decision: PlaceOSB | Decline) -> Flow:
        if isinstance(decision, PlaceOSB):
            operation = under_way(table.open)
            installations(table, decision.location, "has a support base", osb=True)
            table.record(
                OperationIs(
                    replace(operation, osb=decision.location),
                    f"The Operation is supported from [{decision.location}]",
                )
            )
        return DONE


def forfeit(table: Table) -> None:
    """Take the bid and the free support base of who has activated nothing (R-4, R-68, R-92)."""
    operation = under_way(table.open)
    if operation.osb:
        installations(table, operation.osb, "loses the support base again", osb=False)
    if operation.hq:
        draw(table, operation.player, operation.hq, operation.bid, "the bid is forfeited")
    table.record(OperationIs(None, f"{does(operation.player, 'activate')} nothing: the bid is lost"))


class Claim(Procedure):
    """P5.4.2 THE REACTION PLAYER MAY TAKE OVER AFTER A MONTH END (R-17)."""

    side: int
    hq: str = ""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell the side its links."""
        tell_links(table, self.side)

    @ask("5.4.2", by="side")
    def claim(self, sight: Sight) -> list[Decision]:
        """Take over the Operation, or leave it to the next bids."""
        return [
            *([ClaimOperation(yes=True)] if bidders(sight.open, sight.own) else []),
            ClaimOperation(yes=False),
        ]

    @claim.chosen
    def _(self, _table: Table, decision: ClaimOperation) -> Flow:
        return None if decision.yes else DONE

    @ask("18.1", by="side")
    def named(self, sight: Sight) -> list[Decision]:
        """Choose the headquarters that leads the Operation."""
        return [*bidders(sight.open, sight.own)]

    @named.chosen
    def _(self, _table: Table, decision: BidFrom) -> None:
        self.hq = decision.hq

    @ask("18.4", by="side")
    def amount(self, sight: Sight) -> list[Decision]:
        """Choose the most Command Points that the Operation may cost."""
        return [*amounts(sight.open, sight.own, self.hq)]

    @amount.chosen
    def _(self, table: Table, decision: Bid) -> Flow:
        begin(table, self.side, self.hq, decision.amount)
        return FreeSupportBase(side=self.side)
