"""Trees on sparse tables are the trees of the same tables made dense."""

import numpy as np
import pytest
import scipy.sparse as sp

import gramian
from gramian import _native
from gramian.base.errors import DataError
from gramian.base.rows.native_table import native_table
from gramian.tree.growth.grow import class_targets, options_of, tree_columns, tree_of

RNG = np.random.default_rng(3)
DENSE = np.where(RNG.random((300, 40)) < 0.15, RNG.normal(size=(300, 40)).round(1), 0.0)
DENSE[:, 7] = 0.0
DENSE[:, 8] = RNG.normal(size=300).round(1)  # no zeros
CLASSES = (DENSE[:, :3].sum(axis=1) > 0.1).astype(int) + (DENSE[:, 8] > 0.8)
NUMBERS = np.round(8 * (DENSE[:, 0] - DENSE[:, 8]) + RNG.integers(0, 3, 300))


def assert_same_tree(a, b):
    """The same splits; values up to the order of sums."""
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_allclose(a.threshold, b.threshold)
    np.testing.assert_array_equal(a.samples, b.samples)
    np.testing.assert_allclose(a.value, b.value, atol=1e-12)
    np.testing.assert_allclose(a.impurity, b.impurity, atol=1e-9)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.csr_matrix])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_any_kind_of_sparse_table(kind, dtype):
    X = DENSE.astype(dtype)
    whole = gramian.DecisionTreeClassifier().fit(X, CLASSES)
    sparse = gramian.DecisionTreeClassifier().fit(kind(X), CLASSES)
    assert_same_tree(sparse.tree_, whole.tree_)
    for rows in (X, kind(X)):
        np.testing.assert_array_equal(sparse.predict(rows), whole.predict(X))
        np.testing.assert_array_equal(sparse.apply(rows), whole.apply(X))
        np.testing.assert_allclose(sparse.predict_proba(rows), whole.predict_proba(X))
    np.testing.assert_array_equal(
        sparse.decision_path(kind(X)).toarray(), whole.decision_path(X).toarray()
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"criterion": "entropy"},
        {"criterion": "misclassification", "max_depth": 4},
        {"criterion": "gain_ratio", "max_depth": 5},
        {"criterion": lambda p: 1 - (p**2).sum(axis=1), "max_depth": 3},
        {"combine": "sum", "max_depth": 4},
        {"max_leaf_nodes": 9},
        {"min_samples_leaf": 5, "min_weight_fraction_leaf": 0.03},
        {"max_features": 6, "random_state": 1},
        {"splitter": "random", "max_features": 6, "random_state": 1},
        {"min_impurity_decrease": 0.01},
    ],
)
def test_every_way_to_grow_a_classifier(settings):
    whole = gramian.DecisionTreeClassifier(**settings).fit(DENSE, CLASSES)
    sparse = gramian.DecisionTreeClassifier(**settings).fit(sp.csr_array(DENSE), CLASSES)
    assert_same_tree(sparse.tree_, whole.tree_)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"criterion": "absolute_error", "max_depth": 4},
        {"criterion": "worst_error", "max_depth": 4},
        {"criterion": "absolute_error", "max_depth": 3, "splitter": "random", "max_features": 20},
        {"monotonic_cst": [1] + [0] * 39, "max_depth": 4},
        {"max_features": 0.3, "random_state": 0},
    ],
)
def test_every_way_to_grow_a_regressor(settings):
    settings = {"random_state": 5} | settings
    whole = gramian.DecisionTreeRegressor(**settings).fit(DENSE, NUMBERS)
    sparse = gramian.DecisionTreeRegressor(**settings).fit(sp.csr_array(DENSE), NUMBERS)
    np.testing.assert_array_equal(sparse.tree_.samples[:9], whole.tree_.samples[:9])
    np.testing.assert_allclose(sparse.predict(DENSE), whole.predict(DENSE), atol=1e-9)


def test_poisson_and_several_outputs():
    counts = NUMBERS - NUMBERS.min()
    X = sp.csr_array(DENSE)
    for y, settings in (
        (counts, {"criterion": "poisson", "max_depth": 4}),
        (np.column_stack([NUMBERS, CLASSES]), {"max_depth": 4}),
    ):
        whole = gramian.DecisionTreeRegressor(**settings).fit(DENSE, y)
        np.testing.assert_allclose(
            gramian.DecisionTreeRegressor(**settings).fit(X, y).predict(X), whole.predict(DENSE)
        )
    y = np.column_stack([CLASSES, CLASSES > 0])
    whole = gramian.DecisionTreeClassifier().fit(DENSE, y)
    sparse = gramian.DecisionTreeClassifier().fit(X, y)
    np.testing.assert_array_equal(sparse.predict(X), whole.predict(DENSE))


