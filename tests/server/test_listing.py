"""The list of matches: what is open to join, whose maker is away, what a search finds, what is pushed."""

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID, uuid4

import asyncpg
import click
import pytest

from clients import reading
from clients.links import Place
from server.commands.hide import hide
from server.lobby import board
from server.postgres.database import connection
from server.serving import Serving
from server.settings import Settings
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, offer, seated, sit, talking, token
from tests.server.test_seats import join, look_on, wish


async def get(server: Serving, **query: Any) -> tuple[int, Said]:
    def read() -> tuple[int, Said]:
        try:
            with urllib.request.urlopen(
                f"{server.url}/api/matches?{urlencode(query, quote_via=quote)}"
            ) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    return await asyncio.to_thread(read)


async def listed(server: Serving, **query: Any) -> list[str]:
    """Return the ids of the matches on a list, when the projections have caught up."""
    await caught_up(server)
    status, answer = await get(server, **query)
    assert 200 == status, answer
    return [one["match"] for one in answer["matches"]]


async def caught_up(server: Serving) -> None:
    async with asyncio.timeout(10):
        while any((await server.runner.lag()).values()):
            await asyncio.sleep(0.02)


async def away(server: Serving, created: Said, time: timedelta) -> None:
    """Let it be so long ago that somebody was at a match."""
    async with connection(server.database.read) as conn:
        await conn.execute(
            "UPDATE lobby.match SET seen_at = clock_timestamp() - $2::interval WHERE match_id = $1",
            created["match"],
            time,
        )


async def test_a_match_is_open_while_a_seat_of_it_is_free_for_a_person(server: Serving) -> None:
    wishes: list[dict[str, Any]] = [{}, {"bots": {"1": "random"}}, {"bots": {"1": "random"}}]
    free, against_bot, full = [await offer(server.url, **other) for other in wishes]
    await offer(server.url, private=True)
    async with talking(server.url) as talk:
        await enter(talk, full, 0)
        await sit(talk, full)

        found = await listed(server, state="open")
        one = (await get(server, state="open"))[1]["matches"]

    assert [against_bot["match"], free["match"]] == sorted(found, reverse=True)
    assert {free["match"]: [0, 1], against_bot["match"]: [0]} == {m["match"]: m["joinable"] for m in one}


async def test_a_seat_that_is_taken_is_not_open_to_join_and_no_seat_is_once_the_match_begins(
    server: Serving,
) -> None:
    created = await offer(server.url)
    async with talking(server.url) as talk:
        await look_on(talk, created)
        await join(talk, wish(created, 1))
    await caught_up(server)
    begun = (await get(server, state="open"))[1]["matches"]
    async with seated(server.url) as (playing, _, _):
        await caught_up(server)
        played = (await get(server, state="playing"))[1]["matches"]

    assert [(created["match"], [0])] == [(one["match"], one["joinable"]) for one in begun]
    assert [(playing["match"], [])] == [(one["match"], one["joinable"]) for one in played]


@pytest.mark.parametrize(
    ("by_turns", "still", "too_long"),
    [
        (False, timedelta(minutes=9, seconds=50), timedelta(minutes=10, seconds=1)),
        (True, timedelta(days=13, hours=23), timedelta(days=14, seconds=1)),
    ],
)
async def test_an_offer_leaves_the_list_while_its_maker_is_away_and_is_back_with_him(
    server: Serving, by_turns: bool, still: timedelta, too_long: timedelta
) -> None:
    created = await offer(server.url, by_turns=by_turns)
    await away(server, created, still)
    before = await listed(server, state="open")
    await away(server, created, too_long)
    gone = await listed(server)

    async with talking(server.url) as onlooker:
        await look_on(onlooker, created)
        looked_on = await listed(server)
        async with talking(server.url) as maker:
            await maker.say("hello", version=1, match=created["match"], token=token(created, "creator"))
            await maker.hear("view")
            back = await listed(server)
        await away(server, created, too_long)
        answer = await join(onlooker, wish(created))

    assert [[created["match"]], [], [], [created["match"]]] == [before, gone, looked_on, back]
    assert "receipt" == answer["t"]


async def test_who_stays_is_seen_again_and_again_and_a_bot_of_the_server_is_not(server: Serving) -> None:
    mine = await offer(server.url)
    bots = await offer(server.url, bots={"1": "random"})
    async with talking(server.url) as talk:
        await enter(talk, mine, 0)
        for created in (mine, bots):
            await away(server, created, timedelta(hours=1))

        await server.gateway.record_seen()

        assert [mine["match"]] == await listed(server, state="open")


async def test_an_address_has_at_most_three_open_offers(dsn: str, folder: Path) -> None:
    async with running(dsn, folder, offers_per_address=3) as server:
        command = uuid4()
        first = await offer(server.url, command=command)
        uncounted = [
            await offer(server.url, **other)
            for other in (
                {"private": True},
                {"bots": {"1": "random"}},
                {"bots": {"0": "random", "1": "random"}},
            )
        ]
        more = [await offer(server.url) for _ in range(3)]
        again = await offer(server.url, command=command)
        async with talking(server.url) as talk:
            for seat in (0, 1):
                await look_on(talk, first)
                await join(talk, wish(first, seat))
        await caught_up(server)
        freed = [await offer(server.url) for _ in range(2)]
        await away(server, freed[0], timedelta(hours=1))
        left = await offer(server.url)

    assert ["created"] * 3 == [one["t"] for one in uncounted]
    assert ["created", "created", "refused"] == [one["t"] for one in more]
    assert "too_many" == more[-1]["code"]
    assert first == again
    assert ["created", "refused", "created"] == [one["t"] for one in (*freed, left)]


