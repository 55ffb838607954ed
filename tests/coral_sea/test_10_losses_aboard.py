"""C10.11, C10.12 What befalls those aboard with their ships, C17.2 leaders, C20.3 the count of losses."""

from collections.abc import Mapping

import pytest

from domain.coral_sea.decisions import ChooseUnit, EndOperation, LoseUnit, PlayCard, PlayChit, RetreatTo
from domain.coral_sea.facts import InitiativeChanged
from domain.coral_sea.fighting import LeftBattle
from domain.coral_sea.happenings import LeaderLost, UnitDisorganised
from domain.coral_sea.losses import Loss
from domain.coral_sea.sequence import CoralSea
from tests.coral_sea.board import AL, JP, Board, Where, action, given, land_battle, of, operation, sail


def struck(chit: str, ship: Where, aboard: Mapping[str, Where], *others: str) -> Board:
    """A chit strikes TF 17 off Papua, which fails its check; others are with it."""
    board = operation(
        JP,
        "louisiade_sea",
        {"j_desron2": "louisiade_sea", "a_tf17": ship, **dict.fromkeys(others, "papuan_coast"), **aboard},
        dice=[10],
        draws=[chit],
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit(chit), *([ChooseUnit("a_tf17")] if others else []))
    return board


@pytest.mark.parametrize(("before", "after"), [("", "o"), ("d", "do"), ("o", "o"), ("do", "do")])
def test_c10_11_a_disorganised_ship_disorganises_one_aboard(before: str, after: str) -> None:
    board = struck("j_n_gunnery", "papuan_coast", {"a_30": ("papuan_coast", before)}, "a_tf44")

    assert ("o", after) == (board.state("a_tf17"), board.state("a_30"))
    assert (before in {"", "d"}) == (UnitDisorganised("a_30", "with a ship (C10.11)") in board.facts)


@pytest.mark.parametrize(("before", "after"), [("", "d"), ("d", "do"), ("o", "do"), ("do", "do")])
def test_c10_11_a_depleted_ship_depletes_one_aboard(before: str, after: str) -> None:
    board = struck("j_n_long_lance", "papuan_coast", {"a_30": ("papuan_coast", before)}, "a_tf44")

    assert ("d", after) == (board.state("a_tf17"), board.state("a_30"))
    told = UnitDisorganised("a_30", "with a ship (C10.11), being depleted already")
    assert (before == "d") == (told in board.facts)


def test_c10_11_with_the_last_ship_all_are_destroyed_and_nobody_chooses() -> None:
    aboard: dict[str, Where] = dict.fromkeys(("a_30", "a_7", "a_14"), "papuan_coast")
    board = struck("j_n_long_lance", ("papuan_coast", "do"), aboard)

    assert {"destroyed"} == {board.state(unit) for unit in ("a_tf17", *aboard)}
    assert ([0, 4], [5, 0]) == (board.open.fallen, board.open.destroyed_points)
    assert ["a_tf17"] == [fact.unit for fact in of(board.facts, LeftBattle)], "those aboard fought no battle"


def test_c10_11_in_a_port_nothing_is_aboard() -> None:
    units: dict[str, Where] = {"a_tf17": ("port_moresby", "do"), "a_30": "port_moresby"}
    board = action(
        JP, units, hands=(("J18",), ()), dice=[10], control={"lae": JP}, rp=({}, {"port_moresby": 2})
    )
    board.go(PlayCard("J18"), ChooseUnit("a_tf17"))

    assert ("destroyed", "full") == (board.state("a_tf17"), board.state("a_30"))
    assert {"port_moresby": 2} == board.open.rp[AL]


def test_c10_12_three_units_may_stay_at_sea_r29() -> None:
    units = dict.fromkeys(("a_tf17", "a_30", "a_7", "a_14"), "papuan_coast")
    board = operation(AL, "papuan_coast", units)
    board.go(EndOperation())

    assert ([], [0, 0]) == (board.offered(LoseUnit), board.open.fallen)


@pytest.mark.parametrize("owner", [JP, AL])
def test_c10_12_the_excess_is_lost_one_by_one_whoever_operates_r29(owner: int) -> None:
    five = ("a_30", "a_7", "a_14", "a_18", "a_21")
    units = {**dict.fromkeys(("a_tf17", *five), "papuan_coast"), "j_144": "rabaul"}
    board = operation(owner, "rabaul" if owner == JP else "papuan_coast", units)
    board.go(EndOperation(), LoseUnit("a_7"))
    assert {LoseUnit(unit) for unit in five if unit != "a_7"} == set(board.offered())
    board.go(LoseUnit("a_21"))

    assert [0, 2] == board.open.fallen
    assert board.open.operation is None


