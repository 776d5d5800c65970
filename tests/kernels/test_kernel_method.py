"""Estimators with a kernel: parameters, tags and model files."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.kernel_approximation import Nystroem
from gramian.kernel_ridge import KernelRidge, KernelRidgeCV
from gramian.kernels import RBF, Precomputed
from gramian.linear_model import KernelPerceptron

rng = np.random.default_rng(0)
X, y = rng.normal(size=(20, 3)), rng.normal(size=20)


def test_tags_follow_the_kernel():
    assert KernelRidge(kernel=Precomputed()).__sklearn_tags__().input_tags.pairwise
    assert KernelRidge(kernel="chi2").__sklearn_tags__().input_tags.positive_only
    assert not KernelRidge(kernel=RBF()).__sklearn_tags__().input_tags.pairwise


def test_the_kernel_is_resolved_once():
    model = KernelRidge(kernel="rbf", gamma="scale").fit(X, y)
    assert model.kernel_.gamma == pytest.approx(1 / (3 * X.var()))
    assert KernelRidge(kernel="rbf").fit(X, y).kernel_ == RBF(1.0 / 3.0)
    with pytest.raises(ParameterError, match="kernel must be"):
        KernelRidge(kernel="gauss").fit(X, y)


def test_fitted_attributes_that_contradict_each_other_are_refused():
    model = KernelRidge(kernel="rbf").fit(X, y)
    model._check_loaded()
    for name, value in (("kernel_", "rbf"), ("dual_coef_", y[:5]), ("dual_coef_", y * np.nan)):
        broken = KernelRidge(kernel="rbf").fit(X, y)
        setattr(broken, name, value)
        with pytest.raises(DataError, match=name):
            broken._check_loaded()


@pytest.mark.parametrize("model", [KernelRidge, KernelRidgeCV, KernelPerceptron, Nystroem])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_an_asymmetric_matrix_is_refused(model, make):
    """One triangle would be used, and the other silently ignored."""
    K = 10 * np.eye(6)
    K[2, 4] = 5.0
    with pytest.raises(DataError, match=r"symmetric.*rows [24] and [24]"):
        model(kernel="precomputed").fit(make(K), [0, 1, 0, 1, 0, 1])
