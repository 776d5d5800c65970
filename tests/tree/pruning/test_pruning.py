from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier as Theirs

from gramian.base.errors import DataError, ParameterError
from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    node_errors,
    pessimistic_error,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)
from gramian.tree.pruning.pessimistic_error import Estimate, quinlan_quantile
from gramian.tree.pruning.pruning_path import pruning_path
from gramian.tree.structure.tree import Tree


def noisy(rng, n=240):
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0).astype(int) ^ (rng.random(n) < 0.25)


def test_pessimistic_errors_of_the_book():
    """Witten, Frank, Hall and Pal: 2 of 6, 1 of 2 and 5 of 14 at z = 0.69."""
    assert pessimistic_error(2, 6, z=0.69) == pytest.approx(0.4740, abs=5e-5)
    assert pessimistic_error(1, 2, z=0.69) == pytest.approx(0.7192, abs=5e-5)
    assert pessimistic_error(5, 14, z=0.69) == pytest.approx(0.4489, abs=5e-5)
    assert quinlan_quantile(0.25) == pytest.approx(0.69, abs=5e-3)


def test_the_three_leaves_of_the_book_are_worse_than_their_parent():
    """0.51 on average in the leaves of 6, 2 and 6 against 0.46 (0.4489) in the node of 14."""
    leaves = pessimistic_error([2, 1, 2], [6, 2, 6], z=0.69)
    mean = np.average(leaves, weights=[6, 2, 6])
    assert mean == pytest.approx(0.51, abs=5e-3)
    assert pessimistic_error(5, 14, z=0.69) < mean


@given(n=st.floats(1, 500), share=st.floats(0, 1), confidence=st.floats(0.01, 0.5))
def test_the_limit_lies_above_the_rate_and_is_what_the_core_uses(n, share, confidence):
    e = share * n
    rate = pessimistic_error(e, n, confidence=confidence)
    assert share - 1e-12 <= rate <= 1 + 1e-12
    assert Estimate.of("normal", confidence).errors(n, e) == pytest.approx(n * rate)
    for formula in ("weka", "quinlan"):
        assert Estimate.of(formula, confidence).errors(n, e) >= e - 1e-9


def test_no_error_has_an_exact_limit():
    """With no error in n cases, the rate p with (1 - p)^n = c is the limit."""
    rate = Estimate.of("weka", 0.25).errors(10, 0) / 10
    assert (1 - rate) ** 10 == pytest.approx(0.25)


def test_a_confidence_out_of_range_is_refused():
    with pytest.raises(ParameterError, match=r"\(0, 0.5\]; got 0.7"):
        pessimistic_error(1, 2, confidence=0.7)


def every_subtree(tree):
    """All trees that cutting can give, as masks of leaves."""
    inner = np.flatnonzero(tree.n_children)
    for stops in product([False, True], repeat=len(inner)):
        yield tree.cut(inner[list(stops)]) if any(stops) else tree


def test_reduced_error_finds_the_best_of_all_subtrees(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=4, min_samples_leaf=10).fit(X[:160], y[:160])
    assert 5 < grown.get_n_leaves() < 16
    best = prune_reduced_error(grown, X[160:], y[160:]).estimator
    errors = [
        (t.predict(X[160:])[:, 0].argmax(axis=1) != y[160:]).sum()
        for t in every_subtree(grown.tree_)
    ]
    ours = (best.predict(X[160:]) != y[160:]).sum()
    assert ours == min(errors)
    sizes = [
        t.n_leaves for t, e in zip(every_subtree(grown.tree_), errors, strict=True) if e == ours
    ]
    assert best.get_n_leaves() == min(sizes)


