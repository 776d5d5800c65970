"""Quadratic discriminant analysis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from scipy.stats import multivariate_normal, norm
from sklearn.covariance import OAS
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Peer
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from gramian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestCentroid,
    QuadraticDiscriminantAnalysis,
)
from gramian.base.errors import DataError, ParameterError
from tests.discriminant_analysis.exact_classes import LAYOUTS, exact_posteriors, layout
from tests.naive_bayes.real import table

IRIS = load_iris(return_X_y=True)
SETTINGS = [
    {},
    {"reg_param": 0.1, "store_covariance": True},
    {"priors": [0.2, 0.3, 0.5]},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "shrinkage": 0.2},
    {"solver": "eigen", "covariance_estimator": OAS()},
]


@pytest.mark.parametrize("data", [load_iris, load_wine])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_agrees_with_scikit_learn(data, settings):
    X, y = data(return_X_y=True)
    ours, theirs = QuadraticDiscriminantAnalysis(**settings).fit(X, y), Peer(**settings).fit(X, y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-7)
    assert_allclose(ours.means_, theirs.means_)
    for a, b in zip(ours.scalings_, theirs.scalings_, strict=True):
        assert_allclose(a, b, rtol=1e-6)
    if ours.store_covariance:
        assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-9)


def test_agrees_with_scikit_learn_on_letters(data_folder):
    X, y = table(data_folder, "letterrecognition")
    ours, theirs = QuadraticDiscriminantAnalysis().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.predict_proba(X[:3000]), theirs.predict_proba(X[:3000]), atol=1e-7)
    assert_array_equal(ours.predict(X[:3000]), theirs.predict(X[:3000]))


def test_scores_are_log_prior_plus_log_density():
    X, y = IRIS
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    for k in range(3):
        S = np.cov(X[y == k].T, bias=True)
        exact = multivariate_normal(X[y == k].mean(axis=0), S).logpdf(X) + np.log(1 / 3)
        assert_allclose(model.predict_joint_log_proba(X)[:, k], exact, rtol=1e-8)


def test_isotropic_classes_have_the_mean_variance_of_their_columns():
    """E26: Q_C = -|x - m|^2 / 2 s^2 - d log s + log P, s^2 = E|X - m|^2 / d."""
    X, y = IRIS
    model = QuadraticDiscriminantAnalysis(covariance="isotropic").fit(X, y)
    m = np.array([X[y == k].mean(axis=0) for k in range(3)])
    s2 = np.array([((X[y == k] - m[k]) ** 2).mean() for k in range(3)])
    squares = ((X[:, None] - m) ** 2).sum(axis=2)
    assert_allclose(
        model.decision_function(X), -squares / (2 * s2) - 2 * np.log(s2) + np.log(1 / 3)
    )


def test_diagonal_classes_are_gaussian_naive_bayes():
    X, y = IRIS
    model = QuadraticDiscriminantAnalysis(covariance="diagonal").fit(X, y)
    naive = GaussianNB(var_smoothing=0.0).fit(X, y)
    joint = naive.predict_joint_log_proba(X)
    assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-8)


def test_tied_classes_are_linear_discriminant_analysis():
    X, y = IRIS
    tied = QuadraticDiscriminantAnalysis(covariance="tied").fit(X, y)
    linear = LinearDiscriminantAnalysis().fit(X, y)
    assert_allclose(tied.predict_proba(X), linear.predict_proba(X), atol=1e-9)


@given(seed=st.integers(0, 300))
def test_equal_priors_and_one_isotropic_variance_are_the_nearest_centroid(seed):
    """The three classifiers agree where all variances are equal (DA-09)."""
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(3, 2)) * 3
    known = {"means": means, "covariances": [2 * np.eye(2)] * 3, "priors": [1 / 3] * 3}
    rule = QuadraticDiscriminantAnalysis.from_parameters(**known)
    queries = rng.normal(size=(40, 2)) * 4
    nearest = NearestCentroid().fit(means, [0, 1, 2]).predict(queries)
    assert_array_equal(rule.predict(queries), nearest)


def test_boundaries_of_normals_on_a_line():
    """T33: boundary 1, error 0.158655; priors .9 and .1: 2.098612; N(0,1), N(0,4): +-1.359556."""
    line = QuadraticDiscriminantAnalysis.from_parameters
    unit = [[[1.0]], [[1.0]]]
    assert_allclose(line([[0], [2]], unit, [0.5, 0.5]).boundaries(), [1.0])
    assert 0.5 * norm.sf(1) + 0.5 * norm.cdf(-1) == pytest.approx(0.158655, abs=5e-7)
    assert_allclose(line([[0], [2]], unit, [0.9, 0.1]).boundaries(), [2.098612], atol=5e-7)
    double = line([[0], [0]], [[[1.0]], [[4.0]]], [0.5, 0.5])
    ends = double.boundaries()
    assert_allclose(ends, [-1.359556, 1.359556], atol=5e-7)
    inside = norm(0, 2).cdf(ends[1]) - norm(0, 2).cdf(ends[0])
    assert 0.5 * 2 * norm.sf(ends[1]) + 0.5 * inside == pytest.approx(0.338663, abs=5e-7)
    never = line([[0], [0]], [[[1.0]], [[4.0]]], [0.1, 0.9])
    assert never.boundaries().size == 0
    assert never.predict([[0.0]])[0] == 1


def test_coefficients_are_the_discriminants():
    """W = -S^-1 / 2, w = S^-1 m, w0 = -m' S^-1 m / 2 - log|S| / 2 + log P."""
    X, y = IRIS
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    W, w, w0 = model.coefficients()
    g = np.einsum("ni,kij,nj->nk", X, W, X) + X @ w.T + w0
    assert_allclose(g, model.decision_function(X), rtol=1e-6)
    S = np.cov(X[y == 1].T, bias=True)
    assert_allclose(W[1], -np.linalg.inv(S) / 2, rtol=1e-7)


