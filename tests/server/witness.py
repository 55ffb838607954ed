"""Matches that bots play over sockets for as far as they may, and what they were told by then."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

from clients.bots import strengths
from clients.client import Client, Command, create
from clients.links import Place
from clients.player import take_part
from domain.titles import TITLES
from server.protocol import wire


class Witness(Client):
    """A client that keeps its receipts, and sends no more than it may."""

    table: "Table"

    async def send(self, command: Command) -> wire.Receipt:
        """Send a command when there may be one more, and keep what was acknowledged."""
        while len(self.table.receipts) >= self.table.most:
            await asyncio.sleep(0.01)
        receipt = await super().send(command)
        self.table.receipts.append(receipt)
        return receipt


class Table:
    """A match whose seats bots play for as long as they may, by links and nonces that they keep."""

    def __init__(self, title: str, created: wire.Created, folder: Path) -> None:
        self.title, self.match, self.folder = title, created.match, folder
        self.tokens = [link.token for link in created.links if link.role == "seat"]
        self.receipts: list[wire.Receipt] = []
        self.most = 0

    @contextlib.asynccontextmanager
    async def played(self, url: str) -> AsyncIterator[None]:
        """Have it played meanwhile."""
        seats = [asyncio.create_task(self._play(url, token)) for token in self.tokens]
        try:
            yield
        finally:
            for seat in seats:
                seat.cancel()
            ended = await asyncio.gather(*seats, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in ended), ended

    async def _play(self, url: str, token: str) -> None:
        choose = next(iter(strengths(self.title).values()))
        nonces = self.folder / token[:8]
        async with Witness(Place(url, self.match, token), nonces=nonces) as client:
            client.table = self
            await take_part(client, choose, seed=1, think=0.01)
            await asyncio.Event().wait()

    async def acknowledged(self, more: int, at_most: int = 0) -> None:
        """Wait for so many receipts more; let it go on until there are `at_most` more."""
        goal = len(self.receipts) + more
        self.most = max(goal, len(self.receipts) + at_most)
        while len(self.receipts) < goal:
            await asyncio.sleep(0.01)


async def offered(url: str, title: str, folder: Path) -> Table:
    wish = wire.Create(wire.VERSION, uuid4(), title, TITLES[title].default_scenario)
    return Table(title, await create(url, wish), folder)
