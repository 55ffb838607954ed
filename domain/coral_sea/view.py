"""The table as plain JSON for pages and bots: keyed by ids, without nulls, complete in itself.

`own` is one side's screen: its hand with the cards' texts, its chits, its hidden units. Onlookers get none.
"""

from typing import Any

from msgspec import to_builtins

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
from domain.coral_sea.printed import SIDES, Site
from domain.coral_sea.reactions import (
    AFTER_ACTION,
    BATTLE_DRAWN,
    BATTLE_START,
    CHECK_FAILED,
    CHIT_REVEALED,
    OP_END,
    OP_OPEN,
)
from domain.coral_sea.table import Move, Open, Own, Unit, controlled
from domain.coral_sea.units import cohesion, movement, tactics
from domain.coral_sea.victory import points, sites
from domain.match.game import told_apart

_NEXT: dict[str, dict[str, str]] = {area: {} for area in AREAS}
for _edge in CHARTS.edges:
    _NEXT[_edge.a][_edge.b] = _NEXT[_edge.b][_edge.a] = _edge.kind

STATIC: dict[str, Any] = {
    area.id: {
        "name": area.name,
        "kind": area.kind,
        "x": area.x,
        "y": area.y,
        **({"urban": True} if area.urban else {}),
        **({"port": True} if area.port else {}),
        **({"mountain": True} if area.mountain else {}),
        **({"island": area.island} if area.island else {}),
        "next": dict(_NEXT[area.id]),
    }
    for area in AREAS.values()
}


COUNTERS: dict[str, Any] = {
    name: {
        "name": counter.name,
        "side": counter.side,
        "nationality": counter.nationality,
        "domain": counter.domain,
        "type": counter.type,
        "status": "",
        "points": counter.vp_if_destroyed,
        **({"truk": True} if counter.truk_fleet else {}),
    }
    for name, counter in UNITS.items()
}
"""What is printed on a unit's counter on both sides."""

SEQUENCE_OF_PLAY = [
    {"step": "choice", "rule": "C5.2", "name": "Secret choice of Card or Map"},
    {"step": "opening", "rule": "C7.1", "name": "Open an operation"},
    {"step": "operation", "rule": "C7.2", "name": "Operation: one action after the other"},
    {"step": "march", "rule": "C8.4", "name": "Ground move", "within": "operation"},
    {"step": "sail", "rule": "C9.3", "name": "Naval move", "within": "operation"},
    {"step": "battle", "rule": "C12.7", "name": "Battle: chits in turn", "within": "operation"},
    {"step": "cards", "rule": "C5.6", "name": "Card actions"},
]
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


def view(open: Open, own: Own | None) -> dict[str, Any]:
    """Return what a side sees, or what onlookers see."""
    if not open.units and not open.scenario:
        return {}
    held = controlled(open, 0), controlled(open, 1)
    shown: dict[str, Any] = {
        "scenario": open.scenario,
        "options": to_builtins(open.options),
        "sequence": open.sequence,
        "step": _step(open, own),
        "sequence_of_play": SEQUENCE_OF_PLAY,
        "initiative": _initiative(open),
        "areas": {area: _area(open, area) for area in AREAS},
        "units": {name: _unit(open, name, unit) for name, unit in open.units.items()},
        "stacks": _stacks(open),
        "sites": {site.id: _site(site, held) for site in VP_SITES},
        "points": {SIDES[side]: points(open, side) for side in (0, 1)},
        "tracks": {SIDES[side]: _track(open, side, held[side]) for side in (0, 1)},
        "permanent": {card: _card(open, card) for card in open.permanent},
        "committed": [SIDES[side] for side in (0, 1) if open.committed[side]],
    }
    if open.modes:
        shown["modes"] = dict(zip(SIDES, open.modes, strict=True))
    if open.operation:
        operation = to_builtins(open.operation)
        shown["operation"] = {**operation, "side": SIDES[open.operation.side]}
    if open.windows:
        shown["window"] = {"id": open.windows[-1], "rule": "C6.5", "name": WINDOWS[open.windows[-1]]}
    if open.move:
        shown["move"] = _move(open.units, open.move)
    if open.battle:
        shown["battle"] = _battle(open)
    if open.leaders:
        shown["leaders"] = {name: {"name": LEADERS[name].name, "unit": u} for name, u in open.leaders.items()}
    if open.points:
        shown["count"] = dict(zip(SIDES, open.points, strict=True))
    if own is not None:
        shown["own"] = _own(open, own)
    return shown


