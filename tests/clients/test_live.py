import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from click.testing import CliRunner

from clients import reading, transcript
from clients.bots import example, strengths
from clients.client import Client, Heard, RequestRefused, create
from clients.links import Place
from clients.player import play, take_part
from clients.trail import Trail
from server.commands import bot, match, watch
from server.protocol import wire
from tests.clients.scripted import QUICK

SET_SAIL = '"a naval move"'
"""In the body of the fact by which a naval move is paid for."""

SET_OUTS = 6
"""Hidden moves of bots to compare."""


async def offered(url: str, **wish: Any) -> tuple[wire.Created, dict[int, Place]]:
    created = await create(url, wire.Create(wire.VERSION, uuid4(), "midway", "duel", **wish))
    seats = {
        link.seat: Place(url, created.match, link.token) for link in created.links if link.seat is not None
    }
    return created, seats


async def invoked(command: Any, *words: str) -> str:
    result = await asyncio.to_thread(CliRunner().invoke, command, words)
    assert 0 == result.exit_code, result.output
    return result.output


async def test_two_bots_play_a_match_and_an_onlooker_follows_the_chain(
    server_url: str, tmp_path: Path
) -> None:
    created, seats = await offered(server_url)
    steady = strengths("midway")["steady"]
    async with Client(Place(server_url, created.match)) as onlooker:
        outcomes = await asyncio.gather(
            *(play(place, steady, seed=seat, nonces=tmp_path) for seat, place in seats.items())
        )
        await onlooker.wait(lambda: "key" in onlooker.match and bool(onlooker.match["key"]))
        trail = Trail(created.match)
        place = Place(server_url, created.match)
        for frame in await asyncio.to_thread(lambda: list(reading.steps(place))):
            trail.follow(frame)

        assert {(onlooker.upto, onlooker.trail.h.hex())} == {(one.upto, one.h) for one in outcomes}
        assert (onlooker.upto, onlooker.trail.h) == (trail.seq, trail.h)


async def test_nobody_can_count_what_a_bot_takes_along_behind_its_screen(
    server_url: str, tmp_path: Path
) -> None:
    """C22.3: its choices go into one command, whose sealed facts are as many as of any such move."""
    seen = list[tuple[list[int], int]]()

    async def listen(heard: Heard) -> None:
        frame = heard.message
        if isinstance(frame, wire.Frame) and any(SET_SAIL in fact.body for fact in frame.facts):
            seen.append(([fact.seq - frame.after for fact in frame.facts], len(frame.sealed)))

    while len(seen) < SET_OUTS:  # a match may be decided before so many fleets have set out
        await played_behind_screens(server_url, tmp_path, listen, lambda: len(seen) >= SET_OUTS)

    assert [seen[0]] * len(seen) == seen


async def played_behind_screens(
    server_url: str, nonces: Path, listen: Callable[[Heard], Awaitable[None]], enough: Callable[[], bool]
) -> None:
    """Let two bots play a match of Coral Sea with hidden stacks until an onlooker has heard enough of it."""
    wish = wire.Create(wire.VERSION, uuid4(), "coral_sea", "campaign", options={"limited_intelligence": True})
    created = await create(server_url, wish)
    seats = [Place(server_url, created.match, link.token) for link in created.links if link.seat is not None]
    steady = strengths("coral_sea")["steady"]
    async with Client(Place(server_url, created.match), listen=listen) as onlooker:
        playing = [
            asyncio.create_task(play(place, steady, seed=seat, nonces=nonces))
            for seat, place in enumerate(seats)
        ]
        await onlooker.wait(lambda: enough() or onlooker.over)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def test_the_example_bot_plays_against_a_bot_of_the_house(server_url: str) -> None:
    created, _ = await offered(server_url, bots={1: "steady"})
    link = next(link for link in created.links if link.seat == 0)

    match = await asyncio.to_thread(example.play, server_url + link.path)

    assert match["over"]
    assert {"0": "bot", "1": "bot"} == match["taken"]


