"""Our plain metrics are scikit-learn's, with and without weights."""

import numpy as np
import pytest
from sklearn import metrics as peer

from gramian.base.errors import ParameterError
from gramian.study.problem.metrics import CLASSIFICATION, REGRESSION, Predicted, choose_metric

BY_NAME = {m.name: m for m in (*CLASSIFICATION, *REGRESSION)}


@pytest.fixture(params=[2, 4])
def predicted(request, rng):
    K, n = request.param, 200
    y = rng.integers(0, K, n)
    proba = rng.dirichlet(np.ones(K), n).round(2)  # ties
    proba /= proba.sum(axis=1, keepdims=True)
    return y, Predicted(proba.argmax(axis=1), proba), K


@pytest.mark.parametrize("weighted", [False, True])
def test_classification(predicted, weighted, rng):
    y, predicted, K = predicted
    w = rng.uniform(0.1, 3, len(y)) if weighted else None
    p = predicted.proba
    areas = [peer.roc_auc_score(y == k, p[:, k], sample_weight=w) for k in range(K)]
    expected = {
        "accuracy": peer.accuracy_score(y, predicted.values, sample_weight=w),
        "balanced_accuracy": peer.balanced_accuracy_score(y, predicted.values, sample_weight=w),
        "f1_macro": peer.f1_score(y, predicted.values, average="macro", sample_weight=w),
        "roc_auc": areas[1] if K == 2 else np.mean(areas),
        "log_loss": peer.log_loss(y, np.clip(p, 1e-15, 1), sample_weight=w),
        "brier": peer.brier_score_loss(y, p, sample_weight=w, scale_by_half=K == 2),
    }
    assert expected.keys() == {m.name for m in CLASSIFICATION}
    for name, value in expected.items():
        assert BY_NAME[name].function(y, predicted, w) == pytest.approx(value), name


@pytest.mark.parametrize("weighted", [False, True])
def test_regression(rng, weighted):
    y = rng.normal(size=100)
    predicted = Predicted(y + rng.normal(size=100), None)
    w = rng.uniform(0.1, 3, 100) if weighted else None
    assert BY_NAME["r2"].function(y, predicted, w) == pytest.approx(
        peer.r2_score(y, predicted.values, sample_weight=w)
    )
    assert BY_NAME["rmse"].function(y, predicted, w) == pytest.approx(
        peer.root_mean_squared_error(y, predicted.values, sample_weight=w)
    )
    assert BY_NAME["mae"].function(y, predicted, w) == pytest.approx(
        peer.mean_absolute_error(y, predicted.values, sample_weight=w)
    )


def test_an_unknown_metric_is_named():
    with pytest.raises(ParameterError, match="Did you mean 'accuracy'"):
        choose_metric("classification", "acuracy")


def test_the_default_is_a_proper_score():
    """Of the classes' metrics only log_loss and brier reward honest probabilities most."""
    assert choose_metric("classification", None).name == "log_loss"
    assert choose_metric("regression", None).name == "r2"
    assert choose_metric("classification", None, have_proba=False).name == "accuracy"
