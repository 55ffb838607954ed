"""What a title is to the kernel: set-ups, codecs, and its plain view."""

from inspect import signature
from typing import Any

import pytest
from msgspec import Raw, Struct, ValidationError

from domain.kernel.facts import Decided, Rolled
from domain.match.game import COMMON, BadSetUp, Game, Option, Scenario, told_apart
from domain.titles import TITLES
from tests.kernel.probe import probe
from tests.tiny import GAME
from tests.tiny.facts import TurnBegan


@pytest.mark.parametrize(
    ("scenario", "given", "says"),
    [
        ("siege", {}, "The Tiny Lagoon has no scenario siege; it has skirmish, campaign"),
        ("skirmish", {"fog": True}, "The Tiny Lagoon has no option fog; it has night, turns, pairs"),
        ("skirmish", {"night": 1}, "option night (5.2) is true or false"),
        ("skirmish", {"night": None}, "option night (5.2) is true or false"),
        ("skirmish", {"turns": 0}, "option turns (3.1) is a whole number from 1 to 8"),
        ("skirmish", {"turns": 9}, "option turns (3.1) is a whole number from 1 to 8"),
        ("skirmish", {"turns": True}, "option turns (3.1) is a whole number from 1 to 8"),
        ("skirmish", {"turns": 2.0}, "option turns (3.1) is a whole number from 1 to 8"),
        ("skirmish", {"turns": "2"}, "option turns (3.1) is a whole number from 1 to 8"),
        ("skirmish", {"pairs": True}, "a skirmish is for two (2.1)"),
    ],
)
def test_a_bad_set_up_says_why(scenario: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSetUp) as caught:
        GAME.set_up(scenario, given)

    assert says == str(caught.value)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, {"night": False, "pairs": False}),
        ({"turns": None}, {"night": False, "pairs": False}),
        ({"turns": 8, "night": True}, {"night": True, "turns": 8, "pairs": False}),
        ({"turns": 1, "pairs": True}, {"night": False, "turns": 1, "pairs": True}),
    ],
)
def test_the_options_in_force(given: dict[str, Any], options: dict[str, Any]) -> None:
    assert options == GAME.set_up("campaign", given)


def test_a_number_with_a_default_of_its_own() -> None:
    option = Option("fleet", "2", "How many", default=3, least=1, most=5)

    assert 3 == option.check(option.default)
    with pytest.raises(BadSetUp):
        option.check(None)


def test_an_option_without_both_bounds_is_a_flag() -> None:
    flag = Option("fog", "2", "Whether it is foggy", least=1)

    assert flag.check(True)
    with pytest.raises(BadSetUp, match=r"^option fog \(2\) is true or false$"):
        flag.check(1)


def test_what_can_be_chosen_stays_as_the_title_says() -> None:
    assert {"turns": 8} == {k: v for k, v in GAME.set_up("campaign", {"turns": 8}).items() if k == "turns"}
    with pytest.raises(AttributeError):
        GAME.options["turns"].most = 9  # type: ignore[misc]
    with pytest.raises(AttributeError):
        GAME.scenarios["campaign"].title = "The great campaign"  # type: ignore[misc]


def test_a_title_without_checks_of_its_own_takes_any_options_together() -> None:
    assert {} == probe().set_up("probe", {})


def test_a_title_with_screens_cannot_show_what_waits() -> None:
    own = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}

    with pytest.raises(TypeError, match="The Tiny Lagoon has screens"):
        Game(**own | {"waiting": lambda table, _: table})


def test_a_title_shows_a_screen_if_and_only_if_its_sides_have_one() -> None:
    parts = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}

    class NoScreen(Struct):
        pass

    for wrong in ({"screen": None}, {"own": NoScreen}):
        with pytest.raises(TypeError, match="The Tiny Lagoon shows a screen if and only if"):
            Game(**parts | wrong)


