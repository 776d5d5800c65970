"""Corners where an answer was once wrong, or never came."""

import numpy as np
import pandas as pd
import pytest

import gramian
from gramian import (
    KDTree,
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    error_against_k,
)


@pytest.fixture
def X(rng):
    return rng.random((300, 3))


@pytest.mark.parametrize("r", [-1.0, np.nan, "a", [-1.0] * 3])
def test_a_radius_below_zero_or_no_number_is_refused(X, r):
    with pytest.raises(ValueError, match="KDTree: r must be"):
        KDTree(X).query_radius(X[:3], r)


@pytest.mark.parametrize("call", [{"k": 2.0}, {"k": "2"}, {"eps": "a"}, {"order": "foo"}])
def test_bad_arguments_of_a_query_name_the_tree(X, call):
    with pytest.raises(ValueError, match=r"KDTree: (k|eps|order) must be"):
        KDTree(X).query(X[:3], **call)


def test_scikit_learns_positional_arguments_change_no_answer(X):
    _, plain = KDTree(X).query(X[:50], 3)
    _, theirs = KDTree(X).query(X[:50], 3, True, True, True)
    np.testing.assert_array_equal(plain, theirs)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 4, 7, np.inf])
def test_a_row_at_its_own_distance_is_within_it(X, algorithm, p):
    model = NearestNeighbors(algorithm=algorithm, p=p).fit(X)
    distances, indices = model.kneighbors(X, 6)
    for row in range(0, 300, 7):
        found = model.radius_neighbors(X[[row]], distances[row, 5], return_distance=False)[0]
        assert indices[row, 5] in found


def test_errors_against_k_take_a_column_as_target(X):
    y = (X[:, 0] > 0.5).astype(int)
    column = pd.DataFrame(y)
    train, _ = error_against_k(KNeighborsClassifier(), X, column, X, column, ks=[1])
    assert train[0] == 0


def test_targets_keep_their_digits_beside_float32_rows(X):
    y = np.arange(300) + 16777217.0
    model = KNeighborsRegressor(1).fit(X.astype(np.float32), y)
    np.testing.assert_array_equal(model.predict(X.astype(np.float32)), y)


def test_a_model_file_holds_no_tree_and_finds_the_same(X, tmp_path):
    model = KNeighborsClassifier(algorithm="kd_tree").fit(X, X[:, 0] > 0.5)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert copy._tree is None
    np.testing.assert_array_equal(model.kneighbors(X)[1], copy.kneighbors(X)[1])
