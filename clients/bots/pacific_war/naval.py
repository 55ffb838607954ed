"""Pacific War for a bot: whether to engage, at what range, and who fires at whom (P29); bombardment."""

from collections.abc import Iterable, Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.naval_odds import Exchange, Hull, clash, firing, orders
from clients.bots.pacific_war.odds import chances, gain
from clients.bots.pacific_war.prospects import ashore
from clients.bots.pacific_war.table import ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import SPEED
from domain.pacific_war.decisions.cycle import (
    At,
    Bombard,
    BreakOff,
    Close,
    Engage,
    Evade,
    Fire,
    Hold,
    Intercept,
    NextBattle,
    OpenRange,
    RetreatTF,
)
from server.protocol.shown import Decision

START: Final = {"Day": 2, "Dusk": 1, "Night": 0}
WISHES: Final[tuple[tuple[type[Decision], int], ...]] = ((Close, -1), (Hold, 0), (OpenRange, 1))
MARGIN: Final = 0.0
"""The balance of points with which a combat is sought."""
LEAVE: Final = -0.7
"""The balance of points for the rest of a combat at which it is broken off."""
BOMBARD: Final = {"ground": -3, "airbase": -1, "port": -1, "fort": -3}
REPLY: Final = 3


def slowest(board: Board, tfs: Iterable[str]) -> int:
    """Return the speed of a force: that of its slowest ship."""
    return min((SPEED[board.speed(tf)] for tf in tfs), default=0)


def expected(board: Board, ours: Sequence[str], theirs: Sequence[str], port: str = "") -> Exchange:
    """Return what a combat of these forces is likely to come to, at the range that is likely."""
    mine, foes = board.hulls(sorted(ours)), board.hulls(sorted(theirs), port)
    if not mine or not foes:
        return Exchange(0.0, 0.0)
    # What meets after the last battles of a cycle fights in the next, whose lighting nobody knows.
    start, surprise = 1 if board.second_half else START[board.table.lighting], -1
    if board.scenario == "E3":
        surprise = board.side
    rows = [clash(mine, foes, start, board.fires, surprise=surprise, wish=wish) for _, wish in WISHES]
    best, worst = max(rows, key=lambda r: r.balance), min(rows, key=lambda r: r.balance)
    speeds = slowest(board, ours), slowest(board, theirs)
    if speeds[0] > speeds[1]:
        return best
    if speeds[0] < speeds[1]:
        return worst
    return Exchange((best.won + worst.won) / 2, (best.lost + worst.lost) / 2)


def meetings(board: Board) -> list[str]:
    """Return the nodes where own task forces that have not fought meet enemies, by id."""
    nodes = sorted({board.node(tf) for tf in board.own.fleets if not board.table.tfs[tf].fought})
    return [n for n in nodes if board.at(n, ours=False) or board.port_of(n, ours=False)]


def battle_at(board: Board, node: str) -> Exchange:
    """Return what the combat at a node is likely to come to."""
    return expected(
        board, board.at(node, ours=True), board.at(node, ours=False), board.port_of(node, ours=False)
    )


def engage(board: Board, options: Sequence[Engage]) -> Engage | None:
    """Engage: the expected exchange is good."""
    nodes = meetings(board)
    if not nodes:
        return None
    return options[0] if battle_at(board, nodes[0]).balance > MARGIN else None


def evade(board: Board, options: Sequence[Evade]) -> Evade | None:  # noqa: ARG001 judges are all alike
    """Evade: the expected exchange is bad."""
    return options[0]


def next_battle(board: Board, options: Sequence[NextBattle]) -> NextBattle | None:  # noqa: ARG001
    """Fight the battles in the order of their hexes."""
    return min(options, key=lambda o: o.node)


def sides(board: Board) -> tuple[tuple[Hull, ...], tuple[Hull, ...]]:
    """Return our units and the enemy's in the combat that is fought."""
    battle = board.table.naval
    assert battle is not None
    there = board.table.tfs
    mine = [tf for tf in battle.forces[board.me] if tf in there]
    theirs = [tf for tf in battle.forces[board.foe] if tf in there]
    return board.hulls(mine, battle.ports[board.me]), board.hulls(theirs, battle.ports[board.foe])


