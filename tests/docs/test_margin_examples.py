"""The gallery of linear machines: what its texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_centroids_have_parallel_level_lines():
    found = run("plot_centroids_and_scores")
    model, X = found["model"], found["X"]
    direction = np.array([-1, 1]) * (model.centroids_[1] - model.centroids_[0])[::-1]
    np.testing.assert_allclose(
        model.decision_function(X), model.decision_function(X + direction), atol=1e-9
    )
    assert found["surface"].name == "3d"


def test_the_perceptron_reaches_the_cone_within_its_bound():
    found = run("plot_perceptron_spaces")
    right = found["right"]
    assert right[-1]
    assert not right[:-1].any()
    assert max(found["counts"]) <= found["bound"].bound


@pytest.mark.slow
def test_a_higher_penalty_narrows_the_slab():
    found = run("plot_margins")
    assert (np.diff(found["widths"]) < 0).all()
    assert found["held"][0] > found["held"][-1]
    assert len(found["report"].support) <= 4
    accuracy = found["accuracy"]
    assert accuracy[2] > 0.9 > accuracy[1]
    assert accuracy[5] <= accuracy[2] + 0.02


def test_a_lift_that_fits_is_held_by_fewer_rows():
    slabs = run("plot_margins")["slabs"]
    held = {degree: len(report.support) for degree, report in slabs.items()}
    assert held[1] == 160  # no line helps: every row is inside the slab, or wrong
    assert held[2] < held[5] < held[1]
    assert all(report.margin > 0 for report in slabs.values())
