"""A second reading of P28 and P29: the column of each die of a strike or a naval battle, and what it does.

It reads the ledgers and what is printed, and calls no function of the rules. All its months are before
1942-09, those of the five scenarios.
"""

from collections import Counter
from collections.abc import Mapping
from re import search

from domain.kernel.facts import Fact, Roll
from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import AIR, CLASSES, LOCATIONS, figures
from domain.pacific_war.board.printed import AirClass, NavalUnit
from domain.pacific_war.board.table import Air, Base, Raid, Ship, State
from domain.pacific_war.decisions.cycle import Bombard
from domain.pacific_war.facts.cycle import AirStepsLost, ShipHit
from domain.pacific_war.facts.fighting import RaidsAre

LEAST = (1, 2, 3, 5, 7, 10, 14, 19, 26, 35, 46, 61)
HITS = (
    "1 1 0 0 0 0 0 0 0 0",
    "2 1 1 0 0 0 0 0 0 0",
    "2 2 1 1 1 0 0 0 0 0",
    "3 2 2 1 1 1 1 0 0 0",
    "4 3 2 2 2 1 1 1 0 0",
    "5 4 3 3 2 2 1 1 1 0",
    "6 5 4 4 3 3 2 2 1 0",
    "8 6 5 5 4 4 3 2 2 1",
    "10 8 7 6 5 5 4 3 2 2",
    "12 10 9 8 7 6 5 4 3 2",
    "15 12 11 10 9 7 6 5 4 3",
    "18 15 13 12 11 9 8 6 5 3",
)
"""P3.1: the least strength of each column, and its hits by face."""
NIGHT_GUNS, TORPEDOES_OF_THE_TIME, FLAK_OF_THE_TIME = (-1, -2), (0, -1), -2
RANGE = {"BB": (1, 0, 0), "BC": (1, 0, 0), "CA": (1, 0, -1), "CL": (1, 0, -2), "DD": (1, -1, -3)}
OTHERS = (0, -1, -3)
"""P29.2 c: shifts of guns at short, medium and long range."""
LEVEL = (-1, 0, 1)
BASES = {"strike_airbase": -1, "strike_port": -1, "strike_fort": -3, "strike_ground": -3}
BOMBARDED = {"airbase": -1, "port": -1, "fort": -3, "ground": -3}
LOSSES = ("in air combat", "to flak", "in an air strike")


def column(strength: int, shift: int) -> int:
    """Return the column of a strength after all shifts, 0 for none (P3.1)."""
    return max(0, min(12, sum(strength >= least for least in LEAST) + shift))


def hits(roll: Roll) -> int:
    """Return the hits of a recorded die on the universal combat table."""
    found = search(r"^column (\d+)", roll.target)
    return int(HITS[int(found[1]) - 1].split()[roll.dice[0] % 10]) if found else 0


def aimed(roll: Roll) -> str:
    """Return whom a ship fired at, or a fort's location."""
    found = search(r" at .*\[(.*?)\]", roll.target)
    return found[1] if found else roll.subject


