"""What the seats do about the match itself, over the socket: undo, offers, resigning, time."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import json

from clients.bots import strengths
from clients.client import Client
from clients.links import Place
from clients.player import play
from domain.match.refusals import RequestError
from server.limits import COMMANDS
from server.lobby import charges
from server.log.store import Unavailable
from server.play import clockwork
from server.play.matches import StoredCommand
from server.play.memory import Conflict
from server.play.snapshot import Snapshot
from server.proof.keys import dice_commitment
from server.protocol import wire
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, offer, prompt, seated, talking, token


async def decide(talk: Talk, created: Said, seat: int, which: int = 0) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[which])


async def test_a_slip_is_taken_back_and_asked_again(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        _, before = await prompt(north, 0)
        await decide(north, created, 0)

        receipt = await north.ask("undo", match=created["match"])
        _, after = await prompt(north, 0)

        assert "receipt" == receipt["t"]
        assert before == after


async def test_nothing_is_taken_back_once_the_other_has_learned_of_it(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        await decide(north, created, 0)
        await decide(south, created, 1)

        answer = await north.ask("undo", match=created["match"])

        assert "no_undo" == answer["code"]


async def test_a_draw_offered_and_agreed_ends_the_match(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        await north.ask("offer", match=created["match"], what="draw")
        await south.hear("frame")
        receipt = await south.ask("answer", match=created["match"], what="draw", agreed=True)
        frame = await north.hear("frame", upto=receipt["seq"])

        assert ["DrawAnswered", "GameEnded", "Ended"] == [fact["type"] for fact in frame["facts"]]
        assert "winner" not in frame["patch"]["match"]
        assert "over" == (await north.ask("resign", match=created["match"]))["code"]


async def test_a_draw_declined_is_off_the_table(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        await north.ask("offer", match=created["match"], what="draw")
        await south.ask("answer", match=created["match"], what="draw", agreed=False)

        assert (
            "no_offer"
            == (await south.ask("answer", match=created["match"], what="draw", agreed=True))["code"]
        )


async def test_resigning_gives_the_match_to_the_other_side(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        receipt = await north.ask("resign", match=created["match"])
        frame = await south.hear("frame", upto=receipt["seq"])

        assert 1 == frame["patch"]["match"]["winner"]
        assert (await server.log.read_everything(UUID(created["match"])))[-1].final


async def test_the_key_that_ends_a_match_opens_its_commitment(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        await north.ask("resign", match=created["match"])
        live = await server.matches.get(UUID(created["match"]))
        match = live.standing

        assert match.commitment == dice_commitment(bytes.fromhex(match.key))


async def test_when_the_time_of_a_seat_runs_out_the_default_is_decided(server: Serving) -> None:
    async with seated(server.url, clock={"bank": 1, "increment": 0}) as (created, north, south):
        await decide(north, created, 0)
        frame = await south.hear("frame")
        while "TimeOutClaimed" not in [fact["type"] for fact in frame["facts"]]:
            frame = await south.hear("frame")

        entries = await server.log.read_everything(UUID(created["match"]))
        bodies = [entry.body for entry in entries if entry.type == "Decided"]
        assert any(b'"how":"default"' in body and b'"seat":1' in body for body in bodies)


async def test_while_a_match_is_paused_nothing_is_decided_and_no_time_runs_out(server: Serving) -> None:
    async with seated(server.url, clock={"bank": 1}) as (created, north, south):
        match = created["match"]
        upto, options = await prompt(north, 0)
        await north.ask("offer", match=match, what="pause")
        agreed = await south.ask("answer", match=match, what="pause", agreed=True)
        frame = await north.hear("frame", upto=agreed["seq"])
        await asyncio.sleep(1.2)

        refused = await north.ask("decide", match=match, answers=upto, decision=options[0])
        ahead = await north.ask("foresee", match=match, answers=upto, decisions=options[:1])
        claimed = await south.ask("claim", match=match, seat=0)
        types = [entry.type for entry in await server.log.read_everything(UUID(match))]

        assert ["PauseAnswered", "ClocksStopped"] == [fact["type"] for fact in frame["facts"]]
        assert frame["patch"]["match"]["paused"]
        assert ["paused", "paused", "no_time_out"] == [answer["code"] for answer in (refused, ahead, claimed)]
        assert "ClocksStopped" == types[-1]

        gone_on = await south.ask("resume", match=match)
        frame = await north.hear("frame", upto=gone_on["seq"])
        assert frame["patch"]["match"]["paused"] is None
        assert "not_paused" == (await north.ask("resume", match=match))["code"]
        decided = await north.ask("decide", match=match, answers=upto, decision=options[0])
        assert "receipt" == decided["t"]


async def test_a_bot_agrees_to_a_pause_and_decides_again_when_its_opponent_goes_on(server: Serving) -> None:
    created = await offer(server.url, clock={"bank": 600})
    match, nonces = UUID(created["match"]), server.settings.data / "nonces"
    places = [Place(server.url, match, token(created, "seat", seat)) for seat in (0, 1)]
    playing = play(places[1], strengths("tiny")["random"], seed=1, nonces=nonces)
    bot = asyncio.create_task(playing)
    async with Client(places[0], nonces=nonces) as person:
        await person.sit("")
        await person.wait(lambda: bool(person.match.get("started")))
        await person.send(wire.Offer(match, uuid4(), "pause"))
        await asyncio.wait_for(person.wait(lambda: bool(person.match.get("paused"))), 10)
        before = person.upto
        await asyncio.sleep(0.2)
        still = person.upto
        await person.send(wire.Resume(match, uuid4()))
        await person.send(wire.Resign(match, uuid4()))
        outcome = await asyncio.wait_for(bot, 10)

    assert before == still
    assert 1 == outcome.winner


async def test_a_captain_who_has_resigned_holds_nobody_up(server: Serving) -> None:
    created = await offer(server.url, scenario="campaign", options={"pairs": True, "turns": 1})
    choose = strengths("tiny")["random"]
    nonces = server.settings.data / "nonces"
    match = UUID(created["match"])
    places = [Place(server.url, match, token(created, "seat", seat)) for seat in range(4)]
    async with Client(places[2], nonces=nonces) as captain:
        others = [
            asyncio.create_task(play(places[seat], choose, seed=seat, nonces=nonces)) for seat in (0, 1, 3)
        ]
        await captain.sit("", bot=True)
        await captain.send(wire.Resign(match, uuid4()))

        outcomes = await asyncio.wait_for(asyncio.gather(*others), 20)

    assert 1 == len({outcome.h for outcome in outcomes})


async def test_a_time_out_is_claimed_once_the_log_answers_again(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clockwork, "RETRY_AFTER", 0.05)
    command, get = server.matches.command, server.matches.get
    overtaken = [Conflict(), RequestError("not_asked", "this seat is not asked"), Unavailable()]
    away = [Unavailable]

    async def commanded(match: UUID, *rest: Any) -> StoredCommand:
        if overtaken:
            raise overtaken.pop(0)
        return await command(match, *rest)

    async def got(match: UUID) -> Snapshot:
        if away:
            raise away.pop(0)
        return await get(match)

    async with seated(server.url, clock={"bank": 1, "increment": 0}) as (created, _, south):
        monkeypatch.setattr(server.matches, "command", commanded)
        monkeypatch.setattr(server.matches, "get", got)
        frame = await south.hear("frame")
        while "TimeOutClaimed" not in [fact["type"] for fact in frame["facts"]]:
            frame = await south.hear("frame")

    assert ([], []) == (overtaken, away)
    assert created["match"] == frame["match"]


async def test_after_a_restart_time_runs_on_though_the_database_answers_late(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as first, seated(first.url, clock={"bank": 1}) as (created, _, _):
        match = UUID(created["match"])
    needs, missed = charges.Charges._needs, [OSError(), TimeoutError()]

    async def late(*asked: Any, whole: bool) -> Sequence[charges.Need]:
        if missed:
            raise missed.pop()
        return await needs(*asked, whole=whole)

    monkeypatch.setattr(charges, "LOOK", 0.05)
    monkeypatch.setattr(charges.Charges, "_needs", late)
    async with running(dsn, folder) as second, asyncio.timeout(10):
        while "TimeOutClaimed" not in [entry.type for entry in await second.log.read_everything(match)]:
            await asyncio.sleep(0.05)


async def test_a_claim_before_the_time_is_refused(server: Serving) -> None:
    async with seated(server.url, clock={"bank": 60}) as (created, north, _):
        answer = await north.ask("claim", match=created["match"], seat=1)

        assert "no_time_out" == answer["code"]


async def test_the_view_shows_the_time_that_is_left(server: Serving) -> None:
    async with seated(server.url, clock={"bank": 60, "increment": 5}) as (created, north, _):
        await decide(north, created, 0)
        async with talking(server.url) as onlooker:
            view = (await enter(onlooker, created))["view"]

        assert 60_000_000 < view["clocks"]["left"]["0"] <= 65_000_000
        assert 59_000_000 < view["clocks"]["left"]["1"] <= 60_000_000


MIDWAY = {"title": "midway", "scenario": "duel"}


async def launches(talk: Talk) -> tuple[int, list[Said], list[int]]:
    """The question which planes are launched, with the places of the options that are quiet."""
    await prompt(talk, 0)
    last = next(one for one in reversed(talk.heard) if one["t"] in {"frame", "view"})
    (asked,) = last["prompts"]
    return last["upto"], asked["options"], asked["quiet"]


def of_groups(options: list[Said], *groups: int) -> list[Said]:
    """The first option of some groups, by their order on the list."""
    first = {option["group"]: option for option in reversed(options) if "group" in option}
    names = list(dict.fromkeys(option["group"] for option in options if "group" in option))
    return [first[names[group]] for group in groups]


async def test_several_decisions_are_one_command_and_are_taken_back_as_one(server: Serving) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, south):
        match = created["match"]
        upto, options, quiet = await launches(north)
        sent = of_groups(options, 0, 1, 2)

        receipt = await north.ask("decide", match=match, answers=upto, decisions=sent)
        frame = await south.hear("frame", after=upto)
        moved = [json.decode(fact["body"])["group"] for fact in frame["facts"]]

        assert len(options) - 1 == len(quiet)
        assert ("receipt", frame["upto"]) == (receipt["t"], receipt["seq"])
        assert [option["group"] for option in sent] == moved
        await north.ask("undo", match=match)
        back, again, _ = await launches(north)
        assert options == again
        assert receipt["seq"] + 1 == back


async def test_what_cannot_be_one_command_is_refused_whole(server: Serving) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, _):
        match = created["match"]
        upto, options, _ = await launches(north)
        one, other = of_groups(options, 0, 1)
        strange: dict[str, dict[str, Any]] = {
            "past the end": {"decisions": [one, options[-1], other]},
            "twice the same": {"decisions": [one, one]},
            "illegal first": {"decisions": [{**one, "group": "nobody"}, other]},
            "none": {},
            "both": {"decision": one, "decisions": [one]},
            "no decision": {"decisions": [one, {"type": "SING"}]},
        }
        answers = {}
        for name, fields in strange.items():
            answers[name] = await north.ask("decide", match=match, answers=upto, **fields)

        codes = {name: answer["code"] for name, answer in answers.items()}
        assert codes == {
            "past the end": "apart",
            "twice the same": "apart",
            "illegal first": "illegal",
            "none": "bad_decision",
            "both": "bad_decision",
            "no decision": "bad_decision",
        }
        assert answers["past the end"]["reason"] == answers["twice the same"]["reason"]
        assert not answers["past the end"].get("rule")
        assert upto == (await server.log.read_everything(UUID(match)))[-1].seq
        assert (
            "receipt" == (await north.ask("decide", match=match, answers=upto, decisions=[one, other]))["t"]
        )


async def test_the_same_command_is_known_by_all_its_decisions(server: Serving) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, _):
        upto, options, _ = await launches(north)
        one, other, third = of_groups(options, 0, 1, 2)
        about = {"match": created["match"], "answers": upto, "command": str(uuid4())}

        first = await north.ask("decide", **about, decisions=[one, other])
        again = await north.ask("decide", **about, decisions=[one, other])

        assert first == again
        for fields in ({"decisions": [one, third]}, {"decisions": [one]}, {"decision": one}):
            assert "command_reused" == (await north.ask("decide", **about, **fields))["code"]


def known_ahead(patch: Said) -> Said:
    """What of a patch is known before its command is stored: all but since when one waits then."""
    return {name: part for name, part in patch.items() if name != "waited_since"}


async def test_what_is_foreseen_is_told_to_the_seat_alone_and_changes_nothing(server: Serving) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, south):
        match = created["match"]
        upto, options, _ = await launches(north)
        sent = of_groups(options, 0, 1)
        heard = len(south.heard)

        ahead = await north.ask("foresee", "foreseen", "refused", match=match, answers=upto, decisions=sent)
        late = await north.ask("foresee", "refused", match=match, answers=upto - 1, decisions=sent)
        past = await north.ask("foresee", "refused", match=match, answers=upto, decisions=[options[-1]])
        none = await south.ask("foresee", "refused", match=match, answers=upto, decisions=sent)
        command = str(uuid4())
        await north.say("decide", match=match, answers=upto, decisions=sent, command=command)
        both = [await north.hear("receipt", "frame") for _ in range(2)]
        frame, receipt = sorted(both, key=lambda one: str(one["t"]))

        assert upto == ahead["upto"]
        assert frame["prompts"] == [ahead["prompt"]]
        assert known_ahead(frame["patch"]) == ahead["patch"]
        assert ["stale", "apart", "not_asked"] == [late["code"], past["code"], none["code"]]
        assert [upto + 1, receipt["seq"]] == [frame["after"] + 1, frame["upto"]]
        assert ["refused"] == [one["t"] for one in south.heard[heard:] if one["t"] != "presence"]


async def test_whoever_looks_ahead_at_every_pick_is_never_too_fast(server: Serving) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, _):
        upto, options, _ = await launches(north)
        sent = {"match": created["match"], "answers": upto, "decisions": of_groups(options, 0)}

        said = [await north.ask("foresee", "foreseen", "refused", **sent) for _ in range(2 * COMMANDS[0])]

    assert {"foreseen"} == {one["t"] for one in said}


async def test_what_is_suggested_can_be_taken_as_one_command_and_is_told_to_the_seat_alone(
    server: Serving,
) -> None:
    async with seated(server.url, **MIDWAY) as (created, north, south):
        match = created["match"]
        upto, _, _ = await launches(north)
        heard = len(south.heard)

        found = await north.ask("suggest", "suggested", "refused", match=match, answers=upto)
        late = await north.ask("suggest", "refused", match=match, answers=upto - 1)
        none = await south.ask("suggest", "refused", match=match, answers=upto)
        held = found["decisions"][:1]
        rest = await north.ask("suggest", "suggested", match=match, answers=upto, decisions=held)
        await north.say(
            "decide", match=match, answers=upto, decisions=found["decisions"], command=str(uuid4())
        )
        both = [await north.hear("receipt", "frame") for _ in range(2)]
        frame, _ = sorted(both, key=lambda one: str(one["t"]))

        assert len(found["decisions"]) > 1
        assert found["prompt"]["options"]
        assert frame["prompts"] == [found["prompt"]]
        assert known_ahead(frame["patch"]) == found["patch"]
        assert found["decisions"] == rest["decisions"]
        assert ["stale", "not_asked"] == [late["code"], none["code"]]
        assert ["refused"] == [one["t"] for one in south.heard[heard:] if one["t"] != "presence"]
