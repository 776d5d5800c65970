import numpy as np
import pytest
from sklearn import decomposition as peer
from sklearn.datasets import load_digits, load_iris, load_wine

from gramian.base.errors import DataError, ParameterError
from gramian.decomposition import components_for_variance, minka_mle, parallel_analysis
from gramian.decomposition.number_of_components import warn_above_rank


def variances(X):
    return peer.PCA().fit(X).explained_variance_


def test_t45_the_proportion_of_variance():
    assert components_for_variance([2.0, 0.5], 0.79) == 1
    assert components_for_variance([2.0, 0.5], 0.81) == 2
    assert components_for_variance([0.0, 0.0], 0.5) == 1


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_the_evidence_is_scikit_learns(load):
    X = load().data
    assert minka_mle(variances(X), len(X)) == peer.PCA("mle").fit(X).n_components_


def test_the_evidence_finds_a_plane_in_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 10)) * 3 + rng.normal(size=(300, 10))
    assert minka_mle(variances(X), 300) == 3


@pytest.mark.parametrize("true", [1, 3])
def test_parallel_analysis_counts_what_is_not_noise(true):
    rng = np.random.default_rng(true)
    X = rng.normal(size=(400, true)) @ rng.normal(size=(true, 12)) * 2 + rng.normal(size=(400, 12))
    assert parallel_analysis(X) == true


def test_noise_has_few_components_and_digits_many():
    noise = np.random.default_rng(0).normal(size=(500, 10))
    assert parallel_analysis(noise) == 1
    assert 8 <= parallel_analysis(load_digits().data, repeats=3) <= 25


def test_what_is_asked_must_make_sense():
    with pytest.raises(ParameterError, match=r"fraction must be in \(0, 1\]; got 2"):
        components_for_variance([1.0], 2)
    with pytest.raises(DataError, match="in decreasing order"):
        components_for_variance([1.0, 2.0], 0.5)
    with pytest.raises(DataError, match="at least 2 rows"):
        parallel_analysis([[1.0, 2.0]])
    with pytest.raises(ParameterError, match="repeats at least 1"):
        parallel_analysis(np.eye(3), repeats=0)


def test_a_number_above_the_rank_is_reported():
    with pytest.warns(UserWarning, match=r"Own: n_components=3 exceeds the rank of X, which is 1"):
        warn_above_rank("Own", np.array([2.0, 1e-17, 0.0]), (5, 4), np.float64, rows="X")
    warn_above_rank("Own", np.array([2.0, 1e-10]), (5, 4), np.float64, rows="X")


def test_variances_that_are_missing_and_no_rows_are_refused():
    with pytest.raises(ValueError, match=r"components_for_variance: eigenvalues contains NaN"):
        components_for_variance([np.nan], 0.5)
    with pytest.raises(ValueError, match=r"minka_mle: n_samples must be at least 1; got 0"):
        minka_mle([2.0, 0.5], 0)
