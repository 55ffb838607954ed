"""N20.2, R-77, R-88, R-89 A Japan seat that leaves its choices to the rules, or whose time is up."""

from random import Random

from msgspec import to_builtins

from clients.bots import strengths
from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Rolled
from domain.nimitz import NIMITZ, aftermath, attacks, first_light, flight
from domain.nimitz.automaton import Chose
from domain.nimitz.blows import AirborneOver, Damaged, GroupLost
from domain.nimitz.clock import default
from domain.nimitz.decisions import AllocateHit, JaByRule, JaPickUnit, JaPlanOrder
from domain.nimitz.marches import OrderDone, Ordered
from domain.nimitz.orders import Orders
from domain.nimitz.planning import JapanesePlans
from domain.nimitz.rear import Repairs
from tests.fuzz.matches import Play, choose
from tests.nimitz.board import JA, TWO_PLAYERS, US, Board, battle, given, of, reasons, rolls
from tests.nimitz.test_07_orders import tried
from tests.nimitz.test_08_battles import stand
from tests.nimitz.test_10_battle_turn import arena, fight
from tests.nimitz.test_11_hits_and_plans import hits
from tests.seen import view


def test_n20_2_r_88_the_next_area_is_the_first_by_id() -> None:
    ja = {"CI": ["kaga", "akagi"], "EA": ["soryu", "hiryu"]}
    board = given({"HI": ["25th-inf"]}, ja, Orders(), mode=TWO_PLAYERS, dice=[1])

    board.decide(JaByRule())

    assert "CI" == of(board.facts, Ordered)[0].area


def test_n20_2_r_88_the_destination_has_the_fewest_forces_and_forces_are_drawn() -> None:
    ja = {"CI": ["ja-bn-01", "kaga"], "MA": ["ja-bn-02", "ja-bn-03"], "PH": ["2nd-inf"]}
    board = tried({}, ja, "CI", "SUPPORT", mode=TWO_PLAYERS)

    board.decide(JaByRule())

    assert [["the fewest Japanese forces there"]] == reasons(board.facts, "Destination")
    assert "PH" == of(board.facts, OrderDone)[0].to


def test_n20_2_r_88_equal_destinations_are_rolled_for() -> None:
    ja = {"CI": ["ja-bn-01", "kaga"], "MA": ["ja-bn-02"], "PH": ["2nd-inf"]}
    board = tried({}, ja, "CI", "SUPPORT", mode=TWO_PLAYERS, dice=[9])

    board.decide(JaByRule())

    assert [("random area", "CI", 9)] == rolls(board.facts)[-1:]
    assert "PH" == of(board.facts, OrderDone)[0].to


def test_n20_2_r_88_the_forces_not_picked_yet_are_drawn() -> None:
    ja = {"CI": ["kaga", "akagi", "soryu"], "MA": ["ja-bn-01"]}
    board = tried({}, ja, "CI", "WITHDRAW", mode=TWO_PLAYERS)

    board.decide(JaPickUnit("42-ja-soryu"))
    board.decide(JaByRule())

    (drawn,) = [fact for fact in of(board.facts, Chose) if "Ships" in fact.question]
    assert (("42-ja-akagi", "42-ja-kaga"), ("42-ja-akagi",)) == (drawn.candidates, drawn.chosen)
    assert ("42-ja-soryu", "42-ja-akagi") == of(board.facts, OrderDone)[0].went


def test_n20_2_r_88_escorts_go_by_value_and_id() -> None:
    board = battle(
        "SI", ["25th-inf"], ["kaga", "destroyer-gp-1", "destroyer-gp-4", "55th-inf"], mode=TWO_PLAYERS
    )

    board.decide(JaByRule())

    assert {"kaga": "JO", "destroyer-gp-1": "JO", "destroyer-gp-4": "CO"} == stand(board)


def test_n20_2_r_88_plans_stay_in_the_order_drawn() -> None:
    board = arena(["enterprise"], ["kaga"], mode=TWO_PLAYERS)
    fight(board).plans, fight(board).in_force = 2, ["ja.first_light", "ja.battalion"]
    board = Board(board.table.state, board.dice, JapanesePlans())
    assert [JaPlanOrder("ja.first_light"), JaPlanOrder("ja.battalion"), JaByRule()] == board.offered()

    board.decide(JaByRule())

    assert (["ja.first_light", "ja.battalion"], []) == (fight(board).in_force, board.asked)


def test_n20_2_r_88_first_light_comes_from_the_first_carrier_by_id() -> None:
    board = arena(
        ["enterprise"],
        ["kaga", "akagi"],
        first_light.FirstLight(),
        plans=["ja.first_light"],
        mode=TWO_PLAYERS,
    )

    board.decide(JaByRule())

    assert ["42-ja-akagi:2D3A", "42-ja-akagi:3B5N"] == [*of(board.facts, AirborneOver)[0].aircraft]


