"""From the parameters of an estimator to targets and options of the native growth."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.tree import DecisionTreeClassifier
from gramian.tree.growth.grow import (
    NO_LIMIT,
    check_concave,
    class_targets,
    criterion_of_weights,
    in_original_units,
    levels_of,
    monotonic_signs,
    n_features_of,
    numeric_targets,
    options_of,
)


@pytest.mark.parametrize("factor", [1e-300, 1.0, 1e300])
def test_targets_are_scaled_to_one_and_back(factor):
    y = np.array([[0.1], [0.3], [-0.2]]) * factor
    targets = numeric_targets("Tree", y, None, "squared_error")
    assert 0.5 <= np.abs(targets.values).max() < 1
    arrays = {"value": targets.values[:, :, None], "impurity": np.ones(3)}
    back = in_original_units(arrays, targets, squared=True)
    assert_allclose(back["value"][:, :, 0], y, rtol=1e-15)


def test_a_mean_far_from_zero_is_subtracted_but_not_from_counts():
    y = np.array([[1000.0], [1001.0], [1002.0]])
    targets = numeric_targets("Tree", y, None, "squared_error")
    assert_allclose(targets.values.mean(), 0, atol=1e-15)
    assert_allclose((targets.values + targets.center) * targets.scale, y)
    counts = numeric_targets("Tree", y, None, "poisson")
    assert_array_equal(counts.center, [0.0])
    with pytest.raises(DataError, match="must not be negative"):
        numeric_targets("Tree", -y, None, "poisson")


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, 10), ("sqrt", 3), ("log2", 3), ("third", 3), (4, 4), (40, 10), (0.25, 2), (0.01, 1)],
)
def test_how_many_of_ten_features_a_node_considers(value, expected):
    assert n_features_of(value, 10) == expected


def test_fractions_of_rows_are_rounded_up_and_no_limit_is_none():
    model = DecisionTreeClassifier(min_samples_leaf=0.11, min_samples_split=0.01)
    targets = class_targets("Tree", np.zeros((10, 1), dtype=np.intp), 2)
    options = options_of(model, 3, 10, 10.0, targets, seed=1)
    assert (options.min_samples_leaf, options.min_samples_split) == (2, 2)
    assert (options.max_depth, options.max_features) == (NO_LIMIT, 3)


def test_constraints_need_a_sign_for_each_feature():
    tree = DecisionTreeClassifier()
    assert monotonic_signs(tree, [1, 0], 2) == [1, 0]
    assert monotonic_signs(tree, [0, 0], 2) == []
    for wrong in ([1], [2, 0]):
        with pytest.raises(ParameterError, match="-1, 0 or 1 for each of the 2"):
            monotonic_signs(tree, wrong, 2)


def test_levels_count_categories_and_are_zero_for_numeric_columns():
    assert levels_of([None, np.array(["a", "b"]), np.array([])]).tolist() == [0, 2, 1]


def test_functions_of_proportions_must_be_concave_and_zero_for_one_class():
    gini = criterion_of_weights("Tree", lambda p: 1 - (p**2).sum(axis=1))
    assert_allclose(gini(np.array([[1.0, 3.0], [2.0, 0.0]])), [0.375, 0.0])
    check_concave("Tree", lambda p: 1 - (p**2).sum(axis=1), 3)
    with pytest.raises(ParameterError, match="concave"):
        check_concave("Tree", lambda p: (1 - p.max(axis=1)) ** 2, 3)
    with pytest.raises(ParameterError, match="0 for a single class"):
        check_concave("Tree", lambda p: np.ones(len(p)), 3)
    with pytest.raises(DataError, match="at most 65536"):
        class_targets("Tree", np.zeros((1, 1), dtype=np.intp), 2**16 + 1)


@pytest.mark.parametrize("settings", [{}, {"max_leaf_nodes": 6}, {"criterion": "entropy"}])
@pytest.mark.parametrize("n_classes", [None, 2, 3])
def test_rounding_does_not_decide_between_equal_splits(settings, n_classes):
    """Weights, repeated rows, another order and sparse rows give the same tree."""
    if n_classes is None and "criterion" in settings:
        settings = {"criterion": "absolute_error"}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, size=(40, 12)).astype(float)  # of many equal splits
        y = rng.integers(0, n_classes or 3, 40)
        make = gramian.DecisionTreeClassifier
        if n_classes is None:
            make, y = gramian.DecisionTreeRegressor, y * 0.1
        counts, order = rng.integers(1, 4, 40), rng.permutation(40)
        wanted = make(**settings).fit(X, y, sample_weight=counts * 0.1).tree_
        for rows, targets, weights in (
            (np.repeat(X, counts, axis=0), np.repeat(y, counts), None),
            (X[order], y[order], counts[order]),
            (sp.csr_array(X), y, counts),
        ):
            found = make(**settings).fit(rows, targets, sample_weight=weights).tree_
            assert_array_equal(found.feature, wanted.feature)
            assert_allclose(found.threshold, wanted.threshold)


@pytest.mark.parametrize(
    "model",
    [
        gramian.DecisionTreeRegressor(),
        gramian.RandomForestRegressor(2),
        gramian.GradientBoostingRegressor(n_estimators=2),
    ],
)
def test_missing_values_in_sparse_tables_are_rejected(model):
    table = sp.csr_array([[1.0, np.nan], [0.0, 2.0], [3.0, 0.0]])
    with pytest.raises(DataError, match=f"{type(model).__name__}: Input X contains NaN, and X is"):
        model.fit(table, [1.0, 2.0, 3.0])
