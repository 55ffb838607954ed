"""Corrections by consent, over the socket and over HTTP: proposed, agreed to, and played on from."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from msgspec import Raw, json

from clients.client import merged
from domain.kernel.audience import VIEWERS
from domain.match import fold
from domain.match.corrections import DiceCounted, seat_of
from domain.match.fold import Fold
from domain.titles import TITLES
from projections import positions
from projections.positions import differing
from projections.verify import verify_file
from server.fanout.broadcasts import Broadcast
from server.play import acts, correcting
from server.play.matches import Matches
from server.serving import Serving
from tests.conftest import running
from tests.projections.play import play
from tests.seen import plain
from tests.server.authenticator import Browser
from tests.server.meets import all_made, begun, directed, pairings, refused, rule, until
from tests.server.talk import Said, Talk, prompt, seated, talking, token
from tests.server.test_claims import Weeks
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.server.test_opening import Keeping, Nodes, shown
from tests.server.test_opening import keeping as keeping  # noqa: PLC0414 a fixture
from tests.server.test_replacing import on_offer
from tests.server.test_tournaments import begin
from tests.tiny import GAME


async def seen(url: str, created: Said, seat: int | None = None) -> Said:
    """What somebody sees who comes now."""
    async with talking(url) as talk:
        await talk.say(
            "hello",
            version=1,
            match=created["match"],
            token=token(created, "onlooker") if seat is None else token(created, "seat", seat),
        )
        view: Said = await talk.hear("view")
    return view


async def all_see(url: str, created: Said) -> list[Said]:
    """What each audience sees of the table, and who is asked what."""
    views = [await seen(url, created, seat) for seat in (0, 1, None)]
    return [
        {"table": one["view"]["table"], "asked": one["view"]["asked"], "prompts": one["prompts"]}
        for one in views
    ]


class Past:
    """A match of two in which dice have fallen behind a decision of South's."""

    def __init__(self, url: str, created: Said, talks: Sequence[Talk]) -> None:
        self.url, self.created, self.match, self.talks = url, created, created["match"], talks
        self.before: list[Said] = []
        self.back_to = 0

    async def decide(self, seat: int, which: int = 0) -> int:
        """Decide, and let the other hear of it; return the last fact."""
        upto, options = await prompt(self.talks[seat], seat)
        receipt = await self.talks[seat].ask(
            "decide", match=self.match, answers=upto, decision=options[which]
        )
        assert "receipt" == receipt["t"]
        await self.level(receipt["seq"])
        return int(receipt["seq"])

    async def level(self, seq: int) -> None:
        for talk in self.talks:
            if not any(m.get("upto", 0) >= seq for m in talk.heard if m["t"] in ("frame", "view")):
                await talk.hear("frame", "view", upto=seq)

    async def go_on(self) -> None:
        """Play until dice have fallen behind South's first decision."""
        self.back_to = await self.decide(0)
        self.before = await all_see(self.url, self.created)
        await self.decide(1)
        while not any(fact["type"] == "Rolled" for fact in self.told()):
            seat = next(seat for seat in (0, 1) if asked(self.talks[seat], seat))
            _, options = await prompt(self.talks[seat], seat)
            await self.decide(seat, len(options) - 1)

    def told(self) -> list[Said]:
        return [fact for m in self.talks[0].heard if m["t"] == "frame" for fact in m["facts"]]

    async def ask(self, seat: int, t: str, **fields: Any) -> Said:
        answer = await self.talks[seat].ask(t, match=self.match, **fields)
        if answer["t"] == "receipt":
            await self.level(answer["seq"])
        return answer


def asked(talk: Talk, seat: int) -> bool:
    last = next(m for m in reversed(talk.heard) if m["t"] in {"frame", "view"})
    return any(one["seat"] == seat for one in last["prompts"])


@asynccontextmanager
async def past(url: str, **wish: Any) -> AsyncIterator[Past]:
    async with seated(url, **wish) as (created, north, south):
        found = Past(url, created, (north, south))
        async with asyncio.timeout(20):
            await found.go_on()
        yield found


