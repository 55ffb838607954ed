"""How facts name sides, counts and units in a sentence. Ids stand in brackets, a unit or two by name."""

from calendar import month_name
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from domain.pacific_war.board.charts import ALLIES, AT, BOXES, SHIPS, SIDES
from domain.pacific_war.board.printed import NavalClass
from domain.pacific_war.board.table import Air, Contents, Ground, Ship, at_base

FEW = 2
"""So many units in a place are named, more are counted."""

CALLED: dict[NavalClass, str] = {
    "CV": "carrier",
    "CVL": "carrier",
    "CVE": "carrier",
    "BB": "battleship",
    "BC": "battleship",
    "CA": "cruiser",
    "CL": "cruiser",
    "DD": "destroyer",
    "CVS": "seaplane tender",
    "AA": "transport",
}
"""P2.2.1: a class of ships, as it is counted in a sentence, in the order in which classes are told."""


def the(side: int) -> str:
    """Return a side within a sentence: `[side:0]`; `Game.words` gives it its article."""
    return f"[side:{side}]"


def whose(side: int) -> str:
    """Return a side as an owner: `Japan's`, `the Allies'`."""
    return f"{the(side)}'" if side == ALLIES else f"{the(side)}'s"


def at(place: str) -> str:
    """Return a place in a sentence: a hex or a node by the location in it, or by its number if it has none.

    Locations and task forces are in brackets: `[lae]`, `hex 4338`, `hex 4641, coast c`.
    """
    if not place[:4].isdigit():
        return f"[{place}]"
    spot, coast = place[:4], place[4:]
    name = f"[{AT[spot]}]" if spot in AT else f"hex {spot}"
    return f"{name}, coast {coast}" if coast else name


def spelled(month: str) -> str:
    """Return a month in words: `August 1942` for `1942-08`; what is no month, as in battles, as it is."""
    return f"{month_name[int(month[5:])]} {month[:4]}" if month[5:].isdigit() else month


def does(side: int, verb: str) -> str:
    """Return a side with what it does, in the number of its name: `Japan sails`, `the Allies sail`."""
    if side == ALLIES:
        return f"{the(side)} {verb}"
    return f"{the(side)} {'has' if verb == 'have' else f'{verb}s'}"


def number(count: int, word: str) -> str:
    """Return a count with its word: `1 step`, `2 steps`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def hexes(count: int) -> str:
    """Return a count of hexes: `1 hex`, `2 hexes`."""
    return f"{count} {'hex' if count == 1 else 'hexes'}"


def listed(ids: Iterable[str]) -> str:
    """Return ids in brackets, one after the other."""
    return ", ".join(f"[{one}]" for one in ids)


def either(acts: Sequence[str]) -> str:
    """Return what one may choose from: `march`, `move task forces, march or embark`; empty for nothing."""
    return " or ".join(part for part in (", ".join(acts[:-1]), *acts[-1:]) if part)


def few(ids: Sequence[str], word: str) -> str:
    """Return a unit or two by name, more by their number."""
    return listed(ids) if len(ids) <= FEW else number(len(ids), word)


def kinds(ships: Iterable[str]) -> str:
    """Return how many ships of each kind there are: `2 carriers, 3 cruisers`, or `no ship`."""
    counts = Counter(CALLED[SHIPS[ship].cls] for ship in ships)
    rows = [number(counts[word], word) for word in dict.fromkeys(CALLED.values()) if counts[word]]
    return ", ".join(rows) or "no ship"


def side_of(tf: str) -> int:
    """Return whose marker a task force has, by its letter."""
    return next(side for side, name in enumerate(SIDES) if tf.startswith(name[0]))


def standing(
    contents: Mapping[str, Contents],
    ships: Mapping[str, Ship],
    air: Mapping[str, Air],
    ground: Mapping[str, Ground],
) -> dict[str, str]:
    """Return places to what is there: task forces (`[J1]`) with all they hold, then what is elsewhere."""
    home = {ship: f"[{tf}]" for tf, inside in contents.items() for ship in inside.ships}
    rows = {f"[{tf}]": [kinds(inside.ships)] for tf, inside in contents.items()}
    afloat = {ship: _berth(one) for ship, one in ships.items() if ship not in home}
    for place, units in _gathered(afloat):
        rows.setdefault(place, []).append(_ships(units, ships))
    for place, units in _gathered({unit: home.get(one.home) or _base(one) for unit, one in air.items()}):
        rows.setdefault(place, []).append(_steps(units, air, "air unit"))
    for place, units in _gathered({unit: _hold(one, home) or _spot(one) for unit, one in ground.items()}):
        rows.setdefault(place, []).append(_steps(units, ground, "ground unit"))
    return {place: ", ".join(told) for place, told in rows.items()}


def _gathered(places: Mapping[str, str]) -> Iterable[tuple[str, list[str]]]:
    """Return the units in each place."""
    there: dict[str, list[str]] = {}
    for unit, place in places.items():
        there.setdefault(place, []).append(unit)
    return there.items()


def _berth(ship: Ship) -> str:
    return f"in [{ship.tf}]" if ship.tf else f"in port at [{ship.port}]" if ship.port else "gone"


def _base(air: Air) -> str:
    where = "at" if at_base(air.home) or air.home in BOXES else "aboard"
    return f"{where} [{air.home}]" if air.home else "gone"


def _hold(ground: Ground, home: Mapping[str, str]) -> str:
    """Return the task force that a ground unit is aboard of, or a ship, or an empty string."""
    ship = next(iter(ground.aboard), "")
    return home.get(ship, f"aboard [{ship}]") if ship else ""


def _spot(ground: Ground) -> str:
    return f"at {at(ground.hex)}" if ground.hex else "gone"


def _ships(ships: Sequence[str], stand: Mapping[str, Ship]) -> str:
    """Return a ship or two by name with their hits, more by their kinds."""
    if len(ships) > FEW:
        return kinds(ships)
    hits = {ship: stand[ship].damage for ship in ships}
    return ", ".join(f"[{ship}]" + (f" ({number(n, 'hit')})" if n else "") for ship, n in hits.items())


def _steps(units: Sequence[str], stand: Mapping[str, Air] | Mapping[str, Ground], word: str) -> str:
    """Return a unit or two by name with their steps, more by their number and the steps of all."""
    if len(units) > FEW:
        return f"{number(len(units), word)} of {number(sum(stand[unit].steps for unit in units), 'step')}"
    return ", ".join(f"[{unit}]{_marks(stand[unit])}" for unit in units)


def _marks(unit: Air | Ground) -> str:
    """Return what is left of a unit, and its marks: nothing of one that is gone."""
    if not unit.steps:
        return ""
    steps = number(unit.steps, "step")
    if isinstance(unit, Air):
        return f" ({steps} of level {unit.level})"
    marks = [mark for mark, on in (("Broken", unit.broken), ("Landing", unit.landing)) if on]
    return f" ({', '.join([steps, *marks])})"
