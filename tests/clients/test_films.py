"""What the rulebook shows on the page is what the rules yield."""

import pytest

from tests.films import filmed, made


@pytest.mark.parametrize("title", filmed())
def test_the_films_of_the_rulebook_are_those_of_todays_rules(title: str) -> None:
    path, content = made(title)

    assert path.read_bytes() == content, "write them anew: python -m tests.films"
