"""Linear maps of metrics and bandwidths."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from gramian.neighbors.density.space import KernelSpace, ellipsoid, factor, space_of_metric


def covariance(rng, d=3):
    A = rng.normal(size=(d, d))
    return A @ A.T + np.eye(d)


def test_distances_of_mapped_rows_match_the_metric(rng):
    X, V = rng.normal(size=(8, 3)), covariance(rng)
    cases = {
        "seuclidean": ({"V": np.diag(V)}, {"V": np.diag(V)}),
        "mahalanobis": ({"V": V}, {"VI": np.linalg.inv(V)}),
    }
    for metric, (parameters, of_scipy) in cases.items():
        space = space_of_metric("K", metric, parameters, X)
        rows = space.rows(X)
        np.testing.assert_allclose(cdist(rows, rows), cdist(X, X, metric, **of_scipy))
        np.testing.assert_allclose(space.to_data(rows), X)
    inverse = space_of_metric("K", "mahalanobis", {"VI": np.linalg.inv(V)}, X)
    assert inverse.log_det == pytest.approx(space.log_det)
    assert space.log_det == pytest.approx(-0.5 * np.log(np.linalg.det(V)))


def test_weights_and_orders(rng):
    X = rng.normal(size=(5, 3))
    space = space_of_metric("K", "minkowski", {"p": 3, "w": [1.0, 2.0, 8.0]}, X)
    assert space.p == 3
    assert space.log_det == pytest.approx(np.log(16) / 3)
    assert space_of_metric("K", "chebyshev", None, X) == KernelSpace(np.inf)


@pytest.mark.parametrize(
    ("metric", "value", "message"),
    [
        ("seuclidean", {"V": [1.0, 0.0, 1.0]}, "variances > 0"),
        ("seuclidean", {"q": 1}, "unknown keys"),
        ("mahalanobis", {}, "'V', the covariance"),
        ("mahalanobis", {"V": np.zeros((3, 3))}, "positive definite"),
        ("mahalanobis", {"V": np.eye(2)}, r"shape \(3, 3\)"),
        ("minkowski", {"w": [1.0, 0.0, 1.0]}, "weights > 0"),
    ],
)
def test_metrics_and_rows_that_do_not_fit_are_refused(rng, metric, value, message):
    with pytest.raises(ValueError, match=rf"^K: .*{message}"):
        space_of_metric("K", metric, value, rng.normal(size=(4, 3)))


def test_factor_and_ellipsoid(rng):
    S = covariance(rng)
    L = factor("K", "S", S, 3)
    np.testing.assert_allclose(L @ L.T, S)
    np.testing.assert_allclose(ellipsoid("K", "S", S, 3).map @ L, np.eye(3), atol=1e-12)


def test_messages_say_what_is_wrong_with_a_matrix():
    with pytest.raises(ValueError, match=r"differs from its transpose by up to 0\.5"):
        ellipsoid("KernelDensity", "bandwidth", [[1, 0.5], [0, 1]], 2)
    with pytest.raises(ValueError, match="differs from its transpose"):  # also of small numbers
        ellipsoid("KernelDensity", "bandwidth", np.array([[1, 0.5], [0, 1]]) * 1e-12, 2)
    with pytest.raises(ValueError, match=r"of shape \(2, 2\); got shape \(3,\)"):
        ellipsoid("KernelDensity", "bandwidth", [1.0, 2.0, 3.0], 2)
    with pytest.raises(ValueError, match="got NaN or infinity"):
        ellipsoid("KernelDensity", "bandwidth", [[1, np.nan], [np.nan, 1]], 2)


def test_the_order_of_a_norm_is_at_least_one():
    with pytest.raises(
        ValueError, match=r"must be at least 1; got 0\.5.* kernels do not integrate to 1"
    ) as caught:
        space_of_metric("KernelDensity", "minkowski", {"p": 0.5}, np.ones((3, 2)))
    assert "function" not in str(caught.value)  # KernelDensity takes none as metric
