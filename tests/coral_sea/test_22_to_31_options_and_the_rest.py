"""C22 optional rules, C23 victory, C24 setup, C25 decisions, C26 events, C27 secrets, C31 balance."""

from random import Random

import pytest

from domain.coral_sea import CORAL_SEA, DECISIONS, FACTS
from domain.coral_sea.charts import CARDS, CHITS, VP_SITES
from domain.coral_sea.decisions import (
    ChooseMode,
    ChooseUnit,
    DiscardForRp,
    DrawCard,
    EmbarkFrom,
    Pass,
    PlayCard,
    PlayChit,
    RepairAirfield,
    RetreatTo,
    SetTop,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.fighting import BattleBegan, BunkerAttached
from domain.coral_sea.happenings import UnitsShown
from domain.coral_sea.intelligence import HIDDEN, cover, seen
from domain.coral_sea.places import AirfieldDamaged
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.targets import diseased
from domain.coral_sea.victory import points
from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import Drew, Rolled, Secret, UmpireFact
from domain.kernel.procedures import Decision, Prompt, Sight
from tests.coral_sea.board import AL, DARK, JP, Board, Where, action, given, land_battle, of, operation, sail
from tests.coral_sea.invariants import invariants
from tests.kernel.playing import Playing, any_choice, played_out
from tests.seen import view


@pytest.mark.parametrize(("die", "damaged"), [(6, []), (7, ["lae"])])
def test_c22_1_air_attacks_on_airfields(die: int, damaged: list[str]) -> None:
    board = action(
        AL,
        {},
        hands=((), ("A05",)),
        control={"lae": JP},
        options={"air_attacks_on_airfields": True},
        dice=[die],
    )
    facts = board.go(PlayCard("A05"))

    assert damaged == board.open.damaged
    assert [die] == [fact.dice[0] for fact in of(facts, Rolled)]
    assert len(damaged) == len(of(facts, AirfieldDamaged))


def test_c22_1_a_unit_there_repairs_without_acting_r71() -> None:
    board = operation(
        AL,
        "port_moresby",
        {"a_30": "port_moresby"},
        options={"air_attacks_on_airfields": True},
        change={"damaged": ["port_moresby"]},
    )
    board.go(RepairAirfield("port_moresby"))

    assert ([], False) == (board.open.damaged, board.open.units["a_30"].acted)


def test_c22_2_the_enemy_sees_the_top_and_the_height_r72() -> None:
    board = given(None, CoralSea(), options=DARK)
    table = view(CORAL_SEA, board.table.state, Audience.of(AL))["table"]

    assert {"top": "rp", "height": 12} == table["stacks"]["rabaul"]["japan"]
    assert "j_144" not in {n for n, u in table["units"].items() if u.get("area")}
    assert "j_144" in view(CORAL_SEA, board.table.state, Audience.of(JP))["table"]["own"]["units"]


def test_c22_2_the_owner_sets_another_top_c25_2_r84() -> None:
    board = given(None, CoralSea(), options=DARK)
    board.go(SetTop("rabaul", "j_base8"), seat=JP)

    assert "j_base8" == board.table.open.stacks[JP]["rabaul"].top
    assert [] == [o for o in board.offered(SetTop, seat=JP) if isinstance(o, SetTop) and o.area == "rabaul"]


def test_c22_2_units_in_a_battle_are_seen_while_it_lasts() -> None:
    units = {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west", "a_30": "coral_sea_west"}
    board = operation(JP, "papuan_coast", units, options=DARK, draws=["j_n_gunnery"], dice=[10])
    cover_all(board)
    assert not set(units) & set(board.table.open.units)
    facts = sail(board, ["j_crudiv6"], "coral_sea_west")

    assert 1 == len(of(facts, BattleBegan))
    assert {"j_crudiv6", "a_tf17"} == {n for fact in of(facts, UnitsShown) for n in fact.units}
    assert {"j_crudiv6", "a_tf17"} == set(units) & set(board.table.open.units)
    board.go(PlayChit("j_n_gunnery"), RetreatTo("port_moresby"))
    assert board.open.battle is None
    assert not set(units) & set(board.table.open.units)


def cover_all(board: Board) -> None:
    """Hide what lies open, and ask again."""
    cover(board.table)
    board.table._advance()


def test_c22_2_lists_do_not_look_through_hidden_stacks_r83() -> None:
    board = given(
        {"j_144": "lae", "a_30": "noumea"}, CoralSea(at="sequence"), options=DARK, control={"lae": JP}
    )
    cover_all(board)
    known = seen(Sight(AL, AL, board.table.open, board.own(AL)))

    assert any(unit.area == "lae" for _, unit in known.units.items())
    assert [] == diseased(known, AL)
    assert "lae" in HIDDEN


def test_c23_1_the_game_ends_at_once_r58() -> None:
    board = action(
        JP,
        {},
        hands=(("J04",), ()),
        control={"port_moresby": JP, "lae": JP, "buna": JP},
        change={"decks": [10, 10]},
    )
    board.go(PlayCard("J04"))

    assert board.table.state.match.over
    assert "Sudden Death: Port Moresby Falls" == board.table.state.match.reason


def test_c21_4_sudden_death_does_not_by_itself_win_r58_r59() -> None:
    board = action(
        AL,
        {"a_30": "port_moresby", "a_1m": "guadalcanal_west"},
        hands=((), ("A01",)),
        change={"decks": [20, 10], "bonus": [40, 0]},
    )
    board.go(PlayCard("A01"))

    assert JP == board.table.state.match.winner


def test_c23_2_what_the_sites_are_worth_r27() -> None:
    assert 28 == sum(site.value for site in VP_SITES)
    now = given().open
    assert (5, 23) == (points(now, JP), points(now, AL))
    split = given(control={"guadalcanal_west": JP}).open
    assert (5, 20) == (points(split, JP), points(split, AL))


def test_c23_3_c23_4_units_destroyed_and_bonus() -> None:
    now = given({}, change={"destroyed_points": [3, 0], "bonus": [2, 1]}).open

    assert (10, 24) == (points(now, JP), points(now, AL))


@pytest.mark.parametrize(("bonus", "winner"), [(3, JP), (2, None), (1, AL)])
def test_c23_5_more_points_win_and_equal_is_a_draw(bonus: int, winner: int | None) -> None:
    board = action(
        JP,
        {},
        hands=(("J04",), ()),
        control={"port_moresby": JP, "lae": JP, "buna": JP},
        change={"decks": [10, 10], "bonus": [bonus - 4, 0]},
    )
    board.go(PlayCard("J04"))

    assert winner == board.table.state.match.winner
    assert (12 + bonus, 14) == board.open.points


def test_c24_1_c24_2_c24_3_the_setup_r66() -> None:
    now = given().open
    at_start = {
        "rabaul": {"j_144", "j_kure3", "j_base8", "j_shoho", "j_crudiv6", "j_crudiv18", "j_desron6"},
        "kavieng": {"j_sasebo5"},
        "port_moresby": {"a_30"},
        "papuan_coast": {"a_tf44", "a_desron2"},
        "australia": {"a_7"},
        "noumea": {"a_182", "a_yorktown", "a_tf17"},
    }

    assert {unit: area for area, units in at_start.items() for unit in units} == {
        name: unit.area for name, unit in now.units.items() if unit.area
    }
    assert ({"rabaul": 5}, {"australia": 2, "noumea": 2, "port_moresby": 1, "papuan_coast": 1}) == now.rp
    assert [3, 3] == now.counters


def test_c24_4_five_cards_each_and_27_left_r85() -> None:
    board = given(None, CoralSea())

    assert ([5, 5], [27, 27]) == (board.open.hands, board.open.decks)
    assert {5} == {len(board.own(side).hand) for side in (JP, AL)}
    assert [32, 32] == [fact.left for fact in board.facts if isinstance(fact, Drew)]


def test_c24_5_reinforcements_need_a_place() -> None:
    board = action(JP, {}, hands=(("J12",), ()), control={"rabaul": AL})

    assert [] == board.offered(PlayCard)


def test_c25_1_a_single_entry_is_taken_without_asking_but_for_some() -> None:
    board = given(None, CoralSea(at="sequence"), rp=({}, {}))

    assert [ChooseMode("card")] == board.offered(seat=JP)


def test_c25_all_kinds_of_decision() -> None:
    assert 46 == len(DECISIONS)
    named = " ".join(kind.__doc__ or "" for kind in DECISIONS)

    assert [] == [n for n in range(1, 25) if f"D{n}:" not in named and f"D{n}," not in named]


def test_c25_2_supply_is_paid_when_the_picks_are_done_c25_3() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "abau"})
    board.go(StartGroundMove("abau"))
    assert 6 == board.sp
    prompt = board.table.prompts[AL]

    assert prompt.options[0] == CORAL_SEA.default(board.table.state, AL, prompt)
    asked = Prompt("C6.5", "", (Pass(),))
    assert Pass() == CORAL_SEA.default(board.table.state, AL, asked)
    assert ChooseMode("card") == CORAL_SEA.default(
        board.table.state, AL, Prompt("C5.2", "", (ChooseMode("map"), ChooseMode("card")))
    )
    assert DrawCard() == CORAL_SEA.default(
        board.table.state, AL, Prompt("C5.6", "", (DiscardForRp("A05"), DrawCard()))
    )


