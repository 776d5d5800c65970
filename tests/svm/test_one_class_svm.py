"""One-class support vector machine."""

import numpy as np
import pytest
from sklearn import svm as peer

from gramian import OneClassSVM


@pytest.fixture
def cloud(rng):
    return rng.normal(size=(150, 3))


@pytest.mark.parametrize("nu", [0.05, 0.5])
def test_scores_agree_with_scikit_learn(cloud, nu):
    weights = np.random.default_rng(1).uniform(0.1, 2, len(cloud))
    for sample_weight in (None, weights):
        ours, theirs = (
            OneClassSVM(nu=nu, gamma=0.3, tol=1e-8),
            peer.OneClassSVM(nu=nu, gamma=0.3, tol=1e-8),
        )
        ours.fit(cloud, sample_weight=sample_weight)
        theirs.fit(cloud, sample_weight=sample_weight)
        near = {"atol": 1e-5}
        np.testing.assert_allclose(
            ours.decision_function(cloud), theirs.decision_function(cloud), **near
        )
        np.testing.assert_allclose(ours.score_samples(cloud), theirs.score_samples(cloud), **near)


def test_nu_bounds_outliers_from_above_and_support_vectors_from_below(cloud):
    model = OneClassSVM(nu=0.2, tol=1e-8).fit(cloud)
    outside = model.decision_function(cloud) < -1e-6
    assert outside.mean() <= 0.2 <= len(model.support_) / len(cloud) + 1e-9
    assert model.dual_coef_.sum() == pytest.approx(0.2 * len(cloud))


def test_weights_count_as_rows_repeated(cloud):
    counts = np.random.default_rng(1).integers(0, 4, len(cloud))
    weighted = OneClassSVM(nu=0.3, tol=1e-9).fit(cloud, sample_weight=counts)
    repeated = OneClassSVM(nu=0.3, tol=1e-9).fit(np.repeat(cloud, counts, axis=0))
    np.testing.assert_allclose(
        weighted.decision_function(cloud), repeated.decision_function(cloud), atol=1e-5
    )