class Oracle:
    """Follows a match: `meet` each fact before it is folded. `wrong` tells what is not as it must be."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.wrong: list[str] = []
        self.met: Counter[str] = Counter()
        self._bombards = Bombard("", "port")
        self._on_ships: Counter[str] = Counter()
        self._off_steps: Counter[tuple[int, str]] = Counter()
        self._lost: Counter[tuple[int, str]] = Counter()
        self._escorts_hit = 0
        self._bases: dict[str, Base] = {}
        self._unjudged = False

    def decided(self, decision: Decision) -> None:
        """Note who bombards what."""
        if isinstance(decision, Bombard):
            self._bombards = decision

    def meet(self, fact: Fact) -> None:
        """Judge a fact by the state before it."""
        match fact:
            case Roll():
                self._roll(fact)
            case ShipHit(ship, taken):
                if not self._unjudged:
                    self._judge("hits", self._on_ships[ship], taken, ship)
                self._on_ships.pop(ship, None)
            case AirStepsLost(how=how) if how in LOSSES:
                self._lost[fact.side, how] += fact.steps
            case RaidsAre(raids) if not raids:
                self._judge("steps", +self._off_steps, +self._lost, "")
                self._off_steps, self._lost = Counter(), Counter()
                for place, base in self._bases.items():
                    self._judge("base", base, self.state.open.bases[place], place)
                self._bases = {}
            case RaidsAre(raids, what) if what == "The aircraft pick their targets":
                for raid in raids:
                    if raid.kind in ("strike_tf", "strike_ships_in_port"):
                        self._judge("allotted", Counter(raid.strike), allotted(raid), raid.target)
            case _:
                pass

    def _judge(self, what: str, wanted: object, found: object, about: str) -> None:
        self.met[what] += 1
        if wanted != found:
            self.wrong.append(f"{what} {about}: {wanted} wanted, {found} found")

    def _roll(self, roll: Roll) -> None:
        wanted = self._column(roll)
        if wanted is None:
            self._unjudged = roll.purpose in ("submarine torpedoes", "the ship attacked")
            return
        self._unjudged = roll.purpose == "the fort replies"
        # The special rules of E2 are told as a shift of their own.
        special = sum(shift.amount for shift in roll.modifiers if shift.reason == "surprised")
        found = search(r"^(?:no column|column (\d+))", roll.target)
        assert found
        self._judge(
            roll.purpose,
            column(wanted[0], wanted[1] + special),
            int(found[1] or 0),
            f"{roll.subject} {wanted}",
        )
        self._apply(roll)

    def _apply(self, roll: Roll) -> None:
        taken, board = hits(roll), self.state.open
        match roll.purpose:
            case "guns" | "torpedoes" | "air attack":
                self._on_ships[aimed(roll)] += taken
            case "escort fire":
                self._escorts_hit = taken
                raid = self._raid(roll.by)
                cap = sum(self._cap(raid).values())
                self._off_steps[1 - roll.by, "in air combat"] += min(taken, cap)
            case "engaged CAP fire":
                raid = self._raid(1 - roll.by)
                self._off_steps[1 - roll.by, "in air combat"] += min(taken, sum(raid.escort.values()))
            case "free CAP fire":
                raid = self._raid(1 - roll.by)
                self._off_steps[1 - roll.by, "in air combat"] += min(taken, sum(raid.strike.values()))
            case "flak":
                raid = self._raid(1 - roll.by)
                self._off_steps[1 - roll.by, "to flak"] += min(taken, sum(raid.strike.values()))
            case "bombing" if (raid := self._raid(roll.by)).kind != "strike_ground":
                base = board.bases[raid.target]
                airbase, port, fort = base.airbase_damage, base.port_damage, base.fort
                if raid.kind == "strike_airbase":
                    airbase = min(base.airbase, airbase + taken)
                    parked = self._parked(1 - roll.by, raid.target)
                    self._off_steps[1 - roll.by, "in an air strike"] += min(parked, (taken + 1) // 2)
                elif raid.kind == "strike_port":
                    port = min(base.port, port + taken)
                else:
                    fort = max(0, fort - taken // 2)
                self._bases[raid.target] = Base(
                    base.control,
                    base.port,
                    port,
                    base.airbase,
                    airbase,
                    fort,
                    base.fort_hit,
                    base.resource_damage,
                )
            case _:
                pass

    def _column(self, roll: Roll) -> tuple[int, int] | None:
        """Return the strength and the shifts of a die, None if it is not of P28 or P29."""
        judges = {
            "guns": self._guns,
            "torpedoes": self._torpedoes,
            "bombardment": self._bombardment,
            "the fort replies": self._reply,
            "air attack": self._air_attack,
            "bombing": self._bombing,
            "flak": self._flak,
            "escort fire": self._air_combat,
            "engaged CAP fire": self._air_combat,
            "free CAP fire": self._air_combat,
        }
        judge = judges.get(roll.purpose)
        return judge(roll) if judge else None

    # P29.2

    def _guns(self, roll: Roll) -> tuple[int, int]:
        board, fires, target = self.state.open, roll.subject, aimed(roll)
        assert board.naval
        if fires in LOCATIONS:
            strength, by_range = 3 * board.bases[fires].fort, OTHERS
        else:
            strength, by_range = self._value(fires, "gun"), RANGE.get(self._printed(fires).cls, OTHERS)
            strength = strength // 2 if self._ship(fires).port else strength
        protection = 1 if target in LOCATIONS else self._printed(target).def_g
        night = NIGHT_GUNS[roll.by] if board.lighting == "Night" else 0
        return strength, by_range[board.naval.range] - protection + night

    def _torpedoes(self, roll: Roll) -> tuple[int, int]:
        board = self.state.open
        assert board.naval
        assert board.naval.range < 2
        night = max(-1, NIGHT_GUNS[roll.by]) if board.lighting == "Night" else 0
        protection = self._printed(aimed(roll)).def_a
        shift = -board.naval.range - protection + TORPEDOES_OF_THE_TIME[roll.by] + night
        return self._value(roll.subject, "torp"), shift

    # P29.3

    def _bombardment(self, roll: Roll) -> tuple[int, int]:
        tf, what = self._bombards.tf, self._bombards.target
        fort = self._fort(self._hex(tf), 1 - roll.by)
        return sum(self._value(ship, "gun") for ship in self._aboard(tf)), BOMBARDED[what] - (fort + 1) // 2

    def _reply(self, _roll: Roll) -> tuple[int, int]:
        return 3, 0

    # P28.5 to P28.9

    def _bombing(self, roll: Roll) -> tuple[int, int]:
        raid = self._raid(roll.by)
        fort = 0 if raid.kind == "strike_fort" else self._fort(self._hex(raid.target), 1 - roll.by)
        night = -2 if self.state.open.lighting == "Night" else 0
        shift = LEVEL[self._level(raid.strike)] + BASES[raid.kind] - (fort + 1) // 2 + night
        return sum(n * figure(unit).gnd for unit, n in raid.strike.items()), shift

    def _air_attack(self, roll: Roll) -> tuple[int, int]:
        raid, ship, foe = self._raid(roll.by), roll.subject, 1 - roll.by
        steps = allotted(raid, ship)
        ready = sum(air.ready for air in self.state.own[foe].air.values() if air.home == ship)
        shift = LEVEL[self._level(steps)] - self._printed(ship).def_a
        shift += self._printed(ship).cls in ("CV", "CVL", "CVE") and ready >= 2
        shift += raid.unseen + (raid.kind == "strike_ships_in_port")
        shift -= all(figure(unit).kind == "4E" for unit, n in steps.items() if n)
        shift -= self.state.open.lighting == "Dusk"
        return sum(n * figure(unit).nav for unit, n in steps.items()), shift

    def _flak(self, roll: Roll) -> tuple[int, int]:
        raid = self._raid(1 - roll.by)
        if raid.kind == "strike_tf":
            return sum(self._value(ship, "aa") for ship in self._aboard(raid.target)), FLAK_OF_THE_TIME
        place = self._location(self._hex(raid.target), roll.by)
        base = self.state.open.bases[place] if place else Base(roll.by)
        strength = max(base.airbase, base.port) + 2 * base.fort
        if raid.kind == "strike_ships_in_port":
            ships = [ship for ship, one in self.state.own[roll.by].ships.items() if one.port == raid.target]
            strength += sum(self._value(ship, "aa") for ship in ships) // 2
        return strength, FLAK_OF_THE_TIME

    def _air_combat(self, roll: Roll) -> tuple[int, int]:
        attacker = roll.by if roll.purpose == "escort fire" else 1 - roll.by
        raid = self._raid(attacker)
        cap = self._cap(raid)
        engaged = min(sum(raid.escort.values()), sum(cap.values()))
        if roll.purpose == "free CAP fire":
            free = sum(cap.values()) - engaged - max(0, self._escorts_hit * (engaged > 0) - engaged)
            ahead = self._ahead(cap, raid.strike)
            return 2 * free, ahead - 1 - all(figure(unit).kind == "4E" for unit in raid.strike)
        ahead = self._ahead(raid.escort, cap)
        if roll.purpose == "escort fire":
            return sum(n * figure(unit).air for unit, n in raid.escort.items()), ahead
        return 2 * engaged, -ahead

    def _cap(self, raid: Raid) -> dict[str, int]:
        """The CAP over the target of a raid, by unit."""
        foe, spot = 1 - raid.side, self._hex(raid.target)
        units = self.state.own[foe].air.items()
        return {unit: air.cap for unit, air in units if air.cap and self._home(foe, air) == spot}

    def _ahead(self, ours: Mapping[str, int], theirs: Mapping[str, int]) -> int:
        return max(-2, min(2, self._level(ours) - self._level(theirs)))

    def _level(self, steps: Mapping[str, int]) -> int:
        """The level of most steps, the lower of equals."""
        by_level = Counter[int]()
        for unit, n in steps.items():
            by_level[self._air(unit).level] += n
        return min((-n, level) for level, n in by_level.items())[1]

    # what is where

    def _raid(self, side: int) -> Raid:
        return next(raid for raid in self.state.open.raids if raid.side == side)

    def _hex(self, target: str) -> str:
        if target in self.state.open.tfs:
            return self.state.open.tfs[target].node[:4]
        return LOCATIONS[target].hex if target in LOCATIONS else target

    def _home(self, side: int, air: Air) -> str:
        if air.home in LOCATIONS:
            return LOCATIONS[air.home].hex
        ship = self.state.own[side].ships[air.home]
        return self._hex(ship.tf or ship.port)

    def _location(self, spot: str, side: int) -> str:
        places = self.state.open.bases.items()
        return next((at for at, base in places if base.control == side and LOCATIONS[at].hex == spot), "")

    def _fort(self, spot: str, side: int) -> int:
        place = self._location(spot, side)
        return self.state.open.bases[place].fort if place else 0

    def _parked(self, side: int, place: str) -> int:
        """The steps on the ground of an airbase."""
        homed = {unit for unit, air in self.state.own[side].air.items() if air.home == place}
        total = sum(self._air(unit).steps - self._air(unit).cap for unit in homed)
        flying = [
            (u, n)
            for raid in self.state.open.raids
            for role in (raid.strike, raid.escort)
            for u, n in role.items()
        ]
        return total - sum(n for unit, n in flying if unit in homed)

    def _aboard(self, tf: str) -> tuple[str, ...]:
        side = self.state.open.tfs[tf].side
        return self.state.own[side].fleets[tf].ships.ships

    def _air(self, unit: str) -> Air:
        return next(own.air[unit] for own in self.state.own if unit in own.air)

    def _ship(self, ship: str) -> Ship:
        return next(own.ships[ship] for own in self.state.own if ship in own.ships)

    def _printed(self, ship: str) -> NavalUnit:
        return figures(self.state.open.scenario).ships[ship]

    def _value(self, ship: str, what: str) -> int:
        """A value of a ship, halved if it is crippled (P2.2.1)."""
        printed = self._printed(ship)
        full: int = getattr(printed, what)
        return full // 2 if self._ship(ship).damage * 2 >= printed.hits else full


def figure(unit: str) -> AirClass:
    """Return what is printed on an air unit."""
    return CLASSES[AIR[unit].cls]


def allotted(raid: Raid, ship: str = "") -> Counter[str]:
    """Return the steps of each air unit that attack a ship, or any (P28.5.1)."""
    steps = Counter[str]()
    for one in raid.allotted:
        if ship in ("", one.ship):
            steps[one.unit] += one.steps
    return steps
