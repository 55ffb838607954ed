"""Midway, played steadily: strikes in waves with escorts, CAP by the threat, decks clear to land.

It plays by rules of thumb and does not look ahead; a person new to the game should find it a fair opponent.
Every judge below looks at the board anew, so an undo, a replaced player or a team-mate with other ideas never
confuses it. What no judge has an opinion on is answered by DONE, or by any legal decision. Rules are cited as
in `docs/rules/midway.md`.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

from clients.bots.odds import CIRCLES, through_flak

Group = dict[str, Any]
Option = dict[str, Any]

SIDES: Final = ("JP", "US")

DECK: Final = 20
"""Strength points that a carrier launches or lands in a turn (M8.2, M4.3)."""
CRIPPLED: Final = 7
SUNK_POINTS: Final = 15

FLIGHT: Final = 2
"""Turns from launch to attack (M3.7)."""
FULL_WAVE: Final = 22
"""Bombers' strength at which a wave waits for nobody."""
MARGIN: Final = 0
"""Strength by which escorts should be ahead of the CAP. 3, with a share of 0.3, beats this three times in
four, but then the United States win two matches of three between equals; this is the fairer opponent."""
CAP_SHARE: Final = 0.5
"""Part of the fighters that stays over the carriers however many are wanted as escorts."""
LANDING: Final = 0.9
"""What a point of planes that land is worth beside one that can be launched."""


class Board:
    """The table as one seat's side sees it. Groups carry their own name under `id`."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        table = view["table"]
        self.side = SIDES[view["match"]["seats"][seat]["side"]]
        self.enemy = SIDES[1 - SIDES.index(self.side)]
        self.left: int = table["turn_limit"] - table["turn"]
        self.sudden_death: bool = table["sudden_death"]
        self.ditching: bool = view["match"]["options"]["ditching"]
        self.carriers: dict[str, dict[str, Any]] = table["carriers"]
        self.by_name: dict[str, Group] = table["groups"]
        self.designated: dict[str, int] = table.get("designated", {})
        self.ours: list[Group] = []
        self.theirs: list[Group] = []
        for name, group in self.by_name.items():
            if group["strength"]:
                (self.ours if group["side"] == self.side else self.theirs).append({**group, "id": name})

    def ships(self, side: str, damage: int) -> list[str]:
        """Return a side's carriers with less than so much damage."""
        return [n for n, ship in self.carriers.items() if ship["side"] == side and ship["damage"] < damage]


