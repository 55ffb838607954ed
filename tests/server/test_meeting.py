import asyncio
import hashlib
import secrets
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.talk import Talk, enter, new_token, sit, talking, token

CLOCK = {"bank": 3600}


@pytest.fixture
async def anna(server_url: str) -> Browser:
    browser = Browser(server_url)
    await browser.sign_up("anna", name="Anna")
    return browser


@pytest.fixture
async def bert(server_url: str) -> Browser:
    browser = Browser(server_url)
    await browser.sign_up("bert", name="Bert")
    return browser


async def offered(browser: Browser, **wish: Any) -> Said:
    """Offer a match as a person does, and sit down."""
    async with browser.talking() as talk:
        created = await talk.ask(
            "create", "created", "refused", version=1, title="tiny", scenario="skirmish", **wish
        )
        if created["t"] == "created":
            await enter(talk, created, 0)
            await sit(talk, created)
    return created


async def join(browser: Browser, created: Said, seat: int = 1) -> Said:
    """Join a match as a person does, or as a guest; return what is answered."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        if (said := await talk.hear("view", "refused"))["t"] == "refused":
            return said
        return await joined(talk, created, seat)


async def joined(talk: Talk, created: Said, seat: int) -> Said:
    return await talk.ask(
        "join", match=created["match"], seat=seat, token=new_token(), promise=secrets.token_hex(32)
    )


async def challenged(anna: Browser, handle: str = "bert", **wish: Any) -> Said:
    """Challenge somebody, and sit down; return what is answered."""
    return await offered(anna, challenge=handle, word="Again?", **wish)


async def listed(browser: Browser, count: int = 1) -> list[Said]:
    """Return somebody's challenges, once the list has followed the log and there are so many."""
    async with asyncio.timeout(10):
        while True:
            _, told = await browser.ask("GET", "/api/me/challenges")
            if len(told["challenges"]) >= count:
                found: list[Said] = told["challenges"]
                return found
            await asyncio.sleep(0.05)


async def test_who_is_challenged_sees_the_match_and_takes_the_seat(anna: Browser, bert: Browser) -> None:
    created = await challenged(anna)
    (seen,) = await listed(bert)

    receipt = await join(bert, created)
    (after,) = await listed(anna)

    assert "receipt" == receipt["t"]
    assert ("anna", "bert", "Again?", None) == (seen["by"], seen["to"], seen["word"], seen["answer"])
    assert "accepted" == after["answer"]


async def test_who_declines_says_why_and_sees_a_private_match_no_longer(anna: Browser, bert: Browser) -> None:
    created = await challenged(anna, private=True)
    async with bert.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("view")
        path = f"/api/me/challenges/{created['match']}"
        status, _ = await bert.ask("POST", path, {"answer": "declined", "word": "No time"})
        gone = await talk.hear("refused")
    (seen,) = await listed(anna)

    assert (200, "bad_token") == (status, gone["code"])
    assert ("declined", "No time") == (seen["answer"], seen["reply"])
    assert "private" == (await join(bert, created))["code"]


async def test_who_challenged_takes_it_back(anna: Browser, bert: Browser) -> None:
    created = await challenged(anna)
    path = f"/api/me/challenges/{created['match']}"
    others, _ = await bert.ask("POST", path, {"answer": "withdrawn"})
    own, _ = await anna.ask("POST", path, {"answer": "withdrawn"})

    assert (400, 200) == (others, own)
    assert "private" == (await join(bert, created))["code"]


async def test_nobody_is_challenged_by_one_person_again_and_again(anna: Browser, bert: Browser) -> None:
    told = [await challenged(anna) for _ in range(4)]

    assert [None, None, None, "too_many"] == [one.get("code") for one in told]
    assert 3 == len(await listed(bert, 3))


