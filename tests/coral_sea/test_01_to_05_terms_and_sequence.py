"""C1 terms, C2 state, C3 map and control, C4 units, C5 the operational sequence."""

import pytest

from domain.coral_sea import charts, printed
from domain.coral_sea.airfields import in_range
from domain.coral_sea.atlas import COAST, DISTANCE, LAND, ROUTES, SEAS
from domain.coral_sea.charts import AREAS, CHARTS, DECKS, UNITS
from domain.coral_sea.decisions import (
    ChooseMode,
    DiscardForRp,
    DrawCard,
    EndOperation,
    OpenOperation,
    PlaceRp,
    PlayCard,
    PlayChit,
    PlayReaction,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.facts import (
    CardActionBegan,
    CardPlayed,
    InitiativeChanged,
    ModeCommitted,
    ModesRevealed,
    OperationWon,
    SequenceBegan,
)
from domain.coral_sea.happenings import UnitsMoved
from domain.coral_sea.initiative import controls
from domain.coral_sea.isolation import friendly_port
from domain.coral_sea.places import AirfieldGone, AirfieldSet, ControlChanged, RpHas, RpLost
from domain.coral_sea.secrets import CardDiscarded, CardDrawn, ModeHeld
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.table import Open, Own, at, occupied
from domain.coral_sea.units import cohesion, movement, tactics
from domain.kernel.facts import Drew, Fact, Rolled
from domain.match.refusals import RequestError
from domain.match.undoing import offer_undo, undo_slip
from tests.coral_sea.board import AL, JP, action, dice_of, given, land_battle, of, operation


def test_c1_1_two_sides_and_nationality() -> None:
    assert ("japan", "allied") == printed.SIDES
    assert {"usa", "australia"} == {u.nationality for u in UNITS.values() if u.owner == AL}


def test_c1_2_a_card_is_above_the_rules() -> None:
    board = operation(JP, "lae", {"j_144": "lae"}, control={"lae": JP}, hands=(["J23"], []), stop=True)
    board.go(PlayReaction("J23"))
    board.watch = False
    board.go(StartGroundMove("lae"), StepTo("morobe"), Stop())

    assert "full" == board.state("j_144")


def test_c1_3_the_operation_has_an_owner() -> None:
    board = operation(AL, "port_moresby", {"a_30": "port_moresby"})

    assert board.open.operation is not None
    assert AL == board.open.operation.side


def test_c1_4_enemy_occupied_by_a_unit_or_a_resource_point() -> None:
    board = given({"a_30": "abau"}, rp=({}, {"milne_bay": 1}))

    assert {"abau", "milne_bay"} == occupied(board.open, AL)


def test_c1_5_friendly_ports() -> None:
    board = given({"a_tf17": "noumea"})

    assert friendly_port(board.open, "noumea", AL)
    assert not friendly_port(board.open, "noumea", JP)
    assert friendly_port(board.open, "australia", AL)
    assert not friendly_port(board.open, "buna", AL)


def test_c1_6_cargo_is_what_is_at_sea() -> None:
    board = given({"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "abau"})

    assert ["a_30"] == at(board.open, "papuan_coast", AL, "ground")


def test_c1_7_full_depleted_disorganised() -> None:
    values = {"": (6, 2, 2), "d": (5, 2, 1), "o": (5, 1, 1), "do": (4, 1, 1)}
    for state, expected in values.items():
        now = given({"a_30": ("abau", state)}).open
        assert expected == (cohesion(now, "a_30"), movement(now, "a_30"), tactics(now, "a_30"))


def test_c1_8_a_d10_gives_one_to_ten() -> None:
    board = given(None, CoralSea(at="sequence"), dice=[10, 1])
    board.go(ChooseMode("map"), seat=JP)
    facts = board.go(ChooseMode("map"), seat=AL)

    assert {10} == {fact.sides for fact in of(facts, Rolled)}


def test_c1_9_c6_1_two_decks_of_32_r67() -> None:
    assert (32, 32) == (len(DECKS[JP]), len(DECKS[AL]))
    assert 5 == charts.HAND_LIMIT


def test_c2_1_c2_2_c2_3_c2_4_the_state() -> None:
    board = given()
    now: Open = board.open

    assert (5, {"australia": 2, "noumea": 2, "port_moresby": 1, "papuan_coast": 1}) == (
        now.rp[JP]["rabaul"],
        now.rp[AL],
    )
    assert ([3, 3], [0, 0], None, None) == (now.counters, now.bonus, now.operation, now.battle)
    assert ("full", "rabaul") == (board.state("j_144"), now.units["j_144"].area)
    assert ("pool", "") == (board.state("j_41"), now.units["j_41"].area)
    assert [] == [name for name, unit in now.units.items() if unit.acted or unit.disorganised]


def test_c2_5_the_enlarged_rabaul_box_is_the_same_area_r78() -> None:
    assert ["rabaul"] == [area for area in AREAS if "rabaul" in area]


def test_c3_1_the_map() -> None:
    kinds = [area.kind for area in AREAS.values()]

    assert (71, 37, 33, 1) == (len(AREAS), kinds.count("land"), kinds.count("sea"), kinds.count("box"))
    assert 156 == len(CHARTS.edges)
    assert all(len(DISTANCE[area]) == len(AREAS) for area in AREAS)
    assert {"coral_sea_central", "coral_sea_east"} == {
        sea for sea in SEAS if not COAST[sea] and "australia" not in ROUTES[sea]
    }
    assert {"wau", "kokoda"} == {a.id for a in AREAS.values() if a.kind == "land" and not COAST[a.id]}


def test_c3_2_edges_of_four_kinds() -> None:
    assert {"land", "sea", "coast", "box"} == {edge.kind for edge in CHARTS.edges}
    assert {2} == {edge.cost for edge in CHARTS.edges if edge.kind == "box"}


def test_c3_3_the_box_lies_two_areas_away_r20() -> None:
    assert {"gulf_of_papua": 2, "coral_sea_west": 2, "coral_sea_south": 2} == ROUTES["australia"]
    assert ((), ()) == (COAST["australia"], LAND["australia"])


def test_c3_4_distance_ignores_the_enemy() -> None:
    between = {"j_144": "yule", "j_28": "wau", "j_41": "kokoda", "j_4": "buna"}

    assert DISTANCE["lae"]["buna"] == DISTANCE["buna"]["lae"] == 2
    assert in_range(given(between).open, AL, "lae")


def test_c3_5_no_airfield_in_the_mountains() -> None:
    assert {"wau", "kokoda", "kieta"} == {a.id for a in AREAS.values() if a.mountain}


def test_c3_6_resource_points_lie_in_urban_areas() -> None:
    assert all(AREAS[area].urban for area in ("rabaul", "australia", "noumea", "buna"))
    assert all(area.urban for area in AREAS.values() if area.port)


def test_c3_7_control_follows_ground_units_alone_r28() -> None:
    board = operation(AL, "papuan_coast", {"a_30": "port_moresby"}, control={"abau": JP})

    board.go(StartGroundMove("port_moresby"), StepTo("abau"))

    assert AL == board.open.control["abau"]
    assert "papuan_coast" not in board.open.control


def test_c3_7_ships_never_change_control_r28() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast"}, control={"port_moresby": JP})
    board.go(StartNavalMove())

    assert StepTo("port_moresby") not in board.offered()


def test_c3_8_control_at_start() -> None:
    now = given().open
    britain, ireland = {"rabaul", "gasmata", "cape_gloucester"}, {"kavieng", "namatanai"}

    assert {*britain, *ireland, "new_hanover"} == {a for a, side in now.control.items() if side == JP}
    assert 38 == len(now.control)


GAINED = [
    ("finschhafen", "lae", [UnitsMoved, RpHas, RpHas, InitiativeChanged]),
    ("finschhafen", "madang", [UnitsMoved, RpHas, RpHas, AirfieldGone, AirfieldSet]),
    ("kokoda", "buna", [RpHas, RpHas, AirfieldGone, AirfieldSet, InitiativeChanged]),
]


@pytest.mark.parametrize(("origin", "area", "order"), GAINED)
def test_c3_9_what_happens_when_control_is_gained_in_this_order_c15_4_r49(
    origin: str, area: str, order: list[type[Fact]]
) -> None:
    """Ships leave, resource points are captured, an airfield is replaced, the initiative is tested.

    Lae's airfield is printed, Buna has no port, and at Madang nobody's initiative hangs.
    """
    ships = {"j_crudiv6": area} if UnitsMoved in order else {}
    fields = {area: JP} if AirfieldSet in order else {}
    sites = {"lae": JP, "buka": JP, "guadalcanal_west": JP} if area == "lae" else {"buna": JP, "buka": JP}
    board = operation(
        AL,
        origin,
        {"a_30": origin, **ships},
        rp=({area: 3}, {}),
        control={"guadalcanal_west": JP, **sites, area: JP},
        change={"fallen": [8, 0], "airfields": fields, "counters": [2, 3]},
    )
    facts = board.go(StartGroundMove(origin), StepTo(area))
    facts += board.go(RetreatTo("rabaul")) if ships else []
    (gained,) = [place for place, fact in enumerate(facts) if isinstance(fact, ControlChanged)]

    kinds = {*order, UnitsMoved, RpHas, AirfieldGone, AirfieldSet, InitiativeChanged}
    assert order == [type(fact) for fact in facts[gained:] if type(fact) in kinds]
    assert ({}, {area: 1}) == (board.open.rp[JP], board.open.rp[AL])
    assert dict.fromkeys(ships, ("rabaul", "full")) == {n: (board.at(n)[n], board.state(n)) for n in ships}


def test_c3_10_area_sites_and_island_sites_r27() -> None:
    now = given(control={"guadalcanal_west": JP}).open

    assert not controls(now, AL, "guadalcanal")
    assert not controls(now, JP, "guadalcanal")
    assert controls(now, AL, "port_moresby")
    assert controls(now, JP, "new_britain")


VALUES = [
    ("j_144", (8, 3, 3), (7, 2, 2)),
    ("j_kure3", (7, 2, 2), (6, 2, 1)),
    ("j_base8", (6, 1, 1), (5, 1, 1)),
    ("j_170", (7, 3, 2), (6, 2, 1)),
    ("j_shoho", (6, 6, 3), (5, 5, 2)),
    ("j_crudiv6", (7, 6, 3), (6, 5, 2)),
    ("j_desron6", (7, 7, 2), (6, 6, 1)),
    ("j_desron2", (8, 7, 3), (7, 6, 2)),
    ("j_ryujo", (7, 6, 3), (6, 5, 2)),
    ("j_shokaku", (8, 6, 4), (7, 5, 3)),
    ("j_batdiv11", (8, 6, 3), (7, 5, 2)),
    ("j_desron10", (8, 7, 3), (7, 6, 2)),
    ("a_30", (6, 2, 2), (5, 2, 1)),
    ("a_18", (8, 3, 3), (7, 2, 2)),
    ("a_182", (7, 2, 2), (6, 2, 1)),
    ("a_1m", (8, 2, 3), (7, 2, 2)),
    ("a_tf44", (7, 6, 3), (6, 5, 2)),
    ("a_yorktown", (7, 6, 4), (6, 5, 3)),
    ("a_desron2", (6, 6, 2), (5, 5, 1)),
    ("a_tf64", (8, 6, 3), (7, 5, 2)),
]


@pytest.mark.parametrize(("unit", "full", "depleted"), VALUES)
def test_c4_1_c4_2_values(unit: str, full: tuple[int, ...], depleted: tuple[int, ...]) -> None:
    for state, values in (("", full), ("d", depleted)):
        now = given({unit: ("rabaul", state)}).open
        assert values == (cohesion(now, unit), movement(now, unit), tactics(now, unit))
        now = given({unit: ("rabaul", state + "o")}).open
        lowered = tuple(max(1, value - 1) for value in values)
        assert lowered == (cohesion(now, unit), movement(now, unit), tactics(now, unit))
        assert max(1, lowered[0] - 1) == cohesion(now, unit, isolated=True)


def test_c4_3_depleted_and_disorganised_at_most_once() -> None:
    board = operation(JP, "lae", {"j_144": ("lae", "do")}, control={"lae": JP})

    board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert "do" == board.state("j_144")


def test_c4_4_destroyed_is_for_good_and_scores() -> None:
    board = land_battle(
        AL,
        "tulagi",
        {"a_1m": ""},
        {"j_28": ""},
        origin="ironbottom_sound",
        others={"a_tf17": "ironbottom_sound", "a_tf44": "indispensable_strait"},
        dice=[10, 10],
        draws=["a_g_assault"],
    )
    board.go(PlayChit("a_g_assault"))

    assert "destroyed" == board.state("j_28")
    assert ([0, 1], [1, 0]) == (board.open.destroyed_points, board.open.fallen)


def test_c4_5_truk_ships_are_marked() -> None:
    assert {"j_shokaku", "j_zuikaku", "j_batdiv11", "j_desron10"} == {
        u.id for u in UNITS.values() if u.truk_fleet
    }


def test_c5_1_sequence_follows_sequence() -> None:
    board = given(None, CoralSea())

    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("card"), seat=AL)
    board.go(DiscardForRp(board.own(JP).hand[0]))
    board.go(DiscardForRp(board.own(AL).hand[0]))
    board.go(PlaceRp("noumea"))

    assert [2, 3] == [fact.number for fact in of(board.facts, SequenceBegan)]


def test_c5_2_the_choice_is_secret_until_both_are_in() -> None:
    board = given(None, CoralSea(at="sequence"))

    facts = board.go(ChooseMode("map"), seat=JP)

    assert [ModeHeld(JP, "map"), ModeCommitted(JP)] == facts
    assert [AL] == board.asked
    facts = board.go(ChooseMode("card"), seat=AL)
    assert [ModesRevealed(("map", "card"))] == of(facts, ModesRevealed)


def test_c5_2_a_commitment_cannot_be_taken_back() -> None:
    board = given(None, CoralSea(at="sequence"))
    board.go(ChooseMode("map"), seat=JP)
    log = list(enumerate(board.facts, start=1))

    for request in (undo_slip, offer_undo):
        with pytest.raises(RequestError):
            request(board.table.state.match, JP, log)


def test_c5_2_map_needs_a_resource_point_r2() -> None:
    board = given(None, CoralSea(at="sequence"), rp=({}, {"noumea": 1}))

    assert [ChooseMode("card")] == board.offered(seat=JP)
    assert [ChooseMode("card"), ChooseMode("map")] == board.offered(seat=AL)


@pytest.mark.parametrize(("initiative", "dice"), [(JP, [3, 5]), (AL, [5, 3])])
def test_c5_3_a_tie_goes_to_the_side_with_the_initiative(initiative: int, dice: list[int]) -> None:
    """The initiative is worth 2: 5 each."""
    change = {"initiative": initiative, "initiative_until": 0}
    board = given({}, CoralSea(at="again"), rp=({"madang": 1}, {"australia": 1}), dice=dice, change=change)
    board.go(ChooseMode("map"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)

    assert [OperationWon(initiative, (5, 5))] == of(board.facts, OperationWon)


def test_c5_3_who_wins_the_roll_conducts_the_operation() -> None:
    board = given(None, CoralSea(at="sequence"), dice=[4, 6])
    board.go(ChooseMode("map"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)

    assert board.open.operation is not None
    assert JP == board.open.operation.side
    assert [4, 6] == dice_of(board.facts)


@pytest.mark.parametrize("first", [JP, AL])
def test_c5_4_c5_5_both_card_each_acts_once_the_initiative_first_r7(first: int) -> None:
    change = {"initiative": first, "initiative_until": 0}
    board = given(None, CoralSea(at="sequence"), change=change)
    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("card"), seat=AL)
    board.go(DrawCard())
    board.go(DrawCard())

    assert [first, 1 - first] == [fact.side for fact in of(board.facts, CardActionBegan)]


def test_c5_4_both_card_the_initiative_acts_first_r7() -> None:
    board = given(None, CoralSea(at="sequence"))

    board.go(ChooseMode("card"), seat=AL)
    board.go(ChooseMode("card"), seat=JP)
    assert [JP] == board.asked
    board.go(DrawCard())

    assert [AL] == board.asked


def test_c5_5_map_first_then_the_card_action_r1() -> None:
    board = given(None, CoralSea(at="sequence"))

    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)
    board.go(OpenOperation("noumea"))
    assert 1 == board.open.rp[AL]["noumea"]
    board.go(EndOperation())

    assert [JP] == board.asked
    assert board.offered(DrawCard)


def test_c5_6_play_draw_or_discard_r4_r6() -> None:
    board = action(AL, {}, hands=((), ("A10", "A24")))
    offered = board.offered()

    assert [PlayCard("A10"), DrawCard(), DiscardForRp("A10"), DiscardForRp("A24")] == offered
    facts = board.go(DiscardForRp("A24"), PlaceRp("australia"))
    assert [CardDiscarded(AL, "A24")] == of(facts, CardDiscarded)
    assert [RpHas(AL, "australia", 1, "new")] == of(facts, RpHas)
    assert ([], ["A24"]) == ([c for c in board.own(AL).hand if c == "A24"], board.own(AL).discards)


def test_c5_6_without_a_place_the_resource_point_is_lost_r4() -> None:
    board = action(JP, {}, hands=(("J07",), ()), control={"rabaul": AL})

    facts = board.go(DiscardForRp("J07"))

    assert [RpLost(JP, 1)] == of(facts, RpLost)


def test_c5_6_no_draw_with_five_cards() -> None:
    board = action(JP, {}, hands=(DECKS[JP][:5], ()))

    assert [] == board.offered(DrawCard)
    assert 5 == len(board.offered(DiscardForRp))


def test_c5_7_an_operation_must_be_opened_and_may_be_ended_at_once_r3() -> None:
    board = given(None, CoralSea(at="sequence"))
    board.go(ChooseMode("map"), seat=JP)
    board.go(ChooseMode("card"), seat=AL)

    assert 4 == board.open.rp[JP]["rabaul"]
    board.go(EndOperation())
    assert board.open.operation is None


def test_c5_8_the_initiative_is_fixed_when_the_sequence_starts() -> None:
    board = given(None, CoralSea(at="sequence"), hands=((), ("A02",)))
    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("card"), seat=AL)
    board.go(DrawCard())
    board.go(PlayCard("A02"))

    assert [JP, AL] == [fact.initiative for fact in of(board.facts, SequenceBegan)]


def test_c5_9_the_last_card_ends_the_game_r5() -> None:
    board = action(JP, {}, hands=((), ()), change={})
    board.open.played[JP].extend(DECKS[JP][:-1])

    facts = board.go(DrawCard())

    assert [CardDrawn(JP, DECKS[JP][-1])] == of(facts, CardDrawn)
    assert board.table.state.match.over
    assert "the last card is drawn" == board.table.state.match.reason


def test_c26_draws_are_the_umpires_notes() -> None:
    board = action(JP, {})

    board.go(DrawCard())

    assert [(JP, 32)] == [(f.by, f.left) for f in board.facts if isinstance(f, Drew)]
    assert Own(hand=[DECKS[JP][0]]) == board.own(JP)
    assert [] == of(board.facts, CardPlayed)
