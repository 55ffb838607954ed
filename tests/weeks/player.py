"""One person: signs up with a passkey, says how he is to be called, and plays when he is.

He is on no connection but while he offers, sits down or decides.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from clients import bots
from clients.client import Client
from clients.links import Place
from clients.player import next_decisions
from server.protocol import wire
from tests.server.authenticator import Browser
from tests.server.letters import token_in
from tests.server.receivers import Browser as PushBrowser
from tests.weeks.desk import Desk, Receiver

Said = dict[str, Any]

WITHIN = 20.0
"""Seconds for what a server that is there does at once."""


class Refused(Exception):
    """The server refuses what is to be possible."""


class Player:
    """A person at a seat."""

    def __init__(self, url: str, handle: str, seat: int, nonces: Path) -> None:
        self.browser = Browser(url)
        self.handle, self.seat = handle, seat
        self.receiver = Receiver(seat, f"{handle}@post.example", PushBrowser())
        self.place: Place | None = None
        self._nonces = nonces

    async def ask(self, verb: str, path: str, body: Any = None) -> Said:
        """Ask the server as his page does. Raises Refused."""
        status, told = await self.browser.ask(verb, path, body)
        if status >= 400:
            raise Refused(f"{verb} {path}: {told}")
        return told

    async def sign_up(self, desk: Desk) -> None:
        """Sign up, prove the mail address by the link that is mailed to it, and add three channels."""
        await self.browser.sign_up(self.handle)
        desk.receivers.append(self.receiver)
        letter: asyncio.Future[EmailMessage] = asyncio.get_running_loop().create_future()
        desk.mailed = letter.set_result
        await self.ask("POST", "/api/me/mail", {"address": self.receiver.address})
        async with asyncio.timeout(WITHIN):
            token = token_in(await letter)
        await self.ask("POST", "/api/me/mailed", {"token": token})
        desk.key = (await self.ask("GET", "/api/me/channels"))["push"]
        push = self.receiver.browser.place(desk.push.url(path=self.receiver.path), desk.key)
        keys = {"p256dh": push.p256dh, "auth": push.auth}
        await self.ask("POST", "/api/me/channels", {"kind": "mail"})
        await self.ask("POST", "/api/me/channels", {"kind": "push", "endpoint": push.endpoint, **keys})
        hook = {"kind": "webhook", "url": desk.hook.url(path=self.receiver.path)}
        self.receiver.secret = (await self.ask("POST", "/api/me/channels", hook))["secret"]

    async def offer(self, **wish: Any) -> UUID:
        """Offer a match, take one's seat of it and go; return which it is."""
        async with self.browser.talking() as talk:
            made = await talk.ask("create", "created", "refused", version=wire.VERSION, **wish)
        if made["t"] == "refused":
            raise Refused(made["reason"])
        tokens = {link.get("seat"): link["token"] for link in made["links"] if link["role"] == "seat"}
        match = UUID(made["match"])
        invited = Place(self.browser.origin, match, tokens[self.seat])
        async with self._at(invited) as client:
            await _until(client, client.sit(self.handle), lambda: self._sits(client, invited))
            self.place = client.place
        return match

    async def find(self, **wanted: Any) -> None:
        """Take what is offered from the list in the lobby, show one's nonce and go."""
        async with self.browser.talking() as talk:
            await talk.say("lobby")
            found = None
            while found is None:
                matches = (await talk.hear("listed"))["matches"]
                fit = (one for one in matches if one["state"] == "open" and wanted.items() <= one.items())
                found = next(fit, None)
        async with self._at(Place(self.browser.origin, UUID(found["match"]))) as client:
            self.place = await client.join(self.seat, self.handle)
            await _until(client, client.sit(), lambda: str(self.seat) in client.match["nonces"])

    async def begin(self) -> None:
        """Come when somebody has joined, show one's nonce, and go."""
        async with self._here() as client, asyncio.timeout(WITHIN):
            await client.sit()

    async def decide(
        self, choose: bots.Choose, chance: random.Random, alone: Callable[[], Coroutine[Any, Any, None]]
    ) -> bool:
        """Come, decide while one is asked, and go; whether the match goes on. `alone` looks who is there."""
        async with self._here() as client, asyncio.timeout(WITHIN):
            await alone()
            while client.prompt is not None and not client.over:
                at = client.upto
                chosen = await next_decisions(client, client.prompt, choose, chance)
                seq = (await client.decide_all(chosen, at)).seq
                await client.wait(lambda seq=seq: client.over or client.upto >= seq)  # type: ignore[misc]
            return not client.over

    async def resign(self) -> None:
        """Come, give up, and go."""
        async with self._here() as client:
            await client.send(wire.Resign(client.place.match, uuid4()))

    def _sits(self, client: Client, invited: Place) -> bool:
        return str(self.seat) in client.match["promises"] and client.place.token != invited.token

    def _here(self) -> contextlib.AbstractAsyncContextManager[Client]:
        assert self.place is not None
        return self._at(self.place)

    @contextlib.asynccontextmanager
    async def _at(self, place: Place) -> AsyncIterator[Client]:
        """Be at a match, by a connection of his browser."""
        headers = {"Cookie": self.browser.cookie, "Origin": self.browser.origin}
        async with Client(place, nonces=self._nonces, headers=headers) as client:
            yield client


async def _until(client: Client, work: Coroutine[Any, Any, None], holds: Callable[[], bool]) -> None:
    """Do something until it holds, and break it off."""
    doing = asyncio.create_task(work)
    try:
        async with asyncio.timeout(WITHIN):
            await client.wait(holds)
    finally:
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)
