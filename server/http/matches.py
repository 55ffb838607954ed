"""The matches: the list of them, one of them, and all that is read of it by its link, or as a player's own.

What is made of a whole match is read in turn (`server.http.reads`), and counts by its length. Until a match
has ended its reader gets what his audience may see, and then everything. Deliberately absent: who may read a
match (`server.http.access`), and what is made of its facts (`projections`).
"""

from collections.abc import Collection, Generator, Iterator, Mapping
from functools import partial
from typing import Any, Protocol, cast, get_args
from uuid import UUID

from msgspec import UNSET, json
from msgspec.structs import asdict

from domain.kernel.audience import Audience, Reader, Viewer
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.titles import TITLES
from projections import audit, chronicle, views
from projections import record as records
from projections import report as reports
from projections.history import undone
from projections.sources import FactsInLog
from projections.standings import Chair, Standing, standings
from server.http import passages
from server.http.access import access_of
from server.http.asked import before_of, title_of
from server.http.disputes import Disputes
from server.http.pages import JSON, NDJSON, Handler, Page, PageRequest, found
from server.http.people import PeoplePages
from server.http.reads import Reads, beside_the_loop
from server.http.responses import Audit, SeatDecisions
from server.limits import RECORD, REPORT, STEPS
from server.lobby.fitting import fit
from server.lobby.links import Access
from server.lobby.listing import Listing, Wish
from server.lobby.offers import Lobby
from server.play.reader import MatchReader
from server.play.snapshot import Snapshot
from server.postgres.database import Database, connection
from server.proof import keys
from server.protocol import wire
from server.protocol.listing import MatchInfo, MatchState
from server.protocol.responses import MatchDetails, MatchList
from server.single_flight import Work

STATES = frozenset(get_args(MatchState))

PACES = ("live", "turns")

WORDS = 80
"""Characters that may be searched for."""

BY_SIDE: Mapping[str, Viewer] = {"0": Audience.SIDE_0, "1": Audience.SIDE_1}
"""Whose view `side` asks for; anything else asks for the onlookers'."""


class Node(Protocol):
    """What the pages of matches use of a running server (`server.serving`)."""

    database: Database
    reader: MatchReader
    """Reads matches over the connections of `database.http`."""
    lobby: Lobby
    listing: Listing
    people: PeoplePages


