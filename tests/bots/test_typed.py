"""How a bot over a title's own types is asked: what it answers, and what it refuses to read."""

from random import Random
from typing import Any

import pytest
from msgspec import ValidationError, to_builtins

from clients.bots import strengths
from clients.bots.typed import TypedPrompt, typed
from domain.kernel.audience import Audience
from domain.match.views import view
from domain.midway import DECISIONS
from domain.midway.decisions import Spot
from domain.midway.shown import Table
from domain.titles import TITLES
from server.bench import compare
from server.protocol.shown import Decision, View

TYPED = {title: strengths(title)["steady"] for title in TITLES}


def asks(title: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the first view and prompt of a match in which there is a choice."""
    game = TITLES[title]
    table, chance = compare.laid_open(game, next(iter(game.scenarios)), {}, 1), Random(1)
    while True:
        seat, prompt = next(iter(table.prompts.items()))
        if len(prompt.options) > 1:
            break
        table.decide(seat, chance.choice(prompt.options))
    asked = {"seat": seat, "rule": prompt.rule, "text": prompt.text, "options": to_builtins(prompt.options)}
    seen = view(game, table.state, Audience.of(table.state.match.side(seat)))
    return to_builtins(seen, str_keys=True), asked


def last(view: View[Table], asked: TypedPrompt[Decision], random: Random) -> Decision:  # noqa: ARG001
    return asked.options[-1]


def elsewhere(view: View[Table], asked: TypedPrompt[Decision], random: Random) -> Decision:  # noqa: ARG001
    return Spot("nobody")


@pytest.mark.parametrize("title", TYPED)
def test_the_answer_is_an_option_of_the_list_itself(title: str) -> None:
    seen, asked = asks(title)

    answer = TYPED[title](seen, asked, Random(1))

    assert any(answer is option for option in asked["options"])


def test_the_answer_stands_in_the_place_of_the_decision() -> None:
    seen, asked = asks("midway")

    assert asked["options"][-1] is typed(View[Table], DECISIONS, last)(seen, asked, Random(1))


def test_the_only_option_is_taken_without_asking() -> None:
    seen, asked = asks("midway")
    only = asked["options"][:1]

    assert only[0] is typed(View[Table], DECISIONS, elsewhere)(seen, {**asked, "options": only}, Random(1))


def test_what_is_not_on_the_list_is_no_answer() -> None:
    seen, asked = asks("midway")

    with pytest.raises(ValueError, match="not in tuple"):
        typed(View[Table], DECISIONS, elsewhere)(seen, asked, Random(1))


@pytest.mark.parametrize("title", TYPED)
def test_a_view_without_a_table_or_of_another_form_is_refused(title: str) -> None:
    seen, asked = asks(title)
    wrong = {**seen, "match": {**seen["match"], "seats": "two"}}

    for other, where in [
        ({**seen, "table": {}}, r"required field .* at `\$\.table`"),
        (wrong, r"at `\$\.match\.seats`"),
    ]:
        with pytest.raises(ValidationError, match=where):
            TYPED[title](other, asked, Random(1))


def test_a_view_of_another_title_is_refused() -> None:
    seen, _ = asks("nimitz")
    _, asked = asks("midway")

    with pytest.raises(ValidationError, match=r"\$\.table"):
        TYPED["midway"](seen, asked, Random(1))


def test_an_option_that_the_title_does_not_know_is_refused() -> None:
    seen, asked = asks("midway")
    options = [*asked["options"], {"type": "SURRENDER"}]

    with pytest.raises(ValidationError, match=r"`\$\.options\[\d+\]\.type`"):
        TYPED["midway"](seen, {**asked, "options": options}, Random(1))
