"""Expected sums of rows with missing values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from gramian.base.errors import DataError
from gramian.mixture import GaussianMixture
from gramian.mixture.components import Components
from gramian.mixture.expectation_steps import MixtureData
from gramian.mixture.missing_values import expectation, patterns, scores_of

S = np.array([[[2.0, 0.8, 0.1], [0.8, 1.0, 0.3], [0.1, 0.3, 1.5]], np.eye(3)])
PARTS = Components.of("full", np.array([0.4, 0.6]), np.array([[0.0, 1, 2], [3.0, 0, 1]]), S)
X = np.array([[1.0, np.nan, 2.0], [np.nan, 0.5, np.nan], [0.3, 0.2, 0.1], [np.nan] * 3])


def test_rows_with_the_same_gaps_come_together():
    rows = np.array([[1.0, np.nan], [2.0, 3.0], [4.0, np.nan]])
    found = [(r.tolist(), h.tolist(), g.tolist()) for r, h, g in patterns(rows)]
    assert sorted(found) == [([0, 2], [0], [1]), ([1], [0, 1], [])]


def test_margins_are_scipys():
    present = np.ix_([0, 2], [0, 2])
    parts = [multivariate_normal(PARTS.means[k, [0, 2]], S[k][present]) for k in range(2)]
    joint = PARTS.weights * [part.pdf([1.0, 2.0]) for part in parts]
    posterior = scores_of(PARTS, X, "posterior")
    assert_allclose(posterior[0], joint / joint.sum())
    assert_allclose(scores_of(PARTS, X, "log_norm")[0], np.log(joint.sum()))
    assert_allclose(posterior[3], PARTS.weights)
    assert_allclose(scores_of(PARTS, X, "codes"), posterior.argmax(axis=1))


def test_expected_sums_are_conditional_moments():
    """By drawing what is missing from its conditional distribution, many times."""
    one = Components.of("full", np.ones(1), PARTS.means[:1], S[:1])
    _, sums = expectation(one, X[:1], None, None)
    away = np.array([1.0, 0.0]) - 0.0, S[0]
    mean = 1 + S[0][1, [0, 2]] @ np.linalg.solve(S[0][np.ix_([0, 2], [0, 2])], [1.0, 0.0])
    left = S[0][1, 1] - S[0][1, [0, 2]] @ np.linalg.solve(
        S[0][np.ix_([0, 2], [0, 2])], S[0][[0, 2], 1]
    )
    assert away[0][0] == 1.0
    assert_allclose(sums.first[0], [1.0, mean - 1, 0.0], atol=1e-12)
    assert_allclose(sums.second[0, 1, 1], (mean - 1) ** 2 + left)


def test_complete_rows_have_the_sums_of_the_native_pass():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 3))
    known = np.where(np.arange(50) < 10, np.arange(50) % 2, -1)
    slow, sums = expectation(PARTS, rows, None, known.astype(np.int32))
    data = MixtureData.of(rows, None, known, tied=False)
    fast, better = data.iterate(PARTS, 0.0)
    assert_allclose(fast, slow / 50)
    assert_allclose(better.weights, sums.weights / 50)


def test_blocks_of_rows_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X[rng.random(X.shape) < 0.3] = np.nan
    X[0] = np.nan
    whole = GaussianMixture(2, random_state=0).fit(X)
    monkeypatch.setattr("gramian.mixture.missing_values._BLOCK", 7)
    parts = GaussianMixture(2, random_state=0).fit(X)
    assert_allclose(parts.means_, whole.means_, rtol=1e-9)
    assert_allclose(parts.score_samples(X), whole.score_samples(X), rtol=1e-9, atol=1e-12)


def test_a_column_without_values_is_refused():
    with pytest.raises(DataError, match=r"column 1 has only missing values"):
        GaussianMixture(1).fit([[1.0, np.nan], [2.0, np.nan], [4.0, np.nan]])
