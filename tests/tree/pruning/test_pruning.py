import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier as Theirs

from gramian.base.errors import DataError, ParameterError
from gramian.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)
from gramian.tree.pruning.pessimistic_error import Estimate
from gramian.tree.pruning.pruning_path import pruning_path


def test_no_error_has_an_exact_limit():
    """With no error in n cases, the rate p with (1 - p)^n = c is the limit."""
    rate = Estimate.of("weka", 0.25).errors(10, 0) / 10
    assert (1 - rate) ** 10 == pytest.approx(0.25)


def test_prices_are_those_of_a_peer():
    X, y = load_breast_cancer(return_X_y=True)
    theirs = Theirs(random_state=0).fit(X, y)
    ours = DecisionTreeClassifier().fit(X, y)
    path = theirs.cost_complexity_pruning_path(X, y)
    mine = pruning_path(ours.tree_)
    assert mine.ccp_alphas[-1] == pytest.approx(path.ccp_alphas[-1])
    assert mine.impurities[-1] == pytest.approx(path.impurities[-1])


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
