import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score

import gramian
from gramian.linear_model import LinearRegression
from gramian.tree import DecisionTreeRegressor, ModelTreeRegressor


def two_lines(n=80):
    x = np.linspace(-2, 2, n)
    return x[:, None], np.where(x < 0, -x, 10 + 2 * x)


def test_two_lines_are_two_leaves_with_their_slopes():
    X, y = two_lines()
    model = ModelTreeRegressor(smoothing=0).fit(X, y)
    leaves = model.tree_.n_children == 0
    assert model.get_n_leaves() == 2
    assert_allclose(model.coef_[leaves, 0], [-1, 2])
    assert_allclose(model.intercept_[leaves], [0, 10], atol=1e-12)
    assert_allclose(model.predict(X), y)


def test_one_line_is_one_leaf():
    X = np.random.default_rng(0).normal(size=(100, 3))
    y = X @ [1.0, -2.0, 0.5] + 3
    model = ModelTreeRegressor().fit(X, y)
    assert model.get_n_leaves() == 1
    assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X))


def test_smoothing_is_the_mean_with_the_parents_model():
    """p' = (n p + k q)/(n + k) with n the rows of the leaf."""
    X, y = two_lines()
    rough, smooth = ModelTreeRegressor(smoothing=0).fit(X, y), ModelTreeRegressor().fit(X, y)
    root = np.polyfit(X[:, 0], y, 1)
    q = np.polyval(root, X[:, 0])
    n = rough.tree_.weight[rough.apply(X)]
    assert_allclose(smooth.predict(X), (n * rough.predict(X) + 15 * q) / (n + 15))


def test_pruning_never_makes_the_tree_larger(rng):
    X = rng.normal(size=(200, 3))
    y = np.abs(X[:, 0]) + 0.3 * rng.normal(size=200)
    full = ModelTreeRegressor(prune=False).fit(X, y)
    assert ModelTreeRegressor().fit(X, y).get_n_leaves() < full.get_n_leaves()


def test_models_in_leaves_beat_means_on_real_data():
    X, y = load_diabetes(return_X_y=True)
    models = cross_val_score(ModelTreeRegressor(), X, y).mean()
    means = cross_val_score(DecisionTreeRegressor(min_samples_leaf=5), X, y).mean()
    assert models > means + 0.2
    assert models > 0.4


def test_weights_are_copies(rng):
    X = rng.normal(size=(60, 2))
    y = np.abs(X[:, 0]) + X[:, 1]
    copies = rng.integers(0, 3, 60)
    weighted = ModelTreeRegressor().fit(X, y, sample_weight=copies)
    repeated = ModelTreeRegressor().fit(X.repeat(copies, axis=0), y.repeat(copies))
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-6)


@pytest.mark.parametrize("y", [np.zeros(5), np.full(5, 7.0)])
def test_a_constant_is_one_leaf(y):
    X = np.arange(10.0).reshape(5, 2)
    model = ModelTreeRegressor().fit(X, y)
    assert model.get_n_leaves() == 1
    assert_allclose(model.predict(X), y)


@pytest.mark.parametrize("scale", [2.0**-660, 2.0**-30, 2.0**660])
def test_targets_and_columns_of_any_size(rng, scale):
    X = rng.normal(size=(150, 3))
    y = np.abs(X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=150)
    plain = ModelTreeRegressor().fit(X, y).predict(X)
    assert_allclose(ModelTreeRegressor().fit(X, y * scale).predict(X) / scale, plain, rtol=1e-6)
    rows = X * [1.0, scale, 1.0]  # units of a column do not matter to the models
    assert_allclose(ModelTreeRegressor().fit(rows, y).predict(rows), plain, rtol=1e-6)


def test_growth_takes_the_split_of_greatest_deviation_reduction(rng):
    X = rng.normal(size=(40, 2)).round(1)
    y = rng.normal(size=40)
    tree = ModelTreeRegressor(max_depth=1, prune=False, min_samples_leaf=3).fit(X, y).tree_
    left = X[:, tree.feature[0]] <= tree.threshold[0]

    def after(left):
        return left.mean() * y[left].std() + (~left).mean() * y[~left].std()

    every = [
        after(X[:, j] <= t) for j in range(2) for t in X[:, j] if 3 <= (X[:, j] <= t).sum() <= 37
    ]
    assert after(left) == pytest.approx(min(every))
    assert tree.impurity[0] == pytest.approx(y.var())


def test_noise_is_pruned_away(rng):
    X, fresh = rng.normal(size=(2, 600, 4))

    def truth(X):
        return 2 * np.abs(X[:, 0]) + X[:, 1]

    model = ModelTreeRegressor().fit(X, truth(X) + 0.3 * rng.normal(size=600))
    assert 2 <= model.get_n_leaves() <= 40
    assert model.score(fresh, truth(fresh)) > 0.85


def test_slopes_that_overflow_are_dropped():
    X = np.arange(40.0)[:, None] * 1e-320
    model = gramian.ModelTreeRegressor(smoothing=0).fit(X, np.arange(40.0))
    assert np.isfinite(model.predict(X)).all()
    assert model.score(X, np.arange(40.0)) > 0.8


def test_a_file_needs_a_model_for_each_node():
    X = np.random.default_rng(0).normal(size=(80, 2))
    model = ModelTreeRegressor().fit(X, np.abs(X[:, 0]))
    model.intercept_ = model.intercept_[:-1]
    with pytest.raises(ValueError, match="must have a model"):
        model._check_loaded()
