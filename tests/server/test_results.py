"""Results as they are read over HTTP, and matches that are offered as rated ones."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec import to_builtins

from domain.kernel.facts import Paused
from domain.kernel.seats import Clock
from domain.match.notices import BY_MATCH, CALLED_OFF
from domain.match.replacing import SeatReplaced
from projections.balance import ENOUGH
from projections.cursor import lag
from projections.every import PROJECTIONS
from projections.glicko2 import Rating, aged
from projections.ratings import PERIOD
from server.http.results import MATCHES, RANKS
from server.people.erasing import kept
from server.people.mailboxes import Mailboxes
from server.postgres.database import Connection, connection
from server.serving import Serving
from tests.projections.play import START, keep
from tests.projections.play import play as play_out
from tests.projections.rated import DAY, Duel, Thrown, enter, enter_person, store, uid
from tests.projections.test_punctuality import turns
from tests.server.noticed import RING
from tests.server.reading import get
from tests.server.talk import offer
from tests.server.test_rematches import ask, asking, ended
from tests.tiny import GAME

NOW = 100.0
"""A day of matches of which it does not matter when they are played."""


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


async def play(server: Serving, owner: Connection, *duels: Duel) -> None:
    """Put matches into lobby and log, and wait until the server has counted them."""
    for duel in duels:
        await enter(owner, duel)
        await store(server.log, duel)
    await counted(server)


async def counted(server: Serving) -> None:
    """Wait until the server's projections have all that is on the log."""
    server.runner.wake()
    async with asyncio.timeout(20), connection(server.database.http) as conn:
        while any([await lag(conn, projection.name) for projection in PROJECTIONS]):
            await asyncio.sleep(0.02)


async def read(server: Serving, path: str) -> dict[str, Any]:
    got = await get(server.url, path)
    assert 200 == got.status, got.body
    found: dict[str, Any] = got.json
    return found


async def today(owner: Connection) -> float:
    """The days from the beginning of a `Duel`'s time to now."""
    micros = await owner.fetchval("SELECT (extract(epoch FROM log.now()) * 1000000)::bigint")
    return float(micros - START) / DAY


async def test_the_ladder_has_settled_ratings_first_and_then_provisional_ones(
    server: Serving, owner: Connection
) -> None:
    now = await today(owner)
    often = [
        Duel(name=f"{n}", players=("ann", "bob"), winner=n % 3 % 2, day=now - 2 + n / 100) for n in range(30)
    ]
    await play(server, owner, *often, Duel(name="new", players=("eve", "bob"), day=now - 1))

    ladder = await read(server, "/api/ratings/tiny")

    assert [("ann", 1), ("bob", 2), ("eve", None)] == [
        (row["player"]["handle"], row["rank"]) for row in ladder["ranks"]
    ]
    assert [30, 31, 1] == [row["matches"] for row in ladder["ranks"]]
    assert ladder["ranks"][1]["deviation"] < 110 <= ladder["ranks"][2]["deviation"]
    assert (1, 1) == (ladder["page"], ladder["pages"])


async def test_a_rating_is_less_sure_on_the_ladder_of_today_than_after_its_last_match(
    server: Serving, owner: Connection
) -> None:
    day = float(int(await today(owner)) - 400)
    await play(
        server,
        owner,
        *(Duel(name=f"{n}", winner=n % 2, day=day + n / 100, players=("ann", "bob")) for n in range(30)),
    )
    row = await owner.fetchrow(
        "SELECT r.*, (log.now() AT TIME ZONE 'UTC')::date - (last_at AT TIME ZONE 'UTC')::date AS days"
        " FROM view.rating r WHERE subject = $1",
        str(uid("ann")),
    )
    assert row is not None
    then = Rating(row["rating"], row["deviation"], row["volatility"])

    ranks = (await read(server, "/api/ratings/tiny"))["ranks"]

    assert {round(aged(then, row["days"] / PERIOD).deviation)} == {
        row["deviation"] for row in ranks if row["player"]["handle"] == "ann"
    }
    assert then.deviation < 110
    assert {None} == {row["rank"] for row in ranks}


