"""The examples of features and linear models run, and what their texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_the_lift_finds_the_circle_that_no_line_can():
    found = run("plot_lift")
    X, y = found["X"], found["y"]
    assert np.mean(found["line"].predict(X) != y) > 0.2
    assert np.mean(found["circle"].predict(X) != y) < 0.01
    assert found["sphere"].center == pytest.approx([0.4, 0.2], abs=0.05)
    assert found["sphere"].radius == pytest.approx(np.sqrt(1.2), abs=0.05)


def test_quadratic_logistic_agrees_with_qda_on_gaussians_and_minds_outliers_less():
    """LC-21: the same form of posteriors; the estimates differ."""
    found = run("plot_quadratic_logistic")
    gaussian, outliers = found["errors"]["Gaussian"], found["errors"]["outliers"]
    assert gaussian["logistic"] == pytest.approx(gaussian["QDA"], abs=0.02)
    assert outliers["logistic"] < gaussian["logistic"] + 0.02
    assert outliers["QDA"] > gaussian["QDA"] + 0.05
    assert set(found["shapes"].values()) == {"hyperbola"}


def test_cross_validation_chooses_a_degree_that_cannot_extrapolate():
    found = run("plot_polynomial_extrapolation")
    degrees, errors = found["degrees"], found["errors"]
    assert degrees[errors.inside.argmin()] == 7
    assert errors.outside[6] > 100 * errors.outside[1]
    assert found["fits"]["degree 10"](np.array([[1990.0]])) < 0


def test_every_basis_follows_the_curve():
    found = run("plot_basis_functions")
    truth = np.sin(4 * found["grid"][:, 0]) + 0.5 * (found["grid"][:, 0] > 0.2)
    inside = np.abs(found["grid"][:, 0]) < 0.9
    for curve in found["fitted"].values():
        assert np.sqrt(np.mean((curve - truth)[inside] ** 2)) < 0.2


@pytest.mark.slow
def test_the_test_error_peaks_at_the_threshold_and_falls_again():
    """RG-31: a sweep of D through n."""
    found = run("plot_double_descent")
    sizes, n = found["sizes"], found["n"]
    test, train = np.median(found["test"], axis=1), np.median(found["train"], axis=1)
    assert sizes[test.argmax()] == n
    assert test[-1] < test.max() / 20
    assert test[-1] < test[sizes < n].min()
    assert train[sizes > n].max() < 1e-6
    assert sizes[np.median(found["length"], axis=1).argmax()] == n


def test_ridge_takes_back_the_weights_that_repeat_each_other():
    found = run("plot_ridge")
    coefs, names = np.array(found["coefs"]), found["diabetes"].feature_names
    s1, s2 = coefs[:, names.index("s1")], coefs[:, names.index("s2")]
    assert s1[0] < -700
    assert s2[0] > 400
    near = np.searchsorted(found["alphas"], 0.1)
    assert abs(s1[near]) < abs(s1[0]) / 5
    assert found["alphas"][0] < found["chosen"] < found["alphas"][-1]


def test_far_points_move_lda_and_not_logistic_regression():
    found = run("plot_logistic_and_lda")
    moved = {name: abs(new - old) for name, (old, new) in found["boundary"].items()}
    assert moved["logistic"] < 0.01
    assert moved["LDA"] > 0.2
    errors = found["errors"]
    assert errors["gaussian"]["LDA"] < errors["gaussian"]["logistic"] + 0.005
    assert errors["skewed"]["logistic"] < errors["skewed"]["LDA"] - 0.01
    assert errors["outliers"]["logistic"] < errors["outliers"]["LDA"]
    slopes = found["slopes"]
    growing = [slope for name, slope in slopes.items() if "no penalty" in name]
    assert (np.diff(growing) > 1).all()  # there is no maximum to stop at
    assert slopes["C = 1"] < growing[0] < growing[-1] < np.inf


def test_residuals_are_orthogonal_to_the_columns():
    found = run("plot_residuals")
    assert found["residuals"].sum() == pytest.approx(0, abs=1e-8)
    assert found["residuals"] @ found["X"] == pytest.approx([0, 0], abs=1e-6)
    rss = [float(ax.get_title().rpartition(" ")[2]) for ax in found["figure"].axes]
    assert rss[1] < rss[0]


def test_steps_converge_or_diverge_as_the_eigenvalues_say():
    """Worked number T20: a step that converges on 2 w1^2 + w2^2 diverges on 10 w1^2 + w2^2."""
    paths = run("plot_optimiser_paths")["paths"]
    length = {
        (steepness, name): np.linalg.norm(walk, axis=1)
        for steepness, walks in paths.items()
        for name, walk in walks.items()
    }
    assert length[2, "step 0.4"][-1] < 0.01
    assert length[10, "step 0.4"][-1] > 10 * length[10, "step 0.4"][0]
    assert length[10, "step 0.02"][-1] > 1
    points = np.array(run("plot_optimiser_paths")["points"])
    errors = np.abs(points[:-1] - points[-1])
    assert points[1] > points[-1]  # overshoots
    assert errors[-1] < errors[-2] ** 1.5


def test_methods_that_learn_the_curvature_end_first():
    found = run("plot_optimiser_paths")
    lacking = {name: values - found["least"] for name, values in found["values"].items()}
    assert len(lacking["Newton"]) < len(lacking["L-BFGS"]) < 100
    assert lacking["L-BFGS"][-1] < 1e-8
    for name in ("gradient descent", "momentum", "Adam"):
        assert 1e-8 < lacking[name][-1] < 1e-2


def test_convex_losses_bound_the_zero_one_loss():
    found = run("plot_losses")
    curves, margin = found["for_classes"], found["margin"]
    for name in ("squared", "logistic", "hinge", "exponential"):
        assert (curves[name] >= curves["0/1"] - 1e-12).all()
        assert (np.diff(curves[name], n=2) > -1e-12).all()
        assert curves[name][np.abs(margin).argmin()] == pytest.approx(1)
