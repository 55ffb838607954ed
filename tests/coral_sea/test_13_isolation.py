"""C13.6, C13.7 Who is isolated, and C9 where ships may start and end when supply is short."""

from collections.abc import Mapping

import pytest

from domain.coral_sea.decisions import StartNavalMove, StepTo, Stop
from domain.coral_sea.isolation import isolated
from domain.coral_sea.operation import actions
from tests.coral_sea.board import AL, JP, Where, given, operation

BOTH_SEAS = {"a_tf17": "ironbottom_sound", "a_tf44": "indispensable_strait"}
HELD = {"tulagi": JP}
ASHORE: list[tuple[str, Mapping[str, Where], Mapping[str, int], bool]] = [
    ("no land around and no ship", {"j_144": "choiseul"}, {}, True),
    ("a ship off the coast", {"j_144": "choiseul", "j_chokai": "the_slot"}, {}, False),
    ("a Truk ship does not count", {"j_144": "choiseul", "j_shokaku": "the_slot"}, {}, True),
    ("nor a ship farther off", {"j_144": "choiseul", "j_chokai": "ironbottom_sound"}, {}, True),
    ("nor an enemy ship", {"j_144": "choiseul", "a_tf17": "the_slot"}, {}, True),
    ("a port and two open seas", {"j_144": "tulagi"}, HELD, False),
    ("one of them", {"j_144": "tulagi", "a_tf17": "ironbottom_sound"}, HELD, False),
    ("none of them", {"j_144": "tulagi", **BOTH_SEAS}, HELD, True),
    ("none, but a ship in port", {"j_144": "tulagi", "j_chokai": "tulagi", **BOTH_SEAS}, HELD, False),
    ("a port that is the enemy's", {"j_144": "tulagi"}, {}, True),
    ("no port, though the sea is open", {"j_144": "malaita"}, {"malaita": JP}, True),
    ("land that is free", {"j_144": "guadalcanal_west"}, {}, False),
    ("land with an enemy", {"j_144": "guadalcanal_west", "a_1m": "guadalcanal_lunga"}, {}, True),
    ("aboard", {"j_144": "the_slot", "j_chokai": "the_slot"}, {}, False),
    ("the box", {"a_30": "australia"}, {}, False),
]


@pytest.mark.parametrize(("why", "units", "control", "expected"), ASHORE, ids=[row[0] for row in ASHORE])
def test_c13_6_isolation_ashore_r42(
    why: str, units: Mapping[str, Where], control: Mapping[str, int], expected: bool
) -> None:
    assert expected == isolated(given(units, control=control).open, next(iter(units))), why


AROUND = {"j_chokai": "the_slot", "j_crudiv6": "new_georgia_sea", "j_desron6": "indispensable_strait"}
AFLOAT: list[tuple[str, Mapping[str, Where], Mapping[str, int], bool]] = [
    ("enemies around, a friendly port beside", {"a_tf17": "ironbottom_sound", **AROUND}, {}, False),
    ("enemies around, and in the port", {"a_tf17": "ironbottom_sound", **AROUND}, HELD, True),
    ("one sea open", {"a_tf17": "ironbottom_sound", **AROUND, "j_desron6": "rabaul"}, HELD, False),
    ("in a port", {"a_tf17": "tulagi", "j_chokai": "ironbottom_sound", **AROUND}, {}, False),
]


@pytest.mark.parametrize(("why", "units", "control", "expected"), AFLOAT, ids=[row[0] for row in AFLOAT])
def test_c13_7_isolation_of_ships_at_sea(
    why: str, units: Mapping[str, Where], control: Mapping[str, int], expected: bool
) -> None:
    assert expected == isolated(given(units, control=control).open, "a_tf17"), why


@pytest.mark.parametrize(("sp", "offered"), [(1, []), (2, [StartNavalMove()])])
def test_c9_1_a_naval_move_needs_two_supply_points_r8(sp: int, offered: list[StartNavalMove]) -> None:
    now = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "abau"}).open
    assert now.operation is not None
    now.operation.sp = sp

    assert offered == [option for option in actions(now) if isinstance(option, StartNavalMove)]


def test_c9_8_a_port_that_cannot_be_paid_must_not_be_where_the_range_ends_r12() -> None:
    """Port Moresby, where a brigade is, may be passed with 2 Range left, but not entered with the last."""
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "port_moresby"})
    board.table.open.operation.sp = 3
    board.go(
        StartNavalMove(), *map(StepTo, ("coral_sea_west", "papuan_coast", "louisiade_sea", "papuan_coast"))
    )
    assert StepTo("port_moresby") in board.offered()
    board.go(StepTo("gulf_of_papua"))

    assert StepTo("port_moresby") not in board.offered()
    assert Stop() in board.offered()
