"""What a title is made of, taken from its modules: its facts, its procedures, its decisions.

A class that stands in a module that is named here belongs to the title. Deliberately absent: a search for
modules. A title names those of its chapters, and a test finds one that it has left out.
"""

from types import ModuleType
from typing import TypeVar

from domain.kernel.procedures import Procedure

Kind = TypeVar("Kind")


def defined(kind: type[Kind], *modules: ModuleType) -> tuple[type[Kind], ...]:
    """Return the classes of a kind that modules define, in the order in which they are written."""
    return tuple(
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, kind) and one.__module__ == module.__name__
    )


def procedures(*modules: ModuleType) -> tuple[type[Procedure], ...]:
    """Return the procedures that modules define and that can run; one without steps is a base of others."""
    return tuple(procedure for procedure in defined(Procedure, *modules) if procedure.steps)
