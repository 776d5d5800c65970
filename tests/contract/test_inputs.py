"""The same table in another container gives the same answer."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_classifier, is_clusterer

from gramian.base.rows.class_scores import GenerativePrediction
from gramian.mixture.mixture_prediction import MixturePrediction
from tests.contract.estimators import (
    assert_same_outputs,
    every,
    first_of_each,
    is_pairwise,
    outputs,
    table,
)


def as_pandas(X, folder):
    return pytest.importorskip("pandas").DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])


def as_polars(X, folder):
    return pytest.importorskip("polars").DataFrame(X, schema=[f"c{i}" for i in range(X.shape[1])])


def as_memory_map(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def as_read_only(X, folder):
    X = X.copy()
    X.flags.writeable = False
    return X


def as_fortran(X, folder):
    return np.asfortranarray(X)


def as_strided(X, folder):
    return np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2]


def as_lists(X, folder):
    return X.tolist()


def as_big_endian(X, folder):
    return X.astype(">f8")


CONTAINERS = [
    as_pandas,
    as_polars,
    as_memory_map,
    as_read_only,
    as_fortran,
    as_strided,
    as_lists,
    as_big_endian,
]


@pytest.mark.parametrize("container", CONTAINERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("model", every())
def test_the_container_does_not_change_the_answer(model, container, tmp_path):
    X, y = table(model)
    other = container(X, tmp_path)
    assert_same_outputs(
        outputs(clone(model).fit(X, y), X), outputs(clone(model).fit(other, y), other)
    )


@pytest.mark.parametrize("model", every())
def test_fit_leaves_its_input_alone(model):
    X, y = table(model)
    before = X.copy()
    outputs(clone(model).fit(X, y), X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("model", every())
def test_float32_stays_float32(model):
    X, y = table(model, dtype=np.float32)
    model = clone(model).fit(X, y)
    answers = outputs(model, X)
    probabilities = answers.pop("predict_proba[0]", None)
    generative = isinstance(model, GenerativePrediction | MixturePrediction)
    allowed = (np.float32,) if generative else (np.float32, np.float64)
    assert probabilities is None or probabilities.dtype in allowed
    labels = {"labels_", "predict[0]"} if is_classifier(model) or is_clusterer(model) else set()
    for name, value in answers.items():
        if name in labels:
            assert value.dtype.kind == ("i" if y is None else y.dtype.kind), name
        else:
            assert value.dtype == np.float32 or value.dtype.kind in "iU", name


def types_of(model, X):
    """The types of the fitted attributes and of the outputs for new rows."""
    fitted = {k: v.dtype for k, v in vars(model).items() if isinstance(v, np.ndarray)}
    return fitted | {name: np.asarray(value).dtype for name, value in outputs(model, X).items()}


def as_swapped(X, folder):
    return X.astype(X.dtype.newbyteorder())


@pytest.mark.parametrize("container", [as_swapped, as_pandas, as_polars], ids=lambda f: f.__name__)
@pytest.mark.parametrize("model", first_of_each())
def test_float32_stays_float32_in_any_container(model, container, tmp_path):
    X, y = table(model, dtype=np.float32)
    other = container(X, tmp_path)
    plain = clone(model).fit(X, y)
    names = {"feature_names_in_"}  # which arrays do not have
    found = types_of(clone(model).fit(other, y), other)
    assert {k: t for k, t in found.items() if k not in names} == types_of(plain, X)


@pytest.mark.parametrize("model", first_of_each())
def test_rows_at_odd_addresses_are_read_as_others(model):
    X, y = table(model)
    odd = np.frombuffer(bytearray(1) + X.tobytes(), dtype=np.uint8)[1:].view(X.dtype)
    odd = odd.reshape(X.shape)
    assert not odd.flags.aligned
    assert_same_outputs(outputs(clone(model).fit(X, y), X), outputs(clone(model).fit(odd, y), odd))


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize(
    "model", [m for m in every() if m.values[0].takes_sparse and not is_pairwise(m.values[0])]
)
def test_sparse_input_gives_the_dense_answer(model, kind):
    X, y = table(model)
    X[np.abs(X) < 1] = 0
    dense, sparse = clone(model).fit(X, y), clone(model).fit(kind(X), y)
    a, b = outputs(dense, X), outputs(sparse, kind(X))
    assert a.keys() == b.keys()
    if getattr(model, "max_bins", None) and type(model).__name__.startswith("RandomForest"):
        # Sparse columns are not binned.
        assert sparse.score(kind(X), y) == pytest.approx(dense.score(X, y), abs=0.05)
        return
    for name in a:
        left, right = np.asarray(a[name]), np.asarray(b[name])
        if left.dtype.kind == "f":
            np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(left, right, err_msg=name)


def with_stored_zeros(X, kind, seed):
    """The same numbers in CSR or CSC, some of their zeros stored, every other one of them as -0."""
    rng = np.random.default_rng(seed)
    stored = (X != 0) | (rng.random(X.shape) < 0.5)
    marked = kind(np.where(X == 0, 7e77, X) * stored)
    marked.data[marked.data == 7e77] = np.resize([0.0, -0.0], (marked.data == 7e77).sum())
    assert marked.nnz > kind(X).nnz
    return marked


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array])
@pytest.mark.parametrize(
    "model", [m for m in every() if m.values[0].takes_sparse and not is_pairwise(m.values[0])]
)
def test_stored_zeros_count_as_absent(model, kind):
    X, y = table(model)
    X[np.abs(X) < 1] = 0
    plain, stored = kind(X), with_stored_zeros(X, kind, 1)
    before = stored.copy()
    a, b = clone(model).fit(plain, y), clone(model).fit(stored, y)
    assert_same_outputs(outputs(a, plain), outputs(b, with_stored_zeros(X, kind, 2)))
    for name, value in vars(a).items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            np.testing.assert_array_equal(value, vars(b)[name], err_msg=name)
    np.testing.assert_array_equal(stored.data, before.data)
    np.testing.assert_array_equal(stored.indices, before.indices)
    np.testing.assert_array_equal(stored.indptr, before.indptr)


@pytest.mark.parametrize("output", ["pandas", "polars"])
@pytest.mark.parametrize("model", [m for m in first_of_each() if hasattr(m.values[0], "transform")])
def test_set_output_gives_a_frame_with_names(model, output):
    pytest.importorskip(output)
    X, y = table(model)
    model = clone(model).set_output(transform=output).fit(X, y)
    frame = model.transform(X)
    assert list(frame.columns) == list(model.get_feature_names_out())
