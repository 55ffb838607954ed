"""P33.3, P33.4 The end of a strategic scenario: collapse, surrender, automatic victory of Japan.

What goes in is given; when it is asked, and how the game ends by it, is in `war_victory`.
"""

from collections.abc import Collection
from typing import Any, Final

from msgspec import Struct

from domain.pacific_war.board.atlas import within
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.table import Open, Own, Table, fit, printed
from domain.pacific_war.command.links import linked

_COLLAPSE: dict[str, Any] = TABLES["collapse"]
FIRST_MONTH: Final[str] = _COLLAPSE["first_month"]
HOMELAND: Final = frozenset(place for place, one in LOCATIONS.items() if one.homeland)
FEW_CARRIERS, FEW_BATTLESHIPS = 2, 3
BOMBS, BOMB_BASE, BOMB_REACH = 5, 3, 18
"""P33.4: atomic bombs need so many bombing points, an airbase of this size, within these hexes of Japan."""
ENOUGH, SURRENDER = 13, 22
"""P33.4: points from which a die is rolled, and what die and points together must reach."""
HOLDING_OUT = 12
"""P33.4: from so many points on a war without surrender is no more than a marginal victory of Japan."""

BASTION = "pearl_harbor"
CAPITALS = ("sydney", "brisbane", "auckland", "calcutta", "colombo")
OUTPOSTS = (
    "midway",
    "port_moresby",
    "noumea",
    "suva",
    "samoa",
    "darwin",
    "townsville",
    "espiritu_santo",
    "guadalcanal",
    "dutch_harbor",
    "trincomalee",
)
TWO, FIVE = 2, 5
OUTPOSTS_SINCE, AUTOMATIC_UNTIL = "1942-12", "1943-12"
"""P33.3: outposts count from the end of this month on, and nothing after the other one."""


class Standing(Struct, frozen=True):
    """P33.4 How Japan stands at a month end."""

    hrl: int
    msp: int
    allied: frozenset[str]
    """Locations that the Allies control."""
    carriers: int
    """Japan's uncrippled CV and CVL."""
    battleships: int
    """Japan's uncrippled BB."""
    bombs: bool = False
    """Whether the Allies can drop atomic bombs."""


def points(date: str, now: Standing) -> int:
    """Return the collapse points of a month end (P33.4): none before the first month."""
    if date < FIRST_MONTH:
        return 0
    bombs, soviets = _COLLAPSE["atomic_bombs"], _COLLAPSE["soviet_entry"]
    counted: list[tuple[int, bool]] = [
        *((worth, set(places.split("+")) <= now.allied) for places, worth in _COLLAPSE["locations"].items()),
        *((_COLLAPSE["homeland_location"], place in now.allied) for place in HOMELAND),
        (_COLLAPSE["jp_carriers_uncrippled_at_most_2"], now.carriers <= FEW_CARRIERS),
        (_COLLAPSE["jp_battleships_uncrippled_at_most_3"], now.battleships <= FEW_BATTLESHIPS),
        (bombs["points"], now.bombs and date >= bombs["from"]),
        (soviets["points"], date >= soviets["from"]),
    ]
    shipping = max((int(row["points"]) for row in _COLLAPSE["msp"] if now.msp <= row["at_most"]), default=0)
    return (20 - now.hrl) // 4 + shipping + sum(worth for worth, counts in counted if counts)


def fleet(open: Open, own: Own) -> tuple[int, int]:
    """Return Japan's uncrippled carriers, CV and CVL, and its uncrippled battleships, BB (P33.4).

    Those in the Penalty box are among them: they come back (P20.2.3).
    """
    classes = [
        printed(open, ship).cls
        for ship, one in own.ships.items()
        if (one.tf or one.port or ship in own.means.penalty) and fit(open, own, ship)
    ]
    return sum(cls in ("CV", "CVL") for cls in classes), classes.count("BB")


def can_bomb(open: Open, own: Own, bombing: int) -> bool:
    """Return whether the Allies can drop atomic bombs, with so many bombing points in all (P33.4).

    They need a great airbase near Japan that is Linked by what they were told.
    """
    near = frozenset[str]().union(*(within(LOCATIONS[place].hex, BOMB_REACH) for place in HOMELAND))
    return bombing >= BOMBS and any(
        base.control == ALLIES
        and base.airbase >= BOMB_BASE
        and LOCATIONS[place].hex in near
        and linked(own, LOCATIONS[place].hex)
        for place, base in open.bases.items()
    )


def surrenders(table: Table, collapse: int) -> bool:
    """Return whether Japan surrenders at a month end (P33.4): an open die from 13 points on."""
    if collapse < ENOUGH:
        return False
    need = SURRENDER - collapse
    return d10(table, "surrender", by=JAPAN, target=f"{need} or more") >= need


def level_of_surrender(date: str) -> str:
    """Return the level when Japan surrenders in a month (P33.4)."""
    levels = _COLLAPSE["levels"]
    found: str = next(row["result"] for row in levels if date <= row["until"])
    return found.partition(" (")[0]


def level_without(collapse: int) -> str:
    """Return the level when Japan has not surrendered at the end of the war (P33.4)."""
    left = _COLLAPSE["no_surrender"]
    result: str = left["points_12_or_more"] if collapse >= HOLDING_OUT else left["fewer"]
    return result


def automatic(date: str, japanese: Collection[str]) -> bool:
    """Return whether Japan wins by the locations that it controls at a month end (P33.3)."""
    if date > AUTOMATIC_UNTIL:
        return False
    return at_once(date, japanese) or (
        date >= OUTPOSTS_SINCE and len(frozenset(japanese).intersection(OUTPOSTS)) >= FIVE
    )


def at_once(date: str, japanese: Collection[str]) -> bool:
    """Return whether Japan wins by the locations that it controls at any moment of a month (P33.3)."""
    held = frozenset(japanese)
    return date <= AUTOMATIC_UNTIL and (BASTION in held or len(held.intersection(CAPITALS)) >= TWO)
