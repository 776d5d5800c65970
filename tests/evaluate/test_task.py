"""The task follows from the target."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_iris

from gramian.evaluate import describe_task


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


def test_models_that_keep_their_rows_are_told_apart():
    task = describe_task(["a", "b"])
    assert "KNeighborsClassifier" in task.nonparametric
    assert "LogisticRegression" in task.parametric
    assert not set(task.parametric) & set(task.nonparametric)
    assert "KMeans" in describe_task().parametric
