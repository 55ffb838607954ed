"""Makes the table as pages and bots get it (`domain.coral_sea.shown`) from the ledgers."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec import structs

from domain.coral_sea import shown
from domain.coral_sea.airfields import has_airfield, works
from domain.coral_sea.cards import timing
from domain.coral_sea.charts import (
    AREAS,
    CARDS,
    CHARTS,
    CHITS,
    ISLANDS,
    LEADERS,
    OWNERS,
    SIDE_NAMES,
    UNITS,
    VP_SITES,
)
from domain.coral_sea.printed import SIDES, Area, SideId
from domain.coral_sea.reactions import (
    AFTER_ACTION,
    BATTLE_DRAWN,
    BATTLE_START,
    CHECK_FAILED,
    CHIT_REVEALED,
    OP_END,
    OP_OPEN,
)
from domain.coral_sea.table import (
    Battle,
    Check,
    Fortress,
    HiddenStack,
    Move,
    Open,
    Operation,
    Own,
    Unit,
    controlled,
)
from domain.coral_sea.units import cohesion, movement, tactics
from domain.coral_sea.victory import points, sites
from domain.match.game import told_apart
from domain.match.parts import Part, Parts

T = TypeVar("T")

_NEXT: dict[str, dict[str, str]] = {area: {} for area in AREAS}
for _edge in CHARTS.edges:
    _NEXT[_edge.a][_edge.b] = _NEXT[_edge.b][_edge.a] = _edge.kind

PRINTED_AREAS = {
    area.id: shown.Area(
        name=area.name,
        kind=area.kind,
        x=area.x,
        y=area.y,
        urban=area.urban,
        port=area.port,
        mountain=area.mountain,
        island=area.island or "",
        next=_NEXT[area.id],
    )
    for area in AREAS.values()
}
"""The areas as they are printed."""

PRINTED_UNITS = {
    name: shown.Unit(
        name=counter.name,
        side=counter.side,
        nationality=counter.nationality,
        domain=counter.domain,
        type=counter.type,
        status="",
        points=counter.vp_if_destroyed,
        truk=counter.truk_fleet,
    )
    for name, counter in UNITS.items()
}
"""What is printed on a unit's counter on both sides."""

SEQUENCE_OF_PLAY = tuple(
    shown.StepOfPlay(step=step, rule=rule, name=name, within=within)
    for step, rule, name, within in (
        ("choice", "C5.2", "Secret choice of Card or Map", ""),
        ("opening", "C7.1", "Open an operation", ""),
        ("operation", "C7.2", "Operation: one action after the other", ""),
        ("march", "C8.4", "Ground move", "operation"),
        ("sail", "C9.3", "Naval move", "operation"),
        ("battle", "C12.7", "Battle: chits in turn", "operation"),
        ("cards", "C5.6", "Card actions", ""),
    )
)
"""The steps of a sequence (C5), for whoever draws it; moves and battles are part of an operation."""

WINDOWS = {
    OP_OPEN: "An operation is open, before its first action",
    AFTER_ACTION: "An action is complete",
    OP_END: "The operation ends",
    BATTLE_START: "A battle begins, before cups are filled",
    BATTLE_DRAWN: "After both first draws",
    CHIT_REVEALED: "A chit is shown, before it takes effect",
    CHECK_FAILED: "A cohesion check has failed, before the result",
}
"""When cards may be played in reaction (C6.5)."""


def view(open: Open, parts: Parts) -> Part:
    """Return what onlookers see."""
    if not open.units and not open.scenario:
        return Part()
    return shown.Table(
        scenario=open.scenario,
        options=open.options,
        sequence=open.sequence,
        step=_step(open, open.move),
        sequence_of_play=SEQUENCE_OF_PLAY,
        initiative=parts.same(_initiative(open)),
        areas=parts.each(
            _area,
            AREAS,
            open.control,
            open.airfields,
            open.damaged,
            open.suppressed,
            *open.rp,
            open.fortresses,
            open.sieges,
        ),
        units=parts.each(_unit, open.units),
        stacks=parts.one(_stacks, tuple(open.units), parts.each(_place, open.units), open.stacks),
        sites=parts.one(_sites, open.control),
        points=parts.one(_points, open.control, open.destroyed_points, open.bonus),
        tracks=parts.one(
            _tracks,
            open.control,
            open.hands,
            open.decks,
            open.discards,
            open.played,
            open.counters,
            open.destroyed_points,
            open.bonus,
            open.fallen,
        ),
        permanent=parts.one(_cards, tuple(open.permanent), open.permanent),
        committed=tuple([SIDES[side] for side in (0, 1) if open.committed[side]]),
        modes=parts.one(_by_side, *open.modes) if open.modes else None,
        operation=parts.one(_operation, open.operation) if open.operation else None,
        window=parts.one(_window, open.windows[-1]) if open.windows else None,
        move=parts.same(_move(open.units, open.move)) if open.move else None,
        battle=parts.one(_battle, open.battle, open.check) if open.battle else None,
        leaders=parts.one(_leaders, open.leaders),
        count=_by_side(*open.points) if open.points else None,
    )


