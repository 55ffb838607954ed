"""What is given to a person as all that is kept of him: of his bots, and of every table that names him."""

import json
import re
from pathlib import Path

import pytest

from server.people.erasing import _EXPORT
from server.postgres.database import connection
from server.serving import Serving
from tests.server.authenticator import Browser
from tests.server.meets import done, made
from tests.server.talk import enter, sit, talking
from tests.server.test_people_operator import Operator

NAMING = """
SELECT DISTINCT regexp_replace(n.nspname || '.' || c.relname, '_[0-9]+$', ''), a.attname
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname IN ('lobby', 'people', 'view')
 WHERE a.attnum > 0 AND NOT a.attisdropped
   AND (a.attname IN ('person_id', 'persons', 'subject') AND a.atttypid <> 'boolean'::regtype
        OR EXISTS (SELECT FROM pg_constraint f
                    WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum]
                      AND f.confrelid = 'people.person'::regclass))
"""
"""Columns by which a row is somebody's, each of its table without the number of a generation."""

ELSEWHERE = {
    ("people.mail", "person_id"): "opened, as `mail`",
    ("people.code", "person_id"): "a hash",
    ("people.ceremony", "person_id"): "ten minutes",
    ("people.leaving", "person_id"): "ten minutes",
    ("people.leaving", "subject"): "ten minutes",
    ("people.mailed", "person_id"): "a hash, for a day",
    ("people.here", "persons"): "while he is there",
    ("people.report", "about"): "another's word",
    ("lobby.token", "person_id"): "a hash",
    ("lobby.joining", "person_id"): "as his seats",
}
"""What is not given, or otherwise, and why."""


@pytest.fixture
async def browser(server_url: str) -> Browser:
    found = Browser(server_url)
    await found.sign_up("anna", name="Anna")
    return found


async def test_every_column_by_which_a_row_is_somebodys_is_given_to_him(server: Serving) -> None:
    async with connection(server.database.http) as conn:
        naming = {tuple(row) for row in await conn.fetch(NAMING)}
    given = {
        (table, column)
        for table, column in naming
        for query in _EXPORT.values()
        if table in query and re.search(rf"\b{column}\b", query)
    }

    assert set(ELSEWHERE) == naming - given


async def test_what_a_bot_has_done_is_given_to_its_owner(server: Serving, browser: Browser) -> None:
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    _, told = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", {"name": "", "scopes": ["play"]})
    cup = await made(browser, bots=True)
    await done(browser, "POST", cup, "entry", {"bot": "anna_bot"})
    as_bot = {"Authorization": f"Bearer {told['token']}"}
    async with talking(server.url, additional_headers=as_bot) as talk:
        created = await talk.ask(
            "create", "created", version=1, title="tiny", scenario="skirmish", label="Come"
        )
        await enter(talk, created, 0)
        await sit(talk, created)
        await talk.say("say", match=created["match"], room="table", text="Beep")
        await talk.hear("said")
    async with browser.talking() as talk:
        own = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
    _, kept = await browser.ask("GET", "/api/me/export")

    assert [("Come", "anna_bot"), ("", None)] == [(one["label"], one["bot"]) for one in kept["offers"]]
    assert [(created["match"], 0, "anna_bot")] == [
        (one["match"], one["seat"], one["bot"]) for one in kept["seats"]
    ]
    assert [("Beep", "anna_bot")] == [(one["text"], one["bot"]) for one in kept["chat"]]
    assert {("anna_bot", 1), (None, None)} == {(one["bot"], one["number"]) for one in kept["tournaments"]}
    assert own["match"] == kept["offers"][1]["match"]


async def test_that_the_operator_has_muted_or_banned_somebody_is_in_what_he_hands_out(
    dsn: str, folder: Path, browser: Browser
) -> None:
    operator = Operator(dsn, folder)
    _, before = await browser.ask("GET", "/api/me/export")
    for what in ("mute", "ban"):
        await operator.tell(what, "anna")
    _, said = await operator.tell("export", "anna")
    marks = [
        tuple(kept["person"][0][name] is not None for name in ("muted_at", "banned_at"))
        for kept in (before, json.loads(said))
    ]

    assert [(False, False), (True, True)] == marks
