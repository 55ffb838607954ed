"""C10.1 to C10.8 What is taken aboard, embarked, landed and unloaded, and C9 how a naval move ends."""

import pytest

from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    EndOperation,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    PlayChit,
    PlayReaction,
    RetreatTo,
    StartNavalMove,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
)
from domain.coral_sea.facts import ActionEnded
from domain.kernel.procedures import Decision
from tests.coral_sea.board import (
    AL,
    AROUND_LAE,
    DARK,
    EXCLUSIVE,
    JP,
    TRUK,
    Where,
    of,
    off_papua,
    operation,
    sail,
)


def test_c10_2_who_has_acted_is_not_loaded() -> None:
    board = operation(AL, "noumea", dict.fromkeys(("a_tf17", "a_30", "a_7"), "noumea"))
    board.open.units["a_30"].acted = True
    board.go(StartNavalMove())

    assert [LoadUnit("a_7"), Done()] == board.offered()


@pytest.mark.parametrize(("options", "units"), [({}, [LoadUnit("a_30")]), (EXCLUSIVE, [])])
def test_c10_1_units_after_a_resource_point_r9(options: dict[str, bool], units: list[LoadUnit]) -> None:
    board = operation(
        AL, "noumea", {"a_tf17": "noumea", "a_30": "noumea"}, rp=({}, {"noumea": 2}), options=options
    )
    board.go(StartNavalMove(), LoadRp())

    assert units == board.offered(LoadUnit)


def test_c10_2_either_kind_while_what_stays_has_room_r9() -> None:
    board = off_papua("a_tf44", "a_30", rp=({}, {"papuan_coast": 1}), options=EXCLUSIVE)
    board.go(StartNavalMove(), PickUnit("a_tf17"), Done())

    assert {LoadUnit("a_30"), LoadRp(), Done()} == set(board.offered())


def test_c10_2_no_more_than_three_units_stay_behind() -> None:
    five = ("a_30", "a_7", "a_14", "a_18", "a_21")
    board = off_papua("a_tf44", *five)
    board.go(StartNavalMove(), PickUnit("a_tf17"), Done())
    done = []
    for unit in five[:3]:
        done.append(Done() in board.offered())
        board.go(LoadUnit(unit))

    assert [False, False, True] == done


def at_abau(*aboard: str, rp: int = 0, options: dict[str, bool] | None = None) -> list[Decision]:
    """Where a ship off Papua may embark: the 21st Brigade waits at Abau."""
    stock = {"papuan_coast": rp} if rp else {}
    board = off_papua(*aboard, ship="a_desron2", others={"a_21": "abau"}, rp=({}, stock), options=options)
    board.go(StartNavalMove())
    return board.offered(EmbarkFrom)


@pytest.mark.parametrize(
    ("aboard", "rp", "options", "embark"),
    [
        ((), 0, {}, True),
        ((), 1, {}, True),
        ((), 1, EXCLUSIVE, False),
        (("a_30", "a_7"), 0, EXCLUSIVE, True),
        (("a_30", "a_7", "a_14"), 0, {}, False),
    ],
)
def test_c10_4_who_may_embark_r9(
    aboard: tuple[str, ...], rp: int, options: dict[str, bool], embark: bool
) -> None:
    assert [EmbarkFrom("abau")] * embark == at_abau(*aboard, rp=rp, options=options)


@pytest.mark.parametrize(("steps", "embark"), [(2, True), (3, False)])
def test_c10_3_embarking_needs_two_range(steps: int, embark: bool) -> None:
    """Destroyer Squadron 2, depleted and disorganised, has Range 4; at sea it may end wherever it is."""
    board = operation(AL, "papuan_coast", {"a_desron2": ("papuan_coast", "do"), "a_21": "misima"})
    path = {2: ("coral_sea_west", "louisiade_sea"), 3: ("gulf_of_papua", "papuan_coast", "louisiade_sea")}
    board.go(StartNavalMove(), *map(StepTo, path[steps]))

    assert [EmbarkFrom("misima")] * embark == board.offered(EmbarkFrom)


def test_c10_4_who_has_acted_is_not_embarked() -> None:
    board = off_papua(others={"a_21": "abau"})
    board.open.units["a_21"].acted = True
    board.go(StartNavalMove())

    assert [] == board.offered(EmbarkFrom)


def test_c10_4_as_many_embark_as_there_is_room_and_they_have_acted_c10_7() -> None:
    board = off_papua("a_30", others=dict.fromkeys(("a_7", "a_14", "a_18"), "abau"))
    board.go(StartNavalMove(), EmbarkFrom("abau"), PickUnit("a_7"), PickUnit("a_14"))

    assert {"a_7": "papuan_coast", "a_14": "papuan_coast", "a_18": "abau"} == board.at("a_7", "a_14", "a_18")
    assert [True, True, False] == [board.open.units[unit].acted for unit in ("a_7", "a_14", "a_18")]
    assert [] == board.offered(EmbarkFrom, LandAt)