async def test_the_commands_offer_show_play_and_tell_a_match(server_url: str, tmp_path: Path) -> None:
    told = await invoked(
        match.command, "new", "midway", "duel", "--server", server_url, "--bot", "1=random",
        "--option", "turn_limit=6", "--clock", "20m+30s/1h", "--label", "A trial",
    )  # fmt: skip
    link = next(word for word in told.split() if "#" in word)
    before = await invoked(match.command, "show", link)
    played = await invoked(bot.command, link, "--seed", "1", "--nonces", str(tmp_path))
    story = await invoked(watch.command, link.partition("#")[0], "--all")
    after = await invoked(match.command, "show", link.partition("#")[0])

    assert "turn_limit=6" in before
    assert "decisions" in played
    assert "Turn 1 begins" in story
    # The server is of this process, and its own log lines may stand between those of the command.
    told = "\n".join(line for line in story.splitlines() if "[info " not in line)
    assert [] == re.findall(r"\b[A-Z]+_[A-Z_]+\b|[0-9a-f]{16,}|[\[\]{}]", told)
    assert "rolled" in story
    assert "The match key is revealed" in story
    assert "facts" in after


async def test_matches_are_listed_once_the_projection_has_seen_them(server_url: str) -> None:
    created, _ = await offered(server_url, label="To be found")
    for _ in range(50):
        listed = await invoked(match.command, "list", "--server", server_url)
        if str(created.match) in listed:
            break
        await asyncio.sleep(0.1)

    assert "To be found" in listed


async def test_a_private_match_is_shown_to_those_with_a_link(server_url: str) -> None:
    _, seats = await offered(server_url, private=True)
    link = f"{server_url}/match/{seats[0].match}#{seats[0].token}"

    shown = await asyncio.to_thread(CliRunner().invoke, match.command, ["show", link])
    refused = await asyncio.to_thread(CliRunner().invoke, match.command, ["show", link.partition("#")[0]])

    assert 0 == shown.exit_code
    assert 1 == refused.exit_code
    assert "private" in refused.output


@pytest.mark.parametrize(
    "words",
    [
        ["new", "--clock", "soon"],
        ["new", "--bot", "steady"],
        ["new", "chess"],
        ["show", "not-a-match"],
    ],
)
async def test_what_makes_no_sense_is_said_and_nothing_is_done(server_url: str, words: list[str]) -> None:
    result = await asyncio.to_thread(CliRunner().invoke, match.command, [*words, "--server", server_url])

    assert result.exit_code in {1, 2}
    assert "Error" in result.output


async def test_the_opening_of_a_match_is_written_down(server_url: str) -> None:
    said = await asyncio.to_thread(transcript.opening, server_url)

    kinds = [line[:2] + line.partition('"t":"')[2].partition('"')[0] for line in said]
    assert ["> create", "< created", "> hello", "< welcome", "< view", "> sit"] == kinds[:6]
    assert transcript.DECISIONS == kinds.count("> decide")


async def test_joining_a_match_is_written_down(server_url: str) -> None:
    said = await asyncio.to_thread(transcript.joining, server_url)

    kinds = [line[:2] + line.partition('"t":"')[2].partition('"')[0] for line in said]
    own = [kind for kind in kinds if kind not in {"< presence", "< frame"}]
    assert [
        "> hello",
        "< welcome",
        "< view",
        "> join",
        "< linked",
        "< receipt",
        "> hello",
        "< welcome",
    ] == own
    assert not any(len(token) > 1 for token in re.findall('"token":"([^"]*)"', "".join(said)))


async def test_who_joins_an_open_offer_has_the_seat_and_plays_it(server_url: str, tmp_path: Path) -> None:
    created, seats = await offered(server_url)
    steady = strengths("midway")["steady"]
    async with Client(Place(server_url, created.match), nonces=tmp_path) as guest:
        assert guest.seat is None
        joined = await guest.join(1, "A guest", bot=True)

        outcomes = await asyncio.gather(
            play(seats[0], steady, seed=0, nonces=tmp_path), take_part(guest, steady, seed=1)
        )

    assert [0, 1] == [one.seat for one in outcomes]
    assert 1 == len({one.h for one in outcomes})
    async with Client(joined) as again:
        assert 1 == again.seat
    with pytest.raises(RequestRefused) as void:
        async with Client(seats[1]):
            raise AssertionError("the link that the match was offered with still opens the seat")
    assert "bad_token" == void.value.code


