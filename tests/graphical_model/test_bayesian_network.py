"""Bayesian networks: joint, queries against enumeration, learning, sampling."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import gramian
from gramian.graphical_model import BayesianNetwork

PARENTS = {"wet": ["rain", "sprinkler"], "rain": [], "sprinkler": ["rain"], "slip": ["wet"]}


@pytest.fixture
def network(rng):
    def table(*shape):
        t = rng.random(shape)
        return t / t.sum(axis=-1, keepdims=True)

    tables = {
        "rain": table(3),
        "sprinkler": table(3, 2),
        "wet": table(3, 2, 2),
        "slip": table(2, 2),
    }
    values = {"rain": ["none", "some", "much"], "slip": [False, True]}
    return BayesianNetwork(PARENTS, tables, values)


def enumerated(network):
    """All assignments with their joint probabilities."""
    names = list(network.graph.nodes)
    for combination in product(*(network.values[v] for v in names)):
        assignment = dict(zip(names, combination, strict=True))
        yield assignment, np.exp(network.log_joint(assignment))


def test_the_joint_is_the_product_of_the_tables_and_sums_to_one(network):
    first, p = next(iter(enumerated(network)))
    t = network.tables
    expected = t["rain"][0] * t["sprinkler"][0, 0] * t["wet"][0, 0, 0] * t["slip"][0, 0]
    assert set(first) == set(PARENTS)
    assert p == pytest.approx(expected)
    assert sum(p for _, p in enumerated(network)) == pytest.approx(1)
    assert network.probability({}) == pytest.approx(1)


@pytest.mark.parametrize("evidence", [{}, {"slip": True}, {"slip": False, "sprinkler": 1}])
@pytest.mark.parametrize("asked", ["rain", "wet"])
def test_elimination_equals_enumeration(network, evidence, asked):
    of_value = dict.fromkeys(network.values[asked], 0.0)
    for assignment, p in enumerated(network):
        if all(assignment[v] == x for v, x in evidence.items()):
            of_value[assignment[asked]] += p
    total = sum(of_value.values())
    found = network.query(asked, evidence)
    np.testing.assert_allclose(found, np.array(list(of_value.values())) / total)
    assert network.probability(evidence) == pytest.approx(total)


def test_two_variables_at_once(network):
    joint = network.query(["slip", "rain"])
    assert joint.shape == (2, 3)
    np.testing.assert_allclose(joint.sum(axis=0), network.query("rain"))


def test_tables_from_data_are_counts_with_pseudo_counts():
    data = {"a": [0, 0, 1, 1, 1], "b": ["x", "y", "y", "y", "y"]}
    parents = {"a": [], "b": ["a"]}
    plain = BayesianNetwork.fit(parents, data, pseudo_count=0)
    np.testing.assert_allclose(plain.tables["a"], [0.4, 0.6])
    np.testing.assert_allclose(plain.tables["b"], [[0.5, 0.5], [0.0, 1.0]])
    smooth = BayesianNetwork.fit(parents, pd.DataFrame(data))
    np.testing.assert_allclose(smooth.tables["b"], [[0.5, 0.5], [0.2, 0.8]])
    more = BayesianNetwork.fit(parents, data, pseudo_count=0, values={"a": [0, 1, 2]})
    np.testing.assert_allclose(more.tables["b"][2], [0.5, 0.5])  # never seen
    weighted = BayesianNetwork.fit(parents, data, pseudo_count=0, sample_weight=[3, 1, 1, 1, 1])
    np.testing.assert_allclose(weighted.tables["b"][0], [0.75, 0.25])


def test_sampling_then_learning_returns_the_tables(network):
    drawn = network.sample(40_000, random_state=3)
    assert drawn == network.sample(40_000, random_state=3)
    learnt = BayesianNetwork.fit(PARENTS, drawn, values=network.values)
    for v in PARENTS:
        np.testing.assert_allclose(learnt.tables[v], network.tables[v], atol=0.05)


def test_a_long_chain_is_cheap():
    n = 200
    parents = {"x0": []} | {f"x{i}": [f"x{i - 1}"] for i in range(1, n)}
    flip = np.array([[0.9, 0.1], [0.2, 0.8]])
    network = BayesianNetwork(parents, {"x0": [1.0, 0.0]} | {f"x{i}": flip for i in range(1, n)})
    np.testing.assert_allclose(network.query(f"x{n - 1}"), [2 / 3, 1 / 3])
    assert network.query("x100", {f"x{n - 1}": 1}).sum() == pytest.approx(1)


def test_invalid_networks_are_refused():
    with pytest.raises(ValueError, match="no cycle"):
        BayesianNetwork({"a": ["b"], "b": ["a"]}, {})
    with pytest.raises(ValueError, match=r"'a' must sum to 1 .* got 0\.9\. Divide"):
        BayesianNetwork({"a": []}, {"a": [0.5, 0.4]})
    with pytest.raises(ValueError, match=r"got 1\.1 for parents \(1,\)"):
        BayesianNetwork({"a": [], "b": ["a"]}, {"a": [0.5, 0.5], "b": [[0.5, 0.5], [0.6, 0.5]]})
    with pytest.raises(ValueError, match=r"must have shape \(2, 2\)"):
        BayesianNetwork({"a": [], "b": ["a"]}, {"a": [0.5, 0.5], "b": [0.5, 0.5]})
    with pytest.raises(ValueError, match="probabilities >= 0"):
        BayesianNetwork({"a": []}, {"a": [-0.5, 1.5]})
    with pytest.raises(ValueError, match="'a' has none"):
        BayesianNetwork({"a": []}, {})
    with pytest.raises(ValueError, match="not a node of the graph"):
        BayesianNetwork({"a": []}, {"a": [1.0], "b": [1.0]})
    with pytest.raises(ValueError, match="must differ"):
        BayesianNetwork({"a": []}, {"a": [0.5, 0.5]}, {"a": [1, 1]})


def test_invalid_queries_and_data_are_refused(network):
    with pytest.raises(ValueError, match="has no value 'snow'"):
        network.query("wet", {"rain": "snow"})
    with pytest.raises(ValueError, match="is not a node"):
        network.probability({"fog": 1})
    with pytest.raises(ValueError, match="distinct nodes without evidence"):
        network.query("wet", {"wet": 0})
    with pytest.raises(ValueError, match="a value for every variable"):
        network.log_joint({"wet": 0})
    certain = BayesianNetwork({"a": [], "b": ["a"]}, {"a": [1.0, 0.0], "b": np.eye(2)})
    with pytest.raises(ValueError, match="has probability 0"):
        certain.query("a", {"b": 1})
    with pytest.raises(ValueError, match="no column 'a'"):
        BayesianNetwork.fit({"a": []}, {"b": [1]})
    with pytest.raises(ValueError, match="missing values"):
        BayesianNetwork.fit({"a": []}, {"a": [1.0, np.nan]})
    with pytest.raises(ValueError, match="same length"):
        BayesianNetwork.fit({"a": [], "b": []}, {"a": [1], "b": [1, 2]})
    with pytest.raises(ValueError, match="which is not in"):
        BayesianNetwork.fit({"a": []}, {"a": [1, 5]}, values={"a": [1, 2]})
    with pytest.raises(ValueError, match="pseudo_count"):
        BayesianNetwork.fit({"a": []}, {"a": [1]}, pseudo_count=-1)
    with pytest.raises(ValueError, match="frame or a dict"):
        BayesianNetwork.fit({"a": []}, [[1]])
    with pytest.raises(ValueError, match="sample_weight"):
        BayesianNetwork.fit({"a": []}, {"a": [1]}, sample_weight=[-1.0])


def test_a_model_file_holds_the_network_and_its_graph(tmp_path):
    data = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": [1, 2, 2, 2], "c": [True, False] * 2})
    network = BayesianNetwork.fit({"a": [], "b": ["a"], "c": ["a", "b"]}, data)
    copy = gramian.load(gramian.save(network, tmp_path / "network.gram"))
    assert copy.values == network.values
    assert copy.graph.parents == network.graph.parents
    np.testing.assert_array_equal(copy.query("a", {"b": 2}), network.query("a", {"b": 2}))
    graph = gramian.load(gramian.save(network.graph, tmp_path / "graph.gram"))
    assert graph.nodes == network.graph.nodes


def test_messages_say_what_was_given():
    with pytest.raises(ValueError, match=r"probabilities >= 0; got -0\.5"):
        BayesianNetwork({"a": []}, {"a": [-0.5, 1.5]})
    with pytest.raises(ValueError, match="probabilities >= 0; got nan"):
        BayesianNetwork({"a": []}, {"a": [np.nan, 1.0]})
    with pytest.raises(ValueError, match=r"contains 'b', .* its nodes are \['a'\]"):
        BayesianNetwork({"a": []}, {"a": [0.5, 0.5], "b": [1.0]})
