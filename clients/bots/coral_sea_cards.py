"""Coral Sea for a bot: Card or Map, and which card is played, kept or discarded, and when (C5, C6)."""

from random import Random
from typing import Any, Final

from clients.bots.coral_sea_board import Board, Judge, Option
from clients.bots.coral_sea_prospects import WANTED_FIELDS, promise

EAGER: Final = {"japan": 0.3, "allied": 0.05}
"""How readily a side chooses Map with nothing in sight; Japan has to take what the Allies hold."""
IDLE: Final = 0.35
"""What an operation must promise at least."""
WORTH_PLAYING: Final = 1.5
"""What a card must be worth to be played rather than another drawn."""
DUEL: Final = 2
"""Units in a battle that is not worth a card."""
DECISIVE: Final = 10.0
"""A card worth more than this is played before anything else."""
LAST: Final = 2
"""Cards in the deck at which drawing needs a lead: the last card ends the game (C5.9)."""


def mode(board: Board, options: list[Option], random: Random) -> Option | None:
    """Operate when there are resource points and something to do; else look after the hand."""
    by_mode = {option["mode"]: option for option in options}
    if "map" not in by_mode:
        return by_mode["card"]
    stock = sum(board.rp.values())
    strong = max((card_worth(board, card) for card in board.hand), default=0.0)
    if strong > DECISIVE:
        return by_mode["card"]
    hope = max(promise(board, area) for area in board.rp)
    if hope < IDLE:
        return by_mode["card"]
    eager = EAGER[board.side] + 0.35 * hope + 0.08 * stock - 0.05 * strong - 0.04 * (5 - len(board.hand))
    return by_mode["map" if random.random() < eager else "card"]


def card_worth(board: Board, card: str) -> float:
    """Return what an Operational card is worth now."""
    kinds = board.hand[card]["effects"]
    if "end_game" in kinds:
        return 20.0 if board.lead + 2 > 0 else 0.0
    worth = {"reinforce": 4.0, "truk_fleet": 3.5, "permanent": 2.0, "gain_rp": 3.5, "refit": 2.0}
    worth |= {"air_attack": 2.2, "temporary_initiative": 2.5, "move_rp": 0.6, "air_transport": 0.8}
    found = sum(worth.get(kind, 0.0) for kind in kinds)
    if "gain_rp" in kinds:
        found += 2.0 * max(0, 2 - sum(board.rp.values()))
    if "remove_units" in kinds:
        found += 2.0 if len(carriers(board.theirs)) > len(carriers(board.ours)) else -1.0
    return found


def carriers(units: dict[str, dict[str, Any]]) -> list[str]:
    """Return the carriers among units."""
    return [name for name, unit in units.items() if unit["type"] == "CV"]


def play(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Play the best Operational card, if it is worth more than a new one."""
    best = max(options, key=lambda option: card_worth(board, option["card"]))
    return best if card_worth(board, best["card"]) >= WORTH_PLAYING else None


def draw(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Draw, unless that would soon end a game that we are losing, or resource points are wanted more."""
    left = board.table["tracks"][board.side]["deck"]
    if left <= LAST and board.lead <= 0 and board.hand:
        return None
    short = not board.rp and any(keep(board, card) < 1.0 for card in board.hand)
    return None if short else options[0]


def discard(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Discard what is worth least."""
    return min(options, key=lambda option: keep(board, option["card"]))


def keep(board: Board, card: str) -> float:
    """Return what a card is worth in the hand: green ones their effect, others the moment they wait for."""
    printed = board.hand[card]
    if printed["colour"] == "green":
        return card_worth(board, card) if "end_game" not in printed["effects"] else 3.0
    return {"yellow": 1.2, "blue": 1.5, "red": 1.4}[printed["colour"]]


def react(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Spend a reaction card when its moment is good, else keep it."""
    return next((option for option in options if timely(board, board.hand[option["card"]])), None)


def timely(board: Board, card: dict[str, Any]) -> bool:
    """Return whether this is the moment for a reaction card."""
    kinds = card["effects"]
    marker = board.operation.get("area", "")
    if "no_attrition" in kinds:
        near = {marker, *board.areas[marker]["next"]} if marker else set()
        ready = [u for u in board.ours.values() if u["area"] in near and u["domain"] == "ground"]
        return any(not u.get("depleted") and not u.get("acted") for u in ready) and board.operation["sp"] > 1
    if "cheap_airfield" in kinds:
        return any(
            u["area"] in WANTED_FIELDS and "airfield" not in board.areas[u["area"]]
            for u in board.ours.values()
        )
    if "extra_operation" in kinds:
        return len(board.rp) > 1 or max(board.rp.values(), default=0) > 1
    if "reroll" in kinds:
        unit = board.units.get(board.battle.get("check", {}).get("unit", ""), {})
        return bool(unit.get("depleted")) or len(board.battle["units"][board.side]) == 1
    if card["colour"] in {"blue", "yellow"}:
        return sum(len(units) for units in board.battle["units"].values()) > DUEL
    return True


CARDS: Final[dict[str, Judge]] = {
    "choose_mode": mode,
    "play_card": play,
    "draw_card": draw,
    "discard_for_rp": discard,
    "play_reaction": react,
}
