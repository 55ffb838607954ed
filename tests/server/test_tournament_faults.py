"""Tournaments where things cross, come twice, or stand still."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec import structs

from server.postgres.database import Connection
from server.serving import Serving
from server.tournaments.entering import IN_A_DAY, LEFT
from server.tournaments.rounds import ALONE, conditions
from tests.server.authenticator import Said
from tests.server.meets import (
    PERSONS,
    all_made,
    begun,
    directed,
    done,
    made,
    pairings,
    read,
    refused,
    rule,
    signed_up,
    until,
)
from tests.server.test_tournament_nodes import told, waiting
from tests.server.test_tournaments import begin, resigned, sat

_SLOW = """
CREATE FUNCTION people.slow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(0.7); RETURN NEW; END $$;
CREATE TRIGGER slow BEFORE UPDATE OF match_id ON people.pairing FOR EACH ROW EXECUTE FUNCTION people.slow()
"""
_SLEEPS = """
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')
"""


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


async def test_who_rules_while_a_match_is_made_waits_and_nobody_plays_it(
    server: Serving, owner: Connection
) -> None:
    await owner.execute(_SLOW)
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1)
    async with asyncio.timeout(10):
        while not await owner.fetchval(_SLEEPS):
            await asyncio.sleep(0.02)
    told = await rule(anna, tournament, "call off")
    (pair,) = pairings(await read(anna, tournament))

    assert "called off" == told["info"]["state"]
    assert pair["match"] is not None
    assert ["not_seated"] * 2 == [(await sat(one, pair["match"]))[0] for one in (anna, bert)]


async def test_an_invitation_to_a_place_is_used_up_when_somebody_takes_it(server_url: str) -> None:
    tournament, (anna, _) = await begun(server_url, 2, rounds=1)
    carl, emil, dora = [await signed_up(server_url, handle) for handle in ("carl", "emil", "dora")]
    for handle in ("carl", "dora"):
        await rule(anna, tournament, "replace", entrant=2, handle=handle)
    await done(carl, "POST", tournament, "entry")
    beaten = await refused(dora, "POST", tournament, "entry")
    await rule(anna, tournament, "replace", entrant=2, handle="emil")
    told = await done(emil, "POST", tournament, "entry")
    _, invited = await anna.ask("GET", f"/api/tournaments/{tournament}/invitations")

    assert ["anna", "emil"] == [one["player"]["handle"] for one in told["entrants"]]
    assert ["not_allowed"] * 2 == [beaten, await refused(carl, "POST", tournament, "entry")]
    assert [] == invited["invited"]


async def test_who_wins_and_withdraws_before_the_view_has_followed_has_won(
    server: Serving, owner: Connection
) -> None:
    tournament, (anna, bert) = await begun(server.url, 2, rounds=2)
    (pair,) = pairings(await until(anna, tournament, all_made))
    await begin([anna, bert], pair["match"])
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "playing")
    async with owner.transaction():
        await owner.execute("LOCK TABLE view.standings IN EXCLUSIVE MODE")
        await resigned(bert, pair["match"])
        await done(anna, "DELETE", tournament, "entry")
    told = await until(anna, tournament, lambda told: pairings(told, 1)[0]["how"] is not None)

    (over,) = pairings(told, 1)
    names = {one["number"]: one["player"]["handle"] for one in told["entrants"]}
    assert ("played", float(names[over["first"]] == "anna")) == (over["how"], over["points"])


async def test_what_no_database_numbers_is_refused_with_a_sentence(server_url: str) -> None:
    tournament, (anna, _) = await begun(server_url, 2, rounds=1)
    wishes = [
        {"what": "withdraw", "entrant": 100000},
        {"what": "replace", "entrant": -1, "handle": "bert"},
        {"what": "forfeit", "pairing": 2**70, "loser": 1},
    ]
    for wish in wishes:
        assert "bad_request" == await refused(
            anna, "POST", tournament, "rulings", {**wish, "reason": "As agreed"}
        )


async def test_a_director_who_is_muted_or_kept_away_neither_rules_nor_invites(
    server: Serving, owner: Connection
) -> None:
    tournament, (anna, _) = await begun(server.url, 2, rounds=2)
    carl, dora = [await signed_up(server.url, handle) for handle in ("carl", "dora")]
    await carl.ask("POST", "/api/me/blocks", {"handle": "anna"})
    wish = {"what": "replace", "entrant": 2, "reason": "As agreed"}
    away = [
        await refused(anna, "POST", tournament, "invitations", {"handle": "carl"}),
        await refused(anna, "POST", tournament, "rulings", {**wish, "handle": "carl"}),
    ]
    await owner.execute("UPDATE people.person SET muted_at = log.now() WHERE handle = 'anna'")
    muted = [
        await refused(anna, "POST", tournament, "invitations", {"handle": "dora"}),
        await refused(anna, "POST", tournament, "rulings", {**wish, "handle": "dora"}),
    ]

    assert ["not_allowed"] * 4 == [*away, *muted]
    for one in (carl, dora):
        assert [] == (await one.ask("GET", "/api/me/tournaments"))[1]["tournaments"]


async def test_a_notice_of_a_round_is_stale_once_its_match_is_ruled_or_void(
    server: Serving, owner: Connection
) -> None:
    persons = [await signed_up(server.url, handle) for handle in PERSONS[:2]]
    hook = {"kind": "webhook", "url": "https://hooks.example.org/bert"}
    await persons[1].ask("POST", "/api/me/channels", hook)
    zora = await signed_up(server.url, "zora")
    cups = [await made(zora, rounds=2) for _ in range(2)]
    for cup in cups:
        for one in persons:
            await done(one, "POST", cup, "entry")
        await done(zora, "POST", cup, "start")
        await until(zora, cup, all_made)
    before = await waiting(owner)
    await rule(zora, cups[0], "adjudicate", pairing=1, points=1.0)
    await rule(zora, cups[1], "call off")
    after = await waiting(owner)

    assert [True, True] == list(before.values())
    assert [False, False] == [after[match] for match in before]


async def test_an_erased_director_leaves_no_label_and_a_match_half_made_is_completed(
    server: Serving, owner: Connection
) -> None:
    tournament, persons = await begun(server.url, 2, rounds=1, name="Anna Smith cup")
    await until(persons[0], tournament, all_made)
    await rule(persons[0], tournament, "replay", pairing=1)
    await until(persons[0], tournament, all_made)
    (row,) = await owner.fetch("SELECT * FROM people.tournament")
    of = conditions(row).offer(row["id"])
    match = await server.lobby.paired(of, b"a" * 32)
    await persons[0].ask("DELETE", "/api/me", {"handle": "anna"})
    labels = await owner.fetch("SELECT label FROM lobby.match WHERE match_id <> $1", match)
    renamed = structs.replace(of, label="A tournament, round 1")

    assert {""} == {row["label"] for row in labels}
    assert match == await server.lobby.paired(renamed, b"a" * 32)


async def test_the_last_round_of_a_swiss_is_ruled_for_three_days_after_it(
    server: Serving, owner: Connection
) -> None:
    tournament, zora, (anna, _) = await directed(server.url, 2, rounds=1)
    await rule(zora, tournament, "adjudicate", pairing=1, points=1.0)
    before = await until(anna, tournament, lambda told: told["info"]["state"] == "over")
    after = await rule(zora, tournament, "adjudicate", pairing=1, points=0.0)
    anew = await refused(
        zora, "POST", tournament, "rulings", {"what": "replay", "pairing": 1, "reason": "Anew"}
    )
    days = (after["info"]["ruled_until"] - after["info"]["ended"]) / 86_400e6
    await owner.execute("UPDATE people.tournament SET ended_at = ended_at - interval '4 days'")
    await until(anna, tournament, lambda told: told["info"]["ruled_until"] is None)
    wish = {"what": "adjudicate", "pairing": 1, "points": 1.0, "reason": "As agreed"}

    assert {"anna", "bert"} == {told["info"]["winner"]["handle"] for told in (before, after)}
    assert 3 == days
    assert "not_allowed" == anew == await refused(zora, "POST", tournament, "rulings", wish)


async def test_what_may_be_done_again_and_again_has_limits(server: Serving, owner: Connection) -> None:
    anna, bert = [await signed_up(server.url, handle) for handle in PERSONS[:2]]
    cup = await made(anna)
    for _ in range(LEFT):
        await done(bert, "POST", cup, "entry")
        await done(bert, "DELETE", cup, "entry")
    left = await refused(bert, "POST", cup, "entry")
    for number in range(IN_A_DAY - 1):
        one = await made(anna, name=f"Cup {number}")
        await owner.execute("UPDATE people.tournament SET state = 'called off' WHERE id = $1", UUID(one))
    body = {"command": str(uuid4()), "name": "Cup", "title": "tiny", "scenario": "skirmish", "kind": "swiss"}
    _, more = await anna.ask("POST", "/api/tournaments", body)

    assert ("too_many", "too_fast") == (left, more["code"])


async def test_a_seat_of_a_tournament_s_match_is_not_offered_to_others(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    await begin([anna, bert], pair["match"])
    reasons = []
    async with anna.talking() as talk:
        await talk.say("hello", version=1, match=pair["match"], mine=True)
        await talk.hear("view")
        for choice in ("replace", "off"):
            answer = await talk.ask("claim", match=pair["match"], seat=1, choice=choice)
            reasons.append("tournament" in answer["reason"])
    _, told = await anna.ask("GET", f"/api/matches/{pair['match']}")

    assert [True, False] == reasons
    assert told["paired"]


async def test_a_rematch_of_a_tournament_s_match_does_not_go_by_the_tournament_s_name(
    server: Serving, owner: Connection
) -> None:
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    await begin([anna, bert], pair["match"])
    await resigned(bert, pair["match"])
    rematch, _ = await server.lobby.rematches.of(UUID(pair["match"]))

    assert "" == await owner.fetchval("SELECT label FROM lobby.match WHERE match_id = $1", rematch.match)
    assert rematch == (await server.lobby.rematches.of(UUID(pair["match"])))[0]


async def test_where_nobody_directs_what_stands_still_is_played_anew_once_and_then_forfeited(
    server: Serving, owner: Connection
) -> None:
    zora, anna, bert = [await signed_up(server.url, handle) for handle in ("zora", "anna", "bert")]
    tournament = await made(zora, rounds=1)
    for one in (anna, bert):
        await done(one, "POST", tournament, "entry")
    await done(zora, "POST", tournament, "start")
    first = pairings(await until(anna, tournament, all_made))[0]["match"]
    await begin([anna, bert], first)
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "playing")
    async with bert.talking() as talk:
        await talk.say("hello", version=1, match=first, mine=True)
        await talk.hear("view")
        await talk.ask("call_off", match=first)
    await owner.execute("UPDATE people.person SET banned_at = log.now() WHERE handle = 'zora'")
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "over")
    await owner.execute(_OLDER)
    second = await until(anna, tournament, lambda told: pairings(told)[0]["match"] not in (None, first))
    await owner.execute(_OLDER)
    over = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    (pair,) = pairings(over)
    assert (None, "waiting") == (pairings(second)[0]["how"], pairings(second)[0]["state"])
    assert ("forfeit", 0.0, 0.0, ALONE) == (
        pair["how"],
        pair["points"],
        pair["second_points"],
        pair["reason"],
    )
    assert [(None, "forfeited"), (None, "played anew")] == [
        (one["by"], one["what"]) for one in over["rulings"][:2]
    ]


_OLDER = "UPDATE lobby.match SET created_at = created_at - interval '8 days'"


async def test_a_match_that_cannot_be_made_is_put_off_and_stops_no_other(
    server: Serving, owner: Connection
) -> None:
    await owner.execute(_NOT_THE_FIRST)
    tournament, (anna, *_) = await begun(server.url, 4, rounds=1)
    await until(anna, tournament, lambda told: pairings(told)[1]["match"] is not None)
    failing = (UUID(tournament), 1)
    async with asyncio.timeout(10):
        while server.meets.rounds._failed.get(failing, (0, 0.0))[0] < 2:
            await asyncio.sleep(0.02)
    for _ in range(10):
        await server.meets.rounds.look()

    assert server.meets.rounds._failed[failing][0] < 5
    assert pairings(await read(anna, tournament))[0]["match"] is None
    await owner.execute("DROP TRIGGER broken ON people.pairing")
    await until(anna, tournament, all_made)
    assert failing not in server.meets.rounds._failed


_NOT_THE_FIRST = """
CREATE FUNCTION people.broken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'broken off'; END $$;
CREATE TRIGGER broken BEFORE UPDATE OF match_id ON people.pairing
  FOR EACH ROW WHEN (NEW.number = 1) EXECUTE FUNCTION people.broken()
