"""A whole server tells notices: of real turns, to who is at no node."""

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from server.mail_url import MailServer
from server.notices.outbox import Kind
from server.notices.places import Mail, Webhook
from server.serving import Serving
from tests.conftest import running
from tests.server.certificates import Certificates
from tests.server.noticed import World
from tests.server.receivers import MailBox, Web
from tests.server.talk import Said, enter, seated, talking

WITHIN = 40
KINDS: tuple[Kind, ...] = ("mail", "webhook")


@asynccontextmanager
async def serving(dsn: str, folder: Path, box: MailBox, **settings: Any) -> AsyncIterator[Serving]:
    """Run a server that has a mail server."""
    mail = MailServer("127.0.0.1", box.port, tls=False)
    async with running(dsn, folder, mail=mail, mail_from="notices@fleet.example", **settings) as server:
        yield server


async def persons(world: World, server: Serving, created: Said) -> None:
    """Let two persons sit in the seats of a match, each with his mail address."""
    for seat in (0, 1):
        person = await world.person()
        await server.notices.channels.add(person, Mail(address=f"seat{seat}@example.org"))
        await world.owner.execute(
            "UPDATE lobby.seat SET person_id = $3 WHERE match_id = $1 AND seat = $2",
            UUID(created["match"]),
            seat,
            person,
        )


async def asked(world: World, created: Said) -> set[int]:
    """Return whose turn it is, when the view has it."""
    async with asyncio.timeout(WITHIN):
        while True:
            rows = await world.owner.fetch(
                "SELECT seat FROM view.turn WHERE match_id = $1", UUID(created["match"])
            )
            if rows:
                return {row["seat"] for row in rows}
            await asyncio.sleep(0.02)


async def outcomes(world: World, kind: str, *wanted: str | None) -> None:
    """Wait until the notices of a kind have come to this."""
    async with asyncio.timeout(WITHIN):
        while sorted(str(end) for one, _, _, end in await world.outbox() if one == kind) != sorted(
            map(str, wanted)
        ):
            await asyncio.sleep(0.02)


async def test_who_is_away_hears_once_that_it_is_his_turn_and_what_else_there_was(
    world: World, dsn: str, folder: Path, box: MailBox
) -> None:
    async with serving(dsn, folder, box) as server:
        async with seated(server.url) as (created, _, _):
            await persons(world, server, created)
        seats = await asked(world, created)
        await world.later(seconds=62)
        await outcomes(world, "turn", *["sent"] * len(seats))
        told = [one for one in box.took if one["Subject"].startswith("It is your turn")]

    assert {f"seat{seat}@example.org" for seat in seats} == {one["To"] for one in told}
    assert len(seats) == len(told)
    assert f"/match/{created['match']}" in told[0].as_string()


async def test_who_is_at_another_node_is_there(
    world: World, dsn: str, folder: Path, box: MailBox, redis_url: str
) -> None:
    """Given a node that tells, and another at which the player is."""
    async with (
        serving(dsn, folder, box, redis_url=redis_url) as first,
        serving(dsn, folder, box, redis_url=redis_url) as second,
    ):
        for worker in second.notices.workers.values():
            worker.close()
        async with seated(first.url) as (created, _, _):
            await persons(world, first, created)
        seats = await asked(world, created)
        match = UUID(created["match"])
        async with talking(second.url) as north, talking(second.url) as south:
            for seat, talk in enumerate((north, south)):
                await enter(talk, created, seat)
            async with asyncio.timeout(WITHIN):
                while (await first.hub.seats_at([match]) or {}).get(match) != 0b11:
                    await asyncio.sleep(0.02)
            await world.later(seconds=62)
            async with asyncio.timeout(WITHIN):
                while not await world.owner.fetchval(
                    "SELECT count(*) = $1 AND bool_and(due > log.now() AND outcome IS NULL)"
                    " FROM people.outbox WHERE kind = 'turn'",
                    len(seats),
                ):
                    await asyncio.sleep(0.02)
        async with asyncio.timeout(WITHIN):
            while (await first.hub.seats_at([match]) or {}).get(match) != 0:
                await asyncio.sleep(0.02)
        await world.later(seconds=62)
        await outcomes(world, "turn", *["sent"] * len(seats))


