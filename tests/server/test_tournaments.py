"""Tournaments over HTTP: who enters, what a director rules, and how the rounds go on."""

import asyncio
import hashlib
import secrets
from functools import partial
from uuid import uuid4

from server.tournaments.rounds import NOBODY_STARTS
from tests.server.authenticator import Browser, Said
from tests.server.meets import (
    adjudicate,
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
    table,
    until,
)
from tests.server.talk import new_token


async def test_a_swiss_goes_on_by_itself_from_entry_to_places(server_url: str) -> None:
    tournament, zora, persons = await directed(server_url, 4, rounds=2)

    first = await until(persons[0], tournament, all_made)
    await adjudicate(zora, tournament, lambda _: 1.0)
    second = await until(persons[0], tournament, lambda told: len(told["rounds"]) == 2)
    await adjudicate(zora, tournament, lambda _: 0.5)
    over = await until(persons[0], tournament, lambda told: told["info"]["state"] == "over")

    assert ("under way", 2, 1) == (first["info"]["state"], first["info"]["rounds"], first["info"]["round"])
    winners = [pair["first"] for pair in pairings(first, 1)]
    assert set(winners) in [{p["first"], p["second"]} for p in pairings(second, 2)]
    assert [(1, 1.5), (1, 1.5), (3, 0.5), (3, 0.5)] == [(place, points) for place, _, points in table(over)]
    assert {"adjudicated"} == {pair["how"] for number in (1, 2) for pair in pairings(over, number)}
    assert all(one["over"] for one in over["rounds"])


def rounds(number: int, told: Said) -> bool:
    return len(told["rounds"]) == number


async def sat(browser: Browser, match: str) -> tuple[str, bytes]:
    """Take the seat that is open to somebody by his session; return the kind of the answer, and the nonce."""
    nonce = secrets.token_bytes(16)
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        await talk.hear("view", "refused")
        promise = hashlib.sha256(nonce).hexdigest()
        answer = await talk.ask("sit", match=match, token=new_token(), promise=promise)
    return str(answer.get("code", answer["t"])), nonce


async def begin(persons: list[Browser], match: str) -> None:
    """Let two sit down and show their nonces."""
    nonces = [(await sat(one, match))[1] for one in persons]
    for one, nonce in zip(persons, nonces, strict=True):
        async with one.talking() as talk:
            await talk.say("hello", version=1, match=match, mine=True)
            await talk.hear("view")
            assert "receipt" == (await talk.ask("show", match=match, nonce=nonce.hex()))["t"]


async def resigned(browser: Browser, match: str) -> None:
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        await talk.hear("view")
        assert "receipt" == (await talk.ask("resign", match=match))["t"]


async def mine(browser: Browser) -> list[tuple[str, bool]]:
    """Return somebody's matches, once the list has followed the log: id, and whether it waits."""
    _, told = await browser.ask("GET", "/api/me/matches")
    return [(one["info"]["match"], one["waits"]) for one in told["matches"]]


