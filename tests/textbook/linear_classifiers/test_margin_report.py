"""Support vectors and mistake bounds."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import SVC, LinearSVC
from gramian.base.errors import DataError
from gramian.textbook.linear_classifiers import Hyperplane, support_report
from tests.svm.kernel_machine_data import noisy_rings
from tests.svm.linear_svm_data import INF, two_classes


def test_two_points_have_a_margin_of_root_two():
    """(1, 1) and (-1, -1): w = (1/2, 1/2), b = 0, alpha = 1/4 each, margin root 2."""
    X, y = np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([1, -1])
    model = LinearSVC(C=INF, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(model.coef_, [[0.5, 0.5]], atol=1e-10)
    assert model.intercept_[0] == pytest.approx(0, abs=1e-10)
    report = support_report(model, X, y)
    np.testing.assert_allclose(report.multipliers, [0.25, 0.25], atol=1e-10)
    assert report.margin == pytest.approx(np.sqrt(2))
    assert Hyperplane.of(model).margin(X, y) == pytest.approx(np.sqrt(2))
    assert report.on_edge.tolist() == report.support.tolist() == [0, 1]


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_optimality_conditions_hold(loss, sparse):
    """w = sum beta x; alpha = 0 outside the slab, C inside, between on the edge."""
    X, y = two_classes()
    C = 0.7
    table = sp.csr_array(X) if sparse else X
    model = LinearSVC(loss=loss, C=C, tol=1e-9, max_iter=100_000, dual=True).fit(table, y)
    alpha = y * model.dual_coef_[0]
    margins = y * model.decision_function(table)
    np.testing.assert_allclose(model.coef_[0], model.dual_coef_[0] @ X, atol=1e-8)
    assert model.intercept_[0] == pytest.approx(model.dual_coef_.sum(), abs=1e-8)
    assert (alpha >= 0).all()
    if loss == "squared_hinge":
        np.testing.assert_allclose(alpha, 2 * C * np.maximum(0, 1 - margins), atol=1e-7)
        return
    assert (alpha <= C).all()
    assert (margins[alpha == 0] >= 1 - 1e-7).all()
    assert (margins[alpha == C] <= 1 + 1e-7).all()
    np.testing.assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=1e-7)


def test_three_classes_have_no_single_slab():
    model = LinearSVC().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(DataError, match="two classes"):
        support_report(model, [[0.0]], [0])


@pytest.mark.parametrize("settings", [{}, {"kernel": "linear"}, {"kernel": "poly", "coef0": 1.0}])
def test_support_vectors_of_a_kernel_machine_by_kind(settings):
    """0 < alpha < C on the edge, alpha = C inside, |w|^2 = sum alpha y f - b."""
    X, y = noisy_rings(120)
    model = SVC(C=2.0, tol=1e-6, **settings).fit(X, y)
    report = support_report(model, X, y)
    alpha = report.multipliers
    free, bound = (alpha > 0) & (alpha < 2.0), alpha == 2.0
    assert np.flatnonzero(alpha).tolist() == sorted(model.support_.tolist())
    assert set(np.flatnonzero(free)) <= set(report.on_edge)
    assert set(np.flatnonzero(bound)) <= set(report.support)
    assert set(report.inside) <= set(np.flatnonzero(bound))
    # The objective is 1/2 |w|^2 - sum alpha.
    square = 2 * (model.objective_[0] + alpha.sum())
    assert report.margin == pytest.approx(1 / np.sqrt(square), rel=1e-4)
    if settings == {"kernel": "linear"}:
        assert report.margin == pytest.approx(1 / Hyperplane.of(model).length)


def test_a_kernel_machine_needs_the_rows_it_was_fitted_to():
    X, y = noisy_rings(60)
    with pytest.raises(DataError, match="60 rows"):
        support_report(SVC().fit(X, y), X[:10], y[:10])
