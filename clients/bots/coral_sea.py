"""Coral Sea, played with a purpose: bases first, landings where they pay, cards kept for their moment.

It plays by rules of thumb and does not look ahead. Every judge looks at the board anew, so an undo or a
replaced player never confuses it. Where no judge has an opinion the modest choice is taken: pass, done, stop,
end, or any legal decision. Rules are cited as in `docs/rules/coral-sea.md`.

Of 500 campaigns of two such bots (seeds 1 to 500; the soak plays them anew) Japan won 52 %, the Allies 45
%, 3 % were drawn; the middle one had 55 sequences; 44 % ended with Port Moresby, 5 % with the Turn of the
Tide. C31 has 45, 53 and 2 %, 59 sequences, 34 and 10 %.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from clients.bots.coral_sea_board import BASES, DISTANCE, HUBS, HUNT, SEA_ODDS, Board, might

Option = dict[str, Any]
Judge = Callable[["Board", list[Option], Random], Option | None]

LAST: Final = 2
"""Cards in the deck at which drawing needs a lead: the last card ends the game (C5.9)."""


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
        if kind in by_type and (choice := judge(board, by_type[kind], random)) is not None:
            return choice
    for kind in MODEST:
        if kind in by_type:
            return by_type[kind][0]
    return random.choice(options)


# The secret choice and cards, C5, C6


EAGER: Final = {"japan": 0.3, "allied": 0.05}
"""How readily a side chooses Map with nothing in sight; Japan has to take what the Allies hold."""
IDLE: Final = 0.35
"""What an operation must promise at least."""
WORTH_PLAYING: Final = 1.5
WORTH_SAILING: Final = 0.25
WORTH_MARCHING: Final = 0.8
WORTH_LANDING: Final = 0.5
PATIENCE: Final = 0.6
"""How much of the best goal in reach a landing must be worth."""
DUEL: Final = 2
"""Units in a battle that is not worth a card."""
DECISIVE: Final = 10.0
"""A card worth more than this is played before anything else."""


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


def keep(board: Board, card: str) -> float:
    """Return what a card is worth in the hand: green ones their effect, others the moment they wait for."""
    printed = board.hand[card]
    if printed["colour"] == "green":
        return card_worth(board, card) if "end_game" not in printed["effects"] else 3.0
    return {"yellow": 1.2, "blue": 1.5, "red": 1.4}[printed["colour"]]


def discard(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Discard what is worth least."""
    return min(options, key=lambda option: keep(board, option["card"]))


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


FREIGHT: Final = 0.6
"""How readily a fleet takes one more resource point along."""

WANTED_FIELDS: Final = frozenset({"buna", "guadalcanal_lunga", "milne_bay", "buin", "tulagi"})
"""Where an airfield reaches the places that matter."""


# Placing, C15, C24


