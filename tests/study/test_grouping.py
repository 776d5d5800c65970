"""Clustering of tables without a target."""

import numpy as np
import polars as pl

from gramian import study


def test_without_a_target_rows_are_grouped(rng):
    centers = np.array([[0, 0], [20, 0], [0, 20]])
    X = np.concatenate([rng.normal(c, 1, size=(30, 2)) for c in centers])
    found = study.run(pl.DataFrame(X, schema=["x", "y"]))
    assert found.result["task"] == "clustering"
    assert found.result["clusters"]["k"] == 3
    assert sorted(found.result["clusters"]["sizes"]) == [30, 30, 30]
    assert found.result["verdict"][1] == "The clusters are well separated."