async def test_the_owner_of_a_bot_declines_for_it_and_nobody_else_does(
    server_url: str, anna: Browser, bert: Browser
) -> None:
    carl = Browser(server_url)
    await carl.sign_up("carl")
    await bert.ask("POST", "/api/me/bots", {"handle": "bert_bot"})
    created = await challenged(anna, "bert_bot")
    path = f"/api/me/challenges/{created['match']}"
    async with asyncio.timeout(10):
        while not (waiting := (await bert.ask("GET", "/api/me/matches"))[1]["challenges"]):
            await asyncio.sleep(0.05)  # the list follows the log
    stranger, _ = await carl.ask("POST", path, {"answer": "declined"})
    status, _ = await bert.ask("POST", path, {"answer": "declined", "word": "It sleeps"})
    (told,) = await listed(anna)

    assert ["bert_bot"] == [one["to"] for one in waiting]
    assert (400, 200) == (stranger, status)
    assert ("declined", "It sleeps") == (told["answer"], told["reply"])


async def test_an_offer_for_persons_is_not_for_guests(server_url: str, anna: Browser, bert: Browser) -> None:
    created = await offered(anna, persons=True)
    _, info = await anna.ask("GET", f"/api/matches/{created['match']}")

    guest = await join(Browser(server_url), created)
    person = await join(bert, created)

    assert (True, False) == (info["persons"], info["rated"])
    assert ("no_session", "receipt") == (guest["code"], person["t"])
    assert "sign in" in guest["reason"]


async def test_a_rated_match_is_for_two_persons(server_url: str, anna: Browser, bert: Browser) -> None:
    created = await offered(anna, rated=True, clock=CLOCK)

    guest = await join(Browser(server_url), created)
    own = await join(anna, created)
    person = await join(bert, created)

    assert ("no_session", "not_allowed", "receipt") == (guest["code"], own["code"], person["t"])


async def test_by_a_link_too_a_rated_match_is_for_persons(server_url: str, anna: Browser) -> None:
    created = await offered(anna, rated=True, clock=CLOCK)
    async with Browser(server_url).talking() as talk:
        await enter(talk, created, 1)
        refused = await sit(talk, created)

    assert "no_session" == refused["code"]


async def test_an_offer_to_a_band_of_ratings_is_for_those(dsn: str, anna: Browser, bert: Browser) -> None:
    created = await offered(anna, persons=True, band=[1600, 1800])

    new = await join(bert, created)
    conn = await asyncpg.connect(dsn)
    await conn.execute(
        "INSERT INTO view.rating SELECT id::text, 'tiny', 1700, 60, 0.06, 20, now(), gen_random_uuid()"
        " FROM people.person WHERE handle = 'bert'"
    )
    await conn.close()
    fits = await join(bert, created)

    assert ("not_allowed", "receipt") == (new.get("code"), fits["t"])
    assert "1600 to 1800; yours is 1500" in new["reason"]


@pytest.mark.parametrize("band", [[1800, 1600], [-1, 1600], [0, 5001]])
async def test_a_band_that_nobody_fits_is_refused(anna: Browser, band: list[int]) -> None:
    assert "bad_set_up" == (await offered(anna, band=band))["code"]


@pytest.mark.parametrize("who", ["anna", "bert"])
async def test_who_is_kept_away_joins_no_match_and_challenges_nobody(
    anna: Browser, bert: Browser, who: str
) -> None:
    keeper, kept = (anna, "bert") if who == "anna" else (bert, "anna")
    _, me = await keeper.ask("POST", "/api/me/blocks", {"handle": kept})
    created = await offered(anna)

    told = await join(bert, created)
    status, before = await anna.ask("GET", "/api/me/challenges?to=bert")
    challenge = await challenged(anna)
    await keeper.ask("DELETE", f"/api/me/blocks/{kept}")
    after = await join(bert, created)
    free, _ = await anna.ask("GET", "/api/me/challenges?to=bert")

    assert [kept] == me["person"]["blocked"]
    assert (403, 200, challenge["reason"]) == (status, free, before["reason"])
    assert ("not_allowed", "not_allowed", "receipt") == (told["code"], challenge["code"], after["t"])


