"""Gradient boosting over histograms: textbook properties, options, and scikit-learn's quality."""

import csv
import gzip

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as sk
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict, cross_val_score, train_test_split

import gramian
from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.objectives import LogitMargin


def wave(rng, n=2000, d=6, dtype=np.float64):
    X = rng.normal(size=(n, d)).astype(dtype)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * rng.normal(size=n)


# --- what boosting is ---------------------------------------------------------------------------


def test_one_tree_of_squared_error_predicts_means_of_its_leaves(rng):
    X, y = wave(rng)
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0).fit(X, y)
    leaf = model.apply(X)[:, 0, 0]
    assert len(np.unique(leaf)) == 31
    for k in np.unique(leaf):
        assert_allclose(model.predict(X)[leaf == k], y[leaf == k].mean(), rtol=1e-5)


def test_every_tree_lowers_the_training_loss(rng):
    X, y = wave(rng)
    losses = [
        np.mean((y - p) ** 2)
        for p in HistGradientBoostingRegressor(max_iter=40).fit(X, y).staged_predict(X)
    ]
    assert (np.diff(losses) < 0).all()


def test_the_last_stage_is_the_prediction(rng):
    X, y = wave(rng, 500)
    regressor = HistGradientBoostingRegressor(max_iter=7).fit(X, y)
    *_, last = regressor.staged_predict(X)
    assert_allclose(last, regressor.predict(X), rtol=1e-12)
    model = HistGradientBoostingClassifier(max_iter=7).fit(X, np.digitize(y, [-1, 1]))
    *_, labels = model.staged_predict(X)
    *_, p = model.staged_predict_proba(X)
    *_, z = model.staged_decision_function(X)
    assert_array_equal(labels, model.predict(X))
    assert_allclose(p, model.predict_proba(X), rtol=1e-10)
    assert_allclose(z, model.decision_function(X), rtol=1e-10)


def test_trees_are_shown_with_thresholds_of_x(rng):
    X, y = wave(rng, 800, dtype=np.float32)
    model = HistGradientBoostingRegressor(max_iter=3).fit(X, y)
    trees = [tree for stage in model.predictors_ for tree in stage]
    assert len(trees) == 3
    total = model._start[0] + sum(tree.predict(X)[:, 0, 0] for tree in trees)
    assert_allclose(total.astype(np.float32), model.predict(X), rtol=1e-6)
    assert model.feature_counts_.sum() == sum(tree.n_leaves - 1 for tree in trees)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(model.feature_importances_)[-3:]) == {0, 1, 2}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_training_scores_are_those_of_predict(rng, dtype):
    """What a row's code says in fit, its value says in predict."""
    X, y = wave(rng, 3000, dtype=dtype)
    model = HistGradientBoostingRegressor(
        max_iter=10, early_stopping=True, validation_fraction=None
    ).fit(X, y)
    missed = 0.5 * np.mean((y - model._scores(X)[0]) ** 2)
    assert -model.train_score_[-1] == pytest.approx(missed, rel=1e-10)


@pytest.mark.parametrize("n", [300, 30_000])
def test_the_same_bits_for_any_threads(rng, n):
    X, y = wave(rng, n, dtype=np.float32)
    labels = np.digitize(y, [-0.5, 0.5])
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        model = HistGradientBoostingClassifier(max_iter=4, early_stopping=False).fit(X, labels)
        found.append(model.decision_function(X))
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


# --- losses -------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "poisson", "gamma"])
def test_losses_reach_scikit_learns_quality(loss):
    X, y = load_diabetes(return_X_y=True)
    ours, theirs = (
        cross_val_score(model, X, y, cv=3).mean()
        for model in (
            HistGradientBoostingRegressor(loss=loss, max_iter=50),
            sk.HistGradientBoostingRegressor(loss=loss, max_iter=50),
        )
    )
    assert ours == pytest.approx(theirs, abs=0.03)


def test_quantile_loss_covers_its_share(rng):
    X = rng.uniform(size=(4000, 1))
    y = X[:, 0] * (1 + rng.normal(size=4000))
    model = HistGradientBoostingRegressor("quantile", quantile=0.8, max_iter=50).fit(X, y)
    assert (y <= model.predict(X)).mean() == pytest.approx(0.8, abs=0.02)


def test_the_start_is_the_best_constant(rng):
    y = rng.gamma(2, size=300)
    X = np.zeros((300, 1))
    expected = {"squared_error": y.mean(), "poisson": y.mean(), "gamma": y.mean()}
    expected["absolute_error"] = np.median(y)
    for loss, constant in expected.items():
        model = HistGradientBoostingRegressor(loss, max_iter=1).fit(X, y)
        assert model.predict(X[:1])[0] == pytest.approx(constant), loss


