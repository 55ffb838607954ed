"""Tournaments over HTTP: who enters, what a director rules, and how the rounds go on."""

from tests.server.meets import (
    adjudicate,
    all_made,
    begun,
    pairings,
    table,
    until,
)


async def test_a_swiss_goes_on_by_itself_from_entry_to_places(server_url: str) -> None:
    tournament, persons = await begun(server_url, 4, rounds=2)

    first = await until(persons[0], tournament, all_made)
    await adjudicate(persons[0], tournament, lambda _: 1.0)
    second = await until(persons[0], tournament, lambda told: len(told["rounds"]) == 2)
    await adjudicate(persons[0], tournament, lambda _: 0.5)
    over = await until(persons[0], tournament, lambda told: told["info"]["state"] == "over")

    assert ("under way", 2, 1) == (first["info"]["state"], first["info"]["rounds"], first["info"]["round"])
    winners = [pair["first"] for pair in pairings(first, 1)]
    assert set(winners) in [{p["first"], p["second"]} for p in pairings(second, 2)]
    assert [(1, 1.5), (1, 1.5), (3, 0.5), (3, 0.5)] == [(place, points) for place, _, points in table(over)]
    assert {"adjudicated"} == {pair["how"] for number in (1, 2) for pair in pairings(over, number)}
    assert all(one["over"] for one in over["rounds"])
