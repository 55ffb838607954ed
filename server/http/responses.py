"""What is answered over HTTP as JSON about the log and the server itself, and the schema of all answers.

A dispute is answered as `projections.dispute` has it, a report as `projections.report` has it, chapters and
stories as `projections.chronicle` reads them, the lines of a record as `projections.record` has them, a step
as the frame of the protocol; titles and matches as `server.protocol.responses` has them, results as
`server.protocol.results` has. Deliberately absent: which path is answered by which (`server.http.api`).
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, json, structs

from domain.match.chronicle import Chapter
from projections.audit import Fairness
from projections.chronicle import StoryLine
from projections.dispute import Dispute
from projections.record import FactLine, RecordHeader, SealedLine
from projections.report import Report
from server.protocol import people, tournaments, wire
from server.protocol.responses import Checkpoint, Failure, MatchDetails, MatchList, TitleInfo
from server.protocol.results import Ladder, PersonResults, TitleBalance


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


class Ready(Struct, frozen=True):
    """Whether new connections are served, whether other nodes can be reached, and checkpoints are signed."""

    ready: bool
    bus: bool
    clock_offset: float
    """Seconds by which the machine's clock is ahead of the database's, by which matches are played."""
    signed: bool
    """False when matches that have ended have waited for more than ten minutes: nobody signs."""
    signer: bool
    """Whether this node has the key that checkpoints are signed with, whoever of those that have it signs."""
    processes: int | UnsetType = UNSET
    """Where a machine has several server processes, how many answer: all of them are as is said above."""
    missing: int | UnsetType = UNSET
    """How many of them do not."""


class NotReady(Struct, frozen=True):
    """The database does not answer: the name of what went wrong."""

    why: str
    ready: Literal[False] = False


RESPONSES = (
    Failure,
    TitleInfo,
    MatchList,
    MatchDetails,
    Audit,
    TitleAudit,
    Ladder,
    PersonResults,
    TitleBalance,
    Checkpoint,
    Dispute,
    Report,
    Chapter,
    StoryLine,
    RecordHeader,
    FactLine,
    SealedLine,
    people.Me,
    people.Options,
    people.SignedUp,
    people.Codes,
    people.MadeToken,
    people.Tied,
    people.MyMatches,
    people.HolidayLeft,
    people.HolidaySaid,
    people.Challenges,
    people.Channels,
    people.LinkMailed,
    people.LinkOpened,
    people.Leaving,
    people.Unsubscribed,
    people.Profile,
    tournaments.Tournaments,
    tournaments.Tournament,
    tournaments.MyTournaments,
    tournaments.Directed,
    tournaments.Invitations,
    tournaments.PlacedIn,
)

LEFT_OUT = {
    (form.__name__, field.name)
    for form in RESPONSES
    if form.__struct_config__.omit_defaults
    for field in structs.fields(form)
    if not field.required
} | {("SeatDecisions", "forced")}
"""The fields of answers that are not always there; others are sent even where they have their default."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the messages and, beside them under `$defs`, of these answers."""
    known = wire.schema()
    _, parts = json.schema_components(RESPONSES, ref_template="#/$defs/{name}")
    for name in parts.keys() - known["$defs"].keys():
        fields = parts[name].get("properties", {})
        parts[name]["required"] = [field for field in fields if (name, field) not in LEFT_OUT]
    return {**known, "$defs": {**parts, **known["$defs"]}}
