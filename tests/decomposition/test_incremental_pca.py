import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import decomposition as peer
from sklearn.datasets import load_iris

from gramian import PCA, IncrementalPCA
from gramian.base.errors import DataError, ParameterError

X = load_iris().data


@pytest.mark.parametrize("batch", [10, 50, 150])
def test_all_components_match_all_rows(batch):
    ours, exact = IncrementalPCA(batch_size=batch).fit(X), PCA().fit(X)
    np.testing.assert_allclose(ours.explained_variance_, exact.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(ours.components_, exact.components_, atol=1e-8)
    np.testing.assert_allclose(ours.mean_, X.mean(axis=0))
    np.testing.assert_allclose(ours.var_, X.var(axis=0))
    assert ours.n_samples_seen_ == 150


@pytest.mark.parametrize("whiten", [False, True])
def test_fewer_components_are_scikit_learns(whiten):
    ours = IncrementalPCA(2, batch_size=30, whiten=whiten).fit(X)
    theirs = peer.IncrementalPCA(2, batch_size=30, whiten=whiten).fit(X)
    for name in ("explained_variance_", "explained_variance_ratio_", "singular_values_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-8)
    np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=1e-7)


def test_batches_may_be_given_one_by_one_and_sparse():
    one, two = IncrementalPCA(2), IncrementalPCA(2, batch_size=50).fit(X)
    for part in np.split(X, 3):
        one.partial_fit(sp.csr_array(part))
    np.testing.assert_allclose(one.components_, two.components_)


def test_a_last_batch_with_too_few_rows_joins_the_one_before():
    model = IncrementalPCA(3, batch_size=74).fit(X)
    assert model.n_samples_seen_ == 150


def test_batches_must_suit_the_number_of_components():
    with pytest.raises(DataError, match="at least n_components=3 rows"):
        IncrementalPCA(3).partial_fit(X[:2])
    with pytest.raises(ParameterError, match="at most n_features=4"):
        IncrementalPCA(5).fit(X)
    model = IncrementalPCA(3).partial_fit(X).set_params(n_components=2)
    with pytest.raises(ParameterError, match="the same for every batch; it was 3"):
        model.partial_fit(X)


def test_more_components_than_the_rank_say_what_was_found():
    X = np.random.default_rng(0).normal(size=(60, 2)) @ np.arange(8.0).reshape(2, 4)
    with pytest.warns(UserWarning, match=r"IncrementalPCA: n_components=3 exceeds .* which is 2"):
        IncrementalPCA(3, batch_size=20).fit(X)
