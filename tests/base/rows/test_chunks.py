"""The gate for chunks: passes that can be repeated, one form, blocks of one size."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import gramian
from gramian import KMeans, LinearRegression, LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs import gate as gate_module
from gramian.base.inputs.targets import check_targets
from gramian.base.rows import chunks as module
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import add
from tests.scale.methods import ListParts

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
        ([], "chunks must contain at least one row"),
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
    checked = gate_module.check_finite
    monkeypatch.setattr(
        gate_module,
        "check_finite",
        lambda *a, **b: looked.append(len(a[2])) or checked(*a, **b),
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


@pytest.mark.parametrize("value", [X, sp.csr_array(X), (X, y), (X, y, y), "a.parquet", None, 3, {}])
def test_one_table_or_none_is_refused(model, value):
    with pytest.raises(DataError, match=r"chunks must be .*tables; got .*pass a list of \(X, y\)"):
        Chunks.of(model, value)


@pytest.mark.parametrize("value", [(X, X), (X, X, X), np.stack([X, X])])
def test_tuples_and_stacks_of_tables_are_chunks(model, value):
    assert [chunk.X.shape for chunk in Chunks.of(model, value)] == [(10, 2)] * len(value)


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


@pytest.mark.parametrize("chunk", [{"a": 1.0}, "text", None, ({"a": 1.0}, [1])])
def test_chunks_that_are_no_tables_are_refused(model, chunk):
    with pytest.raises(DataError, match=r"a chunk must be a table X, or \(X, y\); got"):
        Chunks.of(model, [chunk, X])
    with pytest.raises(DataError, match=r"got .*This is chunk 1, counted from 0"):
        list(Chunks.of(model, [X, chunk]))


def test_a_check_of_targets_names_the_chunk(model):
    gate = replace(Chunks.of(model, [(X, X[:, 0]), (X, X)]), check_y=check_targets)
    with pytest.raises(DataError, match=r"1d array.*This is chunk 1"):
        list(gate)
    assert [y.dtype for _, y, _ in replace(gate, source=[(X, [1] * len(X))])] == [np.float64]


@pytest.mark.parametrize("name", ["LinearRegression", "SGDRegressor", "PoissonRegressor"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_target_that_is_not_finite_is_named_with_its_chunk(name, number):
    y = [np.ones(len(X)), np.ones(len(X))]
    y[number] = np.where(np.arange(len(X)) == 2, np.nan, 1.0)
    with pytest.raises(DataError, match=rf"Input y contains NaN.*chunk {number}, counted"):
        getattr(gramian, name)().fit_chunks([(X, y[0]), (X, y[1])])


def test_other_columns_of_y_and_no_y_are_named():
    with pytest.raises(DataError, match=r"has 2 columns of y and the first one 1.* chunk 1"):
        LinearRegression().fit_chunks([(X, X[:, 0]), (X, X[:, :2])])
    with pytest.raises(DataError, match=r"pass chunks of \(X, y\)"):
        LogisticRegression().fit_chunks([X, X])


class Columns:
    """Chunks that can tell their targets, and their first rows, alone."""

    def __init__(self, chunks):
        self.chunks, self.passes = chunks, 0

    def __iter__(self):
        self.passes += 1
        return iter(self.chunks)

    def targets(self):
        return ((y, None) for _, y in self.chunks)

    def first_rows(self, rows):
        return tuple(part[:rows] for part in self.chunks[0])


def test_targets_and_first_rows_are_taken_alone_where_they_can_be():
    source = Columns([(X[:3], [0, 1, 0]), (X[3:], [1] * (len(X) - 3))])
    gate = Chunks.of(LogisticRegression(), source)
    begun = source.passes  # to see that it can be begun again
    assert [n for _, _, n in gate.targets()] == [3, len(X) - 3]
    assert gate.first().X.shape[0] == gate.head(2).X.shape[0] + 1 == 3
    assert source.passes == begun
    assert [(n, w) for _, w, n in Chunks.of(LogisticRegression(), list(source)).targets()] == [
        (3, None),
        (len(X) - 3, None),
    ]


def test_the_beginning_is_cut_where_it_ends(model):
    gate = Chunks.of(model, [X[:3], X[3:5], X[5:]])
    assert [len(c.X) for c in gate.beginning(4)] == [3, 1]
    bad = np.where(np.arange(len(X))[:, None] == len(X) - 1, np.nan, X)
    whole = Chunks.of(model, [bad])
    list(whole.beginning(2))
    with pytest.raises(DataError, match="contains NaN"):  # which the beginning has not looked at
        list(whole)


def test_parts_are_looked_at_once(model, monkeypatch):
    looked = []
    checked = gate_module.check_finite
    monkeypatch.setattr(
        gate_module,
        "check_finite",
        lambda *a, **b: looked.append(len(a[2])) or checked(*a, **b),
    )
    gate = Chunks.of(model, ListParts([(X[:3], None), (X[3:], None)]))
    looked.clear()
    for _ in range(3):
        assert gate.total(rows_of_gate, add) == len(X)
    assert looked == [3, len(X) - 3]


def test_parts_that_a_step_did_not_reach_are_looked_at_later(model):
    bad = np.where(X[-1] == X, np.nan, X)
    gate = Chunks.of(model, ListParts([(X, None), (bad, None)]))
    assert gate.total(lambda chunks: 0, add) == 0
    with pytest.raises(DataError, match=r"contains NaN.*chunk 1"):
        gate.total(rows_of_gate, add)


def rows_of_gate(chunks):
    return sum(len(chunk.X) for chunk in chunks)
