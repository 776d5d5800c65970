"""Classification trees: worked numbers, scikit-learn's trees, categories and missing values."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.tree
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from gramian.base.errors import ParameterError
from gramian.tree import DecisionTreeClassifier
from gramian.tree.structure.tree import EACH, GROUP
from tests.tree.table import interactions, real


def leaf_impurity(tree) -> float:
    """The weighted impurity of the leaves, for a tree of either library."""
    leaf = tree.children_left < 0
    return float((tree.weighted_n_node_samples * tree.impurity)[leaf].sum())


def counted(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """One category per pair, with that many rows of the classes 0 and 1."""
    X = np.concatenate([[i] * (a + b) for i, (a, b) in enumerate(pairs)])
    y = np.concatenate([[0] * a + [1] * b for a, b in pairs])
    return X[:, None].astype(float), y


def gain_of_root(model) -> float:
    tree = model.tree_
    children = slice(tree.first_child[0], tree.first_child[0] + tree.n_children[0])
    shares = tree.weight[children] / tree.weight[0]
    return float(tree.impurity[0] - shares @ tree.impurity[children])


SETTINGS = [
    {},
    {"criterion": "entropy"},
    {"max_depth": 5},
    {"min_samples_leaf": 7},
    {"min_samples_split": 0.05},
    {"max_leaf_nodes": 12},
    {"min_impurity_decrease": 0.005},
    {"class_weight": "balanced", "max_depth": 6},
    {"min_weight_fraction_leaf": 0.02},
    {"ccp_alpha": 0.004},
]


def test_entropy_is_in_bits() -> None:
    three = DecisionTreeClassifier(criterion="entropy").fit([[0.0]] * 3, [0, 1, 2])
    assert three.tree_.impurity[0] == pytest.approx(np.log2(3))
    two = DecisionTreeClassifier(criterion="entropy").fit([[0.0]] * 2, [0, 1])
    assert two.tree_.impurity[0] == 1.0


def test_gain_of_two_branches() -> None:
    X, y = counted((10, 9), (10, 1))
    model = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(X, y)
    assert model.tree_.impurity[0] == pytest.approx(0.91830, abs=5e-6)
    assert gain_of_root(model) == pytest.approx(0.12508, abs=5e-6)
    same = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(*counted((10, 5), (10, 5)))
    assert gain_of_root(same) == pytest.approx(0.0, abs=1e-12)


def test_gain_of_three_branches() -> None:
    X, y = counted((2, 3), (4, 0), (3, 2))
    model = DecisionTreeClassifier(
        criterion="gain_ratio", categorical_features=[0], categorical_splits="each", max_depth=1
    ).fit(X, y)
    assert model.tree_.kind[0] == EACH
    assert model.tree_.impurity[0] == pytest.approx(0.94029, abs=5e-6)
    assert gain_of_root(model) == pytest.approx(0.24675, abs=5e-6)
    share = model.tree_.weight[1:4] / 14
    assert -(share * np.log2(share)).sum() == pytest.approx(1.57741, abs=5e-6)


def test_gain_ratio_prefers_few_branches() -> None:
    # A column that names every row divides perfectly; gain takes it, gain ratio does not.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 64)
    useful = np.where(rng.random(64) < 0.05, 1 - y, y)
    X = np.column_stack([np.arange(64), useful]).astype(float)
    settings = {"categorical_features": [0, 1], "categorical_splits": "each", "max_depth": 1}
    by_gain = DecisionTreeClassifier(criterion="entropy", **settings).fit(X, y)
    by_ratio = DecisionTreeClassifier(criterion="gain_ratio", **settings).fit(X, y)
    assert (by_gain.tree_.feature[0], by_ratio.tree_.feature[0]) == (0, 1)


@given(st.lists(st.integers(0, 30), min_size=3, max_size=3).filter(sum))
def test_entropy_in_two_stages(counts: list[int]) -> None:
    a, b, c = counts

    def info(*parts: int) -> float:
        y = np.repeat(np.arange(len(parts)), parts)
        model = DecisionTreeClassifier(criterion="entropy", max_depth=0)
        return float(model.fit(np.zeros((len(y), 1)), y).tree_.impurity[0]) if len(y) else 0.0

    staged = info(a, b + c) + (b + c) / (a + b + c) * info(b, c)
    assert info(a, b, c) == pytest.approx(staged, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("letterrecognition", "lettr"),
        ("pimaindiansdiabetes", "diabetes"),
        ("glass", "Type"),
        ("shuttle", "Class"),
        ("sonar", "Class"),
    ],
)
def test_as_good_as_scikit_learn_on_real_classes(data_folder, name, target, settings) -> None:
    X, y = real(data_folder, name, target)
    X, y = X[:4000], y[:4000]
    ours = DecisionTreeClassifier(**settings).fit(X, y)
    # Equal splits are decided at random there, and what follows differs.
    theirs = [
        leaf_impurity(
            sklearn.tree.DecisionTreeClassifier(random_state=r, **settings).fit(X, y).tree_
        )
        for r in range(8 if len(X) < 1000 else 3)
    ]
    slack = (0.05 if len(X) < 300 else 0.01) * ours.tree_.weight[0] * ours.tree_.impurity[0]
    assert min(theirs) - slack <= leaf_impurity(ours.tree_) <= max(theirs) + slack


def test_the_tree_of_scikit_learn_for_classes() -> None:
    X, y = interactions(4000, 8)
    labels = np.digitize(y, [-1, 0, 1])
    for settings in ({"max_depth": 5}, {"criterion": "entropy", "max_depth": 5}):
        ours = DecisionTreeClassifier(**settings).fit(X, labels)
        theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings).fit(X, labels)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
        assert leaf_impurity(ours.tree_) == pytest.approx(leaf_impurity(theirs.tree_))


@pytest.mark.parametrize("splits", ["group", "each", "one"])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_strings_from_a_frame(frame, splits) -> None:
    colours = ["red", "green", "blue", None] * 10
    data = frame({"colour": colours, "size": [float(i) for i in range(40)]})
    y = np.array(["a", "b", "a", "c"] * 10)
    model = DecisionTreeClassifier(categorical_splits=splits).fit(data, y)
    if splits == "each":  # what is missing goes with a level, and the sizes must tell them apart
        assert {EACH} <= set(model.tree_.kind.tolist())
    assert model.score(data, y) == 1.0
    unseen = frame({"colour": ["violet", None], "size": [1.0, 2.0]})
    assert model.predict(unseen)[0] == model.predict(unseen)[1]  # unseen goes where missing goes


def test_one_level_against_the_rest() -> None:
    X, y = counted((9, 1), (1, 9), (9, 1), (8, 2))
    model = DecisionTreeClassifier(
        categorical_features=[0], categorical_splits="one", max_depth=1
    ).fit(X, y)
    assert model.tree_.kind[0] == GROUP
    assert model.tree_.category_set(0).tolist() == [False, True, False, False]


def test_missing_values_go_to_the_better_child() -> None:
    X = np.array([[0.0], [1.0], [np.nan], [2.0], [np.nan], [3.0]])
    for y in ([0, 0, 0, 1, 0, 1], [0, 0, 1, 1, 1, 1]):
        model = DecisionTreeClassifier().fit(X, y)
        assert model.get_n_leaves() == 2
        assert (model.predict(X) == y).all()
    alone = DecisionTreeClassifier().fit(X, np.isnan(X[:, 0]))
    assert (alone.predict(X) == np.isnan(X[:, 0])).all()
    assert alone.get_n_leaves() == 2


def test_missing_values_as_good_as_scikit_learn(data_folder) -> None:
    X, y = real(data_folder, "pimaindiansdiabetes", "diabetes")
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    ours = DecisionTreeClassifier(max_depth=5).fit(X, y)
    theirs = sklearn.tree.DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, y)
    assert leaf_impurity(ours.tree_) <= 1.02 * leaf_impurity(theirs.tree_)


def test_the_sum_of_the_children_instead_of_their_mean() -> None:
    # One pure row and a mixture against an even division: the sum likes the first.
    X = np.arange(12.0)[:, None]
    y = np.array([1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0])
    found = {}
    for combine in ("mean", "sum"):
        tree = DecisionTreeClassifier(combine=combine, max_depth=1).fit(X, y).tree_
        weights = tree.weight[1:] / 12 if combine == "mean" else np.ones(2)
        found[combine] = float(weights @ tree.impurity[1:])
        every = []
        for cut in range(1, 12):
            p = [np.mean(y[:cut]), np.mean(y[cut:])]
            share = np.array([cut, 12 - cut]) / 12 if combine == "mean" else np.ones(2)
            every.append(share @ np.array([2 * q * (1 - q) for q in p]))
        assert found[combine] == pytest.approx(min(every))


def test_any_concave_function_is_a_criterion() -> None:
    X, y = interactions(400, 6)
    labels = np.digitize(y, [-0.5, 0.5])
    own = DecisionTreeClassifier(criterion=lambda p: 1 - (p**2).sum(axis=1), max_depth=4)
    own.fit(X, labels)
    gini = DecisionTreeClassifier(max_depth=4).fit(X, labels)
    np.testing.assert_array_equal(own.tree_.threshold, gini.tree_.threshold)
    with pytest.raises(ParameterError, match="concave"):
        clone(own).set_params(criterion=lambda p: (1 - p.max(axis=1)) ** 2).fit(X, labels)
    with pytest.raises(ParameterError, match="0 for a single class"):
        clone(own).set_params(criterion=lambda p: 2 - (p**2).sum(axis=1)).fit(X, labels)
    with pytest.raises(ParameterError, match="one finite impurity"):
        clone(own).set_params(criterion=lambda p: np.array([0.0])).fit(X, labels)


@given(st.integers(0, 10_000))
def test_a_weight_is_a_repetition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (20, 3)).astype(float)
    y, w = rng.integers(0, 3, 20), rng.integers(0, 4, 20)
    if not w.any():
        return
    repeated = np.repeat(np.arange(20), w)
    for criterion in ("gini", "entropy", "gain_ratio"):
        a = DecisionTreeClassifier(criterion=criterion).fit(X, y, sample_weight=w)
        b = DecisionTreeClassifier(criterion=criterion).fit(X[repeated], y[repeated])
        np.testing.assert_array_equal(a.tree_.threshold, b.tree_.threshold)
        np.testing.assert_array_equal(a.tree_.weight, b.tree_.weight)


def test_neighbouring_floats_are_separated() -> None:
    for dtype in (np.float32, np.float64):
        low = dtype(1.0)
        X = np.array([[low], [np.nextafter(low, dtype(2))]], dtype=dtype)
        model = DecisionTreeClassifier().fit(X, [0, 1])
        assert model.predict(X).tolist() == [0, 1]
