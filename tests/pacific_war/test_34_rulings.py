"""R-116 to R-118: how long an STO is Activated, who knows it, and when it comes to a port that was lost."""

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.special_boats import boats, harbours
from domain.pacific_war.board.table import Ship, spent
from domain.pacific_war.board.war import Operation, SpecialBoat
from domain.pacific_war.facts.months import MeansAre, OperationIs, war
from domain.pacific_war.month import come
from domain.pacific_war.victory.closing import close
from tests import seen
from tests.pacific_war.campaign import ALLIES, JAPAN, laid_out

STO, KURE = "sto_1", "3614a"


def test_r_116_p34_2_p5_3_1_it_does_not_keep_the_operation_going_by_itself() -> None:
    table = laid_out("1945-03", "S2")
    table.record(MeansAre(JAPAN, roused=(STO,)))
    assert spent(table.state.own)

    table.state.own[JAPAN].ships["bb_yamato"] = Ship(port="kure", active=True)
    assert not spent(table.state.own)


@pytest.mark.parametrize(("lost", "port"), [((), "kanoya"), (("kanoya",), "kure")])
def test_r_116_p34_2_after_it_it_is_in_the_nearest_own_port(lost: tuple[str, ...], port: str) -> None:
    """Given an STO at 3615, to which Kanoya and Kure are the nearest ports, both as near."""
    table = laid_out("1945-03", "S2")
    board = table.state.open
    war(board).special = {STO: SpecialBoat("3615")}
    for place in lost:
        board.bases[place] = replace(board.bases[place], control=ALLIES)
    table.record(OperationIs(Operation(JAPAN, "hq_ghq", 20), "for the test", begun=True))
    table.record(MeansAre(JAPAN, roused=(STO,)))

    close(table)

    assert harbours(board, JAPAN)[port] == war(board).special[STO].node
    assert () == table.state.own[JAPAN].means.roused


def test_r_117_p34_2_p0_4_its_owner_alone_sees_whether_it_is_activated() -> None:
    views = []
    for roused in ((), (STO,)):
        table = laid_out("1945-03", "S2")
        war(table.state.open).special = {STO: SpecialBoat(KURE)}
        table.record(MeansAre(JAPAN, roused=roused))
        assert Audience.of(JAPAN) == table.facts[-1].audience()
        views.append([seen.view(PACIFIC_WAR, table.state, Audience.of(side)) for side in (ALLIES, None)])

    idle, active = views
    assert idle == active


def test_r_118_p34_2_it_comes_in_the_first_month_that_begins_with_its_port_japanese() -> None:
    table = laid_out("1945-02", "S2")
    board = table.state.open
    war(board).chosen = ("sto",)
    for month, control, found in (("1945-02", ALLIES, False), ("1945-04", JAPAN, True)):
        war(board).month = month
        board.bases["kure"] = replace(board.bases["kure"], control=control)
        come(table)
        assert found == (STO in boats(board, JAPAN))
    assert LOCATIONS["kure"].coast == war(board).special[STO].node
