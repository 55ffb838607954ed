"""P40 Decisions about the special submarine pieces (P34)."""

from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.pacific_war.facts.wording import at


class MoveBoat(Decision, frozen=True, tag="move_boat"):
    """P34.1: which special submarine moves; where to must follow."""

    says: ClassVar[str] = "move [{piece}]"

    piece: str


class HuntSubmarine(Decision, frozen=True, tag="hunt_submarine"):
    """P34.1: which task force hunts the special submarine."""

    says: ClassVar[str] = "hunt with [{tf}]"

    tf: str


class OpenSeaplaneBase(Decision, frozen=True, tag="open_seaplane_base"):
    """P34.1: where a special submarine opens a seaplane base."""

    hex: str

    def words(self) -> str:
        """Say where."""
        return f"open a seaplane base at {at(self.hex)}"


class STOStrike(Decision, frozen=True, tag="sto_strike"):
    """P34.2: what the aircraft of a submarine strike: a ship, or the port or airbase of a place."""

    piece: str
    kind: Literal["strike_tf", "strike_port", "strike_airbase"]
    target: str

    def words(self) -> str:
        """Say which, and at what."""
        what = {"strike_port": "the port of ", "strike_airbase": "the airbase of "}.get(self.kind, "")
        return f"let [{self.piece}] strike {what}[{self.target}]"
