"""Linear discriminant analysis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.covariance import OAS
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Peer
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from gramian import BayesDecision, LinearDiscriminantAnalysis, NearestCentroid
from gramian.base.errors import DataError, ParameterError
from gramian.textbook.discriminant_analysis import fisher_criterion
from tests.discriminant_analysis.exact_classes import LAYOUTS, exact_posteriors, layout
from tests.naive_bayes.real import table

IRIS = load_iris(return_X_y=True)
TWO = IRIS[0][50:], IRIS[1][50:]

SETTINGS = [
    {},
    {"store_covariance": True, "priors": [0.2, 0.3, 0.5]},
    {"n_components": 1},
    {"solver": "lsqr"},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "lsqr", "covariance_estimator": OAS()},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": 0.3, "priors": [0.2, 0.3, 0.5]},
]


@pytest.mark.parametrize("data", [load_iris, load_wine])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_agrees_with_scikit_learn(data, settings):
    X, y = data(return_X_y=True)
    ours, theirs = LinearDiscriminantAnalysis(**settings).fit(X, y), Peer(**settings).fit(X, y)
    for name in ("means_", "priors_", "coef_", "intercept_", "covariance_", "xbar_"):
        if hasattr(theirs, name):
            near = {"rtol": 1e-7, "atol": 1e-8, "err_msg": name}
            assert_allclose(getattr(ours, name), getattr(theirs, name), **near)
    assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-6)
    if ours.solver != "lsqr":
        ratio = theirs.explained_variance_ratio_
        assert_allclose(ours.explained_variance_ratio_, ratio, atol=1e-9)
        assert_allclose(np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=1e-7)


@pytest.mark.parametrize("name", ["letterrecognition", "shuttle"])
def test_agrees_with_scikit_learn_on_real_data(name, data_folder):
    X, y = table(data_folder, name)
    ours, theirs = LinearDiscriminantAnalysis().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.predict_proba(X[:2000]), theirs.predict_proba(X[:2000]), atol=1e-7)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.9999


def test_two_classes_have_one_direction():
    """w = S^-1 (m_1 - m_0), and P(C_1 | x) = s(w . x + alpha): E27, 000 section 9."""
    X, y = TWO
    model = LinearDiscriminantAnalysis(store_covariance=True).fit(X, y)
    m0, m1 = X[y == 1].mean(axis=0), X[y == 2].mean(axis=0)
    w = np.linalg.solve(model.covariance_, m1 - m0)
    assert_allclose(model.coef_[0], w, rtol=1e-9)
    assert model.intercept_[0] == pytest.approx(-(m0 + m1) @ w / 2)
    f = model.decision_function(X)
    assert_allclose(f, X @ w + model.intercept_[0], atol=1e-9)
    assert_allclose(model.predict_proba(X)[:, 1], expit(f), atol=1e-12)
    centred = X - np.where(y[:, None] == 1, m0, m1)
    assert_allclose(model.covariance_, centred.T @ centred / 100, rtol=1e-10)


def test_isotropic_classes_pool_the_variance_of_all_columns():
    """s^2 = sum |x - m_k|^2 / (d n); the score of a class is m.x / s^2 - |m|^2 / 2s^2 + log P."""
    X, y = IRIS
    model = LinearDiscriminantAnalysis(covariance="isotropic", store_covariance=True).fit(X, y)
    m = np.array([X[y == k].mean(axis=0) for k in range(3)])
    s2 = ((X - m[y]) ** 2).sum() / (4 * 150)
    assert_allclose(model.covariance_, s2 * np.eye(4), atol=1e-12)
    scores = X @ m.T / s2 - (m**2).sum(axis=1) / (2 * s2) + np.log(1 / 3)
    exact = scores - scores.max(axis=1, keepdims=True)
    exact = np.exp(exact) / np.exp(exact).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), exact, atol=1e-10)


@given(seed=st.integers(0, 500), d=st.integers(2, 4), K=st.integers(2, 4))
def test_equal_priors_and_isotropic_classes_are_the_nearest_centroid(seed, d, K):
    rng = np.random.default_rng(seed)
    y = np.arange(20) % K
    X = rng.normal(size=(20, d)) + 2 * y[:, None]
    model = LinearDiscriminantAnalysis(covariance="isotropic", priors=np.full(K, 1 / K), tol=0.0)
    queries = rng.normal(size=(30, d)) * 3
    expected = NearestCentroid().fit(X, y).predict(queries)
    assert_array_equal(model.fit(X, y).predict(queries), expected)


@given(seed=st.integers(0, 200))
def test_no_direction_separates_better_than_the_first(seed):
    """Fisher 1936: the first direction has the largest J(w) = w' S_b w / w' S_w w."""
    X, y = IRIS
    model = LinearDiscriminantAnalysis().fit(X, y)
    others = np.random.default_rng(seed).normal(size=(4, 20))
    J = fisher_criterion(X, y, np.hstack([model.scalings_, others]))
    assert (J[0] >= J[1:] * (1 - 1e-9)).all()
    assert_allclose(
        J[:2] / J[:2].sum(), LinearDiscriminantAnalysis().fit(X, y).explained_variance_ratio_
    )


def test_projected_classes_have_unit_scatter_and_the_leading_eigenvectors():
    """The directions are eigenvectors of S_w^-1 S_b, at most K - 1 of them."""
    X, y = IRIS
    model = LinearDiscriminantAnalysis().fit(X, y)
    Z = model.transform(X)
    assert Z.shape == (150, 2)
    away = Z - np.array([Z[y == k].mean(axis=0) for k in range(3)])[y]
    assert_allclose(away.T @ away / 150, np.eye(2), atol=1e-10)
    m = np.array([X[y == k].mean(axis=0) for k in range(3)])
    Sw = (X - m[y]).T @ (X - m[y])
    Sb = 50 * (m - X.mean(axis=0)).T @ (m - X.mean(axis=0))
    values = np.sort(np.linalg.eigvals(np.linalg.solve(Sw, Sb)).real)[::-1][:2]
    for v, value in zip(model.scalings_.T, values, strict=True):
        assert_allclose(np.linalg.solve(Sw, Sb @ v), value * v, rtol=1e-7)


@pytest.mark.parametrize("priors", [None, [0.5, 0.2, 0.3]])
def test_closed_form_leave_one_out_is_leaving_one_out(priors):
    X, y = load_wine(return_X_y=True)
    model = LinearDiscriminantAnalysis(priors=priors)
    slow = cross_val_predict(model, X[::3], y[::3], cv=LeaveOneOut(), method="predict_proba")
    fast = model.fit(X[::3], y[::3]).leave_one_out(X[::3], y[::3])
    assert_allclose(fast, slow, atol=1e-9)


def test_leave_one_out_of_weighted_rows_and_its_requirements():
    X, y = IRIS
    w = np.where(np.arange(150) == 7, 3.0, 1.0)
    rest = np.delete(np.arange(150), 7)
    left = LinearDiscriminantAnalysis().fit(X[rest], y[rest]).predict_proba(X[[7]])
    model = LinearDiscriminantAnalysis().fit(X, y, w)
    assert_allclose(model.leave_one_out(X, y, w)[7], left[0], rtol=1e-7, atol=1e-12)
    with pytest.raises(ParameterError, match="leave_one_out needs solver='svd'"):
        LinearDiscriminantAnalysis("lsqr").fit(X, y).leave_one_out(X, y)


def test_null_directions_are_dropped():
    """A column given twice, and a constant one, change nothing but the rank."""
    X, y = IRIS
    double = np.column_stack([X, X[:, 0], np.full(150, 3.0)])
    plain, model = (
        LinearDiscriminantAnalysis().fit(X, y),
        LinearDiscriminantAnalysis().fit(double, y),
    )
    assert model.rank_ == 4
    assert_allclose(model.predict_proba(double), plain.predict_proba(X), atol=1e-7)
    with pytest.raises(DataError, match="singular, of rank"):
        LinearDiscriminantAnalysis("eigen").fit(double, y)


def test_a_singular_covariance_is_solved_without_its_noise():
    """With more columns than rows the order of the columns does not matter."""
    rng = np.random.default_rng(0)
    X, y, new = rng.normal(size=(10, 200)), np.arange(10) % 2, rng.normal(size=(20, 200))
    rotation = rng.permutation(200)
    plain = LinearDiscriminantAnalysis("lsqr").fit(X, y)
    other = LinearDiscriminantAnalysis("lsqr").fit(X[:, rotation], y)
    assert plain.rank_ == 8
    assert_allclose(other.predict_proba(new[:, rotation]), plain.predict_proba(new), atol=1e-9)


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 3
    X = rng.normal(size=(40, 60)) + y[:, None]
    ours, theirs = LinearDiscriminantAnalysis().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


def test_classes_far_apart_keep_the_digits_of_their_scatter():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 3))
    near = LinearDiscriminantAnalysis(store_covariance=True).fit(X, y)
    far = LinearDiscriminantAnalysis(store_covariance=True).fit(X + 1e8 * y[:, None], y)
    assert_allclose(far.covariance_, near.covariance_, rtol=1e-6, atol=1e-7)


def test_weights_are_repeated_rows():
    X, y = IRIS
    k = np.arange(150) % 3 + 1
    weighted = LinearDiscriminantAnalysis().fit(X, y, k)
    repeated = LinearDiscriminantAnalysis().fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-8)


def test_the_number_of_parameters_of_two_classes_is_d_plus_one():
    """T23: d + 1."""
    assert LinearDiscriminantAnalysis().fit(*TWO).n_parameters_ == 4 + 1


def test_costs_through_bayes_decision():
    """Asymmetric costs move the threshold of the posterior: a loss of 9 to 1 to 10%."""
    X, y = load_breast_cancer(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    decided = BayesDecision(model, costs=[[0, 1], [9, 0]]).fit(X, y).predict(X)
    assert_array_equal(decided == 0, model.predict_proba(X)[:, 0] > 0.1)


def test_added_features_bend_the_boundary():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (np.hypot(*X.T) > 1.2).astype(int)
    bent = make_pipeline(PolynomialFeatures(2, include_bias=False), LinearDiscriminantAnalysis())
    assert bent.fit(X, y).score(X, y) > LinearDiscriminantAnalysis().fit(X, y).score(X, y) + 0.2


def test_bad_settings_are_refused():
    X, y = IRIS
    with pytest.raises(ParameterError, match="n_components cannot be larger"):
        LinearDiscriminantAnalysis(n_components=3).fit(X, y)
    with pytest.raises(ParameterError, match="shrinkage is not supported"):
        LinearDiscriminantAnalysis(shrinkage=0.1).fit(X, y)
    with pytest.raises(ParameterError, match="only one of the two"):
        LinearDiscriminantAnalysis("lsqr", 0.1, covariance_estimator=OAS()).fit(X, y)
    with pytest.raises(ParameterError, match="do not support sample_weight"):
        LinearDiscriminantAnalysis("lsqr", "auto").fit(X, y, np.ones(150))
    with pytest.raises(DataError, match="more than the number of classes"):
        LinearDiscriminantAnalysis().fit(X[:3], [0, 1, 2])
    with pytest.warns(UserWarning, match="The priors do not sum to 1"):
        model = LinearDiscriminantAnalysis(priors=[1.0, 1.0, 2.0]).fit(X, y)
    assert_allclose(model.priors_, [0.25, 0.25, 0.5])


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_coefficients_have_the_precision_of_the_rows(solver, dtype):
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis(solver=solver).fit(X.astype(dtype), y)
    assert model.coef_.dtype == model.intercept_.dtype == dtype


def test_solver_eigen_refuses_a_repeated_column():
    """Whether the factorisation of a singular matrix fails is a matter of rounding."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.repeat([0, 1, 2], 20)
        X = rng.normal(size=(60, 3)) + y[:, None]
        with pytest.raises(DataError, match="singular, of rank 3; set shrinkage"):
            LinearDiscriminantAnalysis(solver="eigen").fit(np.c_[X, X[:, 0]], y)
        with pytest.raises(DataError, match="singular, of rank 3; set shrinkage"):
            LinearDiscriminantAnalysis(solver="eigen").fit(np.c_[X, X @ [1.0, -2.0, 0.5]], y)
        LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1).fit(np.c_[X, X[:, 0]], y)


