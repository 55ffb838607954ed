"""2 Setting up: the scenarios, the options, the chairs, and the procedure that begins."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.seats import Seat
from domain.match.game import BadSetUp, Option, Scenario
from tests.tiny.sequence import Campaign

SCENARIOS = (
    Scenario("skirmish", "A skirmish", "Two boats a side, two turns."),
    Scenario("campaign", "The campaign", "Three boats a side, four turns."),
)

OPTIONS = (
    Option("night", "5.2", "The match is fought by night: all fire is worse by 1."),
    Option("turns", "3.1", "How many turns are played.", default=None, least=1, most=8),
    Option("pairs", "2.1", "Two seats a side: an admiral who gives orders, a captain who fights."),
)

BOATS = {
    "boat:n1": "Petrel",
    "boat:n2": "Plover",
    "boat:n3": "Puffin",
    "boat:s1": "Heron",
    "boat:s2": "Hoopoe",
    "boat:s3": "Hornbill",
}

SIZES = {"skirmish": (2, 2), "campaign": (3, 4)}
"""Scenario to its boats a side and its turns."""


def check(scenario: str, options: Mapping[str, Any]) -> None:
    """Refuse a skirmish in pairs; raises BadSetUp."""
    if scenario == "skirmish" and options["pairs"]:
        raise BadSetUp("a skirmish is for two (2.1)")


def seats(scenario: str, options: Mapping[str, Any]) -> tuple[Seat, ...]:  # noqa: ARG001 the kernel's shape
    """Return the chairs: one a side, or two in pairs."""
    admirals = (Seat("North", 0), Seat("South", 1))
    captains = (Seat("North, captain", 0), Seat("South, captain", 1))
    return (*admirals, *captains) if options["pairs"] else admirals


def first(scenario: str, options: Mapping[str, Any]) -> Campaign:
    """Return the campaign that a scenario and its options make."""
    boats, turns = SIZES[scenario]
    return Campaign(
        boats=boats, turns=options.get("turns", turns), night=options["night"], pairs=options["pairs"]
    )
