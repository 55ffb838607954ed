"""A director withdraws the correction that he has proposed, and may propose another then."""

import asyncio

from tests.server.meets import all_made, directed, pairings, refused, rule, until
from tests.server.test_corrections import CORRECT, Past, asked
from tests.server.test_tournaments import begin


async def test_a_director_withdraws_what_he_proposed_and_nobody_else_does(server_url: str) -> None:
    tournament, zora, (anna, bert) = await directed(server_url, 2, rounds=1)
    (pair,) = pairings(await until(anna, tournament, all_made))
    match, number = pair["match"], pair["number"]
    players = [anna, bert] if pair["first"] == 1 else [bert, anna]
    await begin(players, match)
    async with asyncio.timeout(20), players[0].talking() as north, players[1].talking() as south:
        for talk in (north, south):
            await talk.say("hello", version=1, match=match, mine=True)
            await talk.hear("view")
        one = Past(server_url, {"match": match}, (north, south))
        seat = 0 if asked(north, 0) else 1
        back_to = next(m["upto"] for m in one.talks[seat].heard if m["t"] == "view")
        await one.decide(seat)
        path, body = f"/api/matches/{match}/correction", {"back_to": back_to}

        nothing = await zora.ask("DELETE", path, body)
        await rule(zora, tournament, "correct", pairing=number, back_to=back_to)
        again = await refused(
            zora, "POST", tournament, "rulings", {**CORRECT, "pairing": number, "back_to": back_to}
        )
        others = await bert.ask("DELETE", path, body)
        another = await zora.ask("DELETE", path, {"back_to": back_to + 1})
        withdrawn = await zora.ask("DELETE", path, body)
        for talk in (north, south):
            told = await talk.hear("frame")
            while "CorrectionWithdrawn" not in [fact["type"] for fact in told["facts"]]:
                told = await talk.hear("frame")
            assert {"correction": None}.items() <= told["patch"]["match"].items()
            answer = await talk.ask("answer", match=match, what="correction", agreed=True, back_to=back_to)
            assert "no_offer" == answer["code"]
        anew = await rule(zora, tournament, "correct", pairing=number, back_to=back_to)

    assert ["no_offer", "not_allowed", "no_offer"] == [told["code"] for _, told in (nothing, others, another)]
    assert "offered" == again
    assert (200, {"tournament": tournament, "pairing": number}) == withdrawn
    assert [
        ("correction proposed", "As agreed"),
        ("correction withdrawn", ""),
        ("correction proposed", "As agreed"),
    ] == [(ruling["what"], ruling["reason"]) for ruling in anew["rulings"][:3]]
