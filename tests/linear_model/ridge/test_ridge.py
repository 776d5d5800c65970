import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from gramian import LinearRegression, Ridge
from tests.linear_model.data import boston, table

T6_X, T6_Y = [[0.0, 0.0], [1.0, 1.0], [0.51, 0.49]], [0.0, 0.0, 1.0]


def test_t6_least_squares_on_nearly_collinear_points():
    """Worked number T6: 50 x1 - 50 x2 without noise to excuse it."""
    model = LinearRegression().fit(T6_X, T6_Y)
    assert_allclose(model.coef_, [50, -50], rtol=1e-9)
    assert model.intercept_ == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("alpha", "weight", "bias"), [(0.01, 0.65789, 0.32895), (1.0, 0.0066658, 0.333289)]
)
def test_t6_ridge_with_an_unpenalised_bias(alpha, weight, bias):
    """Worked number T6, to half a unit of the last printed digit."""
    model = Ridge(alpha=alpha).fit(T6_X, T6_Y)
    assert_allclose(model.coef_, [weight, -weight], rtol=1e-4, atol=5e-6)
    assert model.intercept_ == pytest.approx(bias, abs=5e-6)


def gradient(model, X, y, w, alpha, P, *, penalised_bias=False):
    """Half the gradient of the objective at the fitted model."""
    r = w * (y - X @ model.coef_ - model.intercept_)
    pull = alpha * model.intercept_ if penalised_bias else 0.0
    return np.append(X.T @ r - alpha * P @ model.coef_, r.sum() - pull)


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(3, 40),
    d=st.integers(1, 8),
    alpha=st.floats(1e-3, 1e3),
    kind=st.sampled_from(["identity", "columns", "matrix"]),
    penalise_intercept=st.booleans(),
    solver=st.sampled_from(["auto", "svd"]),
    seed=st.integers(0, 5),
)
def test_the_normal_equations_hold(n, d, alpha, kind, penalise_intercept, solver, seed):
    """X'W(y - Xc - b) = alpha Pc, and the residuals sum to 0 or, penalised, to alpha b."""
    X, y, w = table(n, d, seed=seed)
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    P = {"identity": np.eye(d), "columns": np.diag(rng.random(d) + 0.1), "matrix": root @ root.T}
    penalty = {"identity": None, "columns": np.diag(P["columns"]), "matrix": P["matrix"]}[kind]
    model = Ridge(alpha, penalty=penalty, penalise_intercept=penalise_intercept, solver=solver).fit(
        X, y, w
    )
    found = gradient(model, X, y, w, alpha, P[kind], penalised_bias=penalise_intercept)
    scale = np.abs(X).max() * np.abs(y).max() * n * 3 + alpha * np.abs(P[kind]).max()
    assert_allclose(found, 0, atol=1e-10 * scale * (1 + np.abs(model.coef_).max()))


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
def test_agrees_with_scikit_learn_on_boston(data_folder, alpha):
    X, y = boston(data_folder)
    ours = Ridge(alpha).fit(X, y)
    theirs = sklearn.linear_model.Ridge(alpha, solver="cholesky").fit(X, y)

    def objective(model):
        return ((y - model.predict(X)) ** 2).sum() + alpha * (model.coef_**2).sum()

    assert objective(ours) == pytest.approx(objective(theirs), rel=1e-6)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "solver"),
    [
        ({}, "dual"),
        ({"penalise_intercept": True}, "dual"),
        ({"fit_intercept": False}, "dual"),
        ({"penalty": np.arange(1.0, 31)}, "cholesky"),
        ({"solver": "sparse_cg", "tol": 1e-13}, "sparse_cg"),
        ({"solver": "svd"}, "svd"),
    ],
)
def test_fewer_rows_than_columns(settings, solver):
    X, y, w = table(12, 30)
    model = Ridge(2.0, **settings).fit(X, y, w)
    assert model.solver_.startswith(solver)
    P = np.diag(settings.get("penalty", np.ones(30)))
    found = gradient(
        model, X, y, w, 2.0, P, penalised_bias=settings.get("penalise_intercept", False)
    )
    if settings.get("fit_intercept", True):
        assert_allclose(found, 0, atol=1e-8)
    else:
        assert_allclose(found[:-1], 0, atol=1e-8)


@pytest.mark.parametrize("solver", ["auto", "sparse_cg", "svd"])
@pytest.mark.parametrize("penalise_intercept", [False, True])
def test_sparse_rows_give_the_answer_of_dense_rows(solver, penalise_intercept):
    X, y, w = table(100, 8)
    X[np.abs(X) < 5] = 0
    model = Ridge(0.7, solver=solver, tol=1e-13, penalise_intercept=penalise_intercept)
    dense = clone(model).fit(X, y, w)
    sparse = model.fit(sp.csr_array(X), y, w)
    assert_allclose(sparse.coef_, dense.coef_, rtol=1e-8, atol=1e-12)
    assert sparse.intercept_ == pytest.approx(dense.intercept_, rel=1e-8)


def test_a_vanishing_penalty_gives_the_least_norm():
    X, y, _ = table(12, 30)
    nearly = Ridge(1e-300).fit(X, y)
    assert nearly.solver_ == "dual"
    assert_allclose(nearly.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-6)