async def test_whose_turn_is_over_hears_nothing_of_it(
    world: World, dsn: str, folder: Path, box: MailBox
) -> None:
    """Given a mail server that takes nothing before the match has ended."""
    async with serving(dsn, folder, box) as server, seated(server.url) as (created, north, _):
        await persons(world, server, created)
        box.answer = "451 later"
        await world.owner.execute("UPDATE people.channel SET away = false")
        seats = await asked(world, created)
        await world.later(seconds=62)
        async with asyncio.timeout(WITHIN):
            while server.notices.workers["mail"].told["failed"] < len(seats):
                await asyncio.sleep(0.02)
        await north.ask("resign", match=created["match"])
        async with asyncio.timeout(WITHIN):
            while await world.owner.fetchval("SELECT count(*) FROM view.turn"):
                await asyncio.sleep(0.02)
        box.answer = "250 taken"
        await world.owner.execute("UPDATE people.outbox SET due = log.now() WHERE kind = 'turn'")
        await outcomes(world, "turn", *["stale"] * len(seats))

    assert not any(one["Subject"].startswith("It is your turn") for one in box.took)


async def test_time_that_runs_low_is_told_once(world: World, dsn: str, folder: Path, box: MailBox) -> None:
    async with serving(dsn, folder, box) as server:
        async with seated(server.url, clock={"bank": 86_400}) as (created, _, _):
            await persons(world, server, created)
        seats = await asked(world, created)
        async with asyncio.timeout(WITHIN):
            while not await world.owner.fetchval(
                "SELECT count(*) FROM lobby.clock_due WHERE due IS NOT NULL"
            ):
                await asyncio.sleep(0.02)
        await world.later(hours=21, minutes=35)
        await server.clock.measure()
        await server.notices.look()
        assert "low" not in {kind for kind, *_ in await world.outbox()}

        await world.later(minutes=2)
        await server.clock.measure()
        await outcomes(world, "low", *["sent"] * len(seats))
        await server.notices.look()
        await outcomes(world, "low", *["sent"] * len(seats))
        told = [one for one in box.took if one["Subject"].startswith("Your time runs low")]

    assert len(seats) == len(told)
    assert all("you have until" in one.as_string() for one in told)


def read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return bytes(answer.read())


async def test_it_is_counted_and_nothing_secret_is_told_by_metrics_or_logs(
    world: World,
    dsn: str,
    folder: Path,
    box: MailBox,
    hook: Web,
    certificates: Certificates,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    hook.statuses = [500]
    box.to = "550 nobody is called seat0@example.org"
    with capture_logs() as logs:
        async with serving(dsn, folder, box, notices_to_loopback=True) as server:
            person = await world.person()
            mail = await server.notices.channels.add(person, Mail(address="seat0@example.org"))
            url = hook.url(path="/secret-path")
            added = await server.notices.channels.add(person, Webhook(url=url))
            for channel in (mail, added):
                await server.notices.channels.test(person, channel.channel)
            async with asyncio.timeout(WITHIN):
                while not all(server.notices.workers[kind].told["failed"] for kind in KINDS):
                    await asyncio.sleep(0.02)
            await world.later(seconds=20)
            await outcomes(world, "test", "None", "sent")
            async with asyncio.timeout(WITHIN):
                while server.notices.workers["mail"].told["failed"] < 2:
                    await asyncio.sleep(0.02)
            body = (await asyncio.to_thread(read, f"{server.url}/metrics")).decode()

    assert 'fleetfold_notices_total{channel="webhook",outcome="sent"} 1.0' in body
    assert 'fleetfold_notices_total{channel="mail",outcome="failed"} 2.0' in body
    assert "fleetfold_outbox_age_seconds" in body
    assert "notices.loopback" in {one["event"] for one in logs}
    told = body + repr(logs) + "".join(capfd.readouterr()) + repr(server.settings)
    for secret in ("seat0@example.org", "secret-path", added.secret):
        assert secret not in told