class MatchPages:
    """What is read of matches."""

    def __init__(self, node: Node, reads: Reads) -> None:
        """Take the node, and the turns in which whole matches are read."""
        self._node, self._reads = node, reads
        self._disputes = Disputes(node.reader, reads)

    def routes(self) -> dict[tuple[str, ...], Handler]:
        """Return the handlers by path; `*` stands for one part."""
        return {
            ("api", "matches"): self._matches,
            ("api", "matches", "*"): self._match,
            ("api", "matches", "*", "steps"): self._steps,
            ("api", "matches", "*", "record"): self._record,
            ("api", "matches", "*", "dispute", "*"): self._dispute,
            ("api", "matches", "*", "report"): self._report,
            ("api", "matches", "*", "audit"): self._audit,
            ("api", "matches", "*", "chapters"): self._chapters,
            ("api", "matches", "*", "story", "*"): self._story,
        }

    async def _matches(self, request: PageRequest) -> Page:
        return found(MatchList(await self._node.listing.matches(wish(request.query), request.address)))

    async def _match(self, request: PageRequest) -> Page:
        await self._access(request)
        live = await self._node.reader.latest(request.match())
        one = await self._info(live)
        return found(MatchDetails(**asdict(one), options=live.standing.options))

    async def describe(self, match: UUID) -> MatchInfo:
        """Return how a match that is not private stands; raises RequestError for others."""
        await self._node.lobby.links.access(match, "", self._node.database.http)
        return await self._info(await self._node.reader.latest(match))

    async def _info(self, live: Snapshot) -> MatchInfo:
        async with connection(self._node.database.http) as conn:
            known = await standings(conn, [live.match])
        return await self._node.listing.one(standing_of(live, known[0] if known else None))

    async def _steps(self, request: PageRequest) -> Page:
        access = await self._access(request)
        wanted = BY_SIDE.get(request.query["side"], Audience.ONLOOKERS) if "side" in request.query else None
        told = wanted, request.query.get("all") == "1"
        head = await self._head(access)
        passage = passages.asked_for(request.query, head, 0)
        if passage is None:
            work = partial(self._written, access, *told)
            return Page(await self._whole(request, access, STEPS, work, *told), NDJSON)
        cost = await passages.cost(self._node.reader.opening, access.match, passage)
        wish = ("passage", access.match, head, access.seat, passage.first, passage.upto, *told)
        work = partial(self._passage, access, passage, *told)
        return Page(await self._reads.read(request.address, wish, cost, work), NDJSON)

    async def _passage(
        self, access: Access, passage: passages.Passage, wanted: Viewer | None, all_of_it: bool
    ) -> bytes:
        live = await self._node.reader.latest(access.match)
        ended = bool(live.standing.key)
        audience = wanted if ended and wanted is not None else await self._audience(access)
        everything = ended and all_of_it
        lines = await passages.lines(
            self._node.reader.opening, access.match, passage, audience, live.k_salt, everything=everything
        )
        return b"\n".join(lines) + b"\n"

    async def _written(self, access: Access, wanted: Viewer | None, all_of_it: bool) -> bytes:
        entries, key = await self._node.reader.opening.everything(access.match)
        game = TITLES[(await self._node.reader.get(access.match)).game.name]
        ended = entries[-1].final
        audience = wanted if ended and wanted is not None else await self._audience(access)
        frames = views.steps(game, entries, audience, keys.salt_key(key), everything=ended and all_of_it)
        return await beside_the_loop(written(frames)) or b""

    async def _record(self, request: PageRequest) -> Page:
        access = await self._access(request)
        head = await self._head(access)
        part = passages.asked_for(request.query, head) or passages.Passage(1, head)
        wish = ("record", access.match, head, access.seat, part.first, part.upto)
        work = partial(self._recorded, access, part, head)
        cost = RECORD * (part.upto - part.first + 1)
        return Page(await self._reads.read(request.address, wish, cost, work), NDJSON)

    async def _recorded(self, access: Access, part: passages.Passage, head: int) -> bytes:
        log, match = self._node.reader.log, access.match
        live = await self._node.reader.latest(match)
        ended = bool(live.standing.key)
        reader: Reader = Audience.UMPIRE if ended else await self._audience(access)
        lines = records.passage(log, match, part.first - 1, part.upto, reader, live.k_salt)
        body = [line async for line in lines]
        if part.first == 1:
            async with connection(self._node.database.projector) as conn:
                proof = await records.proof(conn, match) if ended else None
            header = records.header_of(*await records.read_ends(log, match, head), proof=proof)
            body = [json.encode(header), b"\n", *body]
        return b"".join(body)

    async def _report(self, request: PageRequest) -> Page:
        access = await self._access(request)
        return Page(await self._whole(request, access, REPORT, partial(self._reported, access)), JSON)

    async def _reported(self, access: Access) -> bytes:
        live = await self._node.reader.latest(access.match)
        if not live.standing.key:
            raise RequestError("too_early", "the match has not ended")
        facts = FactsInLog(self._node.reader.log, access.match, live.seq)
        try:
            return json.encode(await facts.read_by(partial(_report, live.game)))
        except reports.NotEnded as why:
            raise RequestError("too_early", str(why)) from None

    async def _whole(
        self, request: PageRequest, access: Access, each: float, work: Work[bytes], *told: Any
    ) -> bytes:
        """Return the result of work over a whole match; each fact costs `each` of the rate limit."""
        head = await self._head(access)
        wish = (request.parts[3], access.match, head, access.seat, *told)
        return await self._reads.read(request.address, wish, head * each, work)

    async def _head(self, access: Access) -> int:
        return await self._node.reader.head(access.match)

    async def _dispute(self, request: PageRequest) -> Page:
        access = await self._access(request)
        if not request.parts[4].isdecimal():
            raise RequestError("no_step", "a fact is named by its number")
        seq = int(request.parts[4][:18])
        audience = await self._audience(access)
        return found(await self._disputes.answer(request.address, request.match(), seq, audience))

    async def _audit(self, request: PageRequest) -> Page:
        await self._access(request)
        async with connection(self._node.database.http) as conn:
            dice = await audit.dice(conn, match=request.match())
            decided = await audit.decisions(conn, request.match())
        over = (await self._node.reader.get(request.match())).standing.over
        return found(Audit(dice, [_decided(seat, over=over) for seat in decided.seats] if decided else []))

    async def _chapters(self, request: PageRequest) -> Page:
        access = await self._access(request)
        async with connection(self._node.database.http) as conn:
            return found(await chronicle.chapters(conn, access.match))

    async def _story(self, request: PageRequest) -> Page:
        access, unit = await self._access(request), request.parts[4]
        snapshot = await self._node.reader.get(access.match)
        if unit.partition(".")[0] not in snapshot.game.names:  # parts of a unit are called after it
            raise RequestError("no_unit", "there is no such unit in this title")
        reader: Reader = Audience.UMPIRE if snapshot.standing.key else await self._audience(access)
        async with connection(self._node.database.http) as conn:
            return found(await chronicle.story(conn, access.match, unit, reader))

    async def _access(self, request: PageRequest) -> Access:
        links, sessions = self._node.lobby.links, self._node.people.sessions
        return await access_of(request, links, sessions, self._node.database.http)

    async def _audience(self, access: Access) -> Viewer:
        if access.seat is None:
            return Audience.ONLOOKERS
        return Audience.of((await self._node.reader.get(access.match)).standing.side(access.seat))