@pytest.mark.parametrize(("sp", "ports"), [(4, {"abau", "port_moresby", "milne_bay"}), (3, {"port_moresby"})])
def test_c10_5_a_landing_whose_stacking_cannot_be_paid_is_not_legal_r12(sp: int, ports: set[str]) -> None:
    """2 for the move, 2 to join the brigades at Abau and Milne Bay; Port Moresby is empty."""
    board = off_papua("a_30", others={"a_7": "abau", "a_14": "milne_bay"})
    board.table.open.operation.sp = sp
    board.go(StartNavalMove())

    assert {LandAt(area) for area in ports} == set(board.offered(LandAt))


def test_c18_2_truk_ships_embark_nobody() -> None:
    units = {"j_shokaku": "nuguria_sea", "j_144": "namatanai"}
    board = operation(JP, "nuguria_sea", units, rp=({"nuguria_sea": 1}, {}))
    board.go(StartNavalMove())

    assert [] == board.offered(EmbarkFrom)


def test_c9_8_a_move_does_not_end_in_the_port_where_it_began() -> None:
    board = operation(AL, "noumea", {"a_tf17": "noumea", "a_30": "noumea"})
    board.go(StartNavalMove(), LoadUnit("a_30"))

    assert [StepTo("loyalty_sea"), StepTo("noumea_waters")] == sorted(board.offered(), key=str)


def test_c10_8_stacking_is_paid_once_for_all_who_go_ashore_and_the_ships() -> None:
    board = off_papua("a_30", "a_7", others={"a_14": "port_moresby"})
    board.go(StartNavalMove(), StepTo("port_moresby"))
    spent = []
    for decision in (UnloadUnit("a_30"), UnloadUnit("a_7"), Stop()):
        before = board.sp
        board.watch = True
        board.go(decision)
        spent.append(before - board.sp)

    assert [2, 0, 0] == spent


def test_c10_8_who_was_put_ashore_is_no_other_unit() -> None:
    board = off_papua("a_30", "a_7", others={"a_14": "abau"})
    board.go(StartNavalMove(), StepTo("port_moresby"), UnloadUnit("a_30"), UnloadUnit("a_7"), Stop())

    assert 4 == board.sp


def test_c10_8_no_resource_point_is_unloaded_where_none_is_aboard() -> None:
    board = off_papua("a_30")
    board.go(StartNavalMove(), StepTo("port_moresby"))

    assert [] == board.offered(UnloadRp)


def test_c9_5_after_a_battle_at_sea_there_is_no_landing() -> None:
    others = {"a_7": "abau", "j_crudiv6": "louisiade_sea"}
    board = off_papua("a_30", others=others, dice=[10, 1], draws=["a_n_gunnery"])
    sail(board, ["a_tf17"], "louisiade_sea")
    board.go(PlayChit("a_n_gunnery"), RetreatTo("rabaul"))

    assert ([ActionEnded(("a_tf17",), ("louisiade_sea",))], []) == (
        of(board.facts, ActionEnded),
        board.offered(LandAt, StepTo),
    )
    assert EndOperation() in board.offered()


@pytest.mark.parametrize("options", [{}, DARK])
def test_c21_2_a_submarine_strikes_ships_that_have_just_ended_at_sea_c22_2(options: dict[str, bool]) -> None:
    board = off_papua(ship="a_tf44", hands=(("J20",), ()), options=options, dice=[6])
    board.watch = True
    board.go(StartNavalMove(), StepTo("coral_sea_west"), Stop(), PlayReaction("J20"))

    assert "d" == board.state("a_tf44")


def test_c21_2_no_submarine_strikes_ships_that_ended_in_a_port() -> None:
    board = off_papua(ship="a_tf44", hands=(("J20",), ()))
    facts = board.go(StartNavalMove(), StepTo("port_moresby"), Stop())

    assert [ActionEnded(("a_tf44",), ())] == of(facts, ActionEnded)


@pytest.mark.parametrize(
    ("sp", "stays", "quiet"),
    [(3, {"j_kure3": "lae"}, False), (4, {"j_kure3": "lae"}, True), (3, {}, True)],
)
def test_c10_3_c25_2_what_is_left_once_the_move_is_paid_says_whether_there_is_a_choice(
    sp: int, stays: dict[str, Where], quiet: bool
) -> None:
    """Laden, the cruisers have Range 2: out to the Truk Fleet and back to Lae.

    C9.8: stacking costs 2 SP there, if somebody has stayed.
    """
    fleet: dict[str, Where] = dict(zip(TRUK, AROUND_LAE, strict=True))
    units: dict[str, Where] = {"j_crudiv6": ("lae", "do"), "j_144": "lae", **stays, **fleet}
    board = operation(JP, "lae", units, rp=(dict.fromkeys(AROUND_LAE, 1), {}), control={"lae": JP})
    board.table.open.operation.sp = sp

    assert quiet == (StartNavalMove() in board.table.quiet(JP))
    board.go(StartNavalMove())
    assert quiet == (LoadUnit("j_144") in board.offered())