def test_classifiers_reach_scikit_learns_quality():
    X, y = load_breast_cancer(return_X_y=True)
    losses = [
        log_loss(y, cross_val_predict(model, X, y, cv=4, method="predict_proba"))
        for model in (
            HistGradientBoostingClassifier(max_iter=60),
            sk.HistGradientBoostingClassifier(max_iter=60),
        )
    ]
    assert losses[0] < losses[1] + 0.01


def test_shuttle_is_learned(data_folder):
    with gzip.open(data_folder / "shuttle.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=np.float32)
    y = np.array([row[-1] for row in rows])
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:10_000], order[10_000:]
    model = HistGradientBoostingClassifier(max_iter=25, early_stopping=False)
    assert model.fit(X[train], y[train]).score(X[test], y[test]) > 0.997


def test_exponential_loss_gives_half_the_log_odds(rng):
    X, y = wave(rng, 3000)
    label = y > 0.3
    logistic = HistGradientBoostingClassifier(max_iter=60).fit(X, label)
    exponential = HistGradientBoostingClassifier("exponential", max_iter=60).fit(X, label)
    a, b = logistic.predict_proba(X)[:, 1], exponential.predict_proba(X)[:, 1]
    assert np.corrcoef(a, b)[0, 1] > 0.97
    with pytest.raises(ValueError, match="two classes"):
        HistGradientBoostingClassifier("exponential").fit(X, np.digitize(y, [-1, 1]))


def test_several_steps_per_leaf_learn_more_per_tree(rng):
    X, y = wave(rng, 4000)
    label = (y > 0).astype(int)
    Xt, Xv, yt, yv = train_test_split(X, label, random_state=0)
    one, five = (
        HistGradientBoostingClassifier(max_iter=15, leaf_steps=steps).fit(Xt, yt)
        for steps in (1, 5)
    )
    assert log_loss(yv, five.predict_proba(Xv)) < log_loss(yv, one.predict_proba(Xv)) - 0.005
    squared = [
        HistGradientBoostingRegressor(max_iter=5, leaf_steps=s).fit(X, y).predict(X) for s in (1, 3)
    ]
    assert_allclose(squared[0], squared[1], atol=1e-4)  # one step is all a parabola needs


# --- losses of one's own ------------------------------------------------------------------------


def test_a_function_of_slopes_is_a_loss(rng):
    X, y = wave(rng)
    own = HistGradientBoostingRegressor(lambda y, z: (z - y, np.ones_like(z)), max_iter=20)
    known = HistGradientBoostingRegressor(max_iter=20).fit(X, y)
    assert own.fit(X, y).score(X, y) == pytest.approx(known.score(X, y), abs=0.02)
    assert own._start[0] == pytest.approx(y.mean())


def test_a_loss_of_objectives_serves_too(rng):
    X, y = wave(rng)
    label = y > 0
    own = HistGradientBoostingClassifier(LogitMargin(), max_iter=20).fit(X, label)
    known = HistGradientBoostingClassifier(max_iter=20).fit(X, label)
    assert (own.predict(X) == known.predict(X)).mean() > 0.97


@pytest.mark.parametrize("part", ["gradient", "hessian"])
def test_nan_of_a_custom_loss_is_an_error_that_says_so(rng, part):
    X, y = wave(rng, 100)

    def loss(y, z):
        g, h = z - y, np.ones_like(z)
        (g if part == "gradient" else h)[3] = np.nan
        return g, h

    with pytest.raises(ValueError, match=f"custom loss returned a {part} with NaN.*row 3"):
        HistGradientBoostingRegressor(loss).fit(X, y)


def test_a_custom_loss_of_another_shape_or_negative_curvature_is_refused(rng):
    X, y = wave(rng, 100)
    with pytest.raises(ValueError, match="two arrays"):
        HistGradientBoostingRegressor(lambda y, z: z - y).fit(X, y)
    with pytest.raises(ValueError, match=r"shape \(100,\)"):
        HistGradientBoostingRegressor(lambda y, z: (z[:5], z)).fit(X, y)
    with pytest.raises(ValueError, match="negative hessian"):
        HistGradientBoostingRegressor(lambda y, z: (z - y, -np.ones_like(z))).fit(X, y)


# --- missing values and categories --------------------------------------------------------------


def test_missing_values_go_where_they_gain_most(rng):
    X = rng.normal(size=(2000, 2))
    y = np.where(X[:, 0] > 0, 1.0, 0.0)
    gone = rng.random(2000) < 0.3
    X[gone, 0] = np.nan
    y[gone] = 5.0
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=3)
    model.fit(X, y)
    expected = [0.0, 1.0, 5.0]
    assert_allclose(model.predict([[-1.0, 0], [1.0, 0], [np.nan, 0]]), expected, atol=0.01)


