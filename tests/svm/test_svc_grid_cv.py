"""Cross-validation over C and gamma."""

import numpy as np
import pytest
from sklearn import svm as peer
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from gramian import SVC, SVCGridCV
from tests.svm.kernel_machine_data import noisy_rings, real_set

GRID = {"C": [1.0, 5.0, 30.0], "gamma": [0.01, 0.1, 1.0]}


@pytest.mark.parametrize("name", ["wine", "glass"])
@pytest.mark.parametrize("cache_size", [200, 0.01])
def test_results_agree_with_grid_search(name, cache_size, data_folder):
    X, y = real_set(name, data_folder)
    # Not balanced: classes of equal weight may have all multipliers at their bounds, and LIBSVM's
    # intercept then depends on a last bit.
    weights = {0: 1.0, 1: 1.7, 2: 0.6}
    base = SVC(tol=1e-6, cache_size=cache_size, class_weight=weights)
    ours = SVCGridCV(base, Cs=GRID["C"], gammas=GRID["gamma"], cv=3).fit(X, y)
    judge = peer.SVC(tol=1e-6, class_weight=weights)
    theirs = GridSearchCV(judge, GRID, cv=StratifiedKFold(3)).fit(X, y)
    found = ours.cv_results_
    for key in ("mean_test_score", "std_test_score", "rank_test_score", "split1_test_score"):
        np.testing.assert_allclose(found[key], theirs.cv_results_[key], atol=1e-12)
    assert found["params"] == theirs.cv_results_["params"]
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("cache_size", [200, 0.01])
def test_neither_the_order_of_the_rows_nor_that_of_C_matters(cache_size):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    base = SVC(tol=1e-6, cache_size=cache_size)
    grid = {"C": [30.0, 0.7, 5.0], "gamma": GRID["gamma"]}
    ours = SVCGridCV(base, Cs=grid["C"], gammas=grid["gamma"], cv=4).fit(X, y)
    theirs = GridSearchCV(peer.SVC(tol=1e-6), grid, cv=StratifiedKFold(4)).fit(X, y)
    for key in ("mean_test_score", "split0_test_score", "split3_test_score"):
        np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key], atol=1e-12)
    assert ours.best_params_ == theirs.best_params_


def test_fewer_kernel_values_than_separate_fits():
    X, y = noisy_rings(300)
    ours = SVCGridCV(Cs=GRID["C"], gammas=GRID["gamma"]).fit(X, y)
    assert ours.kernel_entries_ == len(GRID["gamma"]) * len(X) ** 2
    separate = 0
    for train, _ in StratifiedKFold(5).split(X, y):
        for parameters in ours.cv_results_["params"]:
            separate += clone(SVC(**parameters)).fit(X[train], y[train]).kernel_entries_
    assert ours.kernel_entries_ < separate / 5


def test_the_best_machine_is_fitted_to_all_rows():
    X, y = noisy_rings()
    model = SVCGridCV(cv=3).fit(X, y)
    same = SVC(**model.best_params_).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), same.decision_function(X))
    assert len(model.cv_results_["params"]) == 25


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"Cs": [0.0]}, "Cs must be"),
        ({"gammas": []}, "gammas must be"),
        ({"gammas": ["scale"]}, "gammas must be"),
        ({"estimator": SVC(kernel="linear")}, "must have a gamma"),
        ({"cv": 40}, "cv=40"),
    ],
)
def test_bad_settings_get_an_error(settings, words):
    X, y = noisy_rings(30)
    with pytest.raises(ValueError, match=words):
        SVCGridCV(**settings).fit(X, y)
