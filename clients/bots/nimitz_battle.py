"""Nimitz, battles: escorts by the carriers, guns inshore, aircraft where they count, cheap plans used."""

from collections.abc import Callable
from typing import Any, Final

from clients.bots.nimitz_board import Board, Option

AIR, LAND, SEA = "air", "land", "sea"
SHOPPING: Final = (
    "us.leathernecks",
    "us.furball",
    "us.ranging_shots",
    "us.charge",
    "us.anti_aircraft",
    "us.artillery",
)
SPEND: Final = 0.35
"""Part of the supply points that is spent on the plans of one battle."""


def _battle(board: Board) -> dict[str, Any]:
    battle: dict[str, Any] = board.table["battle"]
    return battle


def _ships(board: Board, side: str, *areas: str) -> list[str]:
    """Return a side's ships on the battle board."""
    placed = _battle(board)["ships"].items()
    return [s for s, area in placed if board.pieces[s].side == side and (not areas or area in areas)]


def _rating(board: Board, aircraft: str, name: str) -> int:
    plane = _battle(board)["planes"][aircraft]
    faces = board.table["counters"][aircraft]["ratings"]
    return int(faces["damaged" if plane.get("damaged") else "full"].get(name) or 0)


def place_ship(board: Board, options: list[Option]) -> Option | None:
    """Keep an escort for each carrier, those with the weakest guns; the others go where guns count."""
    carriers = [s for s in _ships(board, "US", "UO") if board.pieces[s].type.startswith("CV")]
    escorts = len(_ships(board, "US", "UO")) - len(carriers)
    wanted = "UO" if escorts < len(carriers) else "CO"

    def guns(option: Option) -> int:
        return int(board.pieces[option["ship"]].ratings.get("surface") or 0)

    there = [option for option in options if option["area"] == wanted]
    return (min if wanted == "UO" else max)(there, key=guns)


def place_sub(board: Board, options: list[Option]) -> Option | None:  # noqa: ARG001 judges are all alike
    """Place submarines by the carriers."""
    return options[0]


def buy_plan(board: Board, options: list[Option]) -> Option | None:
    """Buy the plans that this battle can use."""
    battle = _battle(board)
    ours = board.here(battle["area"], "US")
    flying = any("-us-" in name for name in battle["planes"])
    landing = any(piece.kind == "INF" for piece in ours)
    guns = bool(_ships(board, "US", "CO"))
    fits = {
        "us.leathernecks": any(piece.type == "MARINE" for piece in ours),
        "us.furball": flying,
        "us.ranging_shots": guns,
        "us.charge": landing,
        "us.anti_aircraft": bool(_ships(board, "US")),
        "us.artillery": landing,
    }
    offered = {option["plan"]: option for option in options}
    return next((offered[plan] for plan in SHOPPING if plan in offered and fits[plan]), None)


def buy_points(board: Board, options: list[Option]) -> Option | None:
    """Pay for more plans while the war chest allows."""
    bought = _battle(board).get("points", 0)
    return options[0] if bought == 0 and board.points * SPEND >= 2 else None  # noqa: PLR2004 a point or two


def send(board: Board, options: list[Option]) -> Option | None:
    """Send bombers where they do most harm, fighters over the carriers or with the bombers."""
    best = max(options, key=lambda option: worth(board, option))
    return best if worth(board, best) > 0 else None


def worth(board: Board, option: Option) -> float:
    """Return what an aircraft is worth over an area."""
    battle = _battle(board)
    name, area = option["aircraft"], option["area"]
    dogfight = _rating(board, name, "dogfight")
    if area == "IS":
        harm = _rating(board, name, "bomb_ground") * (1.0 if _island(board) else 0.0)
    else:
        harm = 1.2 * _rating(board, name, "bomb_ship") * (1.0 if _afloat(board, area) else 0.0)
        harm *= 1.3 if area == "JO" and _carriers(board, "JA") else 1.0
    guard = 1.5 * dogfight if area == "UO" and _carriers(board, "US") and _enemy_air(board) else 0.0
    planes = battle["planes"].items()
    friends = sum(
        1 for n, p in planes if "-us-" in n and p.get("at") == area and not _rating(board, n, "dogfight")
    )
    escort = 0.3 * dogfight * min(friends, 3) if _enemy_air(board) else 0.0
    on_guard = sum(
        1 for n, p in planes if "-us-" in n and p.get("at") == "UO" and _rating(board, n, "dogfight")
    )
    return harm + escort + guard / (1 + on_guard)


def _island(board: Board) -> bool:
    battle = _battle(board)
    ashore = any(n.startswith("ja-bn") or "-ja-" in n for n in (*battle["foxhole"], *battle["beach"]))
    ours = any("us" in name for name in battle["foxhole"]) or board.here(battle["area"], "US", "LBA")
    return bool(battle["airfields"].get("JA", 0) or (ashore and ours))


def _afloat(board: Board, area: str) -> bool:
    surface = [s for s in _ships(board, "JA", area) if board.pieces[s].type != "SS"]
    return bool(surface or (area == "CO" and _battle(board)["transports"]["JA"]))


def _carriers(board: Board, side: str) -> bool:
    return any(board.pieces[s].type.startswith("CV") for s in _ships(board, side))


def _enemy_air(board: Board) -> bool:
    return any("-ja-" in name for name in _battle(board)["planes"])


def use_plan(board: Board, options: list[Option]) -> Option | None:
    """Use a plan as soon as it fits, with the strongest; nothing is rolled again blindly."""
    fits = [option for option in options if option["plan"] not in {"us.sonar", "us.envelop"}]

    def strength(option: Option) -> int:
        piece = board.pieces.get(option["subject"])
        if piece is None:
            return 0
        return int(piece.ratings.get("infantry") or piece.ratings.get("aaa") or 0)

    return max(fits, key=strength, default=None)


def allocate(board: Board, options: list[Option]) -> Option | None:
    """Let the enemy lose his best, and our own sound and cheap ones take the hits."""

    def price(option: Option) -> tuple[float, float]:
        name = option["target"]
        if name not in board.table["counters"]:
            return 0.5, 0.0
        counter = board.table["counters"][name]
        plane = _battle(board)["planes"].get(name, {})
        piece = board.pieces.get(name)
        damaged = bool(plane.get("damaged") or (piece and piece.damaged))
        ratings = counter["ratings"]["damaged" if damaged else "full"]
        strength = sum(v for k, v in ratings.items() if v and not k.endswith("sup"))
        if counter["side"] == "JA":
            return -float(strength), 0.0
        return float(damaged), float(counter.get("buy", 0)) + strength / 10

    return min(options, key=price)


def cancel(board: Board, options: list[Option]) -> Option | None:  # noqa: ARG001 judges are all alike
    """Cancel the hit with the first plan that can."""
    return options[0]


def lose(board: Board, options: list[Option]) -> Option | None:
    """Lose damaged aircraft first, then the least useful."""

    def price(option: Option) -> tuple[bool, int]:
        name = option["aircraft"]
        plane = _battle(board)["planes"].get(name, {})
        return not plane.get("damaged", False), int(board.table["counters"][name]["value"])

    return min(options, key=price)


FIGHTING: Final[dict[str, Callable[[Board, list[Option]], Option | None]]] = {
    "PlaceShip": place_ship,
    "PlaceSub": place_sub,
    "BuyPlan": buy_plan,
    "BuyPoints": buy_points,
    "SendAircraft": send,
    "UsePlan": use_plan,
    "AllocateHit": allocate,
    "CancelHit": cancel,
    "LoseAircraft": lose,
}
