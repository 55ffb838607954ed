"""The messages to and from clients: two tagged unions, the one source of the protocol's schema.

`clients/PROTOCOL.md` says how they are used. Every message is one JSON text frame with its name under `t`.
Unknown names and unknown fields are refused.
"""

from typing import Annotated, Any, Final, Literal, get_args
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json

from domain.kernel.seats import Clock
from domain.match.refusals import Code
from domain.match.telling import Told
from server.protocol.listing import Kind, MatchInfo, WhoIsHere

VERSION = 1

Room = Literal["table", "onlookers"]
What = Literal["draw", "undo", "pause"]
PACES: Final = ("", "live", "live, 20 minutes", "by turns", "by turns, days")
Pace = Annotated[str, Meta(extra_json_schema={"enum": sorted(PACES)})]
"""How fast a match is meant to be played. Any text is decoded: offers of before, sent again, have others."""

RefusalCode = Annotated[str, Meta(extra_json_schema={"enum": sorted(get_args(Code))})]
"""The code of a refusal, as a client reads it: a later server may have others."""


class Message(
    Struct, frozen=True, tag_field="t", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True
):
    """Anything that goes over the socket."""


# from clients


class Hello(Message, frozen=True):
    """Watch a match from fact `after` on; with a token, from the seat that the token opens.

    `mine`, without one: from the place of the person who is signed in on this connection, a seat of his
    (`seat` says which, where several are), or as who offered the match; where he has none he looks on.
    """

    version: int
    match: UUID
    token: str = ""
    after: int = 0
    h: str = ""
    """The hash of fact `after` as this client knows it; if it is not the log's, the view is sent."""
    glance: bool = False
    """Without a token: this is a small picture among others, and nobody who counts as an onlooker."""
    mine: bool = False
    seat: int | None = None


class Bye(Message, frozen=True):
    """Stop watching a match."""

    match: UUID


class Create(Message, frozen=True):
    """Offer a match. Sent again with the same `command`, it gives the same match and links."""

    version: int
    command: UUID
    title: str
    scenario: str
    options: dict[str, bool | int] = {}
    clock: Clock | None = None
    private: bool = False
    label: str = ""
    pace: Pace = ""
    bots: dict[int, str] = {}
    """Seat to the strength of the bot that the server puts there."""
    by_turns: bool = False
    """Whether it is played over days: its offer stays on the list for longer while its maker is away."""
    rated: bool = False
    """Whether its result moves the ratings of the persons who play it; such a match has a clock."""
    persons: bool = False
    """Whether its seats are for those who are signed in; those of a rated match are."""
    band: tuple[int, int] | None = None
    """The ratings that it is offered to, from the first to the second."""
    challenge: str = ""
    """The handle of the person who is challenged to it: it is offered to nobody else."""
    word: str = ""
    """What is said with the challenge."""


class Sit(Message, frozen=True):
    """Take the seat whose link one came by, which is void from then on.

    `token` is the token of the link that the seat is held by in its place: 20 random bytes in base64url
    without padding, made by who sits down, and for this message alone. Sent again with the same `command`
    and the same token, by either link, it is answered alike. `promise` is the SHA-256 of a nonce of 16
    bytes, in hex.
    """

    match: UUID
    command: UUID
    token: str
    promise: str
    name: str = ""
    kind: Kind = "person"
    zone: str = ""
    """A time zone by its name in IANA's database, for a clock that has nights or weekends; UTC if empty.

    A person who says neither it nor a night keeps those of his page.
    """
    night: int | None = None
    """The minute of the day, by that zone, at which one's eight hours of night begin; None for no night."""


class Join(Message, frozen=True):
    """Take a free seat of a match that is not private and that one watches, without a link to it.

    `token`, `promise`, `zone` and `night` are those of `sit`. In a match that has begun the seat is one that
    is offered to others, `private` or not, and the promise is of no use.
    """

    match: UUID
    command: UUID
    seat: int
    token: str
    promise: str
    name: str = ""
    kind: Kind = "person"
    zone: str = ""
    night: int | None = None


class Show(Message, frozen=True):
    """Show the nonce, in hex, once every seat has promised one."""

    match: UUID
    command: UUID
    nonce: str


class Anew(Message, frozen=True):
    """Commit to another nonce before the match begins, since the one committed to is elsewhere.

    `promise` is the SHA-256 of the new nonce, in hex; `instead` what stands in `match.promises` for the seat,
    empty if nothing does. Nonces that were shown before count no more, and those seats commit anew as well.
    """

    match: UUID
    command: UUID
    promise: str
    instead: str = ""


class Decide(Message, frozen=True):
    """Choose one of the prompt's options; `answers` is the `upto` of the frame that was on the screen.

    Either `decision` is given, or `decisions`: several, each from the list that the one before it leaves.
    """

    match: UUID
    command: UUID
    answers: int
    decision: Raw | UnsetType = UNSET
    decisions: tuple[Raw, ...] = ()