async def test_two_go_back_past_dice_see_what_they_saw_then_and_play_on_and_the_record_holds(
    server: Serving, dsn: str, folder: Path
) -> None:
    async with past(server.url, scenario="campaign") as one:
        after = await all_see(server.url, one.created)

        proposed = await one.ask(0, "correct", back_to=one.back_to)
        view = (await seen(server.url, one.created))["view"]["match"]
        agreed = await one.ask(1, "answer", what="correction", agreed=True, back_to=one.back_to)

        assert ("receipt", "receipt") == (proposed["t"], agreed["t"])
        assert {"by": 0, "back_to": one.back_to, "of": 1, "agreed": [0]} == view["correction"]
        assert one.before == await all_see(server.url, one.created) != after
        assert "correction" not in (await seen(server.url, one.created))["view"]["match"]
        frame = next(m for m in one.talks[0].heard if m["t"] == "frame" and m["upto"] == agreed["seq"])
        told = [(fact["type"], fact["words"]) for fact in frame["facts"]]
        assert [
            ("CorrectionAnswered", "[seat:1] agreed to the correction"),
            ("Undone", BY_CONSENT),
        ] == told
        assert [agreed["seq"]] == [seq for seq, _ in frame["sealed"]]

        async with running(dsn, folder) as other:
            assert one.before == await all_see(other.url, one.created)
        await one.decide(1)
        await one.ask(1, "resign")
        async with httpx.AsyncClient(base_url=server.url) as web:
            whole = await web.get(f"/api/matches/{one.match}/record?token={token(one.created, 'onlooker')}")
        found = verify_file(whole.content, titles=TITLES | {"tiny": GAME})
        assert found.good, [check for check in found.checks if check.result == "fails"]
        assert {"holds"} == {c.result for c in found.checks if c.name in ("dice", "notices", "rules", "fold")}


async def test_one_that_is_declined_changes_nothing_and_whoever_proposed_may_withdraw(
    server: Serving,
) -> None:
    async with past(server.url, scenario="campaign") as one:
        now = await all_see(server.url, one.created)
        for seat in (1, 0):
            await one.ask(0, "correct", back_to=one.back_to)
            again = await one.ask(1, "correct", back_to=one.back_to)
            answer = await one.ask(seat, "answer", what="correction", agreed=False, back_to=one.back_to)

            assert ("offered", "receipt") == (again["code"], answer["t"])
            assert now == await all_see(server.url, one.created)
        agrees = {"what": "correction", "agreed": True, "back_to": one.back_to}
        assert "no_offer" == (await one.ask(1, "answer", **agrees))["code"]
        assert "no_undo" == (await one.ask(1, "correct", back_to=one.back_to + 1))["code"]
        assert "no_undo" == (await one.ask(1, "correct", back_to=2**70))["code"]


async def test_whoever_agrees_to_one_that_was_put_in_the_place_of_another_is_refused(server: Serving) -> None:
    async with past(server.url, scenario="campaign") as one:
        await one.ask(0, "correct", back_to=one.back_to)
        other = {"what": "correction", "agreed": True, "back_to": one.back_to + 1}

        assert "no_offer" == (await one.ask(1, "answer", **other))["code"]
        assert "correction" in (await seen(server.url, one.created))["view"]["match"]


async def test_the_same_command_sent_again_proposes_and_agrees_once(server: Serving) -> None:
    async with past(server.url, scenario="campaign") as one:
        for seat, t, fields in (
            (0, "correct", {"back_to": one.back_to}),
            (1, "answer", {"what": "correction", "agreed": True, "back_to": one.back_to}),
        ):
            command = uuid4()
            first = await one.ask(seat, t, command=command, **fields)
            second = await one.ask(seat, t, command=command, **fields)
            assert (first["t"], first["seq"], first["h"]) == (second["t"], second["seq"], second["h"])


