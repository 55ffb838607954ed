"""Nimitz, the US side played steadily: scouts on the fleets, garrisons first, landings where they can win.

An area is held by being alone ashore, so infantry is bought first and every attack is aimed at forces ashore.
Forces are sent by the expected result of a battle (`nimitz_odds`); nothing looks further ahead. Every judge
looks at the board anew, so an undo or a replaced player never confuses it. What no judge has an opinion on is
ended by Done or decided by chance, as are the few decisions of a person for Japan. Battles are fought in
`nimitz_battle`.

What it comes to beside the careful player of N26, in percent of 200 campaigns of a year against the automated
side (seeds 1 to 200; a percentage is good to about 7 points):

    year        Great   Good  Historical   Poor  Replaced  of which Hawaii  mean objectives
    1942 bot        0    0          24.0   19.0      57.0             15.0              3.4
         book       0    0          10.0   21.5      68.5             13.5              3.1
    1943 bot      1.0   29.5        37.0   10.0      22.5              2.0              6.2
         book       0   10.5        46.0   14.5      29.0              1.0              5.6
    1944 bot        0   40.0        55.5    4.0       0.5                0             11.0
         book       0   21.0        71.0    2.5       5.5                0             10.3
    1945 bot      0.5   12.5        85.0    2.0         0                0             16.6
         book       0    0.5        45.0   54.5         0                0             14.4

Of 50 linked wars, each played in one sequence, 37 ended Dismal, 12 Historical and 1 Good; the book
joined campaigns: 76 % Dismal, 8.5 % Poor, 15.5 % Historical. The soak tests print all this anew.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from clients.bots.judges import Judge, first_opinion, judge
from clients.bots.nimitz_battle import FIGHTING
from clients.bots.nimitz_board import Board, Piece, Table, attacks
from clients.bots.nimitz_odds import Outcome, expect
from clients.bots.typed import TypedPrompt, typed
from domain.nimitz import DECISIONS
from domain.nimitz.charts import COUNTERS
from domain.nimitz.decisions import (
    DoneAir,
    DoneMoving,
    DonePlans,
    DoneReserving,
    DoneResupply,
    DoneScouting,
    JaByRule,
    MoveForce,
    PassFirstLight,
    PassPlan,
    PickBombed,
    PlaceScout,
    Purchase,
    Repair,
    ReserveForInvasion,
    TakeHit,
)
from domain.nimitz.rows import CounterKind
from server.protocol.shown import Decision, View

SCOUTS: Final = {1942: 8, 1943: 6, 1944: 4, 1945: 3}
"""Scouts a turn: what is scouted comes before the US move (N5.4). Most in 1942, when Japan attacks most."""
FLEET: Final = 3
"""Ships in an area that are worth a scout."""
RESERVE: Final = {1942: 3, 1943: 6, 1944: 6, 1945: 6}
"""Supply points kept for battle plans: more once the US attack."""
ENOUGH: Final = 0.7
"""The chance to be alone ashore after a battle with which no more is sent."""
FLOOR: Final = 0.35
"""The least chance for which a battle is sought."""
PROGRESS: Final = 0.5
"""Part of those ashore that are to be killed for a battle that will go on next turn."""
LANDING: Final = 2
"""Infantry that lands where there is next to none."""
SHIP: Final = 0.4
"""What an enemy ship adds to the cost of a landing, relative to a force ashore."""
GARRISON: Final = 3.0
"""Strength of a garrison beside the enemy."""
GUARD: Final = 3
"""Infantry that stays in Hawaii while Japan is ashore next to it."""


ENDS: Final = (
    DoneAir,
    DoneMoving,
    DonePlans,
    DoneReserving,
    DoneResupply,
    DoneScouting,
    PassFirstLight,
    PassPlan,
    TakeHit,
)
"""What is chosen where no judge has an opinion."""


def play_steadily(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> Decision:
    """Return one of the options."""
    if (choice := first_opinion(JUDGES, Board(view, prompt.seat), prompt.options)) is not None:
        return choice
    end = next((option for option in prompt.options if isinstance(option, ENDS)), None)
    return end or random.choice(prompt.options)


def play_by_rule(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> Decision:
    """Let the automated rules choose for a Japan seat (N20.2, R-89); play the US steadily."""
    by_rule = next((option for option in prompt.options if isinstance(option, JaByRule)), None)
    return by_rule or play_steadily(view, prompt, random)


# Resupply, N4


def repair(board: Board, options: Sequence[Repair]) -> Repair | None:
    """Repair the dearest first, while points for scouts are left."""
    best = max(options, key=lambda option: board.pieces[option.force].buy)
    return best if board.points > SCOUTS[board.year] + RESERVE[board.year] else None


def purchase(board: Board, options: Sequence[Purchase]) -> Purchase | None:
    """Buy what is short: infantry for garrisons, then carriers and ships, then aircraft."""
    left = board.points - SCOUTS[board.year] - RESERVE[board.year]
    can = [o for o in options if board.pieces[o.force].buy <= left]
    if not can:
        return None
    wings = sum(
        len(board.here(place, "US", "LBA")) for place in board.at if place not in {"US_RE", "OUT", "INV"}
    )
    fields = len(board.held | board.objectives)

    def merit(option: Purchase) -> float:
        piece = board.pieces[option.force]
        if piece.kind == "INF":
            return 4.0 + (piece.ratings.infantry or 0) / piece.buy
        if piece.kind == "LBA":
            return (2.0 if wings < fields * 2 else 0.4) + attacks(piece.ratings) / 10
        return piece.power / piece.buy

    return max(can, key=merit)


# Scouting, N5


def scout(board: Board, options: Sequence[PlaceScout]) -> PlaceScout | None:
    """Scout the largest fleets: an order spent early is one that does not come after the US have moved."""
    sent = sum(board.table.scouts.values())
    if sent >= SCOUTS[board.year] or board.points <= RESERVE[board.year]:
        return None

    def fleet(option: PlaceScout) -> float:
        area = option.area
        ships = [p for p in board.here(area, "JA", "SHIP") if not p.moved]
        return len(ships) - 4.0 * board.table.scouts.get(area, 0)

    best = max(options, key=fleet)
    return best if fleet(best) >= FLEET else None


# Movement, N6


def move(board: Board, options: Sequence[MoveForce]) -> MoveForce | None:
    """Carry out the first move of the plan that is still to be made."""
    legal: Legal = {(o.force, o.target): o for o in options}
    for force, target in plan(board, legal):
        if (force, target) in legal:
            return legal[force, target]
    return None


Legal = dict[tuple[str, str], MoveForce]


def plan(board: Board, legal: Legal) -> Iterator[tuple[str, str]]:
    """Yield the moves that the rules of thumb want, the most urgent first."""
    movable = sorted({force for force, _ in legal})
    for name in movable:
        if board.pieces[name].type == "SS":
            yield name, "RAID"
        if COUNTERS[name].bomber_wing and board.points > RESERVE[board.year]:
            yield name, "SB"
    pool = Pool(board, movable)
    yield from hawaii(board, pool, legal)
    yield from garrisons(board, pool, legal)
    yield from battles(board, pool, legal)
    yield from wings(board, pool, legal)


class Pool:
    """The forces that can be spared, each once: those that no place needs."""

    def __init__(self, board: Board, movable: list[str]) -> None:
        self.board = board
        forces = (board.pieces[name] for name in movable)
        self.left = {piece.id: piece for piece in forces if piece.type != "SS" and not self.needed(piece)}

    def spare(self, kind: CounterKind) -> list[Piece]:
        """Return those of a kind that are left, the strongest first."""
        return sorted((p for p in self.left.values() if p.kind == kind), key=lambda p: (-p.power, p.id))

    def needed(self, piece: Piece) -> bool:
        """Return whether a place would stand empty without the piece."""
        place = piece.place
        if piece.kind == "SHIP" or place in {"WC", "AU"}:
            return False
        stays = [p for p in self.board.here(place, "US") if p.ashore and p.id != piece.id]
        if place == "HI" and piece.kind == "INF" and self.board.exposed("HI"):
            return sum(p.kind == "INF" for p in stays) < GUARD
        guard = sum(p.power for p in stays)
        return guard < (GARRISON if self.board.threatened(place) else 0.1)

    def take(self, piece: Piece) -> None:
        """Use a piece."""
        del self.left[piece.id]


def hawaii(board: Board, pool: Pool, legal: Legal) -> Iterator[tuple[str, str]]:
    """Keep infantry in Hawaii while Japan is ashore next to it: its loss loses the campaign (N17.1)."""
    guard = len(board.here("HI", "US", "INF"))
    for piece in reversed(pool.spare("INF")):
        if guard >= GUARD or not board.exposed("HI"):
            return
        if piece.value and (piece.id, "HI") in legal:
            guard += 1
            pool.take(piece)
            yield piece.id, "HI"


def garrisons(board: Board, pool: Pool, legal: Legal) -> Iterator[tuple[str, str]]:
    """Put infantry into free areas that can be held, and strengthen weak garrisons beside the enemy."""
    wanted = [a for a in board.map if board.map[a].us_may_enter and a not in {"WC", "AU"}]
    wanted = [a for a in wanted if a in board.supplied and not board.here(a, "JA")]
    wanted.sort(key=lambda a: (-board.prize(a), a))
    for level in (0.1, GARRISON):
        if level > 1:
            wanted.sort(key=lambda a: (-board.prize(a) * board.power_near(a), a))
        for area in wanted:
            if level > 1 and (area not in board.objectives or not board.threatened(area)):
                continue
            guard = sum(p.power for p in board.here(area, "US") if p.ashore)
            for piece in reversed(pool.spare("INF")):
                if guard >= level or piece.place == area:
                    break
                if (piece.id, area) in legal:
                    pool.take(piece)
                    guard += piece.power
                    yield piece.id, area


def battles(board: Board, pool: Pool, legal: Legal) -> Iterator[tuple[str, str]]:
    """Send enough to where it wins: first to where it pays best for the fight it costs."""
    fields = [
        a for a in board.map if board.map[a].us_may_enter and board.here(a, "JA") and a in board.supplied
    ]
    fields.sort(key=lambda a: (-_return(board, a), a))
    for area in fields:
        for piece in strike(board, pool, legal, area):
            pool.take(piece)
            yield piece.id, area


def _return(board: Board, area: str) -> float:
    """Return how well an area pays for the fight it costs; one that is being fought for comes first."""
    urgent = 2.0 if any(p.ashore for p in board.here(area, "US")) else 1.0
    ashore = sum(p.ashore or p.aboard for p in board.here(area, "JA"))
    return urgent * board.prize(area) / (2.0 + ashore + SHIP * len(board.here(area, "JA", "SHIP")))


def strike(board: Board, pool: Pool, legal: Legal, area: str) -> list[Piece]:
    """Return what must join those in an area to win there, or nobody if it cannot be had."""
    ja, us = board.here(area, "JA"), board.here(area, "US")
    if expect(us, ja).holds >= ENOUGH:
        return []
    chosen: list[Piece] = []
    outcome = Outcome(0, 0, 0)
    for piece in volunteers(board, pool, legal, area):
        chosen.append(piece)
        outcome = expect([*us, *(one.embarked() for one in chosen)], ja)
        if outcome.holds >= ENOUGH:
            return chosen
    pays = outcome.holds >= FLOOR or (outcome.killed >= PROGRESS and outcome.killed >= outcome.lost)
    return chosen if pays else []


def volunteers(board: Board, pool: Pool, legal: Legal, area: str) -> Iterator[Piece]:
    """Yield who could join a battle: infantry and aircraft, which stay, then ships, which go to port."""
    us = board.here(area, "US")
    troops = sum(p.kind == "INF" for p in us)
    garrison = max(LANDING, len(board.here(area, "JA", "INF")))
    for piece in pool.spare("INF"):
        if troops < garrison and (piece.id, area) in legal:
            troops += 1
            yield piece
    room = board.room(area)
    for piece in pool.spare("LBA"):
        if room > 0 and (piece.id, area) in legal:
            room -= 1
            yield piece
    if troops or any(p.ashore for p in us):
        yield from (piece for piece in pool.spare("SHIP") if (piece.id, area) in legal)


def wings(board: Board, pool: Pool, legal: Legal) -> Iterator[tuple[str, str]]:
    """Fill airfields beside the enemy with aircraft that are idle elsewhere."""
    front = [a for a in board.held & board.objectives if board.threatened(a)]
    front.sort(key=lambda a: (-board.power_near(a), a))
    for area in front:
        room = board.room(area)
        for piece in pool.spare("LBA"):
            idle = piece.place in {"WC", "AU", "HI"} or not board.threatened(piece.place)
            if room > 0 and idle and (piece.id, area) in legal:
                pool.take(piece)
                room -= 1
                yield piece.id, area


# 1945, N6.1 and N19


def reserve(board: Board, options: Sequence[ReserveForInvasion]) -> ReserveForInvasion | None:
    """Reserve idle ships and infantry for the invasion of Japan, the dearest first."""
    spare = [
        o for o in options if board.pieces[o.force].place == "WC" or board.pieces[o.force].kind == "SHIP"
    ]
    return max(spare, key=lambda o: board.pieces[o.force].buy, default=None)


def bomb(board: Board, options: Sequence[PickBombed]) -> PickBombed | None:  # noqa: ARG001 judges are all alike
    """Bomb ships first."""
    return options[0]


JUDGES: Final[tuple[Judge[Board], ...]] = (
    judge(Purchase, purchase),
    judge(Repair, repair),
    judge(PlaceScout, scout),
    judge(ReserveForInvasion, reserve),
    judge(MoveForce, move),
    judge(PickBombed, bomb),
    *FIGHTING,
)
"""The judges, in the order they are asked. GiveSupply and LendForce have none: each plays his own hand."""

choose: Final = typed(View[Table], DECISIONS, play_steadily)
automated: Final = typed(View[Table], DECISIONS, play_by_rule)
