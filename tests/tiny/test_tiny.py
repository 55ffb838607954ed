"""The tiny title by its rule numbers, its words, and the number of its lines."""

import re
from collections.abc import Sequence
from itertools import islice

import pytest
from msgspec import structs

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Fact, Modifier, Rolled, State
from domain.kernel.procedures import Decision, Prompt
from domain.kernel.table import Table
from domain.match.game import COMMON
from domain.match.notices import GameEnded
from tests.kernel.playing import Playing, copy_of, played_out
from tests.tiny import GAME
from tests.tiny.charts import CARDS, ISLETS
from tests.tiny.decisions import Lose, Pass, Play, Press, Sail
from tests.tiny.facts import (
    BoatPlaced,
    CardDrawn,
    CardPlayed,
    CardsSpent,
    FlagRaised,
    HandHas,
    Ordered,
    OrdersOpened,
    StepsLeft,
    TurnBegan,
)

DEALT = [[1]] * 6
"""Draws from the top of the pile: North holds cards 1, 2 and 5, South 3, 4 and 6.

Shells are 1 and 5, squalls 2 and 6, letters 3, smoke 4. In turn 1 South has the initiative.
"""

WEST, MIDDLE = Sail("islet:1"), Sail("islet:2")


def skirmish(*rolls: Sequence[int], night: bool = False) -> Playing:
    return Playing(GAME, "skirmish", {"night": night}, Scripted([*DEALT, *rolls]))


def met(*rolls: Sequence[int], night: bool = False) -> Playing:
    playing = skirmish(*rolls, night=night)
    playing.decide(0, WEST)
    playing.decide(1, WEST)
    return playing


def parted(*rolls: Sequence[int]) -> Playing:
    playing = skirmish(*rolls)
    playing.decide(0, WEST)
    playing.decide(1, MIDDLE)
    return playing


def both_pass(playing: Playing) -> list[Fact]:
    (first,) = playing.table.prompts
    playing.decide(first, Pass())
    return playing.decide(1 - first, Pass())


def kinds(facts: Sequence[Fact], *wanted: type[Fact]) -> list[Fact]:
    return [fact for fact in facts if isinstance(fact, wanted)]


def test_2_1_each_side_has_its_boats() -> None:
    boats = [fact for _, fact in skirmish().log if isinstance(fact, BoatPlaced)]

    assert ["boat:n1", "boat:n2", "boat:s1", "boat:s2"] == [fact.boat for fact in boats]
    assert 6 == sum(isinstance(fact, BoatPlaced) for _, fact in Playing(GAME, "campaign").log)


def test_2_1_in_pairs_admirals_order_and_captains_react() -> None:
    playing = Playing(GAME, "campaign", {"pairs": True})
    assert {0, 1} == set(playing.table.prompts)

    playing.decide(0, WEST)
    playing.decide(1, WEST)

    assert [3] == list(playing.table.prompts)
    playing.decide(3, Pass())
    assert [2] == list(playing.table.prompts)


def test_2_2_two_cards_each_and_3_2_one_a_turn() -> None:
    drawn = kinds([fact for _, fact in skirmish().log], CardDrawn, HandHas, TurnBegan)

    assert [
        CardDrawn(0, "card:01"),
        CardDrawn(0, "card:02"),
        HandHas(0, 2),
        CardDrawn(1, "card:03"),
        CardDrawn(1, "card:04"),
        HandHas(1, 2),
        TurnBegan(1),
        CardDrawn(0, "card:05"),
        HandHas(0, 3),
        CardDrawn(1, "card:06"),
        HandHas(1, 3),
    ] == drawn


def test_3_1_after_the_last_turn_the_flags_are_counted() -> None:
    playing = Playing(GAME, "skirmish", {"turns": 1}, Scripted(DEALT))
    playing.decide(0, WEST)
    playing.decide(1, MIDDLE)

    assert GameEnded(None, "1 flags against 1", "7.2") == both_pass(playing)[-1]


