"""P25.1 The submarine patrol phase (5.1.N): all patrols are lifted, and both sides send new ones unseen."""

from collections.abc import Iterable, Sequence
from functools import cache

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.atlas import area, distance, nodes, within
from domain.pacific_war.board.campaigns import CAMPAIGNS, months
from domain.pacific_war.board.charts import LOCATIONS, SIDES, TABLES
from domain.pacific_war.board.table import Open, Own, Sight, Table, enemy
from domain.pacific_war.board.war import Posting
from domain.pacific_war.command.links import pays_for, tell_links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import (
    AsLastMonth,
    PatrolAt,
    PatrolFrom,
    PatrolOf,
    Suggested,
)
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.months import MeansAre, PatrolsLifted, PatrolsPlaced, PicksKept
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.facts.wording import at

RANGE: dict[str, int] = TABLES["submarine_command"]["patrol_range"]
MOST: int = TABLES["submarine_patrol"]["max_points_per_patrol"]
COST: int = TABLES["submarine_patrol"]["cost_cp"]
_ARRIVALS = ("jp_submarines", "al_submarines")


def commands(open: Open, own: Own, side: int) -> list[str]:
    """Return the Submarine Commands of a side with points in port, by id."""
    return [place for place in sorted(own.means.submarines) if stands(open, side, place)]


def stands(open: Open, side: int, place: str) -> bool:
    """Return whether a location has a Submarine Command of a side."""
    base = open.bases.get(place)
    return base is not None and base.command and base.control == side


def in_port(own: Own, postings: Iterable[Posting], command: str) -> int:
    """Return the points of a Command that are not sent yet."""
    return own.means.submarines.get(command, 0) - sum(p.points for p in postings if p.command == command)


def payer(own: Own, points: dict[str, int], command: str) -> str:
    """Return the headquarters that pays for a patrol from a Command, or an empty string.

    Of those with a link to the Command it is the one with most of these points, ties by id (P11.8, R-94).
    """
    spot = LOCATIONS[command].hex
    able = [hq for hq, count in points.items() if count >= COST and pays_for(own, hq, spot)]
    return min(able, key=lambda hq: (-points[hq], hq), default="")


def unspent(own: Own, postings: Iterable[Posting]) -> dict[str, int]:
    """Return the Command Points by headquarters after these patrols are paid for, one after the other."""
    points = dict(own.means.points)
    for one in postings:
        points[payer(own, points, one.command)] -= COST
    return points


@cache
def waters(scenario: str, command: str, radius: int) -> tuple[str, ...]:
    """Return the sea and shore hexes of a scenario within a distance of a Command (P25.1, P1.2)."""
    spots = within(LOCATIONS[command].hex, radius) & area(scenario)
    return tuple(sorted(spot for spot in spots if nodes(spot)))


def free(open: Open, side: int, postings: Iterable[Posting], command: str) -> list[str]:
    """Return where a patrol from a Command may lie: no two own patrols are in one hex."""
    taken = {one.hex for one in postings}
    return [spot for spot in waters(open.scenario, command, RANGE[SIDES[side]]) if spot not in taken]


def senders(open: Open, own: Own, side: int, postings: Sequence[Posting]) -> list[str]:
    """Return the Commands that may send another patrol: points, somebody who pays, a free hex."""
    points = unspent(own, postings)
    return [
        command
        for command in commands(open, own, side)
        if in_port(own, postings, command)
        and payer(own, points, command)
        and free(open, side, postings, command)
    ]


def again(open: Open, own: Own, side: int, postings: Sequence[Posting]) -> list[Posting]:
    """Return the picks of last month in their order, as far as they are legal now (P0.9.2)."""
    found = list(postings)
    for one in own.means.postings:
        if (
            one.command in senders(open, own, side, found)
            and one.points <= in_port(own, found, one.command)
            and one.hex in free(open, side, found, one.command)
        ):
            found.append(one)
    return found[len(postings) :]


def proposal(open: Open, own: Own, side: int, postings: Sequence[Posting]) -> list[Posting]:
    """Return the house's proposal for what is left (P0.9.1): strong patrols off enemy ports.

    The greatest port comes first, of equal ones the nearest.
    """
    found = list(postings)
    ports = {
        LOCATIONS[place].hex: base.port for place, base in open.bases.items() if base.control == enemy(side)
    }
    for command in commands(open, own, side):
        home = LOCATIONS[command].hex
        while command in senders(open, own, side, found):
            spots = [spot for spot in free(open, side, found, command) if ports.get(spot)]
            if not spots:
                break
            best = min(spots, key=lambda spot: (-ports[spot], distance(home, spot), spot))
            found.append(Posting(command, min(MOST, in_port(own, found, command)), best))
    return found[len(postings) :]


@cache
def largest(scenario: str) -> int:
    """Return the most facts that a side's picks can seal (P0.3.2), the same for both.

    A patrol of one point is three decisions, and a side has no more points than it began with and was sent;
    then `AsLastMonth`, what ends the window, the patrols, the means, and the picks that are kept.
    """
    schedule = TABLES["points_schedule"]
    points: int = max(
        CAMPAIGNS[scenario].submarines[side] + sum(schedule[arrivals][month] for month in months(scenario))
        for side, arrivals in zip(SIDES, _ARRIVALS, strict=True)
    )
    return 3 * points + 5


