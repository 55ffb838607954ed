"""P28 The air mission phase, and one mission from its declaration to its return (P28.4)."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle import air_combat, bombing, kamikaze, paradrop, special_boats, supply
from domain.pacific_war.battle.allotment import Allotment
from domain.pacific_war.battle.cap import AssignmentOfCAP
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.missions import (
    AT_BASES,
    AT_SHIPS,
    additions,
    aimed,
    declared,
    place_hex,
    strikers,
)
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import DUSK, LOCATIONS, NIGHT
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.special import spared
from domain.pacific_war.board.table import (
    Plan,
    Raid,
    Sight,
    Table,
    air_class,
    crippled,
    enemy,
    is_carrier,
)
from domain.pacific_war.board.weather import FIND_FAILS, foul
from domain.pacific_war.decisions.cycle import (
    AddPara,
    AddSteps,
    DeclareMission,
    Decline,
    Done,
    EndMissions,
    SimultaneousStrike,
    Target,
)
from domain.pacific_war.decisions.special_boats import STOStrike
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import BY_UNIT, KINDS, RaidsAre, TookOff
from domain.pacific_war.facts.happenings import CameBack, Ferried, NotFound
from domain.pacific_war.facts.intelligence import detect, show, show_base, show_troops
from domain.pacific_war.facts.secrets import OriginKept, Planned
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.facts.wording import at

FAILS = 9
"""P28.5.2: the find die fails on this face."""
BETRAYED_ON = 2
LOST_AT_DUSK = 8


class AirMissions(Procedure):
    """P28 AN AIR MISSION PHASE."""

    side: int
    flying: bool = False

    @step("28.1")
    def guard(self, table: Table) -> Flow:
        """Both sides assign CAP; at Night there is none (P26.3)."""
        return AssignmentOfCAP() if table.open.lighting != NIGHT else None

    @ask("28.2", by="side")
    def declare(self, sight: Sight) -> list[Decision]:
        """Declare a mission, or end the missions of this phase."""
        missions: list[Decision] = [*declared(sight.open, sight.own, self.side, sight.open.launched)]
        missions += special_boats.strikes(sight.open, sight.own, self.side)
        return [*missions, EndMissions()] if missions else []

    @declare.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, DeclareMission)]

    @declare.chosen
    def _(self, table: Table, decision: DeclareMission | STOStrike | EndMissions) -> Flow:
        if isinstance(decision, EndMissions):
            return self.over
        self.flying = True
        if isinstance(decision, STOStrike):
            special_boats.strike(table, self.side, decision)
            return None
        table.record(Planned(self.side, Plan(decision.kind, decision.origin)))
        return Mission(side=self.side, plan=Plan(decision.kind, decision.origin))

    @step("28.2")
    def again(self, _table: Table) -> Flow:
        """Go on until the missions are ended."""
        flown, self.flying = self.flying, False
        return self.declare if flown else None

    @step("26.3")
    def over(self, table: Table) -> None:
        """At Dusk air groups and fighters that have come back may lose a step, one die a unit (R-88)."""
        if table.open.lighting != DUSK:
            return
        for unit in sorted(table.open.flown):
            side = 0 if unit in table.own[0].air else 1
            if air_class(unit).kind not in ("CVG", "1E") or not table.own[side].air[unit].steps:
                continue
            face = d10(table, "landing at Dusk", by=side, target="8 or 9 loses a step", subject=unit)
            if face >= LOST_AT_DUSK:
                now = Changes(table, "landing at Dusk")
                now.lose_air(unit, 1, "landing at Dusk")
                now.record()


class Mission(Procedure):
    """P28.4 A MISSION."""

    side: int
    plan: Plan
    reply: Plan | None = None
    """What the defender flies at the same time (P28.12)."""
    jumpers: tuple[str, ...] = ()
    sinking: dict[str, int] = {}  # noqa: RUF012 a Struct copies its defaults
    """Ship to the hits that are applied with all other damage."""

    @ask("28.2", by="side")
    def aim(self, sight: Sight) -> list[Decision]:
        """Choose the target of the mission."""
        board, plan = sight.open, self.plan
        return [*aimed(board, sight.own, self.side, plan.kind, plan.origin, board.launched)]

    @aim.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        if self.plan.kind == "ferry":
            return f"Choose where [{self.plan.origin}] flies to."
        if self.plan.kind == "supply":
            return f"Choose where [{self.plan.origin}] brings supply."
        return f"Choose the target of the {KINDS[self.plan.kind]} from [{self.plan.origin}]."

    @aim.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        return options if self.plan.kind not in BY_UNIT else ()

    @aim.chosen
    def _(self, table: Table, decision: Target) -> Flow:
        if self.plan.kind == "ferry":
            ferry(table, self.side, self.plan.origin, decision.target)
            table.record(Planned(self.side, None))
            return DONE
        if self.plan.kind == "supply":
            supply.fly(table, self.side, self.plan.origin, decision.target)
            table.record(Planned(self.side, None))
            return DONE
        self.plan = replace(self.plan, target=decision.target)
        table.record(Planned(self.side, self.plan))
        return None

    @ask("28.3", by="side")
    def assemble(self, sight: Sight) -> list[Decision]:
        """Add steps to the mission, then be done."""
        more = additions(sight.open, sight.own, self.plan, sight.open.launched)
        return [*more, Done()] if self.plan.strike or self.plan.para else [*more]

    @assemble.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        what, target = KINDS[self.plan.kind], at(self.plan.target)
        if self.plan.kind == "paradrop":
            if complete(options):
                return f"Nobody else can drop at {target}: take off."
            return f"Choose the units that drop at {target}, then be done."
        if complete(options):
            return f"Nothing more can join the {what} against {target}: take off."
        return f"Add steps to the {what} against {target}, then be done."

    @assemble.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, AddSteps | AddPara)]

    @assemble.chosen
    def _(self, table: Table, decision: AddSteps | AddPara | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        self.plan = added(self.plan, decision)
        table.record(Planned(self.side, self.plan))
        return self.assemble

    @step("28.2")
    def take_off(self, table: Table) -> None:
        """Let the aircraft take off; where from is not told while that is secret (R-52)."""
        if self.plan.kind == "paradrop":
            self.jumpers = self.plan.para
            steps = sum(table.own[self.side].ground[unit].steps for unit in self.jumpers)
            carrying = paradrop.carriers_of(table.open, table.own[self.side], self.plan.origin, steps)
            self.plan = replace(self.plan, strike=carrying)
        raid = launch(table, self.side, self.plan)
        table.record(RaidsAre((raid,), "A mission flies"))

    @step("28.5.2")
    def find(self, table: Table) -> Flow:
        """Look for the target; who finds nothing flies home."""
        raid = find(table, table.open.raids[0])
        if not raid.found:
            return self.go_home
        table.record(RaidsAre((raid,), "The target is found"))
        arrive(table, raid)
        return None

    @step("28.12")
    def betray(self, table: Table) -> Flow:
        """May the defender strike back? A hidden launching place has first to be betrayed.

        He is not asked where no strike of his may go (E1.1).
        """
        board, raid = table.open, table.open.raids[0]
        if (
            raid.kind != "strike_tf"
            or board.lighting == NIGHT
            or spared(board, self.foe, self.plan.origin)
            or not in_answering_range(table, self.plan.origin)
        ):
            return self.clash
        if not raid.origin:
            face = d10(
                table, "betrayal of the position", by=self.foe, target="2 or less", subject=raid.target
            )
            if face > BETRAYED_ON:
                return self.clash
            table.record(RaidsAre((replace(raid, origin=self.plan.origin),), "The position is betrayed"))
        return None

    @ask("28.12", by="foe")
    def answer(self, sight: Sight) -> list[Decision]:
        """Strike back at the same time, or decline."""
        raid = sight.open.raids[0]
        if strikers(sight.open, sight.own, reply_kind(raid), raid.target, raid.origin):
            return [SimultaneousStrike(), Decline()]
        return [Decline()]

    @answer.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        raid = sight.open.raids[0]
        return f"[{raid.target}] is struck from [{raid.origin}]: strike back at the same time, or decline."

    @answer.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, SimultaneousStrike)]

    @answer.chosen
    def _(self, table: Table, decision: SimultaneousStrike | Decline) -> Flow:
        if isinstance(decision, Decline):
            return self.clash
        raid = table.open.raids[0]
        self.reply = Plan(reply_kind(raid), raid.target, raid.origin)
        table.record(Planned(self.foe, self.reply))
        return None

    @ask("28.12", by="foe")
    def assemble_reply(self, sight: Sight) -> list[Decision]:
        """Add steps to the strike that answers, then be done."""
        assert self.reply is not None
        more = additions(sight.open, sight.own, self.reply, {})
        return [*more, Done()] if self.reply.strike else [*more]

    @assemble_reply.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        assert self.reply is not None
        if complete(options):
            return f"Nothing more can join the strike that answers, against [{self.reply.target}]: take off."
        return f"Add steps to the strike that answers, against [{self.reply.target}], then be done."

    @assemble_reply.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, AddSteps)]

    @assemble_reply.chosen
    def _(self, table: Table, decision: AddSteps | Done) -> Flow:
        assert self.reply is not None
        if isinstance(decision, Done):
            return None
        self.reply = added(self.reply, decision)
        table.record(Planned(self.foe, self.reply))
        return self.assemble_reply

    @step("28.12")
    def fly_back(self, table: Table) -> None:
        """Let the answer take off, and look for its target (R-64)."""
        assert self.reply is not None
        raid = table.open.raids[0]
        reply = replace(launch(table, self.foe, self.reply), answer=True)
        table.record(RaidsAre((raid, reply), "A strike answers"))
        reply = find(table, reply)
        if not reply.found:
            table.record(RaidsAre((raid,), "The answer has found nothing"))
            return
        table.record(RaidsAre((raid, reply), "The answer has found its target"))
        if reply.target in table.open.tfs:
            detect(table, reply.target, "by the aircraft that strike back", "28.12")
        arrive(table, reply)

    @step("28.8")
    def clash(self, table: Table) -> None:
        """Air combat over both targets."""
        fight(table, air_combat.fight, "After air combat")

    @step("28.9")
    def fire(self, table: Table) -> None:
        """Flak at both targets."""
        fight(table, air_combat.flak, "After flak")
        if self.jumpers:
            flown = sum(table.own[self.side].ground[unit].steps for unit in self.jumpers)
            arrived = sum(table.open.raids[0].strike.values())
            paradrop.shot_down(table, self.jumpers, flown - arrived)

    @step("28.5.1")
    def allot(self, table: Table) -> Flow:
        """Allot the steps that strike at ships, both sides at once if both do."""
        sides = tuple(sorted(raid.side for raid in table.open.raids if raid.kind in AT_SHIPS and raid.strike))
        return Allotment(sides=sides) if sides else None

    @step("28.5")
    def attack(self, table: Table) -> None:
        """All that strike at ships attack, the phasing player first."""
        self.sinking = {}
        for raid in table.open.raids:
            for ship in dict.fromkeys(one.ship for one in raid.allotted):
                steps = {one.unit: one.steps for one in raid.allotted if one.ship == ship}
                self.sinking[ship] = bombing.strike_ship(table, raid, steps, ship)

    @step("28.13")
    def dive(self, table: Table) -> None:
        """Kamikaze steps that have attacked are eliminated."""
        kamikaze.dive(table)

    @step("28.6")
    def attack_bases(self, table: Table) -> None:
        """All that strike at installations attack; then all damage is applied, that of ships first."""
        raids = [raid for raid in table.open.raids if raid.kind in AT_BASES and raid.strike]
        bombs = [(raid, bombing.bomb(table, raid)) for raid in raids]
        back = inflict(table, self.sinking, flying(table.open.raids))
        for raid, hits in bombs:
            bombing.damage(table, raid, hits)
        come_back(table, back)

    @step("28.7")
    def attack_troops(self, table: Table) -> None:
        """All that strike at ground units attack."""
        for raid in table.open.raids:
            if raid.kind == "strike_ground" and raid.strike:
                bombing.damage(table, raid, bombing.bomb(table, raid))

    @step("28.4")
    def jump(self, table: Table) -> None:
        """Let those drop who have come so far."""
        if self.jumpers:
            paradrop.drop(table, self.side, self.jumpers, self.plan.target)

    @step("28.4.7")
    def go_home(self, table: Table) -> None:
        """Let the aircraft that are left land; they are used."""
        table.record(RaidsAre((), "The mission is over"))
        if table.own[self.side].origin:
            table.record(OriginKept(self.side, ""))

    @property
    def foe(self) -> int:
        """The side that is attacked."""
        return enemy(self.side)


def complete(options: Sequence[Decision]) -> bool:
    """Return whether nothing more can be added to what is put together."""
    return all(isinstance(one, Done) for one in options)


def added(plan: Plan, decision: AddSteps | AddPara) -> Plan:
    """Return a plan with what was added."""
    if isinstance(decision, AddPara):
        return replace(plan, para=(*plan.para, decision.ground))
    if decision.role == "strike":
        return replace(plan, strike=plan.strike | {decision.unit: decision.steps})
    if decision.role == "kamikaze":
        strike = plan.strike | {decision.unit: decision.steps}
        return replace(plan, strike=strike, kamikaze=(*plan.kamikaze, decision.unit))
    return replace(plan, escort=plan.escort | {decision.unit: decision.steps})


def launch(table: Table, side: int, plan: Plan) -> Raid:
    """Let the steps of a plan take off, and return the raid that flies."""
    own, board = table.own[side], table.open
    flying = dict(plan.strike)
    for unit, steps in plan.escort.items():
        flying[unit] = flying.get(unit, 0) + steps
    hidden = plan.origin in board.tfs and not board.tfs[plan.origin].detected
    now = Changes(table, "taking off")
    for unit, steps in flying.items():
        now.aircraft(unit, ready=own.air[unit].ready - steps)
    now.record()
    table.record(Planned(side, None))
    if hidden:
        table.record(OriginKept(side, plan.origin))
    show(table, air=flying)
    table.record(TookOff(side, flying, plan.origin if plan.origin in LOCATIONS else ""))
    origin = "" if hidden else plan.origin
    return Raid(
        side,
        plan.kind,
        plan.target,
        origin,
        plan.strike,
        plan.escort,
        unseen=hidden,
        kamikaze=plan.kamikaze,
    )


def fight(table: Table, by: Callable[[Table, Raid], Raid], what: str) -> None:
    """Let missions go through air combat or flak, the phasing player's first, and tell what is left."""
    raids = tuple(by(table, raid) for raid in table.open.raids)
    if raids != table.open.raids:
        table.record(RaidsAre(raids, what))


