"""All projections that a server keeps up to date, in the order in which they are built anew.

Deliberately absent: what each of them is, which its own module says.
"""

from typing import Any, Final

from projections.audit import Audit
from projections.chronicle import Chronicles
from projections.positions import Positions
from projections.projection import Projection
from projections.punctuality import Punctuality
from projections.ratings import Ratings
from projections.seat_luck import SeatLuck
from projections.spells import Turns
from projections.standings import Standings

PROJECTIONS: Final[tuple[Projection[Any], ...]] = (
    Standings(),
    Audit(),
    Positions(),
    Chronicles(),
    Ratings(),
    Turns(),
    Punctuality(),
    SeatLuck(),
)
