"""compare: every promise of its table, its sentences and its errors."""

import os
import re
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
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import (
    compare,
    corrected_t_interval,
    corrected_t_test,
    mcnemar_test,
    wilson_interval,
)

X, Y = load_iris(return_X_y=True)
NOISY = X + np.random.default_rng(0).normal(size=X.shape)
MODELS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1),
    "scaled 5-nn": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
}


@pytest.fixture(scope="module")
def found():
    return compare(MODELS, NOISY, Y)


def test_scores_are_those_of_scikit_learn_on_the_same_splits(found):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    for name in ("bayes", "scaled 5-nn"):
        theirs = cross_val_score(MODELS[name], NOISY, Y, cv=cv)
        assert found.scores[found.names.index(name)] == pytest.approx(theirs)


def test_the_best_comes_first_and_ranks_follow(found):
    means = found.scores.mean(axis=1)
    assert (np.diff(means) <= 0).all()
    assert found.best == found.names[0]
    assert found.names[-1] == "baseline"
    assert found.mean_ranks.sum() == pytest.approx(4 * 5 / 2)
    assert found.mean_ranks[-1] == 4


def test_pairs_are_the_corrected_test_adjusted_by_holm(found):
    first, second = found.scores[0], found.scores[2]
    pair = found.pair(found.names[0], found.names[2])
    expected = corrected_t_test(first, second, test_over_train=1 / 4)
    assert pair.result == expected
    assert len(found.pairs) == 6
    assert pair.p_adjusted >= expected.p_value
    assert found.pair(found.names[2], found.names[0]) is pair
    interval = corrected_t_interval(first, test_over_train=1 / 4)
    assert found.intervals[0].low == pytest.approx(interval.low)
    with pytest.raises(KeyError, match="the models are"):
        found.pair("bayes", "forest")


def test_groups_hold_pairs_that_no_test_separates(found):
    for group in found.groups:
        for first in group:
            for second in group:
                if first != second:
                    assert found.pair(first, second).p_adjusted > 0.05
    assert {name for group in found.groups for name in group} == set(found.names)
    assert ("baseline",) in found.groups


def test_times_and_sizes_are_measured(found):
    assert (found.fit_seconds > 0).all()
    assert (found.predict_seconds > 0).all()
    assert min(found.sizes) > 100
    assert found.sizes[found.names.index("scaled 5-nn")] > found.sizes[-1]


def test_the_tables(found):
    table = found.table()
    assert table["model"].tolist() == list(found.names)
    assert (table["low"] <= table["score"]).all()
    assert (table["score"] <= table["high"]).all()
    assert table["high"].max() <= 1
    assert table["p_best"][0] == 1
    assert set("".join(table["groups"])) == set("abcdef"[: len(found.groups)])
    pairs = found.pair_table()
    assert len(pairs) == 6
    assert pairs[["better", "same", "worse"]].sum(axis=1).tolist() == pytest.approx([1] * 6)