def place_rp(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Put resource points where ships and troops wait for them."""
    return max(options, key=lambda o: len(board.at(o["area"], ours=True)) - 3 * board.rp.get(o["area"], 0))


def place_units(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Bring troops as near to the goals as may be."""
    return max(options, key=lambda option: board.pull(option["area"], 15.0, by_sea=True))


def enter(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Let the fleet appear where the enemy's ships are near."""
    fleet = [u["area"] for u in board.theirs.values() if u["domain"] == "naval"]
    return min(options, key=lambda o: min((board.far(o["area"]).get(a, 99) for a in fleet), default=0))


def strike(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Attack from the air where the most can be lost."""
    return max(
        options, key=lambda option: sum(u["points"] + 1 for u in board.at(option["area"], ours=False)[:2])
    )


# Operations, C7


def open_at(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Open the operation where it promises most."""
    return max(options, key=lambda option: promise(board, option["area"]))


def promise(board: Board, marker: str) -> float:
    """Return what an operation from an area promises."""
    ships = board.at(marker, ours=True, domain="naval")
    men = board.at(marker, ours=True, domain="ground")
    found = 0.15 * sum(bool(u.get("depleted") or u.get("disorganised")) for u in [*ships, *men])
    if ships:
        found += 1.5 * board.pull(marker, might(men[:3]), by_sea=True) if men else 0.0
        found += 0.5 if prey(board, marker, ships) else 0.0
    near = {marker, *(a for a, k in board.areas[marker]["next"].items() if k in {"land", "coast"})}
    for area in near:
        troops = board.at(area, ours=True, domain="ground")
        if troops and board.areas[area]["kind"] == "land":
            found = max(found, 0.5 * land_prize(board, area, might(troops), 2))
    return found


def march(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """March where a prize is in reach, without giving up a place that is threatened."""
    best, worth = None, WORTH_MARCHING
    for option in options:
        area = option["area"]
        men = [u for u in board.at(area, ours=True, domain="ground") if not u.get("acted")]
        prize = land_prize(board, area, might(men), max((u["move"] for u in men), default=0))
        if needed(board, area) and len(men) == 1:
            prize -= 2.0
        if prize > worth:
            best, worth = option, prize
    return best


def land_prize(board: Board, area: str, force: float, reach: int) -> float:
    """Return the best prize within a march."""
    found, seen, edge = 0.0, {area}, [area]
    for steps in range(1, reach + 1):
        edge = [
            there
            for here in edge
            for there, kind in board.areas[here]["next"].items()
            if kind == "land" and there not in seen
        ]
        seen.update(edge)
        for there in edge:
            if board.areas[there].get("control") != board.side:
                found = max(found, board.prize(there, force) / (0.7 + 0.3 * steps))
        edge = [there for there in edge if not board.strength(there, ours=False, domain="ground")]
    return found


def needed(board: Board, area: str) -> bool:
    """Return whether an area should not be left without a garrison."""
    matters = HUBS[board.side].get(area, 0.0) + any(s["area"] == area for s in board.table["sites"].values())
    return bool(matters) and board.threat(area)


def sail(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Sail with troops that have a goal, or against a weaker fleet."""
    marker = board.operation["area"]
    men = [u for u in board.at(marker, ours=True, domain="ground") if not u.get("acted")]
    ships = [u for u in board.at(marker, ours=True, domain="naval") if not u.get("acted")]
    if men and board.pull(marker, might(men[:3]), by_sea=True) > WORTH_SAILING:
        return options[0]
    return options[0] if prey(board, marker, ships) else None


def prey(board: Board, start: str, ships: list[dict[str, Any]]) -> str:
    """Return the sea area of a weaker enemy fleet within reach, or none."""
    near, force = board.far(start, by_sea=True), might(ships)
    reach = min((u["move"] for u in ships), default=0)
    best, worth = "", 0.0
    for area in {u["area"] for u in board.theirs.values() if u["domain"] == "naval"}:
        against = board.strength(area, ours=False, domain="naval")
        if board.areas[area]["kind"] == "sea" and near.get(area, 99) <= reach and force > HUNT * against:
            gain = sum(u["points"] for u in board.at(area, ours=False)) / (1 + near[area])
            best, worth = (area, gain) if gain > worth else (best, worth)
    return best


def mend(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Mend the most valuable unit first, those with a mission last."""
    return max(options, key=lambda option: board.units[option["unit"]]["points"])


def build(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Build where an airfield reaches far."""
    return next((option for option in options if option["area"] in WANTED_FIELDS), None)


def pick(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Take all along but a garrison: the weakest unit of a place that is needed stays."""
    first = board.units[options[0]["unit"]]
    if first["domain"] == "naval" or board.areas[first["area"]]["kind"] == "sea":
        return options[0]
    if needed(board, first["area"]) and len(options) == 1:
        return None
    return max(options, key=lambda option: might([board.units[option["unit"]]]))


def load(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Take the best troops, and leave a garrison where one is needed."""
    area = board.units[options[0]["unit"]]["area"]
    if needed(board, area) and len(options) == 1 and area not in BASES[board.side]:
        return None
    return max(options, key=lambda option: might([board.units[option["unit"]]]))


def load_rp(board: Board, options: list[Option], random: Random) -> Option | None:
    """Take a resource point along if the base keeps one, or the fleet is at sea."""
    marker = board.operation["area"]
    if board.areas[marker]["kind"] == "sea":
        return options[0]
    return options[0] if board.rp.get(marker, 0) > 1 and random.random() < FREIGHT else None


def step(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Go where the goals draw: on land to the prize itself, at sea to its coast."""
    area = origin(board, options)
    if not area:
        return None
    here = board.areas[area]
    if any(kind == "land" for kind in (here["next"].get(o["to"]) for o in options)):
        return step_on_land(board, area, options)
    men = [u for u in board.at(area, ours=True, domain="ground") if u.get("acted")]
    ships = [u for u in board.at(area, ours=True, domain="naval") if u.get("acted")]
    force = might(men)
    drawn = max(options, key=lambda option: sea_pull(board, option["to"], force, ships))
    stay = sea_pull(board, area, force, ships)
    return drawn if sea_pull(board, drawn["to"], force, ships) > stay + 0.01 else None


def origin(board: Board, options: list[Option]) -> str:
    """Return the area from which all the steps lead that has units under way."""
    around = [set(board.areas[option["to"]]["next"]) for option in options]
    shared = set.intersection(*around)
    acted = {u["area"] for u in board.ours.values() if u.get("acted")}
    found = sorted(shared & acted, key=lambda a: -len(board.at(a, ours=True)))
    return found[0] if found else ""


def step_on_land(board: Board, area: str, options: list[Option]) -> Option | None:
    """Step to the best prize, or towards it through land of nobody's."""
    men = [u for u in board.at(area, ours=True, domain="ground") if u.get("acted")]
    force, reach = might(men), min((u["move"] for u in men), default=1)

    def merit(option: Option) -> float:
        prize = (
            board.prize(option["to"], force) if board.areas[option["to"]]["control"] != board.side else 0.0
        )
        return prize + 0.5 * land_prize(board, option["to"], force, max(1, reach - 1))

    best = max(options, key=merit)
    return best if merit(best) > WORTH_MARCHING else None


def sea_pull(board: Board, area: str, force: float, ships: list[dict[str, Any]]) -> float:
    """Return what draws a fleet to an area: a coast for its troops, prey, or a port to unload."""
    against = board.strength(area, ours=False, domain="naval")
    if against:
        return 2.0 if might(ships) > (SEA_ODDS if force else HUNT) * against else -5.0
    if force:
        return board.pull(area, force, by_sea=True)
    target = prey(board, area, ships)
    if target:
        return 1.0 / (1 + board.far(area, by_sea=True)[target])
    return home(board, area)


def home(board: Board, area: str) -> float:
    """Return how good a place is for ships to stay: where resource points are, best in a port."""
    near = board.far(area, by_sea=True)
    stores = min((near[a] for a in board.rp if a in near), default=9)
    return 0.4 / (1 + stores) + (0.1 if board.harbour(area) else 0.0)


def land(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Land where the prize is best."""
    seas = set.intersection(*(set(board.areas[option["area"]]["next"]) for option in options))
    men = [u for u in board.ours.values() if u["domain"] == "ground" and u["area"] in seas]
    force = might(men)
    best = max(options, key=lambda option: board.prize(option["area"], force))
    worth = board.prize(best["area"], force)
    beyond = max(board.pull(sea, force, by_sea=True) for sea in seas) * DISTANCE
    return best if worth > WORTH_LANDING and worth >= PATIENCE * beyond else None


def top(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Leave the stacks as they are."""
    return None


# Battles, C12, C13

CHITS: Final = {
    "Night Battle": 5.0,
    "Long Lance": 4.5,
    "Torpedoes": 4.5,
    "Air Strike": 4.4,
    "Shore Bombardment": 4.2,
    "Bombardment": 4.0,
    "Ambush": 4.0,
    "Bunkers": 3.5,
    "Assault": 3.0,
    "Gunnery": 3.0,
    "Close Combat": 2.5,
    "Might of Will": 2.0,
    "Poor Coordination": 0.0,
}


def chit(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Play what hurts the enemy most and ourselves least."""
    names = {held["id"]: held["name"] for held in board.table["own"]["chits"]}
    return max(options, key=lambda option: CHITS.get(names[option["chit"]], 1.0))


def victim(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Of our own let the steadiest check, of the enemy's the shakiest; losses go to the least."""

    def steadiness(option: Option) -> tuple[float, float]:
        unit = board.units[option["unit"]]
        return unit.get("cohesion", 0) - 2 * bool(unit.get("depleted")), -unit["points"]

    ours = board.units[options[0]["unit"]]["side"] == board.side
    return max(options, key=steadiness) if ours else min(options, key=steadiness)


def retreat(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Go where friends and resource points are."""
    return max(
        options,
        key=lambda o: (
            2 * (board.areas[o["area"]].get("control") == board.side)
            + len(board.at(o["area"], ours=True))
            + board.rp.get(o["area"], 0)
        ),
    )


def refuge(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Go inside if the enemy outside is stronger."""
    area = board.units[options[0]["unit"]]["area"]
    outside = might([board.units[option["unit"]] for option in options])
    return options[0] if might(board.at(area, ours=False, domain="ground")) > outside else None


def first(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Take the first."""
    return options[0]


JUDGES: Final[dict[str, Judge]] = {
    "choose_mode": mode,
    "play_card": play,
    "draw_card": draw,
    "discard_for_rp": discard,
    "play_reaction": react,
    "place_rp": place_rp,
    "place_units_at": place_units,
    "place_unit_at": place_units,
    "truk_entry": enter,
    "remove_unit": lambda b, o, _r: min(o, key=lambda x: might([b.units[x["unit"]]])),
    "refit": mend,
    "target_area": strike,
    "target_unit": lambda b, o, _r: min(o, key=lambda x: b.units[x["unit"]]["cohesion"]),
    "open_operation": open_at,
    "besiege": first,
    "reorganize": mend,
    "rebuild": mend,
    "start_ground_move": march,
    "start_naval_move": sail,
    "build_airfield": build,
    "repair_airfield": first,
    "land_at": land,
    "load_unit": load,
    "load_rp": load_rp,
    "pick_unit": pick,
    "unload_rp": first,
    "step": step,
    "play_chit": chit,
    "choose_unit": victim,
    "retreat_to": retreat,
    "take_refuge": refuge,
    "set_top": top,
}
"""The judges, in the order they are asked. Sorties, embarking, removing airfields have none."""

MODEST: Final = ("pass", "done", "stop", "end_operation", "choose_mode", "draw_card", "step")
"""What is chosen where no judge has an opinion."""
