"""What an operator does about persons by `fleetfold people`."""

import asyncio
import json
import os
import sys
from pathlib import Path

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed

from server.postgres.database import alone
from server.serving import Serving
from tests.server.authenticator import Authenticator, Browser
from tests.server.meets import made
from tests.server.reading import get
from tests.server.talk import enter, offer, seated, sit, talking, token


class Operator:
    """Runs the command on the database of a server."""

    def __init__(self, dsn: str, folder: Path) -> None:
        self._dsn, self._folder = dsn, folder

    async def tell(self, *words: str) -> tuple[int, str]:
        """Run it, and return its code and what it says."""
        own = {"FLEETFOLD_DATABASE_URL": self._dsn, "FLEETFOLD_DATA": str(self._folder)}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "people", *words),
            env={**os.environ, **own, "FLEETFOLD_KEYS": str(self._folder / "keys")},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(30):
            said, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, said.decode()


@pytest.fixture
def operator(dsn: str, folder: Path) -> Operator:
    return Operator(dsn, folder)


@pytest.fixture
def browser(server_url: str) -> Browser:
    return Browser(server_url)


async def test_who_is_banned_is_shown_out_and_told_so_when_he_comes_again(
    server: Serving, operator: Operator, browser: Browser
) -> None:
    key = Authenticator()
    codes = (await browser.sign_up("anna", key))["codes"]
    created = await offer(server.url)
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("welcome")
        told = await operator.tell("ban", "anna")
        server.gateway.look_at_sessions()
        with pytest.raises(ConnectionClosed) as closed:
            await talk.hear("nothing")
    _, me = await browser.ask("GET", "/api/me")
    by_key, why = await Browser(server.url).sign_in(key)
    by_code, same = await Browser(server.url).ask("POST", "/api/me/sign-in", {"recovery": codes[0]})

    assert (0, "Banned.\n") == told
    assert closed.value.rcvd is not None
    assert 4401 == closed.value.rcvd.code
    assert me["person"] is None
    assert (403, 403) == (by_key, by_code)
    assert "banned you" in why["reason"] == same["reason"]
    assert "hands out or erases" in why["reason"]


async def test_who_is_banned_no_more_comes_in_by_the_code_that_was_refused(
    operator: Operator, browser: Browser
) -> None:
    codes = (await browser.sign_up("anna"))["codes"]
    await operator.tell("ban", "anna")
    refused, _ = await browser.ask("POST", "/api/me/sign-in", {"recovery": codes[0]})
    await operator.tell("unban", "anna")
    taken, me = await browser.ask("POST", "/api/me/sign-in", {"recovery": codes[0]})

    assert (403, 200, "anna") == (refused, taken, me["person"]["handle"])


async def test_who_is_muted_writes_nothing_by_his_session_nor_by_his_seats_link(
    server: Serving, operator: Operator, browser: Browser
) -> None:
    await browser.sign_up("anna")
    async with seated(server.url) as (created, north, south), browser.talking() as talk:
        match = created["match"]
        link = {"match": match, "token": token(created, "seat", 0)}
        await browser.ask("POST", "/api/me/seats", {"links": [link]})
        await talk.say("hello", version=1, match=match)
        await operator.tell("mute", "anna")
        await north.say("say", match=match, room="table", text="By the link")
        by_link = await north.hear("said", "refused")
        await talk.say("say", match=match, room="onlookers", text="As an onlooker")
        by_session = await talk.hear("said", "refused")
        await south.say("say", match=match, room="table", text="Others may")
        others = await south.hear("said", "refused")
        await operator.tell("unmute", "anna")
        await north.say("say", match=match, room="table", text="Again")
        again = await north.hear("said", "refused", room="table", text="Again")

    assert ["not_allowed", "not_allowed"] == [by_link["code"], by_session["code"]]
    assert ["said", "said"] == [others["t"], again["t"]]


async def test_who_is_muted_writes_nothing_on_the_list_nor_on_his_page(
    server: Serving, operator: Operator, browser: Browser
) -> None:
    """Given that what he said before stays, may go, and comes along when he changes something else."""
    await browser.sign_up("anna", name="Anna")
    await browser.ask("PATCH", "/api/me", {"about": "Carriers."})
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    _, made = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", {"name": "", "scopes": ["play"]})
    as_bot = {"Authorization": f"Bearer {made['token']}"}
    await operator.tell("mute", "anna")
    offers = []
    for label in ("Anna here", ""):
        wish = {"version": 1, "title": "tiny", "scenario": "skirmish", "label": label}
        async with browser.talking() as own, talking(server.url, additional_headers=as_bot) as bots:
            offers += [await talk.ask("create", "created", "refused", **wish) for talk in (own, bots)]
    wishes: list[dict[str, object]] = [
        {"name": "Anna again", "about": "Carriers."},
        {"about": "More"},
        {"name": "Anna", "about": "Carriers.", "night": 22},
        {"name": "", "about": ""},
    ]
    told = [(await browser.ask("PATCH", "/api/me", wish))[0] for wish in wishes]
    bots_told = [
        (await browser.ask("POST", "/api/me/bots", {"handle": f"bot_{name or 'plain'}", "name": name}))[0]
        for name in ("x", "")
    ]

    assert ["not_allowed", "not_allowed", None, None] == [one.get("code") for one in offers]
    assert "muted you: offer it without a label" in offers[0]["reason"]
    assert ([403, 403, 200, 200], [403, 200]) == (told, bots_told)


