"""An explanation is a value with a formula that anybody can compute again."""

import json
import math

import numpy as np
import pytest

from mappings.errors import BadValueError
from reranker.core.explanation import derived, given, recompute, summed

PARTS = {"a": given(3.0), "b": given(0.5)}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        pytest.param("a + b", 3.5, id="sum"),
        pytest.param("a - b", 2.5, id="difference"),
        pytest.param("a * b / 2", 0.75, id="product-quotient"),
        pytest.param("b ** a", 0.125, id="power"),
        pytest.param("-a", -3.0, id="sign"),
        pytest.param("a < b", 0.0, id="less"),
        pytest.param("a <= 3", 1.0, id="at-most"),
        pytest.param("a > b", 1.0, id="greater"),
        pytest.param("b >= 0.5", 1.0, id="at-least"),
        pytest.param("min(a, b)", 0.5, id="min"),
        pytest.param("max(a, b, 4)", 4.0, id="max"),
        pytest.param("clip(a) + clip(-a) + clip(b)", 1.5, id="clip"),
        pytest.param("abs(-a)", 3.0, id="abs"),
        pytest.param("exp(0) + ln(1)", 1.0, id="exp-ln"),
        pytest.param("total()", 3.5, id="total"),
    ],
)
def test_formula_is_computed_again(formula, value):
    """Each sign and function of the grammar gives what it says."""
    assert recompute(derived(value, formula, **PARTS).to_json()) == value


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("c + 1", id="unknown-part"),
        pytest.param("a +", id="no-sentence"),
        pytest.param("open('x')", id="other-function"),
        pytest.param("a.real", id="attribute"),
        pytest.param("'x'", id="text"),
        pytest.param("a if b else a", id="branch"),
        pytest.param("a < b < a", id="chained"),
        pytest.param("a % b", id="other-operator"),
        pytest.param("a == b", id="other-comparison"),
        pytest.param("~a", id="other-sign"),
    ],
)
def test_what_is_no_arithmetic_is_refused(formula):
    """A printed formula is never run as a program."""
    with pytest.raises(BadValueError, match="formula can not be computed"):
        recompute(derived(0.0, formula, **PARTS).to_json())


def test_explanations_nest_and_survive_print():
    """Parts of parts are computed first, and JSON loses no digit."""
    whole = derived(0.1 + 0.2, "x + y", x=given(0.1), y=summed(0.2, {"any text": given(0.2)}))
    assert recompute(json.loads(json.dumps(whole.to_json()))) == 0.1 + 0.2


def test_leaf_gives_its_value_and_note():
    """A number that was given says what it is."""
    assert given(np.float64(0.25), "a share").to_json() == {"value": 0.25, "note": "a share"}


def test_yes_stays_yes():
    """A gate prints true or false, not a number."""
    assert derived(True, "a > b", **PARTS).to_json()["value"] is True


def test_numpy_scalars_become_plain_numbers():
    """What is printed is a Python number."""
    assert type(given(np.float32(0.5)).value) is float
    assert math.isclose(summed(np.float64(1.5), {"x": given(1.5)}).value, 1.5)
