"""The bots that a server seats itself: ordinary clients on its own socket, by their links.

A bot knows what its side knows and no more; it has no way into this process but the protocol.
"""

import asyncio
from contextvars import Context
from pathlib import Path
from uuid import UUID

import structlog

from clients import bots
from clients.client import Broken, Lost, NoSeat, Refused
from clients.links import Place
from clients.player import play
from server.lobby import Lobby

logger = structlog.get_logger()

AGAIN = 5.0
"""Seconds until a bot that could not go on tries again."""


class House:
    """The bots at work on this node."""

    def __init__(self, lobby: Lobby, url: str, folder: Path, *, think: float) -> None:
        """Take the server's address, where nonces are kept, and a bot's seconds for a decision."""
        self._lobby, self._url, self._folder, self._think = lobby, url, folder, think
        self._tasks: dict[tuple[UUID, int], asyncio.Task[None]] = {}

    def seat(self, match: UUID, strengths: dict[int, str]) -> None:
        """Let bots take their seats and play."""
        for seat, strength in strengths.items():
            if (match, seat) not in self._tasks:
                # In a context of its own: its log lines are not about the command that called for it.
                task = asyncio.create_task(self._play(match, seat, strength), context=Context())
                self._tasks[match, seat] = task
                task.add_done_callback(lambda _, key=(match, seat): self._tasks.pop(key, None))  # type: ignore[misc]

    async def _play(self, match: UUID, seat: int, strength: str) -> None:
        title = await self._lobby.title(match)
        log = logger.bind(match=str(match), seat=seat, strength=strength)
        while True:
            place = Place(self._url, match, await self._lobby.bot_token(match, seat))
            try:
                outcome = await play(
                    place,
                    bots.strengths(title)[strength],
                    name=f"{strength} bot",
                    nonces=self._folder,
                    think=self._think,
                )
            except (NoSeat, Broken) as why:
                log.error("bot gave up", why=type(why).__name__)  # noqa: TRY400 the reason says it all
                return
            except (Lost, Refused) as why:
                log.warning("bot tries again", why=type(why).__name__)
                await asyncio.sleep(AGAIN)
            else:
                log.info("bot has played", decisions=outcome.decisions)
                return

    async def stop(self) -> None:
        """Stop all bots; they go on at the next start."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