async def test_what_was_decided_before_a_correction_does_not_count_behind_it(server: Serving) -> None:
    """Given a seat that is asked the same by the same list as before, and an answer to what it saw then."""
    async with seated(server.url, scenario="campaign") as (created, north, south):
        one = Past(server.url, created, (north, south))
        upto, options = await prompt(north, 0)
        await one.ask(0, "decide", answers=upto, decision=options[0])
        seen, same = await prompt(south, 1)
        await one.ask(0, "correct", back_to=upto)
        await one.ask(1, "answer", what="correction", agreed=True, back_to=upto)

        late = await one.ask(1, "decide", answers=seen, decision=same[0])
        now, again = await prompt(south, 1)

        assert ("stale", same) == (late["code"], again)
        assert "receipt" == (await one.ask(1, "decide", answers=now, decision=again[0]))["t"]


async def test_while_a_seat_is_offered_to_others_nothing_is_corrected(weeks: Weeks) -> None:
    """Its player would have no decision by which he has it back, if it goes on from one of the other seat."""
    async with on_offer(weeks) as (created, north, _):
        answer = await north.ask("correct", match=created["match"], command=str(uuid4()), back_to=9)

    assert ("not_allowed", True) == (answer["code"], "offered to others" in answer["reason"])


BY_CONSENT = "Corrected by consent: the match goes on from before an earlier decision of [seat:1]"


# what a node holds no more


@pytest.fixture
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, GAME.name, GAME)
    monkeypatch.setattr(positions, "EVERY", 20)
    monkeypatch.setattr(fold, "FORGET", 10)


class Told:
    """A node that notes what it tells."""

    def __init__(self, nodes: Nodes) -> None:
        self.broadcasts: list[Broadcast] = []
        self.nodes = nodes
        self.matches = nodes.node()
        self.matches._deliver = self.broadcasts.extend

    async def take(self, does: tuple[acts.Action, acts.IsRepetition]) -> int:
        async with asyncio.timeout(10):
            return (await self.matches.command(self.nodes.played.match, uuid4(), *does)).seq


@pytest.mark.usefixtures("_forgetful")
async def test_a_match_is_corrected_from_before_all_that_any_node_holds_of_it(keeping: Keeping) -> None:
    """Given two nodes with the match in memory, of which one carries the correction out."""
    nodes = await keeping(play(GAME, "campaign", undos=0.2, most=40))
    match, facts = nodes.played.match, nodes.played.facts
    here, other = Told(nodes), nodes.node()
    was, then = await here.matches.get(match), await other.get(match)
    whole = Fold(GAME)
    for command in nodes.played.commands:
        whole.apply(command)
    seq = [seq for seq, _ in whole.facts if whole.decided_at(seq) is not None][2]
    held = here.matches.memory.live[match]._fold.start
    assert seq < held
    hidden = [number for number, fact in facts if number < held and seat_of(fact) is None]

    for back_to in (hidden[12], hidden[-1], held - 1 if whole.decided_at(held) is None else hidden[5]):
        with pytest.raises(Exception, match="no decision that stands was taken there"):
            await here.take(correcting.propose(0, back_to))
    await here.take(correcting.propose(0, seq - 1))
    agreed = await here.take(correcting.answer(1, seq - 1, agreed=True))

    again = await nodes.node(with_positions=False).get(match)
    assert shown(again) == shown(await here.matches.latest(match))
    assert shown(again) == shown(await other.latest(match))
    assert then.seq == was.seq
    before = Fold(GAME)
    for command in nodes.played.commands:
        if command[-1].seq < seq:
            before.apply(command)
    for viewer in VIEWERS:
        (told,) = [one for one in here.broadcasts if one.audience == viewer and one.upto == agreed]
        (offered,) = [one for one in here.broadcasts if one.audience == viewer and one.upto < agreed]
        view: Said = plain(was.views[viewer])
        for frame in (offered, told):
            view = merged(view, json.decode(frame.text)["patch"])
        assert plain(again.views[viewer]) == view
        assert plain(before.view(viewer))["table"] == view["table"]

    seat = next(iter(again.asked))
    options = json.decode(json.encode(again.asked[seat].options), type=list[Raw])
    await here.take(acts.decide(seat, agreed, options[:1]))
    assert shown(await other.latest(match)) == shown(await here.matches.latest(match))