def test_c26_1_c26_2_every_fact_is_there_and_the_log_alone_rebuilds_the_state() -> None:
    playing = played_out(CORAL_SEA, "campaign", seed=3)
    facts = [fact for _, fact in playing.standing()]
    state = CORAL_SEA.state()
    for fact in facts:
        CORAL_SEA.fact(CORAL_SEA.encode(fact)).fold(state)

    assert CORAL_SEA.encode(playing.state) == CORAL_SEA.encode(state)
    assert [] == list(invariants(playing.state.open))


def test_c27_hidden_things_are_secrets() -> None:
    secret = {kind.__name__ for kind in FACTS if issubclass(kind, Secret)}

    assert {
        "CardDrawn",
        "CardLeft",
        "CardDiscarded",
        "ModeHeld",
        "HandSeen",
        "ChitDrawn",
        "ChitLeft",
    } <= secret
    assert [] == [kind for kind in FACTS if issubclass(kind, UmpireFact)]


EVENTS = (
    "ModeCommitted ModesRevealed OperationWon OperationOpened SupplyLeft UnitsMoved BattleBegan CupRefilled "
    "ChitDrawn ChitRevealed CheckRolled UnitDepleted UnitDisorganised UnitDestroyed BattleEnded "
    "ControlChanged RpHas CardPlayed CardDrawn CardDiscarded HandSeen InitiativeChanged OperationEnded"
)


