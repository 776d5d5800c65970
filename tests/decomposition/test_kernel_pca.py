import numpy as np
import pytest
from sklearn import decomposition as peer
from sklearn.datasets import load_iris, make_circles
from sklearn.metrics.pairwise import rbf_kernel

from gramian import PCA, KernelPCA
from gramian.base.errors import DataError, ParameterError

X = load_iris().data


@pytest.mark.parametrize(
    "settings",
    [
        {"kernel": "rbf", "gamma": 0.3},
        {"kernel": "poly", "degree": 2, "coef0": 1},
        {"kernel": "cosine"},
        {"kernel": "linear", "eigen_solver": "dense"},
    ],
    ids=lambda settings: settings["kernel"],
)
def test_coordinates_are_scikit_learns(settings):
    ours = KernelPCA(3, **settings).fit(X)
    theirs = peer.KernelPCA(3, **settings).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)
    new = X[::7] + 0.1
    np.testing.assert_allclose(
        np.abs(ours.transform(new)), np.abs(theirs.transform(new)), atol=1e-7
    )


def test_the_linear_kernel_is_pca():
    ours = KernelPCA(2).fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(PCA(2).fit_transform(X)), atol=1e-9)


def test_training_rows_have_the_same_coordinates_as_new_rows():
    model = KernelPCA(2, kernel="rbf")
    np.testing.assert_allclose(model.fit_transform(X), model.transform(X), atol=1e-9)


def test_circles_come_apart():
    circles, y = make_circles(200, factor=0.3, noise=0.05, random_state=0)
    first = KernelPCA(1, kernel="rbf", gamma=2).fit_transform(circles)[:, 0]
    inner, outer = first[y == 1], first[y == 0]
    assert inner.min() > outer.max() or inner.max() < outer.min()


def test_given_kernels_and_functions():
    K = rbf_kernel(X, gamma=0.3)
    precomputed = KernelPCA(2, kernel="precomputed").fit(K)
    named = KernelPCA(2, kernel="rbf", gamma=0.3).fit(X)
    np.testing.assert_allclose(precomputed.transform(K), named.transform(X), atol=1e-9)
    of_two = KernelPCA(2, kernel=lambda a, b, s: s * a @ b, kernel_params={"s": 2.0}).fit(X[:20])
    np.testing.assert_allclose(of_two.eigenvalues_, 2 * KernelPCA(2).fit(X[:20]).eigenvalues_)


def test_a_few_pairs_of_many_rows_match_all():
    rows = np.random.default_rng(0).normal(size=(400, 5))
    few = KernelPCA(3, kernel="rbf", random_state=0).fit(rows)
    full = KernelPCA(3, kernel="rbf", eigen_solver="dense").fit(rows)
    np.testing.assert_allclose(few.eigenvalues_, full.eigenvalues_, rtol=1e-10)


def test_the_way_back_is_scikit_learns():
    ours = KernelPCA(4, kernel="rbf", fit_inverse_transform=True, alpha=0.1).fit(X)
    theirs = peer.KernelPCA(4, kernel="rbf", fit_inverse_transform=True, alpha=0.1).fit(X)
    np.testing.assert_allclose(
        ours.inverse_transform(ours.transform(X)),
        theirs.inverse_transform(theirs.transform(X)),
        atol=1e-6,
    )


def test_coordinates_without_variance_are_left_out():
    assert KernelPCA().fit(X).eigenvalues_.shape == (4,)
    assert KernelPCA(6, remove_zero_eig=True).fit(X).eigenvalues_.shape == (4,)
    assert KernelPCA(6).fit(X).transform(X).shape == (150, 6)


def test_what_is_no_kernel_is_refused():
    with pytest.raises(DataError, match="negative eigenvalue"):
        KernelPCA(kernel="precomputed").fit(-np.eye(4) + 0.1)
    with pytest.raises(ParameterError, match="needs rows"):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(np.eye(3))
    assert not hasattr(KernelPCA(), "inverse_transform")


def test_rounding_of_single_precision_makes_no_components():
    rows = X - X.mean(axis=0)
    double, single = KernelPCA().fit(rows), KernelPCA().fit(rows.astype(np.float32))
    assert double.eigenvalues_.shape == single.eigenvalues_.shape == (4,)


def test_equal_rows_have_no_components():
    assert KernelPCA().fit_transform(np.ones((3, 2))).shape == (3, 0)


def test_rows_that_are_nothing_alike_have_equal_eigenvalues():
    X = np.arange(150.0)[:, None]
    model = KernelPCA(2, kernel="rbf", gamma=1e5).fit(X)  # the kernel matrix is the identity
    np.testing.assert_allclose(model.eigenvalues_, [1.0, 1.0], rtol=1e-12)
