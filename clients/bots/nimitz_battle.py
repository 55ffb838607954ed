"""Nimitz, battles: escorts by the carriers, guns inshore, aircraft where they count, cheap plans used."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.nimitz_board import Board, attacks
from clients.bots.nimitz_odds import expect
from domain.nimitz.charts import COUNTERS
from domain.nimitz.decisions import (
    AdjustLength,
    AllocateHit,
    BuyPlan,
    BuyPoints,
    CancelHit,
    LoseAircraft,
    PlaceShip,
    PlaceSub,
    SendAircraft,
    UsePlan,
)
from domain.nimitz.rows import Ratings, SideId
from domain.nimitz.shown import Battle

AIR, LAND, SEA = "air", "land", "sea"
SHOPPING: Final = (
    "us.leathernecks",
    "us.engaged",
    "us.ranging_shots",
    "us.artillery",
    "us.charge",
    "us.furball",
    "us.seabees",
    "us.diving_attack",
    "us.anti_aircraft",
)
"""Plans by what they bring for their price.

Not bought: Sonar and Envelop roll again for one who may have hit, and a bot is not shown who did; First Light
strikes earlier, not more; ASW has few submarines to hunt.
"""
OVERKILL: Final = 1.3
"""Hits to expect for each that can be taken, beyond which aircraft go elsewhere."""
GUNNERS: Final = 3
"""Ships inshore with which some gun is sure to hit."""
SURELY_LOST: Final = 0.02
SURELY_WON: Final = 0.95
"""Chances to hold between which a battle is worth supply points."""


def _battle(board: Board) -> Battle:
    battle = board.table.battle
    assert battle is not None
    return battle


def _ships(board: Board, side: SideId, *areas: str) -> list[str]:
    """Return a side's ships on the battle board."""
    placed = _battle(board).ships.items()
    return [s for s, area in placed if board.pieces[s].side == side and (not areas or area in areas)]


def _ratings(board: Board, aircraft: str) -> Ratings:
    faces = COUNTERS[aircraft].ratings
    return faces.damaged if _battle(board).planes[aircraft].damaged else faces.full


def place_ship(board: Board, options: Sequence[PlaceShip]) -> PlaceShip | None:
    """Keep an escort for each carrier, those with the weakest guns; the others go where guns count."""
    carriers = [s for s in _ships(board, "US", "UO") if board.pieces[s].type.startswith("CV")]
    escorts = len(_ships(board, "US", "UO")) - len(carriers)
    wanted = "UO" if escorts < len(carriers) else "CO"

    def guns(option: PlaceShip) -> int:
        return board.pieces[option.ship].ratings.surface or 0

    there = [option for option in options if option.area == wanted]
    return (min if wanted == "UO" else max)(there, key=guns)


def place_sub(board: Board, options: Sequence[PlaceSub]) -> PlaceSub | None:  # noqa: ARG001 judges are all alike
    """Place submarines by the carriers."""
    return options[0]


def buy_plan(board: Board, options: Sequence[BuyPlan]) -> BuyPlan | None:
    """Buy the plans that this battle can use."""
    offered = {option.plan: option for option in options}
    return next((offered[plan] for plan in wanted(board) if plan in offered), None)


def wanted(board: Board) -> list[str]:
    """Return the plans that this battle can use and that are not held yet, the best first."""
    battle = _battle(board)
    ours = board.here(battle.area, "US")
    flying = any("-us-" in name for name in battle.planes)
    ashore = any(piece.kind == "INF" and not piece.aboard for piece in ours)
    fits = {
        "us.leathernecks": any(piece.type == "MARINE" for piece in ours),
        "us.engaged": True,
        "us.ranging_shots": len(_ships(board, "US", "CO")) >= GUNNERS,
        "us.artillery": ashore,
        "us.charge": ashore,
        "us.furball": flying and _enemy_air(board),
        "us.seabees": bool(battle.airfields.get("US", 0)),
        "us.diving_attack": flying,
        "us.anti_aircraft": bool(_ships(board, "US")) and _enemy_air(board),
    }
    return [plan for plan in SHOPPING if fits[plan] and plan not in battle.held]


def buy_points(board: Board, options: Sequence[BuyPoints]) -> BuyPoints | None:
    """Pay for more plans where a battle is in doubt; each battle gets its share of what is left."""
    area = _battle(board).area
    chance = expect(board.here(area, "US"), board.here(area, "JA")).holds
    share = board.points / (1 + len(board.table.battles))
    doubtful = SURELY_LOST <= chance <= SURELY_WON
    return options[0] if doubtful and share >= 1 and wanted(board) else None


def adjust(board: Board, options: Sequence[AdjustLength]) -> AdjustLength | None:
    """Fight on while it pays and the battle would end; break off when it does not."""
    battle = _battle(board)
    ours, theirs = board.here(battle.area, "US"), board.here(battle.area, "JA")
    outcome = expect(ours, theirs)
    if any(p.ashore or p.aboard for p in theirs) and outcome.killed >= outcome.lost:
        by = 1 if battle.left <= 1 else 0
    else:
        by = -1 if battle.left > 1 else 0
    return next((option for option in options if option.by == by), None)


