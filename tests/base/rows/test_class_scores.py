"""Scores of classes: posteriors, and classes that are impossible."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from gramian import GaussianNB
from gramian.base.errors import ParameterError
from gramian.base.rows.class_scores import (
    check_priors,
    linear_scorer,
    log_posterior,
    match_precision,
)

X = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])


@pytest.mark.parametrize("sparse", [False, True])
def test_finite_linear_scores(sparse):
    table = sp.csr_array(X) if sparse else X
    scorer = linear_scorer(np.array([0.0, 1.0]), np.array([[1.0, 2.0], [3.0, 4.0]]), sparse=sparse)
    assert_allclose(scorer.joint(table), [[1, 4], [4, 9], [0, 1]])
    assert_array_equal(scorer.codes(table), [1, 1, 1])
    assert_allclose(scorer.posterior(table).sum(axis=1), 1)


@pytest.mark.parametrize("sparse", [False, True])
def test_an_infinite_coefficient_rules_a_class_out_only_where_its_column_is_not_zero(sparse):
    table = sp.csr_array(X) if sparse else X
    coef = np.array([[-np.inf, 1.0], [0.5, 0.5]])
    scorer = linear_scorer(np.zeros(2), coef, sparse=sparse)
    assert_allclose(scorer.joint(table), [[-np.inf, 0.5], [2, 1], [0, 0]])
    assert_allclose(scorer.posterior(table)[0], [0, 1])
    assert_array_equal(scorer.codes(table), [1, 0, 0])


def test_where_no_class_is_possible_all_are_equally_probable():
    assert_allclose(log_posterior(np.full((1, 4), -np.inf)), np.log(0.25))
    assert_allclose(np.exp(log_posterior(np.array([[-np.inf, 3.0]]))), [[0, 1]])


def test_numbers_are_as_precise_as_the_rows():
    scores = np.array([[0.0, -1e300]])
    assert match_precision(scores, X) is scores
    narrow = match_precision(scores, X.astype(np.float32))
    assert narrow.dtype == np.float32
    assert_array_equal(narrow, [[0, -np.inf]])
    assert match_precision(scores, np.zeros((1, 2), dtype=int)) is scores


def test_logarithms_of_float32_rows_match_their_probabilities():
    rows = np.linspace(-9, 9, 400, dtype=np.float32)[:, None]
    model = GaussianNB().fit(rows, rows[:, 0] > 0)
    rows *= 2
    p, logs = model.predict_proba(rows), model.predict_log_proba(rows)
    assert p.dtype == logs.dtype == np.float32
    assert_array_equal(logs == 0, p == 1)
    assert (p == 1).any()
    assert (p[p < 1] > 1 - 1e-6).any()
    assert_allclose(logs, np.log(p), rtol=1, atol=1e-9)


@pytest.mark.parametrize(
    ("value", "phrase"),
    [([0.5], "one per class"), ([-0.5, 1.5], "non-negative"), ([0.2, 0.2], "sum to 1")],
)
def test_bad_priors_are_refused(value, phrase):
    with pytest.raises(ParameterError, match=phrase):
        check_priors("NB", "priors", value, 2, sum_one=True)
