"""Kernels from scikit-learn's parameters."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.svm import SVC

from gramian.base.errors import ParameterError
from gramian.kernels import RBF, FunctionKernel, Polynomial, Precomputed, resolve_kernel
from gramian.kernels.resolution import gamma_of

X = np.random.default_rng(0).uniform(0.0, 2.0, size=(20, 4))


@pytest.mark.parametrize("name", sorted(PAIRWISE_KERNEL_FUNCTIONS))
def test_every_name_of_scikit_learn_means_the_same(name):
    np.testing.assert_allclose(
        resolve_kernel("test", name, X)(X), pairwise_kernels(X, metric=name), rtol=1e-10, atol=1e-12
    )


def test_kernels_functions_and_matrices():
    kernel = RBF(3.0)
    assert resolve_kernel("test", kernel, X, gamma=0.1) is kernel
    assert resolve_kernel("test", "precomputed", X) == Precomputed()
    assert resolve_kernel("test", "poly", X, degree=None, coef0=None) == Polynomial(3, 0.25, 1.0)
    function = resolve_kernel("test", np.dot, X, function_arguments="tables", function_params={})
    assert function == FunctionKernel(np.dot, "tables", {})


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_scale_matches_scikit_learn(form):
    rows = np.where(X < 1.0, 0.0, X)
    theirs = SVC(gamma="scale").fit(rows, np.arange(20) % 2)._gamma
    assert gamma_of("SVC", "scale", form(rows)) == pytest.approx(theirs)
    weights = np.arange(20.0)
    repeated = np.repeat(rows, np.arange(20), axis=0)
    assert gamma_of("SVC", "scale", form(rows), weights) == pytest.approx(
        gamma_of("SVC", "scale", form(repeated))
    )
    assert gamma_of("SVC", "auto", form(rows)) == 0.25
    assert gamma_of("SVC", "scale", form(np.ones((3, 2)))) == 1.0


@pytest.mark.parametrize("gamma", [0, -0.5, np.nan, np.inf, "large"])
def test_invalid_gamma_is_refused(gamma):
    with pytest.raises(ParameterError, match="SVC: gamma must be"):
        resolve_kernel("SVC", "rbf", X, gamma=gamma)


@pytest.mark.parametrize("kernel", ["gaussian", 3, RBF])
def test_invalid_kernels_are_refused(kernel):
    with pytest.raises(ParameterError, match="kernel must be"):
        resolve_kernel("SVC", kernel, X)
