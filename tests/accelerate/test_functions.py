"""Functions call ours first."""

import pickle

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.neighbors
from numpy.testing import assert_allclose

import gramian
from gramian.accelerate import functions
from gramian.accelerate.shared import Pair


def test_gramians_function_is_called(accelerated, table):
    X, _ = table
    graph = sklearn.neighbors.kneighbors_graph(X, 3)
    assert_allclose(graph.sum(axis=1), 3)
    assert [row.where for row in gramian.accelerate.report()] == ["gramian"]


def test_scikit_learns_function_is_the_fallback(accelerated):
    with pytest.raises(ValueError, match="n_neighbors"):
        sklearn.neighbors.kneighbors_graph(np.zeros((3, 1)), -3)

    def odd(a, b):
        return float(np.abs(a - b).max())

    X = np.arange(6.0)[:, None]
    graph = sklearn.neighbors.kneighbors_graph(X, 2, metric=odd)
    assert graph.shape == (6, 6)


def test_a_function_can_be_pickled(accelerated):
    path = sklearn.linear_model.lasso_path
    assert pickle.loads(pickle.dumps(path)) is path


def test_unshared_names_do_not_exist():
    with pytest.raises(AttributeError, match="orthogonal_mp"):
        functions.orthogonal_mp  # noqa: B018


def theirs(model):
    raise AssertionError


def ours(model):
    return type(model)


def test_our_function_gets_our_view_of_a_model_also_by_name(accelerated, table):
    model = sklearn.linear_model.Ridge().fit(*table)
    function = functions.replaced_function(Pair(theirs, f"{__name__}.ours"))
    assert function(model) is function(model=model) is gramian.Ridge