"""


async def test_an_operator_calls_a_tournament_off_and_hides_what_is_written_there(
    server: Serving, dsn: str, folder: Path, owner: Connection
) -> None:
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1, about="Bad words")
    match = pairings(await until(anna, tournament, all_made))[0]["match"]
    await told(dsn, folder, "call-off", tournament, "--reason", "Nobody directs it")
    off = await read(anna, tournament)
    await told(dsn, folder, "hide", tournament)
    hidden = await read(anna, tournament)

    assert ("called off", None, "Nobody directs it") == (
        off["info"]["state"],
        off["rulings"][0]["by"],
        off["rulings"][0]["reason"],
    )
    assert "not_seated" == (await sat(bert, match))[0]
    assert ("A tournament", "", {""}) == (
        hidden["info"]["name"],
        hidden["info"]["about"],
        {one["reason"] for one in hidden["rulings"]},
    )
    assert "" == await owner.fetchval("SELECT label FROM lobby.match")
    noted = await owner.fetch("SELECT action FROM log.audit WHERE actor LIKE 'operator %'")
    assert ["call off tournament", "hide tournament"] == [row["action"] for row in noted]


async def test_who_has_begun_before_the_view_has_followed_had_the_place_in_that_round(
    server: Serving, owner: Connection
) -> None:
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    dora = await signed_up(server.url, "dora")
    await rule(anna, tournament, "replace", entrant=2, handle="dora")
    async with owner.transaction():
        await owner.execute("LOCK TABLE view.standings IN EXCLUSIVE MODE")
        await begin([anna, bert], pair["match"])
        told = await done(dora, "POST", tournament, "entry")

    assert [("bert", 1)] == before_of(told, 2)
    assert [pair["match"]] == [one["match"] for one in pairings(told)]


async def test_of_two_matches_of_a_round_who_keeps_one_had_the_place_in_that_round(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, kind="knock-out")
    first, second = pairings(await until(anna, tournament, all_made))
    dora = await signed_up(server_url, "dora")
    await rule(anna, tournament, "replace", entrant=2, handle="dora")
    await begin([anna, bert], first["match"])
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "playing")
    told = await done(dora, "POST", tournament, "entry")
    after = pairings(await until(anna, tournament, all_made))

    assert [("bert", 1)] == before_of(told, 2)
    assert [True, False] == [
        one["match"] == two["match"] for one, two in zip((first, second), after, strict=True)
    ]


def before_of(told: Said, number: int) -> list[tuple[str, int]]:
    """Return who had a place before, and up to and with which round."""
    one = next(one for one in told["entrants"] if one["number"] == number)
    return [(before["player"]["handle"], before["until"]) for before in one["before"]]