@pytest.mark.parametrize(
    "model",
    [
        gramian.RandomForestClassifier(40, random_state=0, oob_score=True),
        gramian.ExtraTreesClassifier(8, random_state=0),
        gramian.ExtraTreesClassifier(8, random_state=0, max_features=1),
    ],
    ids=repr,
)
def test_forests_grow_the_same_trees(model):
    X = sp.csr_array(DENSE)
    whole = model.fit(DENSE, CLASSES)
    p, importances = whole.predict_proba(DENSE), whole.feature_importances_
    left_out = getattr(whole, "oob_decision_function_", None)
    sparse = model.fit(X, CLASSES)
    np.testing.assert_allclose(sparse.predict_proba(X), p)
    np.testing.assert_allclose(sparse.feature_importances_, importances, atol=1e-12)
    if left_out is not None:
        np.testing.assert_allclose(sparse.oob_decision_function_, left_out)


@pytest.mark.parametrize(
    "model",
    [
        gramian.AdaBoostClassifier(n_estimators=5),
        gramian.AdaBoostRegressor(n_estimators=5, random_state=0),
        gramian.BaggingClassifier(n_estimators=5, max_features=0.5, random_state=0),
        gramian.BaggingRegressor(n_estimators=5, random_state=0),
        gramian.GradientBoostingClassifier(n_estimators=5),
        gramian.GradientBoostingRegressor(n_estimators=5, subsample=0.7, random_state=0),
        gramian.RandomForestRegressor(n_estimators=5, random_state=0),
    ],
    ids=lambda m: type(m).__name__,
)
def test_ensembles_give_the_answer_of_dense_rows(model):
    X = sp.csr_array(DENSE)
    y = CLASSES if hasattr(model, "predict_proba") else NUMBERS
    whole = model.fit(DENSE, y).predict(DENSE)
    np.testing.assert_allclose(model.fit(X, y).predict(X), whole, rtol=1e-9, atol=1e-9)


def test_the_number_of_threads_changes_nothing():
    X = sp.random_array((5000, 300), density=0.05, rng=np.random.default_rng(0), format="csr")
    y = (X[:, [0, 1, 2, 3]].sum(axis=1) > 0.1).astype(int)
    trees = []
    for threads in (1, 3):
        with gramian.base.runtime.threads.threads_for(threads):
            trees.append(gramian.DecisionTreeClassifier(max_depth=6).fit(X, y).tree_)
    for name in ("feature", "threshold", "value"):
        np.testing.assert_array_equal(getattr(trees[0], name), getattr(trees[1], name))


def test_explicit_zeros_and_weights_of_zero_count_for_nothing():
    X = sp.csr_array(DENSE)
    noisy = X.copy()
    noisy.data[::5] = 0.0
    plain = noisy.copy()
    plain.eliminate_zeros()
    weights = np.r_[np.ones(200), np.zeros(100)]
    a = gramian.DecisionTreeClassifier().fit(noisy, CLASSES, sample_weight=weights).tree_
    b = gramian.DecisionTreeClassifier().fit(plain[:200], CLASSES[:200]).tree_
    assert_same_tree(a, b)


def test_a_table_of_nothing_but_zeros_is_one_leaf():
    X = sp.csr_array((20, 5))
    model = gramian.DecisionTreeClassifier().fit(X, np.arange(20) % 2)
    assert model.tree_.node_count == 1
    forest = gramian.RandomForestClassifier(3, random_state=0).fit(X, np.arange(20) % 2)
    assert forest.predict(X).shape == (20,)


def test_missing_values_of_a_sparse_table_are_refused():
    X = sp.csr_array(DENSE)
    X.data[3] = np.nan
    for model in (gramian.DecisionTreeClassifier(), gramian.RandomForestClassifier(2)):
        with pytest.raises(DataError, match="contains NaN"):
            model.fit(X, CLASSES)


def test_native_columns_take_no_stored_zeros():
    stored = sp.csr_array(DENSE)
    stored.data[3] = 0.0
    with pytest.raises(ValueError, match="no stored zeros"):
        _native.SparseTreeColumns(native_table(stored))


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_keys_of_either_precision_and_kind_of_index(index, dtype, splitter):
    X = sp.csr_array(DENSE.astype(dtype))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    settings = {"splitter": splitter, "random_state": 2, "max_features": 9}
    sparse = gramian.DecisionTreeClassifier(**settings).fit(X, CLASSES)
    whole = gramian.DecisionTreeClassifier(**settings).fit(DENSE.astype(dtype), CLASSES)
    assert_same_tree(sparse.tree_, whole.tree_)


def test_the_columns_outlive_the_table_they_were_made_of():
    X = sp.csr_array(DENSE)
    columns = tree_columns(X.copy(), np.zeros(40, dtype=np.int32), owner="DecisionTreeClassifier")
    np.empty(10**6).fill(7.0)  # where the table might have been
    targets = class_targets("", CLASSES[:, None], 3)
    model = gramian.DecisionTreeClassifier()
    options = options_of(model, 40, 300, 300.0, targets, seed=0)
    grown = _native.grow_tree(columns, targets.native(None), options, 0)
    expected = gramian.DecisionTreeClassifier().fit(X, CLASSES).tree_
    assert_same_tree(tree_of(grown, np.zeros(40, dtype=np.int32), targets, options), expected)
