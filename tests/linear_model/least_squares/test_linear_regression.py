import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import NotFittedError

from gramian import LinearRegression, Ridge
from gramian.base.errors import DataError, ParameterError
from tests.linear_model.data import boston, table


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(8, 60),
    d=st.integers(1, 6),
    m=st.integers(1, 3),
    fit_intercept=st.booleans(),
    weighted=st.booleans(),
    seed=st.integers(0, 10),
)
def test_residuals_are_orthogonal_to_the_columns(n, d, m, fit_intercept, weighted, seed):
    """The normal equations: X'W(y - Xc - b) = 0, and the weighted residuals sum to 0."""
    X, y, w = table(n, d, m, seed)
    w = w if weighted else np.ones(n)
    model = LinearRegression(fit_intercept=fit_intercept).fit(X, y, w)
    r = (y - model.predict(X)).reshape(n, -1) * w[:, None]
    scale = np.abs(X).max() * np.abs(y).max() * n
    assert_allclose(X.T @ r, 0, atol=1e-11 * scale)
    if fit_intercept:
        assert_allclose(r.sum(axis=0), 0, atol=1e-11 * scale)


def test_agrees_with_scikit_learn_on_boston(data_folder):
    X, y = boston(data_folder)
    ours = LinearRegression().fit(X, y)
    theirs = sklearn.linear_model.LinearRegression().fit(X, y)
    rss = ((y - theirs.predict(X)) ** 2).sum()
    assert ours.rss_ == pytest.approx(rss, rel=1e-6)
    assert ours.rss_ <= rss * (1 + 1e-12)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    assert_allclose(ours.singular_, theirs.singular_, rtol=1e-8)
    assert ours.rank_ == theirs.rank_


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("n", [60, 4])
def test_agrees_with_the_pseudoinverse(n, make, fit_intercept):
    """c = X^+ y, of least norm where n < d."""
    X, y, w = table(n, 6)
    root = np.sqrt(w)[:, None] if n > 6 else np.ones((n, 1))
    mean = np.average(X, axis=0, weights=root[:, 0] ** 2) if fit_intercept else 0
    target = np.average(y, weights=root[:, 0] ** 2) if fit_intercept else 0
    coef = np.linalg.pinv((X - mean) * root) @ ((y - target) * root[:, 0])
    model = LinearRegression(fit_intercept=fit_intercept).fit(make(X), y, root[:, 0] ** 2)
    assert_allclose(model.coef_, coef, rtol=1e-9, atol=1e-12)


def test_weights_equal_repetition():
    X, y, _ = table(40)
    k = np.random.default_rng(1).integers(0, 4, size=40)
    weighted = LinearRegression().fit(X, y, k)
    repeated = LinearRegression().fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-10)
    assert weighted.rss_ == pytest.approx(repeated.rss_, rel=1e-10)
    assert weighted.log_likelihood_ == pytest.approx(repeated.log_likelihood_, rel=1e-10)
    for name, values in weighted.inference_.items():
        assert_allclose(values, repeated.inference_[name], rtol=1e-8, err_msg=name)


def test_several_targets_decouple():
    X, Y, w = table(m=3)
    model = LinearRegression().fit(X, Y, w)
    for t in range(3):
        alone = LinearRegression().fit(X, Y[:, t], w)
        assert_allclose(model.coef_[t], alone.coef_, rtol=1e-12)
        assert model.intercept_[t] == pytest.approx(alone.intercept_, rel=1e-12)
        assert model.rss_[t] == pytest.approx(alone.rss_, rel=1e-10)


def test_duplicated_columns_share_their_coefficient():
    X, y, _ = table(d=3)
    with pytest.warns(LinAlgWarning, match="rank 3 of 4"):
        model = LinearRegression().fit(np.column_stack([X, X[:, 0]]), y)
    plain = LinearRegression().fit(X, y)
    assert model.rank_ == 3
    assert model.coef_[0] == pytest.approx(model.coef_[3], rel=1e-9)
    assert model.coef_[0] + model.coef_[3] == pytest.approx(plain.coef_[0], rel=1e-9)
    with pytest.raises(AttributeError, match="full rank"):
        _ = model.inference_


def test_one_row():
    model = LinearRegression().fit([[1.0, 2.0]], [3.0])
    assert_array_equal(model.coef_, 0)
    assert model.intercept_ == 3
    assert LinearRegression(fit_intercept=False).fit([[3.0, 4.0]], [25.0]).coef_ == pytest.approx(
        [3.0, 4.0]
    )


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e150])
def test_huge_and_tiny_scales(scale):
    X, y, _ = table()
    model = LinearRegression().fit(X * scale, y)
    assert_allclose(model.coef_ * scale, LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_inference_of_one_column_matches_scipy():
    X, y, _ = table(d=1)
    theirs = scipy.stats.linregress(X[:, 0], y)
    ours = LinearRegression().fit(X, y).inference_
    assert_allclose(ours["estimate"], [theirs.slope, theirs.intercept], rtol=1e-10)
    errors = [theirs.stderr, theirs.intercept_stderr]
    assert_allclose(ours["standard_error"], errors, rtol=1e-10)
    assert ours["p"][0] == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-300)