def test_very_wide_sparse_rows_take_conjugate_gradients():
    rng = np.random.default_rng(8)
    X = sp.random_array((3000, 6000), density=0.002, rng=rng, format="csr")
    y = X @ rng.normal(size=6000) + 1
    model = Ridge(0.1, tol=1e-12).fit(X, y)
    r = y - model.predict(X)
    assert model.solver_ == "sparse_cg"
    assert model.n_iter_[0] > 1
    assert_allclose(X.T @ r - 0.1 * model.coef_, 0, atol=1e-8)


def test_conjugate_gradients_that_stop_early_say_so():
    X, y, _ = table()
    with pytest.warns(ConvergenceWarning, match=r"Ridge: .* 1 iterations; raise max_iter") as told:
        Ridge(0.1, solver="sparse_cg", max_iter=1, tol=1e-12).fit(X, y)
    assert told[0].filename == __file__


@pytest.mark.parametrize("penalise_intercept", [False, True])
def test_columns_too_large_to_square_are_fitted(penalise_intercept):
    """Their squares overflow, which is no matter: QR of scaled columns needs none."""
    X, y, _ = table()
    settings = {"penalise_intercept": penalise_intercept}
    plain = Ridge(0.0, **settings).fit(X, y)
    assert_allclose(Ridge(0.0, **settings).fit(X * 1e300, y).coef_ * 1e300, plain.coef_, rtol=1e-9)
    assert np.isfinite(Ridge(1.0, **settings).fit(X * 1e300, y).coef_).all()


def test_every_target_has_its_alpha():
    X, Y, w = table(m=3)
    model = Ridge([0.1, 5.0, 0.1]).fit(X, Y, w)
    for t, alpha in enumerate([0.1, 5.0, 0.1]):
        assert_allclose(model.coef_[t], Ridge(alpha).fit(X, Y[:, t], w).coef_, rtol=1e-11)


def test_no_penalty_is_least_squares_and_a_huge_one_leaves_the_mean():
    X, y, _ = table()
    assert_array_equal(Ridge(0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_)
    huge = Ridge(1e15).fit(X, y)
    assert_allclose(huge.coef_, 0, atol=1e-9)
    assert huge.intercept_ == pytest.approx(y.mean())


def test_a_column_without_penalty_is_fitted_freely():
    """A penalty per column: 0 leaves the column's coefficient to least squares."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    X -= X.mean(axis=0)
    X[:, 1] -= X[:, 0] * (X[:, 0] @ X[:, 1]) / (X[:, 0] @ X[:, 0])  # orthogonal columns
    y = X @ [3.0, 2.0]
    model = Ridge(1e6, penalty=[0.0, 1.0]).fit(X, y)
    assert model.coef_[0] == pytest.approx(3.0, rel=1e-9)
    assert abs(model.coef_[1]) < 1e-3


def test_ridge_is_the_mode_of_the_posterior():
    """alpha = sigma^2 / s^2: the posterior's gradient vanishes at the ridge solution (RG-13)."""
    X, y, _ = table()
    sigma2, s2 = 2.0, 0.4
    model = Ridge(sigma2 / s2, fit_intercept=False).fit(X, y)

    def log_posterior(c):
        return -((y - X @ c) ** 2).sum() / (2 * sigma2) - (c**2).sum() / (2 * s2)

    best = log_posterior(model.coef_)
    for step in np.eye(5) * 1e-3:
        assert log_posterior(model.coef_ + step) < best
        assert log_posterior(model.coef_ - step) < best


def test_weights_equal_repetition():
    X, y, _ = table(40)
    k = np.random.default_rng(1).integers(0, 4, size=40)
    weighted = Ridge(3.0).fit(X, y, k)
    repeated = Ridge(3.0).fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9)


@pytest.mark.parametrize("mean", [-100.0, 0.0, 100.0])
@pytest.mark.parametrize("penalise_intercept", [False, True])
def test_positive(penalise_intercept, mean):
    X, y, w = table(d=6, seed=3)
    y = y - y.mean() + mean
    model = Ridge(2.0, positive=True, penalise_intercept=penalise_intercept).fit(X, y, w)
    *found, at_bias = gradient(model, X, y, w, 2.0, np.eye(6), penalised_bias=penalise_intercept)
    found, free = np.array(found), model.coef_ > 0
    assert at_bias == pytest.approx(0, abs=1e-7)  # the bias may have either sign
    assert 0 < free.sum() < 6
    assert_allclose(found[free], 0, atol=1e-7)
    assert (found[~free] < 1e-7).all()  # growing from 0 would not help


def test_float32_rows():
    X, y, w = table(20_000, 8)
    X = X.astype(np.float32)
    single, double = Ridge(5.0).fit(X, y, w), Ridge(5.0).fit(X.astype(float), y, w)
    assert single.coef_.dtype == np.float32
    assert_allclose(single.coef_, double.coef_, rtol=3e-7)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": -1.0}, "alpha must be a number >= 0"),
        ({"alpha": [1.0, 2.0]}, "one number or one per target"),
        ({"alpha": [-1.0]}, "finite numbers >= 0"),
        ({"penalty": [1.0, 2.0]}, "penalty must be 5 factors or a symmetric matrix"),
        ({"penalty": -np.ones(5)}, "no negative eigenvalue"),
        ({"penalty": np.triu(np.ones((5, 5)))}, "symmetric"),
    ],
)
def test_bad_parameters_say_what_to_do(settings, message):
    X, y, _ = table()
    with pytest.raises(ValueError, match=message) as error:
        Ridge(**settings).fit(X, y)
    assert str(error.value).startswith("Ridge: ")
