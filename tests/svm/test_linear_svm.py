"""The parameters that linear support vector machines share with scikit-learn's."""

import pytest
import sklearn.svm

import gramian
from gramian.base.errors import ParameterError
from gramian.svm.linear_svm import LinearSVM

X, Y = [[0.0], [1.0], [2.0]], [0, 1, 1]


@pytest.mark.parametrize("name", ["LinearSVC", "LinearSVR"])
def test_parameters_and_their_order_match_scikit_learn(name):
    ours, theirs = getattr(gramian, name)(), getattr(sklearn.svm, name)()
    assert isinstance(ours, LinearSVM)
    found = ours.get_params()
    differing = {key for key, value in theirs.get_params().items() if found[key] != value}
    assert differing <= {"dual"}  # "auto" where scikit-learn's default is True


@pytest.mark.parametrize("make", [gramian.LinearSVC, gramian.LinearSVR])
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"C": 0.0}, "C must be a number > 0; got 0"),
        ({"tol": -1.0}, "tol must be a number >= 0"),
        ({"max_iter": 0}, "max_iter must be an integer >= 1"),
        ({"intercept_scaling": 0}, "intercept_scaling must be a number > 0"),
    ],
)
def test_values_out_of_range_are_refused(make, settings, words):
    with pytest.raises(ParameterError, match=words):
        make(**settings).fit(X, Y)


@pytest.mark.parametrize("make", [gramian.LinearSVC, gramian.LinearSVR])
def test_a_larger_constant_column_leaves_the_bias_freer(make):
    """The bias is penalised as the weight of that column."""
    small, large = (
        make(intercept_scaling=s, tol=1e-8, max_iter=100_000).fit([[0.0], [1.0]], [5, 6])
        for s in (0.1, 10.0)
    )
    assert abs(large.intercept_[0]) > abs(small.intercept_[0])
