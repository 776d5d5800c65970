"""What estimators with a kernel share: parameters, tags, and what a model file may hold."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.kernel_ridge import KernelRidge
from gramian.kernels import RBF, Precomputed

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
