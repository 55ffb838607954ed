"""Tournaments over HTTP.

| path | verb | what |
|---|---|---|
| /api/tournaments | GET, POST | those that are going on and the latest that are over; one more |
| /api/tournaments/ID | GET | one as a whole |
| /api/tournaments/ID/export | GET | the same, with all of its book, as a file; `form=csv`: pairings |
| /api/tournaments/ID/entry | POST, DELETE | one enters, or withdraws: oneself, or a bot of one's own |
| /api/tournaments/ID/invitations | GET, POST | whom its director has invited; one more |
| /api/tournaments/ID/invitations/HANDLE | DELETE | takes an invitation back |
| /api/tournaments/ID/start, …/pair | POST | its director starts it, or begins the next round |
| /api/tournaments/ID/rulings | POST | its director rules something |
| /api/me/tournaments | GET | those that one directs, has entered, or is invited to |
| /api/people/HANDLE/tournaments | GET | those that somebody has entered |
| /api/matches/ID/correction | GET, DELETE | to its tournament's director: that, and its pairing; withdraws |
| /api/bots/tournaments/ID/entry | POST | a bot enters or withdraws by its own token, from anywhere |

Deliberately absent: what a tournament is (`server.tournaments`).
"""

from datetime import UTC, datetime
from functools import partial
from typing import Final
from uuid import UUID, uuid4

from msgspec import Struct, json, structs

from domain.match.refusals import RequestError
from server.http.asked import before_of
from server.http.pages import Nothing, Page, PageRequest, Routes, body_of, found
from server.http.people import PeoplePages
from server.http.reads import Reads
from server.http.results import HANDLE, NOBODY
from server.limits import RESULTS
from server.lobby.offers import Lobby
from server.people.sessions import is_bots
from server.play import correcting
from server.play.matches import Matches
from server.postgres.database import Pool
from server.protocol.tournaments import Invitations, MyTournaments, PlacedIn
from server.tournaments.course import NO_SUCH
from server.tournaments.directing import AnyRuling, Directing
from server.tournaments.entering import Entering, NewTournament
from server.tournaments.reading import Reading, as_csv
from server.tournaments.rounds import Rounds

CSV: Final = "text/csv; charset=utf-8"

_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """Who enters or leaves: the handle of one's own bot, or empty for oneself."""

    bot: str = ""


class BotsEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a bot enters, or withdraws."""

    enters: bool = True


class Invited(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is invited."""

    handle: str


class Withdrawn(Struct, frozen=True, forbid_unknown_fields=True):
    """Which proposal is withdrawn: that to go on from fact `back_to`."""

    back_to: int


