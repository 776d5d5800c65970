import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_error_against_k
from tests.plot.conftest import legend_texts

K = [1, 3, 5]
TRAIN = [0.0, 0.1, 0.2]
VALIDATION = [0.3, 0.2, 0.25]


def test_both_curves_and_the_best_k_are_drawn(ax):
    assert plot_error_against_k(K, TRAIN, VALIDATION, ax=ax) is ax
    train, validation = ax.lines
    assert_allclose(train.get_xydata(), np.column_stack([K, TRAIN]))
    assert_allclose(validation.get_xydata(), np.column_stack([K, VALIDATION]))
    (ring,) = ax.collections
    assert_allclose(ring.get_offsets(), [[3, 0.2]])
    labels = legend_texts(ax)
    assert labels == ["training", "validation", "best: k = 3, error 0.2"]
    assert ax.get_ylim()[0] == 0


def test_folds_are_averaged_with_a_band_of_one_standard_error(ax):
    folds = np.array([[0.2, 0.4], [0.1, 0.3], [0.25, 0.25]])
    plot_error_against_k(K, TRAIN, folds, ax=ax)
    assert_allclose(ax.lines[1].get_ydata(), VALIDATION)
    corners = ax.collections[0].get_paths()[0].vertices
    assert_allclose([corners[:, 1].min(), corners[:, 1].max()], [0.1, 0.4])


def test_lengths_must_agree():
    with pytest.raises(DataError, match=r"row for each k; got shapes \(3,\), \(2,\) and \(3,\)"):
        plot_error_against_k(K, TRAIN[:2], VALIDATION)
