"""N10.3 First light: what an attack before all others leaves behind."""

from domain.nimitz import first_light
from domain.nimitz.blows import AirborneOver, Destroyed, GroupLost
from domain.nimitz.decisions import JaFirstLightCarrier
from tests.nimitz.board import TWO_PLAYERS, of
from tests.nimitz.test_10_battle_turn import arena, fight, struck


def test_n10_3_n20_2_the_carrier_that_japans_seat_chooses_is_the_one_that_attacks() -> None:
    plans = ["ja.first_light"]
    board = arena(["enterprise"], ["kaga", "akagi"], first_light.FirstLight(), plans=plans, mode=TWO_PLAYERS)

    board.decide(JaFirstLightCarrier("42-ja-kaga"))

    assert [("42-ja-kaga:2D3A", "42-ja-kaga:3B5N")] == [f.aircraft for f in of(board.facts, AirborneOver)]


def test_n10_3_n10_13_after_the_japanese_attack_groups_without_an_airfield_are_lost_at_once() -> None:
    board = arena(["mag-13"], ["kaga"], first_light.FirstLight(), plans=["ja.first_light"], dice=[1])

    assert ["42-us-mag-13"] == [fact.aircraft for fact in of(board.facts, GroupLost)]
    assert {"mag-13": "US_RE"} == board.where("mag-13")


def test_n10_3_n11_6_kamikazes_of_a_first_light_are_destroyed_when_it_is_over() -> None:
    plans = ["ja.first_light", "ja.kamikaze"]
    board = arena(
        ["desron-12", "mag-22"], ["zuikaku"], first_light.FirstLight(), plans=plans, year=1944, coastal=False
    )

    dived = [fact.target for fact in of(board.facts, Destroyed) if fact.why == "its dive"]
    assert dived
    assert all(name.startswith("44-ja-zuikaku:") for name in dived)
    assert not {*dived} & {*fight(board).planes}
    assert "desron-12" in struck(board)
