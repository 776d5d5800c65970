"""Trees in the language of Graphviz."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    export_dot,
)


@pytest.fixture
def iris():
    bunch = load_iris()
    y = bunch.target_names[bunch.target]
    return DecisionTreeClassifier(max_depth=2).fit(bunch.data, y), bunch.data, y


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
