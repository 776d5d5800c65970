"""Classification with nu."""

import warnings

import numpy as np
import pytest
from sklearn import svm as peer
from sklearn.exceptions import ConvergenceWarning

from gramian import NuSVC
from tests.svm.kernel_machine_data import noisy_rings, real_set


@pytest.mark.parametrize("name", ["wine", "glass", "sonar"])
def test_scores_agree_with_scikit_learn(name, data_folder):
    X, y = real_set(name, data_folder)
    common = {"nu": 0.15, "gamma": 1 / X.shape[1], "tol": 1e-7, "decision_function_shape": "ovo"}
    ours, theirs = NuSVC(**common).fit(X, y), peer.NuSVC(**common).fit(X, y)
    # LIBSVM's kernel values are of single precision, and the scores are divided by a small margin.
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=3e-4, atol=1e-3
    )


@pytest.mark.parametrize("nu", [0.2, 0.5])
def test_nu_bounds_errors_from_above_and_support_vectors_from_below(nu):
    X, y = noisy_rings(200)
    model = NuSVC(nu=nu, tol=1e-6).fit(X, y)
    inside = np.where(y == 1, 1, -1) * model.decision_function(X) < 1 - 1e-3
    assert inside.mean() <= nu <= len(model.support_) / len(X) + 1e-9


def test_an_infeasible_nu_raises_an_error():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1]
    with pytest.raises(ValueError, match=r"specified nu is infeasible: it must be at most 0\.5"):
        NuSVC(nu=0.6).fit(X, y)
    NuSVC(nu=0.6, class_weight="balanced").fit(X, y)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_nu_too_small_for_overlapping_classes_warns(kernel):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.integers(2, size=100)
    with pytest.warns(ConvergenceWarning, match=r"margin of classes 0 and 1 is .*raise nu"):
        NuSVC(nu=0.02, kernel=kernel, gamma=0.1).fit(X, y)
    clear = X + 3 * y[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        NuSVC(nu=0.2, kernel=kernel, gamma=0.1).fit(clear, y)


@pytest.mark.parametrize(
    ("clear", "others"),
    [([0, 0, 0], r" \(the same holds for 2 other pairs\),"), ([0, 0], ","), ([0, 0, 9], ",")],
)
def test_the_warning_counts_the_other_pairs(clear, others):
    rng = np.random.default_rng(0)
    y = np.arange(120) % len(clear)
    X = rng.normal(size=(120, 3)) + np.array(clear)[y, None]
    with pytest.warns(ConvergenceWarning, match=rf"error of 0\.001{others} so the scores"):
        NuSVC(nu=0.02, kernel="linear").fit(X, y)


def test_the_scale_of_the_weights_has_no_effect():
    X, y = noisy_rings(60)
    one = NuSVC(nu=0.3, tol=1e-8).fit(X, y)
    huge = NuSVC(nu=0.3, tol=1e-8).fit(X, y, sample_weight=np.full(60, 2.0**500))
    np.testing.assert_allclose(one.decision_function(X), huge.decision_function(X), rtol=1e-6)