async def test_nobody_hears_who_is_kept_away(anna: Browser, bert: Browser) -> None:
    created = await offered(anna)
    await join(bert, created)
    await anna.ask("POST", "/api/me/blocks", {"handle": "bert"})
    said = []
    for browser in (bert, anna):
        async with browser.talking() as talk:
            await talk.say("hello", version=1, match=created["match"], mine=True)
            await talk.hear("view")
            await talk.say("say", match=created["match"], room="table", text="Hello")
            said.append(await talk.hear("said", "refused"))

    assert ["refused", "said"] == [one["t"] for one in said]


@pytest.mark.parametrize("handle", ["anna", "nobody_here"])
async def test_only_somebody_else_is_kept_away(anna: Browser, handle: str) -> None:
    status, told = await anna.ask("POST", "/api/me/blocks", {"handle": handle})

    assert (404, "no_person") == (status, told["code"])


async def test_a_line_is_reported_once_by_who_could_read_it(
    server: Serving, anna: Browser, bert: Browser
) -> None:
    carl = Browser(server.url)
    await carl.sign_up("carl")
    created = await offered(anna)
    await join(bert, created)
    async with bert.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("view")
        await talk.say("say", match=created["match"], room="table", text="Something bad")
        line = (await talk.hear("said"))["id"]
    body = {"match": created["match"], "line": line, "word": "He is rude"}

    told = [(await one.ask("POST", "/api/me/reports", body))[0] for one in (anna, anna, carl)]
    async with server.database.http.acquire() as conn:
        rows = await conn.fetch(
            "SELECT r.text, r.word, p.handle FROM people.report r JOIN people.person p ON p.id = r.about"
        )

    assert [200, 200, 404] == told
    assert [("Something bad", "He is rude", "bert")] == [tuple(row) for row in rows]


@pytest.mark.parametrize("again", [False, True])
async def test_a_rematch_swaps_sides_and_the_same_again_does_not(
    anna: Browser, bert: Browser, again: bool
) -> None:
    created = await played(anna, bert)
    seats = []
    for browser in (bert, anna):
        async with browser.talking() as talk:
            await talk.say("hello", version=1, match=created["match"], mine=True)
            await talk.hear("view")
            fields = {"token": new_token(), "promise": secrets.token_hex(32)}
            await talk.ask("rematch", match=created["match"], again=again, **fields)
            linked = next(one for one in talk.heard if one["t"] == "linked")
            seats.append(linked["link"]["seat"])

    assert ([1, 0] if again else [0, 1]) == seats


async def played(anna: Browser, bert: Browser) -> Said:
    """Play a match of two persons until one resigns."""
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with anna.talking() as north, bert.talking() as south:
        created = await north.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
            await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
        for seat, talk in enumerate((north, south)):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
        await north.ask("resign", match=created["match"])
    return created


async def test_a_guest_of_an_open_offer_is_as_welcome_as_ever(server_url: str, anna: Browser) -> None:
    created = await offered(anna)

    assert "receipt" == (await join(Browser(server_url), created))["t"]
    assert token(created, "onlooker")


async def test_the_maker_of_an_offer_to_a_band_sits_at_his_own_table(anna: Browser) -> None:
    async with anna.talking() as talk:
        created = await talk.ask(
            "create", "created", version=1, title="tiny", scenario="skirmish", band=[1600, 1800]
        )
        await enter(talk, created, 0)
        seated = await sit(talk, created)

    assert "receipt" == seated["t"]


