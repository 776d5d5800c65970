"""The hard margin against a quadratic program and scikit-learn's SMO."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import SVC

from gramian import LinearSVC
from gramian.base.errors import DataError
from gramian.textbook.linear_classifiers import Hyperplane, support_report
from gramian.textbook.optimization import quadratic_program

INF = float("inf")


def separable(seed):
    """Two classes with a gap, somewhere in space, rows and columns few or many."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 60)), int(rng.integers(1, 6))
    X, v = rng.normal(size=(n, d)), rng.normal(size=d)
    y = np.where(X @ v > np.median(X @ v), 1, -1)
    y[np.argmax(X @ v)], y[np.argmin(X @ v)] = 1, -1
    X += 0.3 * y[:, None] * v / np.linalg.norm(v)
    return X + 4 * rng.normal(size=d), y


def people(seed):
    """Heights in cm and weights in kg of two kinds, with a gap between them."""
    rng = np.random.default_rng(seed)
    y = np.repeat([-1, 1], 30)
    height = np.where(y > 0, 182, 160) + rng.uniform(-7, 7, 60)
    weight = 0.9 * (height - 100) + rng.uniform(-6, 6, 60)
    return np.column_stack([height, weight]), y


def widest(X, y):
    """The least |w|^2 / 2 with all rows outside the slab, by an active-set program."""
    d = X.shape[1]
    middle = X.mean(axis=0)
    rows = -y[:, None] * np.column_stack([X - middle, np.ones(len(y))])
    found = quadratic_program(
        np.diag(np.r_[np.full(d, 0.5), 0.0]), np.zeros(d + 1), rows, -np.ones(len(y))
    )
    assert found.status == "optimal"
    return 1 / np.linalg.norm(found.x[:d])


@pytest.mark.parametrize("make", [separable, people])
def test_no_slab_is_wider(make):
    for seed in range(60 if make is separable else 10):
        X, y = make(seed)
        model = LinearSVC(C=INF).fit(X, y)
        margin = Hyperplane.of(model).margin(X, y)
        assert margin == pytest.approx(widest(X, y), rel=1e-6)
        assert 1 / np.linalg.norm(model.coef_) == pytest.approx(margin, rel=1e-9)
        assert model.objective_[0] == pytest.approx(np.square(model.coef_).sum() / 2)


def test_the_margin_matches_smo():
    for seed in range(10):
        X, y = people(seed)
        theirs = SVC(kernel="linear", C=1e10, tol=1e-8).fit(X, y)
        ours = LinearSVC(C=INF).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-3)


@pytest.mark.parametrize("sparse", [False, True])
def test_the_optimality_conditions_of_the_hard_margin(sparse):
    for seed in range(20):
        X, y = separable(seed)
        model = LinearSVC(C=INF).fit(sp.csr_array(X) if sparse else X, y)
        beta, margins = model.dual_coef_[0], y * model.decision_function(X)
        alpha = y * beta
        assert margins.min() >= 1 - 1e-9
        assert alpha.min() >= 0
        assert beta.sum() == pytest.approx(0, abs=1e-9 * alpha.sum())
        np.testing.assert_allclose(beta @ X, model.coef_[0], rtol=1e-7, atol=1e-7 * alpha.sum())
        np.testing.assert_allclose(margins[alpha > 0], 1, rtol=1e-7)
        assert len(support_report(model, X, y, tol=1e-7).support) >= 2


@pytest.mark.parametrize("scales", [(1e-4, 1e4), (1e4, 1e-4), (1e200, 1e200), (1e-100, 1e-100)])
def test_columns_of_any_unit(scales):
    """A slab that the small column holds is narrow, and still the widest."""
    X, y = separable(1)
    X = X[:, :2] if X.shape[1] > 1 else np.column_stack([X, X])
    y = np.where(X[:, 0] > np.median(X[:, 0]), 1, -1)
    model = LinearSVC(C=INF).fit(X * scales, y)
    assert model.score(X * scales, y) == 1
    assert (y * model.decision_function(X * scales)).min() >= 1 - 1e-6
    if scales[0] == scales[1]:
        plain = LinearSVC(C=INF).fit(X, y)
        np.testing.assert_allclose(model.coef_ * scales[0], plain.coef_, rtol=1e-7)


def test_a_slab_too_narrow_for_floats_is_refused():
    X, y = separable(1)
    with pytest.raises(DataError, match="Scale the columns"):
        LinearSVC(C=INF).fit(X * 1e-200, y)


def test_a_penalised_bias_is_narrower_and_none_goes_through_the_origin():
    X, y = separable(3)
    free = LinearSVC(C=INF).fit(X, y)
    held = LinearSVC(C=INF, penalize_intercept=True).fit(X, y)
    assert np.linalg.norm(held.coef_) >= np.linalg.norm(free.coef_)
    cost = np.square(held.coef_).sum() + held.intercept_[0] ** 2
    assert cost <= (np.square(free.coef_).sum() + free.intercept_[0] ** 2) * (1 + 1e-9)
    assert held.intercept_[0] == pytest.approx(held.dual_coef_.sum())
    centred = X - X[y > 0].mean(axis=0) / 2 - X[y < 0].mean(axis=0) / 2
    without_intercept = LinearSVC(C=INF, fit_intercept=False).fit(centred, y)
    assert without_intercept.intercept_[0] == 0
    assert (y * without_intercept.decision_function(centred)).min() == pytest.approx(1)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("dual", ["auto", True])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_free_bias_of_soft_margins(loss, dual, sparse):
    """No other bias, nor weights, cost less; for the slack itself the answer is SMO's."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) + np.array([3.0, -2.0, 0.0])
    y = np.where(X @ [1.0, 2.0, 0.0] + rng.normal(size=80) > -1, 1, -1)
    how = {"loss": loss, "dual": dual, "C": 0.5, "tol": 1e-9, "max_iter": 1_000_000}
    model = LinearSVC(penalize_intercept=False, **how).fit(sp.csr_array(X) if sparse else X, y)
    assert model.dual_coef_.sum() == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(model.dual_coef_ @ X, model.coef_, atol=1e-5)
    slack = np.maximum(0, 1 - y * (X @ model.coef_[0] + model.intercept_[0]))
    paid = 0.5 * (slack if loss == "hinge" else slack**2).sum()
    cost = np.square(model.coef_).sum() / 2 + paid
    assert model.objective_[0] == pytest.approx(cost)
    assert cost < LinearSVC(**how).fit(X, y).objective_[0]
    if loss == "hinge":
        theirs = SVC(kernel="linear", C=0.5, tol=1e-9).fit(X, y)
        np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-5)
        np.testing.assert_allclose(model.intercept_, theirs.intercept_, atol=1e-5)
