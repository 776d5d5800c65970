"""The examples of densities and smoothers run, and what their texts claim holds."""

import numpy as np

from tests.docs.test_examples import run


def test_the_kernel_estimate_is_nearer_to_the_truth_than_a_normal_distribution():
    found = run("plot_densities")
    grid = np.linspace(-6, 6, 500)[:, None]
    kernel, normal = (found["groups"][1][name](grid) for name in ("kernel", "normal distribution"))
    truth = found["truth"](grid)
    assert np.abs(kernel - truth).mean() < np.abs(normal - truth).mean() / 2


def test_local_lines_are_nearer_at_the_ends():
    fits = run("plot_smoothers")["fits"]
    ends = np.array([[0.0], [6.0]])
    truth = np.sin(ends[:, 0]) + ends[:, 0] / 2
    error = {name: np.abs(predict(ends) - truth).sum() for name, predict in fits.items()}
    assert error["local lines"] < error["local means"]


def test_a_narrow_kernel_gives_almost_the_nearest_point():
    models = run("plot_kernel_density_regions")["models"]
    grid = np.stack(np.meshgrid(np.linspace(-1, 2, 60), np.linspace(-1, 1, 60)), -1).reshape(-1, 2)
    nearest, narrow, _, wide = (model.predict(grid) for model in models.values())
    assert np.mean(nearest == narrow) > 0.95
    assert np.mean(nearest == wide) < np.mean(nearest == narrow)
