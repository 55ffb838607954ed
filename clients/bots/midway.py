"""Midway, played steadily: strikes in waves with escorts, CAP by the threat, decks clear to land.

It plays by rules of thumb and does not look ahead; a person new to the game should find it a fair opponent.
Every judge below looks at the board anew, so an undo, a replaced player or a team-mate with other ideas never
confuses it. What no judge has an opinion on is answered by DONE, or by any legal decision. Rules are cited as
in `docs/rules/midway.md`.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from clients.bots.judges import Judge, first_opinion, judge
from clients.bots.odds import through_flak
from clients.bots.typed import TypedPrompt, typed
from domain.midway import DECISIONS
from domain.midway.charts import CRIPPLED_AT, DECK_LIMIT, LAND_LIMIT, POINTS_SUNK, SIDES, SUNK_AT
from domain.midway.decisions import (
    Accept,
    Advance,
    CapVsBombers,
    CapVsFighters,
    Done,
    HitType,
    Land,
    Launch,
    Lose,
    SearchAssign,
    SearchStart,
    Spot,
    StrikeBelow,
    Target,
)
from domain.midway.shown import Carrier, Group, Table
from server.protocol.shown import Decision, View

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
"""Worth of a strength point of landing planes, relative to one that can be launched."""
AT_HOME: Final = 15
"""Strength points more that may be aboard a group's own carrier than aboard another that it lands on."""


class Board:
    """The table as one seat's side sees it; `ours` and `theirs` are the groups that have any strength."""

    def __init__(self, view: View[Table], seat: int) -> None:
        table = view.table
        self.side = SIDES[view.match.seats[seat].side]
        self.left = table.turn_limit - table.turn
        self.sudden_death = table.sudden_death
        self.ditching = bool(view.match.options["ditching"])
        self.carriers: dict[str, Carrier] = table.carriers
        self.groups: dict[str, Group] = table.groups
        self.designated = table.designated
        self.ours: list[Group] = []
        self.theirs: list[Group] = []
        for group in self.groups.values():
            if group.strength:
                (self.ours if group.side == self.side else self.theirs).append(group)

    def ships(self, side: str, damage: int) -> list[str]:
        """Return a side's carriers with less than so much damage."""
        return [n for n, ship in self.carriers.items() if ship.side == side and ship.damage < damage]