def test_intervals_have_their_nominal_coverage():
    """1000 draws of noise are 1000 targets of one fit."""
    rng = np.random.default_rng(5)
    X, _, _ = table(30, 3)
    truth = np.array([1.0, -2.0, 0.5])
    Y = (X @ truth)[:, None] + rng.normal(size=(30, 1000)) * 2
    found = LinearRegression().fit(X, Y).inference(level=0.9)
    covered = (found["low"][:, :3] <= truth) & (truth <= found["high"][:, :3])
    assert_allclose(covered.mean(axis=0), 0.9, atol=4 * np.sqrt(0.09 / 1000))


def test_t24_variance_of_the_fit_is_noise_times_unknowns_over_rows_and_bias_is_zero():
    """Worked number T24: variance about sigma^2 d / n, bias 0; 4000 draws are 4000 targets."""
    rng = np.random.default_rng(6)
    n, d, sigma = 50, 5, 1.5
    X = rng.normal(size=(n, d))
    f = X @ rng.normal(size=d)
    Y = f[:, None] + sigma * rng.normal(size=(n, 4000))
    predictions = LinearRegression(fit_intercept=False).fit(X, Y).predict(X)
    assert predictions.var(axis=1).mean() == pytest.approx(sigma**2 * d / n, rel=0.03)
    assert_allclose(predictions.mean(axis=1), f, atol=5 * sigma * np.sqrt(d / n / 4000) * 2)


def test_likelihood_and_precision_of_gaussian_noise():
    """Bishop 2006, 3.11 and 3.21: the density with beta_ML at the fitted means."""
    X, y, _ = table()
    model = LinearRegression().fit(X, y)
    r = y - model.predict(X)
    assert 1 / model.beta_ == pytest.approx((r**2).mean(), rel=1e-10)
    law = scipy.stats.norm(scale=model.beta_**-0.5)
    assert model.log_likelihood_ == pytest.approx(law.logpdf(r).sum(), rel=1e-10)


def test_enough_random_features_interpolate():
    """With more random features than rows the least-norm fit meets every target (RG-31)."""
    rng = np.random.default_rng(7)
    x, y = rng.uniform(-1, 1, size=(20, 2)), rng.normal(size=20)
    norms = []
    for features in (10, 40, 400):
        Phi = np.cos(x @ rng.normal(size=(2, features)) * 3 + rng.uniform(0, 6.3, size=features))
        model = LinearRegression().fit(Phi, y)
        error = np.abs(model.predict(Phi) - y).max()
        assert (error < 1e-8) == (features > 20)
        norms.append(np.linalg.norm(model.coef_))
    assert norms[2] < norms[1]


def test_inference_needs_a_fit_and_a_level_between_0_and_1():
    with pytest.raises(NotFittedError):
        LinearRegression().inference()
    model = LinearRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0])
    for level in (0.0, 1.0, 95, -0.5, float("nan")):
        with pytest.raises(ParameterError, match="level"):
            model.inference(level)


@pytest.mark.parametrize("make", [LinearRegression, Ridge])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("value", [0.0, 0.1, 3.0])
def test_constant_columns_print_nothing_to_the_terminal(make, fit_intercept, dtype, value, capfd):
    """LAPACK writes to the terminal when it is asked for the factor of an empty matrix."""
    y = np.arange(6.0)
    model = make(fit_intercept=fit_intercept).fit(np.full((6, 1), value, dtype), y)
    assert capfd.readouterr() == ("", "")
    if fit_intercept:
        assert_allclose(model.coef_, 0)
        assert model.intercept_ == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("of_x", "of_y"),
    [(1e200, 1), (1e-200, 1), (1, 1e-160), (1, 1e-170), (1, 1e200), (1e200, 1e200)],
)
def test_inference_is_nan_with_a_warning_if_squares_overflow(of_x, of_y):
    X, y, _ = table()
    with np.errstate(all="raise", under="ignore"):
        model = LinearRegression().fit(X * of_x, y * of_y)
        with pytest.warns(LinAlgWarning, match=r"squares of X or y .* Scale X and y"):
            found = model.inference()
    for name in ("standard_error", "t", "p", "low", "high"):
        assert np.isnan(found[name][:-1]).all(), name
    assert_allclose(found["estimate"][:-1], model.coef_)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("of_x", "of_y"), [(1e120, 1e-60), (1e-120, 1e60), (1, 1e-140)])
def test_inference_of_squares_in_range_does_not_depend_on_the_units(of_x, of_y):
    X, y, _ = table()
    plain, scaled = LinearRegression().fit(X, y), LinearRegression().fit(X * of_x, y * of_y)
    assert_allclose(scaled.inference()["t"], plain.inference()["t"], rtol=1e-9)
    assert_allclose(scaled.leverages(X * of_x), plain.leverages(X), rtol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("y", [[0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
def test_an_exact_fit_has_standard_errors_of_zero(y):
    found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], y).inference()
    assert_allclose(found["standard_error"], 0, atol=1e-12)


def test_the_likelihood_of_tiny_targets_matches_their_units():
    """y s has the density of y over s^n."""
    X, y, _ = table()
    plain = LinearRegression().fit(X, y)
    with np.errstate(all="raise", under="ignore"):
        tiny = LinearRegression().fit(X, y * 1e-160)
    moved = plain.log_likelihood_ + len(y) * 160 * np.log(10)
    assert tiny.log_likelihood_ == pytest.approx(moved, rel=1e-3)


def test_leverages_are_refused_if_squares_overflow():
    X, y, _ = table()
    with pytest.raises(DataError, match="leverages need columns whose squares"):
        LinearRegression().fit(X * 1e200, y).leverages(X * 1e200)
