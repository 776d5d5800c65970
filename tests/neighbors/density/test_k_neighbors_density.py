"""Densities from the k nearest rows."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gramian
from gramian import KNeighborsClassifier, KNeighborsDensity
from gramian.neighbors.density.kernels import KERNELS, log_normaliser


def test_density_at_0_of_three_points():
    model = KNeighborsDensity(n_neighbors=2).fit([[-1.0], [0.0], [1.0]])
    assert np.exp(model.score_samples([[0.0]])[0]) == pytest.approx(1 / 3)


def test_balls_in_three_dimensions(rng):
    X, Q = rng.normal(size=(200, 3)), rng.normal(size=(20, 3))
    radius = np.sort(cdist(Q, X), axis=1)[:, 6]
    found = np.exp(KNeighborsDensity(n_neighbors=7).fit(X).score_samples(Q))
    np.testing.assert_allclose(found, 7 / (200 * 4 / 3 * np.pi * radius**3))


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k != "tophat"])
def test_kernels_as_wide_as_the_distance_of_the_k_th_row(rng, kernel):
    X, Q = rng.normal(size=(200, 2)), rng.normal(size=(20, 2))
    D = cdist(Q, X)
    expected = []
    for distances in D:
        h = np.sort(distances)[6]
        weights = np.exp(KERNELS[kernel].log_weight(distances, h))
        expected.append(weights.sum() / 200 * np.exp(log_normaliser(kernel, 2, h)))
    model = KNeighborsDensity(n_neighbors=7, kernel=kernel).fit(X)
    np.testing.assert_allclose(np.exp(model.score_samples(Q)), expected, rtol=1e-9)


def test_the_box_kernel_is_the_plain_estimate(rng):
    X, Q = rng.normal(size=(200, 2)), rng.normal(size=(20, 2))
    box, plain = (KNeighborsDensity(kernel=k).fit(X).score_samples(Q) for k in ("tophat", None))
    np.testing.assert_array_equal(box, plain)


def test_class_densities_give_the_votes_of_the_neighbours(rng):
    """k_i / (N_i V) times N_i / N, over their sum, is k_i / k."""
    X, y, Q = rng.normal(size=(100, 2)), rng.integers(0, 3, 100), rng.normal(size=(10, 2))
    votes = KNeighborsClassifier(n_neighbors=9).fit(X, y).predict_proba(Q)
    density = np.exp(KNeighborsDensity(n_neighbors=9).fit(X).score_samples(Q))
    D = cdist(Q, X)
    radius = np.sort(D, axis=1)[:, 8]
    for c in range(3):
        inside = ((radius[:, None] >= D) & (y == c)).sum(axis=1)
        of_class = inside / ((y == c).sum() * np.pi * radius**2)  # k_i / (N_i V)
        np.testing.assert_allclose(of_class * np.mean(y == c) / density, votes[:, c], atol=1e-12)


def test_coinciding_rows_have_an_infinite_density():
    for kernel in (None, "gaussian"):
        model = KNeighborsDensity(n_neighbors=2, kernel=kernel).fit([[1.0], [1.0], [3.0]])
        assert model.score_samples([[1.0]])[0] == np.inf
        assert np.isfinite(model.score_samples([[2.0]])[0])


def test_too_few_rows_and_files(rng, tmp_path):
    with pytest.raises(ValueError, match="n_neighbors=5"):
        KNeighborsDensity().fit([[1.0], [2.0]])
    X = rng.normal(size=(30, 2))
    model = KNeighborsDensity(kernel="linear").fit(X)
    loaded = gramian.load(gramian.save(model, tmp_path / "knn.gram"))
    np.testing.assert_array_equal(loaded.score_samples(X), model.score_samples(X))
