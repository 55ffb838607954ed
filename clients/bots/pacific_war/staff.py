"""Pacific War for a bot: bids, activation and the month's choices of a campaign (P10, P18, P20)."""

from collections.abc import Iterable, Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.objectives import best, garrison
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR, CARRIERS, CLASSES, GROUND, LIGHT, LOCATIONS, SHIPS
from domain.pacific_war.decisions.choices import (
    Activate,
    AssignToTF,
    Bid,
    BidFrom,
    ChooseLighting,
    ClaimOperation,
    Forfeit,
    FormTF,
    NoBid,
    PayFrom,
    PlaceOSB,
)
from domain.pacific_war.decisions.cycle import Aboard, Done, Embark
from domain.pacific_war.decisions.orders_of_month import Suggested

MARGIN: Final = 2
"""Landing steps for each step of a garrison."""
MORE: Final = 3
"""And these besides."""
TRANSPORTS: Final = 6
CARRIERS_MOST: Final = 3
ESCORTS: Final = 8
"""Warships that go along, at most."""
FLYING: Final = 6
"""Land-based air units that are activated, at most."""
NEAR: Final = 10
"""Hexes from the goal within which land-based aircraft are of use."""
LEAST_BID: Final = 10
KEPT: Final = 0.75
"""The part of a headquarters' points that is bid; the rest answers the enemy."""
SHORT: Final = 24
"""Hexes of a way that a landing goes, at most."""


def troops_at(board: Board, port: str) -> list[str]:
    """Return the own ground units in a port that may go aboard, the best first."""
    spot = LOCATIONS[port].hex
    return sorted(
        (
            unit
            for unit, one in board.own.ground.items()
            if one.hex == spot and one.steps and not one.broken and not one.isolated
        ),
        key=lambda unit: (-GROUND[unit].tq * board.own.ground[unit].steps, unit),
    )


def ships_at(board: Board, port: str, kinds: Iterable[str]) -> list[str]:
    """Return the own fit ships of some classes that are in a port, or that have just put to sea there."""
    node, wanted = LOCATIONS[port].coast or LOCATIONS[port].hex, set(kinds)
    return sorted(
        ship
        for ship, one in board.own.ships.items()
        if SHIPS[ship].cls in wanted
        and not one.crippled
        and (one.port == port or (one.tf and board.node(one.tf) == node))
    )


def goal_of(board: Board) -> str:
    """Return where the next landing of this side would go, or goes."""
    return board.goal if board.operation and board.attacks else best(board.table, board.me)


def needed(board: Board, goal: str) -> int:
    """Return the steps that a landing takes."""
    return MARGIN * garrison(board.table, goal) + MORE


def hub(board: Board, goal: str) -> str:
    """Return the port that a landing starts from: with lift and troops enough, the nearest to the goal."""
    if not goal:
        return ""
    node = LOCATIONS[goal].coast or LOCATIONS[goal].hex
    far, needs = ways(node, board.scenario), needed(board, goal)
    able = [
        (far.get(base.coast, NEVER), place)
        for place, base in board.table.locations.items()
        if base.control == board.me
        and base.port
        and base.coast
        and min(lift(board, place), steps(board, place)) >= needs
    ]
    return min((row for row in able if row[0] <= SHORT), default=(0, ""))[1]


def lift(board: Board, port: str) -> int:
    """Return the steps that the transports in a port can carry."""
    return sum(SHIPS[ship].lift for ship in ships_at(board, port, ("AA",))[:TRANSPORTS])


def steps(board: Board, port: str) -> int:
    """Return the steps of the troops in a port."""
    return sum(board.own.ground[unit].steps for unit in troops_at(board, port))


# who is activated


def roster(board: Board) -> list[str]:
    """Return the units that the Operation player wants, in order: transports, troops, escorts, aircraft."""
    goal = goal_of(board)
    port = hub(board, goal)
    if not port:
        return []
    transports = ships_at(board, port, ("AA",))[:TRANSPORTS]
    room, landing = sum(SHIPS[ship].lift for ship in transports), list[str]()
    for unit in troops_at(board, port):
        if board.own.ground[unit].steps <= room:
            landing.append(unit)
            room -= board.own.ground[unit].steps
    lights = ships_at(board, port, LIGHT)[:ESCORTS]
    heavies = ships_at(board, port, (*CARRIERS, "BB", "BC"))[:CARRIERS_MOST]
    return [*transports, *landing, *lights[:4], *heavies, *lights[4:], *wings(board, LOCATIONS[goal].hex)]


def answer(board: Board) -> list[str]:
    """Return the units that the Reaction player wants: warships and aircraft, the nearest first."""
    foes = [board.node(tf)[:4] for tf in board.foes]
    if not foes:
        return []
    ships = sorted(
        (min(distance(LOCATIONS[one.port].hex, foe) for foe in foes), ship)
        for ship, one in board.own.ships.items()
        if one.port in LOCATIONS and not one.crippled and SHIPS[ship].cls in (*CARRIERS, *LIGHT, "BB", "BC")
    )
    near = [ship for far, ship in ships if far <= 2 * NEAR]
    return [*wings(board, foes[0]), *near]


def wings(board: Board, spot: str) -> list[str]:
    """Return the land-based air units that reach a hex, those with most steps first."""
    units = sorted(
        (
            (-air.steps, unit)
            for unit, air in board.own.air.items()
            if air.home in LOCATIONS
            and air.steps
            and CLASSES[AIR[unit].cls].nav + CLASSES[AIR[unit].cls].air
            and distance(LOCATIONS[air.home].hex, spot) <= min(NEAR, CLASSES[AIR[unit].cls].range)
        ),
    )
    return [unit for _, unit in units][:FLYING]


