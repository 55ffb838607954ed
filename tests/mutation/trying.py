"""One mutant tried: a child process that has the mutant's source in the place of the module's.

Nothing on disk changes, so that several are tried at once and a run that is broken off leaves nothing behind.
"""

import importlib.abc
import importlib.util
import math
import os
import resource
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Literal

import asyncpg  # noqa: F401  imported once, and not in every child
import cryptography  # noqa: F401
import msgspec  # noqa: F401
import pytest
import redis.asyncio  # noqa: F401
import structlog  # noqa: F401
import uvloop  # noqa: F401
import websockets.asyncio.server  # noqa: F401

from tests.mutation.covering import ROOT
from tests.mutation.mutants import Mutant

MEMORY = 4 << 30
"""Bytes that a mutant may take: one that runs in a circle often grows."""

Outcome = Literal["killed", "survived"]


class Substituted(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module by its name and runs other source for it."""

    def __init__(self, module: str, source: str) -> None:
        self._path = str(ROOT / module)
        self._name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._source = source

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  the import system's signature
        """Answer for the one name."""
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(
            name,
            self._path,
            loader=self,
            submodule_search_locations=[str(Path(self._path).parent)]
            if self._path.endswith("__init__.py")
            else None,
        )

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the mutant's source."""
        exec(compile(self._source, self._path, "exec"), module.__dict__)


class Chosen:
    """Keeps of what pytest collects the chosen tests, in their order."""

    def __init__(self, tests: list[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop what is not chosen, and put the rest in order."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place), key=lambda item: self._place[item.nodeid]
        )


class Try:
    """A mutant in a child process of its own."""

    def __init__(self, module: str, mutant: Mutant, tests: list[str], seconds: float) -> None:
        """Start it. It may take so many `seconds` of the processor: beyond that it runs in a circle."""
        self.mutant = mutant
        self._outcome: Outcome | None = None if tests else "survived"
        self._child = os.fork() if tests else 0
        if tests and not self._child:
            _run(module, mutant, tests, seconds)

    def outcome(self) -> Outcome | None:
        """Return what came of it, or None while it runs."""
        if self._outcome is None:
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if ended:
                self._outcome = "survived" if status == 0 else "killed"
        return self._outcome


def _run(module: str, mutant: Mutant, tests: list[str], seconds: float) -> None:
    """Be the child: run the tests against the mutant and exit with 0 if all pass."""
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.meta_path.insert(0, Substituted(module, mutant.source))
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        options = ["-x", "-q", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not soak"]
        status = int(pytest.main([*options, *files], plugins=[Chosen(tests)]))
    finally:
        os._exit(status)
