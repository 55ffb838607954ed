"""P29.1, P29.2 Naval combat: who meets, who evades, and three phases of fire."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle.gunnery import eligible, fire, guns, is_fort, left_in, salvo, targets
from domain.pacific_war.battle.meeting import (
    Meeting,
    breaks_off,
    evades,
    immobile,
    meetings_left,
    settled,
    surprised,
)
from domain.pacific_war.battle.reorganise import Reorganise
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.board.charts import JAPAN
from domain.pacific_war.board.table import NavalBattle, Open, Order, Sight, Table, enemy, fit, printed
from domain.pacific_war.decisions.cycle import (
    At,
    BreakOff,
    Close,
    Done,
    Engage,
    Evade,
    Fire,
    Hold,
    HoldFire,
    NextBattle,
    OpenRange,
)
from domain.pacific_war.facts.cycle import Busy
from domain.pacific_war.facts.fighting import NavalBattleIs, OrdersGiven
from domain.pacific_war.facts.intelligence import detect, show_port
from domain.pacific_war.facts.wording import at, does, listed

START = {"Day": 2, "Dusk": 1, "Night": 0}
"""P29.2: the range at which a combat starts: 2 long, 1 medium, 0 short."""
RANGES = ("short", "medium", "long")
PHASES = 3
SECOND = 2
"""P29.2 d: the phase in which the side with surprise fires first."""


class NavalBattles(Procedure):
    """P5.2.E THE NAVAL BATTLE CYCLE, NODE BY NODE."""

    fought: tuple[str, ...] = ()

    @ask("5.2.E", by="first", forced=True)
    def order_of_battle(self, sight: Sight) -> list[Decision]:
        """Choose where the next naval combat is."""
        return [NextBattle(node) for node in meetings_left(sight.open, self.fought)]

    @order_of_battle.chosen
    def _(self, _table: Table, decision: NextBattle) -> Flow:
        self.fought += (decision.node,)
        return NavalCombat(node=decision.node)

    @step("5.2.E")
    def again(self, table: Table) -> Flow:
        """Go on until every meeting is over."""
        return self.order_of_battle if meetings_left(table.open, self.fought) else None

    def first(self, open: Open) -> int:
        """Return the Advantage player."""
        return open.advantage


class NavalCombat(Procedure):
    """P29 A NAVAL COMBAT."""

    node: str
    picks: dict[str, bool] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to whether it engages."""
    bids: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to its range pick."""
    orders: dict[str, Order] = {}  # noqa: RUF012 a Struct copies its defaults
    pending: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to the ship whose target is to be picked."""
    done: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    forces: tuple[tuple[str, ...], ...] = ()
    reorganised: int = 0

    # a determination

    @ask("29.1", by="choosers", sealed=True)
    def determine(self, sight: Sight) -> list[Decision]:
        """Engage, or try to evade."""
        return [Engage(), Evade()] if str(sight.side) not in self.picks else []

    @determine.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        meeting, side, foe = Meeting.of(sight.open, self.node), sight.side, enemy(sight.side)
        mine, here = listed(meeting.forces[side]), at(self.node)
        if not meeting.forces[foe]:
            return f"{mine} can fight what guards the port at {here}: engage, or evade without a die."
        return f"{mine} and {listed(meeting.forces[foe])} meet at {here}: engage or evade, both at once."

    @determine.chosen
    def _(self, table: Table, decision: Engage | Evade) -> Flow:
        self.picks = self.picks | {str(table.actor): isinstance(decision, Engage)}
        return self.determine

    @step("29.1")
    def evade(self, table: Table) -> Flow:
        """Who does not want to fight may get away, but not what is in port (R-66)."""
        meeting = Meeting.of(table.open, self.node)
        engaging = [side for side in meeting.sides if self.picks[str(side)]]
        told = ", ".join(does(side, "engage" if self.picks[str(side)] else "evade") for side in meeting.sides)
        end = "" if engaging else ": there is no combat"
        table.record(NavalBattleIs(None, f"At {at(self.node[:4])} {told}{end}"))
        if not engaging:
            return DONE
        forces, loser = list(meeting.forces), enemy(engaging[0])
        if len(engaging) == 1 and forces[loser]:
            gone = evades(table, meeting, loser)
            table.record(NavalBattleIs(None, self.evasion(meeting, loser, gone=gone)))
            if gone and not meeting.ports[loser]:
                return DONE
            forces[loser] = () if gone else forces[loser]
        battle = NavalBattle(self.node, (forces[0], forces[1]), meeting.ports)
        surprise = surprised(table, battle)
        self.open_fire(table, replace(battle, surprise=surprise, range=START[table.open.lighting]))
        return None

    def evasion(self, meeting: Meeting, side: int, *, gone: bool) -> str:
        """Return what is told of an evasion (P0.2.2)."""
        if not gone:
            return f"{does(side, 'fail')} to evade"
        port = f", and {'leaves' if side == JAPAN else 'leave'} the port to itself"
        return f"{does(side, 'get')} away{port if meeting.ports[side] else ''}"

    def open_fire(self, table: Table, battle: NavalBattle) -> None:
        """Show both forces (R-60); the combat begins."""
        tfs = (*battle.forces[0], *battle.forces[1])
        for tf in tfs:
            detect(table, tf, "as the combat begins", "29.1.1")
        for side in (0, 1):
            if battle.ports[side]:
                show_port(table, battle.ports[side], side)
        table.record(Busy(tfs, fought=True))
        what = f"The combat begins at {RANGES[battle.range]} range"
        if battle.surprise >= 0:
            what += f"; {does(battle.surprise, 'have')} Surprise"
        table.record(NavalBattleIs(battle, what))

    # b combat phases

    @step("29.2")
    def next_phase(self, table: Table) -> Flow:
        """Begin the next combat phase, up to three."""
        battle = fought(table.open)
        if battle.phase == PHASES or not all(left_in(table.open, side) for side in (0, 1)):
            return self.leave
        self.bids, self.orders, self.pending, self.done = {}, {}, {}, ()
        phase = battle.phase + 1
        table.record(NavalBattleIs(replace(battle, phase=phase), f"Combat phase {phase}"))
        return None

    @ask("29.2", by="bidders", sealed=True)
    def bid(self, sight: Sight) -> list[Decision]:
        """Choose what is to become of the range."""
        if str(sight.side) in self.bids:
            return []
        later = fought(sight.open).phase > 1
        return [Close(), Hold(), OpenRange(), *([BreakOff()] if later else [])]

    @bid.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        battle = fought(sight.open)
        off = ", or break off" if battle.phase > 1 else ""
        lost = battle.phase == 1 and battle.surprise == enemy(sight.side)
        less = " The enemy has Surprise, so his pick counts." if lost else ""
        return (
            f"Phase {battle.phase} of {PHASES}, {RANGES[battle.range]} range: "
            f"close, hold or open it{off}.{less}"
        )

    @bid.chosen
    def _(self, table: Table, decision: Close | Hold | OpenRange | BreakOff) -> Flow:
        self.bids = self.bids | {str(table.actor): type(decision).__name__}
        return self.bid

    @step("29.2")
    def manoeuvre(self, table: Table) -> Flow:
        """Tell the picks; the faster side gets its own."""
        battle = fought(table.open)
        bids = {int(side): pick for side, pick in sorted(self.bids.items())}
        told = ", ".join(f"[side:{side}] {WORDS[pick][side]}" for side, pick in bids.items())
        table.record(NavalBattleIs(battle, f"Range: {told}"))
        if battle.phase == 1 and battle.surprise in bids:
            bids = {battle.surprise: bids[battle.surprise]}
        if all(bids.get(side) == "BreakOff" for side in (0, 1)):
            return self.break_off(table, (0, 1))
        for side in (0, 1):
            if bids.get(side) == "BreakOff":
                if breaks_off(table, side):
                    return self.break_off(table, (side,))
                del bids[side]
        pick = settled(table, bids)
        gone = max(0, min(2, battle.range + {"Close": -1, "OpenRange": 1}.get(pick, 0)))
        table.record(NavalBattleIs(replace(battle, range=gone), f"The range is {RANGES[gone]}"))
        return None

    @ask("29.2", by="both", sealed=True)
    def order(self, sight: Sight) -> list[Decision]:
        """Give each ship that may fire its order, then be done. Both do so at once."""
        if sight.side in self.done:
            return []
        if silenced(sight.open, sight.side):
            return [Done()]
        pending = self.pending.get(str(sight.side), "")
        if pending:
            return self.aims(sight.open, sight.side, pending)
        ready = [ship for ship in self.ready(sight.open, sight.side) if ship not in self.orders]
        return [*map(Fire, ready), *map(HoldFire, ready), Done()]

    @order.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        battle = fought(sight.open)
        if silenced(sight.open, sight.side):
            return "The enemy has Surprise: your ships do not fire in this phase."
        if ship := self.pending.get(str(sight.side), ""):
            return f"Choose the target of {the_unit(ship)} at {RANGES[battle.range]} range."
        if len(options) == 1:
            return f"No ship of yours is left that can fire at {RANGES[battle.range]} range: be done."
        return f"Give fire orders at {RANGES[battle.range]} range, both at once: choose a ship, or be done."

    @order.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if not isinstance(one, Done)]

    @order.chosen
    def _(self, table: Table, decision: Fire | HoldFire | At | Done) -> Flow:
        side = table.actor
        match decision:
            case Fire(ship):
                self.pending = self.pending | {str(side): ship}
            case At(target, torpedoes):
                self.orders = self.orders | {self.pending[str(side)]: Order(target, torpedoes)}
                self.pending = self.pending | {str(side): ""}
            case HoldFire(ship):
                self.orders = self.orders | {ship: Order("")}
            case Done():
                self.done += (side,)
                table.pad(2 * len(eligible(table.open, side)) + 2)
        return self.order

    @step("29.2")
    def resolve(self, table: Table) -> Flow:
        """All fire, those of the Advantage player first; damage is applied together (P29.2 c, d)."""
        board = table.open
        first = board.advantage
        battle = fought(board)
        for side in (first, enemy(first)):
            orders = {
                s: o for s, o in sorted(self.orders.items()) if o.target and s in self.ready(board, side)
            }
            with_torpedoes = tuple(ship for ship, one in orders.items() if one.torpedoes)
            told = {ship: one.target for ship, one in orders.items()}
            table.record(OrdersGiven(side, told, with_torpedoes))
        if battle.surprise >= 0 and battle.phase == SECOND:
            for side in (battle.surprise, enemy(battle.surprise)):
                fire(table, self.orders, (side,))
        else:
            fire(table, self.orders, (first, enemy(first)))
        return self.next_phase

    # leaving

    def break_off(self, table: Table, sides: tuple[int, ...]) -> Flow:
        """Note who breaks off."""
        told = " and ".join(does(side, "break") for side in sides)
        table.record(NavalBattleIs(fought(table.open), f"{told} off: the combat is over"))
        self.leaving = sides
        return self.leave

    @step("29.2.4")
    def leave(self, table: Table) -> Flow:
        """Who breaks off retreats; after the third phase it is the weaker side (P29.2.4, R-48)."""
        board, battle = table.open, fought(table.open)
        if self.leaving:
            return Retreat(tfs=tuple(tf for side in self.leaving for tf in battle.forces[side]))
        if any(battle.ports) or not all(left_in(board, side) for side in (0, 1)):
            return self.over
        weight = [
            sum(
                printed(board, ship).gun
                for ship in left_in(board, side)
                if fit(board, table.own[side], ship) and table.own[side].ships[ship].active
            )
            for side in (0, 1)
        ]
        loser = enemy(board.advantage) if weight[0] == weight[1] else weight.index(min(weight))
        verb = "retreats" if loser == JAPAN else "retreat"
        sums = f"{weight[loser]} against {weight[enemy(loser)]}"
        table.record(NavalBattleIs(battle, f"[side:{loser}] {verb}: the guns are {sums}"))
        return Retreat(tfs=battle.forces[loser])

    @step("29.2.5")
    def over(self, table: Table) -> None:
        """End the combat."""
        battle = fought(table.open)
        self.forces = battle.forces
        table.record(NavalBattleIs(None, "The combat is over"))

    @step("2.2.2")
    def regroup(self, table: Table) -> Flow:
        """Those that have fought may reorganise, the Advantage player first."""
        if self.reorganised == len(self.forces):
            return DONE
        first = table.open.advantage
        side = first if not self.reorganised else enemy(first)
        self.reorganised += 1
        return Reorganise(side=side, tfs=self.forces[side])

    @step("2.2.2")
    def regroup_next(self, _table: Table) -> Flow:
        """And so the other."""
        return self.regroup

    # who is asked

    def choosers(self, open: Open) -> tuple[int, ...]:
        """Return who chooses: both, or the one whose task forces meet a port (P29.1.2)."""
        return Meeting.of(open, self.node).sides

    def bidders(self, open: Open) -> tuple[int, ...]:
        """Return who picks the range: not ships in port (P29.1.2); who is surprised does (P29.2 a)."""
        return tuple(side for side in (0, 1) if not immobile(open, side))

    @property
    def both(self) -> tuple[int, int]:
        """Both give orders, also a side that may not fire (P0.3.2)."""
        return (0, 1)

    def ready(self, open: Open, side: int) -> list[str]:
        """Return the ships of a side that may be given an order to fire."""
        foes = targets(open, side)
        afloat = any(not is_fort(target) for target in foes)
        return [s for s in eligible(open, side) if foes and (guns(open, s) or (afloat and salvo(open, s)))]

    def aims(self, open: Open, side: int, ship: str) -> list[Decision]:
        """Return what a ship may fire at, with guns, and with torpedoes too."""
        armed, loaded = bool(guns(open, ship)), salvo(open, ship)
        return [
            At(target, torpedoes)
            for target in targets(open, side)
            for torpedoes in (False, True)
            if (loaded and not is_fort(target) if torpedoes else armed)
        ]


WORDS = {
    "Close": ("closes", "close"),
    "Hold": ("holds", "hold"),
    "OpenRange": ("opens", "open"),
    "BreakOff": ("wants to break off", "want to break off"),
}
"""Range pick to what Japan does, and what the Allies do."""


def silenced(open: Open, side: int) -> bool:
    """Return whether a side is surprised and does not fire in this combat phase (P29.2 d)."""
    battle = fought(open)
    return battle.phase == 1 and battle.surprise == enemy(side)


def the_unit(unit: str) -> str:
    """Return a ship in brackets, or the fort."""
    return "the fort" if is_fort(unit) else f"[{unit}]"


def fought(open: Open) -> NavalBattle:
    """Return the naval combat under way."""
    assert open.naval is not None
    return open.naval