@pytest.mark.parametrize("name", EVENTS.split())
def test_c26_2_the_events_of_the_list(name: str) -> None:
    assert [name] == [kind.__name__ for kind in FACTS if kind.__name__ == name]


def test_c12_5_the_56_chits() -> None:
    counts = {
        (side, domain): sum(c.count for c in CHITS.values() if (c.side, c.domain) == (side, domain))
        for side in ("japan", "allied")
        for domain in ("ground", "naval")
    }

    assert {
        ("japan", "ground"): 15,
        ("allied", "ground"): 15,
        ("japan", "naval"): 13,
        ("allied", "naval"): 13,
    } == counts


CHIT_EFFECTS = {
    "j_g_close_combat": ([10, 10], {"a_30": "o", "j_144": "d"}),
    "j_g_might_of_will": ([5, 1], {"a_30": "full", "j_144": "d"}),
    "j_g_ambush": ([10], {"a_30": "d", "j_144": "full"}),
    "j_g_poor_coordination": ([10], {"a_30": "full", "j_144": "o"}),
    "j_g_bunkers": ([], {"a_30": "full", "j_144": "full"}),
    "j_g_shore_bombardment": ([10], {"a_30": "d", "j_144": "full"}),
    "j_g_air_strike": ([10], {"a_30": "d", "j_144": "full"}),
    "a_g_shore_bombardment": ([10], {"a_30": "full", "j_144": "d"}),
    "a_g_air_strike": ([8], {"a_30": "full", "j_144": "d"}),
    "a_g_bombardment": ([10], {"a_30": "full", "j_144": "d"}),
    "a_g_poor_coordination": ([10], {"a_30": "o", "j_144": "full"}),
    "a_g_assault": ([10, 1], {"a_30": "full", "j_144": "o"}),
}


@pytest.mark.parametrize("chit", CHIT_EFFECTS)
def test_c12_8_every_ground_chit_r30(chit: str) -> None:
    dice, expected = CHIT_EFFECTS[chit]
    mine = CHITS[chit].owner
    others = {"j_crudiv6": "ward_hunt_strait"} if mine == JP else {"a_tf17": "ward_hunt_strait"}
    attacker = AL if chit == "j_g_bunkers" else mine
    one, other = ("j_144", "a_30") if attacker == JP else ("a_30", "j_144")
    board = land_battle(
        attacker,
        "buna",
        {one: ""},
        {other: ""},
        origin="morobe",
        others=others,
        control={"lae": JP if mine == JP else AL},
        draws=[chit, "a_g_assault"],
        dice=dice if chit != "j_g_bunkers" else [1] * 9,
    )
    if board.asked != [mine]:
        board.go(*board.offered(PlayChit)[:1])
    board.go(PlayChit(chit))
    board.go(*board.offered(ChooseUnit)[:1])

    assert expected == {name: board.state(name) for name in expected}
    assert [BunkerAttached("j_144")] * (chit == "j_g_bunkers") == of(board.facts, BunkerAttached)


def test_c12_8_the_tables_of_effects_hold_every_chit_r30_r31() -> None:
    assert set(CHITS) == {*CHIT_EFFECTS, *NAVAL_EFFECTS}


