"""A plain websocket client for tests: says what it is told to, and hears what comes."""

import asyncio
import base64
import hashlib
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

Said = dict[str, Any]


class Talk:
    """One connection. Messages are plain JSON objects."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Said] = []

    async def say(self, t: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps({"t": t, **fields}, default=str))

    async def hear(self, *kinds: str, **fields: Any) -> Said:
        """Wait for the next message of one of these kinds with these fields; all go to `heard`."""
        async with asyncio.timeout(10):
            while True:
                message: Said = json.loads(await self.socket.recv())
                self.heard.append(message)
                if message["t"] in kinds and fields.items() <= message.items():
                    return message

    async def ask(self, t: str, *kinds: str, **fields: Any) -> Said:
        """Say something with a command id of its own, and return the answer of one of these kinds."""
        fields.setdefault("command", uuid4())
        await self.say(t, **fields)
        return await self.hear(*(kinds or ("receipt", "refused")), command=str(fields["command"]))


@asynccontextmanager
async def talking(url: str, **settings: Any) -> AsyncIterator[Talk]:
    """Connect to a server. What a test does not hear is kept, so that the end is heard behind it."""
    settings = {"max_size": None, "max_queue": None, **settings}
    async with connect(url.replace("http", "ws", 1) + "/socket", **settings) as socket:
        yield Talk(socket)


async def offer(url: str, title: str = "tiny", scenario: str = "skirmish", **wish: Any) -> Said:
    """Offer a match and return what it was answered with."""
    async with talking(url) as talk:
        return await talk.ask(
            "create", "created", "refused", version=1, title=title, scenario=scenario, **wish
        )


def token(created: Said, role: str, seat: int | None = None) -> str:
    """Return the token of one of the links."""
    tokens = {(link["role"], link.get("seat")): str(link["token"]) for link in created["links"]}
    return tokens[role, seat]


async def enter(talk: Talk, created: Said, seat: int | None = None, after: int = 0) -> Said:
    """Say hello with the token of a seat, or with the onlookers', and return the first frame or view."""
    door = token(created, "onlooker") if seat is None else token(created, "seat", seat)
    await talk.say("hello", version=1, match=created["match"], token=door, after=after)
    return await talk.hear("view", "frame", "refused")


def new_token() -> str:
    """Return a token to sit down with."""
    return base64.urlsafe_b64encode(secrets.token_bytes(20)).decode().rstrip("=")


async def sit(talk: Talk, created: Said, **fields: Any) -> Said:
    """Sit down by the link that the talk came by, and put the new one among those of `created`."""
    fields = {"promise": secrets.token_hex(32), "token": new_token(), **fields}
    answer = await talk.ask("sit", match=created["match"], **fields)
    if answer["t"] == "receipt":
        link = next(said["link"] for said in reversed(talk.heard) if said["t"] == "linked")
        others = [one for one in created["links"] if (one["role"], one.get("seat")) != ("seat", link["seat"])]
        created["links"] = [*others, link]
    return answer


@asynccontextmanager
async def seated(url: str, **wish: Any) -> AsyncIterator[tuple[Said, Talk, Talk]]:
    """Offer a match of two seats, sit on both, show both nonces: the match has begun."""
    created = await offer(url, **wish)
    async with talking(url) as north, talking(url) as south:
        nonces = [secrets.token_bytes(16) for _ in range(2)]
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
            promise = hashlib.sha256(nonces[seat]).hexdigest()
            await sit(talk, created, promise=promise, name=f"Seat {seat}")
        for seat, talk in enumerate((north, south)):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
        yield created, north, south


async def prompt(talk: Talk, seat: int) -> tuple[int, list[Said]]:
    """Return the seq and the options of the latest prompt of a seat, waiting for one if there is none."""
    while True:
        for message in reversed(talk.heard):
            if message["t"] in {"frame", "view"}:
                asked = [a for a in message["prompts"] if a["seat"] == seat]
                if asked:
                    return message["upto"], asked[0]["options"]
                break
        await talk.hear("frame", "view")
