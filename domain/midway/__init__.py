"""Midway, a carrier battle.

Its modules are the chapters of docs/rules/midway.md, in this order:

    M1   Components and terms       table       the open table, and questions about it
    M2   Setup                      scenarios, charts
    M3   The turn, decisions        sequence, decisions, clock
    M4   Land Planes                landing     with M15.5, M15.6
    M5   Move Planes                movement    with M15.3, M15.4, M15.8
    M6   CAP Attacks                cap         with M15.2
    M7   Carrier Attacks            attack      with M15.7, M15.9
    M8   Launch Planes              launch
    M9   Planning                   planning    with M15.11
    M10  Repair Damage              repair
    M11  Damage and losses aboard   damage
    M12  The American search        search      with M15.10
    M13  End and victory            victory     with M15.1
    M14  Players and teams          teams       and the picking of losses (M6.8, M6.9, M7.7)
    M15  Options                    in the chapters that they change; M15.12 in sequence
    M19  Events                     facts, choices

`account` says what a match came to.
`shown` has the types of the board as pages and bots get it, `view` makes it.
"""

from collections.abc import Mapping
from typing import Any

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import Game
from domain.midway import (
    attack,
    cap,
    choices,
    decisions,
    facts,
    landing,
    launch,
    movement,
    planning,
    repair,
    search,
    sequence,
    teams,
)
from domain.midway.account import MidwayAccount
from domain.midway.charts import SIDE_NAMES
from domain.midway.clock import default
from domain.midway.scenarios import check, options, scenarios, seats
from domain.midway.shown import Table
from domain.midway.table import Open, Own
from domain.midway.view import names, view

FACTS = defined(Fact, facts, choices)
DECISIONS = defined(Decision, decisions)
PROCEDURES = procedures(sequence, landing, movement, search, cap, attack, launch, planning, repair, teams)


def _first(_scenario: str, _options: Mapping[str, Any]) -> Procedure:
    return sequence.Midway()


MIDWAY = Game(
    name="midway",
    title="Midway",
    revision="1",
    sides=(SIDE_NAMES[0], SIDE_NAMES[1]),
    scenarios=scenarios(),
    default_scenario="duel",
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
    table=Table,
    view=view,
    check=check,
    account=MidwayAccount(),
)
