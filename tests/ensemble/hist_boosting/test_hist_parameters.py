"""Parameters shared by the histogram gradient boosting estimators."""

import pytest
from sklearn import ensemble as sk

import gramian
from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import ParameterError
from gramian.ensemble.hist_boosting.hist_parameters import KEYWORDS
from tests.ensemble.problems import curved

KINDS = [HistGradientBoostingClassifier, HistGradientBoostingRegressor]


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_match_scikit_learn(kind):
    theirs = getattr(sk, kind.__name__)().get_params()
    mine = kind().get_params()
    assert theirs.keys() <= mine.keys()
    for name, value in theirs.items():
        assert mine[name] == value, name
    assert set(KEYWORDS) < mine.keys()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("learning_rate", 0.0),
        ("max_iter", -1),
        ("max_leaf_nodes", 1),
        ("max_depth", 0),
        ("min_samples_leaf", 0),
        ("l2_regularization", -1.0),
        ("max_features", 0.0),
        ("max_bins", 1),
        ("validation_fraction", 1.0),
        ("n_iter_no_change", 0),
        ("tol", -1.0),
        ("leaf_steps", 0),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_values_out_of_range_are_refused_by_name(kind, name, value):
    X, y = curved(30)
    with pytest.raises(ValueError, match=name):
        kind(**{name: value}).fit(X, y > 0)


def test_limits_on_depth_leaves_and_leaf_sizes_hold():
    X, y = curved(300)
    model = HistGradientBoostingRegressor(max_iter=3, max_depth=3, min_samples_leaf=30).fit(X, y)
    trees = [tree for (tree,) in model.predictors_]
    assert max(tree.max_depth for tree in trees) <= 3
    assert min(tree.samples.min() for tree in trees) >= 30
    few = HistGradientBoostingRegressor(max_iter=3, max_leaf_nodes=4).fit(X, y)
    assert {tree.n_leaves for (tree,) in few.predictors_} == {4}


def test_leaf_steps_have_a_limit():
    with pytest.raises(ParameterError, match=r"leaf_steps must be an integer in \[1, 1000\]"):
        gramian.HistGradientBoostingRegressor(leaf_steps=2**31).fit([[0.0], [1.0]], [0.0, 1.0])
