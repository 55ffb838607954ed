"""Pacific War for a bot: bids and activation, by the landing that is planned (P18, P20, P22)."""

from collections.abc import Iterable, Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.airlift import lifting
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.plans import Plan
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import AIR, CARRIERS, CLASSES, LIGHT, LOCATIONS, SHIPS
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
    TimeMultiple,
)
from domain.pacific_war.decisions.cycle import Aboard, Decline, Done, Embark

CONVOYED: Final = 3
"""Warships that go with the transports."""
CARRIERS_MOST: Final = 4
ESCORTS: Final = 4
"""Warships that go with the carriers."""
HEAVY: Final = 2
"""Battleships that go along, at most."""
FLYING: Final = 4
"""Land-based air units that are activated, at most."""
NEAR: Final = 10
"""Hexes from the goal within which land-based aircraft are of use."""
KEPT: Final = 12
"""The Command Points that are kept for overtime, and to come home, before carriers and others go along."""
SAILS: Final = 3
"""Hexes of contact movement in a day (P23.4)."""
WALKS: Final = 2
"""Days in which troops march a hex (P23.4)."""
FIGHTS: Final = 8
"""Days that a landing and the fight ashore take."""
FULL: Final = 6
"""Ships in the core of a task force (P2.2.2)."""


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


# who is activated


def leads(board: Board) -> bool:
    """Return whether this side leads the Operation."""
    return board.operation is not None and board.operation.player == board.me


def roster(board: Board, plan: Plan) -> list[str]:
    """Return the units of a landing in the order in which they are activated.

    Transports, troops and their escorts come first, then carriers with theirs from wherever they are near.
    """
    if not plan.port:
        return [*plan.troops, *lifting(board, plan.goal), *wings(board, LOCATIONS[plan.goal].hex)]
    lights = [ship for ship in ships_at(board, plan.port, LIGHT) if ship not in plan.transports]
    fast = sorted(lights, key=lambda ship: (SHIPS[ship].cls != "DD", ship))
    carriers = ships_at(board, plan.port, CARRIERS)[:CARRIERS_MOST]
    heavy = ships_at(board, plan.port, ("BB", "BC"))[:HEAVY]
    convoyed, others = fast[:CONVOYED], fast[CONVOYED:]
    if not plan.troops:
        return [*plan.transports, *convoyed]
    cruisers = sorted(others, key=lambda ship: (SHIPS[ship].cls == "DD", ship))[:ESCORTS]
    there = [unit for unit, one in board.own.ground.items() if one.hex == LOCATIONS[plan.goal].hex]
    air = wings(board, LOCATIONS[plan.goal].hex)
    there += lifting(board, plan.goal)
    more = [*carriers, *cruisers, *there, *heavy, *air] if board.points_of.get(plan.hq, 0) > KEPT else there
    return [*plan.transports, *plan.troops, *convoyed, *more]


def answer(board: Board) -> list[str]:
    """Return the units that the Reaction player wants: aircraft, carriers and warships, the nearest first."""
    foes = [board.node(tf)[:4] for tf in board.foes]
    if not foes:
        return []
    ships = sorted(
        (min(distance(LOCATIONS[one.port].hex, foe) for foe in foes), SHIPS[ship].cls not in CARRIERS, ship)
        for ship, one in board.own.ships.items()
        if one.port in LOCATIONS and not one.crippled and SHIPS[ship].cls in (*CARRIERS, *LIGHT, "BB", "BC")
    )
    near = [ship for far, _, ship in ships if far <= 2 * NEAR]
    air = wings(board, foes[0])
    return [*air[:2], *near, *air[2:]]


