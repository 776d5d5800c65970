"""Native searches refuse arrays that do not fit, and models of forged files are not loaded."""

import json
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

import gramian
from gramian import _native
from gramian.base.errors import ModelFileError
from gramian.neighbors.structures.kdtree import build_tree, tree_nearest
from tests.base.files.test_archive import forge, npy

X = np.random.default_rng(0).normal(size=(60, 4))


def saved(model, tmp_path):
    return gramian.save(model, tmp_path / "model.gram")


def with_array(path, attribute, array):
    """Put another array in the place of a fitted one, hashes included."""

    def change(root, parts):
        root["fitted"][attribute] = {"array": "forged"}
        parts["forged.npy"] = npy(array)

    forge(path, change)


# --- files ------------------------------------------------------------------------------------

ROWS = [
    X[:0],
    X[:, :0],
    X[:, :3],
    np.hstack([X, X]),
    X.ravel(),
    X[:-1],
    X.astype(np.int64),
    np.where(np.arange(4) == 1, np.nan, X),
    np.where(np.arange(4) == 1, np.inf, X),
    np.asfortranarray(X),
]


@pytest.mark.parametrize("rows", ROWS, ids=lambda a: f"{a.shape}-{a.dtype}")
@pytest.mark.parametrize(
    "model",
    [
        gramian.NearestNeighbors(algorithm="kd_tree"),
        gramian.NearestNeighbors(algorithm="brute"),
        gramian.LSHNeighbors(random_state=0),
    ],
    ids=lambda m: getattr(m, "algorithm", "lsh"),
)
def test_stored_rows_that_fit_would_not_keep_are_refused(tmp_path, model, rows):
    path = saved(model.fit(X), tmp_path)
    with_array(path, "_fit_X", rows)
    with pytest.raises(ModelFileError, match="_fit_X"):
        gramian.load(path)


def test_rows_in_the_metrics_space_are_checked_too(tmp_path):
    path = saved(gramian.NearestNeighbors(metric="cosine").fit(X), tmp_path)
    with_array(path, "_points", X[:5])
    with pytest.raises(ModelFileError, match="_points"):
        gramian.load(path)


@pytest.mark.parametrize(
    "codes", [np.full(60, 3), np.full(60, -1), np.full(60, 2**40), np.zeros(60)]
)
@pytest.mark.parametrize("name", ["KNeighborsClassifier", "RadiusNeighborsClassifier"])
def test_invalid_class_codes_are_refused(tmp_path, name, codes):
    path = saved(getattr(gramian, name)().fit(X, np.arange(60) % 3), tmp_path)
    with_array(path, "_y", codes)
    with pytest.raises(ModelFileError, match="class"):
        gramian.load(path)


def test_targets_are_as_many_as_rows(tmp_path):
    path = saved(gramian.KNeighborsRegressor().fit(X, X[:, 0]), tmp_path)
    with_array(path, "_y", X[:50, 0])
    with pytest.raises(ModelFileError, match="_y has 50 rows"):
        gramian.load(path)


@pytest.mark.parametrize("where", ["indices", "indptr"])
def test_sparse_rows_out_of_range_are_refused(tmp_path, where):
    path = saved(gramian.NearestNeighbors().fit(sp.csr_array(X * (X > 0.5))), tmp_path)
    with zipfile.ZipFile(path) as file:
        node = json.loads(file.read("manifest.json"))["root"]["fitted"]["_fit_X"]
        name = node["csr"][["data", "indices", "indptr"].index(where)]["array"]
        array = np.load(file.open(f"{name}.npy"))
    array[3] = 10_000
    forge(path, lambda root, parts: parts.update({f"{name}.npy": npy(array)}))
    with pytest.raises(ModelFileError, match="known form"):
        gramian.load(path)


@pytest.mark.parametrize(
    ("attribute", "array"),
    [
        ("_multipliers", np.ones((16, 0), np.uint64)),
        ("_multipliers", np.ones((0, 3), np.uint64)),
        ("_multipliers", np.ones(48, np.uint64)),
        ("_multipliers", np.ones((1000, 24), np.uint64)),
        ("_multipliers", np.ones((16, 40), np.uint64)),
        ("_directions", np.ones((4, 5))),
        ("_directions", np.ones((3, 48))),
        ("_offsets", np.ones(5)),
    ],
)
def test_hash_functions_that_do_not_fit_end_in_an_error(tmp_path, attribute, array):
    path = saved(gramian.LSHNeighbors(n_probes=5, random_state=0).fit(X), tmp_path)
    with_array(path, attribute, array)
    with pytest.raises(ValueError, match=r"lsh:|LSHNeighbors|known form"):
        gramian.load(path).kneighbors(X)


