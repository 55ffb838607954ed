"""How a bot gathers the decisions of one command, at a connection that answers as a table does."""

from random import Random
from typing import Any, cast
from uuid import UUID

from msgspec import Raw, json

from clients.bots.any_legal import choose
from clients.client import Client
from clients.player import next_decisions
from domain.kernel.table import Table
from server.play.questions import prompt_message
from server.protocol import wire
from tests.kernel.test_sealed import GAME, plotting


class Wire:
    """A connection to a table: it foresees, and may find that the match has moved on."""

    def __init__(self, table: Table, moved: int = 0) -> None:
        self.table, self.moved = table, moved
        self.view: dict[str, Any] = {"table": {}}
        self.upto = 5

    async def foresee(self, options: list[Any], answers: int) -> wire.Foreseen:
        decisions = [GAME.decision(json.encode(option)) for option in options]
        prompt = prompt_message(GAME, self.table.ahead(0, decisions), 0)
        return wire.Foreseen(UUID(int=1), UUID(int=2), answers + self.moved, prompt, {})


async def gathered(table: Table, seed: int, moved: int = 0) -> list[dict[str, Any]]:
    client = cast("Client", Wire(table, moved))
    return await next_decisions(client, prompt_message(GAME, table, 0), choose, Random(seed))


async def test_in_a_sealed_step_a_bot_gathers_up_to_what_is_not_quiet_also_without_a_screen() -> None:
    lengths = set()
    for seed in range(20):
        table = plotting()
        chosen = await gathered(table, seed)
        lengths.add(len(chosen))

        assert table.decide_all(0, [GAME.decision(json.encode(one)) for one in chosen])
        assert {"type": "Pass"} == chosen[-1]
    assert len(lengths) > 2


async def test_if_the_match_moves_on_meanwhile_a_bot_chooses_anew() -> None:
    found = [await gathered(plotting(), seed, moved=1) for seed in range(9)]

    assert {0, 1} == {len(one) for one in found}
    assert all(one == [{"type": "Pass"}] for one in found if one)


def test_a_prompt_says_that_its_step_is_sealed_and_else_nothing() -> None:
    asked = prompt_message(GAME, plotting(), 0)

    assert json.encode(asked).endswith(b'"quiet":[0,1,2,3],"sealed":true}')
    assert b"sealed" not in json.encode(wire.Asked(0, "1.1", "Go.", (Raw(b"{}"),)))
