"""Collects the facts, procedures and decisions of a title from its modules.

Every class defined in a module passed here belongs to the title. Deliberately absent: a search for modules. A
title names the modules of its chapters, and a test finds one that it has left out.
"""

from types import ModuleType
from typing import TypeVar

from domain.kernel.procedures import Procedure

Kind = TypeVar("Kind")


def defined(kind: type[Kind], *modules: ModuleType) -> tuple[type[Kind], ...]:
    """Return the subclasses of `kind` that modules define, in the order of definition."""
    return tuple(
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, kind) and one.__module__ == module.__name__
    )


def procedures(*modules: ModuleType) -> tuple[type[Procedure], ...]:
    """Return the procedures that modules define, without base classes, which have no steps."""
    return tuple(procedure for procedure in defined(Procedure, *modules) if procedure.steps)