async def test_a_ladder_has_pages_and_bots_and_leaves_out_who_was_erased(
    server: Serving, owner: Connection
) -> None:
    await enter_person(owner, "ann")
    await enter_person(owner, "anns_bot", of="ann")
    others = [Duel(name=f"{n}", players=(f"player_{n}", "anns_bot"), winner=1, day=NOW) for n in range(RANKS)]
    await play(server, owner, *others, Duel(name="house", players=("house:calm", "gone"), day=NOW))
    await owner.execute(
        "UPDATE people.person SET handle = NULL, name = '', erased_at = log.now() WHERE handle = 'gone'"
    )

    first, second, third = [await read(server, f"/api/ratings/tiny?page={page}") for page in (1, 2, 3)]

    assert [2, 2, 2] == [page["pages"] for page in (first, second, third)]
    assert (RANKS, 2, 0) == (len(first["ranks"]), len(second["ranks"]), len(third["ranks"]))
    assert ("anns_bot", "bot", "ann") == kind_of(first["ranks"][0])
    assert {(None, "house", None): 1} == {
        kind_of(row): row["matches"] for row in first["ranks"] if row["player"]["kind"] == "house"
    }
    assert str(uid("gone")) not in str((first, second))
    ratings = [row["rating"] for page in (first, second) for row in page["ranks"]]
    assert sorted(ratings, reverse=True) == ratings


def kind_of(row: dict[str, Any]) -> tuple[str | None, str, str | None]:
    return row["player"]["handle"], row["player"]["kind"], row["owner"]


async def test_a_person_has_ratings_records_and_matches(server: Serving, owner: Connection) -> None:
    await play(
        server,
        owner,
        Duel(name="won", players=("ann", "bob"), day=NOW),
        Duel(name="lost", players=("ann", "house:calm"), winner=1, day=NOW + 1),
        Duel(name="drawn", players=("bob", "ann"), winner=None, day=NOW + 2),
        Duel(name="friendly", players=("ann", ""), day=NOW + 3, rated=False),
        Duel(name="both sides", players=("ann", "ann"), day=NOW + 4),
        Duel(name="of others", players=("eve", "bob"), day=NOW + 5),
        Duel(name="off", winner=None, reason=CALLED_OFF, rule=BY_MATCH, day=NOW + 6),
    )

    found = await read(server, "/api/people/Ann/results")

    assert ({"name": "Ann", "handle": "ann", "kind": "person"}, None) == (found["player"], found["owner"])
    assert ["friendly", "drawn", "lost", "won"] == [name_of(one) for one in found["matches"]]
    assert [1.0, 0.5, 0.0, 1.0] == [one["score"] for one in found["matches"]]
    assert [
        {"name": "", "handle": None, "kind": "guest"},
        {"name": "Bob", "handle": "bob", "kind": "person"},
        {"name": "house:calm", "handle": None, "kind": "house"},
        {"name": "Bob", "handle": "bob", "kind": "person"},
    ] == [one["opponents"][0] for one in found["matches"]]
    assert [(0, 2, 0, 1), (1, 0, 1, 0)] == [
        (one["side"], one["won"], one["drawn"], one["lost"]) for one in found["records"]
    ]
    rating = found["ratings"][0]
    assert ("tiny", 3, True) == (rating["title"], rating["matches"], rating["provisional"])
    curve = [point["rating"] for point in rating["curve"]]
    assert [one["after"] for one in reversed(found["matches"])] == [*curve, None]
    assert (1500, curve[0]) == (found["matches"][3]["before"], found["matches"][2]["before"])
    assert not found["more"]


def name_of(one: dict[str, Any]) -> str:
    names = ("won", "lost", "drawn", "friendly", "both sides", "of others", "private")
    return next(name for name in names if str(uid(name)) == one["match"])


async def test_what_is_kept_of_a_person_has_his_ratings_and_rated_results(
    server: Serving, owner: Connection
) -> None:
    await play(
        server,
        owner,
        Duel(name="won", players=("ann", "bob"), day=NOW),
        Duel(name="friendly", players=("ann", "bob"), day=NOW + 1, rated=False),
        Duel(name="of others", players=("eve", "bob"), day=NOW + 2),
    )
    person = await owner.fetchval("SELECT id FROM people.person WHERE handle = 'ann'")
    found = json.loads(await kept(owner, person, Mailboxes(RING)))

    assert [("tiny", 1)] == [(one["title"], one["matches"]) for one in found["ratings"]]
    assert [("won", 0, 1.0)] == [(name_of(one), one["side"], one["score"]) for one in found["results"]]
    assert found["ratings"][0]["rating"] == found["results"][0]["rating"] > 1500


