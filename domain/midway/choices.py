"""M19.1, continued: choices and their results. The state these facts set is cleared when their step ends."""

from domain.kernel.facts import Fact
from domain.midway.facts import the
from domain.midway.table import Open

TYPES = {"D": "dive bombers", "T": "torpedo bombers"}


class Targeted(Fact, frozen=True):
    """A bomber group was told which carrier to attack (M7.3)."""

    group: str
    ship: str

    def apply(self, open: Open) -> None:
        """Set the target."""
        open.groups[self.group].target = self.ship

    def words(self) -> str:
        """Say which."""
        return f"[{self.group}] will attack [{self.ship}]"


class Committed(Fact, frozen=True):
    """A CAP group was committed against `fighters` or `bombers` (M6.2)."""

    group: str
    purpose: str

    def apply(self, open: Open) -> None:
        """Set the purpose."""
        open.groups[self.group].committed = self.purpose

    def words(self) -> str:
        """Say against what."""
        return f"[{self.group}] attacks the {'escorts' if self.purpose == 'fighters' else self.purpose}"


class HitsDesignated(Fact, frozen=True):
    """So many hits are now designated to one type of bomber (M6.9)."""

    plane_type: str
    hits: int

    def apply(self, open: Open) -> None:
        """Set the number for this type."""
        open.designated[self.plane_type] = self.hits

    def words(self) -> str:
        """Say that one more goes to them, and how many that makes."""
        return f"One hit goes to the {TYPES[self.plane_type]}, {self.hits} in all"


class SearchAssigned(Fact, frozen=True):
    """A group joined a search group (M12.4)."""

    group: str
    search_group: int

    def apply(self, open: Open) -> None:
        """Set the search group."""
        open.groups[self.group].search_group = self.search_group

    def words(self) -> str:
        """Say which."""
        return f"[{self.group}] flies with search group {self.search_group}"


class FleetFound(Fact, frozen=True):
    """A search group found the enemy fleet; the groups in `held` do not move in this step (M12.6)."""

    side: int
    search_group: int
    held: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Mark the fleet as found, and the others as having moved."""
        japan, united_states = open.found
        open.found = (True, united_states) if self.side == 0 else (japan, True)
        for name in self.held:
            open.groups[name].moved = True

    def words(self) -> str:
        """Say who found it."""
        return f"Search group {self.search_group} of {the(self.side)} finds the enemy fleet"


class LossProposed(Fact, frozen=True):
    """The admiral proposes that a group lose so many strength points (M14.6)."""

    group: str
    points: int

    def apply(self, open: Open) -> None:
        """Set the proposal for this group."""
        open.groups[self.group].proposed = self.points

    def words(self) -> str:
        """Say that one more is proposed, and how many that makes."""
        return f"The admiral proposes that [{self.group}] lose one SP, {self.points} in all"


class ProposalAnswered(Fact, frozen=True):
    """A seat accepted or refused the admiral's proposal (M14.6)."""

    seat: int
    accepted: bool

    def words(self) -> str:
        """Say the answer."""
        return f"[seat:{self.seat}] {'accepted' if self.accepted else 'refused'} the proposal"


class ProposalSettled(Fact, frozen=True):
    """The proposal takes effect, or the hits are split evenly instead (M14.6)."""

    side: int
    accepted: bool

    def apply(self, open: Open) -> None:
        """Take the proposal off the table."""
        for group in open.groups.values():
            if group.side == self.side:
                group.proposed = 0

    def words(self) -> str:
        """Say which."""
        return (
            "The proposal is accepted by all"
            if self.accepted
            else "The hits are split evenly between the seats"
        )