def wings(board: Board, spot: str) -> list[str]:
    """Return the land-based air units that reach a hex, those with most steps first."""
    units = sorted(
        (
            (-air.steps, unit)
            for unit, air in board.own.air.items()
            if air.home in LOCATIONS
            and air.steps
            and not air.isolated
            and CLASSES[AIR[unit].cls].nav + CLASSES[AIR[unit].cls].air
            and distance(LOCATIONS[air.home].hex, spot) <= min(NEAR, CLASSES[AIR[unit].cls].range)
        ),
    )
    return [unit for _, unit in units][:FLYING]


def activate(board: Board, options: Sequence[Activate]) -> Activate | None:
    """Activate what the plan wants: transports, troops and escorts, then carriers and aircraft."""
    offered = {option.unit: option for option in options}
    if not leads(board):
        wanted = answer(board)
    elif board.table.phase == "5.1.P":
        wanted = roster(board, board.plan) if board.plan else []
    else:
        wanted = wings(board, LOCATIONS[board.goal].hex) if board.goal else []
    return next((offered[unit] for unit in wanted if unit in offered), None)


def pay(board: Board, options: Sequence[PayFrom]) -> PayFrom | None:
    """Pay from the headquarters that leads the landing, in answer from that with most points."""
    if any(isinstance(one, Activate) for one in board.options):
        return None
    points, plan = board.points_of, board.plan
    mine = plan.hq if plan and leads(board) else ""
    return max(options, key=lambda one: (one.hq == mine, points.get(one.hq, 0), one.hq))


def embark(board: Board, options: Sequence[Embark]) -> Embark | None:
    """Let the troops of the landing go aboard, the largest first."""
    if board.table.phase != "5.1.P" or board.plan is None:
        return None
    able = [one for one in options if one.ground in board.plan.troops]
    return max(able, key=lambda one: (board.own.ground[one.ground].steps, one.ground), default=None)


def aboard(board: Board, options: Sequence[Aboard]) -> Aboard | None:
    """Go aboard a task force of transports, else the first ship with room."""
    if not board.table.war:
        return None
    carrying = set(board.plan.transports) if board.plan else set()
    return max(options, key=lambda one: (_carries(board, one.into, carrying), one.into))


def _carries(board: Board, tf: str, ships: set[str]) -> bool:
    return tf in board.own.fleets and bool(ships & set(board.members(tf)))


def berth(board: Board, options: Sequence[AssignToTF]) -> AssignToTF | None:
    """Join a task force: transports keep together with some escorts, carriers with the others."""
    ship = next((name for name in board.named if name in SHIPS), "")
    carrying = set(board.plan.transports if board.plan and leads(board) else ())
    transport = ship in carrying
    light = SHIPS[ship].cls in LIGHT if ship else False
    rows = list[tuple[int, AssignToTF]]()
    for option in options:
        fleet = board.own.fleets[option.tf]
        convoy = bool(carrying & {*fleet.core, *fleet.screen})
        if transport:
            rows += [(0, option)] * (convoy and (option.slot == "screen") == light)
        elif light and option.slot == "screen":
            short = convoy and len(fleet.screen) < CONVOYED
            rows += [(0 if short else 1, option)] * (short or not convoy)
        elif not light and not convoy:
            rows.append(((option.slot == "screen") + (len(fleet.core) >= FULL), option))
    return min(rows, key=lambda row: (row[0], row[1].tf), default=(0, None))[1]


def form(board: Board, options: Sequence[FormTF]) -> FormTF | None:  # noqa: ARG001 judges are all alike
    """Form a task force of its own."""
    return options[0]