def choose(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> Option:
    """Return one of the prompt's options."""
    options: list[Option] = prompt["options"]
    if len(options) == 1:
        return options[0]
    board = Board(view, prompt["seat"])
    by_type: dict[str, list[Option]] = {}
    for option in options:
        by_type.setdefault(option["type"], []).append(option)
    for kind, judge in JUDGES.items():
        if kind in by_type and (choice := judge(board, by_type[kind])) is not None:
            return choice
    return by_type["DONE"][0] if "DONE" in by_type else random.choice(options)


def strength(groups: Iterable[Group], types: str = "FDT") -> int:
    """Return the strength points of groups of some types."""
    return sum(group["strength"] for group in groups if group["type"] in types)


def within(groups: Iterable[Group], *places: str) -> list[Group]:
    """Return the groups whose place begins with one of these."""
    return [group for group in groups if group["place"].startswith(places)]


# Landing, M4


def land(board: Board, options: list[Option]) -> Option | None:
    """Land the strongest first, on the soundest carrier with the fewest planes: eggs in many baskets."""

    def merit(option: Option) -> tuple[float, float]:
        ship = option["ship"]
        group = board.by_name[option["group"]]
        aboard = strength(within(board.ours, f"HANGAR:{ship}"))
        at_home = 3 if group["home"] == ship else 0
        return group["strength"], at_home - aboard - 4 * board.carriers[ship]["damage"]

    return max(options, key=merit)


# Movement, M5


def advance(board: Board, options: list[Option]) -> Option | None:
    """Go home, go in, and leave MOVING when the wave is as large as it will soon be."""
    go = {"MOVING": wave_goes(board), "READY": wave_attacks(board), "HOME": True}
    return next((o for o in options if go[board.by_name[o["group"]]["place"]]), None)


def wave_goes(board: Board) -> bool:
    """Say whether what waits in MOVING sets out this turn."""
    waiting = within(board.ours, "MOVING")
    bombers = strength(waiting, "DT")
    if any(group.get("moved") for group in within(board.ours, "READY")):
        return True
    if not bombers:
        return False
    if bombers >= FULL_WAVE or board.left <= 1:
        return True
    coming = min(strength(within(board.ours, "DECK:"), "DT"), DECK * len(board.ships(board.side, CRIPPLED)))
    return coming < bombers / 2


def wave_attacks(board: Board) -> bool:
    """Say whether what is in READY attacks: a few planes that found the enemy wait for the others.

    Whoever has moved in this step counts where it came from, so that the answer is one for the whole wave.
    """
    ready, moving = within(board.ours, "READY"), within(board.ours, "MOVING")
    gone_in = [group for group in within(board.ours, "ATTACKING") if group.get("moved")]
    first = strength([*gone_in, *(g for g in ready if not g.get("moved"))], "DT")
    behind = strength([*moving, *(g for g in ready if g.get("moved"))], "DT")
    return first >= behind or board.left <= 1


# Search, M12


def search(board: Board, options: list[Option]) -> Option | None:  # noqa: ARG001 judges are all alike
    """Search as soon as it is allowed: nothing else can be done before."""
    return options[0]


def assign(board: Board, options: list[Option]) -> Option | None:
    """Give each search group its share of what the planes can do, then of the escorts."""
    kind = "F" if board.by_name[options[0]["group"]]["type"] == "F" else "DT"

    def share(option: Option) -> tuple[int, int]:
        mates = [g for g in board.ours if g.get("search_group") == option["search_group"]]
        return strength(mates, kind), -strength(mates)

    return min(options, key=share)


# CAP, M6


def match_escorts(board: Board, options: list[Option]) -> Option | None:
    """Take on the escorts where enough of the CAP is left over for the bombers behind them."""
    ready = within(board.theirs, "READY")
    escorts, bombers = strength(ready, "F"), strength(ready, "DT")
    committed = strength(g for g in board.ours if g.get("committed"))
    free = [board.by_name[option["group"]] for option in options]
    spare = committed + strength(free) - escorts
    if not committed and (not bombers or spare < min(3, bombers)):
        return None
    return options[_just_enough(free, escorts - committed)]


def _just_enough(groups: list[Group], need: int) -> int:
    """Return the index of one group of the smallest selection that is strong enough; outer rings first."""
    sums: dict[int, tuple[int, ...]] = {0: ()}
    for index in sorted(range(len(groups)), key=lambda index: str(groups[index]["place"]), reverse=True):
        for total, members in list(sums.items()):
            sums.setdefault(total + groups[index]["strength"], (*members, index))
    enough = [total for total in sums if total >= max(1, need)]
    return sums[min(enough)][0] if enough else 0


def attack_bombers(board: Board, options: list[Option]) -> Option | None:
    """Attack the bombers with all that is left, but not with more than can find a victim."""
    bombers = strength(within(board.theirs, "READY"), "DT")
    attacking = strength(g for g in board.ours if g.get("committed") == "bombers")
    if attacking >= 2 * bombers + 2:
        return None
    return max(options, key=lambda option: board.by_name[option["group"]]["place"])


def designate(board: Board, options: list[Option]) -> Option | None:
    """Shoot at the type of which more is left: torpedoes and bombs do the same harm on the whole."""
    ready = within(board.theirs, "READY")

    def left(option: Option) -> tuple[int, bool]:
        kind = option["plane_type"]
        return strength(ready, kind) - board.designated.get(kind, 0), kind == "T"

    return max(options, key=left)


# Losses, M6.8 and M7.7


def lose(board: Board, options: list[Option]) -> Option | None:
    """Lose first what must soon land anyway, then from the weakest group."""

    def price(option: Option) -> tuple[bool, int]:
        group = board.by_name[option["group"]]
        left = group["strength"] - group.get("proposed", 0)
        return not group["place"].startswith("CAP:3"), left

    return min(options, key=price)


def accept(board: Board, options: list[Option]) -> Option | None:  # noqa: ARG001 judges are all alike
    """Agree with the admiral."""
    return options[0]


# Carrier attacks, M7


def target(board: Board, options: list[Option]) -> Option | None:
    """Send the group where the wave as a whole gains most, and the next elsewhere once that is enough."""
    attacking = [g for g in within(board.ours, "ATTACKING") if g["type"] != "F"]
    free = [g for g in attacking if "target" not in g]
    told = {ship: [g for g in attacking if g.get("target") == ship] for ship in board.carriers}

    def more(option: Option) -> float:
        ship = option["ship"]
        return gain(board, ship, told[ship] + free) - gain(board, ship, told[ship])

    return max(options, key=more)


def gain(board: Board, ship: str, wave: list[Group]) -> float:
    """Return what a wave against a carrier is worth: points, her deck out of action, the planes aboard."""
    carrier = board.carriers[ship]
    damage: int = carrier["damage"]
    planes = strength(within(board.theirs, f"HANGAR:{ship}", f"DECK:{ship}"))
    cripple = 30.0 if board.sudden_death else 4.0 + planes / 10
    worth = 0.0
    for hits, chance in enumerate(through_flak(strength(wave, "D"), strength(wave, "T"), carrier["aa"])):
        after = min(CIRCLES, damage + hits)
        if after == CIRCLES:
            worth += chance * (SUNK_POINTS - damage + planes / 4)
        else:
            worth += chance * (after - damage)
        if damage < CRIPPLED <= after:
            worth += chance * cripple
    return worth


# Launching, M8


def launch(board: Board, options: list[Option]) -> Option | None:
    """Launch bombers that can still arrive, and divide the fighters between CAP and escort."""
    in_time = board.left >= FLIGHT
    for option in options:
        if board.by_name[option["group"]]["type"] != "F" and in_time:
            return option
    for option in options:
        if board.by_name[option["group"]]["type"] == "F":
            to = "MOVING" if in_time and escort_wanted(board) else "CAP:1"
            if option["to"] == to and (to == "MOVING" or board.left >= 1):
                return option
    return None


def escort_wanted(board: Board) -> bool:
    """Say whether the fighters on deck fly with the bombers: where they can hold off the whole CAP.

    Escorts that the enemy can match in passing (M6.4) protect nobody and are missed over the carriers.
    """
    wave = within(board.ours, "MOVING")
    escorts, ready = strength(wave, "F"), strength(within(board.ours, "DECK:"), "F")
    needed = strength(within(board.theirs, "CAP:")) + MARGIN
    cap = strength(within(board.ours, "CAP:"))
    enough = escorts < needed <= escorts + ready
    return enough and cap >= CAP_SHARE * (cap + escorts + ready) and strength(wave, "DT") > 0


# Planning, M9


def spot(board: Board, options: list[Option]) -> Option | None:
    """Bring up what the plan of the deck says."""
    plans = deck_plans(board)
    return next((o for o in options if o["group"] in plans[_ship(board, o)]), None)


def strike_below(board: Board, options: list[Option]) -> Option | None:
    """Take below what the plan of the deck does not say."""
    plans = deck_plans(board)
    return next((o for o in options if o["group"] not in plans[_ship(board, o)]), None)


def _ship(board: Board, option: Option) -> str:
    place: str = board.by_name[option["group"]]["place"]
    return place.partition(":")[2]


def deck_plans(board: Board) -> dict[str, set[str]]:
    """Return what should be on the deck of each operational carrier: planes to launch, or none."""
    loads = {ship: load(board, ship) for ship in board.ships(board.side, CRIPPLED)}
    waiting = strength(within(board.ours, "WAITING")) if board.left > FLIGHT else 0
    worth = LANDING + 0.5 * board.ditching
    plans: dict[str, set[str]] = {}
    for ship in sorted(loads, key=lambda ship: strength(loads[ship])):
        if waiting > 0 and worth * min(DECK, waiting) >= strength(loads[ship]):
            plans[ship] = set()
            waiting -= DECK
        else:
            plans[ship] = {group["id"] for group in loads[ship]}
    return plans


def load(board: Board, ship: str) -> list[Group]:
    """Return a carrier's best deck load: bombers that can still arrive, and a share of fighters."""
    aboard = within(board.ours, f"HANGAR:{ship}", f"DECK:{ship}")
    aboard.sort(key=lambda group: (-group["strength"], group["id"]))
    fighters = [g for g in aboard if g["type"] == "F"]
    bombers = [g for g in aboard if g["type"] != "F"] if board.left > FLIGHT else []
    wanted = fighters[:1] if bombers else fighters
    chosen: list[Group] = []
    for group in [*wanted, *bombers, *fighters[len(wanted) :]]:
        if strength(chosen) + group["strength"] <= DECK:
            chosen.append(group)
    return chosen if board.left >= 1 else []


JUDGES: Final[dict[str, Callable[[Board, list[Option]], Option | None]]] = {
    "LAND": land,
    "SEARCH_START": search,
    "SEARCH_ASSIGN": assign,
    "ADVANCE": advance,
    "CAP_VS_BOMBERS": attack_bombers,
    "CAP_VS_FIGHTERS": match_escorts,
    "HIT_TYPE": designate,
    "LOSE": lose,
    "ACCEPT": accept,
    "TARGET": target,
    "LAUNCH": launch,
    "STRIKE_BELOW": strike_below,
    "SPOT": spot,
}
"""The judges, in the order they are asked. RECALL, TURN_BACK and REFUSE have none: they are never wanted."""