async def test_makers_who_come_back_bring_no_more_than_three_offers_of_an_address(
    dsn: str, folder: Path
) -> None:
    async with running(dsn, folder, offers_per_address=3) as server, talking(server.url) as maker:
        first = [await offer(server.url) for _ in range(3)]
        for created in first:
            await away(server, created, timedelta(hours=1))
        open_now = []
        for _ in range(3):
            first.append(await offer(server.url))
            for created in first[:3]:
                await maker.say("hello", version=1, match=created["match"], token=token(created, "creator"))
                await maker.hear("view")
            open_now.append(
                [first.index(one) for one in first if one["match"] in await listed(server, state="open")]
            )
            for created in first[:3]:
                await away(server, created, timedelta(hours=1))

    assert [[1, 2, 3], [2, 3, 4], [3, 4, 5]] == open_now


async def test_two_who_offer_at_once_from_one_address_have_no_more(dsn: str, folder: Path) -> None:
    async with running(dsn, folder, offers_per_address=3) as server:
        answers = await asyncio.gather(*(offer(server.url) for _ in range(8)))

    assert 3 == [one["t"] for one in answers].count("created")


async def test_what_an_operator_hides_is_shown_to_nobody_and_noted(
    server: Serving, dsn: str, folder: Path
) -> None:
    created = await offer(server.url, label="rude")
    async with talking(server.url) as talk:
        await look_on(talk, created)
        await join(talk, wish(created, 0, name="Ruder"))
    await caught_up(server)
    match = UUID(created["match"])

    async def shown() -> tuple[str, str]:
        one = (await get(server))[1]["matches"][0]
        return one["label"], one["seats"][0]["player"]

    before = await shown()
    await hide(Settings(database_url=dsn, data=folder), match, (0,), label=True, hidden=True)
    after = await shown()
    searched = [await listed(server, q=words) for words in ("rude", "ruder")]
    details = await asyncio.to_thread(reading.match, Place(server.url, match, token(created, "creator")))
    with pytest.raises(click.ClickException, match="seat 1"):
        await hide(Settings(database_url=dsn, data=folder), match, (1,), label=False, hidden=True)
    await hide(Settings(database_url=dsn, data=folder), match, (0,), label=True, hidden=False)
    owner = await asyncpg.connect(dsn)
    noted = await owner.fetch("SELECT action, subject, detail::text FROM log.audit ORDER BY id")
    await owner.close()

    assert [("rude", "Ruder"), ("", ""), ("rude", "Ruder")] == [before, after, await shown()]
    assert [[], []] == searched
    assert ("", "") == (details.label, details.seats[0].player)
    assert [("hide", str(match)), ("unhide", str(match))] == [(row[0], row[1]) for row in noted]
    assert {"label": True, "seats": [0]} == json.loads(noted[0][2])


# searching


async def test_the_list_is_filtered_by_title_pace_and_words(server: Serving) -> None:
    plain = await offer(server.url, label="Friday 100% evening")
    turns = await offer(server.url, by_turns=True)
    midway = await offer(server.url, title="midway", scenario="duel")
    async with talking(server.url) as talk:
        await look_on(talk, plain)
        await join(talk, wish(plain, 1, name="Anna_Lena"))

    async def found(**query: Any) -> set[str]:
        names = {plain["match"]: "plain", turns["match"]: "turns", midway["match"]: "midway"}
        return {names[match] for match in await listed(server, **query)}

    assert {"plain", "turns"} == await found(title="tiny")
    assert {"turns"} == await found(pace="turns")
    assert {"plain", "midway"} == await found(pace="live")
    assert {"plain"} == await found(q="friday")
    assert {"plain"} == await found(q="100%")
    assert set() == await found(q="100%e")
    assert {"plain"} == await found(q="anna-l")
    assert {"midway"} == await found(q="DUEL")
    assert {"midway"} == await found(q="midw", pace="live", state="open")
    assert set() == await found(q="midway", pace="turns")
    assert set() == await found(state="ended")
    assert {"plain", "turns", "midway"} == await found(q=" ")


async def test_one_pages_on_by_the_time_of_the_last(server: Serving) -> None:
    for _ in range(3):
        await offer(server.url)
    await caught_up(server)
    first = (await get(server))[1]["matches"]

    rest = await listed(server, before=first[0]["last"])

    assert [one["match"] for one in first[1:]] == rest


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"state": "lost"}, "no_state"),
        ({"title": "chess"}, "no_title"),
        ({"pace": "slow"}, "bad_request"),
        ({"before": "yesterday"}, "bad_request"),
        ({"before": "-1"}, "bad_request"),
        ({"before": "9" * 30}, "bad_request"),
        ({"before": "9" * 5_000}, "bad_request"),
        ({"q": "x" * 81}, "bad_text"),
        ({"q": "a\0b"}, "bad_text"),
    ],
)
async def test_what_cannot_be_searched_for_is_refused(
    server: Serving, query: dict[str, str], code: str
) -> None:
    status, answer = await get(server, **query)

    assert (code, True) == (answer["code"], 400 <= status < 500)


