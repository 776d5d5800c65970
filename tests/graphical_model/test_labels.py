"""Labels keep their types, and invalid numbers are refused."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.graphical_model import BayesianNetwork, DirectedGraph, MarkovChain
from gramian.graphical_model.labels import (
    check_labels_present,
    check_nonnegative_integer,
    check_pseudo_count,
    python_labels,
    sorted_labels,
)

PARENTS = {"rain": [], "wet": ["rain"]}
DATA = {"rain": ["no", 1, "no"], "wet": [0, 1, 1]}


def test_labels_become_python_values_of_the_same_type():
    labels = python_labels([np.int64(1), np.str_("a"), 2.5])
    assert labels == [1, "a", 2.5]
    assert [type(label) for label in labels] == [int, str, float]
    network = BayesianNetwork.fit(PARENTS, DATA, values={"rain": ["no", 1]})
    assert network.values["rain"] == ["no", 1]
    chain = MarkovChain.fit([[1, "a", 1]], states=[1, "a"])
    assert chain.forecast(1).tolist() == [0.0, 1.0]


def test_labels_that_cannot_be_sorted_must_be_listed():
    assert sorted_labels("X", "y", "z", [3, 1, 3]) == [1, 3]
    with pytest.raises(DataError, match=r"column 'rain' has labels of the types int, str.*values"):
        BayesianNetwork.fit(PARENTS, DATA)
    with pytest.raises(
        DataError, match=r"types int, str, which cannot be sorted; list them in states"
    ):
        MarkovChain.fit([[1, "a"]])


@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_labels_are_refused(missing):
    with pytest.raises(DataError, match="a sequence has missing values"):
        MarkovChain.fit([["a", missing]])
    with pytest.raises(DataError, match="here has missing values"):
        check_labels_present("X", "here", [missing])


@pytest.mark.parametrize("wrong", [-1, 1.5, "two"])
def test_draws_and_steps_are_integers(wrong):
    assert check_nonnegative_integer("X", "steps", np.int32(3)) == 3
    chain = MarkovChain([[0.9, 0.1], [0.5, 0.5]])
    network = BayesianNetwork({"a": []}, {"a": [1.0]})
    for call in (
        lambda: chain.forecast(0, wrong),
        lambda: chain.sample(wrong),
        lambda: network.sample(wrong),
    ):
        with pytest.raises(ParameterError, match="must be an integer >= 0"):
            call()


@pytest.mark.parametrize("wrong", [-1.0, np.inf, "one", None])
def test_pseudo_counts_are_numbers_from_0(wrong):
    assert check_pseudo_count("X", 2) == 2.0
    with pytest.raises(ParameterError, match="pseudo_count must be a number >= 0"):
        MarkovChain.fit([["a"]], pseudo_count=wrong)
    with pytest.raises(ParameterError, match="pseudo_count must be a number >= 0"):
        BayesianNetwork.fit({"a": []}, {"a": [0]}, pseudo_count=wrong)


def test_errors_name_the_invalid_part_of_a_network():
    with pytest.raises(DataError, match=r"parents of 'wet' must be a list.*Write \['rain'\]"):
        DirectedGraph({"rain": [], "wet": "rain"})
    with pytest.raises(ParameterError, match="values contains 'rian', which is not a node"):
        BayesianNetwork.fit(PARENTS, DATA, values={"rian": ["no", 1]})
    with pytest.raises(ParameterError, match="table of 'a' must be a numeric array"):
        BayesianNetwork({"a": []}, {"a": [[0.5, 0.5], [1.0]]})
    with pytest.raises(ParameterError, match=r"probabilities >= 0; got -0.5"):
        MarkovChain([[1.5, -0.5], [0.5, 0.5]])


def test_sequences_may_come_from_a_generator():
    chain = MarkovChain.fit(iter(path) for path in (["a", "b"], ["b", "a"]))
    assert chain.transitions.tolist() == [[0.0, 1.0], [1.0, 0.0]]
