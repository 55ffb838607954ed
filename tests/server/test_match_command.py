"""`fleetfold match new`: the clock of a match, said in words."""

import asyncio
import json

import pytest
from click.testing import CliRunner, Result

from server.commands.match import command
from server.serving import Serving
from tests.server.talk import enter, talking


async def new(server: Serving, clock: str) -> Result:
    """Offer a match from a command line with such a clock."""
    wish = ["new", "midway", "duel", "--clock", clock, "--json", "--server", server.url]
    return await asyncio.to_thread(CliRunner().invoke, command, wish)


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("20m+30s", {"bank": 1200, "increment": 30, "cap": 0}),
        ("7d+1d/14d", {"bank": 7 * 86_400, "increment": 86_400, "cap": 14 * 86_400}),
        (
            "7d/18d,turn=2d,nights,weekends,by_claim",
            {
                "bank": 7 * 86_400,
                "increment": 0,
                "cap": 18 * 86_400,
                "turn": 2 * 86_400,
                "nights": True,
                "weekends": True,
                "by_claim": True,
            },
        ),
        ("0, turn=3h, by_claim", {"bank": 0, "increment": 0, "cap": 0, "turn": 10_800, "by_claim": True}),
    ],
)
async def test_a_clock_is_said_by_the_words_of_the_protocol(
    server: Serving, said: str, clock: dict[str, object]
) -> None:
    result = await new(server, said)
    created = json.loads(result.output)
    async with talking(server.url) as onlooker:
        view = (await enter(onlooker, created))["view"]

    assert 0 == result.exit_code
    assert clock | {"rewinds": True} == view["match"]["clock"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("7d,weekend", "'weekend' says nothing of a clock; known are turn=TIME, nights, weekends, by_claim"),
        ("7d,nights=yes", "'nights=yes' says nothing of a clock"),
        ("7d,turn", "'' is not a time such as 90s, 20m, 2h or 7d"),
        ("7d,turn=2w", "'2w' is not a time such as 90s, 20m, 2h or 7d"),
        ("7d,nights,nights", "nights is said twice of a clock"),
        ("0,nights", "a clock needs some time to begin with"),
        ("4000d", "the times of a clock are whole seconds"),
    ],
)
async def test_what_is_wrong_with_a_clock_is_said(server: Serving, said: str, why: str) -> None:
    result = await new(server, said)

    assert 0 != result.exit_code
    assert why in " ".join(result.output.replace("│", " ").split())
