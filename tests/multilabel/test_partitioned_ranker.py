import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.multiclass import OneVsRestClassifier

from gramian import (
    BinaryRelevance,
    KNeighborsClassifier,
    LabelPartitioner,
    LogisticRegression,
    PartitionedRanker,
)
from gramian.base.errors import DataError, ParameterError
from gramian.metrics import precision_at_k

X, group = make_blobs(240, 3, centers=8, random_state=0)
Y = np.eye(8, dtype=int)[group] | np.eye(8, dtype=int)[(group + 1) % 8]
LINE = BinaryRelevance(LogisticRegression())
NAMES = np.array(list("abcdefgh"))


def ranker(scorer=LINE, **options):
    return PartitionedRanker(scorer, partitioner=LabelPartitioner(random_state=0, **options), k=2)


@pytest.mark.parametrize(
    "scorer",
    [LINE, BinaryRelevance(KNeighborsClassifier(3)), OneVsRestClassifier(LogisticRegression())],
    ids=["linear", "neighbours", "scikit-learn"],
)
def test_only_candidates_are_ranked(scorer):
    """ML-09: labels of the row's partition by score, the top k of them."""
    model = ranker(scorer, n_partitions=6, max_labels=3).fit(X, Y)
    inside = model.partitioner_.candidates(X)
    top = model.rank_labels(X, 2)
    assert np.take_along_axis(inside, top, axis=1).all()
    s = model.scorer_
    scores = s.predict_proba(X) if hasattr(s, "predict_proba") else s.decision_function(X)
    expected = np.argsort(-np.where(inside, scores, -np.inf), axis=1, kind="stable")[:, :2]
    np.testing.assert_array_equal(top, expected)


def test_without_a_limit_it_is_the_scorer():
    model = ranker(n_partitions=1).fit(X, Y)
    plain = BinaryRelevance(LogisticRegression()).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X))


def test_the_error_has_two_causes():
    """ML-13: labels that are not in the partition, and labels that the scorer ranks too low."""
    model = ranker(n_partitions=5, max_labels=2).fit(X, Y)
    parts = model.error_parts(X, Y)
    assert parts.total == pytest.approx(parts.not_in_partition + parts.scorer)
    assert parts.not_in_partition > 0
    assert parts.scorer >= 0
    scores = model.decision_function(X)
    assert parts.total == pytest.approx(1 - precision_at_k(Y, scores, k=2, divisor="possible"))
    whole = ranker(n_partitions=1).fit(X, Y).error_parts(X, Y)
    assert whole.not_in_partition == 0


def test_a_label_that_is_not_scored_is_never_found():
    """With fewer candidates than k, the other labels fill the top k, but are no answer."""
    model = ranker(n_partitions=4, max_labels=2).fit(X, Y)
    parts = model.error_parts(X, Y, k=8)
    relevant, inside = Y.astype(bool), model.partitioner_.candidates(X)
    known = relevant.any(axis=1)
    expected = 1 - (relevant & inside)[known].sum(axis=1) / relevant[known].sum(axis=1)
    assert parts.total == pytest.approx(expected.mean())
    assert parts.not_in_partition == pytest.approx(parts.total)
    assert parts.scorer == pytest.approx(0, abs=1e-12)


def test_labels_by_name():
    sets = [set(NAMES[row > 0]) for row in Y]
    model = ranker(n_partitions=4).fit(X, sets)
    assert model.rank_labels(X[:1], 2).shape == (1, 2)
    some = model.error_parts(X[:5], sets[:5])
    assert some.total == pytest.approx(
        ranker(n_partitions=4).fit(X, Y).error_parts(X[:5], Y[:5])[0]
    )
    with pytest.raises(DataError, match="which did not occur in fit"):
        model.error_parts(X[:2], [{"z"}, {"a"}])
    with pytest.raises(DataError, match="y has no labels"):
        model.error_parts(X[:2], np.zeros((2, 8), int))


def test_the_defaults_work():
    model = PartitionedRanker(LINE).fit(X, Y)
    assert precision_at_k(Y, model.decision_function(X), k=2) > 0.8


@pytest.mark.parametrize("k", [0, -1, 1.5])
def test_the_number_of_labels_is_checked(k):
    with pytest.raises(ParameterError, match="k must be an integer >= 1"):
        ranker(n_partitions=2).fit(X, Y).error_parts(X, Y, k)


def test_sets_of_other_labels_are_put_in_their_columns():
    """As many labels as columns, though other ones, once were taken for the columns in order."""
    model = ranker(n_partitions=1).fit(X, [set(NAMES[row > 0]) for row in Y])
    few = np.flatnonzero(Y[:, 0] == 0)
    sets = pd.Series([set(NAMES[row > 0]) for row in Y[few]])
    assert model.error_parts(X[few], sets) == model.error_parts(X[few], Y[few])
