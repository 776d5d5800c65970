"""Growth of oblique trees."""

from typing import ClassVar

import numpy as np
import pytest
import threadpoolctl
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression

import gramian
from gramian.tree import (
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)


@pytest.mark.parametrize("split", ["ridge", "random"])
def test_a_limit_on_the_columns_of_a_split_holds(split):
    X, y = load_breast_cancer(return_X_y=True)
    model = ObliqueTreeClassifier(
        split=split, max_split_features=2, max_depth=2, random_state=0
    ).fit(X, y)
    assert ((model.directions_ != 0).sum(axis=1) <= 2).all()
    assert model.score(X, y) > 0.9


def test_forward_selection_finds_the_two_informative_columns(rng):
    X = rng.normal(size=(300, 8))
    y = X[:, 2] - X[:, 5] > 0
    model = ObliqueTreeClassifier(split="ridge", max_split_features=2, max_depth=1).fit(X, y)
    assert set(np.flatnonzero(model.directions_[0])) == {2, 5}


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.ones((4, 2)), [0, 0, 1, 1]),
        (np.array([[1.0, 2.0]]), [3]),
        (np.arange(8.0).reshape(4, 2), [1, 1, 1, 1]),
    ],
)
def test_constant_data_gives_one_leaf(X, y):
    assert ObliqueTreeClassifier().fit(X, y).get_n_leaves() == 1
    assert ObliqueTreeRegressor().fit(X, np.array(y, dtype=float)).get_n_leaves() == 1


@pytest.mark.slow
def test_equal_rows_stay_together(rng):
    """Their projections may differ in the last bit."""
    X = np.repeat(rng.normal(size=(40, 7)), 5, axis=0)
    y = rng.integers(0, 2, 200)
    model = ObliqueTreeClassifier().fit(X, y)
    leaves = model.apply(X).reshape(40, 5)
    assert (leaves == leaves[:, :1]).all()
    assert model.tree_.samples[model.tree_.n_children == 0].min() >= 5
    counts = np.bincount(model.apply(X), minlength=model.tree_.node_count)
    inside = model.tree_.n_children == 0
    assert_array_equal(counts[inside], model.tree_.samples[inside])


class CountingRegression(LinearRegression):
    """Notes how many threads BLAS has during each fit."""

    seen: ClassVar[list[int]] = []

    def fit(self, X, y, sample_weight=None):
        blas = threadpoolctl.ThreadpoolController().select(user_api="blas")
        self.seen.extend(library["num_threads"] for library in blas.info())
        return super().fit(X, y, sample_weight)


def test_nodes_use_one_thread_of_blas(rng):
    """On busy processors a small factorisation by several threads waits seconds for all of them."""
    X = rng.normal(size=(60, 3))
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        ObliqueTreeRegressor(split=CountingRegression(), max_depth=2).fit(X, X @ [1.0, 2.0, 3.0])
        after = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    assert set(CountingRegression.seen) == {1}
    assert {library["num_threads"] for library in after} == {2}


def test_equal_means_give_no_direction_and_a_leaf():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), [0.0, 1.0, 0.0, 1.0]
    model = gramian.ObliqueTreeRegressor(split="centroid", axis_parallel=False, max_depth=3)
    assert model.fit(X, y).get_n_leaves() == 1
    assert model.predict(X).tolist() == [0.5] * 4


@pytest.mark.parametrize("axis_parallel", [False, True])
def test_columns_too_small_for_a_coefficient_give_no_direction(axis_parallel):
    X = np.arange(1.0, 9.0)[:, None] * 1e-320
    model = gramian.ObliqueTreeRegressor(axis_parallel=axis_parallel).fit(X, np.arange(8.0))
    assert np.isfinite(model.predict(X)).all()
    assert (model.get_n_leaves() > 1) == axis_parallel