async def test_earlier_matches_of_a_person_are_asked_for_by_the_end_of_the_last(
    server: Serving, owner: Connection
) -> None:
    duels = [Duel(name=f"{n}", day=NOW + n / 100, rated=False) for n in range(MATCHES + 3)]
    await play(server, owner, *duels)

    first = await read(server, "/api/people/ann/results")
    rest = await read(server, f"/api/people/ann/results?before={first['matches'][-1]['ended']}")

    assert (True, False) == (first["more"], rest["more"])
    assert [str(duel.match) for duel in reversed(duels)] == [
        one["match"] for one in first["matches"] + rest["matches"]
    ]


async def test_private_matches_are_on_nobodys_list_and_count_for_the_rating(
    server: Serving, owner: Connection
) -> None:
    await play(server, owner, Duel(name="won", day=NOW), Duel(name="private", private=True, day=NOW + 1))

    found = await read(server, "/api/people/ann/results")

    assert ["won"] == [name_of(one) for one in found["matches"]]
    assert [1] == [one["won"] for one in found["records"]]
    assert [2] == [one["matches"] for one in found["ratings"]]


async def test_an_erased_opponent_is_someone_and_has_no_page(server: Serving, owner: Connection) -> None:
    await play(server, owner, Duel(name="won", day=NOW))
    before = await read(server, "/api/people/ann/results")
    await owner.execute(
        "UPDATE people.person SET handle = NULL, name = '', erased_at = log.now() WHERE handle = 'bob'"
    )

    after = await read(server, "/api/people/ann/results")

    assert [{"name": "someone", "handle": None, "kind": "person"}] == after["matches"][0]["opponents"]
    assert before["ratings"] == after["ratings"]
    got = await get(server.url, "/api/people/bob/results")
    assert (404, "no_person") == (got.status, got.json["code"])


async def test_a_hidden_name_is_not_told_by_the_handle_either(server: Serving, owner: Connection) -> None:
    await play(server, owner, Duel(name="won", day=NOW))
    await owner.execute("UPDATE lobby.seat SET hidden = true WHERE seat = 1")

    found = await read(server, "/api/people/ann/results")

    assert [{"name": "", "handle": None, "kind": "person"}] == found["matches"][0]["opponents"]


async def test_no_id_of_a_person_is_told(server: Serving, owner: Connection) -> None:
    await enter_person(owner, "ann")
    await enter_person(owner, "anns_bot", of="ann")
    await play(server, owner, Duel(name="won", players=("anns_bot", "bob"), day=NOW))

    answers = [
        (await get(server.url, path)).body.decode()
        for path in (
            "/api/ratings/tiny",
            "/api/people/anns_bot/results",
            "/api/people/bob/results",
            "/api/balance/tiny",
        )
    ]

    told = {found for answer in answers for found in re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", answer)}
    assert {str(uid("won"))} == told


async def test_the_balance_of_a_title_has_each_scenario_with_its_band(
    server: Serving, owner: Connection
) -> None:
    duels = [
        Duel(
            name=f"{n}",
            players=(f"north_{n}", f"south_{n}"),
            winner=int(n >= 30),
            scenario="skirmish",
            day=NOW,
        )
        for n in range(ENOUGH)
    ]
    await play(server, owner, *duels)

    found = await read(server, "/api/balance/tiny")

    by_scenario = {one["scenario"]: one for one in found["scenarios"]}
    assert ["North", "South"] == found["sides"]
    assert (ENOUGH, 30.0, True) == tuple(
        by_scenario["skirmish"][key] for key in ("matches", "points", "counts")
    )
    assert (0.4618, 0.7239) == tuple(round(by_scenario["skirmish"][key], 4) for key in ("low", "high"))
    other = by_scenario["campaign"]
    assert (0, 0.0, 0.0, 1.0, False) == tuple(
        other[key] for key in ("matches", "points", "low", "high", "counts")
    )


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/ratings/chess", 404, "no_title"),
        ("/api/balance/chess", 404, "no_title"),
        ("/api/ratings/tiny?page=0", 400, "bad_request"),
        ("/api/ratings/tiny?page=-1", 400, "bad_request"),
        ("/api/ratings/tiny?page=²", 400, "bad_request"),
        ("/api/ratings/tiny?page=99999", 400, "bad_request"),
        ("/api/people/nobody/results", 404, "no_person"),
        ("/api/people/%00/results", 404, "no_person"),
        ("/api/people/ann/results?before=yesterday", 400, "bad_request"),
    ],
)
async def test_what_there_is_not_is_refused_with_a_reason(
    server: Serving, path: str, status: int, code: str
) -> None:
    got = await get(server.url, path)

    assert (status, code) == (got.status, got.json["code"])