def test_the_grown_tree_is_left_alone_and_the_curve_ends_at_the_root(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier().fit(X[:160], y[:160])
    before = grown.tree_
    pruned, curve = prune_reduced_error(grown, X[160:], y[160:])
    assert grown.tree_ is before
    assert type(pruned) is DecisionTreeClassifier
    assert curve.n_leaves[0] == grown.get_n_leaves()
    assert curve.n_leaves[-1] == 1
    assert (np.diff(curve.n_leaves) < 0).all()
    assert curve.train_error[0] == pytest.approx(0)
    assert (np.diff(curve.train_error) >= -1e-12).all()
    assert curve.estimated_error[0] == pytest.approx(1 - grown.score(X[160:], y[160:]))
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert 1 - pruned.score(X[160:], y[160:]) <= curve.estimated_error.min() + 1e-12


def test_regression_trees_are_pruned_by_squared_errors():
    X, y = load_diabetes(return_X_y=True)
    grown = DecisionTreeRegressor().fit(X[:300], y[:300])
    pruned, curve = prune_reduced_error(grown, X[300:], y[300:])
    assert pruned.get_n_leaves() < grown.get_n_leaves() / 4
    error = np.mean((pruned.predict(X[300:]) - y[300:]) ** 2)
    assert error <= curve.estimated_error.min() + 1e-9
    assert pruned.score(X[300:], y[300:]) > grown.score(X[300:], y[300:])


def test_errors_of_nodes_on_rows_held_out(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=3).fit(X[:160], y[:160])
    errors = node_errors(grown, X[160:], y[160:])
    majority = np.bincount(y[:160]).argmax()
    assert errors[0] == (y[160:] != majority).sum()
    leaves = grown.tree_.n_children == 0
    assert errors[leaves].sum() == pytest.approx((grown.predict(X[160:]) != y[160:]).sum())


def test_a_class_the_tree_does_not_know_is_always_an_error():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert_array_equal(node_errors(grown, [[0.0]], ["z"]), [1, 1, 0])


def test_subtrees_are_replaced_from_the_leaves_up(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=3).fit(X, y)
    tree = grown.tree_
    smallest, curve = replace_subtrees(grown, np.zeros(tree.node_count))
    assert smallest.get_n_leaves() == curve.n_leaves[curve.chosen] == 1
    depth = tree.depth.astype(float)
    kept, curve = replace_subtrees(grown, 10.0 ** (-2 * depth))
    assert kept.get_n_leaves() == curve.n_leaves[curve.chosen] == tree.n_leaves
    assert curve.train_error[0] == pytest.approx(1 - grown.score(X, y))
    with pytest.raises(DataError, match="one finite number for each"):
        replace_subtrees(grown, [1.0])


def test_pessimism_prunes_noise_and_keeps_what_is_clear(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier().fit(X, y)
    sizes = [
        prune_pessimistic(grown, confidence=c, formula="weka").estimator.get_n_leaves()
        for c in (0.5, 0.25, 0.05, 0.001)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < grown.get_n_leaves()
    clear = DecisionTreeClassifier().fit(X, X[:, 0] > 0)
    assert prune_pessimistic(clear).estimator.get_n_leaves() == clear.get_n_leaves() == 2


def test_raising_is_what_c45_does_after_growth(rng):
    X, y = noisy(rng)
    X[rng.random(X.shape) < 0.1] = np.nan
    grown = C45Classifier(pruning=None).fit(X, y)
    for raising in (True, False):
        whole = C45Classifier(subtree_raising=raising).fit(X, y)
        after, curve = raise_subtrees(grown, X, y, raising=raising)
        assert curve.n_leaves[0] == grown.get_n_leaves()
        assert curve.n_leaves[curve.chosen] == after.get_n_leaves()
        assert curve.n_leaves[-1] == 1
        for name, array in whole.tree_.arrays().items():
            assert_allclose(after.tree_.arrays()[name], array, err_msg=name)


def test_raising_replaces_a_node_by_its_largest_branch():
    """The root's question is idle: nearly all rows are on one side, where the tree is."""
    x = np.arange(40.0)
    X = np.column_stack([np.r_[np.zeros(38), 1, 1], x])
    y = (x >= 20).astype(int)
    good = DecisionTreeClassifier().fit(X[:, 1:], y).tree_
    tree = Tree(
        first_child=[1, 3, 0, 0, 0],
        n_children=[2, 2, 0, 0, 0],
        kind=[1, 1, 0, 0, 0],
        feature=[0, 1, -1, -1, -1],
        threshold=[0.5, good.threshold[0], np.nan, np.nan, np.nan],
        bits=[],
        bit_start=[0] * 5,
        missing=[0] * 5,
        samples=[40, 38, 2, 20, 18],
        weight=[40, 38, 2, 20, 18],
        impurity=[0.0] * 5,
        value=np.array([[0.5, 0.5], [20 / 38, 18 / 38], [0, 1], [1, 0], [0, 1]])[:, None],
        levels=[0, 0],
    )
    model = DecisionTreeClassifier().fit(X, y)
    model.tree_ = tree
    raised = raise_subtrees(model, X, y).estimator.tree_
    assert raised.node_count == 3
    assert raised.feature[0] == 1
    assert_array_equal(raised.weight, [40, 20, 20])


def test_prices_are_those_of_a_peer():
    X, y = load_breast_cancer(return_X_y=True)
    theirs = Theirs(random_state=0).fit(X, y)
    ours = DecisionTreeClassifier().fit(X, y)
    path = theirs.cost_complexity_pruning_path(X, y)
    mine = pruning_path(ours.tree_)
    assert mine.ccp_alphas[-1] == pytest.approx(path.ccp_alphas[-1])
    assert mine.impurities[-1] == pytest.approx(path.impurities[-1])


@pytest.mark.parametrize("name", ["iris", "cancer"])
def test_cost_complexity_chooses_a_small_tree_that_errs_little(name):
    X, y = {"iris": load_iris, "cancer": load_breast_cancer}[name](return_X_y=True)
    grown = DecisionTreeClassifier().fit(X, y)
    least = prune_cost_complexity(grown, X, y, cv=5, rule="least")
    careful = prune_cost_complexity(grown, X, y, cv=5)
    assert careful.estimator.get_n_leaves() <= least.estimator.get_n_leaves()
    curve = careful.curve
    assert curve.n_leaves[0] <= grown.get_n_leaves()
    assert curve.n_leaves[-1] == 1
    assert careful.estimator.get_n_leaves() == curve.n_leaves[curve.chosen]
    limit = least.curve.estimated_error[least.curve.chosen]
    limit += least.curve.standard_error[least.curve.chosen]
    assert curve.estimated_error[curve.chosen] <= limit
    assert limit < 0.15


def test_cost_complexity_of_numbers_and_of_frames():
    pd = pytest.importorskip("pandas")
    X, y = load_diabetes(return_X_y=True)
    grown = DecisionTreeRegressor(max_leaf_nodes=40).fit(X, y)
    pruned, curve = prune_cost_complexity(grown, X, y, cv=4)
    assert 1 < pruned.get_n_leaves() < 20
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(10)])
    again = prune_cost_complexity(
        DecisionTreeRegressor(max_leaf_nodes=40).fit(frame, y), frame, y, cv=4
    )
    assert_allclose(again.curve.estimated_error, curve.estimated_error)


def test_growth_may_stop_early_or_be_pruned_after(rng):
    """Prepruning and postpruning are two settings of one tree."""
    X, y = noisy(rng)
    early = DecisionTreeClassifier(min_impurity_decrease=0.02).fit(X, y)
    late = prune_pessimistic(DecisionTreeClassifier().fit(X, y), formula="weka").estimator
    grown = DecisionTreeClassifier().fit(X, y)
    assert max(early.get_n_leaves(), late.get_n_leaves()) < grown.get_n_leaves()


def test_rows_and_targets_must_be_as_many():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match=r"y must have shape \(2,\), a target for each row"):
        prune_reduced_error(grown, [[0.0], [1.0]], [0])
    number = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(DataError, match="NaN"):
        prune_reduced_error(number, [[0.0], [1.0]], [np.nan, 1.0])


