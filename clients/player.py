"""Plays a seat with a bot, from taking the seat to the end of the match.

A bot is a function `choose(view, prompt, random) -> option`: the view and the prompt are plain JSON as they
received, the option is one of `prompt["options"]`. It knows neither sockets nor time. Offers are answered
here: an undo and a pause are granted, a draw declined; a correction is granted to the director of a
tournament, and declined to who plays: of a bot that agrees he could have dice thrown until they please. While
it waits where time-outs are claimed it claims them, at the default decision and never as a win: it loses
nothing by waiting, and who is away may come back.
It does not know when time is out, which nights and holidays put off, so it asks now and then. Deliberately
absent: claims without a clock.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, get_args
from uuid import uuid4

from msgspec import Struct, json

from clients.client import Client, Listener, Pace, RequestRefused, merged
from clients.links import Place
from server.protocol import wire
from server.protocol.beat import beat

Choose = Callable[[dict[str, Any], dict[str, Any], random.Random], dict[str, Any]]

TOGETHER: Final = 512
"""Decisions that one command may hold."""

STUBBORN: Final = 20
"""Consecutive decisions refused as overtaken, after which the refusal is raised."""

FAREWELL: Final = 5.0
"""Seconds to wait for the last fact, which reveals the match key."""

ASK: Final = 60.0
"""Seconds of waiting until a time-out is claimed first; doubled each time, up to ASK_AT_MOST."""

ASK_AT_MOST: Final = 3600.0

OFFERS: Final[tuple[wire.What, ...]] = get_args(wire.What)

OVERTAKEN: Final = frozenset({"stale", "not_asked", "over", "no_offer", "paused"})
"""Codes of refusals of a decision that the match has overtaken while it was under way."""


class Outcome(Struct, frozen=True):
    """How a match ended for one seat."""

    seat: int
    side: int
    winner: int | None
    """The side that has won; None for a draw, and for a match that was called off (`reason` tells)."""
    reason: str
    decisions: int
    """Decisions of this seat that this run has put on the log."""
    upto: int
    h: str


def plain_prompt(prompt: wire.Asked) -> dict[str, Any]:
    """Return a prompt as plain JSON, the form that bots take."""
    plain: dict[str, Any] = json.decode(json.encode(prompt))
    return plain


async def play(
    place: Place,
    choose: Choose,
    *,
    name: str = "",
    seed: int | None = None,
    nonces: Path | None = None,
    nonces_by: Callable[[int], bytes] | None = None,
    listen: Listener | None = None,
    pace: Pace | None = None,
    think: float = 0.0,
    headers: Mapping[str, str] | None = None,
) -> Outcome:
    """Take the seat, play until the match is over, and return how it ended.

    `think` is the mean delay of a decision in seconds (see `beat`); for the others see `Client`.

    Raises NoSeat, Lost, Broken, and RequestRefused for a decision that is not on the list.
    """
    async with Client(
        place, nonces=nonces, nonces_by=nonces_by, listen=listen, pace=pace, headers=headers
    ) as client:
        return await take_part(client, choose, name=name, seed=seed, think=think)


async def take_part(
    client: Client, choose: Choose, *, name: str = "", seed: int | None = None, think: float = 0.0
) -> Outcome:
    """Do what `play` does, with a client that is connected already."""
    await client.sit(name, bot=True)
    decisions = await answer_all(client, choose, random.Random(seed), think)  # noqa: S311 a choice is not a secret
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await client.wait(lambda: bool(client.match.get("key")))
    match, h = client.match, client.trail.h.hex()
    assert client.seat is not None
    side = match["seats"][client.seat]["side"]
    return Outcome(client.seat, side, match.get("winner"), match["reason"], decisions, client.upto, h)


async def answer_all(client: Client, choose: Choose, chance: random.Random, think: float = 0.0) -> int:
    """Answer every prompt and offer until the match is over; return how many decisions were stored."""
    decisions, seen, overtaken, lot = 0, 0, 0, random.SystemRandom()
    clock = asyncio.get_running_loop().time
    while await wait_and_claim(client, seen):
        at = client.upto
        try:
            if offer := offer_reply(client):
                seen = (await client.send(offer)).seq
                continue
            until, prompt = clock() + beat(think, lot.random()), client.prompt
            chosen = await next_decisions(client, prompt, choose, chance) if prompt else []
            await asyncio.sleep(until - clock())
            at = client.upto
            if chosen and client.prompt == prompt:
                seen = (await client.decide_all(chosen, at)).seq
                decisions, overtaken = decisions + len(chosen), 0
        except RequestRefused as refused:
            overtaken += 1
            if refused.code not in OVERTAKEN or overtaken > STUBBORN:
                raise
            seen = max(at + 1, refused.seq or 0)
    return decisions


async def next_decisions(
    client: Client, prompt: wire.Asked, choose: Choose, chance: random.Random
) -> list[dict[str, Any]]:
    """Return the bot's next decisions for one command: quiet ones, looked ahead with `foresee`, and the last.

    Sent together, the decisions of a hidden move cannot be counted by others; in a title without hidden
    information the bot decides one by one, so that watchers can follow. Where the prompt is sealed they must
    be sent together; if the match moves on meanwhile, there are none, and the bot is to choose anew.
    """
    start, at = client.view, client.upto
    view, chosen = start, list[dict[str, Any]]()
    while True:
        plain = plain_prompt(prompt)
        chosen.append(choose(view, plain, chance))
        quiet = [plain["options"][place] for place in prompt.quiet]
        if chosen[-1] not in quiet or len(chosen) == TOGETHER:
            return chosen
        if "own" not in view["table"] and not prompt.sealed:
            return chosen
        foreseen = await client.foresee(chosen, at)
        if foreseen.upto != at:  # the match has moved on: the patch is for another view
            return [] if prompt.sealed else chosen[:1]
        view, prompt = merged(start, foreseen.patch), foreseen.prompt


async def wait_and_claim(client: Client, seen: int) -> bool:
    """Do what `wait_until_asked` does, and meanwhile claim the time-outs of whoever is waited for."""
    wait = ASK
    by_claim = (client.match.get("clock") or {}).get("by_claim", False)
    while True:
        try:
            async with asyncio.timeout(wait if by_claim else None):
                return await wait_until_asked(client, seen)
        except TimeoutError:
            wait = min(2 * wait, ASK_AT_MOST)
        for seat in waited_for(client):
            with contextlib.suppress(RequestRefused):  # there is time left, or another was first
                await client.send(wire.Claim(client.place.match, uuid4(), seat))
                wait = ASK


def waited_for(client: Client) -> list[int]:
    """Return the seats that are asked while this one waits; none while nothing is decided."""
    match, asked = client.match, list[int](client.view.get("asked", []))
    if client.seat in asked or client.seat in match["resigned"] or match.get("over") or match.get("paused"):
        return []
    return asked


async def wait_until_asked(client: Client, seen: int) -> bool:
    """Wait until the view includes fact `seen` and this seat is to answer; False when the match is over."""
    await client.wait(
        lambda: (
            client.over or (client.upto >= seen and (may_decide(client) or offer_reply(client) is not None))
        )
    )
    return not client.over


def may_decide(client: Client) -> bool:
    """Return whether this seat is asked and the match is not paused."""
    return client.prompt is not None and not client.match.get("paused")


def offer_reply(client: Client) -> wire.Answer | None:
    """Return the answer to an offer open to this seat, None without one: no to a draw, else yes."""
    match, seat = client.match, client.seat
    if match.get("over"):
        return None
    for what in OFFERS:
        if (agreed := match.get(what)) and seat not in agreed:
            return wire.Answer(client.place.match, uuid4(), what, agreed=what != "draw")
    if (proposed := match.get("correction")) and seat not in proposed["agreed"] and not match.get("paused"):
        agreed, back_to = "by" not in proposed, proposed["back_to"]
        return wire.Answer(client.place.match, uuid4(), "correction", agreed=agreed, back_to=back_to)
    return None
