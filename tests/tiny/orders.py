"""4 Orders."""

from domain.kernel.procedures import Decision, Procedure, ask, step
from tests.tiny.charts import ISLETS
from tests.tiny.decisions import Sail
from tests.tiny.facts import Ordered, OrdersOpened, OrderSpent
from tests.tiny.table import Open, Sight, Table


class Orders(Procedure):
    """4 ORDERS. Both sides choose in secret and at once."""

    def admirals(self, open: Open) -> tuple[int, ...]:
        """Return the seats that give orders."""
        return open.admirals

    @ask("4.1", by="admirals")
    def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002 the kernel's shape
        """Choose in secret the islet your fleet sails to."""
        return [Sail(islet) for islet in ISLETS]

    @choose.chosen
    def _(self, table: Table, decision: Sail) -> None:
        table.record(Ordered(table.state.match.side(table.actor), decision.islet))

    @step("4.2")
    def lay_open(self, table: Table) -> None:
        """Both orders are laid open, and the fleets sail."""
        table.record(OrdersOpened((table.own[0].order, table.own[1].order)))
        for side in (0, 1):
            table.record(OrderSpent(side))
