import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

from gramian import (
    HOMER,
    BinaryRelevance,
    BRkNN,
    ClassifierChain,
    LabelPartitioner,
    LabelPowerset,
    LogisticRegression,
    PartitionedRanker,
)
from gramian.base.errors import DataError, ParameterError
from gramian.multilabel.common.thresholds import threshold_by_count, threshold_by_f1

X, Y = make_multilabel_classification(150, 6, n_classes=4, n_labels=2, random_state=0)


def cases(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=12).round(1)
    return scores, rng.random(12) < 0.4


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_no_threshold_has_a_larger_f1(seed):
    scores, truth = cases(seed)

    def f1(threshold):
        return f1_score(truth, scores > threshold, zero_division=0)

    best = max(map(f1, [*scores, *(scores - 0.01)]))
    assert f1(threshold_by_f1(scores, truth, 0.0, np.ones(len(scores)))) == pytest.approx(best)


@given(st.integers(0, 2**32 - 1))
def test_as_many_rows_are_predicted_as_have_the_label(seed):
    _, truth = cases(seed)
    scores = np.random.default_rng(seed).permutation(12) / 12  # no ties
    assert (
        scores > threshold_by_count(scores, truth, 0.5, np.ones(len(scores)))
    ).sum() == truth.sum()


def test_a_label_of_no_row_is_never_predicted_and_one_of_all_rows_always():
    scores, none = np.array([0.2, 0.7]), np.zeros(2, bool)
    assert threshold_by_f1(scores, none, 0.5, np.ones(len(scores))) == 0.5
    assert not (scores > threshold_by_count(scores, none, 0.5, np.ones(len(scores)))).any()
    assert (scores > threshold_by_count(scores, ~none, 0.5, np.ones(len(scores)))).all()
    assert (scores > threshold_by_f1(scores, ~none, 0.5, np.ones(len(scores)))).all()


def test_chosen_thresholds_come_from_left_out_rows():
    plain = BinaryRelevance(LogisticRegression()).fit(X, Y)
    chosen = BinaryRelevance(LogisticRegression(), threshold="f1").fit(X, Y)
    again = BinaryRelevance(LogisticRegression(), threshold="f1").fit(X, Y)
    np.testing.assert_array_equal(plain.thresholds_, 0.5)
    np.testing.assert_array_equal(chosen.thresholds_, again.thresholds_)
    assert len(set(chosen.thresholds_)) == 4
    np.testing.assert_array_equal(chosen.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(
        chosen.predict(X), (plain.predict_proba(X) > chosen.thresholds_).astype(int)
    )
    counted = BinaryRelevance(LogisticRegression(), threshold="count", threshold_cv=3).fit(X, Y)
    assert abs(counted.predict(X).mean() - Y.mean()) < 0.05


def test_given_thresholds():
    some = BinaryRelevance(LogisticRegression(), threshold=[0.1, 0.5, 0.9, 0.5]).fit(X, Y)
    p = some.predict_proba(X)
    np.testing.assert_array_equal(some.predict(X), (p > [0.1, 0.5, 0.9, 0.5]).astype(int))
    one = BinaryRelevance(LogisticRegression(), threshold=0.2).fit(X, Y)
    np.testing.assert_array_equal(one.predict(X), (p > 0.2).astype(int))


def mean_of_row(x):
    return 0.2 + 0.05 * np.asarray(x.mean(axis=1)).ravel()


def mean_for_each_label(x):
    return np.outer(mean_of_row(x), [0.5, 1.0, 1.5, 1.0])


@pytest.mark.parametrize("t", [mean_of_row, mean_for_each_label])
@pytest.mark.parametrize("make", [BinaryRelevance, LabelPowerset, ClassifierChain])
def test_a_threshold_may_be_a_function_of_the_row(t, make):
    """h(x) = {y : f(x, y) > t(x)}."""
    model = make(LogisticRegression(), threshold=t).fit(X, Y)
    scores = make(LogisticRegression(), threshold=0.0).fit(X, Y).decision_function(X)
    expected = scores - t(X).reshape(len(X), -1)
    np.testing.assert_allclose(model.decision_function(X), expected)
    np.testing.assert_array_equal(model.predict(X), (expected > 0).astype(int))
    assert model.predict(X).mean() != make(LogisticRegression()).fit(X, Y).predict(X).mean()
    assert np.isnan(model.thresholds_).all()


def test_a_function_of_the_row_is_used_wherever_a_learner_is():
    inner = BinaryRelevance(LogisticRegression(), threshold=mean_of_row)
    margins = inner.fit(X, Y).decision_function(X)
    everything = LabelPartitioner(1, max_labels=4)
    ranker = PartitionedRanker(inner, partitioner=everything, threshold=0.0).fit(X, Y)
    np.testing.assert_allclose(ranker.decision_function(X), margins)
    np.testing.assert_array_equal(HOMER(inner, n_children=4).fit(X, Y).predict(X), margins > 0)
    knn = BRkNN(7, extension="a", threshold=mean_of_row).fit(X, Y)
    votes = BRkNN(7, threshold=0.0).fit(X, Y).decision_function(X)
    found = votes > mean_of_row(X)[:, None]
    empty = ~found.any(axis=1)
    np.testing.assert_array_equal(knn.predict(X)[~empty], found[~empty])
    assert (knn.predict(X)[empty].sum(axis=1) == 1).all()
    csr = sp.csr_array(X)
    np.testing.assert_array_equal(
        inner.fit(csr, Y).predict(csr), (inner.fit(X, Y).decision_function(X) > 0).astype(int)
    )


def test_a_bad_threshold_function_raises_an_error():
    for t in (lambda x: 0.5, lambda x: np.ones((len(x), 3)), lambda x: np.full(len(x), np.nan)):
        with pytest.raises(ParameterError, match="threshold function must return a finite number"):
            BinaryRelevance(LogisticRegression(), threshold=t).fit(X, Y)


def test_bad_thresholds_raise_an_error():
    with pytest.raises(ParameterError, match="one for each of the 4 labels"):
        BinaryRelevance(LogisticRegression(), threshold=[0.1, 0.2]).fit(X, Y)
    with pytest.raises(ParameterError, match="threshold must be"):
        BinaryRelevance(LogisticRegression(), threshold="most").fit(X, Y)
    with pytest.raises(DataError, match="cannot split these rows"):
        BinaryRelevance(LogisticRegression(), threshold="f1", threshold_cv=200).fit(X, Y)


@given(seed=st.integers(0, 999))
def test_a_weight_is_a_repetition(seed):
    rng = np.random.default_rng(seed)
    scores, truth, k = rng.normal(size=9).round(1), rng.random(9) < 0.5, rng.integers(1, 4, 9)
    repeated = np.repeat(scores, k), np.repeat(truth, k), 0.0, np.ones(k.sum())
    assert threshold_by_f1(scores, truth, 0.0, k.astype(float)) == pytest.approx(
        threshold_by_f1(*repeated)
    )
    above = [k[scores > threshold_by_count(scores, truth, 0.0, k.astype(float))].sum()]
    tied = len(set(scores)) < 9
    assert tied or abs(above[0] - k @ truth) <= k.max() / 2
