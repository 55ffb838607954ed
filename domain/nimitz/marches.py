"""Facts of Japan's forces outside battles. The reasons are in `automaton`, the acts of the US in `facts`."""

from domain.kernel.facts import Fact
from domain.nimitz.facts import listed, place, told
from domain.nimitz.table import JA_BN, JA_RE, JAPAN, Force, Open


class HeldBack(Fact, frozen=True):
    """N5.1, N5.2: Japanese forces may not move this turn."""

    forces: tuple[str, ...]
    area: str
    why: str
    rule: str

    def apply(self, open: Open) -> None:
        """Mark them."""
        for name in self.forces:
            open.forces[name].moved = True

    def words(self) -> str:
        """Say why."""
        return f"{listed(self.forces)} in {place(self.area)} may not move: {self.why} ({self.rule})"


class CounterIs(Fact, frozen=True):
    """N7.2: the Japanese resupply counter stands here now."""

    counter: int
    why: str

    def apply(self, open: Open) -> None:
        """Set it."""
        open.counter = self.counter

    def words(self) -> str:
        """Say why."""
        return f"The Japanese resupply counter stands at {self.counter}: {self.why}"


class Ordered(Fact, frozen=True):
    """N7.4, N7.5: an order is tried in an area."""

    area: str
    order: str
    why: str

    def words(self) -> str:
        """Say why this one."""
        return f"[{self.order}] is tried in {place(self.area)}: {self.why}"


class NotPerformed(Fact, frozen=True):
    """N7.5: an order cannot be performed."""

    area: str
    order: str
    why: str

    def words(self) -> str:
        """Say why not."""
        return f"[{self.order}] cannot be performed in {place(self.area)}: {self.why}"


class AutoHeld(Fact, frozen=True):
    """N7.4: the automatic HOLD of an objective is used up this turn."""

    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.auto_held.append(self.area)

    def words(self) -> str:
        """Say where."""
        return f"In {place(self.area)}, an objective, the first order is an automatic HOLD"


class OrderDone(Fact, frozen=True):
    """N7.5: an order was performed: who stayed, and who went where."""

    area: str
    order: str
    stayed: tuple[str, ...] = ()
    went: tuple[str, ...] = ()
    to: str = ""
    to_japan: tuple[str, ...] = ()
    """Aircraft that went to Japan instead."""
    aboard: tuple[str, ...] = ()
    """Those of them that are on transports now."""

    def apply(self, open: Open) -> None:
        """Move and mark them."""
        for names, to in ((self.went, self.to), (self.to_japan, JAPAN)):
            for name in names:
                force = open.forces[name]
                force.place, force.moved, force.arrived = to, True, True
                force.aboard = name in self.aboard
        for name in self.stayed:
            open.forces[name].moved = True

    def words(self) -> str:
        """Say who did what."""
        parts = []
        if self.stayed:
            parts.append(told(self.stayed, "holds", "hold"))
        if self.went:
            parts.append(f"{told(self.went, 'goes', 'go')} to {place(self.to)}")
        if self.to_japan:
            parts.append(f"{told(self.to_japan, 'goes', 'go')} to [{JAPAN}]")
        return f"[{self.order}] in {place(self.area)}: {'; '.join(parts)}"


class BattalionsCame(Fact, frozen=True):
    """N1.14: Japanese battalions came from their box."""

    forces: tuple[str, ...]
    area: str
    aboard: bool
    arrived: bool
    why: str

    def apply(self, open: Open) -> None:
        """Put them there."""
        for name in self.forces:
            open.forces[name] = Force(self.area, aboard=self.aboard, moved=self.arrived, arrived=self.arrived)

    def words(self) -> str:
        """Say where and why."""
        how = " on transports" if self.aboard else ""
        return f"{told(self.forces, 'comes', 'come')} to {place(self.area)}{how}: {self.why}"


class Returned(Fact, frozen=True):
    """A Japanese force went, full, to the end of the returned queue of its kind (N10.13, N14, N19.2)."""

    force: str
    kind: str
    why: str

    def apply(self, open: Open) -> None:
        """Put it there."""
        open.forces[self.force] = Force(JA_RE)
        open.returned[self.kind].append(self.force)

    def words(self) -> str:
        """Say why, unless that has been said."""
        return f"[{self.force}] returns to {place(f'JA_RE_{self.kind}')}{f', {self.why}' if self.why else ''}"


class BattalionBack(Fact, frozen=True):
    """A Japanese battalion went back to its box (N1.14)."""

    force: str
    why: str

    def apply(self, open: Open) -> None:
        """Put it there."""
        open.forces[self.force] = Force(JA_BN)

    def words(self) -> str:
        """Say why."""
        return f"[{self.force}] goes back to the [JA_BN], {self.why}"


class Reinforced(Fact, frozen=True):
    """N13.4: a force of the reinforcements appeared, full, in Japan."""

    force: str
    kind: str

    def apply(self, open: Open) -> None:
        """Put it there."""
        open.forces[self.force] = Force(JAPAN)
        if self.force in open.returned[self.kind]:
            open.returned[self.kind].remove(self.force)

    def words(self) -> str:
        """Say which."""
        return f"[{self.force}] appears in [{JAPAN}]"
