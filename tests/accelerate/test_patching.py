"""Names are replaced in all modules, and put back."""

import sys
from types import ModuleType

import sklearn.cluster
import sklearn.ensemble
import sklearn.ensemble._stacking
import sklearn.linear_model
import sklearn.tree
from sklearn.cluster import KMeans as imported_here  # noqa: N813

import gramian
from gramian.accelerate import estimators

ORIGINAL = [sklearn.cluster.KMeans]  # a list is not a name: it keeps the original


def test_names_of_scikit_learn_and_of_others_are_replaced_and_restored():
    before = dict(vars(sklearn.cluster)), dict(vars(sklearn.ensemble._stacking))
    with gramian.accelerate() as acceleration:
        assert gramian.accelerate.is_active()
        assert "names of scikit-learn" in repr(acceleration)
        assert sklearn.cluster.KMeans is estimators.KMeans
        assert imported_here is estimators.KMeans
        assert sklearn.ensemble._stacking.LogisticRegression is estimators.LogisticRegression
    assert imported_here is sklearn.cluster.KMeans is ORIGINAL[0]
    assert "off" in repr(acceleration)
    after = dict(vars(sklearn.cluster)), dict(vars(sklearn.ensemble._stacking))
    assert after == before


def test_a_module_imported_while_accelerated_is_restored_too():
    late = ModuleType("a_late_module")
    sys.modules["a_late_module"] = late
    try:
        with gramian.accelerate():
            late.KMeans = sklearn.cluster.KMeans
            assert late.KMeans is not ORIGINAL[0]
        assert late.KMeans is ORIGINAL[0]
    finally:
        del sys.modules["a_late_module"]


def test_blocks_may_be_nested():
    with gramian.accelerate():
        with gramian.accelerate():
            pass
        assert gramian.accelerate.is_active()
    assert not gramian.accelerate.is_active()


def test_undo_twice_is_undo():
    gramian.accelerate()
    gramian.accelerate.undo()
    gramian.accelerate.undo()
    assert sklearn.cluster.KMeans is ORIGINAL[0]


def test_ensembles_of_scikit_learn_keep_their_trees(accelerated, table):
    X, _ = table
    forest = sklearn.ensemble.IsolationForest(n_estimators=5, random_state=0).fit(X)
    assert set(forest.predict(X)) == {-1, 1}


def test_estimators_created_by_scikit_learn_are_accelerated(accelerated, table):
    X, y = table
    members = [("tree", sklearn.tree.DecisionTreeClassifier(max_depth=2))]
    stack = sklearn.ensemble.StackingClassifier(members).fit(X, y)
    assert type(stack.final_estimator_) is estimators.LogisticRegression
