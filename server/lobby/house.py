"""Runs the bots that a server seats itself: a task each, with an ordinary client on the server's own socket.

A bot comes by the link of its seat, sees what its side sees, and reaches this process by the protocol only.
Its one privilege is a pass, sent as a header: connections with it do not count towards the limits of this
machine's address. Deliberately absent: how a bot decides (`clients.bots`), and which seats have one
(`server.lobby.offers`).
"""

import asyncio
import secrets
from contextvars import Context
from pathlib import Path
from uuid import UUID

import structlog
from websockets.datastructures import Headers

from clients import bots
from clients.client import Broken, Lost, NoSeat, RequestRefused
from clients.links import Place, stored_nonce
from clients.player import Outcome, play
from server.lobby.offers import Lobby
from server.play.failures import refusal_for

logger = structlog.get_logger()

HEADER = "X-Fleetfold-House"
"""The header with a bot's pass, which is random for each process and sent to this process only."""

RETRY_AFTER = 5.0
"""Seconds until a bot that failed tries again."""


class House:
    """The bots that this node runs."""

    def __init__(self, lobby: Lobby, url: str, folder: Path, *, think: float) -> None:
        """Take the lobby, the server's URL, a folder and a bot's mean seconds for a decision.

        In the folder are the nonces of seats that were taken when they were drawn at random and kept there.
        """
        self._lobby, self.url, self._folder, self._think = lobby, url, folder, think
        self._pass = secrets.token_urlsafe(16)
        self._tasks: dict[tuple[UUID, int], asyncio.Task[None]] = {}

    def seat(self, match: UUID, strengths: dict[int, str]) -> None:
        """Start a task for each bot, given as seat to strength; one that runs already is left alone."""
        for seat, strength in strengths.items():
            if (match, seat) not in self._tasks:
                # In a context of its own: its log lines do not belong to the command that started it.
                task = asyncio.create_task(self._play(match, seat, strength), context=Context())
                self._tasks[match, seat] = task
                task.add_done_callback(lambda _, key=(match, seat): self._tasks.pop(key, None))  # type: ignore[misc]

    def is_one(self, headers: Headers) -> bool:
        """Whether a handshake carries the pass of this process's bots."""
        return secrets.compare_digest(",".join(headers.get_all(HEADER)).encode(), self._pass.encode())

    async def _play(self, match: UUID, seat: int, strength: str) -> None:
        """Play to the end; retry after failures of server or network, give up after a bug or broken chain."""
        log = logger.bind(match=str(match), seat=seat, strength=strength)
        while True:
            try:
                outcome = await self._once(match, seat, strength)
            except (NoSeat, Broken) as why:
                log.error("bot gave up", why=type(why).__name__)  # noqa: TRY400 the reason says it all
                return
            except Exception as why:
                if not isinstance(why, Lost | RequestRefused) and refusal_for(why) is None:
                    log.exception("bug")
                    return
                log.warning("bot tries again", why=type(why).__name__)
                await asyncio.sleep(RETRY_AFTER)
            else:
                log.info("bot has played", decisions=outcome.decisions)
                return

    async def _once(self, match: UUID, seat: int, strength: str) -> Outcome:
        title = await self._lobby.title(match)
        return await play(
            Place(self.url, match, await self._lobby.bot_token(match, seat)),
            bots.strengths(title)[strength],
            name=f"{strength} bot",
            nonce=stored_nonce(self._folder, match, seat) or await self._lobby.bot_nonce(match, seat),
            think=self._think,
            headers={HEADER: self._pass},
        )

    async def stop(self) -> None:
        """Cancel all bots; they are started again with the server."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
