"""Tables of S2 in March 1945 with a special submarine piece and perhaps an Allied task force (P34)."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.dice import Scripted, seeded
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import BOATS
from domain.pacific_war.board.table import Contents, Fleet, Ship, TaskForce
from domain.pacific_war.board.war import Operation, SpecialBoat
from domain.pacific_war.facts.months import MeansAre, OperationIs, war
from tests.pacific_war.board import Die, faces
from tests.pacific_war.campaign import ALLIES, JAPAN, laid_out

KRS, STO, KURE, HQ = "krs_1", "sto_1", "3614a", "hq_ghq"
DESTROYERS, CARRIER = "dd_us1", "cv_enterprise"
UNDER_WAY = Operation(JAPAN, HQ, 20, ap=8, level=1)


def boats_at(
    procedure: Any,
    *dice: Die,
    boats: Mapping[str, SpecialBoat],
    roused: bool = True,
    enemies: tuple[str, ...] = (),
    at: str = "",
    detected: bool = True,
    lighting: Any = "Day",
) -> Table:
    """Return a table at a procedure with these pieces; without `dice` any may fall."""
    table = laid_out("1945-03", "S2")
    board, own = table.state.open, table.state.own
    board.lighting = lighting
    war(board).chosen = tuple(BOATS[piece] for piece in boats)
    war(board).special = dict(boats)
    table.record(OperationIs(UNDER_WAY, "for the test", begun=True))
    table.record(MeansAre(JAPAN, points={HQ: 20}, roused=tuple(boats) if roused else ()))
    if enemies:
        board.tfs["A1"] = TaskForce(ALLIES, at, detected=detected)
        own[ALLIES].fleets["A1"] = Fleet(Contents((), enemies))
        for ship in enemies:
            own[ALLIES].ships[ship] = Ship("A1")
        if detected:
            board.contents["A1"] = Contents((), enemies)
            board.ships |= {ship: Ship("A1") for ship in enemies}
    chance = Scripted(faces(*dice)) if dice else seeded(1)
    return Table(PACIFIC_WAR, table.state, chance, *([procedure] if procedure else []))
