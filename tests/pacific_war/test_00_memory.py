"""What the rules keep in memory besides the tables themselves: it must not grow with what is played."""

import inspect
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_type_hints

import domain.pacific_war


def kept() -> dict[str, Any]:
    """Return the functions of the title whose results are kept, by module and name."""
    names = [one.name for one in walk_packages(domain.pacific_war.__path__, "domain.pacific_war.")]
    return {
        f"{module.__name__}.{name}": one
        for module in map(import_module, names)
        for name, one in vars(module).items()
        if hasattr(one, "cache_parameters") and one.__module__ == module.__name__
    }


def test_what_the_rules_keep_for_good_hangs_on_printed_names_and_numbers_alone() -> None:
    """A set or a table of a position would be kept for every position that there was."""
    for_good = {name: one for name, one in kept().items() if one.cache_parameters()["maxsize"] is None}
    hints = {name: get_type_hints(inspect.unwrap(one)) for name, one in for_good.items()}

    assert len(for_good) > 10
    assert {} == {
        name: types for name, one in hints.items() if (types := {*one.values()} - {one["return"], str, int})
    }


def test_what_the_rules_keep_of_positions_is_bounded() -> None:
    """With four times as many entries a process that verified a war grew above its limit of 32 MiB."""
    sizes = [one.cache_parameters()["maxsize"] for one in kept().values()]

    assert 0 < sum(size for size in sizes if size) <= 1_280
