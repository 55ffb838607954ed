"""P40 Decisions: all that may be chosen, tagged with the words of the rules. Lists keep the order of P40."""

from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.pacific_war.facts.fighting import KINDS
from domain.pacific_war.facts.wording import at, number

Slot = Literal["core", "screen"]
Role = Literal["strike", "escort", "kamikaze"]


class MoveTF(Decision, frozen=True, tag="move_tf"):
    """P23.6: which task force moves."""

    says: ClassVar[str] = "move [{tf}]"

    tf: str


class SailTo(Decision, frozen=True, tag="sail_to"):
    """P23.6: where the task force goes."""

    node: str

    def words(self) -> str:
        """Say where to."""
        return f"sail to {at(self.node)}"


class MoveGround(Decision, frozen=True, tag="move_ground"):
    """P23.6: move a ground unit one hex."""

    unit: str
    hex: str

    def words(self) -> str:
        """Say who marches, and where to."""
        return f"march with [{self.unit}] to {at(self.hex)}"


class Embark(Decision, frozen=True, tag="embark"):
    """P23.6: which ground unit goes aboard."""

    says: ClassVar[str] = "embark [{ground}]"

    ground: str


class Aboard(Decision, frozen=True, tag="aboard"):
    """P23.6: the task force, or one of its ships, that takes it."""

    says: ClassVar[str] = "aboard [{into}]"

    into: str


class Disembark(Decision, frozen=True, tag="disembark"):
    """P23.6: put a ground unit ashore."""

    says: ClassVar[str] = "put [{ground}] ashore"

    ground: str


class WithdrawGround(Decision, frozen=True, tag="withdraw_ground"):
    """P2.8: leave a hex that the enemy shares."""

    unit: str
    hex: str

    def words(self) -> str:
        """Say who withdraws, and where to."""
        return f"withdraw [{self.unit}] to {at(self.hex)}"


class CommitSearch(Decision, frozen=True, tag="commit_search"):
    """P23.6: let a step of a carrier air group search."""

    says: ClassVar[str] = "search with a step of [{cvg}]"

    cvg: str


class TransferShip(Decision, frozen=True, tag="transfer_ship"):
    """P2.2.2: which ship changes its task force."""

    says: ClassVar[str] = "transfer [{ship}]"

    ship: str


class JoinTF(Decision, frozen=True, tag="join_tf"):
    """P2.2.2: where it goes."""

    says: ClassVar[str] = "to [{tf}], in the {slot}"

    tf: str
    slot: Slot


class NewTF(Decision, frozen=True, tag="new_tf"):
    """P2.2.2: form another task force."""

    node: str

    def words(self) -> str:
        """Say where."""
        return f"form another task force at {at(self.node)}"


class Intercept(Decision, frozen=True, tag="intercept"):
    """P23.6: try to stop the task force that comes."""

    says: ClassVar[str] = "intercept"


class AssignCAP(Decision, frozen=True, tag="assign_cap"):
    """P28.1: steps of an air unit that guard its hex."""

    unit: str
    steps: int

    def words(self) -> str:
        """Say who, and how many."""
        return f"CAP: {number(self.steps, 'step')} of [{self.unit}]"


class DeclareMission(Decision, frozen=True, tag="declare_mission"):
    """P28.2: what is flown, and where from; a ferry and a supply mission name the unit."""

    kind: str
    origin: str

    def words(self) -> str:
        """Say what, and where from."""
        return f"{KINDS[self.kind]}, from [{self.origin}]"


class Target(Decision, frozen=True, tag="target"):
    """P28.2: where it goes."""

    target: str

    def words(self) -> str:
        """Say where."""
        return f"fly to {at(self.target)}"


class AddSteps(Decision, frozen=True, tag="add_steps"):
    """P28.3: steps of an air unit that strike or escort, or dive as kamikaze (P28.13)."""

    unit: str
    role: Role
    steps: int

    def words(self) -> str:
        """Say who, how many and what for."""
        what, ending = f"{number(self.steps, 'step')} of [{self.unit}]", "s" if self.steps == 1 else ""
        if self.role == "kamikaze":
            return f"{what} dive{ending} as kamikaze"
        return f"{what} {self.role}{ending}"


class AddPara(Decision, frozen=True, tag="add_para"):
    """P28.14: a ground unit that drops."""

    says: ClassVar[str] = "drop [{ground}]"

    ground: str


class EndMissions(Decision, frozen=True, tag="end_missions"):
    """P28.2: fly no more in this phase."""

    says: ClassVar[str] = "end the missions"


class AllotStrike(Decision, frozen=True, tag="allot_strike"):
    """P28.5.1: which ship an air unit attacks."""

    says: ClassVar[str] = "[{unit}] attacks [{ship}]"

    unit: str
    ship: str


class WithSteps(Decision, frozen=True, tag="with_steps"):
    """P28.5.1: with how many steps."""

    steps: int

    def words(self) -> str:
        """Say how many."""
        return f"with {number(self.steps, 'step')}"