class TournamentPages:
    """The pages of tournaments."""

    def __init__(self, pool: Pool, lobby: Lobby, people: PeoplePages, reads: Reads, matches: Matches) -> None:
        self._entering, self._reading = Entering(pool, lobby), Reading(pool)
        self._directing = Directing(pool, partial(_propose, matches), partial(_withdraw, matches))
        self.rounds = Rounds(pool, lobby)
        self._people, self._reads = people, reads

    def routes(self) -> Routes:
        """Return what is read."""
        return {
            ("api", "tournaments"): self._all,
            ("api", "tournaments", "*"): self._one,
            ("api", "tournaments", "*", "export"): self._export,
            ("api", "tournaments", "*", "invitations"): self._invited,
            ("api", "me", "tournaments"): self._mine,
            ("api", "matches", "*", "correction"): self._directed,
            ("api", "people", "*", "tournaments"): self._of,
        }

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""
        return {
            "POST": {
                ("api", "tournaments"): self._make,
                ("api", "tournaments", "*", "entry"): self._enter,
                ("api", "tournaments", "*", "invitations"): self._invite,
                ("api", "tournaments", "*", "start"): self._start,
                ("api", "tournaments", "*", "pair"): self._pair,
                ("api", "tournaments", "*", "rulings"): self._rule,
            },
            "DELETE": {
                ("api", "tournaments", "*", "entry"): self._leave,
                ("api", "tournaments", "*", "invitations", "*"): self._take_back,
                ("api", "matches", "*", "correction"): self._withdraw,
            },
        }

    def anyones(self) -> Routes:
        """Return what may be sent from anywhere, by POST: it needs a token of its own."""
        return {("api", "bots", "tournaments", "*", "entry"): self._enter_bot}

    # reads

    async def _all(self, request: PageRequest) -> Page:
        before = before_of(request.query)
        until = _NEVER if before is None else datetime.fromtimestamp(before / 1e6, UTC)

        async def work() -> bytes:
            return json.encode(await self._reading.all(until))

        return Page(await self._reads.read(request.address, ("tournaments", before), RESULTS, work))

    async def _one(self, request: PageRequest) -> Page:
        work = partial(self._whole, named(request, 2))
        return Page(await self._reads.read(request.address, ("tournament", request.parts[2]), RESULTS, work))

    async def _whole(self, tournament: UUID) -> bytes:
        return json.encode(await self._reading.one(tournament))

    async def _export(self, request: PageRequest) -> Page:
        tournament, form = named(request, 2), request.query.get("form", "json")
        if form not in {"json", "csv"}:
            raise RequestError("bad_request", "a tournament is exported as json or as csv")

        async def work() -> bytes:
            one = await self._reading.one(tournament, book=True)
            return as_csv(one) if form == "csv" else json.format(json.encode(one), indent=2)

        page = Page(await self._reads.read(request.address, (form, tournament), RESULTS, work))
        name = f"tournament-{tournament}.{form}"
        return structs.replace(page, name=name, kind=CSV if form == "csv" else page.kind)

    async def _of(self, request: PageRequest) -> Page:
        handle = request.parts[2].lower()
        if not HANDLE.fullmatch(handle):
            raise RequestError("no_person", NOBODY)
        await self._people.looks_up(request)

        async def work() -> bytes:
            return json.encode(PlacedIn(await self._reading.of(handle)))

        return Page(await self._reads.read(request.address, ("placed", handle), RESULTS, work))

    async def _mine(self, request: PageRequest) -> Page:
        here = await (
            self._people.sessions.bot(request.token) if is_bots(request.token) else self._people.here(request)
        )
        return found(MyTournaments(await self._reading.mine(here.person)))

    # who takes part

    async def _make(self, request: PageRequest) -> Page:
        here = await self._people.here(request)
        return await self._told(await self._entering.make(here, body_of(request, NewTournament)))

    async def _enter(self, request: PageRequest) -> Page:
        here, tournament = await self._people.here(request), named(request, 2)
        left = await self._entering.enter(here, tournament, body_of(request, Entry).bot)
        return await self._told(tournament, left)

    async def _leave(self, request: PageRequest) -> Page:
        here, tournament = await self._people.here(request), named(request, 2)
        left = await self._entering.leave(here, tournament, body_of(request, Entry).bot)
        return await self._told(tournament, left)

    async def _enter_bot(self, request: PageRequest) -> Page:
        here, tournament = await self._people.sessions.bot(request.token), named(request, 3)
        go = self._entering.enter if body_of(request, BotsEntry).enters else self._entering.leave
        return await self._told(tournament, await go(here, tournament))

    # who directs

    async def _invited(self, request: PageRequest) -> Page:
        here = await self._people.here(request)
        return found(Invitations(await self._entering.invited(here, named(request, 2))))

    async def _invite(self, request: PageRequest) -> Page:
        here, asked = await self._people.here(request), body_of(request, Invited)
        self._people.asks_about(here, request)
        await self._entering.invite(here, named(request, 2), asked.handle)
        return await self._invited(request)

    async def _take_back(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here = await self._people.here(request)
        await self._entering.take_back(here, named(request, 2), request.parts[4])
        return await self._invited(request)

    async def _start(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here, tournament = await self._people.here(request), named(request, 2)
        await self._entering.start(here, tournament)
        return await self._told(tournament)

    async def _pair(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here, tournament = await self._people.here(request), named(request, 2)
        await self._directing.pair(here, tournament)
        return await self._told(tournament)

    async def _directed(self, request: PageRequest) -> Page:
        here = await self._people.here(request)
        return found(await self._directing.directed(here, request.match()))

    async def _withdraw(self, request: PageRequest) -> Page:
        here, asked = await self._people.here(request), body_of(request, Withdrawn)
        await self._directing.withdraw(here, request.match(), asked.back_to)
        return await self._directed(request)

    async def _rule(self, request: PageRequest) -> Page:
        here, tournament = await self._people.here(request), named(request, 2)
        left = await self._directing.rule(here, tournament, body_of(request, AnyRuling))
        return await self._told(tournament, left)

    async def _told(self, tournament: UUID, left: "list[UUID] | None" = None) -> Page:
        """Answer what has been changed, and have the rest done; nobody plays the matches `left` any more."""
        self.rounds.left(left or [])
        self.rounds.wake()
        return found(await self._reading.one(tournament))


async def _propose(matches: Matches, match: UUID, back_to: int) -> None:
    """Propose to go on in a match from a fact, as the director of its tournament."""
    await matches.command(match, uuid4(), *correcting.propose(None, back_to))


async def _withdraw(matches: Matches, match: UUID, back_to: int) -> None:
    """Withdraw what the director proposes to correct in a match."""
    await matches.command(match, uuid4(), *correcting.withdraw(back_to))


def named(request: PageRequest, part: int) -> UUID:
    """Return the tournament that a part of the path names. Raises RequestError."""
    try:
        return UUID(request.parts[part])
    except ValueError:
        raise RequestError("no_page", NO_SUCH) from None
