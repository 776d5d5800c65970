"""Fisher's criterion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from gramian import LinearDiscriminantAnalysis
from gramian.base.errors import DataError
from gramian.textbook.discriminant_analysis import fisher_criterion

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


def test_the_best_direction_of_two_classes_is_proportional_to_fishers():
    m1, m2 = (TWO[k == SIDES].mean(axis=0) for k in (1, 2))
    Sw = sum(50 * np.cov(TWO[k == SIDES].T, bias=True) for k in (1, 2))
    w = np.linalg.solve(Sw, m1 - m2)
    found = LinearDiscriminantAnalysis().fit(TWO, SIDES).scalings_[:, 0]
    assert abs(w @ found) == pytest.approx(np.linalg.norm(w) * np.linalg.norm(found))


def test_directions_must_fit_the_columns():
    with pytest.raises(DataError, match="directions must have 4 rows"):
        fisher_criterion(X, Y, [1.0, 2.0])


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e150])
def test_the_criterion_has_no_scale(size):
    w = np.array([1.0, -0.5, 2.0, 0.3])
    exact = fisher_criterion(X, Y, w)
    assert_allclose(fisher_criterion(X * size, Y, w), exact, rtol=1e-9)
    assert_allclose(fisher_criterion(X, Y, w * size), exact, rtol=1e-9)
    stretched = X * [1.0, size, 1.0, 1.0]
    assert_allclose(
        fisher_criterion(stretched, Y, [0, 1, 0, 0]), fisher_criterion(X, Y, [0, 1, 0, 0])
    )


def test_directions_without_length_are_refused():
    for w in ([0, 0, 0, 0], [1, np.nan, 0, 0]):
        with pytest.raises(DataError, match="finite numbers, not all 0"):
            fisher_criterion(X, Y, w)


def test_a_constant_column_separates_nothing():
    assert fisher_criterion(np.c_[X, np.ones(150)], Y, [0, 0, 0, 0, 1]).tolist() == [0.0]
