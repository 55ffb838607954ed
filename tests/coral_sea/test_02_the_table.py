"""C2 What lies on the table when nothing has been said of it yet."""

import pytest
from msgspec import Struct, json

from domain.coral_sea.table import Battle, Check, Fortress, HiddenStack, Move, Open, Options, Unit


def test_c2_before_anything_is_set_up_nobody_has_counters_cards_or_points() -> None:
    now = Open()

    assert [[0, 0]] * 7 == [
        now.counters,
        now.hands,
        now.decks,
        now.discards,
        now.bonus,
        now.destroyed_points,
        now.fallen,
    ]
    assert (0, 0, 0) == (now.sequence, now.initiative, now.initiative_until)


def test_c2_4_a_battle_begins_with_nothing_drawn_and_nothing_played() -> None:
    battle = Battle("lae", 0, "ground", "salamaua", (["j_144"], ["a_30"]))

    assert [[0, 0]] * 3 == [battle.modifiers, battle.extra, battle.chits]
    assert ("", -1, False, 0) == (battle.revealed, battle.revealed_by, battle.cancelled, battle.plays)


def test_c12_9_a_check_is_the_first_roll_unless_it_says_otherwise() -> None:
    assert not Check("j_144", 0, 8, passed=True).rerolled


def test_c22_2_the_end_of_a_hidden_move_is_told_as_a_move_of_nobody() -> None:
    assert Move() == Move("", (), (), 0, "", 0)


@pytest.mark.parametrize("kind", [Options, Move, Check, Fortress, HiddenStack])
def test_c2_what_is_replaced_whole_is_never_changed(kind: type[Struct]) -> None:
    assert kind.__struct_config__.frozen


def test_c26_of_a_unit_only_what_is_not_usual_is_written() -> None:
    assert b"{}" == json.encode(Unit())
    assert b'{"area":"lae","inside":true}' == json.encode(Unit(area="lae", inside=True))