async def test_a_bot_of_somebody_who_is_muted_writes_nothing(
    server: Serving, operator: Operator, browser: Browser
) -> None:
    await browser.sign_up("anna")
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    _, made = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", {"name": "", "scopes": ["play"]})
    created = await offer(server.url)
    await operator.tell("mute", "anna")
    async with talking(server.url, additional_headers={"Authorization": f"Bearer {made['token']}"}) as talk:
        await enter(talk, created)
        await talk.say("say", match=created["match"], room="onlookers", text="Beep")
        said = await talk.hear("said", "refused")

    assert "not_allowed" == said["code"]


async def test_an_operator_erases_a_person_as_he_can_himself(
    server: Serving, operator: Operator, browser: Browser
) -> None:
    await browser.sign_up("anna", name="Anna")
    created = await offer(server.url)
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        await sit(talk, created)
    code, _ = await operator.tell("erase", "anna", "--yes")
    _, one = await browser.ask("GET", f"/api/matches/{created['match']}")

    assert (0, "someone", "") == (code, one["seats"][0]["player"], one["seats"][0]["handle"])
    assert 404 == (await browser.ask("GET", "/api/people/anna"))[0]


CROSSING = {
    "a director": "SELECT FROM people.tournament FOR UPDATE",
    "who takes a seat": "SELECT FROM lobby.match FOR NO KEY UPDATE",
}


@pytest.mark.parametrize(
    ("by", "who"),
    [("the operator", "a director"), ("the operator", "who takes a seat"), ("himself", "a director")],
)
async def test_who_is_erased_while_something_waits_for_him_is_erased_after_it(
    dsn: str, operator: Operator, browser: Browser, by: str, who: str
) -> None:
    """Given a transaction of a node's that has what the erasing comes to, and wants his row then."""
    await browser.sign_up("anna")
    await made(browser)
    async with browser.talking() as talk:
        created = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        await enter(talk, created, 0)
        await sit(talk, created)
    async with alone(dsn) as node, alone(dsn) as looks:
        # It is the other that finds out, and begins again.
        await node.execute("SET deadlock_timeout = '1h'; SET idle_in_transaction_session_timeout = 0")
        async with node.transaction():
            await node.execute(CROSSING[who])
            erasing = asyncio.create_task(
                operator.tell("erase", "anna", "--yes")
                if by == "the operator"
                else browser.ask("DELETE", "/api/me", {"handle": "anna"})
            )
            async with asyncio.timeout(30):
                while not await looks.fetchval(WAITS):
                    await asyncio.sleep(0.02)
            await node.execute("SELECT FROM people.person WHERE handle = 'anna' FOR KEY SHARE")
        code, said = await erasing

    assert code == (0 if by == "the operator" else 200), said
    assert 404 == (await browser.ask("GET", "/api/people/anna"))[0]


WAITS = """
SELECT EXISTS (SELECT FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock')
"""


async def test_nobody_is_erased_unless_the_operator_says_yes(operator: Operator, browser: Browser) -> None:
    await browser.sign_up("anna")
    code, _ = await operator.tell("erase", "anna")

    assert 1 == code
    assert 200 == (await browser.ask("GET", "/api/people/anna"))[0]


async def test_an_operator_finds_persons_and_sees_what_they_are(
    operator: Operator, browser: Browser, server_url: str
) -> None:
    await browser.sign_up("anna", name="Anna")
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    await Browser(server_url).sign_up("bert_x")
    await operator.tell("mute", "bert_x")
    _, listed = await operator.tell("list", "--words", "na_")
    _, muted = await operator.tell("list", "--muted", "--json")
    _, shown = await operator.tell("show", "anna")
    code, nobody = await operator.tell("show", "carl")

    assert ["anna_bot"] == [line.split()[0] for line in listed.splitlines()]
    assert "bot of anna" in listed
    assert ["bert_x"] == [one["handle"] for one in json.loads(muted)]
    assert "passkeys 1, sessions 1, bots 1, seats 0" in shown
    assert (1, "Error: Nobody is called carl here.\n") == (code, nobody)


