"""Pacific War: the war at sea, in the air and on the ground, battle cycle by battle cycle.

Its modules are the chapters of docs/rules/pacific-war.md, in this order:

    P0   Conventions                 decisions, clock
         Who sees what               changes, intelligence, silence
    P1   Scenarios                   scenarios, special, opening
    P2   Pieces, map, control        table, printed, charts, atlas, reorganise, control
    P3   Universal combat table      combat, losses
    P5   The battle cycle            sequence
    P6   Weather                     weather
    P7   Strategic Intelligence      intelligence_level
    P8   Strategic bombing           strategic_bombing, raids
    P9   Merchant shipping           merchants, shipping
    P10  Command Points              command_points, pool
    P11  Command Links               links
    P12  Isolation Penalty           isolation
    P5.1 The months                  administration, desk, proposals
    P13  Strategic transport         transport, routes
    P14  Reinforcements              arrivals, points_of_month, commands; schedule
    P15  Naval repair                dockyards
    P16  Replacements                replacements, divisions
    P17  Engineering                 engineering
    P18  Bids, P19 Initiative        bids, toll, closing
    P20  Activation                  activation, ports, costs
    P23  Movement                    movement
    P24  Search                      search
    P25  Submarines                  patrols, submarines
    P26  Lighting, P27 Advantage     lighting
    P28  Air missions                cap, missions, strikes, air_combat, allotment, bombing, paradrop
    P29  Naval combat, bombardment   meeting, naval, gunnery, retreat, bombardment
    P30  Demolition                  demolition
    P31  Ground combat, repair       ground, repair
    P32  Deactivation, detection     deactivation
    P33  Victory                     victory, campaign_victory, collapse, war_victory

What happens is in `facts`, `happenings`, `homefront` and `fighting`, behind the screens in `secrets`;
`wording` has what their sentences share. `account` says what a match came to. `shown` has the types of the
table as pages and bots get it, `view` makes it.
"""

from collections.abc import Mapping
from typing import Any

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import Game
from domain.pacific_war import (
    activation,
    administration,
    allotment,
    bids,
    bombardment,
    campaign,
    cap,
    choices,
    command_points,
    contact,
    deactivation,
    decisions,
    demolition,
    dispositions,
    facts,
    fighting,
    ground,
    happenings,
    homefront,
    month,
    months,
    movement,
    naval,
    opening,
    operation,
    orders_of_month,
    orders_of_war,
    patrols,
    ports,
    raids,
    reorganise,
    retreat,
    secrets,
    sequence,
    shipping,
    strikes,
)
from domain.pacific_war.account import PacificWarAccount
from domain.pacific_war.campaigns import CAMPAIGNS
from domain.pacific_war.charts import SIDE_NAMES
from domain.pacific_war.clock import default
from domain.pacific_war.scenarios import campaigns, options, scenarios, seats
from domain.pacific_war.shown import Table
from domain.pacific_war.table import Open, Own
from domain.pacific_war.view import names, screen, view

FACTS = defined(Fact, facts, happenings, fighting, secrets, months, homefront)
DECISIONS = defined(Decision, decisions, choices, dispositions, orders_of_month, orders_of_war)
PROCEDURES = procedures(
    sequence,
    movement,
    reorganise,
    cap,
    strikes,
    allotment,
    naval,
    retreat,
    bombardment,
    demolition,
    ground,
    deactivation,
    campaign,
    month,
    bids,
    operation,
    activation,
    ports,
    contact,
    command_points,
    patrols,
    administration,
    raids,
    shipping,
    opening,
)


def _first(scenario: str, options: Mapping[str, Any]) -> Procedure:
    if scenario in CAMPAIGNS:
        return campaign.Campaign(scenario=scenario, weather=options.get("weather", True))
    return sequence.PacificWar(scenario=scenario)


PACIFIC_WAR = Game(
    name="pacific_war",
    title="Pacific War",
    revision="3",
    sides=SIDE_NAMES,
    scenarios=scenarios(),
    unlisted=campaigns(),
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
    screen=screen,
    account=PacificWarAccount(),
)
