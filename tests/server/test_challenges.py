"""Challenges as they are made: with their match, for one person alone, and counted as any match is."""

import hashlib
import secrets
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from server.lobby.terms import AllTerms
from server.postgres.database import connection
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.meets import signed_up
from tests.server.reading import get
from tests.server.talk import Talk, enter, new_token, sit, talking, token
from tests.server.test_meeting import CLOCK, challenged, join, listed, offered
from tests.server.test_meeting import anna as anna  # noqa: PLC0414 a fixture
from tests.server.test_meeting import bert as bert  # noqa: PLC0414 a fixture
from tests.server.test_results import counted


@pytest.fixture
async def carl(server_url: str) -> Browser:
    return await signed_up(server_url, "carl")


async def on_offer(server: Serving) -> list[str]:
    """Return the matches that the lobby has on offer, once the list has followed the log."""
    await counted(server)
    got = (await get(server.url, "/api/matches?state=open")).json
    return [one["match"] for one in got["matches"]]


async def by_link(browser: Browser, created: Said, seat: int) -> Said:
    """Sit down by the link of a seat; return what is answered."""
    async with browser.talking() as talk:
        await enter(talk, created, seat)
        return await sit(talk, created)


async def create(browser: Browser, **wish: Any) -> Said:
    async with browser.talking() as talk:
        said = {"version": 1, "title": "tiny", "scenario": "skirmish", "challenge": "bert", **wish}
        return await talk.ask("create", "created", "refused", **said)


async def played(anna: Browser, bert: Browser, **wish: Any) -> Said:
    """Let anna challenge bert, who takes it up, and resign."""
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with anna.talking() as north, bert.talking() as south:
        said = {"version": 1, "title": "tiny", "scenario": "skirmish", "challenge": "bert", **wish}
        created = await north.ask("create", "created", **said)
        match = created["match"]
        await enter(north, created, 0)
        await sit(north, created, promise=hashlib.sha256(nonces[0]).hexdigest())
        await south.say("hello", version=1, match=match, mine=True)
        await south.hear("view")
        promise = hashlib.sha256(nonces[1]).hexdigest()
        await south.ask("join", match=match, seat=1, token=new_token(), promise=promise)
        await south.say("hello", version=1, match=match, mine=True)
        await south.hear("welcome", role="seat")
        for talk, nonce in ((north, nonces[0]), (south, nonces[1])):
            await shown(talk, match, nonce)
        await north.ask("resign", match=match)
    return created


async def shown(talk: Talk, match: str, nonce: bytes) -> None:
    assert "receipt" == (await talk.ask("show", match=match, nonce=nonce.hex()))["t"]


async def test_what_one_is_challenged_to_is_on_offer_to_nobody_else(
    server: Serving, anna: Browser, bert: Browser, carl: Browser
) -> None:
    created = await challenged(anna)
    offers = await on_offer(server)
    (seen,) = await listed(bert)

    joined = [(await join(one, created))["code"] for one in (carl, Browser(server.url), anna)]
    linked = [(await by_link(one, created, 1)).get("code") for one in (carl, Browser(server.url), anna)]
    receipt = await join(bert, created)

    assert ([], False, []) == (offers, seen["info"]["private"], seen["info"]["joinable"])
    assert ["private"] * 6 == joined + linked
    assert "receipt" == receipt["t"]


@pytest.mark.parametrize(("who", "answer"), [("bert", "declined"), ("anna", "withdrawn")])
async def test_a_challenge_that_came_to_nothing_is_on_offer_to_nobody(
    server: Serving, anna: Browser, bert: Browser, carl: Browser, who: str, answer: str
) -> None:
    created = await challenged(anna)
    path = f"/api/me/challenges/{created['match']}"
    await (bert if who == "bert" else anna).ask("POST", path, {"answer": answer})

    offers = await on_offer(server)
    told = [(await join(one, created))["code"] for one in (bert, carl, Browser(server.url))]

    assert ([], ["private"] * 3) == (offers, told)


async def test_a_challenge_to_a_private_match_from_before_stays_as_it_was(
    dsn: str, anna: Browser, bert: Browser, carl: Browser
) -> None:
    created = [await offered(anna, private=True) for _ in range(2)]
    owner = await asyncpg.connect(dsn)
    for one in created:
        await owner.execute(
            "INSERT INTO lobby.challenge (match_id, challenger, challenged)"
            " SELECT $1, a.id, b.id FROM people.person a, people.person b"
            " WHERE a.handle = 'anna' AND b.handle = 'bert'",
            UUID(one["match"]),
        )
        await owner.execute(
            "INSERT INTO lobby.token (hash, match_id, kind, person_id)"
            " SELECT sha256($2), $1, 'onlooker', id FROM people.person WHERE handle = 'bert'",
            UUID(one["match"]),
            UUID(one["match"]).bytes,
        )
    await owner.close()

    others = await join(carl, created[0])
    told = [await join(bert, created[0]), await by_link(carl, created[1], 1)]

    assert ("private", ["receipt"] * 2) == (others["code"], [one["t"] for one in told])