def test_3_2_nobody_draws_when_the_pile_is_empty() -> None:
    longest = played_out(GAME, "campaign", {"turns": 8}, seed=5)
    drawn = kinds([fact for _, fact in longest.log], CardDrawn)

    assert len(CARDS) == len(drawn)


def test_3_3_fleets_that_meet_do_battle_and_nobody_lands() -> None:
    playing = met([6, 6], [6, 6], [1], [1])
    both_pass(playing)

    facts = playing.decide(1, Pass())

    assert [] == kinds(facts, FlagRaised)
    assert 2 == playing.table.open.turn


def test_3_4_fleets_that_do_not_meet_raise_their_flags() -> None:
    facts = both_pass(parted([1], [1]))

    assert [FlagRaised("islet:1", 0, "alone there"), FlagRaised("islet:2", 1, "alone there")] == kinds(
        facts, FlagRaised
    )


def test_3_4_a_squall_keeps_the_enemys_flag_down() -> None:
    playing = parted([1], [1])
    playing.decide(1, Play("card:06"))
    playing.decide(0, Pass())

    facts = playing.decide(1, Pass())

    assert [FlagRaised("islet:2", 1, "alone there"), CardsSpent(("card:06",))] == kinds(
        facts, FlagRaised, CardsSpent
    )


def test_4_1_both_choose_at_once_and_in_secret() -> None:
    playing = skirmish()
    options = tuple(Sail(islet) for islet in ISLETS)
    text = "Choose in secret the islet your fleet sails to."
    assert {0: Prompt("4.1", text, options), 1: Prompt("4.1", text, options)} == playing.table.prompts

    playing.decide(1, WEST)

    assert "islet:1" == playing.table.own[1].order
    assert "" == playing.table.own[0].order
    assert {0} == set(playing.table.prompts)
    assert {} == playing.table.open.fleets


def test_4_2_both_orders_are_laid_open_together() -> None:
    playing = skirmish()
    playing.decide(1, WEST)

    facts = playing.decide(0, MIDDLE)

    assert [Ordered(0, "islet:2"), OrdersOpened(("islet:2", "islet:1"))] == facts[1:3]
    assert ["", ""] == [own.order for own in playing.table.own]


def test_5_1_the_side_with_the_initiative_speaks_first() -> None:
    assert {1: Prompt("6.1", "Play a card, or pass.", (Play("card:04"), Pass()))} == met().table.prompts


def test_5_2_two_or_less_hits() -> None:
    facts = both_pass(met([1, 3], [2, 2]))

    assert [
        Rolled(6, "5.2", "fire", 0, 6, (1, 3), "2 or less hits", "islet:1"),
        Rolled(7, "5.2", "fire", 1, 6, (2, 2), "2 or less hits", "islet:1"),
    ] == kinds(facts, Rolled)


def test_5_2_night_shells_and_smoke_change_the_fire() -> None:
    playing = met([2, 2], [2, 1], night=True)
    playing.decide(1, Play("card:04"))
    playing.decide(0, Play("card:01"))

    facts = both_pass(playing)

    night, smoke = Modifier("night", -1), Modifier("enemy smoke", -1)
    rolled: list[Rolled] = kinds(facts, Rolled)  # type: ignore[assignment]
    assert [(night, Modifier("shells", 1), smoke), (night,)] == [roll.modifiers for roll in rolled]
    assert {0: Prompt("5.3", "Choose the boat that takes the hit.", (Lose("boat:n1"), Lose("boat:n2")))} == (
        playing.table.prompts
    )


def test_5_3_the_owner_chooses_hit_by_hit_north_first() -> None:
    playing = met([1, 6], [1, 1])
    both_pass(playing)

    facts = [*playing.decide(0, Lose("boat:n2")), *playing.decide(0, Lose("boat:n2"))]

    assert [StepsLeft("boat:n2", 1), StepsLeft("boat:n2", 0)] == kinds(facts, StepsLeft)
    assert (Lose("boat:s1"), Lose("boat:s2")) == playing.table.prompts[1].options


