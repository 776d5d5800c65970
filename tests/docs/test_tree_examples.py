"""The gallery of trees runs, and what its texts claim holds."""

from tests.docs.test_examples import run


def test_rules_cover_the_flowers():
    found = run("plot_trees")
    assert abs(sum(rule.support for rule in found["rules"]) - 1) < 1e-9
    assert len(found["cells"]) == found["model"].get_n_leaves()
    assert found["surface"].name == "3d"


def test_the_error_rate_sees_no_gain():
    gains = run("plot_impurity")["gains"]
    assert gains["entropy"] > 0.12
    assert abs(gains["misclassification"]) < 1e-12


def test_pruned_trees_are_smaller_and_no_worse():
    found = run("plot_pruning")
    test = {name: m.score(found["X_test"], found["y_test"]) for name, m in found["found"].items()}
    leaves = {name: m.get_n_leaves() for name, m in found["found"].items()}
    for name in ("reduced error", "cost-complexity"):
        assert leaves[name] < leaves["fully grown"] / 2
        assert test[name] >= test["fully grown"]


def test_an_oblique_boundary_needs_few_leaves():
    found = run("plot_oblique_trees")
    leaves = [model.get_n_leaves() for model in found["models"].values()]
    assert max(leaves[1:]) < leaves[0]
    assert found["conics"].get_n_leaves() < 8