class AllotRest(Decision, frozen=True, tag="allot_rest"):
    """P0.8: each air unit with all steps left on the carrier, else the ship, with most hits left."""

    says: ClassVar[str] = "all that are left at the best target"


class SimultaneousStrike(Decision, frozen=True, tag="simultaneous_strike"):
    """P28.12: strike back while the enemy's aircraft are in the air."""

    says: ClassVar[str] = "strike at the same time"


class Decline(Decision, frozen=True, tag="decline"):
    """P28.12: do not."""

    says: ClassVar[str] = "decline"


class NextBattle(Decision, frozen=True, tag="next_battle"):
    """P5.2.E: which naval combat is next."""

    node: str

    def words(self) -> str:
        """Say where."""
        return f"next, the battle at {at(self.node)}"


class Engage(Decision, frozen=True, tag="engage"):
    """P29.1: fight."""

    says: ClassVar[str] = "engage"


class Evade(Decision, frozen=True, tag="evade"):
    """P29.1: do not."""

    says: ClassVar[str] = "evade"


class Close(Decision, frozen=True, tag="close"):
    """P29.2 a: come one range nearer."""

    says: ClassVar[str] = "close the range"


class Hold(Decision, frozen=True, tag="hold"):
    """P29.2 a: keep the range."""

    says: ClassVar[str] = "hold the range"


class OpenRange(Decision, frozen=True, tag="open_range"):
    """P29.2 a: go one range farther."""

    says: ClassVar[str] = "open the range"


class BreakOff(Decision, frozen=True, tag="break_off"):
    """P29.2 a: try to end the combat."""

    says: ClassVar[str] = "break off"


class Fire(Decision, frozen=True, tag="fire"):
    """P29.2 b: which ship fires."""

    says: ClassVar[str] = "[{unit}] fires"

    unit: str


class HoldFire(Decision, frozen=True, tag="hold_fire"):
    """P29.2 b: a ship does not fire."""

    says: ClassVar[str] = "[{unit}] holds its fire"

    unit: str


class At(Decision, frozen=True, tag="at"):
    """P29.2 b: at whom, and whether with torpedoes too."""

    target: str
    torpedoes: bool

    def words(self) -> str:
        """Say at whom."""
        target = "the fort" if self.target.startswith("fort:") else f"[{self.target}]"
        return f"at {target}, {'with torpedoes' if self.torpedoes else 'guns alone'}"


class RetreatTF(Decision, frozen=True, tag="retreat_tf"):
    """P29.2.5: where a task force retreats to."""

    tf: str
    node: str

    def words(self) -> str:
        """Say which, and where to."""
        return f"[{self.tf}] retreats to {at(self.node)}"


class Bombard(Decision, frozen=True, tag="bombard"):
    """P29.3: bombard something ashore."""

    tf: str
    target: Literal["ground", "airbase", "port", "fort"]

    def words(self) -> str:
        """Say who and what."""
        what = {"ground": "ground units", "airbase": "the airbase", "port": "the port", "fort": "the fort"}
        return f"[{self.tf}] bombards {what[self.target]}"


Object = Literal["airbase", "port", "osb", "command", "resource"]
OBJECTS: dict[Object, str] = {
    "airbase": "the airbase",
    "port": "the port",
    "osb": "the support base",
    "command": "the Submarine Command",
    "resource": "the resource",
}
"""P30.1: what can be blown up, as it is called."""


class Demolish(Decision, frozen=True, tag="demolish"):
    """P30.1: blow something up."""

    unit: str
    what: Object

    def words(self) -> str:
        """Say who and what."""
        return f"[{self.unit}] blows up {OBJECTS[self.what]}"


class Attack(Decision, frozen=True, tag="attack"):
    """P31.1: attack on the ground."""

    says: ClassVar[str] = "attack"


class NoAttack(Decision, frozen=True, tag="no_attack"):
    """P31.1: do not."""

    says: ClassVar[str] = "do not attack"


class CommitAttacker(Decision, frozen=True, tag="commit_attacker"):
    """P31.2: a unit takes part in the attack."""

    says: ClassVar[str] = "attack with [{unit}]"

    unit: str


class RetreatGround(Decision, frozen=True, tag="retreat_ground"):
    """P31.5: where a unit retreats to."""

    unit: str
    hex: str

    def words(self) -> str:
        """Say who retreats, and where to."""
        return f"[{self.unit}] retreats to {at(self.hex)}"


class Deactivate(Decision, frozen=True, tag="deactivate"):
    """P32.1: a unit stands down."""

    says: ClassVar[str] = "deactivate [{unit}]"

    unit: str


class DeactivateTF(Decision, frozen=True, tag="deactivate_tf"):
    """P32.1: all ships of a task force stand down."""

    says: ClassVar[str] = "deactivate [{tf}]"

    tf: str


class Done(Decision, frozen=True, tag="done"):
    """Enough."""

    says: ClassVar[str] = "done"


class Pass(Decision, frozen=True, tag="pass"):
    """Do nothing."""

    says: ClassVar[str] = "pass"
