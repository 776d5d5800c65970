"""More columns than rows: the same problem in n coordinates."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.linear_model.glm.row_space import is_wide, row_space
from tests.linear_model.glm.logistic_data import several


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_more_columns_than_rows_are_solved_in_the_rows_own_space(classes, intercept):
    X, y = several(40, 300, classes)
    model = LogisticRegression(tol=1e-10, fit_intercept=intercept).fit(X, y)
    plain = LogisticRegression(
        tol=1e-9, fit_intercept=intercept, solver="lbfgs", max_iter=5000
    ).fit(X, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-6)
    np.testing.assert_allclose(model.intercept_, plain.intercept_, atol=1e-6)


@pytest.mark.parametrize("rank", [6, 4, 1, 0])
def test_rows_in_their_own_coordinates(rank, rng):
    """X w = Z u and |w| = |u|, also where rows depend on each other."""
    X = rng.normal(size=(6, rank)) @ rng.normal(size=(rank, 40))
    space = row_space(X)
    assert space.Z.shape[1] == max(rank, 1)
    np.testing.assert_allclose(space.Z @ space.Z.T, X @ X.T, atol=1e-9)
    if rank:
        u = rng.normal(size=space.Z.shape[1])
        w = space.weights(u)
        np.testing.assert_allclose(X @ w, space.Z @ u, atol=1e-9)
        assert np.linalg.norm(w) == pytest.approx(np.linalg.norm(u))


def test_the_rows_coordinates_are_for_few_rows():
    assert is_wide(100, 5000, sparse=False)
    assert is_wide(300, 1000, sparse=False)
    assert not is_wide(300, 1000, sparse=True)
    assert not is_wide(1500, 2000, sparse=False)  # the factorisation alone would cost more
    assert not is_wide(100, 200, sparse=False)
