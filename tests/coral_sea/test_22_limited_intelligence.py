"""C22.2 Hidden stacks do not change what is legal, and cannot be counted."""

from domain.coral_sea.decisions import StartGroundMove, StepTo
from domain.kernel.facts import bit
from tests.coral_sea.board import AL, DARK, JP, operation, pick


def test_c8_6_c22_2_a_hidden_stack_under_siege_promises_no_battle() -> None:
    """To join the besiegers must be paid, whoever is shut in: nobody there would fight."""
    board = operation(
        AL,
        "solomon_sea_west",
        {
            "a_1m": "rabaul",
            "a_5m": ("gasmata", "do"),
            "a_tf17": "solomon_sea_west",
            "j_kure3": ("rabaul", "i"),
        },
        scenario="fortress",
        control={"gasmata": AL, "cape_gloucester": AL},
        change={"sieges": {"rabaul": AL}},
        options=DARK,
    )
    board.table.open.operation.sp = 2
    board.go(StartGroundMove("gasmata"))

    assert [StepTo("cape_gloucester")] == board.offered()


def test_c22_2_c27_how_worn_a_hidden_stack_is_cannot_be_counted_in_the_jungle() -> None:
    assert 1 == len({march(state) for state in ("", "d", "o", "do")})


def march(state: str) -> int:
    """How many sealed facts the Allies count before they see two units go from port to port."""
    board = operation(
        JP, "lae", {"j_28": ("lae", state), "j_41": "lae"}, options=DARK, control={"lae": JP, "madang": JP}
    )
    board.go(StartGroundMove("lae"))
    pick(board, "j_28", "j_41")
    facts = board.table.decide(JP, StepTo("madang"))
    return next(place for place, fact in enumerate(facts) if fact.audience() & bit(AL))
