"""Seats: taken by link or joined from the lobby, one holder each, whatever breaks off in between."""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from server import addresses
from server.lobby.seats import Seats
from server.postgres.database import connection
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, new_token, offer, sit, talking, token

TIMES = [6, pytest.param(100, marks=pytest.mark.soak)]
"""How often two are let loose at once in the check-in, and in the soak."""


@pytest.fixture(autouse=True)
def many_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one address offer a match for each time of the soak, where it may offer 60 at once."""
    monkeypatch.setattr(addresses, "CREATIONS", (1000, 600.0))


def wish(created: Said, seat: int = 1, **other: Any) -> Said:
    """Return the fields of a join, with a nonce that nobody is shown."""
    fields = {
        "match": created["match"],
        "command": str(uuid4()),
        "seat": seat,
        "token": new_token(),
        "promise": secrets.token_hex(32),
    }
    return fields | other


async def look_on(talk: Talk, created: Said) -> None:
    await talk.say("hello", version=1, match=created["match"])
    await talk.hear("view")


async def join(talk: Talk, asked: Said) -> Said:
    """Send a join and return its receipt or refusal."""
    await talk.say("join", **asked)
    return await talk.hear("receipt", "refused", command=asked["command"])


async def joined(server: Serving, created: Said, asked: Said) -> Said:
    async with talking(server.url) as talk:
        await look_on(talk, created)
        return await join(talk, asked)


async def opens(server: Serving, created: Said, door: str) -> int | str | None:
    """Return the seat that a token opens, or the code of the refusal."""
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"], token=door)
        answer = await talk.hear("welcome", "refused")
        found: int | str | None = answer.get("seat", answer.get("code"))
        return found


async def takers(server: Serving, created: Said, seat: int = 1) -> list[str]:
    """Return the commands that the log says have taken a seat."""
    entries = await server.log.read_everything(UUID(created["match"]))
    taken = [entry for entry in entries if entry.type == "SeatTaken"]
    return [str(entry.command) for entry in taken if f'"seat":{seat}' in entry.body.decode()]


async def valid(server: Serving, created: Said, seat: int = 1) -> int:
    """Return how many valid tokens a seat has."""
    async with connection(server.database.read) as conn:
        query = "SELECT count(*) FROM lobby.token WHERE match_id = $1 AND seat = $2 AND revoked_at IS NULL"
        count: int = await conn.fetchval(query, created["match"], seat)
        return count


async def test_who_watches_an_open_match_takes_a_free_seat_by_one_message(server: Serving) -> None:
    created = await offer(server.url)
    asked = wish(created, name=" Anna ")
    async with talking(server.url) as talk:
        await look_on(talk, created)
        await talk.say("join", **asked)
        linked = await talk.hear("linked", "refused")
        receipt = await talk.hear("receipt", command=asked["command"])
        await talk.say("hello", version=1, match=created["match"], token=asked["token"])
        welcome = await talk.hear("welcome")
    async with connection(server.database.read) as conn:
        name = await conn.fetchval("SELECT name FROM lobby.seat WHERE match_id = $1", created["match"])

    assert ("seat", 1, asked["token"]) == tuple(linked["link"][key] for key in ("role", "seat", "token"))
    assert f"/match/{created['match']}#{asked['token']}" == linked["link"]["path"]
    assert receipt["seq"] == 3
    assert ("seat", 1) == (welcome["role"], welcome["seat"])
    assert "Anna" == name


async def test_the_invitation_to_a_seat_is_void_once_somebody_has_joined(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as invited:
        await enter(invited, created, 1)
        await joined(server, created, wish(created))

        shown_out = await invited.hear("refused")

    assert ("bad_token", created["match"]) == (shown_out["code"], shown_out["match"])
    assert "bad_token" == await opens(server, created, token(created, "seat", 1))
    assert 0 == await opens(server, created, token(created, "seat", 0))


async def test_the_invitation_to_a_seat_is_void_once_somebody_sits_by_it(
    server: Serving, dsn: str, folder: Path
) -> None:
    """Whoever offered the match has the invitation, too, and would see the hidden hand by it."""
    created = await offer(server.url)
    invitation, nonce = token(created, "seat", 1), secrets.token_bytes(16)
    async with running(dsn, folder) as other, talking(server.url) as seat, talking(server.url) as maker:
        await enter(seat, created, 1)
        await enter(maker, created, 1)
        sat = await sit(seat, created, promise=hashlib.sha256(nonce).hexdigest())
        shown_out = await maker.hear("refused")
        async with talking(server.url) as first:
            await enter(first, created, 0)
            await sit(first, created)
        shown = await seat.ask("show", match=created["match"], nonce=nonce.hex())

        assert ["receipt"] * 2 == [sat["t"], shown["t"]]
        assert ("bad_token", created["match"]) == (shown_out["code"], shown_out["match"])
        assert ["bad_token"] * 2 == [await opens(one, created, invitation) for one in (server, other)]
        assert 1 == await opens(other, created, token(created, "seat", 1)) == await valid(server, created)


async def test_who_sat_down_and_heard_no_answer_comes_back_by_the_token_of_his_own(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    asked = {"match": created["match"], "command": str(uuid4()), "promise": "ab" * 32, "token": new_token()}
    async with talking(server.url) as seat:
        await enter(seat, created, 1)
        broken = await unplugged(monkeypatch, Seats, "_give", seat.ask("sit", **asked))
    async with talking(server.url) as seat:
        await seat.say("hello", version=1, match=created["match"], token=asked["token"])
        await seat.hear("view")
        again = await seat.ask("sit", **asked)

    assert ["refused", "receipt"] == [broken["t"], again["t"]]
    assert [asked["command"]] == await takers(server, created)
    assert "bad_token" == await opens(server, created, token(created, "seat", 1))
    assert 1 == await opens(server, created, asked["token"]) == await valid(server, created)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("nodes", [1, 2])
async def test_of_two_who_sit_by_one_link_one_sits_and_the_other_has_nothing(
    server: Serving, dsn: str, folder: Path, nodes: int, times: int
) -> None:
    async with running(dsn, folder) as other:
        for _ in range(times):
            created = await offer(server.url)
            own = [new_token(), new_token()]
            async with talking(server.url) as one, talking([server, other][nodes - 1].url) as two:
                await enter(one, created, 1)
                await enter(two, created, 1)
                asked = {"match": created["match"], "promise": "ab" * 32}
                answers = await asyncio.gather(
                    one.ask("sit", **asked, token=own[0]), two.ask("sit", **asked, token=own[1])
                )
            opened = [await opens(server, created, door) for door in own]

            assert {"receipt", "refused"} == {answer["t"] for answer in answers}
            assert [1 if answer["t"] == "receipt" else "bad_token" for answer in answers] == opened
            assert 1 == len(await takers(server, created)) == await valid(server, created)


async def test_a_bot_of_the_server_keeps_the_link_that_any_node_can_derive(server: Serving) -> None:
    created = await offer(server.url, bots={"1": "random"})
    async with asyncio.timeout(10):
        while not await takers(server, created):
            await asyncio.sleep(0.02)

    door = await server.lobby.bot_token(UUID(created["match"]), 1)

    assert 1 == await opens(server, created, door) == await valid(server, created)


async def test_two_who_join_play_the_match(server: Serving) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with talking(server.url) as north, talking(server.url) as south:
        for seat, talk in enumerate((north, south)):
            asked = wish(created, seat, promise=hashlib.sha256(nonces[seat]).hexdigest())
            await look_on(talk, created)
            await join(talk, asked)
            await talk.say("hello", version=1, match=created["match"], token=asked["token"])
            await talk.hear("welcome")
        for seat, talk in enumerate((north, south)):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())

    live = await server.matches.get(UUID(created["match"]))
    assert live.standing.started


async def test_the_same_join_sent_again_is_answered_alike(server: Serving) -> None:
    created = await offer(server.url)
    asked = wish(created)

    first, again = [await joined(server, created, asked) for _ in range(2)]

    assert "receipt" == first["t"]
    assert first == again
    assert 1 == await opens(server, created, asked["token"])


@pytest.mark.parametrize("other", [{"token": new_token()}, {"seat": 0}, {"promise": "0" * 64}])
async def test_nobody_takes_a_seat_by_the_id_of_anothers_command(
    server: Serving, other: dict[str, Any]
) -> None:
    created = await offer(server.url)
    asked = wish(created)
    await joined(server, created, asked)

    answer = await joined(server, created, asked | other)

    assert ("refused", "command_reused") == (answer["t"], answer["code"])
    assert 1 == await opens(server, created, asked["token"])
    assert 1 == await valid(server, created)


async def test_nobody_takes_the_seat_of_one_who_sat_down_by_a_link(server: Serving) -> None:
    """The command and the promise of who sits can be read on the log."""
    created = await offer(server.url)
    seen: dict[str, Any] = {"command": str(uuid4()), "promise": secrets.token_hex(32)}
    async with talking(server.url) as seat:
        await enter(seat, created, 1)
        await sit(seat, created, **seen)

    thief = wish(created, **seen)
    answer = await joined(server, created, thief)

    assert "refused" == answer["t"]
    assert "bad_token" == await opens(server, created, thief["token"])
    assert 1 == await opens(server, created, token(created, "seat", 1))


async def test_a_token_that_opens_something_is_no_token_to_join_with(server: Serving) -> None:
    created = await offer(server.url)

    answer = await joined(server, created, wish(created, token=token(created, "creator")))

    assert ("refused", "command_reused") == (answer["t"], answer["code"])
    assert [] == await takers(server, created)


async def test_a_command_of_another_seat_opens_nothing(server: Serving) -> None:
    """Who is refused a seat, and does something else by the same command id, has not got the seat by it."""
    created = await offer(server.url)
    lost = wish(created, 1)
    async with talking(server.url) as talk:
        await look_on(talk, created)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server.matches, "command", _unplugged)
            await join(talk, lost)
        await enter(talk, created, 0)
        await sit(talk, created, command=lost["command"])

    assert "bad_token" == await opens(server, created, lost["token"])


@pytest.mark.parametrize(
    ("offered", "asked", "code"),
    [
        ({"private": True}, {}, "private"),
        ({}, {"seat": 2}, "no_seat"),
        ({}, {"seat": -1}, "no_seat"),
        ({"bots": {"1": "random"}}, {}, "seat_taken"),
        ({}, {"token": "short"}, "bad_token"),
        ({}, {"promise": "short"}, "bad_nonce"),
        ({}, {"name": "x" * 41}, "bad_text"),
        ({}, {"kind": "person", "seat": 100_000}, "no_seat"),
    ],
)
async def test_what_cannot_be_joined_is_refused(
    server: Serving, offered: dict[str, Any], asked: dict[str, Any], code: str
) -> None:
    created = await offer(server.url, **offered)
    async with talking(server.url) as talk:
        await enter(talk, created)

        answer = await join(talk, wish(created, **asked))

    assert ("refused", code) == (answer["t"], answer.get("code"))


async def test_who_watches_nothing_joins_nothing(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as talk:
        answer = await join(talk, wish(created))

    assert "no_hello" == answer["code"]


@pytest.mark.parametrize("times", TIMES)
async def test_of_two_who_join_at_once_one_sits_and_the_other_is_told(server: Serving, times: int) -> None:
    for _ in range(times):
        await _race(server, server)


@pytest.mark.parametrize("times", TIMES)
async def test_of_two_who_join_on_two_nodes_one_sits_and_the_other_is_told(
    server: Serving, dsn: str, folder: Path, times: int
) -> None:
    async with running(dsn, folder) as other:
        for _ in range(times):
            await _race(server, other)


async def _race(here: Serving, there: Serving) -> None:
    created = await offer(here.url)
    wishes = [wish(created) for _ in range(2)]

    answers = await asyncio.gather(
        *(joined(server, created, one) for server, one in zip((here, there), wishes, strict=True))
    )
    won = [one for one, answer in zip(wishes, answers, strict=True) if answer["t"] == "receipt"]
    lost = [one for one, answer in zip(wishes, answers, strict=True) if answer.get("code") == "seat_taken"]

    assert [1, 1] == [len(won), len(lost)]
    assert [won[0]["command"]] == await takers(here, created)
    assert 1 == await opens(there, created, won[0]["token"])
    assert "bad_token" == await opens(here, created, lost[0]["token"])
    assert 1 == await valid(here, created)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("nodes", [1, 2])
async def test_of_who_joins_and_who_has_the_link_one_sits_and_has_the_seats_link(
    server: Serving, dsn: str, folder: Path, nodes: int, times: int
) -> None:
    async with running(dsn, folder) as other:
        there = [server, other][nodes - 1]
        for _ in range(times):
            created = await offer(server.url)
            asked, invitation, own = wish(created), token(created, "seat", 1), new_token()
            async with talking(there.url) as invited:
                await enter(invited, created, 1)
                sat, answer = await asyncio.gather(
                    sit(invited, created, token=own), joined(server, created, asked)
                )
            doors = {door: await opens(server, created, door) for door in (asked["token"], own)}

            assert {"receipt", "refused"} == {sat["t"], answer["t"]}
            assert {1, "bad_token"} == {*doors.values()}
            assert (answer["t"] == "receipt") == (doors[asked["token"]] == 1)
            assert "bad_token" == await opens(server, created, invitation)
            assert 1 == await valid(server, created)


async def test_a_creator_who_revokes_on_another_node_takes_nothing_from_who_joins(
    server: Serving, dsn: str, folder: Path
) -> None:
    async with running(dsn, folder) as other:
        created = await offer(server.url)
        asked = wish(created)
        checked, go_on = asyncio.Event(), asyncio.Event()
        replace = other.lobby.links._replace

        async def slowly(*given: Any) -> None:
            checked.set()
            await go_on.wait()
            await replace(*given)

        async with talking(other.url) as creator:
            await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
            await creator.hear("view")
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(other.lobby.links, "_replace", slowly)
                await creator.say("revoke", match=created["match"], seat=1)
                await checked.wait()
                answer = await joined(server, created, asked)
                go_on.set()
                revoked = await creator.hear("linked", "refused")

    assert ("receipt", "seat_taken") == (answer["t"], revoked.get("code"))
    assert 1 == await opens(server, created, asked["token"])
    assert 1 == await valid(server, created)


async def test_a_command_that_is_on_the_log_is_no_command_to_join_with(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the seat was found to be free."""
    created = await offer(server.url)
    seen: dict[str, Any] = {"command": str(uuid4()), "promise": secrets.token_hex(32)}
    async with talking(server.url) as seat:
        await enter(seat, created, 1)
        await sit(seat, created, **seen)
    monkeypatch.setattr(Seats, "_check_free", _unchecked)

    answer = await joined(server, created, wish(created, **seen))

    assert ("refused", "command_reused") == (answer["t"], answer["code"])
    assert 1 == await opens(server, created, token(created, "seat", 1))


