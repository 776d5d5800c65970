"""The gallery of kernel machines: what its texts claim holds."""

import numpy as np

from tests.docs.test_examples import run


def test_the_surface_is_a_sum_of_bumps():
    found = run("plot_kernel_machines")
    model, plane = found["model"], found["plane"]
    squares = ((plane[:, None] - model.support_vectors_[None]) ** 2).sum(axis=2)
    bumps = np.exp(-0.5 * squares) @ model.dual_coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(found["surface"].ravel(), bumps, atol=1e-5)


def test_support_vectors_by_kind():
    found = run("plot_kernel_machines")
    best, X, y = found["best"], found["X"], found["y"]
    margins = y * best.decision_function(X)
    np.testing.assert_allclose(margins[found["free"]], 1, atol=1e-2)
    assert (margins[found["bound"]] <= 1 + 1e-2).all()
    inside = np.delete(margins, best.support_)
    assert (inside >= 1 - 1e-2).all()


def test_the_boundary_is_near_the_best_possible_one():
    found = run("plot_kernel_machines")
    plane, radius = found["plane"], found["radius"]
    right = np.where((plane**2).sum(axis=1) > radius**2, 1, -1)
    near = (plane**2).sum(axis=1) < 3**2
    assert (found["best"].predict(plane) == right)[near].mean() > 0.85