def test_the_number_of_parameters_of_two_classes():
    """T23: d (d + 3) / 2 + 1."""
    X, y = IRIS
    for d in (1, 2, 4):
        model = QuadraticDiscriminantAnalysis().fit(X[50:, :d], y[50:])
        assert model.n_parameters_ == d * (d + 3) // 2 + 1


def test_closed_form_leave_one_out_is_leaving_one_out():
    X, y = load_wine(return_X_y=True)
    X = X[:, :6]
    model = QuadraticDiscriminantAnalysis()
    slow = cross_val_predict(model, X, y, cv=LeaveOneOut(), method="predict_proba")
    assert_allclose(model.fit(X, y).leave_one_out(X, y), slow, atol=1e-8)
    with pytest.raises(ParameterError, match="leave_one_out needs covariance='full'"):
        QuadraticDiscriminantAnalysis(reg_param=0.1).fit(X, y).leave_one_out(X, y)


def test_directions_without_variance_are_refused_dropped_or_regularised():
    X, y = IRIS
    flat = np.column_stack([X, X[:, 0] + X[:, 1]])
    with pytest.raises(DataError, match=r"class 0 is not full rank, 4 of 5.*singular='drop'"):
        QuadraticDiscriminantAnalysis().fit(flat, y)
    dropped = QuadraticDiscriminantAnalysis(singular="drop").fit(flat, y)
    assert dropped.rank_.tolist() == [4, 4, 4]
    assert np.mean(dropped.predict(flat) == y) > 0.95
    assert QuadraticDiscriminantAnalysis(reg_param=0.1).fit(flat, y).rank_.tolist() == [5, 5, 5]


def test_classes_of_different_ranks_are_compared_by_their_joint_densities():
    """Labels and posteriors are those of log P(C_k) + log p(x | C_k), each density in its axes."""
    X, y = IRIS
    flat = X.copy()
    flat[y == 1, 3] = 1.0
    model = QuadraticDiscriminantAnalysis(singular="drop").fit(flat, y)
    assert model.rank_.tolist() == [4, 3, 4]
    joint = model.predict_joint_log_proba(flat)
    assert_allclose(model.predict_proba(flat), softmax(joint, axis=1), atol=1e-12)
    R, s = model.rotations_[1], model.scalings_[1]
    inside = multivariate_normal(model.means_[1] @ R, np.diag(s)).logpdf(flat @ R)
    assert_allclose(joint[:, 1], inside + np.log(1 / 3))