class Foresee(Message, frozen=True):
    """Ask what one would be asked after decisions that are quiet, without taking them."""

    match: UUID
    command: UUID
    answers: int
    decisions: tuple[Raw, ...]


class Suggest(Message, frozen=True):
    """Ask what a bot of the house would decide, from `decisions` on, in this step of one's own."""

    match: UUID
    command: UUID
    answers: int
    decisions: tuple[Raw, ...] = ()
    """Quiet decisions that are made already and not sent."""


class Undo(Message, frozen=True):
    """Take back one's own last decision."""

    match: UUID
    command: UUID


class Offer(Message, frozen=True):
    """Offer a draw or a pause, or ask to go back to before one's last decision."""

    match: UUID
    command: UUID
    what: What


class Answer(Message, frozen=True):
    """Agree to what is on offer, or decline it; of a correction `back_to` says to which."""

    match: UUID
    command: UUID
    what: What | Literal["correction"]
    agreed: bool
    back_to: int = 0


class Correct(Message, frozen=True):
    """Propose to go on from fact `back_to`, behind which a decision stands, if all agree, across dice too."""

    match: UUID
    command: UUID
    back_to: int


class Resume(Message, frozen=True):
    """Go on after a pause: the clocks of all run again at once."""

    match: UUID
    command: UUID


class Resign(Message, frozen=True):
    """Give up."""

    match: UUID
    command: UUID


class Claim(Message, frozen=True):
    """Say that the time of a seat has run out, or that it has been waited for for 14 days without a clock.

    What comes of it is chosen: the default decision of the rules; where it is the third time-out in a row, or
    without a clock, to have won; where it is the third, to offer the seat to others by `join`; without a
    clock, to call the match off.
    """

    match: UUID
    command: UUID
    seat: int
    choice: Literal["default", "win", "replace", "off"] = "default"


class CallOff(Message, frozen=True, tag="call_off"):
    """Call the match off, before both sides have decided."""

    match: UUID
    command: UUID


class Holiday(Message, frozen=True):
    """Go on holiday for so many days, on which no time of one's seat runs; with 0 days, come back early."""

    match: UUID
    command: UUID
    days: int


class Exchange(Message, frozen=True):
    """Get a new token for the one this match is watched with; the old one is void from then on."""

    match: UUID


class Revoke(Message, frozen=True):
    """Make the token of a seat void and get a new one: the creator's right until somebody takes it."""

    match: UUID
    seat: int


class Withdraw(Message, frozen=True):
    """Take back the offer of a match that has not begun: the creator's right.

    It is on no list then, and its seats are taken by their links only.
    """

    match: UUID


class Rematch(Message, frozen=True):
    """Take one's seat, as the holder of one at a match that is over, in the same match with sides swapped.

    `again`: nobody changes sides. The first who asks offers it, and says which. The rest is as in `sit`, at
    the match that `linked` names.
    """

    match: UUID
    command: UUID
    token: str
    promise: str
    name: str = ""
    kind: Kind = "person"
    zone: str = ""
    night: int | None = None
    again: bool = False


class Say(Message, frozen=True):
    """Chat: at the table among the seats, or among the onlookers."""

    match: UUID
    room: Room
    text: str


class Lobby(Message, frozen=True):
    """Watch the lobby: `listed` now and whenever something changes; or, with `watching` false, no longer."""

    watching: bool = True


class Ping(Message, frozen=True):
    """Check the connection; the answer is `pong`. Browsers cannot send pings of the websocket protocol."""


Incoming = (
    Hello
    | Bye
    | Create
    | Sit
    | Join
    | Show
    | Anew
    | Decide
    | Foresee
    | Suggest
    | Undo
    | Offer
    | Answer
    | Correct
    | Resume
    | Resign
    | Claim
    | CallOff
    | Holiday
    | Exchange
    | Revoke
    | Withdraw
    | Rematch
    | Say
    | Lobby
    | Ping
)


# to clients


class Welcome(Message, frozen=True):
    """The answer to `hello`: what this connection is at that match."""

    version: int
    match: UUID
    title: str
    role: Literal["seat", "creator", "onlooker"]
    head: int
    """The seq of the last fact now."""
    seat: int | None = None
    side: int | None = None


class Asked(Struct, frozen=True, omit_defaults=True):
    """The prompt of one seat: the rule, a sentence, and every legal decision."""

    seat: int
    rule: str
    text: str
    """What is asked, with ids in square brackets, as in the words of facts."""
    options: tuple[Raw, ...]
    quiet: tuple[int, ...] = ()
    """The places of those options, from 0, after which the same command may hold another decision."""
    sealed: bool = False
    """Whether after each of those the same command must hold another decision."""


