"""What people may write as names and labels."""

import pytest

from domain.match.refusals import RequestError
from server.lobby.fitting import LABEL, NAME, fit, fit_name


@pytest.mark.parametrize(
    "name",
    [
        "Dad \U0001f468\u200d\U0001f469\u200d\U0001f466",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "Zo\u00eb <b>",
    ],
)
def test_given_a_name_of_any_script_when_it_is_fitted_then_it_stays_as_it_was_written(name: str) -> None:
    assert fit_name(name) == name


@pytest.mark.parametrize(
    "name", ["\u202enimda", "a\u200bb", "two\nlines", "x\u00a0y", "\ufeffAnn", "\U000e0067"]
)
def test_given_characters_that_are_not_seen_when_it_is_fitted_then_it_is_refused(name: str) -> None:
    with pytest.raises(RequestError, match="a name has only characters that can be seen"):
        fit_name(name)


def test_given_blanks_of_any_width_at_its_ends_when_a_name_is_fitted_then_they_are_left_out() -> None:
    assert fit_name("\u3000 \u200dAnn\u200d\u00a0") == "Ann"


def test_given_nothing_but_joiners_and_blanks_when_it_is_fitted_then_there_is_no_name() -> None:
    assert fit_name(" \u200d\u200c ") == ""


def test_given_one_character_too_many_when_it_is_fitted_then_it_is_refused() -> None:
    assert fit_name("W" * NAME) == "W" * NAME
    assert fit("L" * LABEL, LABEL, "a label") == "L" * LABEL
    with pytest.raises(RequestError, match="a name has at most 40 characters"):
        fit_name("W" * (NAME + 1))