def test_large_values_are_fitted_without_a_warning():
    X, y = IRIS
    plain = QuadraticDiscriminantAnalysis().fit(X * 100, y)
    assert (
        QuadraticDiscriminantAnalysis().fit(X * 1e140, y).predict(X * 1e140)
        == plain.predict(X * 100)
    ).all()


def test_the_estimated_rule_comes_near_the_bayes_rule():
    """The true parameters give the least error; estimates from many rows nearly as little."""
    rng = np.random.default_rng(0)
    means, S = np.array([[0.0, 0.0], [2.0, 1.0]]), [np.eye(2), [[2.0, 0.8], [0.8, 1.0]]]
    rule = QuadraticDiscriminantAnalysis.from_parameters(means, S, [0.5, 0.5])

    def draw(n):
        y = rng.integers(2, size=n)
        roots = np.linalg.cholesky(S)[y]
        return means[y] + np.einsum("nij,nj->ni", roots, rng.normal(size=(n, 2))), y

    Q, truth = draw(40_000)
    least = np.mean(rule.predict(Q) != truth)
    few, many = (QuadraticDiscriminantAnalysis().fit(*draw(n)) for n in (12, 5000))
    assert np.mean(many.predict(Q) != truth) == pytest.approx(least, abs=0.005)
    assert np.mean(few.predict(Q) != truth) > least


def test_weights_are_repeated_rows():
    X, y = IRIS
    k = np.arange(150) % 3 + 1
    weighted = QuadraticDiscriminantAnalysis().fit(X, y, k)
    repeated = QuadraticDiscriminantAnalysis().fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), rtol=1e-8)


def test_bad_input_is_refused():
    X, y = IRIS
    with pytest.raises(DataError, match="only 1 sample in class"):
        QuadraticDiscriminantAnalysis().fit(X[:51], y[:51])
    assert QuadraticDiscriminantAnalysis(covariance="tied").fit(X[:51], y[:51]).rank_[1] == 4
    with pytest.raises(DataError, match="greater than one"):
        QuadraticDiscriminantAnalysis().fit(X[:50], y[:50])
    with pytest.raises(ParameterError, match="not supported with solver='svd'"):
        QuadraticDiscriminantAnalysis(shrinkage=0.1).fit(X, y)
    with pytest.raises(DataError, match="boundaries needs a model with one column"):
        QuadraticDiscriminantAnalysis().fit(X, y).boundaries()
    with pytest.raises(ParameterError, match="means must have shape"):
        QuadraticDiscriminantAnalysis.from_parameters([[0]], [[1]], [1.0])


def test_small_units_do_not_drop_every_axis():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    scaled = QuadraticDiscriminantAnalysis(singular="drop").fit(X * 3e-3, y)
    plain = QuadraticDiscriminantAnalysis(singular="drop").fit(X, y)
    assert scaled.rank_.tolist() == [3, 3]
    np.testing.assert_allclose(scaled.predict_proba(X * 3e-3), plain.predict_proba(X), atol=1e-9)
    with pytest.raises(ValueError, match=r"not above tol=0.0001\. Scale the columns"):
        QuadraticDiscriminantAnalysis().fit(X * 3e-3, y)


@pytest.mark.parametrize("with_priors", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", LAYOUTS)
def test_posteriors_of_columns_far_from_0_and_of_any_scale_are_exact(name, n_classes, with_priors):
    X, y, weights, priors = layout(name, n_classes)
    fixed = priors if with_priors else None
    for solver, shrinkage, reg_param in [
        ("svd", None, 0.0),
        ("svd", None, 0.1),
        ("eigen", None, 0.0),
        ("eigen", 0.3, 0.0),
        ("eigen", "auto", 0.0),
    ]:
        held = None if shrinkage == "auto" else weights
        model = QuadraticDiscriminantAnalysis(
            solver=solver, shrinkage=shrinkage, reg_param=reg_param, priors=fixed, tol=0.0
        ).fit(X, y, held)
        used = np.ones(len(X)) if held is None else held
        exact = exact_posteriors(X, y, used, fixed, shrinkage, pooled=False, reg_param=reg_param)
        assert_allclose(model.predict_proba(X), exact, rtol=0, atol=1e-8, err_msg=solver)