class Frame(Message, frozen=True):
    """What happened after fact `after` up to `upto`, as one audience may know it.

    `patch` is a JSON merge patch (RFC 7396) from the view at `after` to the view at `upto`. `sealed` holds
    `(seq, c_n in hex)` of the facts that this audience may not see. `prompts` are those of the seats of
    one's own side as of `upto`; onlookers have none.
    """

    match: UUID
    after: int
    upto: int
    h: str
    facts: list[Told]
    sealed: list[tuple[int, str]]
    patch: dict[str, Any]
    prompts: list[Asked]


class View(Message, frozen=True):
    """All there is to see as of fact `upto`, in place of what was there before."""

    match: UUID
    upto: int
    h: str
    view: dict[str, Any]
    prompts: list[Asked]


class Receipt(Message, frozen=True):
    """A command is on the log: its last fact is `seq`, with hash `h`. Keep it: it proves the log."""

    match: UUID
    command: UUID
    seq: int
    h: str


class Foreseen(Message, frozen=True):
    """The answer to `foresee`: the prompt, and the change of one's view, that those decisions would bring.

    `patch` is a JSON merge patch from the view at fact `upto`. Nothing has been decided.
    """

    match: UUID
    command: UUID
    upto: int
    prompt: Asked
    patch: dict[str, Any]


class Suggested(Message, frozen=True, omit_defaults=True):
    """The answer to `suggest`: quiet decisions in turn, and the one after them that is not quiet, if any.

    `prompt` and `patch` are what `decisions` would bring, as in `foreseen`. Nothing has been decided.
    """

    match: UUID
    command: UUID
    upto: int
    decisions: tuple[Raw, ...]
    """With those that the request holds."""
    prompt: Asked
    patch: dict[str, Any]
    last: Raw | UnsetType = UNSET


class Link(Struct, frozen=True):
    """A way into a match. Whoever holds the token holds the seat."""

    role: Literal["seat", "creator", "onlooker"]
    token: str
    path: str
    """To open in a browser; the token is in the fragment, which no server and no log gets to see."""
    seat: int | None = None


class Created(Message, frozen=True):
    """The match that was offered, and its links: of each seat but those of its bots, and two more."""

    match: UUID
    command: UUID
    links: list[Link]


class Linked(Message, frozen=True):
    """The new link after `exchange` or `revoke`, or that of a seat after `sit`, `join` or `rematch`."""

    match: UUID
    link: Link


class Refused(Message, frozen=True):
    """A request was not carried out, and nothing has changed. `seq` is the head if it came too late."""

    code: RefusalCode
    reason: str
    match: UUID | None = None
    command: UUID | None = None
    rule: str = ""
    seq: int | None = None


class Presence(Message, frozen=True):
    """Who is there: seats, and how many onlookers (None: not known at the moment)."""

    match: UUID
    seats: list[int]
    onlookers: int | None


class Withdrawn(Message, frozen=True):
    """The offer of a match was taken back."""

    match: UUID


class Rematched(Message, frozen=True):
    """Somebody who played the match has sat down for a rematch: `next` is its id."""

    match: UUID
    next: UUID


class Said(Message, frozen=True):
    """A line of chat. `seat` is None for an onlooker."""

    match: UUID
    room: Room
    id: int
    at: int
    text: str
    seat: int | None = None


class Listed(Message, frozen=True):
    """The lobby: matches that are not private, open to join or in play, each group the latest first.

    With `whole`, `matches` are all that is shown, in place of what was there before. Else they are those that
    are new or have changed, and `gone` those to be left out from now on. `here` is who looks at the lobby,
    None where that has not changed or is not known yet. `yours`: a challenge to or by the person who watches
    is new or was answered, which `/api/me/matches` tells.
    """

    matches: list[MatchInfo]
    gone: list[UUID] = []
    whole: bool = False
    here: WhoIsHere | None = None
    yours: bool = False


class Pong(Message, frozen=True):
    """The answer to `ping`. `now` is the time of this node in microseconds since 1970, as in `at`."""

    now: int = 0


class Restarting(Message, frozen=True):
    """The server is about to stop; connect again."""


Outgoing = (
    Welcome
    | Frame
    | View
    | Receipt
    | Foreseen
    | Suggested
    | Created
    | Linked
    | Refused
    | Presence
    | Withdrawn
    | Rematched
    | Said
    | Listed
    | Pong
    | Restarting
)

encode = json.Encoder().encode
decode_incoming = json.Decoder(Incoming).decode
decode_outgoing = json.Decoder(Outgoing).decode


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages: `Incoming` and `Outgoing` under `$defs` with their parts."""
    (incoming, outgoing), parts = json.schema_components([Incoming, Outgoing], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Fleetfold protocol, version {VERSION}",
        "$defs": {**parts, "Incoming": incoming, "Outgoing": outgoing},
    }


__all__ = [
    name for name, value in list(globals().items()) if isinstance(value, type) and issubclass(value, Struct)
]