async def test_a_bot_of_who_is_kept_away_is_kept_away_too(
    server_url: str, anna: Browser, bert: Browser
) -> None:
    await bert.ask("POST", "/api/me/bots", {"handle": "berts_bot"})
    _, made = await bert.ask("POST", "/api/me/bots/berts_bot/tokens", {"name": "x", "scopes": ["play"]})
    await anna.ask("POST", "/api/me/blocks", {"handle": "bert"})
    created = await offered(anna)
    async with talking(server_url, additional_headers={"Authorization": f"Bearer {made['token']}"}) as talk:
        await talk.say("hello", version=1, match=created["match"])
        await talk.hear("view")
        refused = await joined(talk, created, 1)

    assert "not_allowed" == refused.get("code")


async def test_who_is_kept_away_ties_no_seat_at_that_table(
    server_url: str, anna: Browser, bert: Browser
) -> None:
    await anna.ask("POST", "/api/me/blocks", {"handle": "bert"})
    created = await offered(anna)
    async with talking(server_url) as talk:
        await enter(talk, created, 1)
        await sit(talk, created)
    link = {"match": created["match"], "token": token(created, "seat", 1)}

    _, tied = await bert.ask("POST", "/api/me/seats", {"links": [link]})

    assert [] == tied["tied"]
    assert ["you and somebody who plays there do not play with each other"] == [
        one["reason"] for one in tied["left"]
    ]


async def test_who_is_muted_challenges_nobody(dsn: str, anna: Browser, bert: Browser) -> None:
    conn = await asyncpg.connect(dsn)
    await conn.execute("UPDATE people.person SET muted_at = now() WHERE handle = 'anna'")
    await conn.close()

    told = await challenged(anna)

    assert "not_allowed" == told["code"]
    assert bert.cookie


CREATE: Said = {"version": 1, "title": "tiny", "scenario": "skirmish"}


async def test_a_pace_is_one_of_those_that_are_known_and_nothing_that_is_written_to_others(
    server_url: str,
) -> None:
    """Given a connection that goes on, and with it another match."""
    async with talking(server_url) as talk:
        created = await talk.ask("create", "created", **CREATE, pace="by turns, days")
        await enter(talk, created, 0)

        refused = await talk.ask("create", "created", "refused", **CREATE, pace="Call me names")

        assert "bad_request" == refused["code"]
        assert (
            "a pace is 'live', 'live, 20 minutes', 'by turns', 'by turns, days', or empty"
            == refused["reason"]
        )
        assert "receipt" == (await sit(talk, created))["t"]


async def test_an_offer_of_before_with_another_pace_is_answered_as_it_was_when_it_is_sent_again(
    dsn: str, server_url: str
) -> None:
    """Given one that was stored by a version to which a pace was any text."""
    command = str(uuid4())
    async with talking(server_url) as talk:
        created = await talk.ask("create", "created", **CREATE, command=command, pace="live")
        conn = await asyncpg.connect(dsn)
        await conn.execute("UPDATE lobby.match SET pace = 'a turn a day'")
        await conn.close()

        again = await talk.ask("create", "created", "refused", **CREATE, command=command, pace="a turn a day")
        other = await talk.ask("create", "created", "refused", **CREATE, command=command, pace="weekly")

    assert created == again
    assert "command_reused" == other["code"]


async def test_nobody_is_challenged_more_than_five_times_a_day(anna: Browser, bert: Browser) -> None:
    told = []
    for _ in range(6):
        created = await challenged(anna)
        told.append(created.get("code", ""))
        await anna.ask("POST", f"/api/me/challenges/{created.get('match')}", {"answer": "withdrawn"})

    assert [""] * 5 + ["too_many"] == told
    assert bert.cookie


async def test_an_offer_that_is_taken_back_takes_its_challenge_back(anna: Browser, bert: Browser) -> None:
    created = await challenged(anna)
    async with anna.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await talk.hear("view")
        await talk.say("withdraw", match=created["match"])
        await talk.hear("withdrawn")
    (seen,) = await listed(bert)

    assert "withdrawn" == seen["answer"]
    assert "private" == (await join(bert, created))["code"]
