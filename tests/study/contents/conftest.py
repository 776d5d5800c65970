"""Contents of each kind of task."""

import numpy as np
import polars as pl
import pytest

from gramian import study
from gramian.scale import LargeTable
from gramian.study import Settings
from tests.study.tables import mixed, prices


@pytest.fixture(scope="session")
def classes(classified):
    return classified.contents


@pytest.fixture(scope="session")
def numbers():
    return study.run(prices(), "price", evals=1, models=("Ridge",)).contents


@pytest.fixture(scope="session")
def tree():
    """A tree with costs and rejection."""
    costs = ((0.0, 1.0), (5.0, 0.0))
    return study.run(
        mixed(), "bought", evals=1, models=("DecisionTreeClassifier",), costs=costs, reject=0.4
    ).contents


@pytest.fixture(scope="session")
def clustered():
    return study.run(prices(60), task="clustering").contents


@pytest.fixture(scope="session")
def labelled():
    X = np.random.default_rng(0).normal(size=(80, 3))
    frame = pl.DataFrame(
        {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "calm": X[:, 0] > 0, "sad": X[:, 1] > 0.2}
    )
    return study.run(frame, labels=("calm", "sad"), models=("BinaryRelevance",)).contents


@pytest.fixture(scope="session")
def chunked(tmp_path_factory):
    """A table read in chunks."""
    path = str(tmp_path_factory.mktemp("chunks") / "prices.parquet")
    prices().write_parquet(path, row_group_size=20)
    options = {"models": ("Ridge",), "evals": 1}
    rows = LargeTable(path, Settings(target="price", **options))
    return study.run(rows, "price", **options).contents


@pytest.fixture(scope="session")
def every(classes, numbers, tree, chunked, clustered, labelled):
    return (classes, numbers, tree, chunked, clustered, labelled)
