"""compare: every promise of its table, its sentences and its errors."""

import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import (
    compare,
    mcnemar_test,
)
from tests.evaluate.comparison.conftest import MODELS, NOISY, X, Y


def test_scores_agree_with_scikit_learn_on_the_same_splits(found):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    for name in ("bayes", "scaled 5-nn"):
        theirs = cross_val_score(MODELS[name], NOISY, Y, cv=cv)
        assert found.scores[found.names.index(name)] == pytest.approx(theirs)


def test_times_and_sizes_are_measured(found):
    assert (found.fit_seconds > 0).all()
    assert (found.predict_seconds > 0).all()
    assert min(found.sizes) > 100
    assert found.sizes[found.names.index("scaled 5-nn")] > found.sizes[-1]


def test_regressors_are_scored_by_r_squared_and_the_mean_is_their_baseline():
    table, target = load_diabetes(return_X_y=True)
    found = compare([LinearRegression(), Ridge(100.0)], table, target)
    assert found.scoring == "R squared"
    assert found.names == ("LinearRegression", "Ridge", "baseline")
    assert abs(found.scores[2].mean()) < 0.1


def test_seeds_make_the_result_repeatable():
    models = [DecisionTreeClassifier(max_features=1), DecisionTreeClassifier(max_features=1)]
    one, two = compare(models, NOISY, Y), compare(models, NOISY, Y)
    assert one.names[0].startswith("DecisionTreeClassifier")
    assert {*one.names} == {"DecisionTreeClassifier", "DecisionTreeClassifier 2", "baseline"}
    np.testing.assert_array_equal(one.scores, two.scores)
    assert models[0].random_state is None
    assert (compare(models, NOISY, Y, random_state=1).scores != one.scores).any()


def test_all_the_tests_give_an_answer():
    small = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    for test in ("corrected_t", "paired_t", "five_by_two_t", "five_by_two_f", "mcnemar"):
        found = compare(small, NOISY, Y, test=test)
        assert found.pair("bayes", "baseline").p_adjusted < 0.05, test
        # five halvings give ten pairs of training and test sets
        assert found.scores.shape[1] == 10


def test_mcnemar_counts_the_rows_predicted_out_of_fold():
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    found = compare({"bayes": GaussianNB()}, NOISY, Y, cv=cv, test="mcnemar")
    predictions = [
        cross_val_predict(model, NOISY, Y, cv=cv) for model in (GaussianNB(), DummyClassifier())
    ]
    assert found.pairs[0].result == mcnemar_test(Y, *predictions)


@pytest.mark.parametrize("scoring", ["f1_macro", make_scorer(recall_score, average="macro")])
def test_any_score_of_scikit_learn(scoring):
    found = compare({"bayes": GaussianNB()}, NOISY, Y, scoring=scoring, cv=3)
    theirs = cross_val_score(GaussianNB(), NOISY, Y, scoring=scoring, cv=3)
    assert found.scores[0] == pytest.approx(theirs)
    assert found.scoring == scoring if isinstance(scoring, str) else "recall" in found.scoring


