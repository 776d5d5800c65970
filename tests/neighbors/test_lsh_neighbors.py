"""Hashing keeps its promises: recall, probabilities of collision, distances."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from gramian import LSHNeighbors, NearestNeighbors


def bent(rng, n, d=24, hidden=4):
    """Rows of d numbers that depend on a few."""
    z = rng.normal(size=(n, hidden)) @ rng.normal(size=(hidden, d))
    return np.tanh(z) + 0.02 * rng.normal(size=(n, d))


def share_found(model, X, Q, k):
    exact, _ = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(Q)
    found, _ = model.kneighbors(Q, k)
    return np.mean(found <= exact[:, -1:] * (1 + 1e-12))


@pytest.mark.slow
@pytest.mark.parametrize("hashing", ["hyperplane", "p_stable"])
@pytest.mark.parametrize("wanted", [0.5, 0.9, 0.99])
def test_the_recall_asked_for_is_reached_on_other_rows(rng, hashing, wanted):
    table = bent(rng, 21_000)
    X, Q = table[:20_000], table[20_000:]
    model = LSHNeighbors(n_neighbors=10, hashing=hashing, recall=wanted, random_state=0).fit(X)
    assert model.recall_ >= wanted
    assert share_found(model, X, Q, 10) > wanted - 0.06  # 256 rows of the sample, ten each
    assert model.n_probes_ is not None
    assert model.n_candidates_ < len(X) / 10


def test_more_buckets_look_at_more_rows_and_find_more(rng):
    X = bent(rng, 4000)
    models = [LSHNeighbors(n_probes=p, random_state=0).fit(X) for p in (4, 16, 64)]
    assert [m.n_probes_ for m in models] == [4, 16, 64]
    assert sorted(m.n_candidates_ for m in models) == [m.n_candidates_ for m in models]
    assert sorted(m.recall_ for m in models) == [m.recall_ for m in models]


def test_images_of_digits_are_found():
    X = load_digits().data
    model = LSHNeighbors(n_neighbors=10, n_probes=60, random_state=0).fit(X)
    exact = NearestNeighbors(n_neighbors=10).fit(X).kneighbors()[0]
    found = np.mean(model.kneighbors()[0] <= exact[:, -1:])
    assert found > 0.9
    assert found == pytest.approx(model.recall_, abs=0.05)
    assert model.n_candidates_ < len(X) / 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_a_recall_of_one_gives_the_exact_answer(rng, metric, dtype):
    X = bent(rng, 500).astype(dtype)
    model = LSHNeighbors(n_neighbors=4, metric=metric, n_functions=3, n_tables=4, n_probes=32)
    distances, indices = model.fit(X).kneighbors(X[:50])
    exact, order = NearestNeighbors(n_neighbors=4, metric=metric).fit(X).kneighbors(X[:50])
    np.testing.assert_allclose(distances, exact, atol=1e-6 if dtype == np.float32 else 1e-12)
    np.testing.assert_array_equal(indices[:, 1:], order[:, 1:])
    assert distances.dtype == dtype


def test_a_row_of_zeros_is_at_cosine_distance_one():
    X = np.array([[1.0, 0], [0, 2], [0, 0]])
    distances, indices = (
        LSHNeighbors(n_neighbors=3, metric="cosine", n_probes=2).fit(X).kneighbors([[3.0, 0]])
    )
    np.testing.assert_allclose(distances, [[0, 1, 1]])
    np.testing.assert_array_equal(indices, [[0, 1, 2]])


@pytest.mark.parametrize(
    ("X", "settings"),
    [
        (np.random.default_rng(0).normal(size=(4000, 64)), {}),
        (np.random.default_rng(0).normal(size=(300, 3)), {"recall": 1.0}),
        (np.random.default_rng(0).normal(size=(300, 3)), {"hashing": "p_stable", "width": 1e-9}),
    ],
    ids=["noise", "few rows", "every row alone"],
)
def test_where_buckets_do_not_pay_every_row_is_compared(X, settings):
    model = LSHNeighbors(random_state=0, **settings).fit(X)
    assert model.n_probes_ is None
    assert (model.recall_, model.n_candidates_) == (1.0, len(X))
    exact = NearestNeighbors().fit(X)
    for queries in (X[:20] + 0.1, None):
        np.testing.assert_array_equal(
            model.kneighbors(queries, return_distance=False),
            exact.kneighbors(queries, return_distance=False),
        )


def test_graph_and_self_join(rng):
    X = bent(rng, 300)
    model = LSHNeighbors(n_neighbors=3, n_probes=20, random_state=0).fit(X)
    indices = model.kneighbors(return_distance=False)
    assert not (indices == np.arange(300)[:, None]).any()
    graph = model.kneighbors_graph(mode="distance")
    assert graph.shape == (300, 300)
    assert graph.nnz == 900


@pytest.mark.parametrize("X", [np.ones((1, 3)), np.ones((40, 3)), np.arange(6.0)[:, None]])
def test_one_row_equal_rows_and_one_column(X):
    for hashing in ("hyperplane", "p_stable"):
        for probes in (None, 3):
            model = LSHNeighbors(n_neighbors=1, hashing=hashing, n_probes=probes).fit(X)
            distances, _ = model.kneighbors(X)
            assert (distances == 0).all()


def test_bad_settings_are_refused(rng):
    X = rng.normal(size=(20, 3))
    with pytest.raises(ValueError, match="n_functions must be at most 24 for hyperplanes"):
        LSHNeighbors(n_functions=30).fit(X)
    with pytest.raises(ValueError, match=r"recall must be a number in \(0, 1\]"):
        LSHNeighbors(recall=0).fit(X)
    with pytest.raises(ValueError, match="n_neighbors = 21"):
        LSHNeighbors().fit(X).kneighbors(X, 21)