def _step(open: Open, own: Own | None) -> str:
    """Return the part of the sequence of play that is open."""
    if open.battle:
        return "battle"
    move = open.move or (own.move if own else None)
    if open.operation:
        return move.how if move else "operation"
    if open.card_action >= 0:
        return "cards"
    return "opening" if open.modes else "choice"


def _move(units: dict[str, Unit], move: Move) -> dict[str, Any]:
    """Return the move under way: who is still of it, where it started, where it is, and how far it may go."""
    stack = [name for name in move.units if name in units and units[name].area]
    at = units[stack[0]].area if stack else move.origin
    shown: dict[str, Any] = {
        "how": move.how,
        "units": stack,
        "from": move.origin,
        "at": at,
        "left": move.left,
    }
    cargo = [name for name in move.cargo if name in units and units[name].area == at]
    return shown | ({"cargo": cargo} if cargo else {}) | ({"rp": move.rp} if move.rp else {})


def _initiative(open: Open) -> dict[str, Any]:
    until = {"until": open.initiative_until} if open.initiative_until else {}
    return {"side": SIDES[open.initiative], **until, **({"for_good": True} if open.shifted else {})}


def _area(open: Open, area: str) -> dict[str, Any]:
    shown: dict[str, Any] = dict(STATIC[area])
    if area in open.control:
        shown["control"] = SIDES[open.control[area]]
    if has_airfield(open, area):
        shown["airfield"] = {
            "printed": AREAS[area].airfield,
            "works": works(open, area, open.control.get(area, 0)),
            **({"counter": SIDES[open.airfields[area]]} if area in open.airfields else {}),
            **({"damaged": True} if area in open.damaged else {}),
            **({"suppressed": True} if area in open.suppressed else {}),
        }
    if area in open.rp[0] or area in open.rp[1]:
        shown["rp"] = {SIDES[side]: open.rp[side][area] for side in (0, 1) if area in open.rp[side]}
    if area in open.fortresses:
        fortress = open.fortresses[area]
        shown["fortress"] = {"side": SIDES[fortress.side], "factor": fortress.factor}
        if area in open.sieges:
            shown["fortress"]["besieger"] = SIDES[open.sieges[area]]
    return shown


def _unit(open: Open, name: str, unit: Unit) -> dict[str, Any]:
    shown: dict[str, Any] = dict(COUNTERS[name])
    shown["status"] = unit.status
    if unit.area:
        shown["area"] = unit.area
        shown["cohesion"] = cohesion(open, name)
        shown["move"] = movement(open, name)
        shown["tactical"] = tactics(open, name)
    if unit.depleted:
        shown["depleted"] = True
    if unit.disorganised:
        shown["disorganised"] = True
    if unit.acted:
        shown["acted"] = True
    if unit.inside:
        shown["inside"] = True
    return shown


def _stacks(open: Open) -> dict[str, Any]:
    """Return the units by area and side; of hidden stacks the top and the height."""
    shown: dict[str, Any] = {}
    for name, unit in open.units.items():
        if unit.area:
            shown.setdefault(unit.area, {}).setdefault(SIDES[OWNERS[name]], {}).setdefault(
                "units", []
            ).append(name)
    for side in (0, 1):
        for area, stack in open.stacks[side].items():
            here = shown.setdefault(area, {}).setdefault(SIDES[side], {})
            here |= {"top": stack.top, "height": stack.count}
    return shown


def _site(site: Site, held: tuple[set[str], set[str]]) -> dict[str, Any]:
    shown = {"area": site.urban_area, "value": site.value, "areas": list(site.areas), "held": ""}
    for side in (0, 1):
        if held[side].issuperset(site.areas):
            shown["held"] = SIDES[side]
    return shown


