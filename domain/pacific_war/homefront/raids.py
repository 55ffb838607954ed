"""P8.1, P8.2 Strategic bombing (5.1.C): where the points stand, and which raids are sent."""

from functools import cache

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.combat import month
from domain.pacific_war.board.table import Open, Own, Sight, Table
from domain.pacific_war.board.weather import NORTH
from domain.pacific_war.command.links import linked, tell_links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_war import BombingPoints, Mode, SendRaid
from domain.pacific_war.facts.homefront import BombersAre, HomelandIs
from domain.pacific_war.facts.months import war
from domain.pacific_war.homefront.collapse import HOMELAND
from domain.pacific_war.homefront.strategic_bombing import MODES, allowed, lowered, raids

_BOXED = TABLES["strategic_bombing"]["from_boxes"]
CHENGTU = "chengtu"
CHENGTU_MOST: int = _BOXED[CHENGTU]["max_points"]
CHENGTU_REACHES: tuple[str, ...] = tuple(_BOXED[CHENGTU]["reaches"])
REACH: int = TABLES["strategic_bombing"]["ranges_hexes"]["strategic_bombing_point"]
LEAST, A_SIZE = 3, 8
"""P8.1: the size of an airbase that takes bombing points, and how many for each of its size."""


@cache
def targets(base: str) -> frozenset[str]:
    """Return the locations of the homeland that bombers at a base, or in the box, reach (P8.2)."""
    if base == CHENGTU:
        return frozenset(CHENGTU_REACHES)
    here = LOCATIONS[base].hex
    return frozenset(place for place in HOMELAND if distance(here, LOCATIONS[place].hex) <= REACH)


def capacity(open: Open, own: Own, base: str) -> int:
    """Return how many bombing points a base may hold in all, by the links that were told (P8.1)."""
    if base == CHENGTU:
        return CHENGTU_MOST
    now = open.bases[base]
    fit = now.control == ALLIES and now.airbase >= LEAST and linked(own, LOCATIONS[base].hex)
    return A_SIZE * now.airbase if fit else 0


def flyable(open: Open, mode: Mode) -> bool:
    """Return whether a mode may be flown this month: precision not into foul weather (P8.2, P6.3)."""
    return allowed(mode, month(open)) and not (mode == MODES[0] and NORTH in war(open).foul)


def bombing(open: Open) -> int:
    """Return the Strategic Bombing Points that the Allies have in all."""
    return sum(war(open).bombers.values()) + war(open).grounded


def evacuate(table: Table, place: str) -> None:
    """Let bombers leave a base that is captured, for the box and then for bases with room (P2.6)."""
    board = war(table.open)
    rest = board.bombers.get(place, 0)
    if not rest:
        return
    now = {base: points for base, points in board.bombers.items() if base != place}
    bases = [base for base in sorted(table.open.bases) if base != place]
    for base in (CHENGTU, *bases):
        moved = min(rest, max(0, capacity(table.open, table.own[ALLIES], base) - now.get(base, 0)))
        if moved:
            now[base] = now.get(base, 0) + moved
            rest -= moved
    table.record(BombersAre(now, board.grounded, "after a base is lost"))


class StrategicBombing(Procedure):
    """P8 STRATEGIC BOMBING."""

    groups: dict[str, dict[str, int]] = {}  # noqa: RUF012 a Struct copies its defaults
    """Mode to base to the points that fly."""
    picked: str = ""
    """`base:mode` whose points are to be picked."""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell the Allies their links: those of Iwo Jima count (P8.3)."""
        tell_links(table, ALLIES)

    @ask("8.2", by="allies")
    def send(self, sight: Sight) -> list[Decision]:
        """Send bombers to raid Japan, or be done."""
        if self.picked:
            base = self.picked.partition(":")[0]
            return [BombingPoints(n + 1) for n in range(self.left(sight.open, base))]
        found = [
            SendRaid(base, mode)
            for base in sorted(war(sight.open).bombers)
            if self.left(sight.open, base)
            and any(sight.open.bases[place].control == JAPAN for place in targets(base))
            for mode in MODES
            if flyable(sight.open, mode) and base not in self.groups.get(mode, {})
        ]
        return [*found, Done()] if found else []

    @send.chosen
    def _(self, _table: Table, decision: SendRaid | BombingPoints | Done) -> Flow:
        match decision:
            case SendRaid(base, mode):
                self.picked = f"{base}:{mode}"
            case BombingPoints(points):
                base, _, how = self.picked.partition(":")
                self.groups = self.groups | {how: self.groups.get(how, {}) | {base: points}}
                self.picked = ""
            case Done():
                return None
        return self.send

    @step("8.3")
    def fly(self, table: Table) -> None:
        """Let the raids fly; what they lose and what they do is known to all."""
        given: dict[Mode, dict[str, int]] = {mode: self.groups.get(mode, {}) for mode in MODES}
        for flown, raid in raids(table, given).items():
            board = war(table.open)
            stand = {base: points - raid.lost.get(base, 0) for base, points in board.bombers.items()}
            left = {base: points for base, points in stand.items() if points}
            table.record(BombersAre(left, board.grounded, f"after a {flown} raid"))
            level, ships = lowered(board.hrl, raid.hrl), max(0, board.msp - raid.msp)
            table.record(HomelandIs(msp=ships, hrl=level, why=f"after a {flown} raid"))

    def left(self, open: Open, base: str) -> int:
        """Return how many points of a base have not been sent yet."""
        sent = sum(group.get(base, 0) for group in self.groups.values())
        return war(open).bombers.get(base, 0) - sent

    @property
    def allies(self) -> int:
        """The Allies are asked."""
        return ALLIES
