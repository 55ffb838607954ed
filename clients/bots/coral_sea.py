"""Coral Sea, played with a purpose: bases first, landings where they pay, cards kept for their moment.

It plays by rules of thumb and does not look ahead. Every judge looks at the board anew, so an undo or a
replaced player never confuses it. Where no judge has an opinion the modest choice is taken: pass, done, stop,
end, or any legal decision. Rules are cited as in `docs/rules/coral-sea.md`.

What it sees is in `coral_sea_board`, what it hopes for in `coral_sea_prospects`; the judges are in
`coral_sea_cards`, `coral_sea_placing`, `coral_sea_operation`, `coral_sea_voyage` and `coral_sea_battle`.

Of 100 campaigns of two such bots (seeds 1 to 100) Japan won 40 %, the Allies 54 %, 6 % were drawn; the middle
one had 54 sequences; 37 % ended with Port Moresby, 6 % with the Turn of the Tide. C31 has 45, 53 and 2 %, 59
sequences, 34 and 10 %. The soak plays 500 anew and prints the same figures.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from clients.bots.coral_sea_battle import FIGHTING
from clients.bots.coral_sea_board import Board
from clients.bots.coral_sea_cards import CARDS
from clients.bots.coral_sea_operation import OPERATIONS
from clients.bots.coral_sea_placing import PLACING
from clients.bots.coral_sea_voyage import WAYS
from clients.bots.judges import Judge, first_opinion, judge
from clients.bots.typed import TypedPrompt, typed
from domain.coral_sea import DECISIONS
from domain.coral_sea.decisions import (
    ChooseMode,
    Done,
    DrawCard,
    EndOperation,
    Pass,
    SetTop,
    StepTo,
    Stop,
)
from domain.coral_sea.shown import Table
from server.protocol.shown import Decision, View


def play_steadily(view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> Decision:
    """Return one of the options."""
    if (choice := first_opinion(JUDGES, Board(view, prompt, random), prompt.options)) is not None:
        return choice
    for kind in MODEST:
        for option in prompt.options:
            if isinstance(option, kind):
                return option
    return random.choice(prompt.options)


def top(board: Board, options: Sequence[SetTop]) -> SetTop | None:  # noqa: ARG001 judges are all alike
    """Leave the stacks as they are."""
    return None


MODEST: Final = (Pass, Done, Stop, EndOperation, ChooseMode, DrawCard, StepTo)
"""What is chosen where no judge has an opinion."""

JUDGES: Final[tuple[Judge[Board], ...]] = (
    *CARDS,
    *PLACING,
    *OPERATIONS,
    *WAYS,
    *FIGHTING,
    judge(SetTop, top),
)
"""The judges, in the order they are asked."""

choose: Final = typed(View[Table], DECISIONS, play_steadily)
