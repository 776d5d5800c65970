"""What the gallery says of trees of clusters and of medoids holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run, titles


@pytest.mark.slow
def test_only_linkages_of_middles_have_inversions():
    found = run("plot_linkages")
    inverted = {method for method, tree in found["trees"].items() if len(tree.inversions)}
    assert inverted
    assert inverted <= {"centroid", "median", "medoid"}
    for tree in found["trees"].values():
        assert tree.cut(n_clusters=3).max() == 2


def test_medoids_are_points():
    found = run("plot_linkages")
    for metric, model in found["models"].items():
        np.testing.assert_array_equal(found["X"][model.medoid_indices_], model.cluster_centers_)
        assert any(title.startswith(metric) for title in titles(found["figure"]))
