"""The nodes of a tree as a table."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from gramian.tree import (
    DecisionTreeClassifier,
    node_table,
)


@pytest.fixture
def iris():
    bunch = load_iris()
    y = bunch.target_names[bunch.target]
    return DecisionTreeClassifier(max_depth=2).fit(bunch.data, y), bunch.data, y


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
