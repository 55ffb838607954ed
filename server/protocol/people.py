"""What is answered over HTTP about persons: to himself all that is kept, to others what he shows.

Times are in microseconds since the epoch. Ids are numbers that mean something to the person alone.
Deliberately absent: how a person is known again (`server.people`).
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from server.protocol.listing import MatchInfo

Scope = Literal["play", "read"]
"""What a bot's token is good for: to take seats and decide, or only to read what its seats see."""


ChallengeAnswer = Literal["accepted", "declined", "withdrawn"]


class Ways(Struct, frozen=True):
    """By which ways one can sign up and in here."""

    passkeys: bool
    why: str
    """Why there can be no passkeys at this address, as a sentence; empty where there can."""
    mail: bool = False
    oidc: str = ""
    """The name of the provider, empty without one."""


class Passkey(Struct, frozen=True):
    """A passkey: what its person calls it, since when it is known, and when it was used last."""

    id: int
    name: str
    since: int
    used: int | None


class SessionInfo(Struct, frozen=True):
    """A browser that is signed in; `here`: the one that asks."""

    id: int
    browser: str
    since: int
    seen: int
    here: bool


class BotToken(Struct, frozen=True):
    """A bot's token, without the token."""

    id: int
    name: str
    scopes: Sequence[Scope]
    since: int
    used: int | None


class BotInfo(Struct, frozen=True):
    """A bot of the person who asks."""

    handle: str
    name: str
    since: int
    tokens: Sequence[BotToken]


class Person(Struct, frozen=True):
    """The person who asks; `codes` is the number of recovery codes left, `night` an hour in his zone."""

    handle: str
    name: str
    about: str
    locale: str
    zone: str
    night: int | None
    since: int
    codes: int
    passkeys: Sequence[Passkey]
    sessions: Sequence[SessionInfo]
    bots: Sequence[BotInfo]
    blocked: Sequence[str]
    """The handles of those whom he keeps away."""
    mail: str
    """His mail address, empty without one."""
    oidc: bool
    """Whether he is known by the operator's provider of identities."""
    shown: bool
    """Whether the lobby may show his handle while he looks at it."""


class Me(Struct, frozen=True):
    """Who asks, None for a guest, and how one could be known here."""

    person: Person | None
    ways: Ways


class Options(Struct, frozen=True):
    """What a browser hands to its authenticator (WebAuthn, its options in the form of JSON)."""

    options: dict[str, Any]


class SignedUp(Struct, frozen=True):
    """A new person, and the recovery codes, shown this once."""

    me: Me
    codes: Sequence[str]


class LinkMailed(Struct, frozen=True):
    """A link is on its way, or would be: it is good for so many minutes, in the browser that asked."""

    minutes: int


class Leaving(Struct, frozen=True):
    """Where the browser goes to, to come back to `/provider` with a state and a code."""

    to: str


class LinkOpened(Struct, frozen=True):
    """What an opened link came to, or who came back from a provider.

    `me` is who he is now, `codes` the recovery codes of a new person, shown this once. `new`: nobody is known
    by this yet; the same, sent again with a handle, signs him up.
    """

    me: Me
    codes: Sequence[str]
    new: bool


class Codes(Struct, frozen=True):
    """New recovery codes, shown this once; earlier ones are void."""

    codes: Sequence[str]


class MadeToken(Struct, frozen=True):
    """The token of a bot, shown this once."""

    token: str


class NotTied(Struct, frozen=True):
    """A match of which a link was shown that makes nothing the person's, and why."""

    match: UUID
    reason: str


class Tied(Struct, frozen=True):
    """The matches of which seats now belong to the person, and which links made nothing his."""

    tied: Sequence[UUID]
    left: Sequence[NotTied]


class MyMatch(Struct, frozen=True):
    """A match of the person who asks: his seats (none: he offered it), and whether it waits for him."""

    info: MatchInfo
    seats: Sequence[int]
    waits: bool


class ChallengeInfo(Struct, frozen=True):
    """A challenge: who asked whom to which match, what they said, and how it was answered (None: not yet)."""

    info: MatchInfo
    by: str
    to: str
    word: str
    since: int
    answer: ChallengeAnswer | None
    reply: str


class MyMatches(Struct, frozen=True):
    """His matches: first those that wait for him, then those in play, open ones, and the last that ended.

    `challenges` are those to him, or to a bot of his, that are not answered, the latest first. `gone` are the
    latest matches to which he challenged in vain: they are his no more, unless somebody else sits down there.
    """

    matches: Sequence[MyMatch]
    challenges: Sequence[ChallengeInfo]
    gone: Sequence[UUID] = ()


NoticeKind = Literal[
    "turn",
    "low",
    "begun",
    "anew",
    "offer",
    "joined",
    "holiday",
    "vacant",
    "round",
    "botround",
    "out",
    "invited",
    "botinvited",
    "ended",
    "wrote",
    "challenged",
    "accepted",
    "declined",
    "withdrawn",
    "rematch",
    "refused",
    "test",
]
"""What a notice is of (`server.notices.words` has its sentence)."""


class Delivery(Struct, frozen=True):
    """A notice by a channel. Until it is told `outcome` is None; `fault` is why the last try failed."""

    kind: NoticeKind
    match: UUID | None
    made: int
    sent: int | None
    outcome: str | None
    tries: int
    fault: str | None


class ChannelInfo(Struct, frozen=True):
    """A way to be told: whether it is on, and when it is used; the latest deliveries first.

    Where it leads is told to nobody again. `away`: only while one is not at the match. `quiet`: not in one's
    night. `digest`: once an hour.
    """

    id: UUID
    kind: Literal["mail", "push", "webhook"]
    name: str
    state: Literal["on", "off", "gone"]
    away: bool
    quiet: bool
    digest: bool
    since: int
    last: Sequence[Delivery]


class Channels(Struct, frozen=True):
    """The ways in which a person is told, and the key by which a browser subscribes to pushes.

    `added` is what was added now, or turned on again, and `secret` that of a webhook, shown this once.
    """

    channels: Sequence[ChannelInfo]
    push: str
    secret: str
    added: UUID | None = None


class Unsubscribed(Struct, frozen=True):
    """A channel is off now."""

    off: bool


class Challenges(Struct, frozen=True):
    """The challenges to a person and by him: those that are not answered, and the latest of the others."""

    challenges: Sequence[ChallengeInfo]


class AwayAt(Struct, frozen=True):
    """A match that was told of a holiday; `code` and `reason` are of a refusal, empty where it was done."""

    match: UUID
    seat: int
    title: str
    label: str
    code: str
    reason: str


class HolidaySaid(Struct, frozen=True):
    """What a holiday came to at each match of a person where time-outs are claimed, in the order of ids.

    Matches that begin up to `until` are told of it then; None for who is back.
    """

    matches: Sequence[AwayAt]
    until: int | None


class HolidayLeft(Struct, frozen=True):
    """How many days of holiday a person has left of those of a year, and until when he is away.

    Days are counted in each match of his that goes on where time-outs are claimed: `left` are the least of
    them, `most` the most; all where there is no such match. `until` is the latest; None where he is not away.
    """

    left: int
    most: int
    until: int | None


class Profile(Struct, frozen=True):
    """What a person shows to all; of a bot also the handle of its owner."""

    handle: str
    name: str
    about: str
    since: int
    bot: bool
    owner: str
