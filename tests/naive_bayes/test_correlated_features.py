"""Columns that are correlated within the classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from gramian import GaussianNB
from gramian.base.errors import ParameterError
from gramian.naive_bayes import correlated_features


def test_the_correlation_matches_rows_about_their_class_means():
    X, y = load_iris(return_X_y=True)
    away = X - np.array([X[y == k].mean(axis=0) for k in range(3)])[y]
    report = correlated_features(X, y, threshold=0.7)
    assert_allclose(report.correlation, np.corrcoef(away.T), atol=1e-12)
    assert [(i, j) for i, j, _ in report.pairs] == [(0, 2)]
    assert report.pairs[0][2] == pytest.approx(report.correlation[0, 2])


def test_a_duplicate_column_is_found_and_makes_naive_bayes_overconfident():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 1)) + y[:, None]
    twice = np.hstack([X, X])
    assert correlated_features(twice, y).pairs == [(0, 1, pytest.approx(1.0))]
    once, doubled = GaussianNB().fit(X, y), GaussianNB().fit(twice, y)
    odds = np.diff(once.predict_log_proba(X))
    assert_allclose(np.diff(doubled.predict_log_proba(twice)), 2 * odds, atol=1e-6)


def test_a_constant_column_is_correlated_with_nothing():
    report = correlated_features([[1.0, 2.0], [1.0, 3.0], [1.0, 4.0]], [0, 0, 1])
    assert report.correlation[0].tolist() == [0.0, 0.0]
    with pytest.raises(ParameterError, match="threshold must be a number in"):
        correlated_features([[1.0]], [0], threshold=2.0)


@pytest.mark.parametrize("size", [1e-170, 1e-300, 1e150])
def test_a_correlation_has_no_scale(size):
    X, y = load_iris(return_X_y=True)
    Z = np.column_stack([X * size, X[:, 0]])
    report = correlated_features(Z, y)
    assert_allclose(report.correlation[:4, :4], correlated_features(X, y).correlation, rtol=1e-9)
    assert (0, 4) in [pair[:2] for pair in report.pairs]
