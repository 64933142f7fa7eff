"""Own the shape of a reason: a value, the formula it came from, and the parts of the formula.

A formula is arithmetic over the names of its parts, so that anybody can compute a printed number again:
``+ - * / **``, comparisons, ``min max clip abs exp ln`` and ``total()``, the sum of all parts. `recompute`
does that, and a test holds the outcome equal to the value that ranked.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from mappings.errors import BadValueError

_NO_DETAILS: Final[Mapping[str, Any]] = MappingProxyType({})


class Explanation(NamedTuple):
    """One number (or one yes or no) and where it came from.

    A tuple, since a hit has some sixty of them and no other frozen value is made as fast.

    Attributes:
        value: what ranked.
        formula: arithmetic over the names of `details`; empty for a number that was given.
        details: the parts by name, in reading order.
        note: what a given number is, in words; may be empty.
    """

    value: float
    formula: str = ""
    details: Mapping[str, Explanation] = _NO_DETAILS
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as plain data, parts below their whole."""
        data: dict[str, Any] = {"value": self.value}
        if self.formula:
            data |= {"formula": self.formula, "details": {k: v.to_json() for k, v in self.details.items()}}
        if self.note:
            data["note"] = self.note
        return data


def given(value: float, note: str = "") -> Explanation:
    """Return a leaf: a number that no formula made."""
    return Explanation(_plain(value), note=note)


def derived(value: float, formula: str, **details: Explanation) -> Explanation:
    """Return a number with its formula over the named parts."""
    return Explanation(_plain(value), formula, details)


def summed(value: float, parts: Mapping[str, Explanation]) -> Explanation:
    """Return a number that is the sum of parts whose names may be any text."""
    return Explanation(_plain(value), "total()", dict(parts))


def recompute(printed: Mapping[str, Any]) -> float:
    """Compute a printed explanation again, from its leaves up.

    Args:
        printed: what `Explanation.to_json` gives.

    Raises:
        BadValueError: a formula names a part that is not there, or is no arithmetic.
    """
    if "formula" not in printed:
        return float(printed["value"])
    parts = {name: recompute(part) for name, part in printed["details"].items()}
    try:
        return float(_evaluate(ast.parse(printed["formula"], mode="eval").body, parts))
    except (SyntaxError, KeyError) as error:
        raise BadValueError(f"formula can not be computed, got {printed['formula']!r}") from error


def _plain(value: float) -> float:
    """Return a numpy scalar as the Python number that JSON prints in full."""
    return value if isinstance(value, bool) else float(value)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


_BINARY: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "min": min,
    "max": max,
    "clip": _clip,
    "exp": math.exp,
    "ln": math.log,
    "abs": abs,
}


def _evaluate(node: ast.expr, parts: Mapping[str, float]) -> float:
    """Evaluate the arithmetic of a formula; KeyError for anything that is not arithmetic."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return parts[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_evaluate(left, parts), _evaluate(right, parts))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, parts)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _COMPARE[type(op)](_evaluate(left, parts), _evaluate(right, parts))
        case ast.Call(func=ast.Name(id="total"), args=[]):
            return sum(parts.values())
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name](*(_evaluate(arg, parts) for arg in args))
    raise KeyError(ast.dump(node))
