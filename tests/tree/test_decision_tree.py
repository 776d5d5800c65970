"""Decision trees: worked numbers, agreement with scikit-learn, every rule for stopping."""

import numpy as np
import pytest
import sklearn.tree
from sklearn.exceptions import NotFittedError

from gramian.base.errors import DataError
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.tree.table import interactions

# --- worked numbers -----------------------------------------------------------------------------


# --- agreement ----------------------------------------------------------------------------------

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


def test_monotone_constraints_hold() -> None:
    X, y = interactions(600, 6)
    for signs, ascending in (([0, 0, 0, 0, 0, 1], True), ([0, 0, 0, 0, 0, -1], False)):
        number = DecisionTreeRegressor(monotonic_cst=signs, min_samples_leaf=3).fit(X, y)
        classes = DecisionTreeClassifier(monotonic_cst=signs, min_samples_leaf=3).fit(X, y > 0)
        grid = np.repeat(X[:40], 50, axis=0)
        grid[:, 5] = np.tile(np.linspace(-3, 3, 50), 40)
        for values in (number.predict(grid), classes.predict_proba(grid)[:, 1]):
            steps = np.diff(values.reshape(40, 50), axis=1)
            assert (steps >= 0).all() if ascending else (steps <= 0).all()
        assert number.get_n_leaves() > 10


# --- categories and missing values ----------------------------------------------------------------


# --- stopping and other rules ---------------------------------------------------------------------


def test_rules_for_stopping() -> None:
    X, y = interactions(500, 6)
    labels = y > 0
    pure = DecisionTreeClassifier(max_purity=0.9).fit(X, labels).tree_
    inner = pure.n_children > 0
    assert (pure.value[inner, 0].max(axis=1) < 0.9).all()
    edge = DecisionTreeClassifier(min_box_edge=2.0).fit(X, labels)
    inside = edge.decision_path(X).toarray().astype(bool)
    for t in np.flatnonzero(edge.tree_.n_children):
        assert np.ptp(X[inside[:, t]], axis=0).max() >= 2.0
    stump = DecisionTreeClassifier(max_depth=0).fit(X, labels)
    assert (stump.get_depth(), stump.get_n_leaves()) == (0, 1)
    few = DecisionTreeClassifier(min_samples_split=0.2).fit(X, labels).tree_
    assert few.samples[few.n_children > 0].min() >= 100
    gain = DecisionTreeRegressor(min_impurity_decrease=0.05).fit(X, y).tree_
    for t in np.flatnonzero(gain.n_children):
        children = [gain.first_child[t], gain.first_child[t] + 1]
        drop = gain.weight[t] * gain.impurity[t] - gain.weight[children] @ gain.impurity[children]
        assert drop / gain.weight[0] >= 0.05


def test_several_outputs() -> None:
    X, y = interactions(300, 6)
    both = np.column_stack([y, -y])
    one, two = (DecisionTreeRegressor(max_depth=5).fit(X, t) for t in (y, both))
    np.testing.assert_allclose(two.predict(X), np.column_stack([one.predict(X), -one.predict(X)]))
    labels = np.column_stack([y > 0, np.digitize(y, [-1, 1])])
    model = DecisionTreeClassifier(max_depth=3).fit(X, labels)
    peer = sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, labels)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    assert [p.shape for p in model.predict_proba(X)] == [(300, 2), (300, 3)]


def test_degenerate_tables() -> None:
    one = DecisionTreeClassifier().fit([[1.0]], ["only"])
    assert one.predict([[5.0]]).tolist() == ["only"]
    constant = DecisionTreeClassifier().fit(np.ones((5, 2)), [0, 1, 0, 1, 1])
    assert constant.get_n_leaves() == 1
    missing = DecisionTreeClassifier().fit(np.full((4, 1), np.nan), [0, 1, 0, 1])
    assert missing.get_n_leaves() == 1
    names = np.arange(30)
    assert (
        DecisionTreeClassifier().fit(names[:, None], names).predict(names[:, None]) == names
    ).all()
    with pytest.raises(ValueError, match="zero"):
        DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=[0, 0])
    with pytest.raises(ValueError, match="inf"):
        DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, np.inf])
    with pytest.raises(DataError, match="poisson"):
        DecisionTreeRegressor(criterion="poisson").fit([[0.0], [1.0]], [-1.0, 2.0])


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_the_pruning_path_does_not_fit_the_estimator(kind) -> None:
    X, y = interactions(60, 6)
    y = (y > 0).astype(int)
    fresh = kind()
    fresh.cost_complexity_pruning_path(X, y)
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    model = kind().fit(X, y)
    before = dict(vars(model))
    model.cost_complexity_pruning_path(X[:, :2], y + 5)
    assert vars(model) == before