def activate(board: Board, options: Sequence[Activate]) -> Activate | None:
    """Activate what the plan wants: transports and troops, then escorts and aircraft."""
    offered = {option.unit: option for option in options}
    leading = board.operation is not None and board.operation.player == board.me
    wanted = roster(board) if leading and not board.table.phase.startswith("5.2") else answer(board)
    if board.table.phase.startswith("5.2") and leading:
        return None
    return next((offered[unit] for unit in wanted if unit in offered), None)


def pay(board: Board, options: Sequence[PayFrom]) -> PayFrom | None:
    """Pay from the headquarters with most points."""
    if any(isinstance(one, Activate) for one in board.options):
        return None
    points = board.own.means.points if board.own.means else {}
    return max(options, key=lambda one: (points.get(one.hq, 0), one.hq))


def embark(board: Board, options: Sequence[Embark]) -> Embark | None:
    """Let the troops of the landing go aboard, the largest first."""
    if not board.operation or not board.attacks or board.table.phase != "5.1.P":
        return None
    wanted = set(roster(board))
    able = [one for one in options if one.ground in wanted]
    return max(able, key=lambda one: (board.own.ground[one.ground].steps, one.ground), default=None)


def aboard(board: Board, options: Sequence[Aboard]) -> Aboard | None:
    """Go aboard a task force of transports, else the first ship with room."""
    if not board.table.war:
        return None
    return next((one for one in options if one.into in board.own.fleets), options[0])


def berth(board: Board, options: Sequence[AssignToTF]) -> AssignToTF | None:
    """Join a task force: transports keep together, and four escorts with them."""
    ship = next((name for name in board.named if name in SHIPS), "")
    convoy = SHIPS[ship].cls == "AA" if ship else False
    for option in options:
        fleet = board.own.fleets[option.tf]
        carries = any(SHIPS[one].cls == "AA" for one in fleet.core)
        if convoy == carries or (not convoy and option.slot == "screen" and SHIPS[ship].cls in LIGHT):
            return option
    return None


def form(board: Board, options: Sequence[FormTF]) -> FormTF | None:  # noqa: ARG001 judges are all alike
    """Form a task force of its own."""
    return options[0]


def enough(board: Board, options: Sequence[Done]) -> Done | None:
    """Be done: the plan has what it needs."""
    return options[0] if board.table.war and board.table.phase.startswith("5.1") else None


# the month


def suggested(board: Board, options: Sequence[Suggested]) -> Suggested | None:  # noqa: ARG001
    """Do as the house proposes."""
    return options[0]


# bids


def bid_from(board: Board, options: Sequence[BidFrom]) -> BidFrom | None:
    """Bid for an Operation that promises points, from the headquarters with most."""
    if not hub(board, goal_of(board)):
        return None
    points = board.own.means.points if board.own.means else {}
    able = [one for one in options if points.get(one.hq, 0) >= LEAST_BID]
    return max(able, key=lambda one: (reaches(board, one.hq), points[one.hq], one.hq), default=None)


def reaches(board: Board, hq: str) -> bool:
    """Return whether a headquarters commands the port that the next landing starts from."""
    port = hub(board, goal_of(board))
    links = board.own.means.links if board.own.means else {}
    return bool(port) and LOCATIONS[port].hex in links.get(hq, ())


def bid(board: Board, options: Sequence[Bid]) -> Bid | None:  # noqa: ARG001
    """Bid what the Operation needs, and keep some points to answer the enemy."""
    most = options[-1].amount
    return min(options, key=lambda one: abs(one.amount - max(LEAST_BID, int(most * KEPT))))


def no_bid(board: Board, options: Sequence[NoBid]) -> NoBid | None:  # noqa: ARG001
    """Bid nothing: no place within reach is worth an Operation."""
    return options[0]


def support(board: Board, options: Sequence[PlaceOSB]) -> PlaceOSB | None:
    """Place the support base nearest to where the Operation goes."""
    goal = goal_of(board)
    if not goal:
        return options[0]
    spot = LOCATIONS[goal].hex
    return min(options, key=lambda one: (distance(LOCATIONS[one.location].hex, spot), one.location))


def forfeit(board: Board, options: Sequence[Forfeit]) -> Forfeit | None:
    """Give the Operation up: nothing is worth it."""
    kinds = {type(one) for one in board.options}
    return None if kinds & {Done, Activate, PayFrom} else options[0]


def claim(board: Board, options: Sequence[ClaimOperation]) -> ClaimOperation | None:
    """Take over if a place is worth it."""
    wanted = bool(hub(board, best(board.table, board.me)))
    return next((one for one in options if one.yes == wanted), options[-1])


def lighting(board: Board, options: Sequence[ChooseLighting]) -> ChooseLighting | None:
    """Fight by day, when aircraft fly; cruisers that know the night choose it."""
    carriers = any(board.carriers(tf) for tf in board.own.fleets)
    wanted = "Day" if carriers or board.side else "Night"
    return next((one for one in options if one.lighting == wanted), options[0])


STAFF: Final[tuple[Judge[Board], ...]] = (
    judge(Suggested, suggested),
    judge(PlaceOSB, support),
    judge(Embark, embark),
    judge(Aboard, aboard),
    judge(Activate, activate),
    judge(PayFrom, pay),
    judge(AssignToTF, berth),
    judge(FormTF, form),
    judge(BidFrom, bid_from),
    judge(Bid, bid),
    judge(NoBid, no_bid),
    judge(ClaimOperation, claim),
    judge(ChooseLighting, lighting),
)
LAST: Final[tuple[Judge[Board], ...]] = (judge(Done, enough), judge(Forfeit, forfeit))
"""Asked when nobody else has an opinion."""
