"""Pacific War, played steadily: strikes by expected hits times points, battles by the expected exchange.

It looks one phase ahead. Every judge looks at the board anew, so an undo or a replaced player never confuses
it. Where no judge has an opinion the modest choice is taken: done, pass, or any legal decision. Rules are
cited as in `docs/rules/pacific-war.md`.

What it sees is in `table`, `forces`, `wings` and `board`, each upon the last; what fire comes to in `odds`,
`air_odds` and `naval_odds`, what strikes promise in `strikes` and `prospects`, what threatens a place in
`dangers`, where carriers are best in `carriers`. Of a campaign, what places are worth is in `objectives`,
what lies in own ports in `harbours`, who can walk where in `marches`, which landing or march is best in
`plans`, what an Operation is about in `heading`. The judges are in `month`, `homefront`, `boats`,
`staff`, `voyages`, `landing`, `sea`, `cap`, `airlift`, `air`, `targets`, `naval` and `ground`.

Of 20 campaigns in the Solomons of two such bots (seeds 1 to 20) the Allies won 15, Japan 2, 3 were drawn;
against chance it won 10 of 10 from either side. `tests.bots.pacific_war_campaigns` plays and prints
them.
"""

from random import Random
from typing import Final

from clients.bots.judges import Judge, with_reason
from clients.bots.pacific_war.air import AIR_WAR
from clients.bots.pacific_war.airlift import AIRLIFT
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.boats import BOATS
from clients.bots.pacific_war.cap import CAP
from clients.bots.pacific_war.ground import LAND_WAR
from clients.bots.pacific_war.homefront import HOMEFRONT
from clients.bots.pacific_war.landing import LANDINGS
from clients.bots.pacific_war.month import MONTH
from clients.bots.pacific_war.naval import NAVAL_WAR
from clients.bots.pacific_war.sea import MOVES
from clients.bots.pacific_war.staff import LAST, STAFF
from clients.bots.pacific_war.table import Table
from clients.bots.pacific_war.targets import TARGETS
from clients.bots.pacific_war.voyages import VOYAGES
from clients.bots.typed import TypedPrompt, typed
from domain.pacific_war import DECISIONS
from domain.pacific_war.decisions.cycle import Done, EndMissions, NoAttack, Pass
from server.protocol.shown import Decision, View

MODEST: Final = (Done, Pass, EndMissions, NoAttack)
"""What is chosen where no judge has an opinion."""

ENOUGH: Final = "Leave it at that: nothing else here promises more than it risks."
BY_CHANCE: Final = "Choose by chance: there is nothing to choose between."

JUDGES: Final[tuple[Judge[Board], ...]] = (
    *MONTH,
    *HOMEFRONT,
    *BOATS,
    *STAFF,
    *VOYAGES,
    *LANDINGS,
    *MOVES,
    *CAP,
    *AIRLIFT,
    *AIR_WAR,
    *TARGETS,
    *NAVAL_WAR,
    *LAND_WAR,
    *LAST,
)
"""The judges, in the order they are asked."""


def play_steadily(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> Decision:
    """Return one of the options."""
    return explained(view, prompt, random)[0]


def explained(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> tuple[Decision, str]:
    """Return one of the options, and in a plain sentence why it is chosen."""
    choice, reason = with_reason(JUDGES, Board(view, prompt, random), prompt.options)
    if choice is not None:
        return choice, reason
    for kind in MODEST:
        for option in prompt.options:
            if isinstance(option, kind):
                return option, ENOUGH
    return random.choice(prompt.options), BY_CHANCE


choose: Final = typed(View[Table], DECISIONS, play_steadily)
