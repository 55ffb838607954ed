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

from random import Random
from typing import Any, Final

from clients.bots.coral_sea_battle import FIGHTING
from clients.bots.coral_sea_board import Board, Judge, Option
from clients.bots.coral_sea_cards import CARDS
from clients.bots.coral_sea_operation import OPERATIONS
from clients.bots.coral_sea_placing import PLACING
from clients.bots.coral_sea_voyage import WAYS


def choose(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> Option:
    """Return one of the prompt's options."""
    options: list[Option] = prompt["options"]
    if len(options) == 1:
        return options[0]
    board = Board(view, prompt)
    by_type: dict[str, list[Option]] = {}
    for option in options:
        by_type.setdefault(option["type"], []).append(option)
    for kind, judge in JUDGES.items():
        if kind in by_type and (choice := judge(board, by_type[kind], random)) is not None:
            return choice
    for kind in MODEST:
        if kind in by_type:
            return by_type[kind][0]
    return random.choice(options)


def top(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Leave the stacks as they are."""
    return None


MODEST: Final = ("pass", "done", "stop", "end_operation", "choose_mode", "draw_card", "step")
"""What is chosen where no judge has an opinion."""

JUDGES: Final[dict[str, Judge]] = CARDS | PLACING | OPERATIONS | WAYS | FIGHTING | {"set_top": top}
"""The judges, in the order they are asked."""