def _track(open: Open, side: int, held: set[str]) -> dict[str, Any]:
    return {
        "hand": open.hands[side],
        "deck": open.decks[side],
        "discards": open.discards[side],
        "played": {card: CARDS[card].name for card in open.played[side]},
        "airfields": open.counters[side],
        "sites": sites(open, side),
        "destroyed": open.destroyed_points[side],
        "bonus": open.bonus[side],
        "fallen": open.fallen[side],
        "islands": [name for name, island in ISLANDS.items() if held.issuperset(island.areas)],
    }


def _battle(open: Open) -> dict[str, Any]:
    battle = open.battle
    assert battle is not None
    shown: dict[str, Any] = {
        "area": battle.area,
        "origin": battle.origin,
        "domain": battle.domain,
        "attacker": SIDES[battle.attacker],
        "units": {SIDES[side]: list(battle.units[side]) for side in (0, 1)},
        "isolated": list(battle.isolated),
        "bunkers": list(battle.bunkers),
        "modifiers": dict(zip(SIDES, battle.modifiers, strict=True)),
        "chits": dict(zip(SIDES, battle.chits, strict=True)),
        "shown": list(battle.shown),
        "plays": battle.plays,
    }
    if battle.revealed:
        shown["revealed"] = {"chit": battle.revealed, "side": SIDES[battle.revealed_by]}
    if open.check:
        shown["check"] = {**to_builtins(open.check), "unit": open.check.unit}
    return shown


def _card(open: Open, card: str) -> dict[str, Any]:
    printed = CARDS[card]
    when, _, colour = timing(open, card)
    shown: dict[str, Any] = {
        "name": printed.name,
        "colour": colour,
        "when": list(when),
        "text": printed.text,
        "effects": [effect.type for effect in printed.effects],
    }
    if printed.sp_cost:
        shown["sp"] = printed.sp_cost
    if printed.permanent:
        shown["permanent"] = True
    return shown


def _whose(open: Open, own: Own) -> str:
    """Return whose screen it is: its cards say so; one without any is that of the side that has none."""
    if cards := [*own.hand, *own.discards]:
        return CARDS[cards[0]].side
    bare = [SIDES[side] for side in (0, 1) if not open.hands[side] + open.discards[side]]
    return bare[0] if len(bare) == 1 else ""


def _own(open: Open, own: Own) -> dict[str, Any]:
    """Return one side's screen, without its discards and a hand once seen: nobody looks them up (C27)."""
    shown: dict[str, Any] = {
        "hand": {card: _card(open, card) for card in own.hand},
        "chits": [{"id": chit, "name": CHITS[chit].name} for chit in own.chits],
        "cup": {chit: own.cup.count(chit) for chit in own.cup},
    }
    if side := _whose(open, own):
        shown["side"] = side
    if own.mode:
        shown["mode"] = own.mode
    if own.passing:
        shown["passing"] = {window: WINDOWS[window] for window in own.passing}
    if own.units:
        whole = Open(options=open.options, units={**open.units, **own.units})
        shown["units"] = {name: _unit(whole, name, unit) for name, unit in own.units.items()}
    if own.rp:
        shown["rp"] = dict(own.rp)
    if own.move:
        shown["move"] = _move({**open.units, **own.units}, own.move)
    if own.order:
        shown["order"] = {area: list(order) for area, order in own.order.items()}
    return shown


def names() -> dict[str, str]:
    """Return the display name of every id that occurs: sides, areas, units, cards, chits, leaders."""
    named = dict(zip(SIDES, SIDE_NAMES, strict=True))
    named |= {f"side:{number}": name for number, name in enumerate(SIDE_NAMES)}
    named |= {area.id: area.name for area in AREAS.values()}
    named |= {f"island:{island.id}": island.name for island in ISLANDS.values()}
    named |= told_apart([(unit.id, unit.name, ("Japanese", "Allied")[unit.owner]) for unit in UNITS.values()])
    named |= {card.id: card.name for card in CARDS.values()}
    named |= {chit.id: chit.name for chit in CHITS.values()}
    named |= {leader.id: leader.name for leader in LEADERS.values()}
    named |= {f"window:{window}": when for window, when in WINDOWS.items()}
    return named | {"rp": "a resource point"}