def test_values_missing_only_later_go_with_the_most_rows(rng):
    X = rng.normal(size=(1000, 1))
    y = (X[:, 0] > 0.8).astype(float)
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=2)
    assert model.fit(X, y).predict([[np.nan]])[0] < 0.1


def test_categories_are_split_into_sets(rng):
    pd = pytest.importorskip("pandas")
    names = np.array([f"town {i}" for i in range(40)])
    town = rng.integers(40, size=4000)
    good = rng.permutation(40) < 20
    y = good[town] + 0.1 * rng.normal(size=4000)
    frame = pd.DataFrame({"town": pd.Categorical(names[town]), "noise": rng.normal(size=4000)})
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=2)
    model.fit(frame, y)
    assert model.is_categorical_.tolist() == [True, False]
    # Two leaves, so one question must tell the good towns from the others.
    assert_allclose(model.predict(frame), good[town], atol=0.05)
    unseen = pd.DataFrame({"town": ["nowhere"], "noise": [0.0]})
    assert np.isfinite(model.predict(unseen)).all()


def test_more_categories_than_bins_are_no_error(rng):
    X = rng.integers(900, size=(5000, 1)).astype(float)
    y = (X[:, 0] % 2) + 0.01 * rng.normal(size=5000)
    model = HistGradientBoostingRegressor(categorical_features=[0], min_samples_leaf=1).fit(X, y)
    assert model.score(X, y) > 0.08


# --- constraints --------------------------------------------------------------------------------


def test_monotonic_constraints_hold_everywhere(rng):
    X, y = wave(rng, 3000, 3)
    model = HistGradientBoostingRegressor(monotonic_cst=[1, -1, 0], max_iter=60).fit(X, y)
    grid = np.linspace(-3, 3, 200)
    for row in X[:20]:
        points = np.tile(row, (200, 1))
        points[:, 0] = grid
        assert (np.diff(model.predict(points)) >= -1e-12).all()
        points = np.tile(row, (200, 1))
        points[:, 1] = grid
        assert (np.diff(model.predict(points)) <= 1e-12).all()


def test_interaction_constraints_keep_columns_apart(rng):
    X, y = wave(rng, 2000, 4)
    model = HistGradientBoostingRegressor(interaction_cst=[{0, 1}, {2, 3}], max_iter=20).fit(X, y)
    for (tree,) in model.predictors_:
        for node in np.flatnonzero(tree.n_children == 0):
            path, at = set(), node
            while (at := tree.parent[at]) >= 0:
                path.add(int(tree.feature[at]))
            assert path <= {0, 1} or path <= {2, 3}
    alone = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=5).fit(X, y)
    for (tree,) in alone.predictors_:
        assert len(set(tree.feature[tree.feature >= 0])) == 1


def test_max_features_looks_at_some_columns_only(rng):
    X, y = wave(rng, 1000, 10)
    few = HistGradientBoostingRegressor(max_features=0.1, max_iter=30, random_state=0).fit(X, y)
    assert (few.feature_counts_ > 0).sum() >= 8
    again = HistGradientBoostingRegressor(max_features=0.1, max_iter=30, random_state=0).fit(X, y)
    assert_array_equal(few.predict(X), again.predict(X))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"monotonic_cst": [1]}, "one entry for each of the 3 columns"),
        ({"monotonic_cst": [2, 0, 0]}, "-1, 0 or 1"),
        ({"monotonic_cst": {"a": 1}}, "no column names"),
        ({"interaction_cst": [[0, 9]]}, "columns 0 to 2"),
        ({"quantile": 0.3}, "None for any other loss"),
        ({"loss": "quantile"}, "quantile must be a number"),
        ({"loss": "poisson"}, "requires y >= 0"),
        ({"loss": "gamma"}, "requires y > 0"),
        ({"monotonic_cst": [1, 0, 0], "leaf_steps": 2}, "leaf_steps must be 1"),
        ({"max_bins": 256}, "max_bins"),
    ],
)
def test_what_cannot_be_is_refused(rng, given, words):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match=words):
        HistGradientBoostingRegressor(**given).fit(X, y)


# --- stopping, continuing, weights --------------------------------------------------------------


def test_it_stops_on_the_users_own_rows(rng):
    X, y = wave(rng, 3000)
    y += rng.normal(size=3000)
    Xt, Xv, yt, yv = train_test_split(X, y, random_state=0)
    model = HistGradientBoostingRegressor(max_iter=500, n_iter_no_change=5)
    model.fit(Xt, yt, X_val=Xv, y_val=yv)
    assert model.do_early_stopping_
    assert model.n_iter_ < 500
    assert len(model.validation_score_) == model.n_iter_ + 1
    expected = -0.5 * np.mean((yv - model.predict(Xv)) ** 2)
    assert model.validation_score_[-1] == pytest.approx(expected, rel=1e-9)


