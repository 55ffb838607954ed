"""Coral Sea for a bot: Card or Map, and which card is played, kept or discarded, and when (C5, C6)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.coral_sea_board import Board
from clients.bots.coral_sea_prospects import WANTED_FIELDS, promise
from clients.bots.judges import Judge, judge
from domain.coral_sea.decisions import ChooseMode, DiscardForRp, DrawCard, PlayCard, PlayReaction
from domain.coral_sea.printed import SIDES, SideId
from domain.coral_sea.shown import Card, Unit

EAGER: Final[dict[SideId, float]] = {"japan": 0.3, "allied": 0.05}
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


def mode(board: Board, options: Sequence[ChooseMode]) -> ChooseMode | None:
    """Operate when there are resource points and something to do; else look after the hand."""
    by_mode = {option.mode: option for option in options}
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
    return by_mode["map" if board.random.random() < eager else "card"]


def card_worth(board: Board, card: str) -> float:
    """Return what an Operational card is worth now."""
    kinds = board.hand[card].effects
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


def carriers(units: dict[str, Unit]) -> list[str]:
    """Return the carriers among units."""
    return [name for name, unit in units.items() if unit.type == "CV"]


def play(board: Board, options: Sequence[PlayCard]) -> PlayCard | None:
    """Play the best Operational card, if it is worth more than a new one."""
    best = max(options, key=lambda option: card_worth(board, option.card))
    return best if card_worth(board, best.card) >= WORTH_PLAYING else None


def draw(board: Board, options: Sequence[DrawCard]) -> DrawCard | None:
    """Draw, unless that would soon end a game that we are losing, or resource points are wanted more."""
    left = board.table.tracks[board.side].deck
    if left <= LAST and board.lead <= 0 and board.hand:
        return None
    short = not board.rp and any(keep(board, card) < 1.0 for card in board.hand)
    return None if short else options[0]


def discard(board: Board, options: Sequence[DiscardForRp]) -> DiscardForRp | None:
    """Discard what is worth least."""
    return min(options, key=lambda option: keep(board, option.card))


def keep(board: Board, card: str) -> float:
    """Return what a card is worth in the hand: green ones their effect, others the moment they wait for."""
    printed = board.hand[card]
    if printed.colour == "green":
        return card_worth(board, card) if "end_game" not in printed.effects else 3.0
    return {"yellow": 1.2, "blue": 1.5, "red": 1.4}[printed.colour]


def react(board: Board, options: Sequence[PlayReaction]) -> PlayReaction | None:
    """Spend a reaction card when its moment is good, else keep it."""
    return next((option for option in options if timely(board, board.hand[option.card])), None)


def timely(board: Board, card: Card) -> bool:
    """Return whether this is the moment for a reaction card."""
    kinds = card.effects
    marker = board.marker
    if "no_attrition" in kinds:
        near = {marker, *board.areas[marker].next} if marker else set()
        ready = [u for u in board.ours.values() if u.area in near and u.domain == "ground"]
        return any(not u.depleted and not u.acted for u in ready) and board.sp > 1
    if "cheap_airfield" in kinds:
        return any(
            u.area in WANTED_FIELDS and board.areas[u.area].airfield is None for u in board.ours.values()
        )
    if "extra_operation" in kinds:
        return len(board.rp) > 1 or max(board.rp.values(), default=0) > 1
    battle = board.battle
    if "reroll" in kinds and battle:
        unit = board.units.get(battle.check.unit) if battle.check else None
        return (unit is not None and unit.depleted) or len(battle.units[board.side]) == 1
    if card.colour in {"blue", "yellow"} and battle:
        return sum(len(battle.units[side]) for side in SIDES) > DUEL
    return True


CARDS: Final[tuple[Judge[Board], ...]] = (
    judge(ChooseMode, mode),
    judge(PlayCard, play),
    judge(DrawCard, draw),
    judge(DiscardForRp, discard),
    judge(PlayReaction, react),
)
