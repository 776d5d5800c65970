import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
)

from gramian.base.errors import DataError, ParameterError
from gramian.metrics import one_error, precision_at_k
from gramian.metrics.label_ranking import row_losses

Y = [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
SCORES = [[0.9, 0.8, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.3]]


def test_precision_at_k_counts_relevant_labels_of_the_top():
    assert precision_at_k(Y, SCORES, k=1) == pytest.approx(2 / 3)
    assert precision_at_k(Y, SCORES, k=2, per_row=True).tolist() == [0.5, 0.5, 0.0]
    assert precision_at_k(Y, SCORES, k=2, per_row=True, divisor="possible").tolist() == [0.5, 1, 0]
    assert precision_at_k(sp.csr_array(Y), SCORES, k=3) == pytest.approx(1 / 3)


def test_one_error_uses_the_top_label():
    assert one_error(Y, SCORES) == pytest.approx(1 / 3)
    assert one_error(Y, SCORES, per_row=True).tolist() == [0, 0, 1]


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_precision_at_one_and_one_error_sum_to_one(n_labels, seed):
    rng = np.random.default_rng(seed)
    truth, scores = rng.random((7, n_labels)) < 0.4, rng.normal(size=(7, n_labels)).round(1)
    assert precision_at_k(truth, scores, k=1) + one_error(truth, scores) == pytest.approx(1)
    assert precision_at_k(truth, scores, k=n_labels) == pytest.approx(truth.mean())


def test_bad_input_is_named():
    with pytest.raises(ParameterError, match="integer from 1 to 3, the number of labels"):
        precision_at_k(Y, SCORES, k=4)
    with pytest.raises(DataError, match="one shape"):
        one_error(Y, SCORES[:2])
    with pytest.raises(DataError, match="only 0 and 1"):
        one_error([[2, 0]], [[0.1, 0.2]])
    with pytest.raises(DataError, match="NaN"):
        one_error([[1, 0]], [[np.nan, 0.2]])


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_row_losses_have_the_means_of_scikit_learn(seed, tied):
    rng = np.random.default_rng(seed)
    truth = rng.random((12, 5)) < 0.4
    truth[0], truth[1] = False, True
    scores = rng.normal(size=(12, 5)).round(0 if tied else 3)
    found = row_losses(truth, scores)
    assert found.ranking_loss.mean() == pytest.approx(label_ranking_loss(truth, scores))
    expected = label_ranking_average_precision_score(truth, scores)
    assert found.average_precision.mean() == pytest.approx(expected)
    some = truth.any(axis=1)
    assert found.coverage[some].mean() == pytest.approx(
        coverage_error(truth[some], scores[some]) - 1
    )
    assert (found.coverage[~some] == 0).all()


@pytest.mark.parametrize("k", [0, 4, 1.5, "2"])
def test_k_is_an_integer_up_to_the_labels(k):
    with pytest.raises(ParameterError, match="integer from 1 to 3, the number of labels"):
        precision_at_k(Y, SCORES, k=k)


def test_the_divisor_is_one_of_two():
    with pytest.raises(ParameterError, match="divisor must be 'k' or 'possible'; got 'all'"):
        precision_at_k(Y, SCORES, k=1, divisor="all")