def test_it_stops_by_a_scorer(rng):
    X, y = wave(rng, 1200)
    model = HistGradientBoostingClassifier(
        max_iter=200, early_stopping=True, scoring="accuracy", n_iter_no_change=3, random_state=0
    ).fit(X, y > 0)
    assert model.n_iter_ < 200
    assert 0.5 < model.validation_score_[-1] <= 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"X_val": np.zeros((5, 2)), "y_val": np.zeros(5)}, "X_val does not fit X.*2 features"),
        ({"X_val": np.zeros((5, 3))}, "y_val is missing"),
        ({"X_val": np.zeros((5, 3)), "y_val": np.zeros(4)}, "y_val does not fit X_val"),
        ({"sample_weight_val": np.ones(5)}, "needs X_val"),
    ],
)
def test_bad_validation_rows_are_refused(rng, more, words):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match=words):
        HistGradientBoostingRegressor().fit(X, y, **more)


def test_unknown_classes_of_y_val_are_refused(rng):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match="7, which is not in y"):
        HistGradientBoostingClassifier().fit(X, y > 0, X_val=X, y_val=np.full(100, 7))


def test_a_warm_start_goes_on(rng):
    X, y = wave(rng)
    whole = HistGradientBoostingRegressor(max_iter=12).fit(X, y)
    parts = HistGradientBoostingRegressor(max_iter=5, warm_start=True).fit(X, y)
    parts.set_params(max_iter=12).fit(X, y)
    assert parts.n_iter_ == 12
    assert_allclose(parts.predict(X), whole.predict(X), rtol=1e-9)
    with pytest.raises(ValueError, match="larger than or equal"):
        parts.set_params(max_iter=3).fit(X, y)
    with pytest.raises(ValueError, match="warm_start"):
        parts.set_params(max_iter=20).fit(X[:, :4], y)


def test_zero_rounds_predict_the_constant(rng):
    X, y = wave(rng, 50)
    model = HistGradientBoostingRegressor(max_iter=0).fit(X, y)
    assert model.n_iter_ == 0
    assert_allclose(model.predict(X), y.mean())
    assert model.apply(X).shape == (50, 0, 1)


def test_one_class_is_predicted_surely():
    model = HistGradientBoostingClassifier().fit(np.arange(30.0)[:, None], ["a"] * 30)
    assert model.predict([[3.0]]) == ["a"]
    assert model.predict_proba([[3.0]]) == [[1.0]]


def test_a_row_of_weight_zero_counts_nowhere(rng):
    X, y = wave(rng, 300)
    weights = rng.integers(2, size=300)
    weighted = HistGradientBoostingRegressor(max_iter=10).fit(X, y, sample_weight=weights)
    kept = weights > 0
    alone = HistGradientBoostingRegressor(max_iter=10).fit(X[kept], y[kept])
    assert_allclose(weighted.predict(X), alone.predict(X), atol=1e-2)
    assert weighted.predictors_[0][0].samples[0] == kept.sum()


def test_class_weights_are_sample_weights(rng):
    X, y = wave(rng, 600)
    label = (y > 1).astype(int)
    by_class = HistGradientBoostingClassifier(max_iter=5, class_weight={0: 1, 1: 3}).fit(X, label)
    by_row = HistGradientBoostingClassifier(max_iter=5).fit(X, label, sample_weight=1 + 2 * label)
    assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))


def test_a_saved_model_answers_the_same(rng, tmp_path):
    X, y = wave(rng, 500)
    X[::7, 0] = np.nan
    model = HistGradientBoostingClassifier(max_iter=6).fit(X, np.digitize(y, [-1, 1]))
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert len(copy.predictors_) == 6


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_weighted_quantile_leaves_are_minimisers_and_no_round_does_worse(seed, q):
    """What trees are grown is a matter of ties; what each leaf answers is not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + rng.standard_t(2, size=150)
    w = rng.exponential(size=150) * (rng.random(150) < 0.9)

    def pinball(r, weights):
        return np.sum(weights * np.where(r < 0, q - 1, q) * r)

    settings = {"loss": "quantile", "quantile": q, "early_stopping": False}
    one = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, **settings).fit(X, y, w)
    for answer in np.unique(one.predict(X)):
        own = one.predict(X) == answer
        least = min(pinball(y[own] - at, w[own]) for at in y[own])
        assert pinball(y[own] - answer, w[own]) <= least * (1 + 1e-9)
    model = HistGradientBoostingRegressor(max_iter=30, **settings).fit(X, y, w)
    losses = np.array([pinball(y - z, w) for z in model.staged_predict(X)])
    assert (np.diff(losses) <= 1e-12 * losses[0]).all()
