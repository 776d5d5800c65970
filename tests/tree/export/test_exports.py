import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from sklearn.datasets import load_diabetes, load_iris

from gramian.base.errors import DataError
from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    export_dot,
    export_rules,
    export_svg,
    export_text,
    node_table,
    plot_tree,
)
from tests.tree.real import load

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def iris():
    bunch = load_iris()
    y = bunch.target_names[bunch.target]
    return DecisionTreeClassifier(max_depth=2).fit(bunch.data, y), bunch.data, y


def test_text_of_numbers_and_its_limits(iris):
    model, _, _ = iris
    names = ["sl", "sw", "pl", "pw"]
    assert export_text(model, feature_names=names).splitlines() == [
        "pl <= 2.45: setosa (50)",
        "pl > 2.45",
        "|   pw <= 1.75: versicolor (54/5)",
        "|   pw > 1.75: virginica (46/1)",
    ]
    assert export_text(model, max_depth=1).splitlines() == [
        "x2 <= 2.45: setosa (50)",
        "x2 > 2.45: ...",
    ]
    assert "(" not in export_text(model, show_weights=False)
    with pytest.raises(DataError, match="must name all 4 columns; got 1"):
        export_text(model, feature_names=["a"])


def test_a_tree_of_one_leaf_and_one_of_numbers():
    assert export_text(DecisionTreeClassifier().fit([[1.0]], ["a"])) == "a (1)"
    model = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0], [3.0]], [1, 1, 4, 6])
    assert export_text(model) == "x0 <= 1.5: 1 (2, mse 0)\nx0 > 1.5: 5 (2, mse 1)"


def test_groups_of_categories_are_named():
    X = np.array([["red"], ["blue"], ["green"], ["red"]], dtype=object)
    text = export_text(DecisionTreeClassifier().fit(X, [1, 0, 0, 1]))
    assert "x0 in {blue, green}" in text
    assert "x0 = red" in text


def test_rules_cover_all_rows_and_tell_the_truth(iris):
    model, X, y = iris
    rules = export_rules(model)
    assert sum(rule.support for rule in rules) == pytest.approx(1)
    assert [rule.support for rule in rules] == sorted((r.support for r in rules), reverse=True)
    leaves = model.apply(X)
    for rule in rules:
        covered = leaves == rule.leaf
        assert rule.support == pytest.approx(covered.mean())
        assert rule.accuracy == pytest.approx((y[covered] == rule.prediction).mean())
    assert str(rules[0]).startswith("if x2 > 2.45 and x3 <= 1.75 then versicolor [36.0%")


def test_rules_keep_the_tightest_bound_of_a_column():
    X = np.arange(8.0)[:, None]
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1, 0, 0, 1, 1])
    assert all(len(rule.conditions) <= 2 for rule in export_rules(model))


def test_svg_is_well_formed_and_shows_every_node(iris, tmp_path):
    model, _, _ = iris
    path = tmp_path / "tree.svg"
    svg = export_svg(model, path, title="iris & <friends>")
    assert path.read_text(encoding="utf-8") == svg
    root = ET.fromstring(svg)
    boxes = [r for r in root.iter(f"{SVG}rect") if r.get("class") in ("box", "leaf")]
    assert len(boxes) == model.tree_.node_count
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"iris & <friends>", "setosa", "x2 <= 2.45", "yes", "no"} <= set(said)
    left = sorted((float(b.get("x")), float(b.get("y"))) for b in boxes)
    assert len(set(left)) == len(left)  # no box on another


def test_svg_of_many_classes_of_categories_and_of_numbers(data_folder):
    X, y = load(data_folder, "soybean")
    names = C45Classifier().fit(X, y)
    X, y = load_diabetes(return_X_y=True)
    numbers = DecisionTreeRegressor(max_depth=3).fit(X, y)
    for model in (names, numbers):
        rects = ET.fromstring(export_svg(model)).iter(f"{SVG}rect")
        assert sum(r.get("class") in ("box", "leaf") for r in rects) == model.tree_.node_count


def test_dot_has_a_line_for_every_node_and_edge(iris):
    model, _, _ = iris
    lines = export_dot(model).splitlines()
    assert sum("->" in line for line in lines) == model.tree_.node_count - 1
    assert sum("label=" in line and "->" not in line for line in lines) == model.tree_.node_count


def test_dot_escapes_quotes():
    X = np.array([['say "a"'], ["b\\c"], ['say "a"'], ["b\\c"]], dtype=object)
    dot = export_dot(C45Classifier(pruning=None).fit(X, [0, 1, 0, 1]))
    assert 'say \\"a\\"' in dot
    assert "b\\\\c" in dot


def test_the_table_of_nodes_makes_a_frame(iris):
    model, X, y = iris
    table = pd.DataFrame(node_table(model, feature_names=["a", "b", "c", "d"]))
    inside = model.decision_path(X).toarray().astype(bool)
    for row in table.itertuples():
        here = y[inside[:, row.node]]
        assert row.samples == len(here)
        counts = [(here == label).sum() for label in model.classes_]
        assert row.prediction == model.classes_[np.argmax(counts)]
        assert [row[-3], row[-2], row[-1]] == counts
    assert table.branch[1].startswith(f"{table.feature[0]} <= ")
    assert (table.feature == "").sum() == model.get_n_leaves()


def test_the_error_of_a_leaf_has_its_name():
    X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0]
    for criterion, name in (("squared_error", "mse"), ("absolute_error", "mae")):
        text = export_text(DecisionTreeRegressor(criterion=criterion, max_depth=1).fit(X, y))
        assert f", {name} " in text


def test_leaves_of_a_model_tree_are_formulas():
    x = np.arange(-20.0, 20.0) / 10
    model = ModelTreeRegressor(smoothing=0).fit(x[:, None], np.where(x < 0, 1 - x, 10 + 2 * x))
    assert export_text(model, feature_names=["t"]).splitlines() == [
        "t <= -0.05: 1 - 1 t (20)",
        "t > -0.05: 10 + 2 t (20)",
    ]


def test_a_tree_of_another_library_is_refused():
    theirs = sklearn.tree.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match="must be one of gramian"):
        export_text(theirs)


def test_a_fitted_tree_is_drawn_with_its_questions_and_answers():
    model = DecisionTreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True))
    ax = plot_tree(model, feature_names=["a", "b", "c", "d"], filled=True)
    texts = [text.get_text() for text in ax.texts]
    assert sum(text in ("yes", "no") for text in texts) == model.tree_.node_count - 1
    assert any(text.startswith(("c <=", "d <=")) for text in texts)
    assert len(plot_tree(model, max_depth=0).texts) == 1
