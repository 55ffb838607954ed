"""A server whose clock is moved on by hand, and a desk beside it, for a program that asks over pipes.

It says its URL, then answers each line of JSON by one. What it is asked:

| asked | answered |
|---|---|
| receiver: a seat's number, address: his, key: the server's | where he is pushed to, and a browser's keys |
| letter | the token of the next mail that is no notice |
| asked: a match | the seats that are asked |
| away: a match | when nobody is at it |
| later: seconds | what has come since the last time, once nothing is due any more |
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from server.postgres.database import own_login
from server.postgres.embedded import embedded
from tests.server.letters import token_in
from tests.server.receivers import Browser
from tests.weeks.demo import WITHIN, Weeks, weeks
from tests.weeks.desk import Receiver

Said = dict[str, Any]

_LEFT: Final = """
SELECT count(*) FROM people.outbox WHERE outcome IS NULL AND due <= log.now()
"""


class Stage:
    """What it is asked, on a server."""

    def __init__(self, one: Weeks) -> None:
        self._one, self._told = one, 0
        self._letters = asyncio.Queue[EmailMessage]()
        one.desk.mailed = self._letters.put_nowait

    async def answer(self, asked: Said) -> Any:
        """Answer what is asked."""
        match asked:
            case {"receiver": int(seat), "address": str(address), "key": str(key)}:
                self._one.desk.key = key
                one = Receiver(seat, address, Browser())
                self._one.desk.receivers.append(one)
                place = one.browser.place(self._one.desk.push.url(path=one.path), key)
                return {"endpoint": place.endpoint, "p256dh": place.p256dh, "auth": place.auth}
            case {"letter": _}:
                async with asyncio.timeout(WITHIN):
                    return token_in(await self._letters.get())
            case {"asked": str(match)}:
                await self._one.level()
                spells = await self._one.spells(UUID(match))
                return [one.seat for one in spells if one.until is None]
            case {"away": str(match)}:
                await self._one.is_there(UUID(match), 0)
                return True
            case {"later": float() | int() as seconds}:
                return await self._later(timedelta(seconds=seconds))
        raise ValueError(asked)

    async def _later(self, by: timedelta) -> list[Said]:
        await self._one.level()
        await self._one.later(by)
        await self._one.server.notices.look()
        async with asyncio.timeout(WITHIN):
            while await self._one.owner.fetchval(_LEFT):
                await asyncio.sleep(0.02)
        before, self._told = self._told, len(self._one.desk.deliveries)
        told = self._one.desk.deliveries[before:]
        return [{"seat": one.seat, "channel": one.channel, "kind": one.kind} for one in told]


async def serve(say: Callable[[Any], None]) -> None:
    """Answer until there is nothing more to be asked."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    with tempfile.TemporaryDirectory(prefix="fleetfold-weeks-", ignore_cleanup_errors=True) as folder:
        async with embedded(Path(folder)) as dsn, weeks(dsn, await own_login(dsn), Path(folder)) as one:
            stage = Stage(one)
            say(one.server.url)
            while line := await reader.readline():
                say(await stage.answer(json.loads(line)))


def say(what: Any) -> None:
    """Say something in a line."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