def test_n20_2_r_88_an_air_group_rolls_for_its_area() -> None:
    board = arena(
        ["enterprise", "mag-13"], ["8-sentai"], flight.JapaneseAircraft(), mode=TWO_PLAYERS, dice=[4]
    )

    board.decide(JaByRule())

    assert [("air group", "bombers:LBA", 4)] == rolls(board.facts)
    assert ["N10.5"] == [fact.rule for fact in of(board.facts, Rolled)]
    assert ["IS"] == [fact.area for fact in of(board.facts, AirborneOver)]


def test_n20_2_r_65_r_88_of_a_hit_on_japan_the_us_choose() -> None:
    ja = ["destroyer-gp-1", "destroyer-gp-4", "55th-inf"]
    board = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 3), mode=TWO_PLAYERS)
    assert ([JA], JaByRule()) == (board.asked, board.offered()[-1])

    board.decide(JaByRule())
    assert [US] == board.asked
    assert [AllocateHit("42-ja-destroyer-gp-1"), AllocateHit("42-ja-destroyer-gp-4")] == board.offered()
    board.decide(AllocateHit("42-ja-destroyer-gp-4"))

    assert ["42-ja-destroyer-gp-4"] == [fact.target for fact in of(board.facts, Damaged)][:1]


def test_n20_2_r_88_the_next_hit_is_put_to_japan_again() -> None:
    ja = ["destroyer-gp-1", "destroyer-gp-4", "destroyer-gp-5"]
    board = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 3), mode=TWO_PLAYERS)

    board.decide(JaByRule(), AllocateHit("42-ja-destroyer-gp-4"))

    left = [AllocateHit("42-ja-destroyer-gp-1"), AllocateHit("42-ja-destroyer-gp-5"), JaByRule()]
    assert ([JA], left) == (board.asked, board.offered())


def test_n20_2_r_88_lost_aircraft_and_the_last_force_to_stay_go_by_id() -> None:
    losses = arena(["enterprise"], ["8-sentai", "4-kokutai"], mode=TWO_PLAYERS)
    fight(losses).airfields[JA] = 1
    losses = Board(losses.table.state, losses.dice, aftermath.AirfieldLosses())
    losses.decide(JaByRule())
    assert ["42-ja-4-kokutai"] == [fact.aircraft for fact in of(losses.facts, GroupLost)]

    repairs = given({}, {"CI": ["2nd-inf*", "48th-inf*"]}, Repairs(), mode=TWO_PLAYERS)
    repairs.decide(JaByRule())
    assert {"2nd-inf": "CI*", "48th-inf": "JA_RE"} == repairs.where("2nd-inf", "48th-inf")


def test_n20_2_r_77_a_japan_seat_whose_time_is_up_plays_by_the_rules_to_the_end() -> None:
    random, play = Random(2), Play(NIMITZ, "1942", {"mode": TWO_PLAYERS}, 2)
    while not play.over:
        seats = play.table.prompts
        if JA in seats:
            decision = default(play.state, JA, seats[JA])
            assert JaByRule() == decision
            play.decide(JA, decision, "default")
        else:
            play.decide(*choose(play, random, 0.95))

    facts = [fact for _, fact in play.log]
    assert {"default", "forced"} == {fact.how for fact in of(facts, Decided) if fact.seat == JA}
    assert {"air group", "random area"} <= {fact.purpose for fact in of(facts, Rolled)}


def test_n20_2_r_89_the_bot_automated_leaves_every_choice_of_japan_to_the_rules() -> None:
    automated, random = strengths("nimitz")["automated"], Random(4)
    play = Play(NIMITZ, "1943", {"mode": TWO_PLAYERS}, 4)
    asked = 0
    while not play.over and asked < 40:
        seat, prompt = next(iter(play.table.prompts.items()))
        options = [NIMITZ.decision(NIMITZ.encode(option)) for option in prompt.options]
        listed = [{"type": type(one).__name__, **plain(one)} for one in options]
        shown = {"seat": seat, "rule": prompt.rule, "text": prompt.text, "options": listed}
        seen = to_builtins(view(NIMITZ, play.state, Audience.of(seat)), str_keys=True)
        picked = automated(seen, shown, random)
        decision = options[listed.index(picked)]
        if seat == JA:
            asked += 1
            assert JaByRule() == decision
        play.decide(seat, decision)

    assert asked


def plain(decision: object) -> dict[str, object]:
    """The fields of a decision."""
    return {name: getattr(decision, name) for name in getattr(decision, "__struct_fields__", ())}