@pytest.mark.parametrize("mates", [("a_30",), ()])
def test_c17_2_with_a_destroyed_unit_a_leader_stays_with_another_of_its_stack(mates: tuple[str, ...]) -> None:
    """The 5th Marines on Tulagi have no way out; the 30th Brigade is still there, or nobody."""
    board = land_battle(
        JP,
        "tulagi",
        {"j_144": ""},
        {"a_5m": "", **dict.fromkeys(mates, "")},
        origin="ironbottom_sound",
        others={"j_crudiv6": "ironbottom_sound"},
        draws=["j_g_close_combat"],
        dice=[10, 1],
        change={"leaders": {"l_rupertus": "a_5m", "l_horii": "j_144"}},
    )
    board.go(PlayChit("j_g_close_combat"), *(ChooseUnit("a_5m") for _ in mates))

    assert "destroyed" == board.state("a_5m")
    assert {
        "l_horii": "j_144",
        **dict.fromkeys(["l_rupertus"] if mates else [], "a_30"),
    } == board.open.leaders
    assert [LeaderLost("l_rupertus")] * (not mates) == of(board.facts, LeaderLost)


LED = {"leaders": {"l_rupertus": "a_5m", "l_second": "a_5m"}}


def test_c17_2_each_leader_of_a_destroyed_unit_stays_with_any_one_of_its_stack() -> None:
    board = given(
        dict.fromkeys(("a_5m", "a_30", "a_7"), "tulagi"), CoralSea(at="again"), Loss(unit="a_5m"), change=LED
    )
    mates = {ChooseUnit("a_30"), ChooseUnit("a_7")}
    assert ([AL], mates) == (board.asked, set(board.offered()))
    board.go(ChooseUnit("a_30"))
    assert ([AL], mates) == (board.asked, set(board.offered()))
    board.go(ChooseUnit("a_7"))

    assert {"l_rupertus": "a_30", "l_second": "a_7"} == board.open.leaders


def test_c17_2_all_leaders_of_the_last_unit_are_lost_with_it() -> None:
    board = given({"a_5m": "tulagi"}, CoralSea(at="again"), Loss(unit="a_5m"), change=LED)

    assert [LeaderLost("l_rupertus"), LeaderLost("l_second")] == of(board.facts, LeaderLost)
    assert {} == board.open.leaders


@pytest.mark.parametrize(("fallen", "shifts"), [(6, []), (7, [InitiativeChanged(AL, 0)])])
def test_c20_3_the_eighth_japanese_unit_destroyed_shifts_the_initiative(
    fallen: int, shifts: list[InitiativeChanged]
) -> None:
    board = land_battle(
        AL,
        "tulagi",
        {"a_1m": ""},
        {"j_28": "", "j_41": ""},
        origin="ironbottom_sound",
        others={"a_tf17": "ironbottom_sound", "a_tf44": "indispensable_strait"},
        control={"lae": JP, "buka": JP},
        dice=[10],
        draws=["a_g_assault"],
        change={"fallen": [fallen, 0]},
    )
    facts = board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"))

    assert board.open.battle is not None, "at once, not when the battle is over"
    assert fallen + 1 == board.open.fallen[JP]
    assert shifts == of(facts, InitiativeChanged)


def test_c10_10_c13_5_the_last_ship_takes_units_and_resource_points_into_its_port_r50() -> None:
    board = operation(
        JP,
        "louisiade_sea",
        {"j_desron2": "louisiade_sea", **dict.fromkeys(("a_tf17", "a_30", "a_7"), "papuan_coast")},
        dice=[10],
        draws=["j_n_gunnery"],
        rp=({}, {"papuan_coast": 1}),
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_gunnery"), ChooseUnit("a_7"), RetreatTo("milne_bay"))

    assert dict.fromkeys(("a_tf17", "a_30", "a_7"), "milne_bay") == board.at("a_tf17", "a_30", "a_7")
    assert ({"milne_bay": 1}, "full", "o") == (board.open.rp[AL], board.state("a_30"), board.state("a_7"))


def test_c10_11_in_a_port_nobody_is_aboard() -> None:
    """An air attack on Port Moresby: the ship fails its check, the brigade there passes its own."""
    board = action(
        JP,
        dict.fromkeys(("a_tf17", "a_30"), "port_moresby"),
        hands=(("J18",), ()),
        dice=[10, 1],
        control={"lae": JP},
    )
    board.go(PlayCard("J18"), ChooseUnit("a_tf17"))

    assert ("d", "full") == (board.state("a_tf17"), board.state("a_30"))
