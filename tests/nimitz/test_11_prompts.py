"""What a seat is told in a prompt: of how many, from what, and what follows (N4 to N20).

That each sentence of whole matches can be read and is short enough, `tests/fuzz/test_sentences.py` tries.
"""

import pytest

from domain.nimitz import aftermath, attacks, flight, planning, resupply, scouting
from domain.nimitz.combat import Clash
from domain.nimitz.decisions import (
    AllocateHit,
    CancelHit,
    PlaceShip,
    PlaceSub,
    ReserveForInvasion,
    SendAircraft,
    UsePlan,
)
from domain.nimitz.movement import Movement
from tests.nimitz.board import TWO_PLAYERS, US, Board, battle, given
from tests.nimitz.test_10_battle_turn import arena
from tests.nimitz.test_11_hits_and_plans import hits


def said(board: Board) -> str:
    (prompt,) = board.table.prompts.values()
    return prompt.text


def test_n4_2_resupply_counts_the_points_and_what_is_damaged() -> None:
    board = given({"HI": ["desron-1*", "abda"]}, {}, resupply.Resupply(seats=(US,)), supply=7)

    points = "Resupply: 7 SP left, also for scouts and battle plans."
    assert f"{points} Buy forces, or repair damaged ones (1)." == said(board)


def test_n5_3_scouting_counts_who_is_sent_and_the_points() -> None:
    board = given({}, {"SI": ["desron-1", "tone-chikuma"]}, scouting.Scouting(seats=(US,)), supply=3)

    board.decide(board.offered()[0])

    assert said(board).endswith("Japan carries out an order before you move. 1 sent, 2 SP left.")


def test_n6_1_the_reserve_counts_what_is_kept() -> None:
    board = given({"HI": ["sub-gp-3", "sub-gp-4"]}, {}, Movement(seats=(US,)), year=1945)
    first = board.offered(ReserveForInvasion)

    board.decide(*first[:1])

    assert "Invasion of Japan: 1 of at most 7 forces are kept for it." in said(board)


def test_n6_4_movement_counts_who_can_still_move() -> None:
    board = given({"HI": ["desron-1", "abda"]}, {}, Movement(seats=(US,)))

    assert "Movement: 2 forces can still move, each once. Choose one, then where it goes." == said(board)


def test_n9_2_placing_counts_the_ships_and_says_what_ends_it() -> None:
    board = battle("SI", ["desron-1", "abda"], ["tone-chikuma"])
    before = said(board)

    board.decide(board.offered(PlaceShip)[0])

    assert "Place 2 surface ships, in the US Ocean or in Coastal. The last one ends this." == before
    assert "Place 1 surface ship, " in said(board)


def test_n9_6_placing_submarines_says_what_comes_after_the_last() -> None:
    board = battle("SI", ["sub-gp-1", "sub-gp-2"], ["tone-chikuma", "kaga"])

    assert board.offered(PlaceSub)
    assert "Place 2 submarines where Japanese ships are." in said(board)


def test_n9_11_the_buying_of_plans_counts_points_and_supply() -> None:
    board = arena(["desron-1"], ["tone-chikuma"], planning.Planning(), supply=4)

    words = "Battle plans: 3 points left, lost if not spent; each SP buys 3 (you have 4)."
    assert said(board).startswith(words)


def test_n10_4_aircraft_are_counted_until_all_are_sent() -> None:
    board = arena(["mag-13"], ["tone-chikuma"], flight.UsAircraft())
    before = said(board)

    board.decide(board.offered(SendAircraft)[0])

    assert "Aircraft: 1 at home. Choose one, then where it flies." == before
    assert "All aircraft are sent." == said(board)


def test_n11_1_a_hit_says_which_it_is_of_how_many_from_what_and_where() -> None:
    us = ["25th-inf", "32nd-inf", "43rd-inf"]
    board = arena(us, ["55th-inf"], hits(US, attacks.INFANTRY, "IS", 2))
    before = said(board)

    board.decide(board.offered(AllocateHit)[0])

    attack = "Infantry of [JA] on the [IS]"
    choose = "Choose which of 3 takes it"
    assert f"{attack}: hit 1 of 2 on the [US]. {choose}; the last hit ends this." == before
    assert said(board).startswith(f"{attack}: hit 2 of 2 on the [US]. ")
    assert said(board).endswith("takes it.")


