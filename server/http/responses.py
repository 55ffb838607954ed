"""What is answered over HTTP as JSON, in the form that clients build on, and the schema of it.

A dispute is answered as `projections.dispute` has it, a step as the frame of the protocol. Deliberately
absent: which path is answered by which (`server.http.api`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, json

from domain.kernel.seats import Clock
from domain.match.game import Option, Scenario
from domain.match.refusals import Code
from projections.audit import Fairness
from projections.dispute import Dispute
from server.protocol import wire

MatchState = Literal["open", "playing", "ended"]


class Failure(Struct, frozen=True):
    """Why there is no answer: a code for programs, a sentence for people."""

    code: Code
    reason: str


class TitleInfo(Struct, frozen=True):
    """A title and what can be chosen of it. `names` are those of ids; `bots` the strengths of its bots."""

    name: str
    title: str
    revision: str
    sides: Sequence[str]
    names: Mapping[str, str]
    scenarios: list[Scenario]
    default_scenario: str
    options: list[Option]
    bots: list[str]


class SeatInfo(Struct, frozen=True):
    """A seat: its name and side, what sits there (None: nobody yet), and what the player is called."""

    name: str
    side: int
    taken: wire.Kind | None
    player: str
    present: bool


class MatchInfo(Struct, frozen=True):
    """How a match stands. Times are in microseconds since the epoch; `asked` are the seats to decide."""

    match: UUID
    title: str
    scenario: str
    label: str
    pace: str
    private: bool
    imported: bool
    """Whether it was played elsewhere and brought in when it had ended."""
    state: MatchState
    seats: list[SeatInfo]
    asked: Sequence[int]
    winner: int | None
    """The side; None while it goes on, and where nobody has won."""
    reason: str
    onlookers: int | None
    """None while it is not known."""
    created: int
    last: int
    facts: int


class MatchDetails(MatchInfo, frozen=True):
    """The same of one match, with how it was set up."""

    options: Mapping[str, bool | int | str]
    clock: Clock | None


class MatchList(Struct, frozen=True):
    """Matches that are not private, the latest first."""

    matches: list[MatchInfo]


class SeatDecisions(Struct, frozen=True, kw_only=True):
    """What a seat decided, and the time it used, in microseconds; `forced` is told when the match is over."""

    chosen: int
    forced: int | UnsetType = UNSET
    default: int
    taken_back: int
    used: int
    longest: int


class Audit(Struct, frozen=True):
    """The dice of a match by purpose, beside what fair dice do, and what each seat decided."""

    dice: list[Fairness]
    seats: list[SeatDecisions]


class TitleAudit(Struct, frozen=True):
    """The dice of all matches of a title."""

    dice: list[Fairness]


class Checkpoint(Struct, frozen=True):
    """The last signed note and the key to check it with; empty while there is none."""

    note: str
    key: str


class Ready(Struct, frozen=True):
    """Whether new connections are served, and whether other nodes can be reached."""

    ready: bool
    bus: bool


class NotReady(Struct, frozen=True):
    """The database does not answer: the name of what went wrong."""

    why: str
    ready: Literal[False] = False


RESPONSES = (Failure, TitleInfo, MatchList, MatchDetails, Audit, TitleAudit, Checkpoint, Dispute)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the messages and, beside them under `$defs`, of these answers."""
    known = wire.schema()
    _, parts = json.schema_components(RESPONSES, ref_template="#/$defs/{name}")
    for name in parts.keys() - known["$defs"].keys():
        fields = parts[name].get("properties", {})  # what has a default is sent all the same
        parts[name]["required"] = [field for field in fields if (name, field) != ("SeatDecisions", "forced")]
    return {**known, "$defs": {**parts, **known["$defs"]}}