def test_5_4_cards_in_play_are_laid_aside() -> None:
    playing = met([6, 6], [6, 6])
    playing.decide(1, Play("card:04"))
    playing.decide(0, Pass())

    facts = playing.decide(1, Pass())

    assert [CardsSpent(("card:04",))] == kinds(facts, CardsSpent)
    assert (["card:04"], {}) == (playing.table.open.spent, playing.table.open.in_play)


def test_5_5_the_admiral_with_the_initiative_may_press_on_once() -> None:
    playing = met([6, 6], [6, 6], [6, 6], [6, 6], [1], [1])
    both_pass(playing)
    assert {1: Prompt("5.5", "Press on, or break off.", (Press(), Pass()))} == playing.table.prompts

    playing.decide(1, Press())
    both_pass(playing)

    assert 2 == playing.table.open.turn


def test_6_1_a_card_played_is_shown_and_the_other_speaks() -> None:
    playing = met()

    facts = playing.decide(1, Play("card:04"))

    assert [CardPlayed(1, "card:04"), HandHas(1, 2)] == kinds(facts, CardPlayed, HandHas)
    assert ["card:03", "card:06"] == playing.table.own[1].hand
    assert {0: Prompt("6.1", "Play a card, or pass.", (Play("card:01"), Play("card:05"), Pass()))} == (
        playing.table.prompts
    )


def test_6_1_who_holds_no_card_that_fits_is_asked_all_the_same() -> None:
    playing = met()
    playing.decide(1, Play("card:04"))
    playing.decide(0, Pass())

    assert (Pass(),) == playing.table.prompts[1].options


def test_7_1_a_side_without_boats_has_lost() -> None:
    playing = met([6, 6], [1, 1], [6, 6], [1, 1])
    both_pass(playing)
    for decision in (Lose("boat:n1"), Lose("boat:n2")):
        playing.decide(0, decision)
    playing.decide(1, Press())

    facts = both_pass(playing)
    assert [] == kinds(facts, GameEnded)
    facts = playing.decide(0, Lose("boat:n2"))

    assert [StepsLeft("boat:n2", 0), StepsLeft("boat:n1", 0)] == kinds(facts, StepsLeft)
    assert GameEnded(1, "the enemy fleet is sunk", "7.1") == facts[-1]


def test_7_1_without_boats_on_either_side_the_match_is_drawn() -> None:
    playing = met([1, 1], [1, 1], [1, 1], [1, 1])
    both_pass(playing)
    for seat, boat in ((0, "boat:n1"), (0, "boat:n2"), (1, "boat:s1"), (1, "boat:s2")):
        playing.decide(seat, Lose(boat))
    playing.decide(1, Press())
    both_pass(playing)
    playing.decide(0, Lose("boat:n1"))

    facts = playing.decide(1, Lose("boat:s1"))

    assert GameEnded(None, "both fleets are sunk", "7.1") == facts[-1]


def test_7_2_most_flags() -> None:
    winners = {
        fact.winner
        for seed in range(40)
        for _, fact in played_out(GAME, "skirmish", seed=seed).log
        if isinstance(fact, GameEnded) and fact.rule == "7.2"
    }

    assert {0, 1, None} == winners


def test_default_decisions_end_a_match() -> None:
    playing = Playing(GAME, "campaign")
    decisions = 0
    while not playing.state.match.over:
        seat, prompt = next(iter(playing.table.prompts.items()))
        playing.decide(seat, GAME.default(playing.state, seat, prompt), "default")
        decisions += 1

    assert decisions < 60


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_a_match_ends_in_a_few_dozen_decisions(scenario: str) -> None:
    for seed in range(50):
        played_out(GAME, scenario, seed=seed, limit=60)