def screen(table: Part, open: Open, own: Own, parts: Parts) -> Part:
    """Return what a side sees: the table of the onlookers with its own screen."""
    if not isinstance(table, shown.Table):
        return table
    step = _step(open, open.move or own.move)
    return structs.replace(table, step=step, own=parts.same(_own(open, own, parts)))


def _by_side(japan: T, allied: T) -> shown.BySide[T]:
    return {"japan": japan, "allied": allied}


def _of_sides(japan: T | None, allied: T | None) -> shown.OfSides[T]:
    there: shown.OfSides[T] = {}
    if japan is not None:
        there["japan"] = japan
    if allied is not None:
        there["allied"] = allied
    return there


def _step(open: Open, move: Move | None) -> str:
    """Return the part of the sequence of play that is open."""
    if open.battle:
        return "battle"
    if open.operation:
        return move.how if move else "operation"
    if open.card_action >= 0:
        return "cards"
    return "opening" if open.modes else "choice"


def _move(units: Mapping[str, Unit], move: Move) -> shown.Move:
    stack = tuple([name for name in move.units if name in units and units[name].area])
    at = units[stack[0]].area if stack else move.origin
    return shown.Move(
        how=move.how,
        units=stack,
        origin=move.origin,
        at=at,
        left=move.left,
        cargo=tuple([name for name in move.cargo if name in units and units[name].area == at]),
        rp=move.rp,
    )


def _initiative(open: Open) -> shown.Initiative:
    return shown.Initiative(side=SIDES[open.initiative], until=open.initiative_until, for_good=open.shifted)


def _operation(operation: Operation) -> shown.Operation:
    return shown.Operation(**structs.asdict(operation) | {"side": SIDES[operation.side]})


def _window(window: str) -> shown.Window:
    return shown.Window(id=window, rule="C6.5", name=WINDOWS[window])


def _area(
    area: str,
    printed: Area,
    control: int | None,
    counter: int | None,
    damaged: bool,
    suppressed: bool,
    japanese_rp: int | None,
    allied_rp: int | None,
    fortress: Fortress | None,
    besieger: int | None,
) -> shown.Area:
    here = Open(
        control={} if control is None else {area: control},
        airfields={} if counter is None else {area: counter},
        damaged=[area] if damaged else [],
        suppressed=[area] if suppressed else [],
    )
    return structs.replace(
        PRINTED_AREAS[area],
        control=_side(control),
        airfield=shown.Airfield(
            printed=printed.airfield,
            works=works(here, area, control or 0),
            counter=_side(counter),
            damaged=damaged,
            suppressed=suppressed,
        )
        if has_airfield(here, area)
        else None,
        rp=_of_sides(japanese_rp, allied_rp) or None,
        fortress=shown.Fortress(side=SIDES[fortress.side], factor=fortress.factor, besieger=_side(besieger))
        if fortress
        else None,
    )


def _side(side: int | None) -> SideId | None:
    return None if side is None else SIDES[side]


def _unit(name: str, unit: Unit) -> shown.Unit:
    alone = Open(units={name: unit})
    return structs.replace(
        PRINTED_UNITS[name],
        status=unit.status,
        area=unit.area,
        cohesion=cohesion(alone, name) if unit.area else 0,
        move=movement(alone, name) if unit.area else 0,
        tactical=tactics(alone, name) if unit.area else 0,
        depleted=unit.depleted,
        disorganised=unit.disorganised,
        acted=unit.acted,
        inside=unit.inside,
    )


def _place(_name: str, unit: Unit) -> str:
    return unit.area


def _stacks(
    order: tuple[str, ...],
    places: dict[str, str],
    hidden: tuple[dict[str, HiddenStack], dict[str, HiddenStack]],
) -> dict[str, shown.OfSides[shown.Stack]]:
    """Return the units by area and side; of hidden stacks the top and the height."""
    known: dict[str, tuple[list[str], list[str]]] = {}
    for name in order:
        if area := places[name]:
            known.setdefault(area, ([], []))[OWNERS[name]].append(name)
    areas = dict.fromkeys([*known, *hidden[0], *hidden[1]])
    nobody: tuple[list[str], list[str]] = ([], [])
    return {
        area: _of_sides(*[_stack(known.get(area, nobody)[side], hidden[side].get(area)) for side in (0, 1)])
        for area in areas
    }


def _stack(units: list[str], hidden: HiddenStack | None) -> shown.Stack | None:
    if not units and not hidden:
        return None
    top, height = (hidden.top, hidden.count) if hidden else ("", 0)
    return shown.Stack(units=tuple(units), top=top, height=height)


def _sites(control: dict[str, int]) -> dict[str, shown.Site]:
    table = Open(control=control)
    held = controlled(table, 0), controlled(table, 1)
    sites: dict[str, shown.Site] = {}
    for site in VP_SITES:
        holders = [SIDES[side] for side in (0, 1) if held[side].issuperset(site.areas)]
        whose: SideId | Literal[""] = holders[0] if holders else ""
        sites[site.id] = shown.Site(area=site.urban_area, value=site.value, areas=site.areas, held=whose)
    return sites


