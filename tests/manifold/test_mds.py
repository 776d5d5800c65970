import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn import manifold as peer
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.manifold import MDS, ClassicalMDS

X = load_iris().data[::3]
D = squareform(pdist(X))


def stress(Z, D):
    return ((pdist(Z) - squareform(D)) ** 2).sum()


def test_points_in_the_plane_are_found_again():
    plane = np.random.default_rng(0).normal(size=(30, 2))
    model = MDS(metric="precomputed").fit(squareform(pdist(plane)))
    np.testing.assert_allclose(pdist(model.embedding_), pdist(plane), atol=1e-6)


def test_the_stress_matches_the_points_and_is_below_classical_scalings():
    model = MDS().fit(X)
    assert model.stress_ == pytest.approx(stress(model.embedding_, D))
    assert model.stress_ < stress(ClassicalMDS().fit_transform(X), D)


def test_no_iteration_raises_the_stress():
    found = []
    for steps in range(1, 15):
        with pytest.warns(ConvergenceWarning, match="did not converge"):
            model = MDS(init="random", random_state=0, max_iter=steps, eps=0).fit(X)
        found.append(model.stress_)
    assert (np.diff(found) <= 1e-9).all()


def test_the_stress_is_scikit_learns_from_the_same_start():
    start = np.random.default_rng(0).normal(size=(len(X), 2))
    ours = MDS(init=start, eps=1e-9, max_iter=2000, metric="precomputed").fit(D)
    theirs = peer.smacof(
        D, n_components=2, init=start, n_init=1, eps=1e-9, max_iter=2000, normalized_stress=False
    )
    assert ours.stress_ == pytest.approx(theirs[1], rel=1e-4)


def test_only_the_order_counts_without_metric():
    plane = np.random.default_rng(0).normal(size=(25, 2))
    bent = squareform(pdist(plane)) ** 3
    model = MDS(metric_mds=False, metric="precomputed", max_iter=1000, eps=1e-9).fit(bent)
    assert model.stress_ < 0.02  # Kruskal's stress-1: excellent below 0.025
    ranks = np.corrcoef(
        np.argsort(np.argsort(pdist(model.embedding_))), np.argsort(np.argsort(pdist(plane)))
    )
    assert ranks[0, 1] > 0.99


def test_the_best_of_several_starts_is_kept_and_starts_are_checked():
    one, many = (MDS(init="random", n_init=n, random_state=0).fit(X) for n in (1, 4))
    assert many.stress_ <= one.stress_
    with pytest.raises(DataError, match=r"shape \(50, 2\)"):
        MDS(init=np.ones((3, 2))).fit(X)


def test_fit_takes_the_points_to_start_from():
    X = load_iris().data[:20]
    start = np.random.default_rng(0).normal(size=(20, 2))
    found = MDS(n_init=1).fit_transform(X, init=start)
    np.testing.assert_array_equal(found, MDS(n_init=1, init=start).fit_transform(X))