def find(table: Table, raid: Raid) -> Raid:
    """Roll the find die where a face fails (P28.5.2, R-72), and return the raid, found or not.

    Into foul weather or out of it every strike may fail to find (P6.3). Read so: there neither the range nor
    Dusk counts besides; and a paradrop is no strike (P28.14 has its own ways to fail).
    """
    board = table.open
    origin = raid.origin or table.own[raid.side].origin
    spots = place_hex(board, origin), place_hex(board, raid.target)
    blind = raid.kind != "paradrop" and any(foul(board, spot) for spot in spots)
    if raid.kind != "strike_tf" and not blind:
        if board.war and board.war.foul and not raid.origin:  # whether it was out of foul weather is secret
            cushion(table, sealed(table), 1)
        return replace(raid, found=True)
    longest = any(air_class(unit).range == distance(*spots) for unit in (*raid.strike, *raid.escort))
    fails = FIND_FAILS if blind else FAILS - longest - (board.lighting == DUSK)
    face = d10(
        table,
        "finding the target",
        by=raid.side,
        target=f"{fails} or more fails",
        subject=raid.target,
        unseen=not raid.origin,
    )
    if face >= fails:
        table.record(NotFound(raid.side, raid.target))
        come_back(table, flying([raid]))
        return raid
    return replace(raid, found=True)


