"""Metrics that are l_p distances of mapped rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gramian
from gramian.base.errors import ParameterError
from gramian.neighbors import NearestNeighbors
from gramian.neighbors.structures.lp_space import lp_space

X = np.random.default_rng(0).normal(size=(60, 4))


@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
def test_weighted_minkowski(p, rng):
    X, Q, w = rng.normal(size=(100, 4)), rng.normal(size=(9, 4)), np.array([1.0, 0.0, 2.5, 0.3])
    parts = np.abs(Q[:, None] - X[None])
    lengths = (
        (parts * (w > 0)).max(axis=2) if np.isinf(p) else (w * parts**p).sum(axis=2) ** (1 / p)
    )
    for algorithm in ("kd_tree", "brute"):
        model = NearestNeighbors(
            n_neighbors=4, p=p, metric_params={"w": w}, algorithm=algorithm
        ).fit(X)
        distances, indices = model.kneighbors(Q)
        assert_allclose(distances, np.sort(lengths, axis=1)[:, :4], rtol=1e-12)
        assert_allclose(np.take_along_axis(lengths, indices, 1), distances, rtol=1e-12)


def test_weights_that_overflow_the_rows_are_refused():
    weights = {"w": [1e300] * 4}
    with pytest.raises(ValueError, match="rows times weights must be finite"):
        gramian.NearestNeighbors(p=1.5, metric_params=weights).fit(X * 1e300)


@pytest.mark.parametrize(
    ("metric", "distance"),
    [
        ("cosine", lambda x, z: 1 - x @ z / np.linalg.norm(x) / np.linalg.norm(z)),
        ("sqeuclidean", lambda x, z: ((x - z) ** 2).sum()),
        ("manhattan", lambda x, z: np.abs(x - z).sum()),
        ("chebyshev", lambda x, z: np.abs(x - z).max()),
    ],
)
def test_mapped_rows_have_the_distances_of_the_metric(metric, distance):
    space = lp_space("Model", metric, 2.0, None)
    a, b = space.rows(X)[:2]
    expected = distance(*X[:2])
    inside = np.array([np.linalg.norm(a - b, ord=space.p)])
    assert space.radius(expected) == pytest.approx(inside[0])
    assert space.to_metric(inside)[0] == pytest.approx(expected)


def test_metrics_without_such_a_space():
    assert lp_space("Model", "canberra", 2.0, None) is None
    assert lp_space("Model", lambda x, z: 0.0, 2.0, None) is None


@pytest.mark.parametrize("p", [10**400, "2", [1, 2], np.nan, 1j])
@pytest.mark.parametrize("name", ["KNeighborsRegressor", "RadiusNeighborsClassifier", "DBSCAN"])
def test_an_order_that_is_no_number_names_the_estimator(name, p):
    model = getattr(gramian, name)(metric="minkowski", metric_params={"p": p})
    with pytest.raises(ParameterError, match=f"{name}: p of the Minkowski metric must be a num"):
        model.fit(X, np.arange(60) % 2)
    density = gramian.KernelDensity(metric="minkowski", metric_params={"p": p})
    with pytest.raises(ParameterError, match="KernelDensity: p of the Minkowski metric"):
        density.fit(X).score_samples(X)


@pytest.mark.parametrize("name", ["KNeighborsRegressor", "DBSCAN"])
@pytest.mark.parametrize(
    ("metric", "params", "phrase"),
    [
        ("minkowski", {"w": [1.0]}, "metric_params\\['w'\\] must contain 4 weights"),
        ("minkowski", {"w": [1.0, 2.0]}, "metric_params\\['w'\\] must contain 4 weights"),
        ("mahalanobis", {"VI": [[1.0]]}, "these are not parameters of the metric"),
    ],
)
def test_parameters_of_a_metric_that_do_not_fit_the_columns_name_the_estimator(
    name, metric, params, phrase
):
    model = getattr(gramian, name)(metric=metric, metric_params=params)
    with pytest.raises(ParameterError, match=f"{name}: .*{phrase}"):
        model.fit(X, X[:, 0])
