"""Preconditioned conjugate gradients on centres."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.kernel_ridge import KernelRidge, nystroem_solution
from gramian.kernels import RBF, Sigmoid

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2))
Y = np.column_stack([X[:, 0] ** 2, np.sin(X[:, 1])])


@pytest.mark.parametrize("weights", [None, rng.uniform(0.1, 2.0, 200)])
def test_the_weights_solve_the_equations_of_the_centres(weights):
    model = KernelRidge(
        0.3, kernel=RBF(0.5), solver="nystroem", n_centers=40, tol=1e-7, random_state=1
    ).fit(X, Y, weights)
    centers = model.X_fit_
    K, inner = RBF(0.5)(X, centers), RBF(0.5)(centers)
    w = np.ones(200) if weights is None else weights
    left = (K.T * w) @ K + 0.3 * inner
    np.testing.assert_allclose(left @ model.dual_coef_, (K.T * w) @ Y, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_for_each_centre(weighted, monkeypatch):
    """The preconditioner comes from more rows: the same solution after fewer iterations."""
    many = np.random.default_rng(1).normal(size=(6000, 3))
    y = np.sin(many[:, 0]) + many[:, 1] * many[:, 2]
    w = np.arange(6000) % 3 if weighted else np.ones(6000)
    model = KernelRidge(
        1.0, kernel=RBF(0.5), solver="nystroem", n_centers=100, tol=1e-7, random_state=1
    )
    model.fit(many, y, w)
    K, inner = RBF(0.5)(many, model.X_fit_), RBF(0.5)(model.X_fit_)
    left, right = (K.T * w) @ K + inner, (K.T * w) @ y
    difference = np.abs(left @ model.dual_coef_ - right).max()
    assert difference < 1e-5 * np.abs(right).max()
    monkeypatch.setattr(nystroem_solution, "_MIN_SAMPLING_RATIO", 6000)  # from the centres alone
    assert model.n_iter_ < model.fit(many, y, w).n_iter_


def test_too_few_iterations_give_a_warning():
    model = KernelRidge(1e-9, kernel=RBF(0.5), solver="nystroem", n_centers=150, max_iter=1)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model.fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelRidge(1.0, kernel=RBF(0.5), solver="nystroem").fit(X, np.zeros(200))


def test_an_indefinite_kernel_is_refused():
    model = KernelRidge(kernel=Sigmoid(1.0, -1.0), solver="nystroem")
    with pytest.raises(DataError, match="not positive semidefinite"):
        model.fit(X, Y)