async def test_a_match_waits_for_its_two_persons_and_for_nobody_else(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    carl = await signed_up(server_url, "carl")
    match = pairings(await until(anna, tournament, all_made))[0]["match"]
    async with asyncio.timeout(10):
        while [(match, True)] != await mine(bert):
            await asyncio.sleep(0.05)

    others = (await sat(carl, match))[0], (await sat(Browser(server_url), match))[0]
    _, listed = await carl.ask("GET", "/api/matches?state=open")
    _, one = await carl.ask("GET", f"/api/matches/{match}")
    async with carl.talking() as talk:
        await talk.say("hello", version=1, match=match)
        await talk.hear("view")
        joins = await talk.ask("join", match=match, seat=1, token=new_token(), promise=secrets.token_hex(32))
    await begin([anna, bert], match)

    assert ("not_seated", "not_seated", "private") == (*others, joins["code"])
    assert match not in [one["match"] for one in listed["matches"]]
    assert ([], True) == (one["joinable"], one["persons"])
    assert "Winter cup, round 1" == one["label"]


async def test_a_result_is_taken_from_the_log(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    told = await until(anna, tournament, all_made)
    (pair,) = pairings(told)
    await begin([anna, bert], pair["match"])
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "playing")
    await resigned(bert, pair["match"])
    over = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    (played,) = pairings(over)
    first = next(one["player"]["handle"] for one in over["entrants"] if one["number"] == pair["first"])
    assert ("played", "resignation") == (played["how"], played["reason"])
    assert float(first == "anna") == played["points"]
    assert [(1, "anna", 1.0), (2, "bert", 0.0)] == table(over)
    assert "anna" == over["info"]["winner"]["handle"]
    _, placed = await bert.ask("GET", "/api/people/bert/tournaments")
    assert [2] == [one["place"] for one in placed["tournaments"]]


async def test_a_round_robin_with_both_sides_is_directed_to_its_end(server_url: str) -> None:
    tournament, zora, (anna, *_) = await directed(server_url, 3, kind="round robin")
    for number in range(1, 7):
        await until(anna, tournament, partial(rounds, number))
        told = await adjudicate(zora, tournament, lambda pair: float(pair["first"] < pair["second"]))
    over = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    assert told["info"]["kind"] == "round robin"
    pairs = [(p["first"], p["second"]) for one in over["rounds"] for p in one["pairings"]]
    assert sorted(pairs) == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]
    assert [(1, "anna", 4.0), (2, "bert", 2.0), (3, "carl", 0.0)] == table(over)


async def test_a_knock_out_with_both_sides_is_directed_to_its_end(server_url: str) -> None:
    tournament, zora, (anna, *_) = await directed(server_url, 3, kind="knock-out")
    first = await read(anna, tournament)
    await adjudicate(zora, tournament, lambda _: 0.5)
    level = await until(anna, tournament, lambda told: len(pairings(told)) == 5)
    await adjudicate(zora, tournament, lambda pair: float(pair["first"] < pair["second"]))
    final = await until(anna, tournament, lambda told: len(told["rounds"]) == 2)
    late = await refused(zora, "POST", tournament, "rulings", {**ADJUDICATE, "pairing": 2})
    await adjudicate(zora, tournament, lambda pair: float(pair["first"] > pair["second"]))
    over = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    assert [(1, None), (2, 3), (3, 2)] == [(p["first"], p["second"]) for p in pairings(first)]
    assert 1 == level["info"]["round"]
    assert [(1, 2), (2, 1)] == [(p["first"], p["second"]) for p in pairings(final)]
    assert "not_allowed" == late
    assert [(1, "bert"), (2, "anna"), (3, "carl")] == [row[:2] for row in table(over)]


ADJUDICATE = {"what": "adjudicate", "points": 1.0, "reason": "As agreed"}


async def test_a_director_says_when_rounds_begin_if_he_wants_to(server_url: str) -> None:
    tournament, zora, (anna, bert, *_) = await directed(server_url, 4, rounds=2, by_itself=False)
    early = await refused(zora, "POST", tournament, "pair")
    await adjudicate(zora, tournament, lambda _: 1.0)
    await until(anna, tournament, lambda told: told["rounds"][0]["over"] is not None)
    other = await refused(bert, "POST", tournament, "pair")
    told = await done(zora, "POST", tournament, "pair")

    assert ("too_early", "not_allowed", 2) == (early, other, told["info"]["round"])


async def test_who_withdraws_gives_his_opponent_the_point_and_is_paired_no_more(server_url: str) -> None:
    tournament, zora, (anna, bert, carl, _) = await directed(server_url, 4, rounds=2)
    told = await until(anna, tournament, all_made)
    pair = next(p for p in pairings(told) if 2 in (p["first"], p["second"]))
    told = await done(bert, "DELETE", tournament, "entry")
    pair = next(p for p in pairings(told) if p["number"] == pair["number"])
    gone = (await sat(bert, pair["match"]))[0]
    await adjudicate(zora, tournament, lambda _: 1.0)
    told = await until(anna, tournament, lambda told: len(told["rounds"]) == 2)

    points = {pair["first"]: pair["points"], pair["second"]: pair["second_points"]}
    assert ("withdrawn", 0.0, 1.0) == (pair["how"], points[2], sum(points.values()))
    assert "not_seated" == gone
    assert all(2 not in (p["first"], p["second"]) for p in pairings(told))
    assert 1 == sum(p["how"] == "bye" for p in pairings(told))
    assert "not_allowed" == await refused(bert, "POST", tournament, "entry")
    assert carl.cookie


