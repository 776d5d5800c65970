import numpy as np
import pytest
from sklearn.datasets import make_blobs

import gramian
from gramian import KMeans, LabelPartitioner
from gramian.base.errors import DataError, ParameterError

X, group = make_blobs(200, 3, centers=6, random_state=0)
Y = np.eye(6, dtype=int)[group] | np.eye(6, dtype=int)[(group + 1) % 6]


def test_rows_get_the_labels_of_their_partition():
    model = LabelPartitioner(6, max_labels=2, random_state=0).fit(X, Y)
    inside = model.candidates(X)
    assert (inside.sum(axis=1) <= 2).all()
    (leaf,) = (inside_one.argmax(axis=1) for inside_one in model._partition_weights(X))
    counts = np.array([Y[leaf == j].sum(axis=0) for j in range(6)])
    for j, row in enumerate(model.candidates_[0]):
        assert counts[j][row].min() >= counts[j][~row].max()


def test_weights_move_the_centres():
    """E56: sum_i w_i min_j |x_i - c_j|^2, the nearest centre only; ML-10."""
    precision = np.random.default_rng(0).random(200)
    model = LabelPartitioner(4, random_state=5).fit(X, Y, precision=precision)
    (kmeans,) = model.models_[0]
    nearest = kmeans.predict(X)
    for j, center in enumerate(kmeans.cluster_centers_):
        own = nearest == j
        np.testing.assert_allclose(center, np.average(X[own], axis=0, weights=precision[own]))
    squares = ((X[:, None] - kmeans.cluster_centers_) ** 2).sum(axis=2).min(axis=1)
    assert kmeans.inertia_ == pytest.approx(precision @ squares)


def test_a_hard_filter_ignores_rows_of_low_precision():
    """ML-11: k-means of the rows whose precision is at least rho."""
    right = group < 3
    model = LabelPartitioner(3, weighting="filter", random_state=0).fit(X, Y, right.astype(float))
    (kmeans,) = model.models_[0]
    same = KMeans(3, n_init=1, random_state=kmeans.random_state).fit(X[right])
    np.testing.assert_allclose(kmeans.cluster_centers_, same.cluster_centers_)
    unweighted = LabelPartitioner(3, weighting="filter", random_state=0).fit(X, Y, np.zeros(200))
    plain = LabelPartitioner(3, weighting=None, random_state=0).fit(X, Y, np.zeros(200))
    np.testing.assert_array_equal(unweighted.candidates(X), plain.candidates(X))


@pytest.mark.parametrize("n_partitions", [2, 5, 8])
def test_a_hierarchy_divides_until_there_are_enough(n_partitions):
    """ML-11: hierarchical partitions, two at a time."""
    model = LabelPartitioner(n_partitions, n_children=2, random_state=0).fit(X, Y)
    assert len(model.candidates_[0]) == n_partitions
    assert len(model.models_[0]) == n_partitions - 1
    (inside,) = model._partition_weights(X)
    assert (inside.sum(axis=1) == 1).all()
    assert (inside.sum(axis=0) > 0).all()


def test_several_partitions_give_the_union_of_their_labels():
    few = LabelPartitioner(6, max_labels=1, random_state=0).fit(X, Y).candidates(X)
    near = LabelPartitioner(6, max_labels=1, n_nearest=2, random_state=0).fit(X, Y).candidates(X)
    more = LabelPartitioner(6, max_labels=1, n_repeats=3, random_state=0).fit(X, Y).candidates(X)
    assert (few <= near).all()
    assert near.sum() > few.sum()
    assert (few <= more).all()
    assert more.sum() >= few.sum()


def test_bad_input_raises_an_error():
    with pytest.raises(DataError, match="200 values in"):
        LabelPartitioner().fit(X, Y, precision=np.full(200, 2.0))
    with pytest.raises(ParameterError, match="n_nearest must be 1 in a hierarchy"):
        LabelPartitioner(n_children=2, n_nearest=2).fit(X, Y)


def test_more_partitions_than_rows_and_equal_rows():
    model = LabelPartitioner(9, random_state=0).fit(X[:4], Y[:4])
    assert len(model.candidates_[0]) == 4
    same = LabelPartitioner(3, n_children=2, random_state=0).fit(np.ones((8, 2)), Y[:8])
    assert same.candidates(np.ones((2, 2))).shape == (2, 6)


def test_a_tampered_file_is_refused(tmp_path):
    model = LabelPartitioner(4, n_children=2, random_state=0).fit(X, Y)
    model.children_[0][0] = model.children_[0][0] + 1
    gramian.save(model, tmp_path / "m.gram")
    with pytest.raises(ValueError, match="children_"):
        gramian.load(tmp_path / "m.gram")


def test_repeats_have_a_limit():
    with pytest.raises(ParameterError, match=r"n_repeats must be an integer in \[1, 10000\]"):
        LabelPartitioner(n_repeats=2**31).fit([[0.0], [1.0]], [{"a"}, {"b"}])