@pytest.mark.parametrize("probes", [0, -1, 1.5, "a"])
def test_a_number_of_buckets_is_a_count(tmp_path, probes):
    path = saved(gramian.LSHNeighbors(random_state=0).fit(X), tmp_path)
    forge(path, lambda root, parts: root["fitted"].update(n_probes_=probes))
    with pytest.raises(ModelFileError, match="n_probes_"):
        gramian.load(path)


@pytest.mark.parametrize("hashing", ["hyperplane", "p_stable"])
def test_more_buckets_than_can_be_visited_are_all_rows(hashing):
    model = gramian.LSHNeighbors(hashing=hashing, n_probes=10**15, random_state=0).fit(X)
    exact = gramian.NearestNeighbors().fit(X).kneighbors(X)
    distances, rows = model.kneighbors(X)
    np.testing.assert_allclose(distances, exact[0], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(rows, exact[1])


# --- native steps -----------------------------------------------------------------------------


def test_a_tree_is_built_of_finite_rows_only():
    for rows in (X[:0], X[:, :0], np.full((9, 2), np.nan), np.full((9, 2), np.inf)):
        with pytest.raises(ValueError, match="k-d tree"):
            build_tree(np.ascontiguousarray(rows), 5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_queries_that_do_not_fit_the_tree_are_refused(dtype):
    rows = X.astype(dtype)
    tree = build_tree(rows, 5)
    tree_nearest(rows, tree, rows, 60, 2.0)
    wide, fewer = np.hstack([rows, rows]), np.ascontiguousarray(rows[:7])
    for table, queries, k, p in (
        (rows, wide, 3, 2.0),
        (rows, rows, 61, 2.0),
        (rows, rows, 0, 2.0),
        (rows, rows, 3, 0.5),
        (rows, rows, 3, np.nan),
        (fewer, rows, 3, 2.0),
        (wide, wide, 3, 2.0),
    ):
        with pytest.raises(ValueError, match="k-d tree"):
            tree_nearest(table, tree, queries, k, p)


def test_lengths_of_a_balls_arrays_are_compared():
    tree = (X, *build_tree(X, 5))
    radii, counts = np.full(60, 1.0), np.empty(60, np.int64)
    _native.kdtree_count(tree, X, 2.0, radii, counts)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    indices, distances = np.empty(offsets[-1], np.int64), np.empty(offsets[-1])
    _native.kdtree_within(tree, X, 2.0, radii, offsets, True, distances, indices)
    with pytest.raises(ValueError, match="k-d tree"):
        _native.kdtree_count(tree, X, 2.0, radii[:5], counts)
    with pytest.raises(ValueError, match="k-d tree"):
        _native.kdtree_within(tree, X, 2.0, radii, offsets[:9], True, distances, indices)
    with pytest.raises(ValueError, match="k-d tree"):
        _native.kdtree_within(tree, X, 2.0, radii, offsets, True, distances, indices[:-1])


# --- finite numbers of any size ---------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("hashing", ["hyperplane", "p_stable"])
@pytest.mark.parametrize("n_probes", [None, 20])
def test_a_range_beyond_the_largest_number_does_no_harm(dtype, hashing, n_probes):
    rows = X.astype(dtype)
    largest = np.finfo(dtype).max
    rows[:, 1] = np.where(np.arange(60) % 2, largest, -largest)
    model = gramian.LSHNeighbors(hashing=hashing, n_probes=n_probes, random_state=0).fit(rows)
    distances, indices = model.kneighbors(rows, 3)
    assert (indices % 2 == np.arange(60)[:, None] % 2).all()  # the others are infinitely far
    exact, _ = gramian.NearestNeighbors(algorithm="brute").fit(rows).kneighbors(rows, 3)
    np.testing.assert_array_equal(distances[:, 0], exact[:, 0])
    assert np.isfinite(distances).all()
