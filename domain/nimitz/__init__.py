"""Nimitz, the fleet commander.

Its modules are the chapters of docs/rules/nimitz.md, in this order:

    N0   Conventions                automaton (N0.3, N0.4), attacks (N0.2), combat (N0.8)
    N1   Terms                      table       the open table, and questions about it
    N2   Set-up                     scenarios, charts; rows: the types of the charts
    N3   The campaign turn          sequence
    N4   US resupply                resupply
    N5   US scouting                garrison    N5.1, N5.2: who may be ordered
                                    scouting    N5.3, N5.4
    N6   US movement                movement
    N7   Japanese orders            orders      N7.1, N7.3; areas: which comes next
                                    counter     N7.2
                                    ordering    N7.4, N7.5: one order
                                    destinations N7.6: the order table
    N8   Battles                    battles     with N12, the end of a battle
    N9   Battle set-up              deployment, board
    N10  The battle turn            planning    N9.11, N10.2
                                    rounds      N10.1
                                    first_light N10.3
                                    flight      N10.4, N10.5
                                    flak        N10.7
                                    combat      N10.6, N10.8 to N10.10; attacks: who attacks whom
                                    aftermath   N10.11 to N10.14
    N11  Hits and plans             hits        plans stand where they are used
    N13  Japanese reinforcement     rear        with N14, N15, N16
    N17  US defeat, N18 End         victory
    N19  Special rules              bombing     N19.2; the others where they change something
    N20  Modes                      automaton   N20.1: how the automated side chooses, and why
                                    theatres    N20.3; N20.2 beside what it replaces
    N21  Decisions                  decisions; clock for time-outs
    N22  Events                     facts, marches (Japan's); happenings, blows (in battle)

`account` says what a match came to.
`shown` has the types of the table as pages and bots get it, `view` makes it.
"""

from collections.abc import Mapping
from typing import Any

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import Game
from domain.nimitz import (
    aftermath,
    automaton,
    battles,
    blows,
    bombing,
    combat,
    decisions,
    deployment,
    facts,
    first_light,
    flak,
    flight,
    happenings,
    hits,
    marches,
    movement,
    ordering,
    orders,
    planning,
    rear,
    resupply,
    rounds,
    scouting,
    sequence,
)
from domain.nimitz.account import NimitzAccount
from domain.nimitz.attacks import ASKED_BY
from domain.nimitz.charts import SIDE_NAMES
from domain.nimitz.clock import default
from domain.nimitz.scenarios import options, scenarios, seats
from domain.nimitz.shown import Table
from domain.nimitz.table import Open, Own
from domain.nimitz.victory import close
from domain.nimitz.view import names, view, waiting

FACTS = defined(Fact, facts, marches, happenings, blows, automaton)
DECISIONS = defined(Decision, decisions)
PROCEDURES = procedures(
    sequence,
    resupply,
    scouting,
    movement,
    orders,
    ordering,
    bombing,
    battles,
    deployment,
    planning,
    rounds,
    first_light,
    flight,
    flak,
    combat,
    hits,
    aftermath,
    rear,
)


def _first(_scenario: str, _options: Mapping[str, Any]) -> Procedure:
    return sequence.War()


NIMITZ = Game(
    name="nimitz",
    title="Nimitz",
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
    table=Table,
    view=view,
    waiting=waiting,
    closing=close,
    account=NimitzAccount(),
    rolls=ASKED_BY,
)