def play_steadily(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> Decision:
    """Return one of the options."""
    board = Board(view, prompt.seat)
    if (choice := first_opinion(JUDGES, board, prompt.options)) is not None:
        return choice
    done = next((option for option in prompt.options if isinstance(option, Done)), None)
    return done or random.choice(prompt.options)


def strength(groups: Iterable[Group], types: str = "FDT") -> int:
    """Return the strength points of groups of some types."""
    return sum(group.strength for group in groups if group.type in types)


def within(groups: Iterable[Group], *places: str) -> list[Group]:
    """Return the groups whose place begins with one of these."""
    return [group for group in groups if group.place.startswith(places)]


# Landing, M4


def land(board: Board, options: Sequence[Land]) -> Land | None:
    """Land the strongest first: at home, but there where few planes are aboard if home is crowded or hurt."""

    def merit(option: Land) -> tuple[float, float]:
        ship = option.ship
        group = board.groups[option.group]
        aboard = strength(within(board.ours, f"HANGAR:{ship}"))
        at_home = AT_HOME if group.home == ship else 0
        return group.strength, at_home - aboard - 4 * board.carriers[ship].damage

    return max(options, key=merit)


# Movement, M5


def advance(board: Board, options: Sequence[Advance]) -> Advance | None:
    """Go home, go in, and leave MOVING when the wave is as large as it will soon be."""
    go = {"MOVING": wave_goes(board), "READY": wave_attacks(board), "HOME": True}
    return next((o for o in options if go[board.groups[o.group].place]), None)


def wave_goes(board: Board) -> bool:
    """Say whether what waits in MOVING sets out this turn."""
    waiting = within(board.ours, "MOVING")
    bombers = strength(waiting, "DT")
    if any(group.moved for group in within(board.ours, "READY")):
        return True
    if not bombers:
        return False
    if bombers >= FULL_WAVE or board.left <= 1:
        return True
    coming = min(
        strength(within(board.ours, "DECK:"), "DT"), DECK_LIMIT * len(board.ships(board.side, CRIPPLED_AT))
    )
    return coming < bombers / 2


def wave_attacks(board: Board) -> bool:
    """Say whether what is in READY attacks: a few planes that found the enemy wait for the others.

    Whoever has moved in this step counts where it came from, so that the answer is one for the whole wave.
    """
    ready, moving = within(board.ours, "READY"), within(board.ours, "MOVING")
    gone_in = [group for group in within(board.ours, "ATTACKING") if group.moved]
    first = strength([*gone_in, *(g for g in ready if not g.moved)], "DT")
    behind = strength([*moving, *(g for g in ready if g.moved)], "DT")
    return first >= behind or board.left <= 1


# Search, M12


def search(board: Board, options: Sequence[SearchStart]) -> SearchStart | None:  # noqa: ARG001 judges are all alike
    """Search as soon as it is allowed: nothing else can be done before."""
    return options[0]


def assign(board: Board, options: Sequence[SearchAssign]) -> SearchAssign | None:
    """Give each search group its share of what the planes can do, then of the escorts."""
    kind = "F" if board.groups[options[0].group].type == "F" else "DT"

    def share(option: SearchAssign) -> tuple[int, int]:
        mates = [g for g in board.ours if g.search_group == option.search_group]
        return strength(mates, kind), -strength(mates)

    return min(options, key=share)


# CAP, M6


def match_escorts(board: Board, options: Sequence[CapVsFighters]) -> CapVsFighters | None:
    """Take on the escorts where enough of the CAP is left over for the bombers behind them."""
    ready = within(board.theirs, "READY")
    escorts, bombers = strength(ready, "F"), strength(ready, "DT")
    committed = strength(g for g in board.ours if g.committed)
    free = [board.groups[option.group] for option in options]
    spare = committed + strength(free) - escorts
    if not committed and (not bombers or spare < min(3, bombers)):
        return None
    return options[_just_enough(free, escorts - committed)]


def _just_enough(groups: list[Group], need: int) -> int:
    """Return the index of one group of the smallest selection that is strong enough; outer rings first."""
    sums: dict[int, tuple[int, ...]] = {0: ()}
    for index in sorted(range(len(groups)), key=lambda index: str(groups[index].place), reverse=True):
        for total, members in list(sums.items()):
            sums.setdefault(total + groups[index].strength, (*members, index))
    enough = [total for total in sums if total >= max(1, need)]
    return sums[min(enough)][0] if enough else 0


def attack_bombers(board: Board, options: Sequence[CapVsBombers]) -> CapVsBombers | None:
    """Attack the bombers with all that is left, but not with more than can find a victim."""
    bombers = strength(within(board.theirs, "READY"), "DT")
    attacking = strength(g for g in board.ours if g.committed == "bombers")
    if attacking >= 2 * bombers + 2:
        return None
    return max(options, key=lambda option: board.groups[option.group].place)


def designate(board: Board, options: Sequence[HitType]) -> HitType | None:
    """Shoot at the type of which more is left: torpedoes and bombs do the same harm on the whole."""
    ready = within(board.theirs, "READY")

    def left(option: HitType) -> tuple[int, bool]:
        kind = option.plane_type
        return strength(ready, kind) - board.designated.get(kind, 0), kind == "T"

    return max(options, key=left)


# Losses, M6.8 and M7.7


def lose(board: Board, options: Sequence[Lose]) -> Lose | None:
    """Lose first what must soon land anyway, then from the weakest group."""

    def price(option: Lose) -> tuple[bool, int]:
        group = board.groups[option.group]
        left = group.strength - group.proposed
        return not group.place.startswith("CAP:3"), left

    return min(options, key=price)


def accept(board: Board, options: Sequence[Accept]) -> Accept | None:  # noqa: ARG001 judges are all alike
    """Agree with the admiral."""
    return options[0]


# Carrier attacks, M7


def target(board: Board, options: Sequence[Target]) -> Target | None:
    """Send the group where the wave as a whole gains most, and the next elsewhere once that is enough."""
    attacking = [g for g in within(board.ours, "ATTACKING") if g.type != "F"]
    free = [g for g in attacking if not g.target]
    told = {ship: [g for g in attacking if g.target == ship] for ship in board.carriers}

    def more(option: Target) -> float:
        ship = option.ship
        return gain(board, ship, told[ship] + free) - gain(board, ship, told[ship])

    return max(options, key=more)


def gain(board: Board, ship: str, wave: list[Group]) -> float:
    """Return what a wave against a carrier is worth: points, her deck out of action, the planes aboard."""
    carrier = board.carriers[ship]
    damage = carrier.damage
    planes = strength(within(board.theirs, f"HANGAR:{ship}", f"DECK:{ship}"))
    cripple = 30.0 if board.sudden_death else 4.0 + planes / 10
    worth = 0.0
    for hits, chance in enumerate(through_flak(strength(wave, "D"), strength(wave, "T"), carrier.aa)):
        after = min(SUNK_AT, damage + hits)
        if after == SUNK_AT:
            worth += chance * (POINTS_SUNK - damage + planes / 4)
        else:
            worth += chance * (after - damage)
        if damage < CRIPPLED_AT <= after:
            worth += chance * cripple
    return worth


# Launching, M8


def launch(board: Board, options: Sequence[Launch]) -> Launch | None:
    """Launch bombers that can still arrive, and divide the fighters between CAP and escort."""
    in_time = board.left >= FLIGHT
    for option in options:
        if board.groups[option.group].type != "F" and in_time:
            return option
    for option in options:
        if board.groups[option.group].type == "F":
            to = "MOVING" if in_time and escort_wanted(board) else "CAP:1"
            if option.to == to and (to == "MOVING" or board.left >= 1):
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


def spot(board: Board, options: Sequence[Spot]) -> Spot | None:
    """Bring up what the plan of the deck says."""
    plans = deck_plans(board)
    return next((o for o in options if o.group in plans[_ship(board, o)]), None)


def strike_below(board: Board, options: Sequence[StrikeBelow]) -> StrikeBelow | None:
    """Take below what the plan of the deck does not say."""
    plans = deck_plans(board)
    return next((o for o in options if o.group not in plans[_ship(board, o)]), None)


def _ship(board: Board, option: Spot | StrikeBelow) -> str:
    return board.groups[option.group].place.partition(":")[2]


def deck_plans(board: Board) -> dict[str, set[str]]:
    """Return what should be on the deck of each operational carrier: planes to launch, or none."""
    loads = {ship: load(board, ship) for ship in board.ships(board.side, CRIPPLED_AT)}
    waiting = strength(within(board.ours, "WAITING")) if board.left > FLIGHT else 0
    worth = LANDING + 0.5 * board.ditching
    plans: dict[str, set[str]] = {}
    for ship in sorted(loads, key=lambda ship: strength(loads[ship].values())):
        if waiting > 0 and worth * min(LAND_LIMIT, waiting) >= strength(loads[ship].values()):
            plans[ship] = set()
            waiting -= LAND_LIMIT
        else:
            plans[ship] = set(loads[ship])
    return plans


def load(board: Board, ship: str) -> dict[str, Group]:
    """Return a carrier's best deck load: bombers that can still arrive, and a share of fighters."""
    places = f"HANGAR:{ship}", f"DECK:{ship}"
    aboard = [
        n
        for n, g in board.groups.items()
        if g.strength and g.side == board.side and g.place.startswith(places)
    ]
    aboard.sort(key=lambda name: (-board.groups[name].strength, name))
    fighters = [name for name in aboard if board.groups[name].type == "F"]
    bombers = [name for name in aboard if board.groups[name].type != "F"] if board.left > FLIGHT else []
    wanted = fighters[:1] if bombers else fighters
    chosen: dict[str, Group] = {}
    for name in [*wanted, *bombers, *fighters[len(wanted) :]]:
        if strength(chosen.values()) + board.groups[name].strength <= DECK_LIMIT:
            chosen[name] = board.groups[name]
    return chosen if board.left >= 1 else {}


JUDGES: Final[tuple[Judge[Board], ...]] = (
    judge(Land, land),
    judge(SearchStart, search),
    judge(SearchAssign, assign),
    judge(Advance, advance),
    judge(CapVsBombers, attack_bombers),
    judge(CapVsFighters, match_escorts),
    judge(HitType, designate),
    judge(Lose, lose),
    judge(Accept, accept),
    judge(Target, target),
    judge(Launch, launch),
    judge(StrikeBelow, strike_below),
    judge(Spot, spot),
)
"""The judges, in the order they are asked. Recall, TurnBack and Refuse have none: they are never wanted."""

choose: Final = typed(View[Table], DECISIONS, play_steadily)
