"""A whole server: start and graceful shutdown of its parts.

Start: database, schema, log, fan-out, projections, then the port. Stop: no new connections, all clients are
told to reconnect, decisions under way are stored and answered, and only then the database is closed.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import UUID

import structlog
from websockets.asyncio.server import Server

import clients
from clients import bots
from domain.kernel.audience import Audience
from projections.every import PROJECTIONS
from projections.generations import prepare
from projections.positions import find
from projections.runner import Runner
from server import metrics, tracing
from server import settings as environment
from server.addresses import Addresses
from server.fanout import messages
from server.fanout.broadcasts import BackgroundTasks, Broadcast
from server.fanout.bus import Bus, LocalBus
from server.fanout.hub import Hub
from server.fanout.redis_bus import RedisBus
from server.fanout.sibling_bus import SiblingBus
from server.http.api import Api
from server.http.channels import ChannelPages
from server.http.headers import by_name
from server.http.holidays import HolidayPages
from server.http.people import PeoplePages
from server.http.routing import routed
from server.http.site import Site
from server.http.tournaments import TournamentPages
from server.http.ways_in import WaysIn
from server.lobby.board import Board
from server.lobby.charges import Charges
from server.lobby.chat import Chat
from server.lobby.here import WhoIs
from server.lobby.house import House
from server.lobby.listing import Listing
from server.lobby.offers import Lobby
from server.log.copied import refuse_facts_ahead
from server.log.store import PostgresLog, PostgresReader
from server.notices.notifying import Notifying
from server.notices.push import contact_of
from server.people.oidc import Oidc
from server.people.post import Post
from server.people.sessions import Sessions
from server.people.sweeping import sweep
from server.play.clock import Clock, refuse_shift
from server.play.clockwork import Clockwork
from server.play.failures import failed
from server.play.matches import Matches
from server.play.opening import Source
from server.play.reader import MatchReader
from server.play.snapshot import Snapshot
from server.postgres.database import ANSWER_WITHIN, Database, opened, own_login, warn_of_superuser
from server.postgres.embedded import embedded
from server.postgres.folder import refuse_half_restored
from server.postgres.leases import Leases
from server.proof import keys
from server.proof.checkpoints import Sequencer
from server.proof.notes import find_signer
from server.proof.sealed import refuse_other_ring
from server.proof.signing import Signing
from server.settings import Settings
from server.sharing import Sharing
from server.siblings.line import Line
from server.socket.gateway import Gateway
from server.socket.listening import accept_no_more, listen, reached_by

logger = structlog.get_logger()

BUILT = Path(clients.__file__).parent / "web" / "dist"
"""The built page, if this is a checkout or a wheel that has it."""

RESTART = 1012
"""The close code of a server that restarts."""

RETRY_AFTER = 1.0
"""Seconds between attempts of a query that the database did not answer."""

T = TypeVar("T")

THINK = 0.35
"""Mean delay in seconds of decisions by the server's bots and of orders, so that people can follow."""


