"""C4.3 A sentence about what befell a unit says what did it, and by which rule."""

import pytest

from domain.coral_sea.decisions import (
    ChooseUnit,
    EndOperation,
    LoseUnit,
    PlayCard,
    PlayChit,
    StartGroundMove,
    StepTo,
)
from domain.coral_sea.secrets import HiddenUnits
from tests.coral_sea.board import AL, DARK, JP, Where, action, fates, land_battle, of, operation, sail


@pytest.mark.parametrize(
    ("before", "chit", "said"),
    [
        ("", "j_n_gunnery", "[a_tf17] is disorganised by [j_n_gunnery] (C12.11)"),
        ("", "j_n_long_lance", "[a_tf17] is depleted by [j_n_long_lance] (C12.11)"),
        (
            "d",
            "j_n_long_lance",
            "[a_tf17] is disorganised by [j_n_long_lance] (C12.11), being depleted already",
        ),
        ("d", "j_n_gunnery", "[a_tf17] is disorganised by [j_n_gunnery] (C12.11)"),
        ("do", "j_n_long_lance", "[a_tf17] is destroyed by [j_n_long_lance] (C12.11): 2 points for [japan]"),
    ],
)
def test_c12_11_the_chit_whose_check_failed(before: str, chit: str, said: str) -> None:
    units: dict[str, Where] = {"j_desron2": "louisiade_sea", "a_tf17": ("papuan_coast", before)}
    board = operation(JP, "louisiade_sea", units, dice=[10], draws=[chit])
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit(chit))

    assert said == fates(board)[0]


def test_c12_10_a_chit_that_depletes_without_a_check() -> None:
    board = land_battle(
        JP, "buna", {"j_144": "d"}, {"a_30": ""}, origin="morobe", draws=["j_g_might_of_will"]
    )
    board.go(PlayChit("j_g_might_of_will"))

    assert ["[j_144] is disorganised by [j_g_might_of_will] (C12.10), being depleted already"] == fates(board)


def test_c12_11_the_card_whose_check_failed() -> None:
    units: dict[str, Where] = {"a_tf17": "port_moresby"}
    board = action(JP, units, hands=(("J18",), ()), dice=[10], control={"lae": JP})
    board.go(PlayCard("J18"))

    assert ["[a_tf17] is depleted by [J18] (C12.11)"] == fates(board)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "[j_144] is depleted by the jungle (C8.3)"),
        ("d", "[j_144] is disorganised by the jungle (C8.3), being depleted already"),
    ],
)
def test_c8_3_the_jungle(before: str, said: str) -> None:
    board = operation(JP, "lae", {"j_144": ("lae", before)}, control={"lae": JP})
    board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert [said] == fates(board)


def test_c8_3_c22_2_the_jungle_behind_a_screen() -> None:
    board = operation(JP, "rabaul", {"j_144": "rabaul"}, options=DARK)
    board.go(StartGroundMove("rabaul"), StepTo("gasmata"))

    told = [fact.words() for fact in of(board.facts, HiddenUnits)]
    assert "Hidden units of [japan]: [j_144] at [rabaul], depleted, has acted, by the jungle (C8.3)" in told


def test_c10_11_cargo_goes_with_the_last_ship() -> None:
    units: dict[str, Where] = {
        "j_desron2": "louisiade_sea",
        "a_tf17": ("papuan_coast", "do"),
        "a_30": "papuan_coast",
    }
    board = operation(JP, "louisiade_sea", units, dice=[10], draws=["j_n_long_lance"])
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"))

    assert "[a_30] is destroyed with the last ship there (C10.11): 1 point for [japan]" == fates(board)[-1]


def test_c10_11_a_unit_aboard_shares_the_loss_of_a_ship() -> None:
    units: dict[str, Where] = {
        "j_desron2": "louisiade_sea",
        **dict.fromkeys(("a_tf17", "a_tf44", "a_7"), "papuan_coast"),
        "a_30": ("papuan_coast", "d"),
    }
    board = operation(JP, "louisiade_sea", units, dice=[10], draws=["j_n_long_lance"])
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"), ChooseUnit("a_tf17"), ChooseUnit("a_30"))

    assert "[a_30] is disorganised with a ship (C10.11), being depleted already" == fates(board)[-1]