def test_solver_eigen_takes_columns_of_any_scale():
    X, y = load_iris(return_X_y=True)
    scaled = X * [1.0, 1e-12, 1e12, 1e-3]
    model = LinearDiscriminantAnalysis(solver="eigen").fit(scaled, y)
    assert model.rank_ == 4
    assert_allclose(
        model.predict_proba(scaled),
        LinearDiscriminantAnalysis(solver="eigen").fit(X, y).predict_proba(X),
        atol=1e-8,
    )


@pytest.mark.parametrize("with_priors", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", LAYOUTS)
def test_posteriors_of_columns_far_from_0_and_of_any_scale_are_exact(name, n_classes, with_priors):
    X, y, weights, priors = layout(name, n_classes)
    for solver, shrinkage in [
        ("svd", None),
        *((s, h) for s in ("lsqr", "eigen") for h in (None, 0.3, "auto")),
    ]:
        # The solver "svd" pools by the rows, whatever the priors are.
        fixed = priors if with_priors and solver != "svd" else None
        held = None if shrinkage == "auto" else weights
        model = LinearDiscriminantAnalysis(solver, shrinkage, priors=fixed).fit(X, y, held)
        used = np.ones(len(X)) if held is None else held
        exact = exact_posteriors(X, y, used, fixed, shrinkage, pooled=True)
        assert_allclose(model.predict_proba(X), exact, rtol=0, atol=1e-8, err_msg=solver)
