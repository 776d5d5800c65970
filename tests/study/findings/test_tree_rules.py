"""A tree in words."""

import numpy as np
import polars as pl
from sklearn.pipeline import Pipeline

from gramian.data.preparer import TablePreparer
from gramian.linear_model import Ridge
from gramian.study.findings.tree_rules import tree_rules
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor, ObliqueTreeRegressor


def fitted(model, frame, y, kinds):
    preparer = TablePreparer(kinds, categories="codes", missing="keep", scale=False)
    return Pipeline([("prepare", preparer), ("model", model)]).fit(frame, y)


def test_a_threshold_is_read_as_it_was_learned():
    frame = pl.DataFrame({"width": [1.0, 2.0, 8.0, 9.0]})
    model = DecisionTreeClassifier()
    rules = tree_rules(fitted(model, frame, ["a", "a", "b", "b"], {"width": "numeric"}), ["a", "b"])
    assert rules.leaves == 2
    left, right = rules.root.children
    assert (left.rule, left.rows, left.says, left.share) == ("width ≤ 5", 2, "a", 1.0)
    assert (right.rule, right.says) == ("width > 5", "b")


def test_a_category_is_called_by_its_levels():
    towns = ["Aachen", "Bonn", "Celle"] * 4
    y = [1.0 if town == "Bonn" else 0.0 for town in towns]
    model = DecisionTreeRegressor(categorical_features=[0])
    pipeline = fitted(model, pl.DataFrame({"town": towns}), y, {"town": "categorical"})
    children = tree_rules(pipeline, []).root.children
    assert {(c.rule, c.says, c.share) for c in children} == {
        ("town is Bonn", 1.0, None),
        ("town is Aachen or Celle", 0.0, None),
    }


def test_missing_values_that_part_from_all_others_are_called_so():
    answers = ["n", "y", "n", "y", None, None]
    model = DecisionTreeClassifier(categorical_features=[0])
    y = ["a", "a", "a", "a", "b", "b"]
    pipeline = fitted(model, pl.DataFrame({"vote": answers}), y, {"vote": "categorical"})
    rules = {c.rule: c.says for c in tree_rules(pipeline, ["a", "b"]).root.children}
    assert rules == {"vote is n or y": "a", "vote is missing": "b"}


def test_a_large_tree_is_cut_and_every_leaf_counted(rng):
    X = rng.normal(size=(400, 3))
    frame = pl.DataFrame(X, schema=["a", "b", "c"])
    kinds = dict.fromkeys("abc", "numeric")
    rules = tree_rules(fitted(DecisionTreeRegressor(), frame, rng.normal(size=400), kinds), [])

    def leaves(node):
        return node.hidden or sum(map(leaves, node.children)) or 1

    def nodes(node):
        return 1 + sum(map(nodes, node.children))

    assert nodes(rules.root) <= 150
    assert leaves(rules.root) == rules.leaves > 75


def test_another_model_has_no_tree():
    frame = pl.DataFrame({"a": np.arange(9.0)})
    assert tree_rules(fitted(Ridge(), frame, np.arange(9.0), {"a": "numeric"}), []) is None


def test_a_tree_over_sums_of_columns_is_not_put_into_words(rng):
    X = rng.normal(size=(60, 2))
    frame = pl.DataFrame(X, schema=["a", "b"])
    y = np.abs(X.sum(axis=1))
    model = ObliqueTreeRegressor(random_state=0)
    assert tree_rules(fitted(model, frame, y, {"a": "numeric", "b": "numeric"}), []) is None
