import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import decomposition as peer
from sklearn.datasets import load_digits

from gramian import TruncatedSVD
from gramian.base.errors import ParameterError

DIGITS = load_digits().data


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("algorithm", ["arpack", "randomized"])
@pytest.mark.parametrize("shape", [(1797, 64), (60, 64)])
def test_triplets_match_scikit_learn(algorithm, kind, shape):
    X = DIGITS[: shape[0]]
    ours = TruncatedSVD(5, algorithm=algorithm, random_state=0).fit(kind(X))
    theirs = peer.TruncatedSVD(5, algorithm="arpack", random_state=0).fit(X)
    for name in ("singular_values_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-8)
    np.testing.assert_allclose(
        np.abs(ours.transform(kind(X))), np.abs(theirs.transform(X)), atol=1e-6
    )


def test_no_matrix_of_the_rank_is_nearer():
    model = TruncatedSVD(6).fit(DIGITS)
    near = model.inverse_transform(model.transform(DIGITS))
    left = np.linalg.svd(DIGITS, compute_uv=False)[6:]
    assert np.linalg.norm(DIGITS - near) == pytest.approx(np.linalg.norm(left))


def test_large_sparse_tables_by_a_krylov_space():
    X = sp.random_array((900, 1200), density=0.02, rng=np.random.default_rng(0), format="csr")
    exact = sp.linalg.svds(X, 4, return_singular_vectors=False)[::-1]
    arpack = TruncatedSVD(4, algorithm="arpack", random_state=0).fit(X)
    np.testing.assert_allclose(arpack.singular_values_, exact, rtol=1e-10)
    quick = TruncatedSVD(4, random_state=0).fit(X)
    theirs = peer.TruncatedSVD(4, random_state=0).fit(X)
    assert quick.singular_values_.sum() > theirs.singular_values_.sum()


@pytest.mark.parametrize("n_iter", [1, 2, 5, 10])
def test_as_many_iterations_keep_as_much_as_scikit_learns(n_iter):
    X = sp.random_array((900, 1200), density=0.02, rng=np.random.default_rng(1), format="csr")
    ours = TruncatedSVD(6, n_iter=n_iter, random_state=0).fit(X).singular_values_
    theirs = peer.TruncatedSVD(6, n_iter=n_iter, random_state=0).fit(X).singular_values_
    assert (ours**2).sum() > (theirs**2).sum()


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_scale_of_sparse_rows_changes_no_digit(scale):
    X = sp.random_array((900, 1200), density=0.02, rng=np.random.default_rng(1), format="csr")
    found = TruncatedSVD(3, random_state=0).fit(scale * X).singular_values_ / scale
    expected = TruncatedSVD(3, random_state=0).fit(X).singular_values_
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_tiny_singular_values_are_not_lost():
    X = np.random.default_rng(0).normal(size=(800, 3)) * [1, 1e-4, 1e-8]
    found = TruncatedSVD(3, random_state=0).fit(X).singular_values_
    np.testing.assert_allclose(found, np.linalg.svd(X, compute_uv=False), rtol=1e-6)


def test_a_rank_that_x_cannot_have_is_refused():
    with pytest.raises(ParameterError, match=r"n_components=3 must be at most .*n_features=2"):
        TruncatedSVD(3).fit(np.ones((5, 2)))


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_more_components_than_the_rank_say_what_was_found(kind):
    rng = np.random.default_rng(0)
    X = kind(rng.integers(3, size=(40, 2)) @ rng.integers(3, size=(2, 9)).astype(float))
    with pytest.warns(UserWarning, match=r"n_components=3 exceeds the rank of X, which is 2"):
        TruncatedSVD(3).fit(X)
