"""Runs the bots that a server seats itself: a task each, with an ordinary client on the server's own socket.

A bot comes by the link of its seat, sees what its side sees, and reaches this process by the protocol only.
Its one privilege is a pass, sent as a header: connections with it do not count towards the limits of this
machine's address. Deliberately absent: how a bot decides (`clients.bots`), which seats have one
(`server.lobby.offers`), and which of them play here (`server.lobby.charges`).
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextvars import Context
from pathlib import Path
from uuid import UUID

import structlog
from msgspec import Struct
from websockets.datastructures import Headers

from clients import bots
from clients.client import Broken, Lost, NoSeat, RequestRefused
from clients.links import Place, stored_nonce
from clients.player import Outcome, play
from server.lobby.offers import Lobby
from server.play.failures import refusal_for

logger = structlog.get_logger()

HEADER = "X-Fleetfold-House"
"""The header with a bot's pass, which is random and sent to this machine's own processes only."""

RETRY_AFTER = 5.0
"""Seconds until a bot that failed tries again."""

AT_ONCE = 64
"""Bots that are started at most by one call of `run_these`; the next one starts others."""


class Running(Struct, frozen=True):
    """A bot that plays: its task, and when it was started, in seconds of the event loop's clock."""

    task: asyncio.Task[None]
    since: float


class House:
    """The bots that this node runs."""

    def __init__(self, lobby: Lobby, url: str, folder: Path, *, think: float, carried: str = "") -> None:
        """Take the lobby, the server's URL, a folder and a bot's mean seconds for a decision.

        And the pass that its bots carry, where several processes are behind the URL; else one is drawn. In
        the folder are the nonces of seats that were taken when they were drawn at random and kept there.
        """
        self._lobby, self.url, self._folder, self._think = lobby, url, folder, think
        self._pass = carried or secrets.token_urlsafe(16)
        self._running: dict[tuple[UUID, int], Running] = {}
        self._through: set[tuple[UUID, int]] = set()
        """Bots that have played to the end or given up, as long as they are asked for."""

    @property
    def bots(self) -> int:
        """How many bots play on this node."""
        return len(self._running)

    def seat(self, match: UUID, strengths: Mapping[int, str]) -> None:
        """Start a task for each bot, given as seat to strength; one that runs already is left alone."""
        for seat, strength in strengths.items():
            if (match, seat) not in self._running:
                # In a context of its own: its log lines do not belong to the command that started it.
                task = asyncio.create_task(self._play(match, seat, strength), context=Context())
                self._running[match, seat] = Running(task, asyncio.get_running_loop().time())
                task.add_done_callback(lambda _, key=(match, seat): self._running.pop(key, None))  # type: ignore[misc]

    def run_these(self, bots: Mapping[UUID, Mapping[int, str]], asked: float) -> None:
        """Run these bots, the first first, and no others of those that were started before `asked`.

        A bot that has played to the end, or given up, is not started again while it is asked for.
        """
        wanted = dict.fromkeys((match, seat) for match, strengths in bots.items() for seat in strengths)
        self._through &= wanted.keys()
        for key, running in self._running.items():
            if key not in wanted and running.since < asked:
                running.task.cancel()
        missing = [key for key in wanted if key not in self._running and key not in self._through]
        for match, seat in missing[:AT_ONCE]:
            self.seat(match, {seat: bots[match][seat]})

    def leave(self, left: Callable[[UUID], bool]) -> None:
        """Stop the bots of these matches."""
        for (match, _), running in self._running.items():
            if left(match):
                running.task.cancel()

    def is_one(self, headers: Headers) -> bool:
        """Whether a handshake carries the pass of this machine's bots."""
        return secrets.compare_digest(",".join(headers.get_all(HEADER)).encode(), self._pass.encode())

    async def _play(self, match: UUID, seat: int, strength: str) -> None:
        """Play to the end; retry after failures of server or network, give up after a bug or broken chain."""
        log = logger.bind(match=str(match), seat=seat, strength=strength)
        while True:
            try:
                outcome = await self._once(match, seat, strength)
            except (NoSeat, Broken) as why:
                log.error("bot gave up", why=type(why).__name__)  # noqa: TRY400 the reason says it all
                break
            except Exception as why:
                if not isinstance(why, Lost | RequestRefused) and refusal_for(why) is None:
                    log.exception("bug")
                    break
                log.warning("bot tries again", why=type(why).__name__)
                await asyncio.sleep(RETRY_AFTER)
            else:
                log.info("bot has played", decisions=outcome.decisions)
                break
        self._through.add((match, seat))

    async def _once(self, match: UUID, seat: int, strength: str) -> Outcome:
        title = await self._lobby.title(match)
        return await play(
            Place(self.url, match, await self._lobby.bot_token(match, seat)),
            bots.strengths(title)[strength],
            name=f"{strength} bot",
            nonces_by=await self._nonces(match, seat),
            think=self._think,
            headers={HEADER: self._pass},
        )

    async def _nonces(self, match: UUID, seat: int) -> Callable[[int], bytes]:
        stored, derived = stored_nonce(self._folder, match, seat), await self._lobby.bot_nonces(match, seat)
        return lambda before: stored if stored and not before else derived(before)

    async def stop(self) -> None:
        """Cancel all bots; another node takes them up, or this one when it starts again."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
