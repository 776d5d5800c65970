"""The gate converts, checks once and says what is wrong."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian import DecisionTreeRegressor, LinearDiscriminantAnalysis, Ridge, _native
from gramian.base.errors import DataError
from gramian.base.fields import params
from gramian.base.inputs.gate import check_chunk, check_fit, check_new, check_size, numbers_of
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator


@params
class Dense(Estimator):
    """Takes dense tables."""

    def fit(self, X):
        self.table_ = check_fit(self, X)
        return self


@params
class Loose(Estimator):
    """Takes sparse tables and missing values."""

    takes_sparse = True
    takes_nan = True


def test_a_contiguous_float_table_is_not_copied():
    for dtype in (np.float32, np.float64):
        X = np.ones((5, 3), dtype=dtype)
        assert check_fit(Dense(), X) is X


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, np.float16, bool, object])
def test_other_numbers_become_float64(dtype):
    X = check_fit(Dense(), np.ones((2, 2), dtype=dtype))
    assert X.dtype == np.float64
    assert X.flags.c_contiguous


def test_new_data_can_be_brought_to_the_fitted_type():
    model = Dense().fit(np.ones((2, 2), dtype=np.float32))
    assert check_new(model, np.ones((2, 2)), dtype=np.float32).dtype == np.float32


def test_missing_values_pass_only_where_they_are_taken():
    X = np.array([[1.0, np.nan]])
    assert np.isnan(check_fit(Loose(), X)[0, 1])
    with pytest.raises(DataError, match="Dense: Input X contains NaN"):
        check_fit(Dense(), X)
    with pytest.raises(DataError, match="contains inf"):
        check_fit(Loose(), np.array([[np.inf, np.nan]]))


def test_sparse_tables_are_returned_canonical_and_the_input_is_unchanged():
    X = sp.csr_array(([1.0, 2.0, 3.0], [1, 0, 1], [0, 3]), shape=(1, 2))
    got = check_fit(Loose(), X)
    assert got.has_canonical_format
    np.testing.assert_array_equal(got.toarray(), [[2.0, 4.0]])
    assert X.nnz == 3


def test_sparse_tables_are_refused_where_they_are_not_taken():
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        check_fit(Dense(), sp.csr_array(np.eye(3)))


def test_infinity_in_a_sparse_table_is_found():
    X = sp.csr_array(np.array([[0, 1, 0], [0, 0, np.inf]]))
    with pytest.raises(DataError, match=r"inf .*row 1, column 2"):
        check_fit(Loose(), X)


def test_the_first_chunk_fixes_the_columns():
    model = Dense()
    check_chunk(model, np.ones((2, 3)), first=True)
    with pytest.raises(DataError, match="X has 4 features"):
        check_chunk(model, np.ones((2, 4)), first=False)


def test_a_scalar_weight_is_spread():
    np.testing.assert_array_equal(check_weights(Dense(), 2.0, 3), [2.0, 2.0, 2.0])
    assert check_weights(Dense(), None, 3) is None


floats = st.floats(width=32) | st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 3.4e38])


@given(arrays(np.float32, st.integers(0, 70), elements=floats))
def test_the_finite_check_equals_numpy(values):
    assert _native.all_finite(values) == np.isfinite(values).all()
    doubles = values.astype(np.float64)
    assert _native.all_finite(doubles) == np.isfinite(doubles).all()


@pytest.mark.parametrize("at", [0, 1, 65535, 65536, 999_999])
def test_the_finite_check_finds_a_value_in_any_block(at):
    values = np.ones(1_000_000)
    assert _native.all_finite(values)
    values[at] = -np.inf
    assert not _native.all_finite(values)


def test_large_values_are_finite():
    assert _native.all_finite(np.full(1000, 1.7e308))
    assert _native.all_finite(np.full(1000, 5e-324))


def test_sparse_indices_out_of_range_are_refused():
    X = sp.csr_array(np.eye(5))
    X.indices[3] = 10**8
    with pytest.raises(DataError, match="Loose: X:"):
        check_fit(Loose(), X)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_native_check_of_sparse_positions(dtype):
    """Each table breaks one rule; the first breaks none."""

    def in_order(columns, offsets, cols=4):
        return _native.csr_in_order(np.array(columns, dtype), np.array(offsets, dtype), cols)

    assert in_order([0, 3, 1], [0, 2, 2, 3])
    assert in_order([], [0])
    assert not in_order([0, 3, 1], [0, 2, 2, 3], cols=3)  # out of range
    assert not in_order([0, -1, 1], [0, 1, 2, 3])  # before the first
    assert not in_order([3, 0, 1], [0, 2, 2, 3])  # unsorted
    assert not in_order([0, 0, 1], [0, 2, 2, 3])  # twice
    assert not in_order([0, 3, 1], [0, 2, 1, 3])  # offsets descend
    assert not in_order([0, 3, 1], [0, 9, 1, 3])  # offsets beyond the end
    assert not in_order([0, 3, 1], [1, 2, 2, 3])  # the first is not 0
    assert not in_order([0, 3, 1], [0, 2, 2, 2])  # entries after the last row


def test_many_sparse_rows_are_checked_each():
    X = sp.random_array((5000, 300), density=0.3, format="csr", rng=0)
    got = check_fit(Loose(), X)
    assert got.has_canonical_format
    assert got.indices is X.indices or np.shares_memory(got.indices, X.indices)
    X.indices[-2:] = X.indices[-2:][::-1]  # the very last row
    assert not _native.csr_in_order(X.indices, X.indptr, 300)


def test_a_numpy_scalar_weight_is_spread():
    np.testing.assert_array_equal(check_weights(Dense(), np.float32(2), 2), [2.0, 2.0])


def unaligned(values):
    """Return a copy that begins one byte after where its type should."""
    values = np.ascontiguousarray(values)
    raw = np.empty(values.nbytes + 1, dtype=np.uint8)[1:]
    copy = np.frombuffer(raw, dtype=values.dtype).reshape(values.shape)
    copy[...] = values
    assert not copy.flags.aligned
    return copy


def test_unaligned_arrays_are_copied_to_where_they_belong():
    X = np.arange(12.0).reshape(4, 3)
    table = check_fit(Dense(), unaligned(X))
    assert table.flags.aligned
    np.testing.assert_array_equal(table, X)
    weights = check_weights(Dense(), unaligned(np.ones(4)), 4)
    assert weights.flags.aligned


def test_numbers_too_large_are_refused_beside_missing_ones():
    with pytest.raises(DataError, match=r"size 1e\+100 at most"):
        check_size(Loose(), "X", np.array([[np.nan, -1e101]]), 1e100)
    check_size(Loose(), "X", np.array([[np.nan, np.nan]]), 1e100)


def test_many_numbers_below_the_limit_are_taken_whatever_their_sum_of_squares():
    X = np.full((100, 50), -0.9e152)  # the sum overflows, no number is too large
    check_size(Loose(), "X", X)
    X[99, 49] = -1.1e152
    with pytest.raises(DataError, match=r"size 1e\+152 at most.* got 1.1e\+152"):
        check_size(Loose(), "X", X)
    check_size(Loose(), "X", X, np.inf)


@pytest.mark.parametrize("names", [["a", "b", "a"], [1, 2, 1]])
@pytest.mark.parametrize("model", [Ridge(), DecisionTreeRegressor()], ids=["Ridge", "tree"])
def test_columns_of_one_name_are_refused(names, model):
    frame = pd.DataFrame(np.eye(3), columns=names)
    text = rf"{type(model).__name__}: X must have .* got 2 named '{names[0]}'\. Rename them"
    with pytest.raises(DataError, match=text):
        model.fit(frame, [0.0, 1.0, 2.0])


def test_a_table_of_pyarrow_with_columns_of_one_name_is_refused():
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_arrays([pa.array([1.0, 2.0])] * 2, names=["a", "a"])
    with pytest.raises(DataError, match="got 2 named 'a'"):
        Ridge().fit(table, [0.0, 1.0])


def test_numbers_of_a_parameter():
    np.testing.assert_array_equal(numbers_of("alphas", (1, 2.5)), [1.0, 2.5])
    with pytest.raises(TypeError, match=r"alphas\[1\] must be an instance of float, not str"):
        numbers_of("alphas", (1, "2"))


def test_sparse_rows_are_refused_by_name():
    with pytest.raises(
        TypeError, match=r"^LinearDiscriminantAnalysis: Sparse data was passed for X"
    ):
        LinearDiscriminantAnalysis().fit(sp.csr_array(np.eye(3)), [0, 1, 1])
