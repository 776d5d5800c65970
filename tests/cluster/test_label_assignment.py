import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.cluster.label_assignment import discrete_labels, rotated_labels, unit_rows


@pytest.mark.parametrize("k", [1, 2, 5])
def test_turned_indicator_vectors_give_back_their_clusters(k):
    rng = np.random.default_rng(k)
    truth = np.append(np.arange(k), rng.integers(k, size=60))
    turn = np.linalg.qr(rng.normal(size=(k, k)))[0]
    vectors = np.eye(k)[truth] @ turn + 0.02 * rng.normal(size=(len(truth), k))
    assert_array_equal(rotated_labels(vectors), truth)
    assert_array_equal(discrete_labels(vectors, np.random.default_rng(0)), truth)


def test_unit_rows_leave_a_zero_row():
    assert_allclose(unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])), [[0.6, 0.8], [0, 0]])
