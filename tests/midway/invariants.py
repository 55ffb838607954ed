"""M19.3: what must hold on the board after every fact. The fuzzer of all titles calls `invariants`."""

from collections.abc import Iterator

from domain.kernel.facts import Fact
from domain.midway.charts import DECK_LIMIT, LAND_LIMIT, SUNK_AT
from domain.midway.facts import GroupMoved, Repaired, TurnStarted
from domain.midway.table import Group, Open, on_deck, strength

BOXES = {"MOVING", "READY", "ATTACKING", "HOME", "WAITING", "LOST"}
ATTACKING_STEPS = (range(3, 8), range(4, 9))


def invariants(open: Open) -> Iterator[str]:
    """Yield a sentence for each invariant that is broken (items 1, 3, 4, 5, 6, 7)."""
    for name, group in open.groups.items():
        yield from _place(open, name, group)
        if (group.strength == 0) != (group.place == "LOST") or not 0 <= group.strength <= group.full:
            yield f"1: {name} has strength {group.strength} in {group.place}"
        if group.place == "ATTACKING" and open.steps and open.steps[0] not in ATTACKING_STEPS[group.side]:
            yield f"6: {name} is in ATTACKING in step {open.steps[0]}"
        if group.place in {"READY", "ATTACKING"} and not open.found[group.side]:
            yield f"7: {name} is in {group.place} before the fleet is found"
    for ship, carrier in open.carriers.items():
        if strength(open, on_deck(open, ship)) > DECK_LIMIT:
            yield f"4: too much on the deck of {ship}"
        if not 0 <= carrier.damage <= SUNK_AT:
            yield f"5: {ship} has damage {carrier.damage}"


def _place(open: Open, name: str, group: Group) -> Iterator[str]:
    box, _, detail = group.place.partition(":")
    if box in {"HANGAR", "DECK"}:
        carrier = open.carriers.get(detail)
        if carrier is None or carrier.side != group.side or carrier.damage >= SUNK_AT:
            yield f"3: {name} is aboard {detail}"
    elif box == "CAP":
        if group.type != "F" or not 1 <= int(detail) <= open.options.cap_rings:
            yield f"3: {name} is in {group.place}"
    elif group.place not in BOXES:
        yield f"1: {name} is in {group.place}"


class Watch:
    """The invariants that compare one moment with another (items 2, 4, 5)."""

    def __init__(self) -> None:
        self.strength: dict[str, int] = {}
        self.damage: dict[str, int] = {}
        self.landed: dict[str, int] = {}
        self.repaired: set[str] = set()

    def broken(self, open: Open, fact: Fact) -> Iterator[str]:
        """Take note of a fact that has just been folded; yield a sentence for each invariant it breaks."""
        yield from self.landings(open, fact)
        yield from self.repairs(fact)
        now = {name: group.strength for name, group in open.groups.items()}
        if any(now[name] > was for name, was in self.strength.items()):
            yield "2: strength rises"
        self.strength = now
        for ship, carrier in open.carriers.items():
            was = self.damage.get(ship, 0)
            if was - carrier.damage > (0 if was == SUNK_AT else 1):
                yield f"5: the damage of {ship} falls from {was} to {carrier.damage}"
            self.damage[ship] = carrier.damage

    def landings(self, open: Open, fact: Fact) -> Iterator[str]:
        """Item 4: no carrier takes in more than 20 SP in a landing step."""
        if isinstance(fact, TurnStarted):
            self.landed.clear()
        elif isinstance(fact, GroupMoved) and fact.origin == "WAITING":
            self.landed[fact.to] = self.landed.get(fact.to, 0) + open.groups[fact.group].strength
            if self.landed[fact.to] > LAND_LIMIT:
                yield f"4: {fact.to} takes in {self.landed[fact.to]}"

    def repairs(self, fact: Fact) -> Iterator[str]:
        """Item 5: damage falls by at most 1 per carrier and turn."""
        if isinstance(fact, TurnStarted):
            self.repaired.clear()
        elif isinstance(fact, Repaired):
            if fact.ship in self.repaired:
                yield f"5: {fact.ship} is repaired twice in a turn"
            self.repaired.add(fact.ship)
