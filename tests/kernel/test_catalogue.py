"""A title's facts, decisions and procedures are those of its modules, none of which is left out."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

from domain import kernel, match
from domain.kernel.facts import Fact, Notice, Roll, Secret, UmpireFact
from domain.kernel.procedures import Decision, Procedure
from domain.match.catalogue import defined, procedures
from domain.match.game import COMMON, Game
from domain.midway import teams
from domain.nimitz import areas
from domain.titles import TITLES
from tests import tiny
from tests.kernel import probe

PACKAGES = {game: import_module(f"domain.{name}") for name, game in TITLES.items()} | {tiny.GAME: tiny}
every_title = pytest.mark.parametrize("game", PACKAGES, ids=lambda game: game.name)


def modules(package: ModuleType) -> list[ModuleType]:
    names = [one.name for one in iter_modules(package.__path__) if not one.name.startswith("test_")]
    return [import_module(f"{package.__name__}.{name}") for name in names]


def test_classes_come_in_the_order_of_the_modules_and_as_they_are_written() -> None:
    assert (probe.Said, probe.Whispered, probe.Unsaid) == defined(Fact, probe)
    assert (probe.Whispered,) == defined(Secret, probe)
    assert (*defined(Decision, tiny.decisions), probe.Pick, probe.Pass) == defined(
        Decision, tiny.decisions, probe
    )


def test_what_a_module_imports_is_not_its_own() -> None:
    assert "Fact" in vars(tiny.facts)
    assert Fact not in defined(Fact, tiny.facts)


def test_a_frame_that_others_derive_from_is_no_procedure() -> None:
    losses = (teams.FighterLosses, teams.BomberLosses, teams.WaveLosses, teams.Proposal)

    assert (teams.Stage, teams.Losses, *losses) == defined(Procedure, teams)
    assert losses == procedures(teams)
    assert () == procedures(areas)


@every_title
def test_every_fact_and_every_decision_of_a_title_is_registered(game: Game) -> None:
    own = modules(PACKAGES[game])

    assert set() == {*defined(Fact, *own)} - {*game.facts}
    assert set() == {*defined(Decision, *own)} - {*game.decisions}


@every_title
def test_every_frame_of_a_title_is_registered_or_is_the_base_of_others(game: Game) -> None:
    procedures = defined(Procedure, *modules(PACKAGES[game]))
    bases = {base for procedure in procedures for base in procedure.__mro__[1:]}
    left_out = {*procedures} - {*game.procedures}

    assert set() == left_out - bases
    assert [] == [procedure for procedure in left_out if procedure.steps]


def test_every_fact_that_titles_share_is_registered() -> None:
    kinds = {Fact, Secret, UmpireFact, Notice, Roll}

    assert {*defined(Fact, *modules(kernel), *modules(match))} - kinds == {*COMMON}


@every_title
def test_nothing_is_registered_twice(game: Game) -> None:
    for kinds in (game.facts, game.procedures, game.decisions):
        assert len(kinds) == len({kind.__struct_config__.tag for kind in kinds})