def _points(control: dict[str, int], destroyed: list[int], bonus: list[int]) -> shown.BySide[int]:
    table = Open(control=control, destroyed_points=destroyed, bonus=bonus)
    return _by_side(points(table, 0), points(table, 1))


def _tracks(
    control: dict[str, int],
    hands: list[int],
    decks: list[int],
    discards: list[int],
    played: tuple[list[str], list[str]],
    counters: list[int],
    destroyed: list[int],
    bonus: list[int],
    fallen: list[int],
) -> shown.BySide[shown.Track]:
    table = Open(control=control)

    def track(side: int) -> shown.Track:
        held = controlled(table, side)
        return shown.Track(
            hand=hands[side],
            deck=decks[side],
            discards=discards[side],
            played={card: CARDS[card].name for card in played[side]},
            airfields=counters[side],
            sites=sites(table, side),
            destroyed=destroyed[side],
            bonus=bonus[side],
            fallen=fallen[side],
            islands=tuple([name for name, island in ISLANDS.items() if held.issuperset(island.areas)]),
        )

    return _by_side(track(0), track(1))


def _battle(battle: Battle, check: Check | None) -> shown.Battle:
    return shown.Battle(
        area=battle.area,
        origin=battle.origin,
        domain=battle.domain,
        attacker=SIDES[battle.attacker],
        units=_by_side(tuple(battle.units[0]), tuple(battle.units[1])),
        isolated=battle.isolated,
        bunkers=battle.bunkers,
        modifiers=_by_side(*battle.modifiers),
        chits=_by_side(*battle.chits),
        shown=tuple(battle.shown),
        plays=battle.plays,
        revealed=shown.Revealed(chit=battle.revealed, side=SIDES[battle.revealed_by])
        if battle.revealed
        else None,
        check=shown.Check(**structs.asdict(check)) if check else None,
    )


def _leaders(leaders: dict[str, str]) -> dict[str, shown.Leader]:
    return {name: shown.Leader(name=LEADERS[name].name, unit=unit) for name, unit in leaders.items()}


def _cards(cards: tuple[str, ...], permanent: list[str]) -> dict[str, shown.Card]:
    return {card: _card(card, permanent) for card in cards}


def _card(card: str, permanent: list[str]) -> shown.Card:
    printed = CARDS[card]
    when, _, colour = timing(Open(permanent=permanent), card)
    return shown.Card(
        name=printed.name,
        colour=colour,
        when=when,
        text=printed.text,
        effects=tuple([effect.type for effect in printed.effects]),
        sp=printed.sp_cost or 0,
        permanent=printed.permanent,
    )


def _whose(open: Open, own: Own) -> SideId | None:
    """Return whose screen it is: its cards say so; one without any is that of the side that has none."""
    if cards := [*own.hand, *own.discards]:
        return CARDS[cards[0]].side
    bare = [SIDES[side] for side in (0, 1) if not open.hands[side] + open.discards[side]]
    return bare[0] if len(bare) == 1 else None


def _chits(chits: list[str]) -> tuple[shown.Chit, ...]:
    return tuple([shown.Chit(id=chit, name=CHITS[chit].name) for chit in chits])


def _counted(cup: list[str]) -> dict[str, int]:
    return {chit: cup.count(chit) for chit in cup}


def _passing(windows: tuple[str, ...]) -> dict[str, str]:
    return {window: WINDOWS[window] for window in windows}


def _orders(orders: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {area: tuple(order) for area, order in orders.items()}


def _own(open: Open, own: Own, parts: Parts) -> shown.Own:
    return shown.Own(
        hand=parts.one(_cards, tuple(own.hand), open.permanent),
        chits=parts.one(_chits, own.chits),
        cup=parts.one(_counted, own.cup),
        side=_whose(open, own),
        mode=own.mode,
        passing=parts.one(_passing, own.passing or ()),
        units=parts.each(_unit, own.units),
        rp=own.rp,
        move=parts.same(_move({**open.units, **own.units}, own.move)) if own.move else None,
        order=parts.one(_orders, own.order),
    )


def names() -> dict[str, str]:
    """Return the display name of every id that occurs: sides, areas, units, cards, chits, leaders."""
    named: dict[str, str] = dict(zip(SIDES, SIDE_NAMES, strict=True))
    named |= {f"side:{number}": name for number, name in enumerate(SIDE_NAMES)}
    named |= {area.id: area.name for area in AREAS.values()}
    named |= {f"island:{island.id}": island.name for island in ISLANDS.values()}
    named |= told_apart([(unit.id, unit.name, ("Japanese", "Allied")[unit.owner]) for unit in UNITS.values()])
    named |= {card.id: card.name for card in CARDS.values()}
    named |= {chit.id: chit.name for chit in CHITS.values()}
    named |= {leader.id: leader.name for leader in LEADERS.values()}
    named |= {f"window:{window}": when for window, when in WINDOWS.items()}
    return named | {"rp": "a resource point"}
