"""The examples of sparse and robust regression run, and what their texts claim holds."""

import numpy as np

from tests.docs.test_examples import run


def test_the_lasso_touches_a_corner_and_columns_enter_one_by_one():
    found = run("plot_lasso")
    assert found["solution"][1] == 0
    counts = (found["coefs"] != 0).sum(axis=0)
    assert counts[0] == 0
    assert counts.max() == 10
    assert (np.diff(counts) <= 2).all()
    assert found["gaps"].max() <= 1e-8 * np.mean(found["target"] ** 2)
    best = set(found["best"].get_support(indices=True))
    assert {2, 8} <= best <= set(np.flatnonzero(found["chosen"].coef_)) | best


def test_programs_end_at_a_corner_and_on_an_edge_and_robust_lines_stay():
    found = run("plot_programs")
    assert len(found["linear"].active) == 2
    assert len(found["quadratic"].active) == 1
    slopes = found["slopes"]
    assert abs(slopes["least absolute deviations"] - 0.5) < 0.05
    assert abs(slopes["Huber"] - 0.5) < 0.1
    assert slopes["least squares"] > 0.55
    assert found["typical"]["Chebyshev"] > 3 * found["typical"]["least absolute deviations"]
