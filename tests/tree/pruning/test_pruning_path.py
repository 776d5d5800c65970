"""The sequence of pruned trees."""

import numpy as np
import pytest
import sklearn.tree
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier as Theirs

import gramian
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor
from gramian.tree.pruning.pruning_path import pruning_path
from tests.tree.table import interactions


def test_the_pruning_path_of_scikit_learn() -> None:
    X, y = interactions(400, 6)
    ours = DecisionTreeRegressor(max_depth=6).cost_complexity_pruning_path(X, y)
    theirs = sklearn.tree.DecisionTreeRegressor(max_depth=6).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)
    for alpha in ours.ccp_alphas[[3, -5]] + 1e-9:
        model = DecisionTreeRegressor(max_depth=6, ccp_alpha=alpha).fit(X, y)
        peer = sklearn.tree.DecisionTreeRegressor(max_depth=6, ccp_alpha=alpha).fit(X, y)
        assert model.get_n_leaves() == peer.get_n_leaves()


def test_alphas_match_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    theirs = Theirs(random_state=0).fit(X, y)
    ours = DecisionTreeClassifier().fit(X, y)
    path = theirs.cost_complexity_pruning_path(X, y)
    mine = pruning_path(ours.tree_)
    assert mine.ccp_alphas[-1] == pytest.approx(path.ccp_alphas[-1])
    assert mine.impurities[-1] == pytest.approx(path.impurities[-1])


@pytest.mark.parametrize("forest", [False, True])
def test_impurities_that_overflow_are_refused(forest):
    X = np.arange(20.0)[:, None]
    y = np.sin(X[:, 0])
    y[3] = 1e250
    kind = gramian.RandomForestRegressor if forest else gramian.DecisionTreeRegressor
    settings = {"n_estimators": 2, "bootstrap": False} if forest else {}
    model = kind(ccp_alpha=0.01, random_state=0, **settings)
    with pytest.raises(
        ValueError, match=f"{kind.__name__}: cost-complexity pruning .* squares of y overflow"
    ):
        model.fit(X, y)
