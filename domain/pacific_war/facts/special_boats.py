"""P34 What happens to the special submarine pieces, which are in sight of all."""

from typing import ClassVar

from domain.kernel.facts import Fact
from domain.pacific_war.board.table import Open
from domain.pacific_war.board.war import SpecialBoat
from domain.pacific_war.facts.months import war
from domain.pacific_war.facts.wording import at


class BoatIs(Fact, frozen=True):
    """P34.1, P34.2 A special submarine has come, moved, struck or been hit; `why` is the predicate."""

    reveals: ClassVar[bool] = True

    piece: str
    boat: SpecialBoat
    why: str

    def apply(self, open: Open) -> None:
        """Put it there."""
        board = war(open)
        board.special = board.special | {self.piece: self.boat}

    def words(self) -> str:
        """Say what it did, and where it is."""
        return f"[{self.piece}] {self.why}, at {at(self.boat.node)}"


class BoatHunted(Fact, frozen=True):
    """P34.1 A task force has hunted a special submarine."""

    reveals: ClassVar[bool] = True

    piece: str
    side: int
    hit: bool

    def words(self) -> str:
        """Say with what result."""
        return f"[side:{self.side}] hunts [{self.piece}] {'and hits' if self.hit else 'in vain'}"