async def test_a_match_without_a_clock_is_not_offered_as_a_rated_one(server: Serving) -> None:
    refused = await offer(server.url, rated=True)

    assert ("refused", "bad_clock") == (refused["t"], refused["code"])
    assert "created" == (await offer(server.url, rated=True, clock={"bank": 600}))["t"]


@pytest.mark.parametrize("clock", [None, Clock(600), Clock(600, by_claim=True)])
async def test_a_match_with_any_clock_counts_for_punctuality_and_those_of_tests_are_entered_alike(
    server: Serving, owner: Connection, clock: Clock | None
) -> None:
    created = await offer(server.url, **({} if clock is None else {"clock": to_builtins(clock)}))
    await enter(owner, Duel(name="entered", clock=clock, rated=False))

    rows = await owner.fetch("SELECT match_id, clocked FROM lobby.match")

    known = {row["match_id"]: row["clocked"] for row in rows}
    assert {UUID(created["match"]): clock is not None, uid("entered"): clock is not None} == known


async def test_a_rematch_of_a_rated_match_is_rated(server: Serving, owner: Connection) -> None:
    """Given a match that is rated, whose players are guests by now: the rematch is for persons, too."""
    async with ended(server, clock={"bank": 600}) as (created, talks):
        await owner.execute("UPDATE lobby.match SET rated = true")
        refused = await ask(talks[0], asking(created))

    assert ("refused", "no_session") == (refused["t"], refused["code"])
    assert [True, True] == [row["rated"] for row in await owner.fetch("SELECT rated FROM lobby.match")]


async def test_turns_in_time_and_too_late_are_counted_in_matches_with_a_clock(
    server: Serving, owner: Connection
) -> None:
    played = play_out(GAME, "campaign", seed=3, lapses=0.3)
    await enter(owner, Duel(name="seats", day=NOW, rated=False))
    await owner.execute("SET session_replication_role = replica")  # keys may refer to nothing meanwhile
    for table in ("seat", "joining", "match"):
        await owner.execute(f"UPDATE lobby.{table} SET match_id = $1", played.match)
    await keep(server.log, played)
    await counted(server)

    found = await read(server, "/api/people/ann/results")

    assert turns(played)[0] == (found["in_time"], found["too_late"])
    assert found["too_late"]


async def test_turns_count_for_who_had_the_seat_then(server: Serving, owner: Connection) -> None:
    """Given Ann, whose turn it was when Eve took her seat over."""
    duel = Thrown(name="handed", between=(Paused((0,), 0, ()), SeatReplaced(0, "person")), day=NOW)
    await play(server, owner, duel)
    await owner.execute(
        "INSERT INTO lobby.predecessor (match_id, seat, until, name, hidden, person_id)"
        " SELECT match_id, seat, ended_at, name, false, s.person_id FROM lobby.match JOIN lobby.seat s"
        " USING (match_id) WHERE seat = 0"
    )
    eve = await enter_person(owner, "eve")
    await owner.execute("UPDATE lobby.seat SET person_id = $1 WHERE seat = 0", eve)

    ann, eve_s = [await read(server, f"/api/people/{handle}/results") for handle in ("ann", "eve")]

    assert [(0, 1), (0, 0)] == [(one["in_time"], one["too_late"]) for one in (ann, eve_s)]