async def test_the_place_of_another_is_taken_by_who_is_offered_it(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    before = pairings(await until(anna, tournament, all_made))[0]["match"]
    dora = await signed_up(server_url, "dora")
    uninvited = await refused(dora, "POST", tournament, "entry")
    await rule(anna, tournament, "replace", entrant=2, handle="dora")
    _, offered = await dora.ask("GET", "/api/me/tournaments")
    await done(dora, "POST", tournament, "entry")
    told = await until(anna, tournament, lambda told: pairings(told)[0]["match"] not in (None, before))
    after = pairings(told)[0]["match"]
    await begin([anna, dora], after)

    assert ("not_allowed", [2]) == (uninvited, [one["place"] for one in offered["tournaments"]])
    assert ("not_seated", "not_seated") == ((await sat(bert, after))[0], (await sat(bert, before))[0])
    two = next(one for one in told["entrants"] if one["number"] == 2)
    before_her = [(one["player"]["handle"], one["until"]) for one in two["before"]]
    assert ("dora", [("bert", 0)]) == (two["player"]["handle"], before_her)


async def test_who_is_invited_enters_a_swiss_late_and_is_paired_from_then_on(server_url: str) -> None:
    tournament, zora, (anna, *_) = await directed(server_url, 2, rounds=2, most=3)
    emil = await signed_up(server_url, "emil")
    await done(zora, "POST", tournament, "invitations", {"handle": "emil"})
    told = await done(emil, "POST", tournament, "entry")
    await adjudicate(zora, tournament, lambda _: 1.0)
    after = await until(anna, tournament, lambda told: len(told["rounds"]) == 2)

    assert [0, 0, 2] == [one["late"] for one in told["entrants"]]
    assert 3 in {n for p in pairings(after) for n in (p["first"], p["second"])}


async def test_where_both_forfeit_neither_has_a_point_and_a_ruling_says_why(server_url: str) -> None:
    tournament, zora, (_, bert) = await directed(server_url, 2, rounds=1)
    other = await refused(bert, "POST", tournament, "rulings", {**ADJUDICATE, "pairing": 1})
    silent = await refused(
        zora, "POST", tournament, "rulings", {"what": "forfeit", "pairing": 1, "loser": 0, "reason": " "}
    )
    told = await rule(zora, tournament, "forfeit", pairing=1, loser=0)

    (pair,) = pairings(told)
    assert ("not_allowed", "bad_text") == (other, silent)
    assert ("forfeit", 0.0, 0.0, "As agreed") == tuple(
        pair[name] for name in ("how", "points", "second_points", "reason")
    )
    assert ("forfeited", "zora", 1) == tuple(told["rulings"][0][name] for name in ("what", "by", "pairing"))


async def test_a_match_that_was_called_off_waits_for_the_director_who_has_it_played_anew(
    server_url: str,
) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    before = pairings(await until(anna, tournament, all_made))[0]["match"]
    await begin([anna, bert], before)
    await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "playing")
    begun_ = await refused(anna, "POST", tournament, "rulings", REPLAY)
    async with bert.talking() as talk:
        await talk.say("hello", version=1, match=before, mine=True)
        await talk.hear("view")
        await talk.ask("call_off", match=before)
    off = await until(anna, tournament, lambda told: pairings(told)[0]["state"] == "over")
    await rule(anna, tournament, "replay", pairing=1)
    told = await until(anna, tournament, lambda told: pairings(told)[0]["match"] not in (None, before))

    assert "not_allowed" == begun_
    assert (None, "called off") == (pairings(off)[0]["how"], pairings(off)[0]["reason"])
    assert "waiting" == pairings(told)[0]["state"]


REPLAY = {"what": "replay", "pairing": 1, "reason": "The line broke"}