def test_without_pandas_the_table_is_a_dict_of_columns(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = found.table()
    assert isinstance(table, dict)
    assert pl.DataFrame(table).shape == (4, 11)


def test_it_reads_as_sentences(found):
    lines = str(found).splitlines()
    assert lines[0] == "4 models, 150 rows, 10 splits, scored by accuracy."
    assert lines[1].startswith(f"Highest mean: {found.best}, 0.")
    assert lines[-1] == "All are significantly better than the baseline (0.3333)."
    assert any(line.startswith("Significantly worse than it (corrected t") for line in lines)


def test_the_figure_has_a_bar_for_each_group_of_two_or_more(found):
    ax = found.plot()
    bars = [line for line in ax.lines if line.get_linewidth() == 3]
    assert len(bars) == sum(len(group) > 1 for group in found.groups)
    assert ax.get_xlabel() == "mean accuracy"
    import matplotlib.pyplot as plt

    plt.close(ax.figure)


def test_regressors_are_scored_by_r_squared_and_the_mean_is_their_baseline():
    table, target = load_diabetes(return_X_y=True)
    found = compare([LinearRegression(), Ridge(100.0)], table, target)
    assert found.scoring == "R squared"
    assert found.names == ("LinearRegression", "Ridge", "baseline")
    assert abs(found.scores[2].mean()) < 0.1


def test_seeds_make_the_answer_repeat():
    models = [DecisionTreeClassifier(max_features=1), DecisionTreeClassifier(max_features=1)]
    one, two = compare(models, NOISY, Y), compare(models, NOISY, Y)
    assert one.names[0].startswith("DecisionTreeClassifier")
    assert {*one.names} == {"DecisionTreeClassifier", "DecisionTreeClassifier 2", "baseline"}
    np.testing.assert_array_equal(one.scores, two.scores)
    assert models[0].random_state is None
    assert (compare(models, NOISY, Y, random_state=1).scores != one.scores).any()


def test_identical_models_cannot_be_told_apart():
    found = compare({"a": GaussianNB(), "b": GaussianNB()}, X, Y)
    pair = found.pair("a", "b")
    assert (pair.p_adjusted, pair.posterior.same) == (1, 1)
    assert ("a", "b") in found.groups
    assert "Practically the same, within 0.01: b." in str(found)


def test_constant_scores_are_no_trouble():
    found = compare({"a": DummyClassifier(), "b": DummyClassifier()}, X, Y, baseline=None)
    assert found.pairs[0].p_adjusted == 1
    right = wilson_interval(50, 150)  # one in three rows is right in every split
    assert (found.intervals[0].low, found.intervals[0].high) == (right.low, right.high)
    found = compare({"a": DummyClassifier()}, X, Y)
    assert str(found).endswith("a is not significantly better than the baseline (0.3333).")


def test_perfect_scores_do_not_promise_perfection():
    table, y = np.arange(30.0)[:, None], np.repeat([0, 1], 15)
    gap = np.where(y == 1, 1000.0, 0.0)[:, None] + table
    for scoring in (None, "accuracy"):
        found = compare({"stump": DecisionTreeClassifier()}, gap, y, scoring=scoring)
        assert (found.intervals[0].estimate, found.intervals[0].high) == (1, 1)
        assert found.intervals[0].low == pytest.approx(wilson_interval(30, 30).low)
        assert "(95 % interval 0.8865 to 1)" in str(found)
    found = compare({"stump": DecisionTreeClassifier()}, gap, y, scoring="f1")
    assert np.isnan([found.intervals[0].low, found.intervals[0].high]).all()
    assert "no interval, since all splits have the same score" in str(found)


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
    said = [
        cross_val_predict(model, NOISY, Y, cv=cv) for model in (GaussianNB(), DummyClassifier())
    ]
    assert found.pairs[0].result == mcnemar_test(Y, *said)


@pytest.mark.parametrize("scoring", ["f1_macro", make_scorer(recall_score, average="macro")])
def test_any_score_of_scikit_learn(scoring):
    found = compare({"bayes": GaussianNB()}, NOISY, Y, scoring=scoring, cv=3)
    theirs = cross_val_score(GaussianNB(), NOISY, Y, scoring=scoring, cv=3)
    assert found.scores[0] == pytest.approx(theirs)
    assert found.scoring == scoring if isinstance(scoring, str) else "recall" in found.scoring


def test_errors_as_scores_end_at_zero():
    table, target = load_diabetes(return_X_y=True)
    found = compare([Ridge()], table, target, scoring="neg_mean_squared_error", rope=100.0)
    assert found.intervals[0].high <= 0
    assert found.scoring == "neg_mean_squared_error"


def test_a_score_of_ones_own_is_not_cut_by_its_name():
    def accuracy_gain(model, X, y):
        return 1000 * model.score(X, y)

    found = compare({"bayes": GaussianNB()}, NOISY, Y, scoring=accuracy_gain)
    plain = compare({"bayes": GaussianNB()}, NOISY, Y)
    assert found.scoring == "accuracy_gain"
    assert found.intervals[0].high == pytest.approx(1000 * plain.intervals[0].high)


class Halves:
    """Scores that depend only on the model and the number of the split."""

    def __init__(self):
        first = [np.random.default_rng(i).permutation(20) for i in range(5)]
        halves = [(np.sort(rows[:10]), np.sort(rows[10:])) for rows in first]
        self.splits = [pair for a, b in halves for pair in ((a, b), (b, a))]
        self.number = {tuple(test): i for i, (_, test) in enumerate(self.splits)}
        self.table, self.y = np.arange(20.0)[:, None], np.arange(20.0)

    def __call__(self, model, X, y):
        if model.alpha == 2:
            return 0.0
        return -1.0 if self.number[tuple(X[:, 0].astype(int))] == 0 else 0.2


def test_worse_is_said_only_where_test_and_means_agree():
    """The first difference is -1, significantly below 0; the mean of all ten is 0.08."""
    case = Halves()
    models = {"higher mean": Ridge(alpha=1), "won the first": Ridge(alpha=2)}
    found = compare(models, case.table, case.y, cv=case.splits, scoring=case, baseline=None,
                    test="five_by_two_t")  # fmt: skip
    assert found.best == "higher mean"
    assert found.pairs[0].p_adjusted < 0.05
    assert not found.pairs[0].agrees
    assert "worse than it" not in str(found)
    assert "test and means disagree on the better one" in str(found)
    found = compare({"a": Ridge(alpha=1)}, case.table, case.y, cv=case.splits, scoring=case,
                    baseline=Ridge(alpha=2), test="five_by_two_t")  # fmt: skip
    assert "a is not significantly better than the baseline" in str(found)


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


def test_every_model_is_named_once():
    """Beside the best: one the same, one as good within noise, one surely worse."""
    found = compare({"a": GaussianNB(), "b": GaussianNB(), **MODELS}, NOISY, Y)
    lines = str(found).splitlines()[2:-1]
    named = [re.split(", | and ", line.rstrip(".").split(": ")[1]) for line in lines]
    assert named == [["b", "bayes"], ["scaled 5-nn", "stump"], ["baseline"]]
    assert lines[0].startswith("Practically the same, within 0.01: ")
    assert lines[1].startswith("Not significantly different from it")
    assert lines[2].startswith("Significantly worse than it (")


def test_a_significant_trifle_is_worse_but_practically_the_same():
    case = Halves()
    models = {"a": Ridge(alpha=1), "b": Ridge(alpha=2)}

    def trifle(model, X, y):
        return 0.5 - 0.001 * model.alpha

    found = compare(models, case.table, case.y, cv=case.splits, scoring=trifle, baseline=None)
    assert str(found).splitlines()[2:] == [
        (
            "Significantly worse than it, but practically the same, within 0.01 (corrected t, "
            "holm, level 0.05): b."
        )
    ]


@pytest.mark.parametrize("test", ["corrected_t", "mcnemar"])
@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_a_refusal_is_a_wrong_answer(test, scoring):
    refusing = gramian.BayesDecision(GaussianNB(), reject=0.1, cv=None)
    found = compare({"all": GaussianNB(), "sure": refusing}, NOISY, Y, test=test, scoring=scoring)
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
def test_texts_go_by_place(make):
    rng = np.random.default_rng(0)
    words = [" ".join(rng.choice(["ash", "birch", "elm", "oak"][c : c + 2], 3)) for c in Y]
    texts = make(words)
    if make is pd.Series:
        texts = texts.set_axis(rng.permutation(150))
    model = {"words": make_pipeline(CountVectorizer(), MultinomialNB())}
    plain = compare(model, np.array(words, dtype=object), Y, cv=3)
    np.testing.assert_array_equal(compare(model, texts, Y, cv=3).scores, plain.scores)
    assert plain.scores[0].mean() > 0.8


def test_frames_keep_their_columns_and_rows_go_by_place():
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
        ({"y": X[:, 0]}, "classifiers need one class for each row; y is 'continuous'"),
        ({"cv": KFold(3)}, "split 0 has no training rows of class 0; use a stratified cv"),
        ({"cv": [(np.arange(100), np.arange(100, 150))]}, "at least two splits; got 1"),
        ({"test": "five_by_two_t", "cv": 5}, "needs five halvings"),
        ({"test": "five_by_two_f", "cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=2)},
         "RepeatedStratifiedKFold"),
        ({"test": "mcnemar", "cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=2)},
         "every row tested at most once"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_says_what_to_do(changed, message):
    given = {"models": {"bayes": GaussianNB()}, "y": Y} | changed
    with pytest.raises((DataError, ParameterError), match=message):
        compare(given.pop("models"), X, given.pop("y"), **given)


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
