"""Histogram boosting for classification."""

import csv
import gzip

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import ensemble as sk
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from gramian import HistGradientBoostingClassifier
from tests.ensemble.problems import wave


@pytest.mark.slow
def test_classifiers_reach_scikit_learns_quality():
    X, y = load_breast_cancer(return_X_y=True)
    losses = [
        log_loss(y, cross_val_predict(model, X, y, cv=4, method="predict_proba"))
        for model in (
            HistGradientBoostingClassifier(max_iter=60),
            sk.HistGradientBoostingClassifier(max_iter=60),
        )
    ]
    assert losses[0] < losses[1] + 0.01


def test_accuracy_on_shuttle(data_folder):
    with gzip.open(data_folder / "shuttle.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=np.float32)
    y = np.array([row[-1] for row in rows])
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:10_000], order[10_000:]
    model = HistGradientBoostingClassifier(max_iter=25, early_stopping=False)
    assert model.fit(X[train], y[train]).score(X[test], y[test]) > 0.997


def test_exponential_loss_gives_half_the_log_odds(rng):
    X, y = wave(rng, 3000)
    label = y > 0.3
    logistic = HistGradientBoostingClassifier(max_iter=60).fit(X, label)
    exponential = HistGradientBoostingClassifier("exponential", max_iter=60).fit(X, label)
    a, b = logistic.predict_proba(X)[:, 1], exponential.predict_proba(X)[:, 1]
    assert np.corrcoef(a, b)[0, 1] > 0.97
    with pytest.raises(ValueError, match="two classes"):
        HistGradientBoostingClassifier("exponential").fit(X, np.digitize(y, [-1, 1]))


def test_unknown_classes_of_y_val_are_refused(rng):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match="7, which is not in y"):
        HistGradientBoostingClassifier().fit(X, y > 0, X_val=X, y_val=np.full(100, 7))


def test_a_single_class_has_probability_one():
    model = HistGradientBoostingClassifier().fit(np.arange(30.0)[:, None], ["a"] * 30)
    assert model.predict([[3.0]]) == ["a"]
    assert model.predict_proba([[3.0]]) == [[1.0]]


def test_class_weights_are_sample_weights(rng):
    X, y = wave(rng, 600)
    label = (y > 1).astype(int)
    by_class = HistGradientBoostingClassifier(max_iter=5, class_weight={0: 1, 1: 3}).fit(X, label)
    by_row = HistGradientBoostingClassifier(max_iter=5).fit(X, label, sample_weight=1 + 2 * label)
    assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))