def send(board: Board, options: Sequence[SendAircraft]) -> SendAircraft | None:
    """Send bombers where they do most harm, fighters over the carriers or with the bombers."""
    best = max(options, key=lambda option: worth(board, option))
    return best if worth(board, best) > 0 else None


def worth(board: Board, option: SendAircraft) -> float:
    """Return what an aircraft is worth over an area: the island first, for those ashore hold it (N1.10)."""
    battle = _battle(board)
    name, area = option.aircraft, option.area
    dogfight = _ratings(board, name).dogfight or 0
    if area == "IS":
        harm = (_ratings(board, name).bomb_ground or 0) * _island(board)
    else:
        harm = (_ratings(board, name).bomb_ship or 0) * _afloat(board, area)
    planes = battle.planes.items()
    there = [(_ratings(board, n).dogfight or 0) for n, p in planes if "-us-" in n and p.at == area]
    escort = guard = 0.0
    if _enemy_air(board):
        escort = 0.3 * dogfight * min(there.count(0), 3)
        guard = 1.5 * dogfight if area == "UO" and _carriers(board, "US") else 0.0
    return harm + escort + guard / (1 + len(there) - there.count(0))


def _island(board: Board) -> float:
    """Return what a bomb on the island is worth: little when those on the way will do."""
    battle = _battle(board)
    troops = [board.pieces[name] for name in (*battle.foxhole, *battle.beach)]
    targets = battle.airfields.get("JA", 0)
    if any(p.side == "US" for p in troops) or board.here(battle.area, "US", "LBA"):
        targets += sum(1 if p.damaged else 2 for p in troops if p.side == "JA")
    over = [n for n, plane in battle.planes.items() if "-us-" in n and plane.at == "IS"]
    coming = sum((_ratings(board, name).bomb_ground or 0) for name in over) / 10
    if not targets:
        return 0.0
    return 1.0 if coming < targets * OVERKILL else 0.2


def _afloat(board: Board, area: str) -> float:
    """Return what a bomb on the ships of an area is worth: most on transports that nothing screens."""
    surface = [s for s in _ships(board, "JA", area) if board.pieces[s].type != "SS"]
    if area == "CO" and _battle(board).transports["JA"]:
        return 0.6 if surface else 1.2
    if not surface:
        return 0.0
    return 0.8 if area == "JO" and _carriers(board, "JA") else 0.6


def _carriers(board: Board, side: SideId) -> bool:
    return any(board.pieces[s].type.startswith("CV") for s in _ships(board, side))


def _enemy_air(board: Board) -> bool:
    return any("-ja-" in name for name in _battle(board).planes)


def use_plan(board: Board, options: Sequence[UsePlan]) -> UsePlan | None:
    """Use a plan as soon as it fits, with the strongest; nothing is rolled again blindly."""
    fits = [option for option in options if option.plan not in {"us.sonar", "us.envelop"}]

    def strength(option: UsePlan) -> int:
        if not option.subject:
            return 0
        ratings = board.pieces[option.subject].ratings
        return ratings.infantry or ratings.aaa or 0

    return max(fits, key=strength, default=None)


def allocate(board: Board, options: Sequence[AllocateHit]) -> AllocateHit | None:
    """Let the enemy lose his best, and our own sound and cheap ones take the hits."""

    def price(option: AllocateHit) -> tuple[float, float]:
        name = option.target
        if name not in COUNTERS:
            return 0.5, 0.0
        counter = COUNTERS[name]
        stands = _battle(board).planes.get(name), board.table.forces.get(name)
        damaged = any(one is not None and one.damaged for one in stands)
        strength = attacks(counter.ratings.damaged if damaged else counter.ratings.full)
        if counter.side == "JA":
            return -float(strength), 0.0
        return float(damaged), float(counter.buy) + strength / 10

    return min(options, key=price)


def cancel(board: Board, options: Sequence[CancelHit]) -> CancelHit | None:  # noqa: ARG001 judges are all alike
    """Cancel the hit with the first plan that can."""
    return options[0]


def lose(board: Board, options: Sequence[LoseAircraft]) -> LoseAircraft | None:
    """Lose damaged aircraft first, then the least useful."""

    def price(option: LoseAircraft) -> tuple[bool, int]:
        name = option.aircraft
        plane = _battle(board).planes.get(name)
        return plane is None or not plane.damaged, COUNTERS[name].value

    return min(options, key=price)


FIGHTING: Final[tuple[Judge[Board], ...]] = (
    judge(PlaceShip, place_ship),
    judge(PlaceSub, place_sub),
    judge(BuyPlan, buy_plan),
    judge(AdjustLength, adjust),
    judge(BuyPoints, buy_points),
    judge(SendAircraft, send),
    judge(UsePlan, use_plan),
    judge(AllocateHit, allocate),
    judge(CancelHit, cancel),
    judge(LoseAircraft, lose),
)
