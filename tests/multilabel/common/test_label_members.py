"""Weights of multi-label classifiers made of copies of a classifier."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification

import gramian
from gramian import (
    HOMER,
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    DecisionTreeClassifier,
    EnsembleOfClassifierChains,
    KNeighborsClassifier,
    LabelPartitioner,
    LabelPowerset,
    LogisticRegression,
    MLkNN,
    PartitionedRanker,
    RAkELd,
    RAkELo,
    RidgeClassifier,
)
from gramian.base.errors import ParameterError

X, Y = make_multilabel_classification(120, 6, n_classes=4, random_state=0)

LINE, TREE = LogisticRegression(tol=1e-10), DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.mark.parametrize(
    "learner",
    [
        BinaryRelevance(LINE),
        BinaryRelevance(RidgeClassifier()),
        BinaryRelevance(gramian.SVC(tol=1e-8)),
        CalibratedLabelRanking(LINE),
        ClassifierChain(LINE),
        EnsembleOfClassifierChains(LINE, n_estimators=2, bootstrap=False, random_state=0),
        HOMER(BinaryRelevance(LINE), n_children=2, random_state=0),
        LabelPowerset(LINE, min_count=3),
        RAkELo(LINE, random_state=0),
        RAkELd(TREE, random_state=0),
    ],
    ids=lambda learner: f"{type(learner).__name__}-{type(learner.estimator).__name__}",
)
def test_a_weight_is_a_repetition_of_its_row(learner):
    k = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = clone(learner).fit(X, Y, sample_weight=k)
    repeated = clone(learner).fit(np.repeat(X, k, axis=0), np.repeat(Y, k, axis=0))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-5
    )
    assert not np.allclose(
        weighted.decision_function(X), clone(learner).fit(X, Y).decision_function(X), atol=1e-3
    )


def test_weights_reach_the_members_of_a_ranker_and_the_thresholds():
    k = np.where(Y[:, 0] == 1, 5.0, 1.0)
    plain, heavy = (
        BinaryRelevance(LINE, threshold="count").fit(X, Y, sample_weight=w) for w in (None, k)
    )
    assert heavy.thresholds_[0] != plain.thresholds_[0]
    ranker = PartitionedRanker(BinaryRelevance(LINE), partitioner=LabelPartitioner(1))
    share = ranker.fit(X, Y, sample_weight=k).partitioner_.proportions_[0][0]
    np.testing.assert_allclose(share, k @ Y / k.sum())


@pytest.mark.parametrize("learner", [BinaryRelevance(KNeighborsClassifier()), HOMER(MLkNN(3))])
def test_members_without_sample_weight_raise_an_error(learner):
    with pytest.raises(ParameterError, match="fit does not support sample_weight"):
        learner.fit(X, Y, sample_weight=np.ones(len(X)))
