"""Fisher's criterion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from gramian import LinearDiscriminantAnalysis, fisher_criterion
from gramian.base.errors import DataError

X, Y = load_iris(return_X_y=True)
TWO, SIDES = X[50:], Y[50:]


def test_between_and_within_scatter_of_two_classes():
    """E28: w' S_b w = n (m1 - m2)^2 / 4 for classes of equal size; S_w is within the classes."""
    w = np.array([1.0, -0.5, 2.0, 0.3])
    z = TWO @ w
    a, b = z[SIDES == 1], z[SIDES == 2]
    exact = 25 * (a.mean() - b.mean()) ** 2 / (50 * a.var() + 50 * b.var())
    assert_allclose(fisher_criterion(TWO, SIDES, w), exact)
    assert_allclose(fisher_criterion(TWO, SIDES, -7 * w), exact)


def test_the_best_direction_of_two_classes_is_proportional_to_that_of_fisher():
    m1, m2 = (TWO[k == SIDES].mean(axis=0) for k in (1, 2))
    Sw = sum(50 * np.cov(TWO[k == SIDES].T, bias=True) for k in (1, 2))
    w = np.linalg.solve(Sw, m1 - m2)
    found = LinearDiscriminantAnalysis().fit(TWO, SIDES).scalings_[:, 0]
    assert abs(w @ found) == pytest.approx(np.linalg.norm(w) * np.linalg.norm(found))


def test_directions_must_fit_the_columns():
    with pytest.raises(DataError, match="directions must have 4 rows"):
        fisher_criterion(X, Y, [1.0, 2.0])
