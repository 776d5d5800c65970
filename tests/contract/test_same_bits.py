"""The answer is the same for any number of threads."""

import numpy as np
import pytest
from sklearn.base import clone

import gramian
from tests.contract.estimators import (
    assert_same_outputs,
    every,
    first_of_each,
    outputs,
    quick,
    table,
)

# Where every row meets every other, or work grows faster than the rows, fewer are several blocks.
ROWS = {
    "ClassicalMDS": 1500,
    "DecisionTreeRegressor": 3000,
    "Isomap": 400,
    "KernelLogisticRegression": 600,
    "KernelPCA": 600,
    "KernelPerceptron": 600,
    "KernelRidge": 600,
    "KernelRidgeCV": 600,
    "LinearProgramClassifier": 1500,
    "LogisticRegression": 3000,
    "MDS": 300,
    "MixedNB": 1500,
    "ModelTreeRegressor": 3000,
    "ObliqueTreeRegressor": 1500,
    "RadiusNeighborsClassifier": 3000,
    "SmoothingSpline": 1500,
    "SpectralClustering": 1000,
    "SpectralEmbedding": 1000,
    "VotedPerceptron": 1500,
}


def assert_same_for_any_threads(model, dtype):
    # Enough rows for several blocks, so that more than one thread has work; a few iterations show
    # it as well as many.
    pairwise = model.__sklearn_tags__().input_tags.pairwise
    X, y = table(model, n=600 if pairwise else ROWS.get(type(model).__name__, 6000), dtype=dtype)
    answers = {}
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        answers[threads] = outputs(quick(model, iterations=5).fit(X, y), X)
    assert_same_outputs(answers[1], answers[2])
    assert_same_outputs(answers[1], answers[3])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", every())
def test_one_two_and_three_threads_give_the_same_bits(model):
    assert_same_for_any_threads(model, np.float64)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", first_of_each())
def test_single_precision_has_the_same_bits_for_any_threads_too(model):
    assert_same_for_any_threads(model, np.float32)


@pytest.mark.parametrize("model", [m for m in every() if "n_jobs" in m.values[0].get_params()])
def test_n_jobs_does_not_change_the_answer(model):
    X, y = table(model)
    one = outputs(clone(model).set_params(n_jobs=1).fit(X, y), X)
    three = outputs(clone(model).set_params(n_jobs=3).fit(X, y), X)
    assert_same_outputs(one, three)


@pytest.mark.parametrize("model", every())
def test_fitting_twice_gives_the_same_bits(model):
    X, y = table(model)
    assert_same_outputs(outputs(clone(model).fit(X, y), X), outputs(clone(model).fit(X, y), X))