async def test_a_tournament_that_is_called_off_is_over_without_a_winner(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=1)
    match = pairings(await until(anna, tournament, all_made))[0]["match"]
    told = await rule(anna, tournament, "call off")

    assert ("called off", None) == (told["info"]["state"], told["info"]["winner"])
    assert "not_seated" == (await sat(bert, match))[0]
    assert "not_allowed" == await refused(anna, "POST", tournament, "rulings", {**ADJUDICATE, "pairing": 1})


async def test_who_may_not_enter_is_told_why(server_url: str) -> None:
    anna, bert = [await signed_up(server_url, handle) for handle in ("anna", "bert")]
    await bert.ask("POST", "/api/me/bots", {"handle": "bert_bot", "name": "Bot"})
    rated = await made(anna, rated=True, clock={"bank": 3600}, bots=True)
    private = await made(anna, open=False)
    full = await made(anna, most=2)
    for one in (anna, await signed_up(server_url, "gina")):
        await done(one, "POST", full, "entry")
    await done(bert, "POST", rated, "entry", {"bot": "bert_bot"})
    wishes = [(rated, ""), (private, ""), (full, ""), (full, "bert_bot"), (full, "nobody_here")]

    codes = [await refused(bert, "POST", one, "entry", {"bot": bot}) for one, bot in wishes]
    guest = await refused(Browser(server_url), "POST", full, "entry")
    await done(anna, "POST", private, "invitations", {"handle": "bert"})
    told = await done(bert, "POST", private, "entry")
    left = await done(bert, "DELETE", private, "entry")

    assert ["not_allowed", "not_allowed", "too_many", "not_allowed", "no_person"] == codes
    assert "no_session" == guest
    assert (1, 0) == (len(told["entrants"]), len(left["entrants"]))
    assert "not_allowed" == await refused(anna, "POST", private, "start")
    assert "not_allowed" == await refused(bert, "GET", private, "invitations")


async def test_what_cannot_be_played_is_refused(server_url: str) -> None:
    anna = await signed_up(server_url, "anna")
    wishes: list[Said] = [
        {"title": "chess"},
        {"scenario": "nowhere"},
        {"rated": True},
        {"name": "x"},
        {"rounds": 99},
        {"most": 1},
        {"kind": "round robin", "most": 100},
    ]
    body = {"name": "Winter cup", "title": "tiny", "scenario": "skirmish", "kind": "swiss"}
    told = [
        (await anna.ask("POST", "/api/tournaments", {**body, "command": str(uuid4()), **wish}))[1].get("code")
        for wish in wishes
    ]
    same = str(uuid4())
    twice = [await made(anna, command=same) for _ in range(2)]

    assert ["no_title", "bad_set_up", "bad_clock", "bad_text", *["bad_set_up"] * 3] == told
    assert 1 == len(set(twice))


async def test_who_is_erased_is_someone_and_plays_no_more(server_url: str) -> None:
    tournament, (anna, bert) = await begun(server_url, 2, rounds=3)
    await until(anna, tournament, all_made)
    await bert.ask("DELETE", "/api/me", {"handle": "bert"})
    told = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    assert [{"name": "someone", "handle": None, "kind": "person"}] == [
        one["player"] for one in told["entrants"] if one["withdrawn"] is not None
    ]
    assert ["withdrawn"] == [pair["how"] for pair in pairings(told)]
    assert "bert" not in str(told).lower()


async def test_an_open_tournament_ends_with_its_director_and_a_started_one_goes_on(server_url: str) -> None:
    started, zora, (_, bert, *_) = await directed(server_url, 3, rounds=2, by_itself=False)
    waiting = await made(zora, name="Spring cup")
    await adjudicate(zora, started, lambda _: 1.0)
    await zora.ask("DELETE", "/api/me", {"handle": "zora"})
    called_off = await until(bert, waiting, lambda told: told["info"]["state"] == "called off")
    told = await until(bert, started, lambda told: len(told["rounds"]) == 2)

    assert NOBODY_STARTS == called_off["rulings"][0]["reason"]
    assert ("A tournament", None) == (called_off["info"]["name"], called_off["info"]["director"]["handle"])
    assert {""} == {one["reason"] for one in told["rulings"]}