def longer(board: Board, options: Sequence[TimeMultiple]) -> TimeMultiple | None:
    """Take the time that the way, the fight and the way back need."""
    plan = board.plan
    if plan is None or any(isinstance(one, Activate) for one in board.options):
        wanted = activate(board, [one for one in board.options if isinstance(one, Activate)])
        if plan is None or wanted is not None:
            return None
    if plan.port:
        days = -(-plan.far // SAILS) + (FIGHTS + plan.far // 2 if plan.troops else 0)
    else:
        days = WALKS * plan.far + FIGHTS
    return min(options, key=lambda one: (abs(14 * (1 + one.k) - days), one.k))


def enough(board: Board, options: Sequence[Done]) -> Done | None:
    """Be done: the plan has what it needs."""
    return options[0] if board.table.war and board.table.phase.startswith("5.1") else None


# bids


def bid_from(board: Board, options: Sequence[BidFrom]) -> BidFrom | None:
    """Bid for the Operation that promises most, from the headquarters that can lead it."""
    if board.plan is None:
        return None
    return next((one for one in options if one.hq == board.plan.hq), None)


def need(plan: Plan) -> int:
    """Return the Command Points that a landing takes, with what it costs to fight on."""
    units = len(plan.transports) + 2 * len(plan.troops)
    others = 1 * CONVOYED + 3 * CARRIERS_MOST + ESCORTS + 2 * HEAVY + FLYING
    if not plan.troops:
        return units + CONVOYED + KEPT
    return (units + others + HEADQUARTERS[plan.hq].op_cost if plan.port else units) + KEPT


def bid(board: Board, options: Sequence[Bid]) -> Bid | None:
    """Bid what the landing needs, and more the more it promises: what is not spent is kept."""
    most = options[-1].amount
    wanted = need(board.plan) + int(board.plan.value) if board.plan else 1
    return min(options, key=lambda one: abs(one.amount - min(most, wanted)))


def no_bid(board: Board, options: Sequence[NoBid]) -> NoBid | None:  # noqa: ARG001
    """Bid nothing: no place within reach is worth an Operation."""
    return options[0]


def support(board: Board, options: Sequence[PlaceOSB]) -> PlaceOSB | None:
    """Place the support base nearest to where the Operation goes."""
    if board.plan is None:
        return None
    spot = LOCATIONS[board.plan.goal].hex
    return min(options, key=lambda one: (distance(LOCATIONS[one.location].hex, spot), one.location))


def no_support(board: Board, options: Sequence[Decline]) -> Decline | None:
    """Place no support base: there is nothing to support."""
    return options[0] if board.table.phase.startswith("5.1") else None


def forfeit(board: Board, options: Sequence[Forfeit]) -> Forfeit | None:
    """Give the Operation up: nothing is worth it."""
    kinds = {type(one) for one in board.options}
    if Activate in kinds:
        return None if activate(board, [o for o in board.options if isinstance(o, Activate)]) else options[0]
    return None if kinds & {Done, PayFrom} else options[0]


def claim(board: Board, options: Sequence[ClaimOperation]) -> ClaimOperation | None:
    """Take over if a place is worth it."""
    wanted = board.plan is not None
    return next((one for one in options if one.yes == wanted), options[-1])


def lighting(board: Board, options: Sequence[ChooseLighting]) -> ChooseLighting | None:
    """Land at night, unseen from the air; else fight by day, when aircraft fly."""
    landing = any(board.laden(tf) for tf in board.own.fleets)
    carriers = any(board.carriers(tf) for tf in board.own.fleets)
    wanted = "Day" if not landing and (carriers or board.side) else "Night"
    return next((one for one in options if one.lighting == wanted), options[0])


STAFF: Final[tuple[Judge[Board], ...]] = (
    judge(PlaceOSB, support),
    judge(Embark, embark),
    judge(Aboard, aboard),
    judge(Activate, activate),
    judge(PayFrom, pay),
    judge(AssignToTF, berth),
    judge(FormTF, form),
    judge(Forfeit, forfeit),
    judge(TimeMultiple, longer),
    judge(BidFrom, bid_from),
    judge(Bid, bid),
    judge(NoBid, no_bid),
    judge(ClaimOperation, claim),
    judge(ChooseLighting, lighting),
)
LAST: Final[tuple[Judge[Board], ...]] = (judge(Done, enough), judge(Decline, no_support))
"""Asked when nobody else has an opinion."""
