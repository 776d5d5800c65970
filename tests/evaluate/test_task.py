"""The task follows from the target."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_iris

from gramian import (
    BaggingClassifier,
    BaggingRegressor,
    LogisticRegression,
    PairwiseClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from gramian.base.errors import DataError
from gramian.evaluate import describe_task
from gramian.evaluate.task import family_of, has_posteriors


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (None, "clustering or dimension reduction"),
        (["a", "b", "a"], "classification"),
        ([True, False, True], "classification"),
        (load_iris().target, "classification"),
        (load_digits().target, "classification"),
        (load_diabetes().target, "regression"),
        (np.arange(50), "regression"),
        (np.linspace(0, 1, 9), "regression"),
        (np.array([[1, 0, 1], [0, 1, 1]]), "classification"),
    ],
    ids=["none", "text", "flags", "iris", "digits", "diabetes", "counts", "reals", "labels"],
)
def test_the_kind_of_task_follows_from_the_target(y, kind):
    task = describe_task(y)
    assert task.kind == kind
    assert str(task).startswith(kind)
    assert task.parametric


def test_nonparametric_models_are_listed_separately():
    task = describe_task(["a", "b"])
    assert "KNeighborsClassifier" in task.nonparametric
    assert "LogisticRegression" in task.parametric
    assert not set(task.parametric) & set(task.nonparametric)
    assert "KMeans" in describe_task().parametric


@pytest.mark.parametrize(
    ("y", "growing", "fixed"),
    [
        (
            ["a", "b", "a"],
            {"DecisionTreeClassifier", "RandomForestClassifier", "HistGradientBoostingClassifier",
             "GradientBoostingClassifier", "BaggingClassifier", "AdaBoostClassifier",
             "C45Classifier", "ObliqueTreeClassifier", "VotedPerceptron"},
            {"LinearSVC", "NearestCentroid", "DecisionStump", "PairwiseClassifier"},
        ),
        (
            [0.1, 0.2, 0.3],
            {"DecisionTreeRegressor", "ExtraTreesRegressor", "HistGradientBoostingRegressor",
             "ModelTreeRegressor", "AdaBoostRegressor", "KNeighborsRegressor"},
            {"Ridge", "Lasso", "HuberRegressor", "PoissonRegressor"},
        ),
    ],
    ids=["classes", "numbers"],
)  # fmt: skip
def test_trees_and_ensembles_are_nonparametric(y, growing, fixed):
    task = describe_task(y)
    assert growing <= set(task.nonparametric)
    assert fixed <= set(task.parametric)


def test_wrappers_without_a_default_are_as_their_members():
    task = describe_task(["a", "b", "a"])
    assert set(task.as_members) == {
        "BayesDecision",
        "CascadeClassifier",
        "OneVsOneClassifier",
        "OneVsRestClassifier",
        "VotingClassifier",
    }


def test_classes_declare_whether_they_are_parametric():
    assert RandomForestClassifier.parametric is False
    assert LogisticRegression.parametric is True
    for wraps in (VotingClassifier, BaggingRegressor, PairwiseClassifier):
        assert wraps.parametric is None


def test_without_a_target_no_supervised_model_is_listed():
    task = describe_task()
    offered = {*task.parametric, *task.nonparametric, *task.as_members}
    assert "QuadricFeatures" in offered
    assert not {"StepwiseSelector", "BestSubsetSelector"} & offered


@pytest.mark.parametrize("y", [[], [[]], np.zeros((0, 2)), 3.0])
def test_a_target_without_rows_is_refused(y):
    with pytest.raises(DataError, match=r"describe_task: y must contain one target .* Give None"):
        describe_task(y)


@pytest.mark.parametrize("y", [[1.0, None], ["ash", None], [[1, 2], [None, 3]]])
def test_a_missing_target_is_refused_with_its_row(y):
    with pytest.raises(DataError, match="got None at row 1"):
        describe_task(y)


def test_classifiers_are_listed_by_how_they_are_built():
    task = describe_task(["ash", "birch", "ash"])
    assert "NearestCentroid" in task.generative
    assert {"LogisticRegression", "KNeighborsClassifier"} <= set(task.discriminative)
    assert {"Perceptron", "LinearSVC", "RidgeClassifier", "PairwiseClassifier"} <= set(
        task.boundary
    )
    wraps = {"VotingClassifier", "BayesDecision", "OneVsRestClassifier"}
    for family in (task.generative, task.discriminative, task.boundary):
        assert not wraps & set(family)
    assert set(task.generative + task.discriminative) <= set(task.with_posteriors)
    assert not {"Perceptron", "LinearSVC", "RidgeClassifier"} & set(task.with_posteriors)
    assert describe_task([0.1, 0.7, 0.9]).generative == ()


def test_wrappers_have_the_family_of_their_members():
    assert family_of(BaggingClassifier) == "discriminative"  # trees
    assert family_of(VotingClassifier) is None
    assert has_posteriors(BaggingClassifier)
