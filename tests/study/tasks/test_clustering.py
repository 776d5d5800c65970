"""Clustering of tables, where it is asked for."""

import numpy as np
import polars as pl

from gramian import study
from gramian.report.formatting import number
from gramian.report.limits import Limits
from gramian.report.sections.groups import groups


def test_rows_are_clustered(rng):
    centers = np.array([[0, 0], [20, 0], [0, 20]])
    X = np.concatenate([rng.normal(c, 1, size=(30, 2)) for c in centers])
    found = study.run(pl.DataFrame(X, schema=["x", "y"]), task="clustering")
    assert found.result["task"] == "clustering"
    assert found.result["clusters"]["k"] == 3
    assert sorted(found.result["clusters"]["sizes"]) == [30, 30, 30]
    assert found.result["verdict"][1] == "The clusters are well separated."
    frame = pl.DataFrame(X, schema=["x", "y"])
    numbers = found.model.predict(frame)
    assert np.bincount(numbers).tolist() == found.result["clusters"]["sizes"]
    sizes = " and ".join([", ".join(["30"] * 2), "30"])
    assert found.result["verdict"][2].startswith(f"Clusters 0, 1 and 2 have {sizes} rows")
    page = groups(found.contents, Limits())
    assert [size["group"] for size in page["sizes"]] == [0, 1, 2]
    mean = frame["x"].to_numpy()[numbers == 1].mean()
    assert page["profiles"][0]["values"][1] == number(mean)


def test_a_budget_stops_the_search(rng):
    frame = pl.DataFrame(rng.normal(size=(60, 2)), schema=["x", "y"])
    found = study.run(frame, task="clustering", budget=1e-6)
    assert not found.result["complete"]
    assert found.contents.to_json()["run"]["evaluations"] == {"made": 1, "planned": 9}
