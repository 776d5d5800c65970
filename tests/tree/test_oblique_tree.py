from typing import ClassVar

import numpy as np
import pytest
import threadpoolctl
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.model_selection import cross_val_score

from gramian.base.errors import DataError, ParameterError
from gramian.linear_model import LogisticRegression
from gramian.tree import (
    DecisionTreeClassifier,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    export_text,
    leaf_cells,
    prune_reduced_error,
)


@pytest.fixture
def diagonal(rng):
    X = rng.uniform(-1, 1, size=(300, 2))
    return X, (X.sum(axis=1) > 0).astype(int)


@pytest.mark.parametrize("split", ["logistic", "ridge", "least_squares", LogisticRegression(C=10)])
def test_one_line_does_what_needs_a_staircase(split, diagonal):
    X, y = diagonal
    oblique = ObliqueTreeClassifier(split=split).fit(X, y)
    straight = DecisionTreeClassifier().fit(X, y)
    assert oblique.score(X, y) == 1
    assert oblique.get_n_leaves() <= 8
    assert straight.get_n_leaves() > 2 * oblique.get_n_leaves()
    w = oblique.directions_[0]
    assert abs(w[0] / w[1] - 1) < 0.2


def test_centroids_give_the_line_between_the_means(diagonal):
    X, y = diagonal
    w = ObliqueTreeClassifier(split="centroid", axis_parallel=False).fit(X, y).directions_[0]
    scale = X.std(axis=0)
    expected = (X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) / scale**2
    assert_allclose(w, expected)


def test_any_estimator_with_weights_can_split(diagonal):
    X, y = diagonal
    model = ObliqueTreeClassifier(split=Perceptron(random_state=0)).fit(X, y)
    assert model.score(X, y) == 1


def test_more_random_lines_are_better(diagonal):
    X, y = diagonal
    few, many = (
        ObliqueTreeClassifier(
            split="random", n_candidates=m, axis_parallel=False, max_depth=1, random_state=0
        ).fit(X, y)
        for m in (1, 200)
    )
    assert many.score(X, y) > max(few.score(X, y), 0.95)


def test_conics_find_a_circle(rng):
    X = rng.uniform(-1, 1, size=(400, 2))
    y = (X**2).sum(axis=1) < 0.5
    lines = ObliqueTreeClassifier().fit(X, y)
    conics = ObliqueTreeClassifier(shape="quadratic").fit(X, y)
    drawn = ObliqueTreeClassifier(
        shape="quadratic", split="random", n_candidates=300, max_depth=3, random_state=0
    ).fit(X, y)
    assert conics.score(X, y) == 1
    assert conics.get_n_leaves() < lines.get_n_leaves()
    assert drawn.score(X, y) > 0.93
    with pytest.raises(DataError, match="no polygons"):
        leaf_cells(conics, (-1, 1, -1, 1))


@pytest.mark.parametrize("split", ["ridge", "random"])
def test_a_limit_on_the_columns_of_a_split_holds(split):
    X, y = load_breast_cancer(return_X_y=True)
    model = ObliqueTreeClassifier(
        split=split, max_split_features=2, max_depth=2, random_state=0
    ).fit(X, y)
    assert ((model.directions_ != 0).sum(axis=1) <= 2).all()
    assert model.score(X, y) > 0.9


def test_forward_selection_finds_the_two_columns_that_matter(rng):
    X = rng.normal(size=(300, 8))
    y = X[:, 2] - X[:, 5] > 0
    model = ObliqueTreeClassifier(split="ridge", max_split_features=2, max_depth=1).fit(X, y)
    assert set(np.flatnonzero(model.directions_[0])) == {2, 5}


def test_several_classes_and_real_data():
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(ObliqueTreeClassifier(min_samples_leaf=3), X, y).mean() > 0.94


def test_regression_along_a_slanted_edge(rng):
    X = rng.uniform(-1, 1, size=(300, 2))
    y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 3.0, -1.0)
    model = ObliqueTreeRegressor(max_depth=2).fit(X, y)
    assert model.score(X, y) > 0.9
    X, y = load_diabetes(return_X_y=True)
    oblique = cross_val_score(ObliqueTreeRegressor(max_depth=2), X, y).mean()
    assert oblique > 0.3


def test_oblique_trees_are_pruned_and_worded_too(diagonal, rng):
    X, y = diagonal
    y = y ^ (rng.random(len(y)) < 0.2)
    grown = ObliqueTreeClassifier().fit(X[:200], y[:200])
    pruned = prune_reduced_error(grown, X[200:], y[200:]).estimator
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert pruned.score(X[200:], y[200:]) >= grown.score(X[200:], y[200:])
    text = export_text(pruned, feature_names=["width", "height"])
    assert "width" in text
    assert " height <= " in text