async def test_who_joins_and_is_started_again_has_the_same_seat_and_the_next_is_refused(
    server_url: str, tmp_path: Path
) -> None:
    created, _ = await offered(server_url)
    place = Place(server_url, created.match)
    async with Client(place, nonces=tmp_path / "guest") as guest:
        first = await guest.join(0)
    async with Client(place, nonces=tmp_path / "guest") as guest:
        second = await guest.join(0)
    async with Client(place, nonces=tmp_path / "other") as other:
        with pytest.raises(RequestRefused) as late:
            await other.join(0)
        await other.join(1)

    assert first == second
    assert "seat_taken" == late.value.code
    assert {0o600} == {path.stat().st_mode & 0o777 for path in tmp_path.glob("*/*")}


async def test_who_joins_over_a_line_that_keeps_breaking_has_the_seat(server_url: str) -> None:
    created, _ = await offered(server_url)
    async with breaking(server_url, every=0.05) as (url, _):  # noqa: SIM117 the client is within
        async with Client(Place(url, created.match), pace=QUICK) as guest:
            joined = await guest.join(1)

    async with Client(Place(server_url, created.match, joined.token)) as again:
        assert 1 == again.seat


async def test_bots_play_to_the_end_over_a_line_that_keeps_breaking(server_url: str, tmp_path: Path) -> None:
    _, seats = await offered(server_url)
    steady = strengths("midway")["steady"]
    async with breaking(server_url, every=0.05) as (url, cuts):
        outcomes = await asyncio.gather(
            *(
                play(Place(url, at.match, at.token), steady, seed=seat, nonces=tmp_path, pace=QUICK)
                for seat, at in seats.items()
            )
        )

    assert any(cuts)
    assert 1 == len({(one.upto, one.h) for one in outcomes})


HANDSHAKE = 1000
"""Bytes beyond which more than a handshake and a welcome has passed on a line."""


@contextlib.asynccontextmanager
async def breaking(url: str, every: float) -> AsyncIterator[tuple[str, list[int]]]:
    """Give the address of a way to a server whose connections are cut again and again, and the cuts.

    A line is cut once something was said on it: on a machine that is busy none would ever get so far else.
    """
    to = urlsplit(url)
    writers: set[asyncio.StreamWriter] = set()
    cuts: list[int] = []

    async def copied(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, on: asyncio.StreamWriter
    ) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                passed += len(data)
                if passed > HANDSHAKE:
                    writers.update((writer, on))
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, on = await asyncio.open_connection(to.hostname, to.port)
        await asyncio.gather(copied(reader, on, writer), copied(back, writer, on))
        writers.difference_update((writer, on))

    async def cut() -> None:
        while True:
            await asyncio.sleep(every)
            cuts.append(len(writers))
            for writer in list(writers):
                writer.transport.abort()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as proxy:
        cutting = asyncio.create_task(cut())
        port = next(iter(proxy.sockets)).getsockname()[1]
        yield f"http://127.0.0.1:{port}", cuts
        cutting.cancel()
        await asyncio.gather(cutting, return_exceptions=True)
        for writer in list(writers):
            writer.transport.abort()


async def test_who_sat_by_a_link_comes_back_by_it_from_the_same_folder_only(
    server_url: str, tmp_path: Path
) -> None:
    _, seats = await offered(server_url)
    invitation = seats[1]

    async def sat() -> Place:
        async with Client(invitation, nonces=tmp_path / "mine") as client:
            sitting = asyncio.create_task(client.sit("Anna"))
            await client.wait(lambda: "1" in client.match["taken"] and client.place != invitation)
            sitting.cancel()
            await asyncio.wait({sitting})
            return client.place

    held, again = await sat(), await sat()

    assert held == again
    async with Client(held) as client:
        assert 1 == client.seat
    for folder in (None, tmp_path / "other"):
        with pytest.raises(RequestRefused, match="not valid"):
            async with Client(invitation, nonces=folder):
                pass
