import numpy as np
from scipy.spatial.distance import pdist, squareform

from gramian.manifold.double_centring import coordinates_of, double_centred, least_eigenvalue

X = np.random.default_rng(0).normal(size=(40, 3))
D = squareform(pdist(X))


def test_inner_products_are_those_about_the_centre():
    centred = X - X.mean(axis=0)
    found = double_centred(D)
    np.testing.assert_allclose(found.B, centred @ centred.T, atol=1e-12)
    np.testing.assert_allclose(found.row_means, (D**2).mean(axis=0))


def test_points_have_the_distances():
    values, points = coordinates_of(double_centred(D).B, 5)
    np.testing.assert_allclose(squareform(pdist(points)), D, atol=1e-7)
    np.testing.assert_allclose(values[3:], 0, atol=1e-10)


def test_the_least_eigenvalue_distinguishes_euclidean_distances():
    rng = np.random.default_rng(1)
    for n in (40, 400):
        rows = rng.normal(size=(n, 3))
        distances = squareform(pdist(rows))
        B = double_centred(distances).B
        assert abs(least_eigenvalue(B)) < 1e-9 * np.trace(B)
        bent = double_centred(distances**2).B
        exact = np.linalg.eigvalsh(bent)[0]
        np.testing.assert_allclose(least_eigenvalue(bent), exact, rtol=1e-2)