NAVAL_EFFECTS = {
    "j_n_night_battle": ([10, 10], {"a_tf44": "do", "j_desron2": "o"}),
    "j_n_long_lance": ([10], {"a_tf44": "d", "j_desron2": "full"}),
    "j_n_gunnery": ([8, 7], {"a_tf44": "o", "j_desron2": "o"}),
    "j_n_air_strike": ([7], {"a_tf44": "d", "j_desron2": "full"}),
    "a_n_night_battle": ([9], {"a_desron2": "full", "j_desron2": "do"}),
    "a_n_torpedoes": ([9], {"a_desron2": "full", "j_desron2": "d"}),
    "a_n_gunnery": ([9, 5], {"a_desron2": "o", "j_desron2": "o"}),
    "a_n_air_strike": ([8], {"a_desron2": "full", "j_desron2": "d"}),
}


@pytest.mark.parametrize("chit", NAVAL_EFFECTS)
def test_c12_8_every_naval_chit_r31(chit: str) -> None:
    dice, expected = NAVAL_EFFECTS[chit]
    attacker = CHITS[chit].owner
    ally = "a_desron2" if "a_desron2" in expected else "a_tf44"
    units = {"j_desron2": "st_georges_channel", ally: "solomon_sea_west"}
    start = units["j_desron2" if attacker == JP else ally]
    there = units[ally if attacker == JP else "j_desron2"]
    board = operation(attacker, start, units, draws=[chit], dice=dice, control={"buna": AL})
    sail(board, ["j_desron2" if attacker == JP else ally], there)
    board.go(PlayChit(chit))
    while board.open.battle and board.offered() and not board.offered(PlayChit):
        board.go(board.offered()[0])

    assert expected == {name: board.state(name) for name in expected}


def test_c21_3_permanent_cards() -> None:
    assert {"J05", "J06", "A03", "A04"} == {card for card, printed in CARDS.items() if printed.permanent}


def test_c20_3_c21_1_midways_carriers_do_not_count_r62() -> None:
    board = action(JP, {"j_shoho": "rabaul", "a_yorktown": "noumea"}, hands=(("J06",), ()))
    board.go(PlayCard("J06"))

    assert ([0, 0], [0, 0]) == (board.open.fallen, board.open.destroyed_points)


@pytest.mark.parametrize(("state", "offered"), [("", [EmbarkFrom("choiseul")]), ("do", [])])
def test_c10_4_c18_3_a_pause_must_leave_a_legal_end_r87(state: str, offered: list[Decision]) -> None:
    """Beside the Truk Fleet the ships cannot stay; with Range 2 left they could not go on after embarking."""
    units: dict[str, Where] = {"j_crudiv6": ("st_georges_channel", state), "j_shokaku": "nukumanu_sea"}
    board = operation(JP, "st_georges_channel", {**units, "j_144": "choiseul"}, rp=({"nukumanu_sea": 1}, {}))
    board.go(StartNavalMove(), StepTo("nuguria_sea"), StepTo("nukumanu_sea"))

    assert offered == board.offered(EmbarkFrom)
    assert [] == board.offered(Stop)
    assert StepTo("shortland_waters") in board.offered()


def test_c2_4_c7_1_slips_of_the_pen_r68_r76() -> None:
    assert "malus" not in " ".join(card.text for card in CARDS.values())


ENDS = {
    "the last card is drawn",
    "Sudden Death: Port Moresby Falls",
    "Sudden Death: Turn of the Tide",
    "Sudden Death: Lifeline Cut",
}


@pytest.mark.parametrize("seed", range(4))
def test_c31_1_c31_2_c31_3_a_random_match_is_sound_to_its_end_in_a_sensible_time(seed: int) -> None:
    """Chance draws its last card later than the players of C31.3 did: never before 30 sequences."""
    playing, chance = Playing(CORAL_SEA, "campaign", {}, seeded(seed)), Random(seed)
    while not playing.state.match.over:
        playing.decide(*any_choice(playing.table, chance))
        assert [] == list(invariants(playing.state.open))

    assert playing.state.match.reason in ENDS
    assert 30 < playing.state.open.sequence < 130


def test_c31_5_what_was_tuned() -> None:
    now = given().open

    assert {"lae": 3, "buin": 3, "noumea": 2}.items() <= {s.urban_area: s.value for s in VP_SITES}.items()
    assert {"a_tf44": "papuan_coast"} == given().at("a_tf44")
    assert (5, 6) == (sum(now.rp[JP].values()), sum(now.rp[AL].values()))
    assert dict.fromkeys(("J03", "J04", "A01"), 10) == {
        card: need.n for card in CARDS for need in CARDS[card].prerequisites if need.type == "deck_at_most"
    }