def come_back(table: Table, steps: Mapping[str, int]) -> None:
    """Note at Dusk which air units have steps that come back from a mission: these roll (P26.3, R-88)."""
    if table.open.lighting == DUSK and steps:
        table.record(CameBack(tuple(sorted(steps))))


def arrive(table: Table, raid: Raid) -> None:
    """Show what lies open where a raid arrives (P0.4.1)."""
    foe = enemy(raid.side)
    match raid.kind:
        case "strike_airbase":
            show_base(table, raid.target, foe, "airbase")
        case "strike_port" | "strike_ships_in_port":
            show_base(table, raid.target, foe, "port")
        case "strike_ground":
            show_troops(table, raid.target, foe)


def reply_kind(raid: Raid) -> str:
    """Return what a simultaneous strike does: at ships, or at the airbase that the raid came from (R-43)."""
    return "strike_airbase" if raid.origin in LOCATIONS else "strike_tf"


def in_answering_range(table: Table, origin: str) -> bool:
    """Return whether the target has an uncrippled carrier whose group could reach the place (P28.12).

    Whether its steps are ready does not count: that is its owner's knowledge (R-95).
    """
    board, raid = table.open, table.open.raids[0]
    own = table.own[enemy(raid.side)]
    far = distance(place_hex(board, origin), place_hex(board, raid.target))
    return any(
        air.steps
        and air.home in board.ships
        and board.ships[air.home].tf == raid.target
        and is_carrier(board, air.home)
        and not crippled(board, air.home, board.ships[air.home].damage)
        and far <= air_class(unit).range
        for unit, air in own.air.items()
    )


def flying(raids: Sequence[Raid]) -> dict[str, int]:
    """Return the steps that are on missions, by unit."""
    steps = dict[str, int]()
    for raid in raids:
        for role in (raid.strike, raid.escort):
            for unit, count in role.items():
                steps[unit] = steps.get(unit, 0) + count
    return steps


def ferry(table: Table, side: int, unit: str, to: str) -> None:
    """Let an air unit change its home; all its steps are used (P28.10)."""
    now = Changes(table, "ferried")
    now.aircraft(unit, home=to, ready=0, cap=0)
    now.record()
    show(table, air=[unit])
    table.record(Ferried(unit, side, to))
