"""Naive Bayes for independent counts."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.stats import poisson

from gramian import PoissonNB

RNG = np.random.default_rng(0)
Y = np.arange(200) % 2
X = RNG.poisson(np.where(Y[:, None] == 0, [1.0, 4.0], [2.0, 3.0])).astype(float)


def test_scores_are_log_prior_plus_log_probabilities():
    model = PoissonNB(alpha=0.5).fit(X, Y)
    sums = np.array([X[k == Y].sum(axis=0) for k in (0, 1)])
    rates = (sums + 0.5) / (100 + 0.5)
    assert_allclose(np.exp(model.feature_log_rate_), rates)
    exact = np.log(0.5) + poisson.logpmf(X[:, None], rates).sum(axis=2)
    assert_allclose(model.predict_joint_log_proba(X), exact, rtol=1e-10)
    assert_allclose(model.predict_joint_log_proba(sp.csr_array(X)), exact, rtol=1e-10)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_a_rate_of_zero_rules_out_counts_above_zero_only():
    model = PoissonNB(alpha=0.0).fit([[0.0, 1.0], [2.0, 1.0]], ["none", "some"])
    joint = model.predict_joint_log_proba([[0.0, 1.0], [1.0, 1.0]])
    assert np.isfinite(joint[0]).all()
    assert np.isneginf(joint[1, 0])
    assert model.predict([[1.0, 1.0]])[0] == "some"