class Reads(ClassifierMixin, BaseEstimator):
    """Predicts what a column says."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column].astype(int)


def test_mcnemar_over_unequal_folds_may_disagree_with_the_means():
    """One is right in all 4 rows of a fold and 60 of 96; the other in none and in 90."""
    y = np.arange(100) % 2
    table = np.column_stack([y, y])
    table[64:, 0] = 1 - y[64:]
    table[:10, 1] = 1 - y[:10]
    small, large = np.arange(4), np.arange(4, 100)
    found = compare({"small": Reads(0), "large": Reads(1)}, table, y, test="mcnemar",
                    cv=[(large, small), (small, large)], baseline=None)  # fmt: skip
    assert found.names == ("small", "large")
    assert found.scores.tolist() == [[1, 60 / 96], [0, 90 / 96]]
    assert found.pairs[0].result.rejected
    assert "test and means disagree on the better one (mcnemar" in str(found)


@pytest.mark.parametrize("test", ["corrected_t", "mcnemar"])
@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_a_rejection_counts_as_an_error(test, scoring):
    rejecting = gramian.BayesDecision(GaussianNB(), reject=0.1, cv=None)
    found = compare({"all": GaussianNB(), "sure": rejecting}, NOISY, Y, test=test, scoring=scoring)
    assert found.names == ("all", "sure", "baseline")


@pytest.mark.parametrize(
    "convert",
    [sp.csr_array, sp.csc_matrix, lambda A: pl.DataFrame(A, schema=["a", "b", "c", "d"]),
     lambda A: A.tolist(), np.asfortranarray],
    ids=["csr", "csc", "polars", "list", "fortran"],
)  # fmt: skip
def test_tables_in_any_form(convert):
    models = {"tree": DecisionTreeClassifier(max_depth=3)}
    found = compare(models, convert(X), np.array(["a", "b", "c"])[Y])
    np.testing.assert_array_equal(found.scores, compare(models, X, Y).scores)


@pytest.mark.parametrize("make", [pd.Series, pl.Series, list], ids=["pandas", "polars", "list"])
def test_text_rows_are_selected_by_position(make):
    rng = np.random.default_rng(0)
    words = [" ".join(rng.choice(["ash", "birch", "elm", "oak"][c : c + 2], 3)) for c in Y]
    texts = make(words)
    if make is pd.Series:
        texts = texts.set_axis(rng.permutation(150))
    model = {"words": make_pipeline(CountVectorizer(), MultinomialNB())}
    plain = compare(model, np.array(words, dtype=object), Y, cv=3)
    np.testing.assert_array_equal(compare(model, texts, Y, cv=3).scores, plain.scores)
    assert plain.scores[0].mean() > 0.8


def test_frames_keep_their_columns_and_rows_are_taken_by_position():
    frame = load_iris(as_frame=True)
    shuffled = np.random.default_rng(0).permutation(150)

    class Names(DecisionTreeClassifier):
        def fit(self, X, y):
            self.columns_ = list(X.columns)
            return super().fit(X, y)

        def predict(self, X):
            assert list(X.columns) == self.columns_
            return super().predict(X)

    found = compare({"names": Names(max_depth=2)}, frame.data.set_axis(shuffled), frame.target)
    plain = compare({"names": DecisionTreeClassifier(max_depth=2)}, X, Y)
    np.testing.assert_array_equal(found.scores, plain.scores)
    assert np.isnan(found.sizes[0])  # a local class has no pickle


@pytest.mark.slow
def test_processes_give_the_same_answer():
    small = {"bayes": GaussianNB()}
    one, two = compare(small, X, Y, cv=3), compare(small, X, Y, cv=3, n_jobs=2)
    np.testing.assert_array_equal(one.scores, two.scores)


def test_gramians_models_and_own_baselines():
    found = gramian.compare([("ours", gramian.KNeighborsClassifier())], X, Y, baseline=GaussianNB())
    assert set(found.names) == {"ours", "baseline"}
    assert found.baseline == "baseline"


# --- what cannot be compared ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"models": {}}, "models is empty"),
        ({"models": {"a": GaussianNB()}, "baseline": None}, "one model and a baseline"),
        ({"models": [KMeans()]}, "'KMeans' is neither"),
        ({"models": [GaussianNB(), Ridge()]}, "all classifiers or all regressors"),
        ({"models": [("a", GaussianNB()), ("a", GaussianNB())]}, "got 'a' twice"),
        ({"models": {1: GaussianNB(), "1": GaussianNB()}}, "got '1' twice"),
        ({"models": GaussianNB()}, r"got one GaussianNB; use \[model\]"),
        ({"models": make_pipeline(GaussianNB())}, r"got one Pipeline; use \[model\]"),
        ({"models": [GaussianNB]}, "is neither"),
        ({"baseline": Ridge()}, "must be a classifier like the models; got the regressor"),
        ({"baseline": 3}, "baseline must be one of 'dummy', None or a classifier; got 3"),
        ({"scoring": ["f1", "accuracy"]}, "call compare once for each score"),
        ({"test": "mcnemar", "scoring": "f1_macro"}, "compares accuracy only"),
        ({"test": "mcnemar", "scoring": len}, "compares accuracy only"),
        ({"cv": GroupKFold(3)}, r"Pass cv=list\(cv.split\(X, y, groups\)\)"),
        ({"test": "z"}, "test must be one of 'corrected_t'"),
        ({"adjust": "tukey"}, "adjust must be one of 'holm'"),
        ({"alpha": 0}, "alpha must be between 0 and 1"),
        ({"rope": -1.0}, "rope must be a finite number >= 0"),
        ({"baseline": "mean"}, "baseline must be one of 'dummy'"),
        ({"y": np.zeros(150)}, "only one class"),
        ({"y": np.r_[[5] * 3, Y[3:]]}, "class 5 has 3 rows, fewer than the 5 folds"),
        ({"y": X[:, 0]}, "classifiers need one class for each row, or .*; y is 'continuous'"),
        ({"cv": KFold(3)}, "split 0 has no training rows of class 0; use a stratified cv"),
        ({"cv": [(np.arange(100), np.arange(100, 150))]}, "at least two splits; got 1"),
        ({"test": "five_by_two_t", "cv": 5}, "needs five halvings"),
        ({"test": "five_by_two_f", "cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=2)},
         "RepeatedStratifiedKFold"),
        ({"test": "mcnemar", "cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=2)},
         "every row tested at most once"),
    ],
)  # fmt: skip
def test_invalid_comparisons_raise_with_advice(changed, message):
    arguments = {"models": {"bayes": GaussianNB()}, "y": Y} | changed
    with pytest.raises((DataError, ParameterError), match=message):
        compare(arguments.pop("models"), X, arguments.pop("y"), **arguments)


def test_regression_has_no_misclassified_rows_and_needs_rows():
    with pytest.raises(ParameterError, match="needs classifiers"):
        compare([Ridge()], X, X[:, 0], test="mcnemar")
    with pytest.raises(DataError, match="6 rows are too few for 5 folds"):
        compare([Ridge()], X[:6], X[:6, 0])


def test_one_class_in_a_test_fold_is_named():
    y = (Y == 0).astype(int)
    splits = [(np.r_[0:100], np.r_[100:150]), (np.r_[25:150], np.r_[0:25])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns that the area is undefined
        with pytest.raises(DataError, match="score of 'bayes' on split 0 is nan"):
            compare({"bayes": GaussianNB()}, X, y, cv=splits, scoring="roc_auc")


class Broken(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no")


def test_a_model_that_fails_is_named():
    with pytest.raises(RuntimeError, match="no") as caught:
        compare({"broken": Broken()}, X, Y)
    assert caught.value.__notes__ == ["compare: this was model 'broken' on split 0."]


def test_splits_in_time_and_by_groups():
    table, target = load_diabetes(return_X_y=True)
    found = compare([Ridge()], table, target, cv=TimeSeriesSplit(4))
    assert found.scores.shape == (2, 4)
    groups = np.arange(len(target)) % 7
    splits = list(GroupKFold(7).split(table, target, groups))
    assert compare([Ridge()], table, target, cv=splits).scores.shape == (2, 7)


@pytest.mark.slow
def test_ctrl_c_ends_a_long_comparison():
    code = """
import time
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from gramian import compare

class Slow(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        print("fitting", flush=True)
        time.sleep(10_000)

compare({"slow": Slow()}, *load_iris(return_X_y=True))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline().strip() == b"fitting"
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=600)  # far below the sleep
    assert b"KeyboardInterrupt" in errors
