"""Trees as SVG."""

import xml.etree.ElementTree as ET

import pytest
from sklearn.datasets import load_diabetes, load_iris

from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    export_svg,
)
from tests.tree.real import load

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def iris():
    bunch = load_iris()
    y = bunch.target_names[bunch.target]
    return DecisionTreeClassifier(max_depth=2).fit(bunch.data, y), bunch.data, y


def test_svg_is_well_formed_and_shows_every_node(iris, tmp_path):
    model, _, _ = iris
    path = tmp_path / "tree.svg"
    svg = export_svg(model, path, title="iris & <friends>")
    assert path.read_text(encoding="utf-8") == svg
    root = ET.fromstring(svg)
    boxes = [r for r in root.iter(f"{SVG}rect") if r.get("class") in ("box", "leaf")]
    assert len(boxes) == model.tree_.node_count
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"iris & <friends>", "setosa", "x2 <= 2.45", "yes", "no"} <= set(texts)
    left = sorted((float(b.get("x")), float(b.get("y"))) for b in boxes)
    assert len(set(left)) == len(left)  # no box on another


def test_svg_of_many_classes_categories_and_regression(data_folder):
    X, y = load(data_folder, "soybean")
    names = C45Classifier().fit(X, y)
    X, y = load_diabetes(return_X_y=True)
    numbers = DecisionTreeRegressor(max_depth=3).fit(X, y)
    for model in (names, numbers):
        rects = ET.fromstring(export_svg(model)).iter(f"{SVG}rect")
        assert sum(r.get("class") in ("box", "leaf") for r in rects) == model.tree_.node_count
