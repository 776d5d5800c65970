"""The objective of k-means in other forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian import KMeans
from gramian.textbook.clustering import best_partition, pairwise_objective
from tests.cluster.conftest import tables


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None, max_examples=50)
@given(X=tables(rows=(2, 7), columns=(1, 2)), k=st.integers(1, 2))
def test_no_run_beats_the_best_partition(X, k):
    labels, least = best_partition(X, k)
    assert len(np.unique(labels)) == k
    model = KMeans(k, n_init=5, random_state=0).fit(X)
    assert model.inertia_ >= least - 1e-9 * (1 + (X**2).sum())


def test_many_starts_find_the_best_partition():
    X = np.random.default_rng(3).normal(size=(9, 2))
    _, least = best_partition(X, 3)
    assert KMeans(3, n_init=30, init="random", random_state=0).fit(X).inertia_ == pytest.approx(
        least
    )


def test_the_pairwise_form_is_twice_the_objective(digits):
    """T22: sum over pairs within clusters, over their sizes, is twice the sum about the means."""
    X = digits[:200]
    model = KMeans(5, n_init=1, random_state=0, tol=0).fit(X)
    assert pairwise_objective(X, model.labels_) == pytest.approx(2 * model.inertia_, rel=1e-12)


def test_errors_name_the_function_and_the_parameter():
    with pytest.raises(ValueError, match=r"^best_partition: X: Input X contains NaN"):
        best_partition([[np.nan], [1.0]], 1)
    for bad in (0, 1.5):
        with pytest.raises(ValueError, match=r"^best_partition: n_clusters must be an integer"):
            best_partition([[0.0], [1.0]], bad)
    with pytest.raises(ValueError, match=r"^pairwise_objective: labels must have one entry"):
        pairwise_objective([[0.0], [1.0]], [0])
