"""The Tiny Lagoon: a small whole title for tests, and the model for newcomers who write one.

Two sides sail their boats among three islets, in secret and at once, fight where they meet, and raise flags
where they do not. Four turns make a few dozen decisions. It has one of everything that titles need: hidden
hands drawn blind, a simultaneous secret choice, a reaction window, nested procedures, rolls with modifiers,
forced picks, options, teams, and an end by its own rules. Deliberately absent: a map, data files, bots.

The rulebook, chapter by chapter:

1 The table          `table`      boats, islets, cards in play, and each side's screen
2 Setting up         `scenarios`  the scenarios and options; 2.1, 2.2 in `sequence`
3 Sequence of play   `sequence`   3.1 turns, 3.2 a card a turn, 3.3 battle, 3.4 landing
4 Orders             `orders`     4.1 in secret and at once, 4.2 laid open
5 Battle             `battle`     5.1 reactions, 5.2 fire, 5.3 losses, 5.4 the guns fall silent, 5.5 press on
6 Reactions          `reactions`  6.1 the window
7 Victory            `victory`    7.1 all boats sunk, 7.2 most flags

What may be chosen is in `decisions`, what can happen in `facts`, the cards in `charts`, and what is shown of
the table in `view`.
"""

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.match.account import Account
from domain.match.catalogue import defined, procedures
from domain.match.game import Game
from tests.tiny import battle, decisions, facts, orders, reactions, scenarios, sequence
from tests.tiny.charts import CARDS, ISLETS
from tests.tiny.table import Open, Own
from tests.tiny.view import Table, screen, view


class TinyAccount(Account):
    """What clocks ask of the table; the rest is what all matches have in common."""

    def turn(self, open: Open) -> int:
        """Return the turn (3.1)."""
        return open.turn


GAME = Game(
    name="tiny",
    title="The Tiny Lagoon",
    revision="2",
    sides=("North", "South"),
    scenarios=scenarios.SCENARIOS,
    options=scenarios.OPTIONS,
    names={
        "side:0": "North",
        "side:1": "South",
        **ISLETS,
        **scenarios.BOATS,
        **{card: f"{kind} {card[-2:]}" for card, kind in CARDS.items()},
    },
    open=Open,
    own=Own,
    facts=defined(Fact, facts),
    procedures=procedures(sequence, orders, battle, reactions),
    decisions=defined(Decision, decisions),
    seats=scenarios.seats,
    first=scenarios.first,
    default=decisions.default,
    check=scenarios.check,
    table=Table,
    view=view,
    screen=screen,
    account=TinyAccount(),
)