def test_every_fact_has_words_with_the_ids_in_brackets() -> None:
    """Every class that happens in some matches; all ids of the title are marked, and nothing else is."""
    unmarked = re.compile(r"(?<!\[)\b(?:boat|card|islet|side|seat):\w+(?!\])")
    known = {*GAME.names, *(f"seat:{seat}" for seat in range(4))}
    spoken: dict[type[Fact], str] = {}
    for seed in range(30):
        for _, fact in played_out(GAME, "campaign", {"night": seed % 2 == 0}, seed).log:
            words = spoken[type(fact)] = fact.words()
            assert words
            if fact.audience() is not Audience.UMPIRE:
                assert not unmarked.search(words)
            assert set(re.findall(r"\[(.*?)\]", words)) <= known

    assert set(GAME.facts[len(COMMON) :]) <= set(spoken)


def test_every_fact_class_has_words_of_its_own() -> None:
    assert [] == [kind.__name__ for kind in GAME.facts if kind.words is Fact.words]


def test_words_count_as_people_do() -> None:
    assert "[boat:n1] has 1 step left" == StepsLeft("boat:n1", 1).words()
    assert "[boat:n1] has 2 steps left" == StepsLeft("boat:n1", 2).words()
    assert "[boat:n1] sinks" == StepsLeft("boat:n1", 0).words()


def test_every_fact_of_some_matches_comes_back_from_its_bytes() -> None:
    for seed in range(10):
        for _, fact in played_out(GAME, "campaign", {}, seed).log:
            assert fact == GAME.fact(GAME.encode(fact))


def test_every_step_has_a_rule_number_and_every_question_a_sentence() -> None:
    steps = [pair[0] for procedure in GAME.procedures for pair in procedure.steps.values()]

    assert all(re.fullmatch(r"\d(\.\d)?", rule.rule) for rule in steps)
    assert all(rule.text for rule in steps)


class Ones:
    """Every die shows 1, every draw is from the top: the script of all lines at once."""

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        assert sides > 0
        assert index >= 0
        return (1,) * count


def perft(state: State[object, object], depth: int) -> int:
    """Count the lines of play `depth` decisions long."""
    table = Table(GAME, copy_of(GAME, state), Ones())
    moves: list[tuple[int, Decision]] = [
        (seat, option) for seat, prompt in table.prompts.items() for option in prompt.options
    ]
    if depth == 1:
        return len(moves)
    lines = 0
    for seat, option in moves:
        table = Table(GAME, copy_of(GAME, state), Ones())
        table.decide(seat, option)
        lines += perft(table.state, depth - 1)
    return lines


PERFT = [6, 18, 36, 84, 174, 432]
"""All but the last by hand. Either seat has three orders (6); the other then has three (18). In six of those
18 the fleets meet, and South may play smoke or pass; in twelve they part, and South may play a squall or pass
(36). North then has two shells or a pass where they met, a squall or a pass where they parted: 6x2x3 + 12x2x2
(84). Where they met: after smoke South can but pass (3); after its pass and a shell, smoke or pass (2 each);
after two passes North has two boats to hit (2): 9. Where they parted: after South's squall a pass (2); after
its pass and North's squall, squall or pass (2); after two passes six orders: 10. 6x9 + 12x10 (174)."""


@pytest.mark.parametrize(("depth", "lines"), list(enumerate(PERFT, 1)))
def test_the_number_of_lines(depth: int, lines: int) -> None:
    assert lines == perft(Playing(GAME, "skirmish", {}, Ones()).state, depth)


def test_chairs_may_be_two_or_four() -> None:
    two, four = (GAME.seats("campaign", {"pairs": pairs}) for pairs in (False, True))

    assert [(0, 1), (0, 1, 0, 1)] == [tuple(seat.side for seat in seats) for seats in (two, four)]
    assert 4 == len({*islice((structs.astuple(seat) for seat in four), 4)})
