"""M10 Repair Damage (steps 13 and 14). There is no decision."""

from domain.kernel.procedures import Procedure, step
from domain.midway.charts import CRIPPLED_AT
from domain.midway.facts import CarrierRestored, Repaired
from domain.midway.table import Table, afloat


class Repairs(Procedure):
    """M10 REPAIR DAMAGE."""

    side: int

    @step("M10.1")
    def attempts(self, table: Table) -> None:
        """Each damaged carrier that is afloat has one attempt, in list order (M10.5)."""
        for ship in afloat(table.open, self.side):
            if table.open.carriers[ship].damage:
                self.attempt(table, ship)

    def attempt(self, table: Table, ship: str) -> None:
        """Roll one die (M10.2); success removes one damage (M10.3) and may restore the carrier (M10.4)."""
        carrier = table.open.carriers[ship]
        need = f"{carrier.repair}+ repairs"
        (die,) = table.roll("REPAIR", 1, by=self.side, target=need, subject=ship)
        if die < carrier.repair:
            return
        table.record(Repaired(ship, carrier.damage - 1))
        if carrier.damage == CRIPPLED_AT - 1:
            table.record(CarrierRestored(ship))