def test_n11_4_hits_inside_a_transport_group_are_counted_by_themselves() -> None:
    us = ["25th-inf~", "32nd-inf~", "43rd-inf~"]
    board = arena(us, ["sub-gp-1"], hits(US, attacks.TORPEDOES, "CO", 1))

    told = "Torpedoes of [JA] in [CO]: hit 1 of 2 on infantry on the transports of the [US]. "
    assert said(board).startswith(told)


@pytest.mark.parametrize(
    ("us", "kind", "area", "left", "told"),
    [
        (["mag-13"], attacks.BOMBS, "IS", 1, "Bomb runs of [JA] on the [IS]: 1 hit falls on an airfield. "),
        (
            ["25th-inf~"],
            attacks.TORPEDOES,
            "CO",
            1,
            "Torpedoes of [JA] in [CO]: 1 hit falls on the transports. ",
        ),
        (["abda"], attacks.GUNS, "CO", 1, "Naval guns of [JA] in [CO]: 1 hit damages [42-us-abda]. "),
        (["abda*"], attacks.GUNS, "CO", 3, "hit 1 of 3 destroys [42-us-abda]. "),
    ],
)
def test_n11_7_a_hit_that_a_plan_may_cancel_says_what_it_does(
    us: list[str], kind: attacks.Kind, area: str, left: int, told: str
) -> None:
    board = arena(us, ["55th-inf"], hits(US, kind, area, left), held=["us.damage_control"])

    assert told in said(board)
    assert said(board).endswith("Cancel it with a plan, or take it.")


def test_n11_7_a_hit_that_was_cancelled_is_counted_too() -> None:
    us = ["25th-inf", "32nd-inf", "43rd-inf"]
    board = arena(us, ["55th-inf"], hits(US, attacks.INFANTRY, "IS", 2), held=["us.damage_control"])
    board.decide(board.offered(AllocateHit)[0])
    before = said(board)

    board.decide(CancelHit("us.damage_control"))

    assert "hit 1 of 2 damages" in before
    assert "hit 2 of 2" in said(board)


def test_n11_7_a_plan_that_adds_a_hit_is_offered_with_the_hits_so_far() -> None:
    clash = Clash(kind=attacks.INFANTRY, area="IS")
    board = arena(["25th-inf"], ["55th-inf"], clash, held=["us.artillery", "us.envelop"], dice=[1])
    before = said(board)

    board.decide(UsePlan("us.artillery"))

    assert before.startswith("Infantry on the [IS]: 1 hit on Japan so far.")
    assert said(board).startswith("Infantry on the [IS]: 2 hits on Japan so far.")


def test_n10_13_groups_without_an_airfield_are_counted() -> None:
    board = arena(["mag-13", "mag-22"], ["55th-inf"])
    board.open.battle.airfields[US] = 1  # type: ignore[union-attr]
    after = Board(board.table.state, board.dice, aftermath.FieldLosses(side=US))

    told = "2 groups, 1 airfield left: choose the one that is lost; it goes to the reinforcements."
    assert told == said(after)


def test_n10_12_n10_13_where_all_are_lost_the_order_alone_is_asked() -> None:
    board = arena(["saratoga*", "mag-13", "mag-22"], ["55th-inf"])
    board.open.battle.airfields[US] = 0  # type: ignore[union-attr]
    fields = Board(board.table.state, board.dice, aftermath.FieldLosses(side=US))

    told = said(fields)
    assert told.startswith("2 groups, no airfields left: all are lost, in the order that you choose;")
    assert told.endswith("they go to the reinforcements.")


@pytest.mark.parametrize(
    ("left", "told"), [(3, "2 battle turns would follow"), (2, "1 battle turn would"), (1, "would end now")]
)
def test_n10_14_engaged_says_what_follows_without_it(left: int, told: str) -> None:
    board = arena(["desron-1"], ["tone-chikuma"], held=["us.engaged"])
    board.open.battle.left = left  # type: ignore[union-attr]

    assert told in said(Board(board.table.state, board.dice, aftermath.Advance()))


def test_n20_2_tied_escorts_are_counted_for_where_they_go() -> None:
    ja = ["kaga", "akagi", "destroyer-gp-1", "destroyer-gp-2", "55th-inf"]
    board = battle("SI", [], ja, mode=TWO_PLAYERS)

    assert "2 escorts have the lowest surface value: choose which goes to the [JO]." == said(board)


def test_n20_2_a_japanese_group_is_named_with_what_flies() -> None:
    ja = ["59-sentai", "8-sentai", "55th-inf"]
    board = arena(["desron-1", "25th-inf"], ja, flight.JapaneseAircraft(), mode=TWO_PLAYERS)

    assert said(board).startswith("The bombers on land (")
