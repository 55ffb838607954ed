"""What is answered over HTTP as JSON about titles and matches, in the form that clients build on.

Deliberately absent: what is counted and judged from the log (`server.http.responses`), and which path is
answered by which (`server.http.api`).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.match.game import Option, Scenario
from server.protocol import wire
from server.protocol.listing import MatchInfo


class Failure(Struct, frozen=True):
    """Why there is no answer: a code for programs, a sentence for people."""

    code: wire.RefusalCode
    reason: str


class TitleInfo(Struct, frozen=True):
    """A title and what can be chosen of it; `bots` are the strengths of its bots."""

    name: str
    title: str
    revision: str
    sides: Sequence[str]
    scenarios: list[Scenario]
    default_scenario: str
    options: list[Option]
    bots: list[str]


class MatchDetails(MatchInfo, frozen=True):
    """One match as it stands on a list, with all its options."""

    options: Mapping[str, bool | int | str]


class MatchList(Struct, frozen=True):
    """Matches that are not private, the latest first."""

    matches: list[MatchInfo]


class Checkpoint(Struct, frozen=True):
    """The last signed note and the key to check it with; empty while there is none."""

    note: str
    key: str