def bid(board: Board, options: Sequence[Decision]) -> Decision | None:
    """Choose the range that our guns and torpedoes like and theirs do not, or break off what is lost."""
    battle = board.table.naval
    assert battle is not None
    mine, theirs = sides(board)
    phases = tuple(range(battle.phase, 4))
    surprise = -1 if battle.surprise is None else int(battle.surprise != board.me)
    rows = {
        form: clash(mine, theirs, battle.range, board.fires, phases, surprise, wish).balance
        for form, wish in WISHES
    }
    best = max(rows, key=lambda form: (rows[form], form is Hold))
    if rows[best] < LEAVE:
        leaving = [o for o in options if isinstance(o, BreakOff)]
        if leaving:
            return leaving[0]
    return next((o for o in options if isinstance(o, best)), None)


def bid_close(board: Board, options: Sequence[Close]) -> Decision | None:  # noqa: ARG001 the board has all
    """Choose the range that our guns and torpedoes like and theirs do not, or break off what is lost."""
    return bid(board, board.options)


def fire(board: Board, options: Sequence[Fire]) -> Fire | None:  # noqa: ARG001 judges are all alike
    """Let every ship fire."""
    return options[0]


def at(board: Board, options: Sequence[At]) -> At | None:
    """Fire where points times chance are highest, and spread what would be too much for one ship."""
    battle = board.table.naval
    assert battle is not None
    mine, theirs = sides(board)
    offered = {o.target for o in options}
    foes = [hull for hull in theirs if hull.name in offered]
    torpedoes = any(o.torpedoes for o in options)
    plan = orders(firing(mine, battle.phase), foes, battle.range, board.fires[0], {})
    ship = next((name for name in board.named if name in plan), "")
    if ship:
        target = plan[ship][0]
    else:
        able = [hull for hull in firing(mine, battle.phase) if hull.name in plan]
        same = [h for h in able if bool(h.torpedo) == torpedoes] or able
        if not same:
            return options[0]
        weights = [1 + h.gun + h.torpedo for h in same]
        target = plan[board.random.choices(same, weights)[0].name][0]
    return max((o for o in options if o.target == target), key=lambda o: o.torpedoes, default=options[0])


def retreat(board: Board, options: Sequence[RetreatTF]) -> RetreatTF | None:
    """Retreat away from enemies, with troops aboard towards their goal."""
    laden = board.laden(options[0].tf) and bool(board.goal)
    far = ways(board.goal_node, board.scenario) if laden else None

    def safety(option: RetreatTF) -> float:
        near = min((distance(option.node[:4], board.node(tf)[:4]) for tf in board.foes), default=9)
        return min(near, 4) - (2 * far.get(option.node, 0) if far else 0)

    return max(options, key=lambda o: (safety(o), o.node))


def intercept(board: Board, options: Sequence[Intercept]) -> Intercept | None:
    """Try to stop what comes, if the combat that follows is good for us."""
    comer, ready, *_ = (*board.named, "", "")
    if comer not in board.table.tfs or ready not in board.table.tfs:
        return options[0]
    node = board.node(ready)
    ours = board.at(node, ours=True)
    theirs = sorted({comer, *board.at(node, ours=False)})
    return options[0] if expected(board, ours, theirs).balance > MARGIN else None


def bombard(board: Board, options: Sequence[Bombard]) -> Bombard | None:
    """Bombard what is worth more than the reply of the fort costs."""
    best, most = None, 0.1
    for option in options:
        node = board.node(option.tf)
        place = next((p for p, base in board.table.locations.items() if base.hex == node[:4]), "")
        fort = board.table.locations[place].fort if place else 0
        what = {"ground": "strike_ground", "airbase": "strike_airbase", "port": "", "fort": "strike_fort"}
        kind = what[option.target]
        points = ashore(board, kind, node[:4] if kind == "strike_ground" else place) if kind else (0.0,)
        shift = BOMBARD[option.target] - (fort + 1) // 2
        rows = chances(board.guns(option.tf), shift)
        value = sum(chance * points[min(len(points) - 1, n)] for n, chance in enumerate(rows))
        ships = board.members(option.tf)
        largest = min(ships, key=lambda s: (-board.printed(s).gun, s))
        value -= fort * gain(board.mark(largest), REPLY, 0)
        if value > most:
            best, most = option, value
    return best


NAVAL_WAR: Final[tuple[Judge[Board], ...]] = (
    judge(Engage, engage),
    judge(Evade, evade),
    judge(NextBattle, next_battle),
    judge(Close, bid_close),
    judge(Fire, fire),
    judge(At, at),
    judge(RetreatTF, retreat),
    judge(Intercept, intercept),
    judge(Bombard, bombard),
)