@pytest.mark.usefixtures("_forgetful")
async def test_a_match_that_was_corrected_is_opened_from_its_positions_as_from_its_start(
    keeping: Keeping,
) -> None:
    nodes = await keeping(play(GAME, "campaign", seed=3, undos=0.1, corrected=0.15, most=90))
    match, facts = nodes.played.match, nodes.played.facts
    node: Matches = nodes.node()

    assert 3 < sum(isinstance(fact, DiceCounted) for _, fact in facts)
    assert shown(await nodes.node(with_positions=False).get(match)) == shown(await node.get(match))
    assert 0 == node.opening.ignored
    whole = Fold(GAME)
    for command in nodes.played.commands:
        whole.apply(command)
        folded = await node.opening.fold_at(match, command[-1].seq)
        assert whole.views() == folded.views()
    assert max(nodes.taken_up) > 100
    async with nodes.database.projector.acquire() as conn:
        assert [] == await differing(conn, match)
        assert 5 < await conn.fetchval("SELECT count(*) FROM view.position")


# the director


async def test_a_director_proposes_a_correction_with_a_reason_and_both_players_agree(
    server_url: str,
) -> None:
    tournament, zora, (anna, bert) = await directed(server_url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    match = pair["match"]
    unplayed = await refused(
        zora, "POST", tournament, "rulings", {**CORRECT, "pairing": pair["number"], "back_to": 1}
    )
    first = anna if pair["first"] == 1 else bert
    players = [first, bert if first is anna else anna]
    await begin(players, match)
    async with players[0].talking() as north, players[1].talking() as south:
        for talk in (north, south):
            await talk.say("hello", version=1, match=match, mine=True)
            await talk.hear("view")
        one = Past(server_url, {"match": match}, (north, south))
        seat = 0 if asked(north, 0) else 1
        view = next(m for m in one.talks[seat].heard if m["t"] == "view")
        await one.decide(seat)
        body = {**CORRECT, "pairing": pair["number"], "back_to": view["upto"]}
        others = await refused(bert, "POST", tournament, "rulings", body)
        silent = await refused(zora, "POST", tournament, "rulings", {**body, "reason": " "})
        wrong = await refused(zora, "POST", tournament, "rulings", {**body, "back_to": view["upto"] - 1})
        bye = await refused(zora, "POST", tournament, "rulings", {**body, "pairing": 7})
        before = [one_["what"] for one_ in (await until(anna, tournament, bool))["rulings"]]

        told = await rule(zora, tournament, "correct", pairing=pair["number"], back_to=view["upto"])
        again = await refused(zora, "POST", tournament, "rulings", body)
        for talk in (north, south):
            await talk.hear("frame")

        assert ("not_started", "not_allowed", "bad_text", "no_undo", "bad_request", "offered") == (
            unplayed,
            others,
            silent,
            wrong,
            bye,
            again,
        )
        assert "correction proposed" not in before
        latest = told["rulings"][0]
        assert ("correction proposed", "zora", pair["number"], "As agreed") == (
            latest["what"],
            latest["by"],
            latest["pairing"],
            latest["reason"],
        )
        for talk in (north, south):
            answer = await talk.ask(
                "answer", match=match, what="correction", agreed=True, back_to=view["upto"]
            )
            assert "receipt" == answer["t"]
    _, watched = await zora.ask("GET", f"/api/matches/{match}/correction")
    _, nothing = await bert.ask("GET", f"/api/matches/{match}/correction")
    status, _ = await Browser(server_url).ask("GET", f"/api/matches/{match}/correction")
    assert {"tournament": tournament, "pairing": pair["number"]} == watched
    assert ({}, 401) == (nothing, status)


async def test_a_director_proposes_nothing_as_such_at_a_match_that_he_plays(server_url: str) -> None:
    tournament, (anna, _) = await begun(server_url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    body = {**CORRECT, "pairing": pair["number"], "back_to": 1}

    assert "not_allowed" == await refused(anna, "POST", tournament, "rulings", body)


CORRECT = {"what": "correct", "reason": "As agreed"}
