"""Linear support vector classification."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.svm import LinearSVC as PeerSVC

import gramian
from gramian import LinearSVC, SGDClassifier
from gramian.base.errors import DataError
from gramian.linear_model import separability
from gramian.objectives import Function
from gramian.textbook.linear_classifiers import Hyperplane, add_constant
from gramian.textbook.optimization import (
    ProjectedGradient,
    onto_box_and_plane,
    quadratic_program,
    smo,
)
from tests.svm.linear_svm_data import INF, two_classes


def test_the_signed_distance_of_lecture_two():
    """|w| = root 2 and f = 1: the point is 1 / root 2 from the plane."""
    H = Hyperplane([1.0, 1.0])
    assert H.distance([1.0, 0.0]) == pytest.approx(1 / np.sqrt(2))


def test_xor_has_no_hard_margin_but_its_lift_does():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([-1, -1, 1, 1])
    with pytest.raises(DataError, match="no hyperplane separates"):
        LinearSVC(C=INF).fit(X, y)
    lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    model = LinearSVC(C=INF, tol=1e-10, max_iter=1_000_000, intercept_scaling=10).fit(lifted, y)
    assert model.score(lifted, y) == 1
    assert Hyperplane.of(model).margin(lifted, y) > 0.2


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(6, 25), st.integers(1, 3))
def test_separable_means_zero_slack_and_a_hard_margin(seed, n, d):
    """Separability by the linear program equals a hinge loss of zero; else hulls meet."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.where(rng.random(n) < 0.5, 1, -1)
    y[:2] = [1, -1]
    verdict = separability(X, y)
    hinge = np.maximum(0, 1 - y * (X @ verdict.w + verdict.b)).sum()
    assert hinge == pytest.approx(verdict.slack, abs=1e-6)
    if verdict.separable:
        assert (y * (X @ verdict.w + verdict.b) > 0).all()
        assert not verdict.multipliers.any()
    else:
        v = verdict.multipliers
        assert v.min() >= -1e-9
        assert v.sum() > 1e-9
        np.testing.assert_allclose(v * y @ X, 0, atol=1e-7)
        assert v @ y == pytest.approx(0, abs=1e-7)
        with pytest.raises(DataError, match="no hard margin"):
            LinearSVC(C=INF).fit(X, y)


def test_a_large_c_tends_to_the_hard_margin():
    X, y = two_classes(40, 2, noise=0.0)
    for penalised in (True, False):
        how = {"loss": "hinge", "tol": 1e-8, "max_iter": 1_000_000}
        hard = LinearSVC(C=INF, penalize_intercept=penalised, **how).fit(X, y)
        soft = LinearSVC(C=1e6, penalize_intercept=penalised, **how).fit(X, y)
        np.testing.assert_allclose(soft.coef_, hard.coef_, rtol=1e-4)
        np.testing.assert_allclose(soft.objective_, hard.objective_, rtol=1e-3)


@pytest.mark.slow
def test_four_solvers_give_one_optimum():
    """SMO, an active-set program, coordinate descent, projections, steps down the hinge loss."""
    X, y = two_classes(30, 3)
    C, n, d = 1.0, 30, 3
    K = X @ X.T
    by_smo = smo(K, y, C, tol=1e-10)
    Q = K * np.outer(y, y)
    dual = Function(
        lambda a: 0.5 * a @ Q @ a - a.sum(), lambda a: Q @ a - 1, lambda a: Q, size=len(y)
    )
    rule = ProjectedGradient(onto_box_and_plane(0.0, C, y), max_iter=200_000, tol=1e-8)
    by_projection = rule.minimize(dual)
    assert -by_projection.value == pytest.approx(by_smo.value, rel=1e-8)
    half = np.diag(np.r_[np.full(d, 0.5), np.zeros(1 + n)])  # of w; then b and the slack
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    by_program = quadratic_program(
        half,
        np.r_[np.zeros(d + 1), np.full(n, C)],
        np.block([[rows, -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]]),
        np.r_[-np.ones(n), np.zeros(n)],
    )
    assert by_program.value == pytest.approx(by_smo.value, rel=1e-8)
    steps = SGDClassifier(alpha=1 / (C * n), max_iter=20_000, tol=None, average=True)
    stepped = steps.set_params(random_state=0).fit(X, y)
    slack = np.maximum(0, 1 - y * stepped.decision_function(X))
    by_steps = 0.5 * float((stepped.coef_**2).sum()) + C * slack.sum()
    assert by_steps == pytest.approx(by_smo.value, rel=1e-3)
    free = LinearSVC(loss="hinge", C=C, tol=1e-9, max_iter=10_000_000, intercept_scaling=100).fit(
        X, y
    )
    w = (by_smo.alpha * y) @ X
    np.testing.assert_allclose(free.coef_[0], w, atol=2e-3)
    primal = 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w + by_smo.b)).sum()
    assert primal == pytest.approx(by_smo.value, rel=1e-8)  # no duality gap