def test_several_outputs_are_pruned_by_the_mean_of_their_errors(rng):
    X, y = noisy(rng)
    both = np.column_stack([y, X[:, 1] > 0])
    grown = DecisionTreeClassifier().fit(X[::2], both[::2])
    pruned, curve = prune_reduced_error(grown, X[1::2], both[1::2])
    wrong = (pruned.predict(X[1::2]) != both[1::2]).mean()
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert curve.estimated_error.min() == pytest.approx(wrong)


def test_what_cannot_be_pruned_says_why():
    X, y = load_diabetes(return_X_y=True)
    number = DecisionTreeRegressor(max_depth=3).fit(X, y)
    model = ModelTreeRegressor(max_depth=3).fit(X, y)
    for prune in (prune_pessimistic, lambda tree: raise_subtrees(tree, X, y)):
        with pytest.raises(DataError, match="must be a classifier"):
            prune(number)
    # Its linear models belong to nodes, which pruning would number anew.
    for prune in (
        lambda: prune_reduced_error(model, X, y),
        lambda: prune_cost_complexity(model, X, y),
        lambda: replace_subtrees(model, np.zeros(model.tree_.node_count)),
    ):
        with pytest.raises(DataError, match="linear model in every node"):
            prune()
    with pytest.raises(DataError, match="got a DecisionTreeClassifier of sklearn"):
        prune_pessimistic(Theirs().fit(X, y > 100))
    with pytest.raises(ParameterError, match="'one_standard_error' or 'least'; got 'best'"):
        prune_cost_complexity(number, X, y, rule="best")


def test_more_errors_than_cases_are_refused():
    with pytest.raises(DataError, match=r"errors must be in \[0, n\]"):
        pessimistic_error(7, 6)
