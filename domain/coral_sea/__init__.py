"""Coral Sea, a card-driven campaign for New Guinea and the Solomons.

Its modules are the chapters of docs/rules/coral-sea.md, in this order:

    C2   Components as game state    table, changes, units (C4)
    C3   Map, distance and control   printed, charts, atlas; C3.9 in retreat
    C5   The operational sequence    sequence
    C6   Cards                       cards, reactions
    C7   Operations and supply       operation, supply
    C8   Ground movement             ground
    C9   Naval movement              naval, routes
    C10  Naval transport             transport; losses aboard in losses
    C11  Stacking                    stacking
    C12  Combat                      battle, cups, checks, damage
    C13  Retreat and isolation       retreat, flight, isolation
    C14  Reorganising, rebuilding    rebuilding
    C15  Resource points             effects_supply, retreat (capture)
    C16  Fortresses and sieges       fortress
    C17  Leaders                     losses, battle, ground
    C18  Truk Fleet                  truk
    C19  Airfields                   airfields
    C20  Initiative                  initiative
    C21  Card effects                effects_supply, effects_strikes, effects_operation
         Prerequisites               prerequisites, targets
    C22  Optional rules              intelligence, silence; C22.1 in effects_strikes and airfields
    C23  Victory                     victory
    C24  Setup                       scenarios
    C25  Decisions                   decisions, clock
    C26  Events                      facts, happenings, places, fighting
    C27  Who sees what               secrets

`account` says what a match came to.
`shown` has the types of the table as pages and bots get it, `view` makes it.
"""

from collections.abc import Mapping
from typing import Any

from domain.coral_sea import (
    battle,
    cards,
    checks,
    damage,
    decisions,
    effects_operation,
    effects_strikes,
    effects_supply,
    facts,
    fighting,
    fortress,
    ground,
    happenings,
    losses,
    naval,
    operation,
    places,
    reactions,
    retreat,
    secrets,
    sequence,
    transport,
    truk,
)
from domain.coral_sea.account import CoralSeaAccount
from domain.coral_sea.charts import SIDE_NAMES
from domain.coral_sea.clock import default
from domain.coral_sea.scenarios import options, scenarios, seats
from domain.coral_sea.shown import Table
from domain.coral_sea.table import Open, Own
from domain.coral_sea.view import names, screen, view
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import Game

FACTS = defined(Fact, facts, happenings, places, fighting, secrets)
DECISIONS = defined(Decision, decisions)
PROCEDURES = procedures(
    sequence,
    cards,
    reactions,
    operation,
    ground,
    naval,
    transport,
    fortress,
    battle,
    checks,
    damage,
    losses,
    retreat,
    truk,
    effects_supply,
    effects_strikes,
)

EFFECT_MODULES = (effects_operation, effects_strikes, effects_supply)
"""Importing them registers their effects in `cards.EFFECTS`."""


def _first(_scenario: str, _options: Mapping[str, Any]) -> Procedure:
    return sequence.CoralSea()


CORAL_SEA = Game(
    name="coral_sea",
    title="Coral Sea",
    revision="5",
    sides=(SIDE_NAMES[0], SIDE_NAMES[1]),
    scenarios=scenarios(),
    options=options(),
    names=names(),
    open=Open,
    own=Own,
    facts=FACTS,
    procedures=PROCEDURES,
    decisions=DECISIONS,
    seats=seats,
    first=_first,
    default=default,
    ordered=reactions.ordered,
    table=Table,
    view=view,
    screen=screen,
    account=CoralSeaAccount(),
)
