"""The gallery runs, and what its texts claim holds."""

import re
import runpy
from functools import cache
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@cache
def run(name: str) -> dict[str, object]:
    """Run an example off screen, once, and return its variables."""
    mpl.use("agg")
    try:
        (file,) = EXAMPLES.glob(f"*/{name}.py")
        return runpy.run_path(str(file))
    finally:
        plt.close("all")


def titles(figure) -> list[str]:
    return [ax.get_title() for ax in figure.axes]


def test_every_example_is_tested():
    tests = "".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    names = [file.stem for file in EXAMPLES.glob("*/plot_*.py")]
    assert names
    assert [name for name in names if f'run("{name}")' not in tests] == []


def test_the_guide_leads_to_every_example():
    guide = "".join(file.read_text() for file in (EXAMPLES.parent / "guide").glob("*.rst"))
    examples = [f"{file.parent.name}_{file.name}" for file in EXAMPLES.glob("*/plot_*.py")]
    assert [name for name in examples if f"sphx_glr_gallery_{name}`" not in guide] == []


def test_figures_are_shown_in_the_part_that_makes_them():
    """The gallery takes its pictures at the end of a part: what is drawn later is not in them."""
    parts = [
        (file.stem, part)
        for file in EXAMPLES.glob("*/plot_*.py")
        for part in file.read_text().split("\n# %%")
    ]
    made = [(name, part) for name, part in parts if re.search(r"plt\.(subplots|figure)\(", part)]
    assert made
    assert [name for name, part in made if "plt.show()" not in part] == []


def test_kmeans_steps_lower_the_objective_until_they_rest():
    found = run("plot_kmeans_steps")
    X, steps = found["X"], found["steps"]
    J = [((X[:, None] - c) ** 2).sum(axis=2).min(axis=1).sum() for c in steps]
    assert all(after <= before * (1 + 1e-12) for before, after in pairwise(J))
    assert J[-1] < J[0] / 3


def test_restarts_differ_and_kmeans_plusplus_fails_less():
    random, careful = run("plot_kmeans_steps")["axes"]
    reached = [ax.collections[-2].get_offsets()[:, 1] for ax in (random, careful)]
    failed = [(values > values.min() * 1.01).mean() for values in reached]
    assert len(reached[0]) == 20
    assert failed[1] < failed[0]
    assert reached[0].min() == pytest.approx(reached[1].min())


@pytest.mark.slow
def test_one_neighbour_is_not_the_best():
    found = run("plot_knn_boundaries")
    train, validation = (np.mean(found[name], axis=0) for name in ("train", "validation"))
    assert train[0] == 0
    assert 1 < found["ks"][validation.argmin()] < 50
    assert validation[-1] > validation.min()


def test_regions_are_drawn_for_any_function_that_predicts():
    found = run("plot_decision_regions")
    assert [title.partition(":")[0] for title in titles(found["figure"])] == list(
        found["contenders"]
    )


def test_more_colours_are_nearer_to_the_photograph():
    figure = run("plot_colour_quantisation")["figure"]
    errors = [float(title.rpartition(" ")[2]) for title in titles(figure)[1:]]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.03


def test_normalising_finds_the_growers_that_raw_numbers_hide():
    figure = run("plot_scaling_before_clustering")["figure"]
    plain, scaled = (float(title.rpartition(" ")[2]) for title in titles(figure))
    assert plain < 0.5
    assert scaled > 0.8


@pytest.mark.slow
def test_a_projection_with_enough_directions_keeps_the_accuracy():
    found = run("plot_neighbors_after_projection")
    pca, random, full = (line.get_ydata() for line in found["right"].lines)
    assert pca[found["sizes"].index(16)] > full[0] - 0.02
    assert random[-1] > full[0] - 0.05
    recall = found["left"].lines[0].get_ydata()
    assert recall[-1] > 0.99  # a rotation keeps all but rounded ties
    assert recall[0] < 0.5


def test_weights_act_as_copies_and_favour_heavy_rows():
    found = run("plot_weighted_kmeans")
    assert found["weighted"].inertia_ == pytest.approx(found["repeated"].inertia_, rel=1e-6)
    equal, by_people, _ = (float(t.rpartition(" ")[2]) for t in titles(found["figure"]))
    assert by_people < equal


def test_a_larger_k_is_smoother_and_weights_pass_through_the_points():
    found = run("plot_neighbors_regression")
    rough, smooth = (np.abs(np.diff(found["curves"][name])).sum() for name in ("k = 3", "k = 20"))
    assert smooth < rough
    predicted = found["models"]["k = 20, by distance"].predict(found["x"][:, None])
    assert predicted == pytest.approx(found["y"])
    gap = (found["grid"] > 4.6) & (found["grid"] < 4.9)
    assert np.isnan(found["curves"]["radius 0.4"][gap]).all()


def test_batches_come_near_to_all_the_data():
    found = run("plot_minibatch_kmeans")
    assert found["objective"][-1] < found["objective"][0]
    assert found["objective"][-1] < 1.15 * found["full"].inertia_


@pytest.mark.filterwarnings("ignore:.*Outlier label")
def test_graphs_follow_the_data_and_a_radius_may_hold_no_point():
    found = run("plot_neighbor_graphs")
    assert found["graphs"]["5 nearest"].nnz == 5 * len(found["X"])
    assert all(1 <= count < len(found["X"]) / 5 for count in found["pieces"].values())
    assert found["model"].predict([[9.0, 9.0]]) == [2]


def test_approximate_answers_keep_their_bound():
    found = run("plot_kdtree_queries")
    allowed = 1 + np.array(found["tolerances"])
    assert (np.array(found["worst"]) <= allowed * (1 + 1e-12)).all()
    assert found["right"][0] == 1
    assert min(found["right"]) < 1
    assert all(more >= less for more, less in pairwise(found["looked_at"]))


@pytest.mark.slow
def test_the_comparison_finds_groups_and_every_model_beats_the_baseline():
    found = run("plot_compare_models")
    comparison = found["comparison"]
    assert comparison.best == "logistic regression"
    assert str(comparison).endswith("All are significantly better than the baseline (0.6274).")
    shared = [set(group) for group in comparison.groups if len(group) > 1]
    assert any(a & b for a in shared for b in shared if a != b)  # bars overlap
    assert not any("baseline" in text.get_text() for text in found["ax"].texts)
    test = comparison.pairs[0].result
    assert test.test == found["picture"].get_title() == "corrected resampled t test"
    assert (found["rows"], found["differences"]) == (3138, 34)
