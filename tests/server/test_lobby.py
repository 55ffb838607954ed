"""Matches offered, links, names."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import json

from server import addresses
from server.play.snapshot import Snapshot
from server.postgres.database import connection
from server.serving import Serving
from server.socket import gateway
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, offer, prompt, seated, sit, talking, token


async def decide(talk: Talk, created: Said, seat: int) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])


async def hello(server: Serving, created: Said, door: str) -> Said:
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"], token=door)
        return await talk.hear("welcome", "refused")


async def test_a_match_is_offered_with_a_link_for_each_door(server: Serving) -> None:
    created = await offer(server.url, label="Friday evening")

    doors = [(link["role"], link.get("seat")) for link in created["links"]]

    assert [("seat", 0), ("seat", 1), ("onlooker", None), ("creator", None)] == doors
    assert all(f"/match/{created['match']}#{link['token']}" == link["path"] for link in created["links"])


async def test_offered_twice_by_one_command_it_is_one_match_with_the_same_links(server: Serving) -> None:
    command = uuid4()

    first, again = [await offer(server.url, command=command) for _ in range(2)]

    assert first == again


async def test_offered_twice_at_once_by_one_command_it_is_one_match(server: Serving) -> None:
    command = uuid4()

    offered = await asyncio.gather(*(offer(server.url, command=command) for _ in range(4)))

    assert [offered[0]] * 4 == offered
    assert "created" == offered[0]["t"]


@pytest.mark.parametrize(
    "other",
    [
        {"title": "midway", "scenario": "duel"},
        {"scenario": "skirmish"},
        {"options": {"pairs": True}},
        {"clock": {"bank": 60}},
        {"private": True},
        {"label": "another"},
        {"bots": {"1": "random"}},
    ],
)
async def test_one_command_does_not_offer_another_match(server: Serving, other: dict[str, Any]) -> None:
    wish: dict[str, Any] = {"command": uuid4(), "scenario": "campaign"}
    await offer(server.url, **wish)

    again = await offer(server.url, **wish | other)

    assert ("refused", "command_reused") == (again["t"], again["code"])


async def test_the_command_that_offers_a_match_is_never_in_what_is_logged(
    server: Serving, capfd: pytest.CaptureFixture[str]
) -> None:
    command = uuid4()
    await offer(server.url, command=command)
    await offer(server.url, command=command, label="another")
    lines = "".join(capfd.readouterr())

    assert "command_reused" in lines
    assert str(command) not in lines


@pytest.mark.parametrize(
    ("wish", "code", "word"),
    [
        ({"title": "chess"}, "no_title", "tiny"),
        ({"scenario": "armada"}, "bad_set_up", "skirmish"),
        ({"options": {"wind": True}}, "bad_set_up", "wind"),
        ({"options": {"turns": 9}}, "bad_set_up", "from 1 to 8"),
        ({"options": {"pairs": True}}, "bad_set_up", "for two"),
        ({"clock": {"bank": -1}}, "bad_clock", "below 0"),
        ({"clock": {"bank": 0}}, "bad_clock", "begin"),
        ({"bots": {"0": "genius"}}, "no_bot", "random"),
        ({"bots": {"5": "random"}}, "no_seat", "2"),
        ({"label": "x" * 81}, "bad_text", "80"),
        ({"label": "two\nlines"}, "bad_text", "can be seen"),
    ],
)
async def test_what_cannot_be_played_is_refused_with_a_reason(
    server: Serving, wish: dict[str, Any], code: str, word: str
) -> None:
    refused = await offer(server.url, **wish)

    assert ("refused", code) == (refused["t"], refused["code"])
    assert word in refused["reason"]
    async with connection(server.database.read) as conn:
        assert 0 == await conn.fetchval("SELECT count(*) FROM lobby.match")


async def test_a_token_is_kept_as_its_hash_only(server: Serving) -> None:
    created = await offer(server.url)

    async with connection(server.database.read) as conn:
        rows = await conn.fetch("SELECT t::text FROM lobby.token t")
        facts = await server.log.read_everything(created["match"])

    everything = json.encode([row[0] for row in rows]) + b"".join(fact.body for fact in facts)
    assert 4 == len(rows)
    assert all(link["token"].encode() not in everything for link in created["links"])


async def test_a_link_of_another_match_opens_nothing(server: Serving) -> None:
    one, other = [await offer(server.url) for _ in range(2)]

    answer = await hello(server, one, token(other, "seat", 0))

    assert ("refused", "bad_token") == (answer["t"], answer["code"])


@pytest.mark.parametrize("door", ["x", "\u00e9" * 27, "A" * 27, "A" * 400])
async def test_a_link_that_is_no_link_is_refused(server: Serving, door: str) -> None:
    created = await offer(server.url)

    answer = await hello(server, created, door)

    assert ("refused", "bad_token") == (answer["t"], answer["code"])


async def test_a_private_match_needs_the_onlookers_link(server: Serving) -> None:
    created = await offer(server.url, private=True)

    without = await hello(server, created, "")
    within = await hello(server, created, token(created, "onlooker"))

    assert ("refused", "private") == (without["t"], without["code"])
    assert ("welcome", "onlooker") == (within["t"], within["role"])


@pytest.mark.usefixtures("links_unheard")
async def test_an_exchanged_token_is_void_at_once(server: Serving) -> None:
    created = await offer(server.url)
    old = token(created, "seat", 0)
    async with talking(server.url) as mine, talking(server.url) as theirs:
        await enter(mine, created, 0)
        await enter(theirs, created, 0)
        await mine.say("exchange", match=created["match"])
        new = (await mine.hear("linked"))["link"]["token"]

        late = await theirs.ask("resign", match=created["match"])
        still = await mine.ask("resign", match=created["match"])

    assert "bad_token" == late["code"]
    assert "not_started" == still["code"]
    assert "refused" == (await hello(server, created, old))["t"]
    assert 0 == (await hello(server, created, new))["seat"]


async def test_who_came_in_by_a_token_that_is_exchanged_sees_nothing_more(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as thief:
        await enter(thief, created, 0)
        await north.say("exchange", match=created["match"])

        shown_out = await thief.hear("refused")
        receipt = await decide(north, created, 0)
        await thief.say("ping")
        await thief.hear("pong")

    assert ("bad_token", created["match"]) == (shown_out["code"], shown_out["match"])
    assert [] == [m for m in thief.heard if m["t"] == "frame" and m["upto"] >= receipt["seq"]]


async def test_who_came_in_by_a_token_that_is_revoked_sees_nothing_more(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as creator, talking(server.url) as stranger:
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        await enter(stranger, created, 1)
        await creator.say("revoke", match=created["match"], seat=1)

        assert "bad_token" == (await stranger.hear("refused"))["code"]


async def test_a_token_that_another_node_exchanged_is_found_void(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 0.05)
    async with running(dsn, folder) as here, running(dsn, folder) as there:
        created = await offer(here.url)
        async with talking(here.url) as owner, talking(there.url) as thief:
            await enter(owner, created, 0)
            await enter(thief, created, 0)
            await owner.say("exchange", match=created["match"])

            assert "bad_token" == (await thief.hear("refused"))["code"]


async def test_a_link_that_is_revoked_while_somebody_comes_in_by_it_lets_nobody_in(server: Serving) -> None:
    created = await offer(server.url)
    matches, under_way, go_on = server.matches, asyncio.Event(), asyncio.Event()
    level_with = matches.level_with

    async def slowly(match: UUID, head: int) -> Snapshot:
        under_way.set()
        await go_on.wait()
        return await level_with(match, head)

    async with talking(server.url) as owner, talking(server.url) as thief:
        await enter(owner, created, 0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matches, "level_with", slowly)
            await thief.say("hello", version=1, match=created["match"], token=token(created, "seat", 0))
            await under_way.wait()
        await owner.say("exchange", match=created["match"])
        await owner.hear("linked")
        go_on.set()

        assert "bad_token" == (await thief.hear("view", "refused"))["code"]


async def test_the_creator_revokes_a_seat_until_the_start(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as creator, talking(server.url) as seat:
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        await enter(seat, created, 1)
        await creator.say("revoke", match=created["match"], seat=1)
        new = (await creator.hear("linked"))["link"]["token"]
        await seat.say("revoke", match=created["match"], seat=0)

        assert "bad_token" == (await seat.hear("refused"))["code"]
    assert "refused" == (await hello(server, created, token(created, "seat", 1)))["t"]
    assert 1 == (await hello(server, created, new))["seat"]


async def test_after_the_start_nobody_revokes(server: Serving) -> None:
    async with seated(server.url) as (created, _, _), talking(server.url) as creator:
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        await creator.say("revoke", match=created["match"], seat=1)

        assert "started" == (await creator.hear("refused"))["code"]


async def test_only_the_creator_revokes(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as seat:
        await enter(seat, created, 0)
        await seat.say("revoke", match=created["match"], seat=1)

        assert "not_allowed" == (await seat.hear("refused"))["code"]


async def test_an_address_may_not_offer_matches_without_end(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "CREATIONS", (5, 1e9))
    answers = [await offer(server.url) for _ in range(6)]

    assert ["created"] * 5 + ["refused"] == [answer["t"] for answer in answers]
    assert "too_fast" == answers[-1]["code"]


async def test_the_bots_of_the_house_take_their_seats_and_play(server: Serving) -> None:
    created = await offer(server.url, bots={"0": "random", "1": "random"})
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"])
        while True:
            message = await talk.hear("view", "frame")
            shown: Said = message.get("view") or message["patch"]
            key = shown.get("match", {}).get("key")
            if key:
                break

    assert 64 == len(key)


async def test_nobody_is_given_the_link_of_a_bots_seat(server: Serving) -> None:
    command = str(uuid4())
    first, again = [await offer(server.url, command=command, bots={"1": "random"}) for _ in range(2)]

    assert [("seat", 0), ("onlooker", None), ("creator", None)] == [
        (link["role"], link.get("seat")) for link in first["links"]
    ]
    assert first["links"] == again["links"]


@asynccontextmanager
async def creating(server: Serving, created: Said) -> AsyncIterator[Talk]:
    async with talking(server.url) as creator:
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        yield creator


async def promised(talk: Talk, created: Said, nonce: bytes, name: str = "") -> Said:
    return await sit(talk, created, promise=hashlib.sha256(nonce).hexdigest(), name=name)


async def test_a_seat_that_is_taken_is_not_revoked_and_the_match_can_begin(server: Serving) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with (
        creating(server, created) as creator,
        talking(server.url) as north,
        talking(server.url) as south,
    ):
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
        await promised(south, created, nonces[1])

        await creator.say("revoke", match=created["match"], seat=1)
        refused = await creator.hear("refused", "linked")
        await promised(north, created, nonces[0])
        shown = [
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
            for seat, talk in enumerate((north, south))
        ]

        assert ("refused", "seat_taken") == (refused["t"], refused["code"])
        assert "offer another match" in refused["reason"]
        assert ["receipt", "receipt"] == [answer["t"] for answer in shown]


async def test_of_who_sits_down_and_who_revokes_at_once_one_comes_first(server: Serving) -> None:
    """Whichever it is: whoever has taken the seat has a link to it that is valid."""
    for _ in range(10):
        created = await offer(server.url)
        async with creating(server, created) as creator, talking(server.url) as south:
            await enter(south, created, 1)
            taking = asyncio.create_task(sit(south, created))
            await creator.say("revoke", match=created["match"], seat=1)
            revoked, sat = await creator.hear("refused", "linked"), await taking

        live = await server.matches.get(UUID(created["match"]))
        assert (sat["t"] == "receipt") == (1 in live.standing.taken)
        assert (sat["t"] == "receipt") == (revoked["t"] == "refused")


async def test_a_seat_that_was_taken_on_another_node_is_not_revoked(
    server: Serving, dsn: str, folder: Path
) -> None:
    created = await offer(server.url)
    async with running(dsn, folder) as other, creating(server, created) as creator:
        async with talking(other.url) as south:
            await enter(south, created, 1)
            await promised(south, created, secrets.token_bytes(16))
        await creator.say("revoke", match=created["match"], seat=1)

        assert "seat_taken" == (await creator.hear("refused"))["code"]


async def test_the_seat_of_a_bot_of_the_house_is_not_revoked(server: Serving) -> None:
    created = await offer(server.url, bots={"1": "random"})
    async with creating(server, created) as creator:
        await creator.say("revoke", match=created["match"], seat=1)

        assert "seat_taken" == (await creator.hear("refused"))["code"]


@pytest.mark.parametrize("seat", [2, -1, 100_000])
async def test_a_seat_that_is_not_there_is_not_revoked(server: Serving, seat: int) -> None:
    created = await offer(server.url)
    async with creating(server, created) as creator:
        await creator.say("revoke", match=created["match"], seat=seat)

        assert "no_seat" == (await creator.hear("refused"))["code"]


async def test_who_has_a_name_that_is_too_long_does_not_sit_down(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as seat:
        await enter(seat, created, 0)

        refused = await promised(seat, created, secrets.token_bytes(16), name="x" * 41)
        sat = await promised(seat, created, secrets.token_bytes(16), name="x" * 40)

    assert ("refused", "bad_text") == (refused["t"], refused.get("code"))
    assert "receipt" == sat["t"]