class Serving:
    """A running server, reached at `url`."""

    def __init__(
        self,
        set_by: Settings,
        database: Database,
        leases: Leases,
        ring: keys.KeyRing,
        think: float,
        line: Line | None = None,
        house_pass: str = "",
    ) -> None:
        """Take, where a machine has several processes, the line to the others and the pass of their bots."""
        self.settings, self.database, self.leases, self.think = set_by, database, leases, think
        self.line, self._pass = line, house_pass
        self.log = PostgresLog(database)
        self.clock = Clock(database.play)
        self.url = ""
        self.bus = self._bus(ring)
        self.matches = Matches(
            self.log,
            ring,
            self._deliver,
            positions=partial(find, database.read),
            clock=self.clock.now,
            most=set_by.tables_in_memory,
            play=Source(PostgresReader(database.play), partial(find, database.play)),
        )
        self.reader = MatchReader(self.matches, PostgresReader(database.http), partial(find, database.http))
        self.hub = Hub(self.matches, self.bus, changed=self._present)
        self.lobby = Lobby(database.read, self.matches, ring, bots.strengths, set_by.offers_per_address)
        self.listing = Listing(database.http, self.hub.presence)
        self.board = Board(self.listing, database.http)
        self.gateway = Gateway(
            self.hub,
            self.matches,
            self.lobby,
            Chat(database.read),
            self.board,
            Sessions(database.read),
            set_by.matches_per_connection,
            self._created,
        )
        self.clockwork = Clockwork(self.matches, think, self.lobby.bots_of)
        self.runner = Runner(database.projector, PROJECTIONS)
        self.signer = find_signer(
            set_by.data / "signer", text=set_by.signer, file=set_by.signer_file, make=set_by.embedded
        )
        self.signing = Signing(database.projector, leases, self.signer)
        self.addresses = Addresses(set_by.connections_per_address, set_by.proxies, shared=line is not None)
        self.notices = Notifying(
            database.notices,
            ring,
            self.hub.seats_at,
            self.clock.now,
            lambda: set_by.public_url or by_name(self.url),
            mail=set_by.mail,
            sender=set_by.mail_from,
            contact=contact_of(set_by.mail_from, set_by.public_url),
            loopback=set_by.notices_to_loopback,
        )
        self.lag = metrics.Lag(self.runner)
        people = self.people = PeoplePages(
            database.http,
            self.listing,
            Sessions(database.http),
            self.gateway.look_at_sessions,
            self.lobby.seats.links_changed,
            ring,
            None if set_by.mail is None else Post(set_by.mail, set_by.mail_from),
            set_by.public_url,
            None if set_by.oidc is None else Oidc(set_by.oidc),
        )
        numbers = metrics.registry(
            *metrics.numbers(
                self.hub, self.gateway, self.matches, self.runner, self.clock, self._bots, self.signing
            ),
            metrics.Labelled(
                self.hub, self.gateway, self.matches, self.log, self.addresses, self.lag, self.notices, people
            ),
        )
        self.api = Api(self, partial(metrics.text, numbers), lambda: self.gateway.arriving.turns.crowded)
        self.site = Site(BUILT, self.api.matches.describe, set_by.public_url)
        channels = ChannelPages(self.notices, self.people.here, self.people.persons.address)
        self.away = HolidayPages(database.http, self.people.here, self.gateway.passing.command, self.matches)
        self.meets = TournamentPages(database.http, self.lobby, self.people, self.api.reads, self.matches)
        parts = (self.api, self.people, channels, WaysIn(self.people), self.away, self.meets)
        self.pages = routed(set_by, self.site.answer, *parts)
        self.house: House | None = None
        self.charges: Charges | None = None
        self.draining = False
        self._server: Server | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._looking: asyncio.Task[None] | None = None
        self._background = BackgroundTasks()

    def _bus(self, ring: keys.KeyRing) -> Bus:
        if self.settings.redis_url is not None:
            keys = ring.derived(messages.PURPOSE)
            return RedisBus(self.settings.redis_url, keys, now=self.clock.now)
        return LocalBus() if self.line is None else SiblingBus(self.line)

    def _deliver(self, broadcasts: list[Broadcast]) -> None:
        self.hub.deliver(broadcasts)
        self.runner.wake()

    def _bots(self) -> int:
        return self.house.bots if self.house is not None else 0

    def _present(self, match: UUID, seats: int, onlookers: int | None) -> None:
        self.gateway.presence(match, seats, onlookers)

    # start and stop

    async def start(self) -> None:
        """Start all parts; open the port last."""
        await self.clock.measure()
        for projection in PROJECTIONS:
            await prepare(self.database.projector, projection)
        self.matches.memory.when_changed(self._changed)
        self.matches.memory.when_changed(self.notices.low.changed)
        self.matches.memory.when_found(lambda live: self.hub.log_reaches(live.match, live.seq))
        self.matches.when_not_stored(lambda match: self.hub.compare_with_log([(match, Audience.ONLOOKERS)]))
        await self.hub.start()
        self._server, port = await listen(self, self.gateway, shared=self.line is not None)
        own = f"http://{reached_by(self.settings.host)}:{port}"
        self.url = self.settings.public_url or own
        nonces = self.settings.data / "nonces"
        self.house = House(self.lobby, own, nonces, think=self.think, carried=self._pass)
        read = self.database.read
        self.charges = Charges(read, self.leases, self.lobby, self.matches, self.clockwork, self.house)
        await self.charges.begin()
        self._looking = asyncio.create_task(self.charges.run())
        ever = (
            self.runner.run(),
            self.clock.run(),
            self.leases.run(),
            self.signing.run(),
            self.gateway.look_after(),
            self.gateway.look_after_sessions(),
            self.gateway.keep_seen(),
            self.board.run(),
            WhoIs(self.database.read, self.board).run(),
            self.lag.run(),
            self.notices.run(),
            self.people.mailing.run(),
            sweep(self.database.http),
            self.meets.rounds.run(),
            self.away.lasting.run(),
        )
        self._tasks = [asyncio.create_task(work) for work in ever]
        if self.line is not None:
            self._tasks.append(asyncio.create_task(Sharing(self.addresses, self.line).run()))
        if self.signer is not None:
            folder = self.settings.data / "checkpoints"
            writer = Sequencer(self.database.projector, self.signer, folder, may_sign=self.signing.may_sign)
            self._tasks.append(asyncio.create_task(self.signing.sign(writer.run)))
        logger.info("serving", url=self.url)

    async def stop(self) -> None:
        """Shut down gracefully: answer what is under way, and tell all clients to reconnect."""
        self.draining = True
        self.gateway.passing.close()
        assert self._server is not None
        accept_no_more(self._server)
        self._server.close(close_connections=False)
        self.addresses.close()
        await self._leave()
        await self.clockwork.stop()
        await self.gateway.restart()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.settings.drain_seconds):
                await self.gateway.idle()
        self.hub.flush()
        await self.gateway.close(RESTART)
        await self._server.wait_closed()
        await self.notices.stop()
        await self._end_tasks()
        await self.hub.stop()
        await self.log.close()
        logger.info("stopped")

    async def _leave(self) -> None:
        """Leave the matches in this node's charge to others."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self.house is not None:
            await self.house.stop()
        await self.leases.stop()

    async def _end_tasks(self) -> None:
        """Cancel the background tasks: one may wait forever for a transaction on a dead connection."""
        tasks = [*self._tasks, *self._background.tasks]
        for task in tasks:
            task.cancel()
        _, stuck = await asyncio.wait(tasks, timeout=ANSWER_WITHIN)
        if stuck:
            self.database.projector.terminate()
            await asyncio.wait(stuck, timeout=ANSWER_WITHIN)

    def _changed(self, live: Snapshot) -> None:
        if live.standing.key:
            at = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=live.at)
            ended = partial(self.lobby.ended, live.match, at)
            self._background.begin(in_the_end(ended, match=str(live.match)))

    def _created(self, match: UUID, strengths: dict[int, str]) -> None:
        if strengths and self.charges is not None:
            self.charges.created(match, strengths)


async def in_the_end(ask: Callable[[], Awaitable[T]], **about: str) -> T | None:
    """Retry a query until the database answers; None, and a log line, on errors that retries do not mend."""
    while True:
        try:
            return await ask()
        except Exception as why:
            if not failed("query not answered", why, **about):
                return None
            await asyncio.sleep(RETRY_AFTER)


@contextlib.asynccontextmanager
async def serving(settings: Settings, *, think: float = THINK) -> AsyncIterator[Serving]:
    """Run a server, on the configured database or on its own Postgres in the data folder."""
    environment.refuse_without_keys(settings)
    refuse_half_restored(settings.data)
    async with contextlib.AsyncExitStack() as stack:
        dsn = settings.database_url
        if dsn is None:
            dsn = await own_login(await stack.enter_async_context(embedded(settings.data)))
        yield await stack.enter_async_context(served(settings, dsn, think=think))


@contextlib.asynccontextmanager
async def served(
    settings: Settings, dsn: str, *, think: float = THINK, line: Line | None = None, house_pass: str = ""
) -> AsyncIterator[Serving]:
    """Run a server on a database, alone or as one process of several; see `Serving`."""
    async with tracing.exported(wanted=settings.traces), opened(dsn) as database:
        ring = keys.find_ring(
            text=settings.keys, file=settings.keys_file, folder=settings.data if settings.embedded else None
        )
        await refuse_shift(database.read)
        await refuse_other_ring(database.read, ring)
        await refuse_facts_ahead(database.read)
        await warn_of_superuser(database.read)
        server = Serving(settings, database, Leases(dsn), ring, think, line, house_pass)
        try:
            await server.start()
        except BaseException:
            await server.leases.stop()
            await server.hub.stop()
            raise
        try:
            yield server
        finally:
            await server.stop()
