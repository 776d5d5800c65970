"""Moments of classes: the obvious sums, weights as repeated rows, and parts that merge."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.rows.class_moments import ClassMoments


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(40, 3)) + 1e3
    return X, np.arange(40) % 3, rng.integers(1, 4, size=40).astype(float)


def scatter(X, w):
    away = X - np.average(X, axis=0, weights=w)
    return (away.T * w) @ away


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_they_are_the_obvious_sums(rows, kind):
    X, codes, w = rows
    moments = ClassMoments.of(kind(X), codes, 3, w)
    for k in range(3):
        here = codes == k
        assert moments.weights[k] == w[here].sum()
        np.testing.assert_allclose(moments.means[k], np.average(X[here], axis=0, weights=w[here]))
        np.testing.assert_allclose(moments.scatter(k), scatter(X[here], w[here]), rtol=1e-4)
    total = scatter(X, w)
    np.testing.assert_allclose(moments.within() + moments.between(), total, rtol=1e-4)
    np.testing.assert_allclose(moments.total().centred(), total, rtol=1e-4)


def test_a_weight_is_a_number_of_rows(rows):
    X, codes, w = rows
    k = w.astype(int)
    weighted = ClassMoments.of(X, codes, 3, w)
    repeated = ClassMoments.of(np.repeat(X, k, axis=0), np.repeat(codes, k), 3, None)
    np.testing.assert_allclose(weighted.within(), repeated.within())
    np.testing.assert_allclose(weighted.means, repeated.means)


def test_parts_merge_whatever_classes_they_hold(rows):
    X, codes, w = rows
    order = np.argsort(codes, kind="stable")
    X, codes, w = X[order], codes[order], w[order]
    whole = ClassMoments.of(X, codes, 3, w)
    first, last = (ClassMoments.of(X[s], codes[s], 3, w[s]) for s in (slice(10), slice(10, None)))
    assert first.weights[2] == 0
    assert first.means[2].tolist() == [0, 0, 0]
    merged = first.merge(last)
    np.testing.assert_allclose(merged.within(), whole.within())
    np.testing.assert_allclose(merged.means, whole.means)


def test_other_classes_do_not_merge(rows):
    X, codes, _ = rows
    with pytest.raises(DataError, match="same classes; got 3 here, 4 there"):
        ClassMoments.of(X, codes, 3, None).merge(ClassMoments.of(X, codes, 4, None))