async def test_a_challenge_sent_again_is_the_same_and_with_another_word_another(
    dsn: str, anna: Browser, bert: Browser
) -> None:
    command = str(uuid4())
    told = [await create(anna, command=command, word=word) for word in ("Again?", " Again? ", "No")]
    owner = await asyncpg.connect(dsn)
    made = await owner.fetch("SELECT match_id, word FROM lobby.challenge")
    await owner.close()

    assert told[0] == told[1]
    assert "command_reused" == told[2]["code"]
    assert [(told[0]["match"], "Again?")] == [(str(row["match_id"]), row["word"]) for row in made]
    assert bert.cookie


async def test_what_is_refused_as_a_challenge_leaves_nothing(
    dsn: str, server_url: str, anna: Browser, bert: Browser
) -> None:
    await bert.ask("POST", "/api/me/blocks", {"handle": "anna"})
    await signed_up(server_url, "carl")
    told = [
        (await create(browser, **wish))["code"]
        for browser, wish in (
            (Browser(server_url), {}),
            (anna, {"challenge": "anna"}),
            (anna, {"challenge": "nobody_here"}),
            (anna, {"challenge": "no\x00body"}),
            (anna, {"challenge": "bert"}),
            (anna, {"challenge": "carl", "word": "x" * 201}),
            (anna, {"challenge": "carl", "band": [1400, 1600]}),
            (anna, {"challenge": "carl", "bots": {"0": "random"}}),
            (anna, {"challenge": "carl", "rated": True}),
            (anna, {"challenge": "", "word": "Again?"}),
        )
    ]
    owner = await asyncpg.connect(dsn)
    rows = await owner.fetchval(
        "SELECT (SELECT count(*) FROM lobby.match) + (SELECT count(*) FROM lobby.challenge)"
    )
    await owner.close()

    assert [
        "no_session",
        "not_allowed",
        "no_person",
        "no_person",
        "not_allowed",
        "bad_text",
        "bad_set_up",
        "bad_set_up",
        "bad_clock",
        "bad_set_up",
    ] == told
    assert 0 == rows


async def test_a_bot_challenges_nobody(server_url: str, anna: Browser, bert: Browser) -> None:
    await anna.ask("POST", "/api/me/bots", {"handle": "annas_bot"})
    _, made = await anna.ask("POST", "/api/me/bots/annas_bot/tokens", {"name": "x", "scopes": ["play"]})
    async with talking(server_url, additional_headers={"Authorization": f"Bearer {made['token']}"}) as talk:
        said = {"version": 1, "title": "tiny", "scenario": "skirmish", "challenge": "bert"}
        refused = await talk.ask("create", "refused", "created", **said)

    assert "not_allowed" == refused.get("code")
    assert bert.cookie


@pytest.mark.parametrize("private", [False, True])
async def test_a_rated_challenge_counts_for_both_and_is_shown_unless_it_is_private(
    server: Serving, anna: Browser, bert: Browser, private: bool
) -> None:
    created = await played(anna, bert, rated=True, clock=CLOCK, private=private)
    await counted(server)

    told = [(await get(server.url, f"/api/people/{who}/results")).json for who in ("anna", "bert")]

    shown = [] if private else [created["match"]]
    assert [shown, shown] == [[one["match"] for one in of["matches"]] for of in told]
    assert [1, 1] == [of["ratings"][0]["matches"] for of in told]


async def test_who_is_challenged_and_who_looks_at_a_list_are_told_clock_and_options(
    server: Serving, anna: Browser, bert: Browser
) -> None:
    clock, options = {"bank": 7200, "increment": 10}, {"night": True, "turns": 4}
    created = await challenged(anna, clock=clock, options=options)
    open_to_all = await offered(anna)
    (seen,) = await listed(bert)
    await counted(server)
    got = (await get(server.url, "/api/matches")).json["matches"]
    details = (await get(server.url, f"/api/matches/{created['match']}")).json

    found = {one["match"]: one for one in got}[open_to_all["match"]]
    assert (7200, 10, options) == (
        seen["info"]["clock"]["bank"],
        seen["info"]["clock"]["increment"],
        seen["info"]["chosen"],
    )
    assert (None, {}) == (found["clock"], found["chosen"])
    assert (seen["info"]["clock"], options) == (details["clock"], details["chosen"])
    assert {"night", "pairs", "turns"} == details["options"].keys()


async def test_the_terms_of_a_match_are_read_once(server: Serving, anna: Browser) -> None:
    match, known = UUID((await offered(anna, clock=CLOCK))["match"]), AllTerms()
    async with connection(server.database.read) as conn:
        first = await known.of(conn, [match, UUID(int=7)])

    again = await known.of(conn, [match])
    with pytest.raises(asyncpg.InterfaceError):  # that connection is given back
        await known.of(conn, [UUID(int=7)])

    assert [match] == [*first]
    assert first == again
    clock = first[match].clock
    assert clock is not None
    assert 3600 == clock.bank


async def test_the_links_of_a_challenge_that_is_declined_are_those_of_any_withdrawn_offer(
    anna: Browser, bert: Browser, carl: Browser
) -> None:
    created = await challenged(anna)
    await bert.ask("POST", f"/api/me/challenges/{created['match']}", {"answer": "declined"})

    assert "receipt" == (await by_link(carl, created, 1))["t"]
    assert token(created, "seat", 1)
