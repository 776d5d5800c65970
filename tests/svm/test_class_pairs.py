"""One machine for each pair of classes."""

import numpy as np

from gramian.svm.class_pairs import ClassPairs


def test_coefficients_lie_where_scikit_learn_has_them():
    rows = [np.array(r, dtype=np.int32) for r in ([0, 3], [1], [2, 4])]
    pairs = ClassPairs(rows)
    assert pairs.pairs == [(0, 1), (0, 2), (1, 2)]
    alpha = [np.array([1.0, 0.0, 2.0]), np.array([0.0, 0.0, 0.0, 3.0]), np.array([4.0, 0.0, 5.0])]
    support, coef, sizes = pairs.coefficients(alpha, 5)
    assert support.tolist() == [0, 1, 4]
    assert sizes.tolist() == [1, 1, 1]
    np.testing.assert_array_equal(coef, [[1, -2, -3], [0, 4, -5]])
    np.testing.assert_array_equal(pairs.signs()[0], [1, 1, -1])
