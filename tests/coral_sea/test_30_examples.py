"""C30 The worked examples, to the last die."""

from collections.abc import Iterator

import pytest

from domain.coral_sea import atlas, charts, retreat
from domain.coral_sea.decisions import (
    ChooseMode,
    ChooseUnit,
    Done,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    PlayChit,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.facts import OperationWon, SupplyLeft
from domain.coral_sea.fortress import Entering
from domain.coral_sea.isolation import isolated
from domain.coral_sea.printed import Chit, ChitEffect, Counter, SideId, Values
from domain.coral_sea.sequence import CoralSea, Sequence
from domain.coral_sea.units import cohesion
from domain.coral_sea.victory import points
from domain.kernel.facts import Rolled
from tests.coral_sea.board import AL, JP, Board, Opened, dice_of, given, of, opened, operation


def operation_example() -> Board:
    board = operation(
        AL,
        "gulf_of_papua",
        {
            "a_desron2": "gulf_of_papua",
            "a_tf44": "gulf_of_papua",
            "a_7": "gulf_of_papua",
            "a_126": "port_moresby",
            "a_tf17": "port_moresby",
            "a_30": "australia",
        },
        rp=({}, {"gulf_of_papua": 1}),
    )

    assert (1, 6) == (board.open.rp[AL]["gulf_of_papua"], board.sp)
    assert [StartGroundMove("port_moresby")] == board.offered(StartGroundMove)
    board.go(StartNavalMove())
    assert [PickUnit("a_tf44"), PickUnit("a_desron2")] == board.offered(PickUnit)
    board.go(PickUnit("a_desron2"), Done())
    assert 4 == board.sp
    board.go(LoadUnit("a_7"), LoadRp())
    board.go(StepTo("papuan_coast"), LandAt("abau"))
    assert {"a_7": "abau"} == board.at("a_7")
    board.go(StepTo("gulf_of_papua"), Stop())
    assert {"gulf_of_papua": 1} == board.open.rp[AL]
    assert 4 == board.sp
    board.go(StartNavalMove(), Done())
    assert 2 == board.sp
    board.go(StepTo("australia"), Stop())
    return board.quiet()


def test_c30_1_the_operation_example_c7_4_c10_4_c11_2_r8_r10_r11_r13_r16() -> None:
    board = operation_example()

    assert board.open.operation is None
    assert {"a_7": "abau", "a_desron2": "gulf_of_papua", "a_tf44": "australia"} == board.at(
        "a_7", "a_desron2", "a_tf44"
    )
    assert "full" == board.state("a_7")
    assert {"gulf_of_papua": 1} == board.open.rp[AL]
    assert [] == dice_of(board.facts)


@pytest.fixture
def rossosh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The series' own map, counters and chits: Germans in the place of the Allies, Soviets in Japan's."""
    printed = dict(charts.CHITS)
    line = ("west", "rossosh", "mid", "buturlinovka")
    for name, area in zip(line, ("lae", "madang", "wau", "buna"), strict=True):
        monkeypatch.setitem(charts.AREAS, name, charts.AREAS[area])
        before = line[max(0, line.index(name) - 1)]
        after = line[min(3, line.index(name) + 1)]
        monkeypatch.setitem(atlas.LAND, name, tuple(a for a in dict.fromkeys((before, after)) if a != name))
        monkeypatch.setitem(atlas.COAST, name, ())
        monkeypatch.setitem(atlas.DISTANCE, name, {a: abs(line.index(a) - line.index(name)) for a in line})
    counters: list[tuple[str, SideId, int, int, int, int]] = [
        ("PzC48", "allied", 7, 4, 6, 3),
        ("IC29", "allied", 7, 2, 6, 1),
        ("A65", "japan", 6, 1, 5, 1),
        ("A46", "japan", 6, 1, 5, 1),
    ]
    for name, side, c, t, dc, dt in counters:
        counter = Counter(
            name,
            name,
            side,
            "none",
            "ground",
            "infantry",
            Values(c, 3, t),
            Values(dc, 2, dt),
            truk_fleet=False,
            vp_if_destroyed=1,
        )
        monkeypatch.setitem(charts.UNITS, name, counter)
        monkeypatch.setitem(charts.OWNERS, name, counter.owner)
    for kind in list(charts.CHITS):
        if charts.CHITS[kind].domain == "ground":
            del charts.CHITS[kind]

    def check(side: str, on_fail: str, modifier: int = 0) -> ChitEffect:
        return ChitEffect("check", side, modifier, on_fail)

    for chit in (
        Chit("air_strike", "allied", "ground", "Air Strike", 1, (), (check("japan", "disorganized", 2),)),
        Chit(
            "assault",
            "allied",
            "ground",
            "Assault",
            3,
            (),
            (check("japan", "disorganized"), check("allied", "depleted")),
        ),
        Chit(
            "human_wave",
            "japan",
            "ground",
            "Human Wave",
            1,
            (),
            (ChitEffect("automatic", "japan", result="depleted"), check("allied", "disorganized")),
        ),
        Chit(
            "coordination", "japan", "ground", "Poor Coordination", 1, (), (check("japan", "disorganized"),)
        ),
    ):
        charts.CHITS[chit.id] = chit
    monkeypatch.setattr(retreat, "RETREAT_AREAS", 2)
    yield
    charts.CHITS.clear()
    charts.CHITS.update(printed)  # in their order, on which draws depend


@pytest.mark.usefixtures("rossosh")
def test_c30_2_the_rossosh_battle_c12_8_c13_1_r32_r33_r77() -> None:
    board = given(
        dict.fromkeys(("PzC48", "IC29", "A65", "A46"), "rossosh"),
        CoralSea(at="again"),
        Sequence(at="first_card"),
        Opened(AL, "west"),
        Entering(units=("PzC48", "IC29"), side=AL, area="rossosh", origin="west"),
        rp=({"buturlinovka": 1}, {}),
        control={"rossosh": JP, "mid": JP, "buturlinovka": JP, "west": AL},
        dice=[7, 7, 2, 8, 6],
        draws=["air_strike", "assault", "assault", "assault", "human_wave", "coordination"],
        change=opened(AL, "west"),
    ).quiet()

    board.go(PlayChit("air_strike"), ChooseUnit("A65"))
    assert {"A65": "buturlinovka"} == board.at("A65")
    assert "o" == board.state("A65")
    board.go(PlayChit("human_wave"), ChooseUnit("PzC48"))
    assert ("d", "full") == (board.state("A46"), board.state("PzC48"))
    assert ["coordination"] == board.own(JP).chits
    board.go(PlayChit("assault"), ChooseUnit("IC29"))
    assert ("d", "d") == (board.state("A46"), board.state("IC29"))
    board.go(PlayChit("coordination"))

    assert {"A46": "buturlinovka", "PzC48": "rossosh"} == board.at("A46", "PzC48")
    assert ("do", "o") == (board.state("A46"), board.state("A65"))
    assert AL == board.open.control["rossosh"]
    assert 5 == len(dice_of(board.facts))
    assert board.open.battle is None


def naval_battle() -> Board:
    board = operation(
        JP,
        "the_slot",
        {
            "j_crudiv6": "the_slot",
            "j_desron2": "the_slot",
            "j_28": "the_slot",
            "a_tf62": "ironbottom_sound",
            "a_desron4": "ironbottom_sound",
            "a_5m": "ironbottom_sound",
        },
        rp=({"the_slot": 1}, {}),
        dice=[6, 5, 9, 7, 4, 7],
        draws=[
            "j_n_night_battle",
            "j_n_long_lance",
            "j_n_gunnery",
            "a_n_gunnery",
            "a_n_torpedoes",
            "a_n_gunnery",
        ],
    )

    board.go(StartNavalMove(), PickUnit("j_crudiv6"), PickUnit("j_desron2"))
    assert 4 == board.sp
    board.go(StepTo("ironbottom_sound"))
    assert (6, 6) == (len(board.own(JP).cup), len(board.own(AL).cup))
    board.go(PlayChit("j_n_night_battle"), ChooseUnit("a_tf62"))
    assert [RetreatTo(a) for a in ("milne_bay", "buin", "tulagi", "espiritu_santo")] == board.offered()
    board.go(RetreatTo("tulagi"), ChooseUnit("j_desron2"))
    assert {"a_tf62": "tulagi", "a_5m": "ironbottom_sound"} == board.at("a_tf62", "a_5m")
    assert ("do", "do") == (board.state("a_tf62"), board.state("a_5m"))
    board.go(PlayChit("a_n_torpedoes"), ChooseUnit("j_desron2"))
    assert ("d", "d") == (board.state("j_desron2"), board.state("j_28"))
    board.go(PlayChit("j_n_long_lance"))
    assert "d" == board.state("a_desron4")
    board.go(PlayChit("a_n_gunnery"), RetreatTo("tulagi"), ChooseUnit("j_crudiv6"))
    return board.quiet()


def test_c30_3_naval_battle_with_cargo_c10_11_c12_18_r9_r41() -> None:
    board = naval_battle()

    assert ["full", "d", "d"] == [board.state(n) for n in ("j_crudiv6", "j_desron2", "j_28")]
    assert {"ironbottom_sound": 1} == board.open.rp[JP]
    tulagi = ("a_tf62", "a_desron4", "a_5m")
    assert dict.fromkeys(tulagi, "tulagi") == board.at(*tulagi)
    assert ["do"] * 3 == [board.state(name) for name in tulagi]
    assert 4 == of(board.facts, SupplyLeft)[-1].sp
    assert board.open.operation is None
    assert [6, 5, 9, 7, 4, 7] == dice_of(board.facts)
    assert [0, 0] == board.open.destroyed_points


def landing() -> Board:
    board = operation(
        AL,
        "espiritu_santo",
        {
            "a_tf62": "espiritu_santo",
            "a_desron4": "espiritu_santo",
            "a_1m": "espiritu_santo",
            "a_5m": "espiritu_santo",
            "j_28": ("guadalcanal_lunga", "d"),
            "j_yoko5": "guadalcanal_lunga",
        },
        rp=({"rabaul": 3}, {"espiritu_santo": 1}),
        control={"guadalcanal_lunga": JP, "guadalcanal_west": JP},
        change={"airfields": {"guadalcanal_lunga": JP}, "counters": [2, 3]},
        dice=[8, 9, 9, 10, 4, 9, 3, 6, 3, 7, 5, 2],
        draws=[
            *("a_g_shore_bombardment", "a_g_assault", "a_g_bombardment"),
            *("j_g_bunkers", "j_g_air_strike", "j_g_ambush", "j_g_poor_coordination"),
            *("a_g_assault", "a_g_bombardment", "a_g_assault"),
            *("a_g_assault", "a_g_bombardment", "j_g_close_combat", "j_g_ambush"),
        ],
    )
    assert (8, 20) == (points(board.open, JP), points(board.open, AL))

    board.go(StartNavalMove(), PickUnit("a_tf62"), PickUnit("a_desron4"))
    board.go(LoadUnit("a_1m"), LoadUnit("a_5m"), LoadRp())
    board.go(StepTo("espiritu_sea"), StepTo("torpedo_junction"), StepTo("indispensable_strait"))
    board.go(LandAt("guadalcanal_lunga"), PickUnit("a_1m"), PickUnit("a_5m"))
    assert (8, 10) == (len(board.own(AL).cup), len(board.own(JP).cup))
    board.go(PlayChit("a_g_shore_bombardment"), ChooseUnit("j_28"))
    assert ({"j_28": "guadalcanal_west"}, "do") == (board.at("j_28"), board.state("j_28"))
    assert ["guadalcanal_lunga"] == board.open.suppressed
    board.go(PlayChit("j_g_bunkers"))
    board.go(PlayChit("a_g_assault"), ChooseUnit("a_1m"))
    assert {"a_1m": "indispensable_strait"} == board.at("a_1m")
    board.go(PlayChit("j_g_air_strike"))
    board.go(PlayChit("a_g_bombardment"))
    assert "d" == board.state("j_yoko5")
    assert 3 == len(board.own(AL).chits)
    board.go(PlayChit("j_g_ambush"))
    board.go(PlayChit("a_g_assault"))
    assert {"j_yoko5": "guadalcanal_west"} == board.at("j_yoko5")
    assert AL == board.open.control["guadalcanal_lunga"]
    assert ({"guadalcanal_lunga": AL}, [2, 2]) == (board.open.airfields, board.open.counters)
    board.go(Stop())
    board.quiet()
    assert ("o", "do", "do") == (board.state("a_1m"), board.state("j_28"), board.state("j_yoko5"))
    assert {"indispensable_strait": 1} == board.open.rp[AL]
    assert 4 == of(board.facts, SupplyLeft)[-1].sp
    assert board.open.operation is None
    assert isolated(board.open, "j_28")
    assert isolated(board.open, "j_yoko5")
    assert (5, 20) == (points(board.open, JP), points(board.open, AL))
    assert [8, 9, 9, 10, 4, 9, 3] == dice_of(board.facts)

    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)
    board.go(StartGroundMove("guadalcanal_lunga"))
    assert 5 == board.sp
    board.until(PlayChit)
    assert "d" == board.state("a_5m")
    assert (5, 4) == (cohesion(board.open, "j_28", True), cohesion(board.open, "j_yoko5", True))
    board.go(PlayChit("a_g_bombardment"), ChooseUnit("j_28"))
    assert "destroyed" == board.state("j_28")
    board.go(PlayChit("j_g_close_combat"), PlayChit("a_g_assault"))
    return board


def test_c30_4_landing_at_lunga_and_clearing_the_island_c12_16_c12_17_c12_12_c19_6_r23_r42_r43_r90() -> None:
    board = landing()

    assert "destroyed" == board.state("j_yoko5")
    assert (5, 25) == (points(board.open, JP), points(board.open, AL))
    assert 2 == board.open.fallen[JP]
    assert ({"a_5m": "guadalcanal_west"}, "d") == (board.at("a_5m"), board.state("a_5m"))
    assert [6, 3, 7, 5, 2] == dice_of(board.facts)[7:]


@pytest.mark.parametrize(
    ("faces", "midway", "winner"), [([4, 6], False, JP), ([3, 6], False, AL), ([3, 6], True, JP)]
)
def test_c30_5_c5_3_both_chose_map_r75(faces: list[int], midway: bool, winner: int) -> None:
    board = given(None, CoralSea(at="sequence"), dice=faces, permanent=["J06"] if midway else [])

    facts = board.go(ChooseMode("map"), seat=JP)
    facts = board.go(ChooseMode("map"), seat=AL)

    assert [winner] == [fact.side for fact in of(facts, OperationWon)]
    assert ["operation", "operation"] == [fact.purpose for fact in of(facts, Rolled)]


def test_c30_5_c3_4_distances_r20() -> None:
    assert 4 == atlas.DISTANCE["buna"]["rabaul"]
    assert 5 == atlas.DISTANCE["port_moresby"]["rabaul"]
    assert 2 == atlas.DISTANCE["australia"]["gulf_of_papua"]
    assert 0 == atlas.DISTANCE["lae"]["lae"]


def test_c30_5_c8_3_a_march_of_two_areas_wears_a_unit_once_r24() -> None:
    board = operation(JP, "lae", {"j_144": "lae"}, control={"lae": JP})

    board.go(StartGroundMove("lae"), StepTo("morobe"), StepTo("buna"))
    assert "d" == board.state("j_144")
    board.go(StepTo("kokoda"))
    board.quiet()

    assert ({"j_144": "kokoda"}, "d") == (board.at("j_144"), board.state("j_144"))
    assert [JP, JP, JP] == [board.open.control[a] for a in ("morobe", "buna", "kokoda")]


def test_c30_5_c8_3_a_depleted_unit_is_disorganised_before_the_battle() -> None:
    board = operation(JP, "lae", {"j_144": ("lae", "d"), "a_30": "morobe"}, control={"lae": JP, "morobe": AL})

    board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert "do" == board.state("j_144")
    assert 6 == cohesion(board.open, "j_144")
    assert 1 == len(board.own(JP).chits)
