"""Pacific War: the war at sea, in the air and on the ground, battle cycle by battle cycle, month by month.

Its folders show the walk of a war, its modules are the chapters of docs/rules/pacific-war.md:

    board      P1 to P3   printed pieces and tables, the map, the universal combat table; P6 weather
    facts                 what happens, whom each fact is told (`changes`, `intelligence`, `silence`; behind
                          the screens `secrets`), and what their sentences share (`means`, `wording`)
    decisions             what players decide: of the cycle, of choices in reply, of the month, of the war
    setup      P1         scenarios, the outset of a campaign, the openings of a war
    command    P10, P11   the pools of Command Points, what they buy, Command Links, emergency links
    battle     P5.2       the cycle (`sequence`) and its phases: P23 movement, P24 search, P25 submarines,
                          P26 and P27 lighting, P28 air missions (`cap`, `missions`, `strikes`, `air_combat`,
                          `allotment`, `bombing`, `kamikaze`, `paradrop`, `supply`), P29 naval combat and
                          bombardment (`meeting`, `naval`, `gunnery`, `retreat`, `bombardment`), P30
                          demolition, P31 ground combat and repair, P32 deactivation; P2 control and
                          reorganisation; P34 special submarines and their seaplane bases
    operations P5.3, P5.4 an Operation over month ends: P18 bids, P19 initiative, P20 activation, P23 contact
    months     P5.1       the month's phases (`month`): P7 intelligence level, P10 allocation, P12 isolation,
                          P13 transport, P14 reinforcements, P15 dockyards, P16 replacements, P17 engineering,
                          P25.1 patrols; `administration` asks both sides at once, `proposals` proposes
                          (`carrying` for P13, `placing` for P14)
    homefront  P8, P9     bombing of the homeland, merchant shipping, P33.4 collapse
    victory    P33        of battles, campaigns and the war
    sight                 the types of the table as pages and bots get it (`shown`), and their making (`view`)

`account` says what a match came to, `chronicle` and `stories` what happened in it by chapter and by unit,
`clock` what is decided for a player whose time has run out.
"""

from collections.abc import Mapping
from typing import Any

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import Game
from domain.pacific_war import campaign, month
from domain.pacific_war.account import PacificWarAccount
from domain.pacific_war.battle import (
    allotment,
    bombardment,
    cap,
    deactivation,
    demolition,
    ground,
    movement,
    naval,
    reorganise,
    retreat,
    sequence,
    special_boats,
    strikes,
)
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import BOATS, SIDE_NAMES
from domain.pacific_war.board.table import Open, Own
from domain.pacific_war.chronicle import PacificWarChronicle
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import choices, dispositions, orders_of_month, orders_of_war
from domain.pacific_war.decisions import cycle as orders_of_cycle
from domain.pacific_war.decisions import special_boats as of_boats
from domain.pacific_war.facts import cycle, fighting, happenings, secrets
from domain.pacific_war.facts import homefront as facts_of_home
from domain.pacific_war.facts import months as facts_of_months
from domain.pacific_war.facts import special_boats as facts_of_boats
from domain.pacific_war.homefront import raids, shipping
from domain.pacific_war.months import administration, command_points, patrols
from domain.pacific_war.operations import activation, bids, contact, operation, ports
from domain.pacific_war.setup import opening
from domain.pacific_war.setup.scenarios import options, scenarios, seats
from domain.pacific_war.sight.shown import Table
from domain.pacific_war.sight.view import names, screen, view

FACTS = defined(Fact, cycle, happenings, fighting, secrets, facts_of_months, facts_of_home, facts_of_boats)
DECISIONS = defined(
    Decision, orders_of_cycle, choices, dispositions, orders_of_month, orders_of_war, of_boats
)
PROCEDURES = procedures(
    sequence,
    movement,
    reorganise,
    cap,
    strikes,
    special_boats,
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
    chosen = tuple(kind for kind in dict.fromkeys(BOATS.values()) if options.get(kind))
    if scenario in CAMPAIGNS:
        return campaign.Campaign(scenario=scenario, weather=options.get("weather", True), chosen=chosen)
    return sequence.PacificWar(scenario=scenario)


PACIFIC_WAR = Game(
    name="pacific_war",
    title="Pacific War",
    revision="4",
    sides=SIDE_NAMES,
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
    screen=screen,
    account=PacificWarAccount(),
    chronicle=PacificWarChronicle(),
)