@pytest.mark.parametrize("model", [LinearSVC(loss="hinge"), LinearSVC(), LinearSVC(dual=True)])
def test_a_weight_counts_as_rows_repeated(model):
    X, y = two_classes(60, 3)
    counts = np.random.default_rng(1).integers(0, 4, size=60)
    model.set_params(tol=1e-10, max_iter=1_000_000)
    weighted = model.fit(X, y, sample_weight=counts).coef_.copy()
    repeated = model.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts)).coef_
    np.testing.assert_allclose(weighted, repeated, atol=1e-7)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("kind", ["dense", "csr", "float32"])
def test_agrees_with_scikit_learn(loss, kind):
    X, y = two_classes(300, 8)
    table = {"dense": X, "csr": sp.csr_array(X), "float32": X.astype(np.float32)}[kind]
    ours = LinearSVC(loss=loss, tol=1e-8, max_iter=100_000, intercept_scaling=2.0).fit(table, y)
    theirs = PeerSVC(loss=loss, tol=1e-8, max_iter=1_000_000, dual=True, intercept_scaling=2.0)
    theirs.fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-5)
    assert ours.coef_.dtype == table.dtype


def test_classes_against_the_rest_agree_with_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.array(["a", "b", "c"])[(X @ rng.normal(size=(4, 3))).argmax(axis=1)]
    ours = LinearSVC(tol=1e-9, max_iter=100_000).fit(X, y)
    theirs = PeerSVC(tol=1e-9, max_iter=100_000, dual=True).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_without_a_bias_the_column_of_ones_takes_its_place():
    X, y = two_classes()
    common = {"loss": "hinge", "tol": 1e-10, "max_iter": 1_000_000}
    bias = LinearSVC(**common).fit(X, y)
    column = LinearSVC(fit_intercept=False, **common).fit(add_constant(X), y)
    np.testing.assert_allclose(column.coef_[0], np.r_[bias.coef_[0], bias.intercept_], atol=1e-7)
    assert column.intercept_.tolist() == [0]
    assert (y * column.dual_coef_[0] >= 0).all()


def test_few_sparse_columns_use_the_primal():
    """Where columns are in different units, sweeps of the dual would take thousands."""
    X, y = load_iris(return_X_y=True)
    dense, sparse = (LinearSVC().fit(table, y) for table in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-5)


def test_the_same_bits_for_any_number_of_threads():
    X, y = two_classes(30_000, 6)
    found, before = [], gramian.get_num_threads()
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(
            [
                LinearSVC(loss=loss, tol=0.1, random_state=0).fit(X, y).coef_
                for loss in ("hinge", "squared_hinge")
            ]
        )
    gramian.set_num_threads(before)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


def test_the_primal_needs_a_smooth_loss():
    X, y = two_classes()
    with pytest.raises(DataError, match="dual=False needs"):
        LinearSVC(loss="hinge", dual=False).fit(X, y)


def test_rows_of_zeros_and_huge_columns_do_not_hurt():
    X, y = two_classes(80, 3)
    X[:5] = 0
    zeros = LinearSVC(loss="hinge", fit_intercept=False, tol=1e-8, max_iter=100_000).fit(X, y)
    rest = LinearSVC(loss="hinge", fit_intercept=False, tol=1e-8, max_iter=100_000)
    np.testing.assert_allclose(zeros.coef_, rest.fit(X[5:], y[5:]).coef_, atol=1e-6)
