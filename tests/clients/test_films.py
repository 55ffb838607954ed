"""What the rulebook shows on the page is what the rules yield."""

from pathlib import Path

import pytest

from tests.films import made

MADE = made()


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.parent.name)
def test_the_films_of_the_rulebook_are_those_of_todays_rules(path: Path) -> None:
    assert path.read_bytes() == MADE[path], "write them anew: python -m tests.films"