def test_cells_tile_the_box(diagonal):
    X, y = diagonal
    model = ObliqueTreeClassifier(max_depth=3).fit(X, y)
    cells = leaf_cells(model, (-1, 1, -1, 1))
    areas = [
        abs(np.dot(c[:, 0], np.roll(c[:, 1], -1)) - np.dot(c[:, 1], np.roll(c[:, 0], -1))) / 2
        for c in cells.values()
        if len(c)
    ]
    assert sum(areas) == pytest.approx(4)
    for leaf, cell in cells.items():
        if len(cell):
            assert model.apply(cell.mean(axis=0)[None])[0] == leaf


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.ones((4, 2)), [0, 0, 1, 1]),
        (np.array([[1.0, 2.0]]), [3]),
        (np.arange(8.0).reshape(4, 2), [1, 1, 1, 1]),
    ],
)
def test_nothing_to_divide_is_one_leaf(X, y):
    assert ObliqueTreeClassifier().fit(X, y).get_n_leaves() == 1
    assert ObliqueTreeRegressor().fit(X, np.array(y, dtype=float)).get_n_leaves() == 1


def test_depth_zero_is_one_leaf(diagonal):
    X, y = diagonal
    assert ObliqueTreeClassifier(max_depth=0).fit(X, y).get_n_leaves() == 1


@pytest.mark.parametrize("scale", [1e-300, 1e150, 1e300])
def test_columns_of_any_size(diagonal, scale):
    X, y = diagonal
    assert ObliqueTreeClassifier().fit(X * scale, y).score(X * scale, y) == 1
    rows = X * [1.0, scale]
    assert ObliqueTreeClassifier(max_depth=1).fit(rows, y).score(rows, y) == 1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_targets_of_any_size(rng, scale):
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5]
    plain = ObliqueTreeRegressor(max_depth=4).fit(X, y).predict(X)
    assert_allclose(ObliqueTreeRegressor(max_depth=4).fit(X, y * scale).predict(X) / scale, plain)


def test_squares_that_are_too_large_say_what_to_do(diagonal):
    X, y = diagonal
    with pytest.raises(DataError, match="scale the columns"):
        ObliqueTreeClassifier(shape="quadratic").fit(X * 1e200, y)


def test_a_model_may_fail_in_small_nodes_but_not_at_the_root(diagonal, rng):
    X, y = diagonal
    noise = y ^ (rng.random(len(y)) < 0.2)
    # Discriminant analysis refuses nodes with as many rows as classes.
    model = ObliqueTreeClassifier(split=LinearDiscriminantAnalysis()).fit(X, noise)
    assert model.score(X, noise) == 1
    with pytest.raises(ValueError, match="number of samples"):
        ObliqueTreeClassifier(split=LinearDiscriminantAnalysis()).fit(X[:2], [0, 1])
    with pytest.raises(ParameterError, match="estimator with coef_ after fit"):
        ObliqueTreeClassifier(split=DecisionTreeClassifier()).fit(X, y)


def test_a_function_of_the_shares_is_a_criterion(diagonal):
    X, y = diagonal
    own = ObliqueTreeClassifier(criterion=lambda p: 1 - (p**2).sum(axis=1)).fit(X, y)
    gini = ObliqueTreeClassifier().fit(X, y)
    assert_allclose(own.tree_.impurity, gini.tree_.impurity)
    with pytest.raises(ParameterError, match="concave"):
        ObliqueTreeClassifier(criterion=lambda p: (1 - p.max(axis=1)) ** 2).fit(X, y)


def test_equal_rows_stay_together(rng):
    """Their projections may differ in the last bit."""
    X = np.repeat(rng.normal(size=(40, 7)), 5, axis=0)
    y = rng.integers(0, 2, 200)
    model = ObliqueTreeClassifier().fit(X, y)
    leaves = model.apply(X).reshape(40, 5)
    assert (leaves == leaves[:, :1]).all()
    assert model.tree_.samples[model.tree_.n_children == 0].min() >= 5
    counts = np.bincount(model.apply(X), minlength=model.tree_.node_count)
    inside = model.tree_.n_children == 0
    assert_array_equal(counts[inside], model.tree_.samples[inside])


class CountingRegression(LinearRegression):
    """Notes how many threads BLAS has during each fit."""

    seen: ClassVar[list[int]] = []

    def fit(self, X, y, sample_weight=None):
        blas = threadpoolctl.ThreadpoolController().select(user_api="blas")
        self.seen.extend(library["num_threads"] for library in blas.info())
        return super().fit(X, y, sample_weight)


def test_nodes_use_one_thread_of_blas(rng):
    """On busy processors a small factorisation by several threads waits seconds for all of them."""
    X = rng.normal(size=(60, 3))
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        ObliqueTreeRegressor(split=CountingRegression(), max_depth=2).fit(X, X @ [1.0, 2.0, 3.0])
        after = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    assert set(CountingRegression.seen) == {1}
    assert {library["num_threads"] for library in after} == {2}
