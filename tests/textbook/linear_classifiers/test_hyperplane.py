"""Hyperplanes: distances, projections, margins, and the space of weights."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import LogisticRegression, Perceptron
from gramian.textbook.linear_classifiers import (
    Hyperplane,
    add_constant,
    constraint_of,
    feasible_weights,
)
from tests.linear_model.glm.logistic_data import binary
from tests.linear_model.perceptron.separable_rows import separable


def test_margins_of_a_plane():
    H = Hyperplane([3.0, 4.0], -5.0)
    X, y = [[3.0, 4.0], [1.0, 1.0], [0.0, 0.0]], [1, 1, -1]
    np.testing.assert_allclose(H.margins(X, y), [4, 0.4, 1])
    assert H.margin(X, y) == pytest.approx(0.4)
    assert H.class_margins(X, y) == (pytest.approx(1), pytest.approx(0.4))


def test_hyperplane(rng):
    """LC-01: signed distance f / |w|, projection x - r w / |w|, sides."""
    H = Hyperplane(rng.normal(size=5), 0.7)
    X = rng.normal(size=(20, 5))
    P = H.project(X)
    np.testing.assert_allclose(H.value(P), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(X - P, axis=1), np.abs(H.distance(X)))
    np.testing.assert_array_equal(H.side(P), 0)
    np.testing.assert_array_equal(H.side(X), np.sign(H.value(X)))
    assert H.offset == pytest.approx(H.distance(np.zeros(5)))
    for bad in ([0.0, 0.0], [np.nan], [[1.0]]):
        with pytest.raises(ValueError, match="w must be a finite vector other than 0"):
            Hyperplane(bad)


def test_hyperplane_of_a_model_is_its_boundary():
    X, y = binary()
    model = LogisticRegression().fit(X, y)
    on = Hyperplane.of(model).project(X)
    np.testing.assert_allclose(model.predict_proba(on), 0.5, atol=1e-9)


def test_the_fictitious_dimension_makes_the_bias_a_weight():
    """LC-02: a column of ones, first or last."""
    X, y = binary()
    with_bias = LogisticRegression(C=float("inf"), tol=1e-10).fit(X, y)
    for position in ("first", "last"):
        for table in (X, sp.csr_array(X)):
            lifted = add_constant(table, position)
            model = LogisticRegression(C=float("inf"), fit_intercept=False, tol=1e-10)
            w = model.fit(lifted, y).coef_[0]
            bias, rest = (w[0], w[1:]) if position == "first" else (w[-1], w[:-1])
            assert bias == pytest.approx(with_bias.intercept_[0], abs=1e-7)
            np.testing.assert_allclose(rest, with_bias.coef_[0], atol=1e-7)
    with pytest.raises(ValueError, match="position must be"):
        add_constant(X, "middle")
    with pytest.raises(ValueError, match=r"shape \(n, d\)"):
        add_constant([1.0])


def test_points_and_planes_change_places_between_the_spaces():
    X, y = separable(9)
    model = Perceptron(tol=None).fit(X, y)
    point = Hyperplane.of(model).as_point
    walls = [constraint_of(x, label) for x, label in zip(X, y, strict=True)]
    assert all(wall.value(point) > 0 for wall in walls)
    assert feasible_weights([point, -point, 2 * point], X, y).tolist() == [True, False, True]
