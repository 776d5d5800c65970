"""SmoothingSpline against SciPy's solver, its limits, and additive fits."""

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline

import gramian
from gramian import LinearRegression, SmoothingSpline


@pytest.fixture
def curve(rng):
    x = np.sort(rng.uniform(0, 10, 120))
    return x, np.sin(x) + 0.3 * rng.normal(size=120), rng.uniform(0.5, 2.0, 120)


@pytest.mark.parametrize("lam", [0.001, 0.1, 10.0])
def test_curves_agree_with_scipy(curve, lam):
    x, y, w = curve
    theirs = make_smoothing_spline(x, y, w, lam)
    ours = SmoothingSpline(lam).fit(x[:, None], y, sample_weight=w)
    at = np.linspace(0.3, 9.5, 50)
    np.testing.assert_allclose(ours.predict(at[:, None]), theirs(at), atol=1e-5)
    assert ours.lam_[0] == pytest.approx(lam)


def test_cross_validation_matches_scipy(curve):
    x, y, _ = curve
    ours = SmoothingSpline().fit(x[:, None], y)
    np.testing.assert_allclose(ours.predict(x[:, None]), make_smoothing_spline(x, y)(x), atol=1e-4)


def test_limits_interpolation_and_straight_line(curve):
    x, y, w = curve
    X = x[:, None]
    np.testing.assert_allclose(SmoothingSpline(0.0).fit(X, y).predict(X), y, atol=1e-9)
    line = LinearRegression().fit(X, y, sample_weight=w)
    straight = SmoothingSpline(1e12).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(straight.predict(X), line.predict(X), atol=1e-5)


def test_the_curve_is_straight_beyond_the_data(curve):
    x, y, _ = curve
    beyond = SmoothingSpline().fit(x[:, None], y).predict([[11.0], [12.0], [13.0]])
    assert beyond[2] - beyond[1] == pytest.approx(beyond[1] - beyond[0])


def test_beyond_the_data_the_curve_is_not_scipys(curve):
    x, y, _ = curve
    ours, theirs = SmoothingSpline(0.1).fit(x[:, None], y), make_smoothing_spline(x, y, lam=0.1)
    ends = x[[0, -1]]
    np.testing.assert_allclose(ours.predict(ends[:, None]), theirs(ends), atol=1e-6)
    outside = np.array([x[0] - 3, x[-1] + 3])
    slopes = theirs.derivative()(ends)
    np.testing.assert_allclose(
        ours.predict(outside[:, None]), theirs(ends) + slopes * [-3, 3], atol=1e-4
    )
    assert (np.abs(ours.predict(outside[:, None]) - theirs(outside)) > 0.1).all()  # cubic pieces


def test_repeated_rows_are_weights(rng):
    x, y = rng.integers(0, 30, 90).astype(float), rng.normal(size=90)
    w = rng.integers(1, 4, 90)
    rows = np.repeat(np.arange(90), w)
    weighted = SmoothingSpline().fit(x[:, None], y, sample_weight=w)
    repeated = SmoothingSpline().fit(x[rows, None], y[rows])
    np.testing.assert_allclose(weighted.predict(x[:, None]), repeated.predict(x[:, None]))


def test_sums_of_functions_of_several_columns(rng):
    X = rng.uniform(-2, 2, size=(900, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.05 * rng.normal(size=900)
    model = SmoothingSpline().fit(X[:600], y[:600])
    assert model.score(X[600:], y[600:]) > 0.98
    assert 1 < model.n_iter_ <= 30


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("lam", [None, 0.0, 1.0])
def test_few_rows(n, lam):
    X, y = np.arange(n)[:, None] * 1.0, np.arange(n) * 2.0
    np.testing.assert_allclose(SmoothingSpline(lam).fit(X, y).predict(X), y, atol=1e-9)


def test_a_constant_column_adds_nothing(rng):
    y = rng.normal(size=20)
    model = SmoothingSpline().fit(np.ones((20, 1)), y)
    assert model.predict([[1.0], [5.0]]) == pytest.approx([y.mean()] * 2)


def test_forged_files_are_refused(rng, tmp_path):
    model = SmoothingSpline().fit(rng.normal(size=(20, 1)), rng.normal(size=20))
    model.values_ = [model.values_[0][:-1]]
    with pytest.raises(ValueError, match="are inconsistent"):
        gramian.load(gramian.save(model, tmp_path / "spline.gram"))
