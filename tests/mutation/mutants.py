"""The mutants of a module: its source with one small fault each.

The operators are cosmic-ray's, of which those are taken that change a decision of the code, and two of the
same form that it lacks: a statement that is dropped, and `in` for `not in`. Annotations, docstrings and
decorators are left as they are.
"""

import ast
from collections.abc import Iterator
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators import binary_operator_replacement as binary
from cosmic_ray.operators import comparison_operator_replacement as comparison
from cosmic_ray.operators import unary_operator_replacement as unary
from cosmic_ray.operators.boolean_replacer import (
    AddNot,
    ReplaceAndWithOr,
    ReplaceFalseWithTrue,
    ReplaceOrWithAnd,
    ReplaceTrueWithFalse,
)
from cosmic_ray.operators.break_continue import ReplaceBreakWithContinue, ReplaceContinueWithBreak
from cosmic_ray.operators.number_replacer import NumberReplacer
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.zero_iteration_for_loop import ZeroIterationForLoop
from msgspec import Struct
from parso.python.tree import Keyword

Span = tuple[tuple[int, int], tuple[int, int]]


class Mutant(Struct, frozen=True):
    """One fault: where it is, the line as it was and as it is, and the whole source with it."""

    line: int
    within: str
    """The class and function it is in, joined by dots; empty at the head of the module."""
    was: str
    now: str
    source: str

    def key(self) -> tuple[str, str, str]:
        """Return what it is known by, as a survivor is."""
        return self.within, self.was, self.now


class DropStatement(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """Put `pass` in the place of a call, an assignment, a return or a raise."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yield the span of the statement, if this is one whose absence can be noticed."""
        if node.type == "simple_stmt" and _does_something(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Replace the statement."""
        assert index == 0
        dropped = node.children[0]
        node.children[0] = Keyword("pass", dropped.start_pos, dropped.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """Nothing: the tests beside this module hold them."""
        return ()


class Membership(Operator):  # type: ignore[misc]
    """Turn `in` into `not in` and back."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yield the span of each such operator of a comparison."""
        if node.type == "comparison":
            for operator in self._operators(node):
                yield operator.start_pos, operator.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Replace one operator."""
        operator = self._operators(node)[index]
        turned = " not in" if operator.get_code().split() == ["in"] else " in"
        node.children[node.children.index(operator)] = get_ast(turned)
        return node

    @staticmethod
    def _operators(node: Any) -> list[Any]:
        return [o for o in node.children[1::2] if o.get_code().split() in (["in"], ["not", "in"])]

    @classmethod
    def examples(cls) -> tuple[()]:
        """Nothing: the tests beside this module hold them."""
        return ()


_COMPARED = "Eq_NotEq NotEq_Eq Lt_LtE LtE_Lt Gt_GtE GtE_Gt Lt_GtE GtE_Lt Gt_LtE LtE_Gt Is_IsNot IsNot_Is"
_COMPUTED = "Add_Sub Sub_Add Mul_FloorDiv FloorDiv_Mul Div_Mul Mod_FloorDiv BitOr_BitAnd BitAnd_BitOr"
_OPERATORS: list[Operator] = [
    *(getattr(comparison, f"ReplaceComparisonOperator_{pair}")() for pair in _COMPARED.split()),
    *(getattr(binary, f"ReplaceBinaryOperator_{pair}")() for pair in _COMPUTED.split()),
    *(operator() for operator in unary.operators() if "Delete" in operator.__name__),
    *(
        operator()
        for operator in (
            AddNot,
            ReplaceAndWithOr,
            ReplaceOrWithAnd,
            ReplaceTrueWithFalse,
            ReplaceFalseWithTrue,
            ReplaceBreakWithContinue,
            ReplaceContinueWithBreak,
            NumberReplacer,
            ZeroIterationForLoop,
            DropStatement,
            Membership,
        )
    ),
]


def mutants(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module's source that still parses and is other code than the source."""
    tree = ast.parse(source)
    plain = ast.dump(tree)
    left_alone = [*_left_alone(tree)]
    for operator in _OPERATORS:
        spans = [span for node in ast_nodes(get_ast(source)) for span in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(spans):
            if any(first <= start < last for first, last in left_alone):
                continue
            mutated = mutate_code(source, operator, occurrence)
            if _dumped(mutated) not in {plain, ""}:
                yield _mutant(tree, source, mutated, start[0])


def _mutant(tree: ast.Module, source: str, mutated: str, line: int) -> Mutant:
    was, now = source.splitlines(), mutated.splitlines()
    return Mutant(line, _within(tree, line), was[line - 1].strip(), now[line - 1].strip(), mutated)


def _dumped(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return ""


def _does_something(statement: Any) -> bool:
    """Whether a simple statement is other than an import, a docstring, a type or a bare name."""
    if statement.type in {"return_stmt", "raise_stmt", "del_stmt"}:
        return True
    if statement.type == "atom_expr":
        return True
    return statement.type == "expr_stmt" and any("=" in child.get_code() for child in statement.children[1:2])


def _left_alone(tree: ast.Module) -> Iterator[Span]:
    """Yield the spans of annotations and decorators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield _span(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from map(_span, node.decorator_list)
            if not isinstance(node, ast.ClassDef) and node.returns is not None:
                yield _span(node.returns)


def _span(node: ast.expr) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _within(tree: ast.Module, line: int) -> str:
    """Return the names of the definitions around a line, from the outermost to the innermost."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return ".".join(node.name for node in sorted(found, key=lambda node: node.lineno))
