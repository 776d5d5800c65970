"""The gallery of ensembles runs, and what its texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_the_vote_of_many_stumps_beats_each():
    found = run("plot_adaboost_rounds")
    assert found["training"][-1] < 0.05
    assert found["training"][0] > 0.2
    loss = np.array(found["loss"])
    assert (np.diff(loss) < 0).all()
    assert (np.array(found["training"]) <= loss).all()
    assert [ax.get_title()[:5] for ax in found["axes"].flat] == ["stump", "stump", "stump", "the v"]


@pytest.mark.slow
def test_boosted_stumps_are_better_than_one_tree():
    found = run("plot_ensemble_error")
    curves = {name: np.asarray(values) for name, values in found["curves"].items()}
    stumps = curves["AdaBoost, stumps"]
    assert stumps[0] > 0.4
    assert stumps[-1] < found["single"] / 2
    bagged, forest = curves["bagging, full trees"], curves["random forest"]
    assert bagged[-1] < found["single"]
    assert abs(bagged[-1] - bagged[30]) < 0.02
    assert forest[-1] < bagged[-1]


@pytest.mark.slow
def test_shallow_trees_cannot_follow_spirals():
    accuracy = run("plot_spiral_maps")["accuracy"]
    assert accuracy["bagged trees, depth 12"] > accuracy["bagged trees, depth 4"] + 0.02
    assert accuracy["random splits, depth 12"] > 0.95
    assert accuracy["8 networks"] > 0.9


@pytest.mark.slow
def test_trees_that_agree_less_average_better():
    found = run("plot_average_variance")
    free, narrow = (found["reports"][k] for k in ("all columns", "one column a node"))
    assert narrow.correlation < free.correlation
    for label, line in found["theory"].items():
        np.testing.assert_allclose(found["measured"][label][-1], line[-1], rtol=0.02)
        assert found["measured"][label][0] > 1.5 * found["measured"][label][-1]