async def test_an_operator_hands_out_what_is_kept_of_a_person_in_a_file_of_his_own(
    operator: Operator, browser: Browser, tmp_path: Path
) -> None:
    await browser.sign_up("anna")
    file = tmp_path / "anna.json"
    code, _ = await operator.tell("export", "anna", str(file))

    assert (0, "anna", 0o600) == (
        code,
        json.loads(file.read_text())["person"][0]["handle"],
        file.stat().st_mode & 0o777,
    )


async def test_what_an_operator_does_about_persons_is_noted_by_an_id(
    dsn: str, operator: Operator, browser: Browser
) -> None:
    """Given that an entry cannot be taken back, and somebody who is erased is to be named nowhere."""
    await browser.sign_up("anna")
    conn = await asyncpg.connect(dsn)
    person = await conn.fetchval("SELECT id FROM people.person")
    words = ("list", "show", "mute", "unmute", "ban", "unban", "export", "erase")
    for word in words:
        await operator.tell(word, *(() if word == "list" else ("anna",)), *(["--yes"] * (word == "erase")))
    rows = await conn.fetch("SELECT actor, action, subject, detail::text FROM log.audit ORDER BY id")
    await conn.close()

    assert [
        "list persons",
        "show person",
        "muted",
        "not muted",
        "banned",
        "not banned",
        "export person",
        "erase person",
    ] == [row["action"] for row in rows]
    assert ["", *[str(person)] * 7] == [row["subject"] for row in rows]
    assert not [row for row in rows if "anna" in str(tuple(row))]
    assert all(row["actor"].startswith("operator ") for row in rows)


async def test_who_signs_up_and_in_and_is_refused_is_counted(server: Serving, browser: Browser) -> None:
    key = Authenticator()
    codes = (await browser.sign_up("anna", key))["codes"]
    await Browser(server.url).sign_in(key)
    await Browser(server.url).sign_in(key)
    await Browser(server.url).ask("POST", "/api/me/sign-in", {"recovery": codes[0]})
    await Browser(server.url).ask("POST", "/api/me/sign-in", {"recovery": codes[0]})
    server.people.shares.refused["sign-ups"] += 3
    numbers = (await get(server.url, "/metrics")).body.decode()

    for line in (
        "fleetfold_sign_ups_total 1.0",
        'fleetfold_sign_ins_total{way="passkey"} 2.0',
        'fleetfold_sign_ins_total{way="recovery"} 1.0',
        'fleetfold_shares_refused_total{what="sign-ups"} 3.0',
    ):
        assert line in numbers.splitlines()


async def test_an_operator_lists_what_is_reported_and_notes_what_he_has_dealt_with(
    server: Serving, operator: Operator, dsn: str, browser: Browser
) -> None:
    """Given a line of a guest's at a person's table, and one of a person's."""
    await browser.sign_up("anna")
    bert = Browser(server.url)
    await bert.sign_up("bert")
    created = await offer(server.url)
    match = created["match"]
    async with browser.talking() as one, bert.talking() as two, talking(server.url) as guest:
        for seat, talk in enumerate((one, two)):
            await enter(talk, created, seat)
            await sit(talk, created)
        await enter(guest, created)
        lines = []
        for talk, room, text in ((two, "table", "Something bad"), (guest, "onlookers", "Something worse")):
            await talk.say("say", match=match, room=room, text=text)
            lines.append((await talk.hear("said", text=text))["id"])
    for line in lines:
        status, _ = await browser.ask(
            "POST", "/api/me/reports", {"match": match, "line": line, "word": "He is rude"}
        )
        assert 200 == status

    _, shown = await operator.tell("reports", "--json")
    late, early = json.loads(shown)
    dealt, said = await operator.tell("reports", "--done", str(early["id"]))
    again = await operator.tell("reports", "--done", str(early["id"]))
    nothing, _ = await operator.tell("reports", "--done", "999")
    _, left = await operator.tell("reports")
    _, every = await operator.tell("reports", "--all")
    conn = await asyncpg.connect(dsn)
    noted = await conn.fetch("SELECT action, subject FROM log.audit WHERE action LIKE '%report%'")
    await conn.close()

    assert ("anna", "bert", 1, "Something bad", "He is rude", None) == tuple(
        early[name] for name in ("by", "about", "seat", "text", "word", "done")
    )
    assert (None, "", "Something worse") == (late["seat"], late["about"], late["text"])
    assert (0, f"{early['id']}: dealt with.\n") == (dealt, said)
    assert (0, f"{early['id']}: was dealt with before.\n") == again
    assert 1 == nothing
    assert "Something bad" not in left
    assert "anna about an onlooker" in left
    assert "open" in left
    assert "dealt with 20" in every
    assert "anna about bert (seat 1)" in every
    assert ("report dealt with", str(early["id"])) in [tuple(row) for row in noted]