# pushed


@contextlib.asynccontextmanager
async def lobby(server: Serving) -> Any:
    async with talking(server.url) as talk:
        await talk.say("lobby")
        yield talk


async def until(talk: Talk, holds: Callable[[dict[str, Said]], bool]) -> dict[str, Said]:
    """Follow the lobby until it is so; return what it shows by then."""
    shown: dict[str, Said] = {}
    for message in talk.heard:
        _follow(shown, message)
    async with asyncio.timeout(10):
        while not holds(shown):
            _follow(shown, await talk.hear("listed"))
    return shown


def _follow(shown: dict[str, Said], message: Said) -> None:
    if message["t"] == "listed":
        if message.get("whole"):
            shown.clear()
        shown.update({one["match"]: one for one in message["matches"]})
        for match in message.get("gone", ()):
            del shown[match]


async def test_who_watches_the_lobby_is_told_of_offers_joins_and_starts(server: Serving) -> None:
    before = await offer(server.url)
    await caught_up(server)
    async with lobby(server) as talk:
        first = await talk.hear("listed")
        async with seated(server.url, label="new") as (created, _, _):
            shown = await until(talk, lambda shown: shown.get(created["match"], {}).get("state") == "playing")
            present = await until(
                talk, lambda shown: [True, True] == [s["present"] for s in shown[created["match"]]["seats"]]
            )

    assert (True, [before["match"]]) == (first["whole"], [one["match"] for one in first["matches"]])
    assert {before["match"], created["match"]} == shown.keys() == present.keys()
    assert "new" == shown[created["match"]]["label"]


async def test_what_another_node_stores_is_pushed_here(server: Serving, dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as other, lobby(server) as talk:
        await talk.hear("listed")
        created = await offer(other.url)

        await until(talk, lambda shown: created["match"] in shown)


async def test_an_offer_whose_maker_went_away_is_told_to_be_gone(server: Serving) -> None:
    created = await offer(server.url)
    async with lobby(server) as talk:
        await until(talk, lambda shown: created["match"] in shown)
        await away(server, created, timedelta(hours=1))

        await until(talk, lambda shown: created["match"] not in shown)


async def test_a_private_match_is_never_in_the_lobby(server: Serving) -> None:
    async with lobby(server) as talk:
        await talk.hear("listed")
        async with seated(server.url, private=True) as (created, _, _):
            later = await offer(server.url)
            shown = await until(talk, lambda shown: later["match"] in shown)

    assert created["match"] not in shown
    assert created["match"] not in json.dumps(talk.heard)


async def test_the_lobby_is_read_once_for_all_who_watch_and_not_at_all_without_them(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "EVERY", 0.05)
    async with lobby(server) as one, lobby(server) as two, lobby(server) as three:
        for talk in (one, two, three):
            await talk.hear("listed")
        reads = server.board.looks
        await three.say("lobby", watching=False)
        await three.say("ping")
        await three.hear("pong")
        watchers = server.board.watchers
        created = await offer(server.url)
        for talk in (one, two):
            await until(talk, lambda shown: created["match"] in shown)
        await three.say("ping")
        await three.hear("pong")
    while server.board.watchers:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    before = server.board.looks
    await asyncio.sleep(0.3)

    assert (1, 2) == (reads, watchers)
    assert 1 == len([message for message in three.heard if message["t"] == "listed"])
    assert before == server.board.looks


async def test_who_does_not_read_is_closed_and_the_others_are_told(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "EVERY", 0.05)
    monkeypatch.setattr(board, "PATIENCE", 0.3)
    async with lobby(server) as reader, lobby(server) as stalled:
        await reader.hear("listed")
        await stalled.hear("listed")
        slow = list(server.board._watchers.values())[1]
        monkeypatch.setattr(slow.subscriber, "unsent", lambda: 1 << 20)
        created = await offer(server.url)

        await until(reader, lambda shown: created["match"] in shown)
        await asyncio.wait_for(stalled.socket.wait_closed(), 5)

        assert 4008 == stalled.socket.close_code
        assert 1 == server.board.watchers


async def test_who_reads_again_is_sent_what_was_missed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "EVERY", 0.05)
    async with lobby(server) as talk, lobby(server) as other:
        await talk.hear("listed")
        await other.hear("listed")
        slow = next(iter(server.board._watchers.values()))
        with monkeypatch.context() as patch:
            patch.setattr(slow.subscriber, "unsent", lambda: 1 << 20)
            created = await offer(server.url)
            await until(other, lambda shown: created["match"] in shown)
        again = await talk.hear("listed")

    assert [created["match"]] == [one["match"] for one in again["matches"]]
    assert not again.get("whole")
