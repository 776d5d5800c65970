"""KernelRegressor: worked number, NumPy, and what local lines reproduce."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gramian
from gramian import KernelRegressor
from gramian.neighbors.density.kernels import KERNELS


def test_regression_at_0_from_three_points():
    model = KernelRegressor(bandwidth=1.0).fit([[-1.0], [0.0], [1.0]], [1.0, 2.0, 4.0])
    assert model.predict([[0.0]])[0] == pytest.approx(2.274069, abs=5e-7)


@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("kernel", KERNELS)
def test_weighted_least_squares_at_every_query(rng, kernel, degree):
    X, Q = rng.normal(size=(300, 2)), rng.normal(size=(15, 2))
    Y, w = rng.normal(size=(300, 3)), rng.random(300)
    model = KernelRegressor(bandwidth=2.5, kernel=kernel, degree=degree)
    found = model.fit(X, Y, sample_weight=w).predict(Q)
    K = np.exp(KERNELS[kernel].log_weight(cdist(Q, X), 2.5)) * w
    for q in range(15):
        design = np.column_stack([np.ones(300), X - Q[q]])[:, : 1 + 2 * degree]
        root = np.sqrt(K[q])[:, None]
        expected = np.linalg.lstsq(root * design, root * Y)[0][0]
        np.testing.assert_allclose(found[q], expected, rtol=1e-8, atol=1e-9)


def test_local_lines_reproduce_a_plane(rng):
    X = 1000 + rng.normal(size=(200, 3))
    y = X @ [1.0, -2.0, 0.5] + 3
    model = KernelRegressor(bandwidth=0.8, degree=1).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-8)


def test_a_narrow_kernel_predicts_the_nearest_target(rng):
    X, y = rng.normal(size=(50, 2)), rng.normal(size=50)
    far = np.vstack([X + 1e-3, [[500.0, 0.0]]])
    nearest = np.append(y, y[np.argmin(cdist([[500.0, 0.0]], X))])
    for parameters in ({"kernel": "gaussian"}, {"kernel": "tophat"}):
        model = KernelRegressor(bandwidth=2e-3, **parameters).fit(X, y)
        np.testing.assert_allclose(model.predict(far), nearest, rtol=1e-6)


def test_rows_without_weight_do_not_count(rng):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([5.0, 7.0, 9.0])
    model = KernelRegressor(kernel="tophat", bandwidth=0.1).fit(X, y, sample_weight=[1, 0, 1])
    assert model.predict([[1.1], [0.2]]).tolist() == [9.0, 5.0]


def test_one_row_and_equal_rows():
    assert KernelRegressor(degree=1).fit([[1.0]], [4.0]).predict([[9.0]])[0] == pytest.approx(4)
    model = KernelRegressor(degree=1).fit(np.ones((9, 2)), np.arange(9.0))
    assert model.predict([[1.0, 3.0]])[0] == pytest.approx(4)


def test_a_saved_model_gives_the_same_bits(rng, tmp_path):
    X, Y = rng.normal(size=(100, 2)), rng.normal(size=(100, 2))
    model = KernelRegressor(bandwidth="scott", degree=1).fit(X, Y)
    loaded = gramian.load(gramian.save(model, tmp_path / "smooth.gram"))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_bad_bandwidths():
    for bandwidth in (0.0, 1e-200):
        with pytest.raises(ValueError, match=r"^KernelRegressor: bandwidth must"):
            KernelRegressor(bandwidth=bandwidth).fit([[1.0]], [1.0])


def test_a_weight_near_zero_changes_no_mean():
    """The smallest weight, 1e-310, has a reciprocal that overflows."""
    X, y = [[0.0], [1000.0]], [1.0, 3.0]
    model = KernelRegressor(bandwidth=1.0).fit(X, y, sample_weight=[1.0, 1e-310])
    np.testing.assert_allclose(model.predict([[0.0], [0.5], [1000.0]]), [1, 1, 3])


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("least", [1e-300, 1e-290, 1e-200])
def test_tiny_weights_far_away_keep_their_ratio(kernel, degree, least):
    X, y = [[0.0], [1000.0], [1001.0]], [1.0, 5.0, 7.0]
    model = KernelRegressor(bandwidth=5.0, kernel=kernel, degree=degree)
    model.fit(X, y, sample_weight=[1.0, least, 3 * least])
    alone = KernelRegressor(bandwidth=5.0, kernel=kernel, degree=degree)
    alone.fit(X[1:], y[1:], sample_weight=[1.0, 3.0])
    queries = [[1000.5], [1003.0]]
    expected = [1.0, *alone.predict(queries)]
    np.testing.assert_allclose(model.predict([[0.0], *queries]), expected, rtol=1e-9)


@pytest.mark.parametrize("least", [1e-310, 1e-200])
def test_the_nearest_row_may_have_a_tiny_weight(least):
    model = KernelRegressor(bandwidth=1.0, kernel="tophat")
    model.fit([[0.0], [100.0], [130.0]], [1.0, 5.0, 9.0], sample_weight=[1.0, least, 0.0])
    np.testing.assert_array_equal(model.predict([[0.0], [10.0], [90.0], [130.0]]), [1, 1, 5, 5])
