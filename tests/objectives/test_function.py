"""A function of the user's own as a problem."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.objectives import Function
from tests.objectives.smooth_function import f, gradient, hessian, points


@given(x=points)
def test_a_function_uses_what_it_is_given_and_computes_the_rest(x):
    for given_ in ({}, {"gradient": gradient}, {"gradient": gradient, "hessian": hessian}):
        problem = Function(f, **given_)
        J, g, H = problem.second_order(x)
        assert f(x) == J
        assert_allclose(g, gradient(x), atol=1e-8)
        assert_allclose(H, hessian(x), atol=1e-5)
        assert_allclose(problem.hessian_product(x, np.ones(3)), H.sum(axis=1), atol=1e-12)


def test_what_a_function_lacks():
    assert {"prox", "rows", "least squares"} <= set(Function(f).lacking())
    assert "gradient" not in Function(f).lacking()
    assert "non-smooth" in Function(f, smooth=False).lacking()["gradient"]
    rows = Function(f, rows_gradient=lambda x, rows: x, n_rows=3)
    assert "rows" not in rows.lacking()
    assert rows.rows_gradient(np.ones(3), np.array([0])).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Function(3), TypeError, "f must be a function"),
        (lambda: Function(lambda x: x).value(np.ones(2)), DataError, "must return one number"),
        (lambda: Function(f, lambda x: [1.0]).gradient(np.ones(3)), DataError, r"shape \(3,\)"),
        (lambda: Function(f).start(), DataError, "pass start or size"),
        (lambda: Function(f, n_rows=3), DataError, "pass both or neither"),
    ],
)
def test_bad_functions_say_what_is_wrong(make, error, words):
    with pytest.raises(error, match=words):
        make()