async def test_a_command_is_of_the_token_that_it_was_first_sent_with(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    asked = wish(created)
    await unplugged(monkeypatch, server.matches, "command", joined(server, created, asked))

    thief = asked | {"token": new_token()}
    answer = await joined(server, created, thief)

    assert ("refused", "command_reused") == (answer["t"], answer["code"])
    assert "receipt" == (await joined(server, created, asked))["t"]
    assert "bad_token" == await opens(server, created, thief["token"])


async def test_what_breaks_off_after_the_append_is_completed_by_the_same_command(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    asked = wish(created, name="Anna")
    broken = await unplugged(monkeypatch, Seats, "_give", joined(server, created, asked))
    held_before = await valid(server, created)

    answer = await joined(server, created, asked)

    assert ("refused", 1) == (broken["t"], held_before)
    assert "receipt" == answer["t"]
    assert [asked["command"]] == await takers(server, created)
    assert 1 == await opens(server, created, asked["token"])
    assert "bad_token" == await opens(server, created, token(created, "seat", 1))


async def test_what_breaks_off_after_the_append_is_completed_by_a_hello_on_any_node(
    server: Serving, dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    asked = wish(created, name="Anna")
    await unplugged(monkeypatch, Seats, "_give", joined(server, created, asked))

    async with running(dsn, folder) as other:
        assert 1 == await opens(other, created, asked["token"])
    assert "bad_token" == await opens(server, created, token(created, "seat", 1))
    async with connection(server.database.read) as conn:
        assert "Anna" == await conn.fetchval(
            "SELECT name FROM lobby.seat WHERE match_id = $1", created["match"]
        )


async def test_what_breaks_off_before_the_append_leaves_the_seat_free(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    asked = wish(created)
    await unplugged(monkeypatch, server.matches, "command", joined(server, created, asked))

    assert "bad_token" == await opens(server, created, asked["token"])
    assert 1 == await opens(server, created, token(created, "seat", 1))
    assert "receipt" == (await joined(server, created, wish(created)))["t"]


async def test_a_link_that_its_holder_exchanged_is_not_opened_again_by_the_join(server: Serving) -> None:
    created = await offer(server.url)
    asked = wish(created)
    await joined(server, created, asked)
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"], token=asked["token"])
        await talk.say("exchange", match=created["match"])
        new = (await talk.hear("linked"))["link"]["token"]

    await joined(server, created, asked)

    assert "bad_token" == await opens(server, created, asked["token"])
    assert 1 == await opens(server, created, new)


async def unplugged(patches: pytest.MonkeyPatch, owner: object, name: str, asking: Awaitable[Said]) -> Said:
    """Return the answer to a request on the way of which the database cannot be reached."""
    with patches.context() as patch:
        patch.setattr(owner, name, _unplugged)
        return await asking


async def _unplugged(*_: Any, **__: Any) -> None:
    raise OSError("the database is away")


async def _unchecked(*_: Any) -> None:
    """Find nothing wrong."""
