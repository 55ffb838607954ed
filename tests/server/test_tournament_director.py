"""What a director does and may not do, and what becomes of a tournament without one."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from server.postgres.database import Connection
from server.serving import Serving
from server.tournaments.reading import RULINGS
from server.tournaments.rounds import NOBODY_STARTS
from tests.server.meets import begun, done, made, pairings, read, refused, rule, signed_up, until
from tests.server.test_tournament_nodes import told


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


async def test_before_the_start_a_director_takes_somebody_off_the_list(server_url: str) -> None:
    anna, bert = [await signed_up(server_url, handle) for handle in ("anna", "bert")]
    open_, private = await made(anna), await made(anna, open=False)
    await done(anna, "POST", private, "invitations", {"handle": "bert"})
    for one in (open_, private):
        await done(bert, "POST", one, "entry")
    told = [await rule(anna, one, "withdraw", entrant=1) for one in (open_, private)]
    twice = await refused(anna, "POST", open_, "rulings", {"what": "withdraw", "entrant": 1, "reason": "As"})
    uninvited = await refused(bert, "POST", private, "entry")
    back = await done(bert, "POST", open_, "entry")
    await rule(anna, open_, "withdraw", entrant=1)
    await anna.ask("POST", "/api/me/blocks", {"handle": "bert"})
    kept_away = await refused(bert, "POST", open_, "entry")

    assert [[], []] == [one["entrants"] for one in told]
    assert [("taken out", "anna", None, "As agreed")] * 2 == [
        tuple(one["rulings"][0][name] for name in ("what", "by", "entrant", "reason")) for one in told
    ]
    assert ("bad_request", 1) == (twice, len(back["entrants"]))
    assert ("not_allowed", "not_allowed") == (uninvited, kept_away)


async def test_the_place_of_who_has_withdrawn_is_free_for_who_comes_late(server_url: str) -> None:
    tournament, (anna, bert, carl) = await begun(server_url, 3, rounds=2, most=3, by_itself=False)
    emil, fred = [await signed_up(server_url, handle) for handle in ("emil", "fred")]
    full = await refused(anna, "POST", tournament, "invitations", {"handle": "emil"})
    await done(bert, "DELETE", tournament, "entry")
    for handle in ("emil", "fred"):
        await done(anna, "POST", tournament, "invitations", {"handle": handle})
    told = await done(emil, "POST", tournament, "entry")
    late = await refused(fred, "POST", tournament, "entry")
    again = await refused(anna, "POST", tournament, "invitations", {"handle": "fred"})

    assert ["too_many"] * 3 == [full, late, again]
    assert [0, 0, 0, 2] == [one["late"] for one in told["entrants"]]
    assert carl.cookie


async def test_a_director_who_plays_rules_of_his_own_match_only_that_the_other_has_won(
    server_url: str,
) -> None:
    anna, bert = [await signed_up(server_url, handle) for handle in ("anna", "bert")]
    await anna.ask("POST", "/api/me/bots", {"handle": "anna_bot", "name": "Bot"})
    for bot in ("", "anna_bot"):
        tournament = await made(anna, rounds=1, bots=True, name=f"Cup {bot}")
        await done(anna, "POST", tournament, "entry", {"bot": bot})
        await done(bert, "POST", tournament, "entry")
        (pair,) = pairings(await done(anna, "POST", tournament, "start"))
        own, side = (1, "first") if pair["first"] == 1 else (2, "second")
        wishes = [
            {"what": "adjudicate", "points": float(own == 1)},
            {"what": "adjudicate", "points": 0.5},
            {"what": "forfeit", "loser": 3 - own},
            {"what": "forfeit", "loser": 0},
        ]
        for wish in wishes:
            asked = {**wish, "pairing": 1, "reason": "As agreed"}
            assert "not_allowed" == await refused(anna, "POST", tournament, "rulings", asked)
        await rule(anna, tournament, "replay", pairing=1)
        lost = await rule(anna, tournament, "forfeit", pairing=1, loser=own)
        await rule(anna, tournament, "adjudicate", pairing=1, points=float(own == 2))

        (pair,) = pairings(lost)
        points = {"first": pair["points"], "second": pair["second_points"]}
        assert (0.0, 1.0) == (points[side], sum(points.values()))


async def test_of_a_long_book_the_latest_rulings_are_shown_and_all_of_it_is_in_the_file(
    server: Serving, dsn: str, folder: Path, owner: Connection
) -> None:
    anna = await signed_up(server.url, "anna")
    cup = await made(anna)
    for what in ("forfeited", "entered"):
        await owner.execute(
            "INSERT INTO people.ruling (tournament, what) SELECT $1, $2 FROM generate_series(0, $3)",
            UUID(cup),
            what,
            RULINGS,
        )
    shown = (await read(anna, cup))["rulings"]
    _, whole = await anna.ask("GET", f"/api/tournaments/{cup}/export")
    exported = json.loads(await told(dsn, folder, "export", cup))

    assert [(RULINGS, {"forfeited"})] == [(len(shown), {one["what"] for one in shown})]
    for one in (whole, exported):
        assert 2 * (RULINGS + 1) + 1 == len(one["rulings"])


async def test_an_open_tournament_whose_director_is_banned_is_called_off(
    server: Serving, owner: Connection
) -> None:
    zora, anna = [await signed_up(server.url, handle) for handle in ("zora", "anna")]
    tournament = await made(zora)
    await done(anna, "POST", tournament, "entry")
    await owner.execute("UPDATE people.person SET banned_at = log.now() WHERE handle = 'zora'")
    told = await until(anna, tournament, lambda told: told["info"]["state"] == "called off")

    (ruling, *_) = told["rulings"]
    assert (None, "called off", NOBODY_STARTS) == (ruling["by"], ruling["what"], ruling["reason"])