def test_c10_12_one_too_many_at_sea() -> None:
    units = dict.fromkeys(("a_tf17", "a_30", "a_7", "a_14", "a_18"), "papuan_coast")
    board = operation(AL, "papuan_coast", units)
    board.go(EndOperation(), LoseUnit("a_7"))

    assert ["[a_7] is destroyed as one too many at sea (C10.12): 1 point for [japan]"] == fates(board)


def test_c13_4_nowhere_to_retreat() -> None:
    board = land_battle(
        JP,
        "milne_bay",
        {"j_144": ""},
        {"a_30": ""},
        origin="tufi",
        others={"j_28": "abau"},
        control={"abau": JP, "tufi": JP},
        draws=["j_g_close_combat"],
        dice=[10, 1],
    )
    board.go(PlayChit("j_g_close_combat"))

    assert [
        "[a_30] is disorganised by [j_g_close_combat] (C12.11)",
        "[a_30] is destroyed since it has no way to retreat (C13.4): 1 point for [japan]",
    ] == fates(board)


def test_c12_12_c13_3_an_isolated_unit_that_would_retreat_is_destroyed_r37() -> None:
    board = operation(
        AL,
        "port_moresby",
        {"a_30": "port_moresby", "j_144": ("kokoda", "d")},
        control={"kokoda": JP, "buna": AL},
        rp=({}, {"buna": 1}),
        dice=[10],
        draws=["a_g_bombardment"],
    )
    board.go(StartGroundMove("port_moresby"), StepTo("kokoda"), PlayChit("a_g_bombardment"))

    said = "[j_144] is destroyed since it has no way to retreat (C12.12): 1 point for the [allied]"
    assert ("destroyed", said) == (board.state("j_144"), fates(board)[-1])


def test_c12_12_c13_7_an_isolated_ship_that_would_retreat_is_destroyed() -> None:
    seas = (
        "stewart_sea",
        "espiritu_sea",
        "santa_cruz_sea",
        "indispensable_strait",
        "rennell_sea",
        "coral_sea_east",
    )
    ships = ("a_tf44", "a_tf62", "a_tf64", "a_desron4", "a_desron12", "a_hornet")
    units = {"j_crudiv6": "torpedo_junction", **dict(zip(ships, seas, strict=True))}
    board = operation(AL, "espiritu_sea", units, draws=["a_n_gunnery"], dice=[10])
    sail(board, ["a_tf62"], "torpedo_junction")
    board.go(PlayChit("a_n_gunnery"))

    said = "[j_crudiv6] is destroyed since it is isolated (C12.12): 2 points for the [allied]"
    assert ("destroyed", said) == (board.state("j_crudiv6"), fates(board)[-1])


@pytest.mark.parametrize(
    ("before", "fate", "worth"),
    [("", "leaves the map", ""), ("d", "is lost", ": 3 points for the [allied]")],
)
def test_c18_5_a_truk_ship_that_is_disorganised(before: str, fate: str, worth: str) -> None:
    units: dict[str, Where] = {"a_tf64": "ontong_java_sea", "j_shokaku": ("nukumanu_sea", before)}
    board = operation(
        AL, "ontong_java_sea", units, rp=({"nukumanu_sea": 2}, {}), draws=["a_n_gunnery"], dice=[10, 1]
    )
    sail(board, ["a_tf64"], "nukumanu_sea")
    board.go(PlayChit("a_n_gunnery"))

    why = "since it is disorganised by [a_n_gunnery] (C12.11), as Truk ships do (C18.5)"
    assert [f"[j_shokaku] {fate} {why}{worth}"] == fates(board)


def test_c18_4_the_truk_fleet_goes_home() -> None:
    board = operation(JP, "nuguria_sea", {"j_shokaku": "nuguria_sea"})
    board.go(EndOperation())

    assert ["[j_shokaku] leaves the map with no resource point left aboard (C18.4)"] == fates(board)


def test_c21_1_a_card_takes_units_off_for_good() -> None:
    board = action(JP, {"j_shoho": "rabaul", "a_yorktown": "noumea"}, hands=(("J06",), ()))
    board.go(PlayCard("J06"))

    assert "[j_shoho] leaves the map for good (C21.1)" == fates(board)[0]