def test_the_first_scenario_is_the_default_unless_another_of_them_is_named() -> None:
    parts = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}
    parts |= {"scenarios": tuple(GAME.scenarios.values()), "options": tuple(GAME.options.values())}
    parts |= {"facts": GAME.facts[len(COMMON) :]}

    names = [Game(**parts | {"default_scenario": name}).default_scenario for name in ("", "campaign")]
    assert ["skirmish", "skirmish", "campaign"] == [GAME.default_scenario, *names]
    with pytest.raises(TypeError, match="The Tiny Lagoon has no scenario siege"):
        Game(**parts | {"default_scenario": "siege"})


def test_an_option_of_other_scenarios_is_left_out_and_still_looked_at() -> None:
    parts = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}
    parts |= {"scenarios": tuple(GAME.scenarios.values()), "facts": GAME.facts[len(COMMON) :]}
    parts |= {"options": (Option("fog", "T1", "Fog.", default=True, scenarios=("campaign",)),)}
    game = Game(**parts)

    assert [{"fog": True}, {"fog": False}] == [
        game.set_up("campaign", given) for given in ({}, {"fog": False})
    ]
    assert {} == game.set_up("skirmish", {"fog": False})
    with pytest.raises(BadSetUp, match="option fog"):
        game.set_up("skirmish", {"fog": 3})


def test_a_scenario_that_says_how_long_it_is_is_not_a_short_one() -> None:
    parts = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}
    parts |= {"options": tuple(GAME.options.values()), "facts": GAME.facts[len(COMMON) :]}
    parts |= {"scenarios": (*GAME.scenarios.values(), Scenario("siege", "The siege", length="A year"))}
    game = Game(**parts)

    assert list(GAME.scenarios) == game.short
    assert [*game.short, "siege"] == list(game.scenarios)


def test_a_decision_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        GAME.decision(b'{"type":"Pass","loudly":true}')


def test_a_name_that_two_sides_use_is_told_apart() -> None:
    things = [("a", "First", "Red"), ("b", "First", "Blue"), ("c", "Second", "Red"), ("d", "Second", "Red")]

    assert {"a": "Red First", "b": "Blue First", "c": "Second", "d": "Second"} == told_apart(things)


def test_what_a_roll_was_for_is_said_by_the_names_of_the_title() -> None:
    parts = {name: part for name, part in vars(GAME).items() if name in signature(Game).parameters}
    parts |= {"scenarios": tuple(GAME.scenarios.values()), "options": tuple(GAME.options.values())}
    parts |= {"facts": GAME.facts[len(COMMON) :]}
    rolled = Rolled(0, "5.2", "fire", 0, 6, (4,))

    assert "[side:0] rolled 1d6, fire: 4 (5.2)" == GAME.words(rolled)
    assert "[side:0] rolled 1d6, a broadside: 4 (5.2)" == Game(
        **parts | {"names": {"fire": "a broadside"}}
    ).words(rolled)
    assert "Turn 2 begins" == GAME.words(TurnBegan(2))


def test_what_was_decided_is_said_by_the_title() -> None:
    said = [b'{"type":"Pass"}', b'{"type":"Sail","islet":"islet:1"}', b'{"type":"Forgotten"}']

    told = [GAME.words(Decided(1, Raw(decision))) for decision in said]

    assert ["[seat:1] decided: pass", "[seat:1] decided: sail [islet:1]", "[seat:1] decided"] == told


@pytest.mark.parametrize(
    ("title", "words", "sentence"),
    [
        ("coral_sea", "[side:1] won", "The [side:1] won"),
        ("coral_sea", "[side:0] won", "[side:0] won"),
        ("midway", "all carriers of [side:1] were sunk", "All carriers of the [side:1] were sunk"),
        ("nimitz", "no battle turns left", "No battle turns left"),
        ("nimitz", "", ""),
    ],
)
def test_a_sentence_has_a_capital_and_the_articles_of_its_sides(
    title: str, words: str, sentence: str
) -> None:
    assert sentence == TITLES[title].sentence(words)