def _report(game: Game, facts: FactsInLog) -> reports.Report:
    return reports.report(game, facts, undone(game, facts))


def written(frames: Iterator[wire.Frame]) -> Generator[None, None, bytes]:
    """Encode frames as NDJSON, yielding after each, since a long match takes a second."""
    lines: list[bytes] = []
    for frame in frames:
        lines.append(wire.encode(frame))
        yield
    return b"\n".join(lines) + b"\n"


def wish(query: Mapping[str, str]) -> Wish:
    """Return which matches a query asks for; raises RequestError."""
    states = set(query["state"].split(",")) if "state" in query else STATES
    if not STATES.issuperset(states):
        raise RequestError("no_state", "a match is open, playing or ended")
    pace = query.get("pace")
    if pace not in {None, *PACES}:
        raise RequestError("bad_request", "matches are played live, or in turns")
    return Wish(
        cast("Collection[MatchState]", states),
        title_of(query["title"]) if "title" in query else None,
        None if pace is None else pace == "turns",
        fit(query.get("q", "").strip(), WORDS, "what is searched for"),
        before_of(query),
    )


def standing_of(live: Snapshot, known: Standing | None) -> Standing:
    """Return the standing of a match; `known`, from the projections, may lag or be missing."""
    match = live.standing
    known = known or Standing(live.match, created=live.at)
    return Standing(
        live.match,
        match.title,
        match.scenario,
        known.created,
        live.at,
        match.started,
        match.over,
        bool(match.key),
        match.winner,
        match.reason,
        live.seq,
        tuple(live.asked_at),
        [
            Chair(seat.name, seat.side, match.taken.get(n, ""), n in match.resigned, vacant=n in live.vacant)
            for n, seat in enumerate(match.seats)
        ],
    )


def _decided(seat: audit.Seat, *, over: bool) -> SeatDecisions:
    """Return a seat's counts. Until the end they leave out forced decisions, which could reveal its hand."""
    return SeatDecisions(
        chosen=seat.chosen,
        forced=seat.forced if over else UNSET,
        default=seat.default,
        taken_back=seat.taken_back,
        used=seat.used,
        longest=seat.longest,
    )
