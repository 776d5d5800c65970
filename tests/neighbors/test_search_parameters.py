"""All exact neighbour estimators have scikit-learn's parameters of the search."""

import inspect

import pytest
import sklearn.neighbors as theirs

import gramian.neighbors as ours
from gramian.neighbors.search_parameters import SearchParameters

SEARCH = ["algorithm", "leaf_size", "p", "metric", "metric_params", "n_jobs"]


@pytest.mark.parametrize(
    "name",
    [
        "KNeighborsClassifier",
        "KNeighborsRegressor",
        "NearestNeighbors",
        "RadiusNeighborsClassifier",
        "RadiusNeighborsRegressor",
    ],
)
def test_defaults_of_the_search_are_scikit_learns(name):
    model, peer = getattr(ours, name)(), getattr(theirs, name)()
    assert isinstance(model, SearchParameters)
    for parameter in SEARCH:
        assert getattr(model, parameter) == getattr(peer, parameter)
    order = [p for p in inspect.signature(type(model)).parameters if p in SEARCH]
    assert order == [p for p in inspect.signature(type(peer)).parameters if p in SEARCH]


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("algorithm", "tree"), ("leaf_size", 0), ("p", 0), ("metric", 3), ("n_jobs", 1.5)],
)
def test_values_out_of_range_are_refused(parameter, value, X):
    with pytest.raises(ValueError, match=f"NearestNeighbors: {parameter} must be"):
        ours.NearestNeighbors(**{parameter: value}).fit(X)
