"""C13.5 What a beaten ship takes along."""

import pytest

from domain.coral_sea.decisions import ChooseUnit, PlayChit, RetreatTo
from domain.coral_sea.places import RpHas
from tests.coral_sea.board import AL, JP, of, operation, sail


@pytest.mark.parametrize("mates", [(), ("a_tf44",)])
def test_c13_5_a_ship_without_resource_points_takes_none_along(mates: tuple[str, ...]) -> None:
    """Whether ships that could carry one stay behind or not."""
    units = {"j_desron2": "louisiade_sea", **dict.fromkeys(("a_tf17", *mates), "papuan_coast")}
    board = operation(JP, "louisiade_sea", units, dice=[10], draws=["j_n_gunnery"])
    sail(board, ["j_desron2"], "papuan_coast")
    before = len(board.facts)
    board.go(PlayChit("j_n_gunnery"), *([ChooseUnit("a_tf17")] if mates else []), RetreatTo("milne_bay"))

    assert ({}, []) == (board.open.rp[AL], of(board.facts[before:], RpHas))
