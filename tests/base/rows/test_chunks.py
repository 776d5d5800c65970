"""The gate for chunks: passes that can be repeated, one form, blocks of one size."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import KMeans, LinearRegression, LogisticRegression
from gramian.base import gate as gate_module
from gramian.base.errors import DataError, ParameterError
from gramian.base.rows import chunks as module
from gramian.base.rows.chunks import Chunks

X = np.arange(20.0).reshape(10, 2)
y = np.arange(10)


@pytest.fixture
def model():
    return KMeans(2)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("cuts", [[], [1], [3, 4, 9], [5]])
def test_blocks_do_not_depend_on_the_cuts(model, monkeypatch, kind, cuts):
    monkeypatch.setattr(module, "BLOCK_ROWS", 4)
    parts = [
        (kind(a), b, c)
        for a, b, c in zip(*(np.split(v, cuts) for v in (X, y, y + 1.0)), strict=True)
    ]
    gate = Chunks.of(model, parts)
    for _ in range(2):  # passes can be repeated
        blocks = list(gate.blocks())
        assert [block.X.shape[0] for block in blocks] == [4, 4, 2]
        whole = [b.X.toarray() if sp.issparse(b.X) else b.X for b in blocks]
        np.testing.assert_array_equal(np.vstack(whole), X)
        np.testing.assert_array_equal(np.concatenate([b.y for b in blocks]), y)
        np.testing.assert_array_equal(np.concatenate([b.weights for b in blocks]), y + 1.0)


def test_rows_without_weights_weigh_one_beside_others(model):
    gate = Chunks.of(model, [(X[:5], y[:5]), (X[5:], y[5:], np.full(5, 2.0))])
    (block,) = gate.blocks()
    assert block.weights.tolist() == [1.0] * 5 + [2.0] * 5


def test_the_first_chunk_fixes_the_columns_and_the_type(model):
    gate = Chunks.of(model, [X.astype(np.float32), X[:3].tolist()])
    assert (gate.n_features, gate.dtype, gate.sparse) == (2, np.float32, False)
    assert {chunk.X.dtype for chunk in gate} == {np.dtype(np.float32)}
    assert model.n_features_in_ == 2


@pytest.mark.parametrize(
    ("chunks", "words"),
    [
        ([], "chunks is empty"),
        (iter([X]), "a new pass each time"),
        ([X, X[:, :1]], "X has 1 features"),
        ([X, X.astype(np.float32)], "one float type"),
        ([X, sp.csr_array(X)], "chunks of one kind"),
        ([X, (X, y[:3])], "y has 3 rows but X has 10 rows"),
        ([X, (X, None, -np.ones(10))], "must not be negative"),
        ([X, X * np.nan], "contains NaN"),
    ],
)
def test_chunks_that_do_not_fit_are_refused(model, chunks, words):
    with pytest.raises(DataError, match=f"^KMeans: .*{words}"):
        list(Chunks.of(model, chunks))


def test_parameters_are_checked_first():
    with pytest.raises(ParameterError, match="n_clusters must be"):
        Chunks.of(KMeans(0), [X])


def test_values_are_looked_at_once(model, monkeypatch):
    looked = []
    look = gate_module.check_finite
    monkeypatch.setattr(
        gate_module, "check_finite", lambda *a, **b: looked.append(len(a[2])) or look(*a, **b)
    )
    gate = Chunks.of(model, [X[:3], X[3:]])
    gate.first()
    for _ in range(3):
        list(gate.blocks())
    assert looked == [3, 7]
    list(replace(Chunks.of(model, [X]), values=False))
    assert looked == [3, 7]


def test_a_chunk_that_is_not_finite_is_named_in_every_pass(model):
    gate = Chunks.of(model, [X, np.full_like(X, np.inf)])
    for _ in range(2):
        with pytest.raises(DataError, match=r"contains .*This is chunk 1"):
            list(gate)


@pytest.mark.parametrize("given", [X, sp.csr_array(X), (X, y), (X, y, y), "a.parquet", None, 3, {}])
def test_one_table_or_none_is_refused_in_words(model, given):
    with pytest.raises(DataError, match=r"chunks must be .*tables; got .*give a list of \(X, y\)"):
        Chunks.of(model, given)


@pytest.mark.parametrize("given", [(X, X), (X, X, X), np.stack([X, X])])
def test_tuples_and_stacks_of_tables_are_chunks(model, given):
    assert [chunk.X.shape for chunk in Chunks.of(model, given)] == [(10, 2)] * len(given)


def test_the_chunk_of_a_bad_target_is_named():
    bad = np.where(y == 4, np.nan, y)
    for owner, message in ((LinearRegression(), "contains NaN"), (LogisticRegression(), "NaN")):
        with pytest.raises(DataError, match=rf"{message}.*This is chunk 2, counted from 0"):
            owner.fit_chunks([(X, y % 2 * 1.0), (X[:0], y[:0]), (X, bad)])


def test_only_arrays_that_need_no_copy_count_as_in_memory(tmp_path):
    X, y = np.arange(6.0).reshape(3, 2), np.ones(3)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert Chunks.of(LinearRegression(), [(X, y), (X[1:], y[1:])]).in_memory
    for other in (mapped, X.tolist(), X.astype(np.float32), np.asfortranarray(X), X.astype(int)):
        assert not Chunks.of(LinearRegression(), [(X, y), (other, y)]).in_memory
    assert not Chunks.of(LinearRegression(), {1: (X, y)}.values()).in_memory
