"""The parameters of logistic regression and of its cross-validation."""

import pytest
import sklearn.linear_model

import gramian
from gramian.base.errors import ParameterError
from gramian.linear_model.glm.logistic_base import LogisticBase

NAMES = ["LogisticRegression", "LogisticRegressionCV"]
CHANGED = {"solver", "penalty", "n_jobs", "scoring", "use_legacy_attributes", "l1_ratios", "cv"}


@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_defaults_are_those_of_scikit_learn(name):
    ours, theirs = getattr(gramian, name)(), getattr(sklearn.linear_model, name)()
    assert isinstance(ours, LogisticBase)
    found = ours.get_params()
    for key, value in theirs.get_params().items():
        if key not in CHANGED:
            assert found[key] == value, key


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"tol": -1.0}, "tol must be a number >= 0; got -1"),
        ({"max_iter": 0}, "max_iter must be an integer >= 1; got 0"),
        ({"solver": "adam"}, "solver must be one of 'auto', 'lbfgs'"),
        ({"class_weight": "even"}, "class_weight must be"),
    ],
)
def test_values_out_of_range_are_refused(name, settings, words):
    with pytest.raises(ParameterError, match=f"{name}: {words}"):
        getattr(gramian, name)(**settings).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_are_ignored_change_nothing(name):
    X, y = [[0.0], [1.0], [2.0], [0.5], [1.5], [3.0]], [0, 1, 1, 0, 1, 0]
    folds = {"cv": 2} if name.endswith("CV") else {}
    plain = getattr(gramian, name)(**folds).fit(X, y)
    ignored = {"dual": True, "intercept_scaling": 7.0, "verbose": 1}
    same = getattr(gramian, name)(**folds, **ignored).fit(X, y)
    assert same.coef_.tolist() == plain.coef_.tolist()
