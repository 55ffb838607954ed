"""Mutants tried, each in a child process that is forked from one in which all tests are collected.

A fault inside a function whose body has not run yet is put in the place of that function's code, and the
tests run at once. Any other fault could have been taken up by something that is loaded already: the child
loads everything anew, with the mutant's source in the place of the module's.

Nothing on disk changes, so that several are tried at once and a run that is broken off leaves nothing behind.
"""

import ast
import gc
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from itertools import pairwise
from mmap import mmap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Literal

import pytest

from tests.mutation.covering import ROOT, Covering
from tests.mutation.mutants import Mutant

MEMORY = 1 << 30
"""Bytes that a mutant may take: one that runs in a circle often grows."""

LOADING = 10.0
"""Seconds of the processor that a mutant may take beyond what its tests take to load everything anew."""

SPARE = 1.0
"""Seconds that a test may take beyond twice what it took: one that takes more runs in a circle."""

OURS = {"clients", "domain", "projections", "server", "tests"}
"""The packages that are loaded anew for a fault that loading takes up."""

OPTIONS = ["-q", "-s", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not soak"]

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


class Functions:
    """The functions of one module that are loaded and whose bodies have not run."""

    def __init__(self, module: str, covering: Covering) -> None:
        """Find them; those inside of others are a part of these."""
        self._path = str(ROOT / module)
        tree = ast.parse(Path(self._path).read_text(encoding="utf-8"))
        self._bodies = {
            name: body
            for name, body in _bodies(tree)
            if not any(covering.on_loading(module, line) for line in body)
        }
        self._loaded: dict[str, FunctionType] = {}
        for found in gc.get_objects():
            if isinstance(found, FunctionType) and found.__code__.co_filename == self._path:
                self._loaded[found.__qualname__] = found

    def replace(self, mutant: Mutant) -> bool:
        """Put the mutant's code in the place of what is loaded; return whether that is the same fault."""
        for name, body in self._bodies.items():
            if mutant.line in body and name in self._loaded:
                code, loaded = _code(compile(mutant.source, self._path, "exec"), name), self._loaded[name]
                before = loaded.__code__
                if code and (code.co_flags, code.co_freevars) == (before.co_flags, before.co_freevars):
                    loaded.__code__ = code
                    return True
        return False


class Child:
    """A child process that tries a mutant, and the memory in which it notes the test that it runs."""

    def __init__(self, mutant: Mutant, tests: list[str]) -> None:
        """Take the mutant and the tests in the order in which they are to run."""
        self.mutant, self.tests, self.process = mutant, tests, 0
        self._running = mmap(-1, 4)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note it."""
        self._running[:] = self.tests.index(nodeid).to_bytes(4)

    def running(self) -> str:
        """Return the test that began last."""
        return self.tests[int.from_bytes(self._running[:])]


class Trying:
    """A plugin of pytest: once all tests are collected, does its work in the place of running them."""

    def __init__(self, work: Callable[["Trying"], None]) -> None:
        """Take the work; it is given this."""
        self._work = work
        self._items: dict[str, pytest.Item] = {}
        self._killers: list[tuple[str, str]] = []
        """Each definition with a test that killed a fault of it, the last one first."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work, and leave nothing to be run."""
        self._items = {item.nodeid: item for item in session.items}
        self._work(self)
        return True

    def outcomes(
        self, module: str, mutants: Iterable[Mutant], covering: Covering, jobs: int
    ) -> Iterator[tuple[Mutant, Outcome]]:
        """Try mutants of a module, `jobs` at a time, and yield what came of each."""
        functions = Functions(module, covering)
        self._killers.clear()
        children: list[Child] = []
        for mutant in mutants:
            tests = covering.tests(module, mutant.line)
            if not tests:
                yield mutant, "survived"
                continue
            if len(children) == jobs:
                yield self._ended(children)
            child = Child(mutant, self._likely_first(mutant, tests))
            child.process = os.fork()
            if not child.process:
                self._run(module, child, functions, covering)
            children.append(child)
        while children:
            yield self._ended(children)

    def _likely_first(self, mutant: Mutant, tests: list[str]) -> list[str]:
        """Begin with what killed a fault of the same definition, and then of the same module."""
        reaching = {*tests}
        same = [test for within, test in self._killers if within == mutant.within]
        killers = [test for test in [*same, *(test for _, test in self._killers)] if test in reaching]
        return [*dict.fromkeys([*killers, *tests])]

    def _ended(self, children: list[Child]) -> tuple[Mutant, Outcome]:
        """Wait for one of the children."""
        while True:
            for child in children:
                ended, status = os.waitpid(child.process, os.WNOHANG)
                if ended:
                    children.remove(child)
                    if not status:
                        return child.mutant, "survived"
                    killer = child.mutant.within, child.running()
                    self._killers = [killer, *(one for one in self._killers if one != killer)]
                    return child.mutant, "killed"
            time.sleep(0.002)

    def _run(self, module: str, child: Child, functions: Functions, covering: Covering) -> None:
        """Be the child: run the tests against the mutant and exit with 0 if all pass."""
        status = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            gc.freeze()  # what is shared with the other children stays as it is
            if functions.replace(child.mutant):
                status = self._failed(child, covering)
            else:
                _end_after(LOADING + 2 * covering.seconds(child.tests))
                status = _loaded_anew(module, child)
        finally:
            os._exit(status)

    def _failed(self, child: Child, covering: Covering) -> int:
        """Run collected tests up to the first that fails; return the exit status."""
        for test, following in pairwise([*child.tests, None]):
            assert test is not None
            child.pytest_runtest_logstart(test)
            _end_after(SPARE + 2 * covering.seconds([test]))
            item = self._items[test]
            item.config.hook.pytest_runtest_protocol(
                item=item, nextitem=self._items[following] if following else None
            )
            if item.session.testsfailed:
                return 1
        return 0


def _end_after(seconds: float) -> None:
    """Have this process ended once it has taken so many seconds of the processor from now on."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _loaded_anew(module: str, child: Child) -> int:
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    sys.meta_path.insert(0, Substituted(module, child.mutant.source))
    for file in dict.fromkeys(test.partition("::")[0] for test in child.tests):
        if failed := pytest.main(["-x", *OPTIONS, file], plugins=[Chosen(child.tests), child]):
            return int(failed)
    return 0


def _bodies(tree: ast.AST, within: str = "") -> Iterator[tuple[str, range]]:
    """Yield the place in the module of each function that is in no other, and the lines of its body."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield within + node.name, range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        else:
            yield from _bodies(node, f"{within}{node.name}." if isinstance(node, ast.ClassDef) else within)


def _code(code: CodeType, name: str) -> CodeType | None:
    """Return the code of a definition in a module, if there is just one of that name."""
    first, _, rest = name.partition(".")
    found = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == first]
    if len(found) != 1:
        return None
    return _code(found[0], rest) if rest else found[0]