class SubmarinePatrols(Procedure):
    """P25.1 SUBMARINE PATROLS ARE SENT."""

    postings: dict[str, tuple[Posting, ...]] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to the patrols picked so far."""
    pending: dict[str, str] = {}  # noqa: RUF012
    """Side to `command` or `command:points` of the patrol that is picked."""
    done: tuple[int, ...] = ()

    @step("25.1")
    def lift(self, table: Table) -> None:
        """Lift all patrols; their points are at their Commands again, those of a lost one in the pool."""
        for side in (0, 1):
            before = sealed(table)
            call_back(table, side)
            cushion(table, before, 2)
        if table.open.patrols:
            table.record(PatrolsLifted())
        tell_links(table, 0, 1)

    @ask("25.1", by="sides", sealed=True)
    def send(self, sight: Sight) -> list[Decision]:
        """Send submarine patrols, then be done. Where they lie stays hidden until both are done."""
        side, mine = sight.side, self.of(sight.side)
        if side in self.done:
            return []
        if pending := self.pending.get(str(side)):
            command, _, points = pending.partition(":")
            if points:
                return [PatrolAt(spot) for spot in free(sight.open, side, mine, command)]
            return [PatrolOf(n + 1) for n in range(min(MOST, in_port(sight.own, mine, command)))]
        board = (sight.open, sight.own, side, mine)
        options: list[Decision] = [PatrolFrom(command) for command in senders(*board)]
        if proposal(*board):
            options.append(Suggested())
        if again(*board):
            options.append(AsLastMonth())
        return [*options, Done()]

    @send.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        side, mine = sight.side, self.of(sight.side)
        command, _, points = self.pending.get(str(side), "").partition(":")
        if points:
            return f"Where does the patrol from [{command}] lie?"
        if command:
            hq = payer(sight.own, unspent(sight.own, mine), command)
            return f"How strong is the patrol from [{command}]? [{hq}] pays 1 Command Point."
        if not any(isinstance(one, PatrolFrom) for one in options):
            return "No more submarine patrols can be sent: be done."
        told = "Send submarine patrols, then be done. Where they lie stays hidden until both are done."
        rows = [
            f"{one.points} from [{one.command}] at {at(one.hex)}"
            for one in proposal(sight.open, sight.own, side, mine)
        ]
        return f"{told} Proposed: {', '.join(rows)}." if rows else told

    @send.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if not isinstance(one, Suggested | Done)]

    @send.chosen
    def _(
        self, table: Table, decision: PatrolFrom | PatrolOf | PatrolAt | AsLastMonth | Suggested | Done
    ) -> Flow:
        side = table.actor
        board = (table.open, table.own[side], side, self.of(side))
        pending = self.pending.get(str(side), "")
        match decision:
            case PatrolFrom(command):
                self.pending = self.pending | {str(side): command}
            case PatrolOf(points):
                self.pending = self.pending | {str(side): f"{pending}:{points}"}
            case PatrolAt(spot):
                command, _, count = pending.partition(":")
                self.pending = self.pending | {str(side): ""}
                self.add(side, [Posting(command, int(count), spot)])
            case AsLastMonth():
                self.add(side, again(*board))
            case Suggested():
                self.add(side, proposal(*board))
                self.finish(table, side)
            case Done():
                self.finish(table, side)
        return self.send

    @step("25.1")
    def place(self, table: Table) -> None:
        """Tell where the patrols of both sides lie."""
        table.record(PatrolsPlaced((self.hexes(0), self.hexes(1))))

    def add(self, side: int, postings: Iterable[Posting]) -> None:
        """Add patrols to those that a side has picked."""
        self.postings = self.postings | {str(side): (*self.of(side), *postings)}

    def finish(self, table: Table, side: int) -> None:
        """Let the patrols of a side leave their Commands, and pay for them."""
        own, mine, now = table.own[side], self.of(side), Changes(table, "on patrol")
        for one in mine:
            now.patrol(side, one.hex, one.points)
        points = unspent(own, mine)
        sent = {one.command: in_port(own, mine, one.command) for one in mine}
        now.record()
        table.record(
            MeansAre(
                side,
                points={hq: count for hq, count in points.items() if count != own.means.points[hq]},
                submarines=sent,
                commands={one.hex: one.command for one in mine},
                why="for submarine patrols",
            )
        )
        table.record(PicksKept(side, postings=mine))
        self.done += (side,)
        table.pad(largest(table.open.scenario), strict=True)

    def of(self, side: int) -> tuple[Posting, ...]:
        """Return what a side has picked so far."""
        return self.postings.get(str(side), ())

    def hexes(self, side: int) -> tuple[str, ...]:
        """Return the hexes of the patrols of a side, by number."""
        return tuple(sorted(one.hex for one in self.of(side)))

    @property
    def sides(self) -> tuple[int, int]:
        """Both are asked."""
        return (0, 1)


def call_back(table: Table, side: int) -> None:
    """Put the points on patrol back to the Commands that they came from (P25.1, P14.6)."""
    own, now = table.own[side], Changes(table, "back from patrol")
    ports, pool = dict[str, int](), own.means.pool
    for spot, points in sorted(own.patrols.items()):
        command = own.means.commands.get(spot, "")
        if stands(table.open, side, command):
            ports[command] = ports.get(command, own.means.submarines.get(command, 0)) + points
        else:
            pool += points
        now.patrol(side, spot, 0)
    now.record()
    gone = dict.fromkeys(own.means.commands, "")
    table.record(MeansAre(side, submarines=ports, pool=pool, commands=gone, why="back from patrol"))
