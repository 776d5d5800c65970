"""MLPClassifier: outputs, targets, agreement with scikit-learn, real data."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_moons, make_multilabel_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier as Theirs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import MLPClassifier
from tests.tree.table import real

pytestmark = [
    pytest.mark.numeric,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def same_weights(ours, theirs):
    theirs.coefs_ = [coef.copy() for coef in ours.coefs_]
    theirs.intercepts_ = [intercept.copy() for intercept in ours.intercepts_]


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["adam", "sgd"])
@pytest.mark.parametrize("classes", [2, 10])
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
def test_epochs_agree_with_scikit_learn(solver, classes, activation):
    """From the same weights, in the same order of rows, on real data."""
    X, y = load_digits(return_X_y=True)
    X, y = X[y < classes] / 16, y[y < classes]
    settings = {
        "hidden_layer_sizes": (31, 9),
        "activation": activation,
        "solver": solver,
        "shuffle": False,
        "alpha": 0.5,
        "warm_start": True,
        "random_state": 0,
    }
    ours = MLPClassifier(max_iter=1, **settings).fit(X, y)
    theirs = Theirs(max_iter=1, **settings).fit(X, y)
    same_weights(ours, theirs)
    ours.set_params(max_iter=5).fit(X, y)
    theirs.set_params(max_iter=5).fit(X, y)
    np.testing.assert_allclose(ours.loss_curve_[1:], theirs.loss_curve_[1:], rtol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.slow
def test_digits_are_read_as_well_as_by_scikit_learn():
    X, y = load_digits(return_X_y=True)
    A, B, a, b = train_test_split(X / 16, y, random_state=0, stratify=y)
    scores = [
        np.mean([cls(random_state=seed, max_iter=60).fit(A, a).score(B, b) for seed in range(2)])
        for cls in (MLPClassifier, Theirs)
    ]
    assert scores[0] > scores[1] - 0.01


def test_several_labels_have_a_probability_each():
    X, Y = make_multilabel_classification(300, n_features=8, n_classes=4, random_state=0)
    model = MLPClassifier((20,), max_iter=100, learning_rate_init=0.01, random_state=0).fit(X, Y)
    P = model.predict_proba(X)
    assert P.shape == Y.shape
    np.testing.assert_array_equal(model.predict(X), P > 0.5)
    each = [(model.predict(X)[:, k] == Y[:, k]).mean() for k in range(4)]
    assert min(each) > 0.75
    sets = [set(np.flatnonzero(row)) for row in Y]
    named = MLPClassifier((20,), max_iter=100, learning_rate_init=0.01, random_state=0)
    np.testing.assert_array_equal(named.fit(X, sets).predict(X), model.predict(X))
    with pytest.raises(ValueError, match="pass a column for each"):
        model.partial_fit(X, Y[:, :3])


def test_smoothed_targets_are_19_and_1_twentieth():
    """NE-15, T29: sigmoids reach them with finite weights."""
    X = np.array([[-1.0], [1.0]])
    model = MLPClassifier(
        (), solver="lbfgs", alpha=0.0, target_smoothing=0.05, tol=1e-10, random_state=0
    ).fit(X, [0, 1])
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], [1 / 20, 19 / 20], atol=1e-6)
    three = MLPClassifier((), solver="lbfgs", alpha=0, target_smoothing=0.1, tol=1e-10).fit(
        np.eye(3), [0, 1, 2]
    )
    np.testing.assert_allclose(
        three.predict_proba(np.eye(3)), np.where(np.eye(3), 0.9, 0.05), atol=1e-5
    )


def test_smoothed_labels_of_several_have_the_same_targets():
    """Each label has an output of its own: 9/10 where a row has it, 1/10 where not."""
    settings = {"alpha": 0, "target_smoothing": 0.1, "tol": 1e-10, "random_state": 0}
    Y = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    model = MLPClassifier((), solver="lbfgs", **settings).fit(np.eye(3), Y)
    np.testing.assert_allclose(
        model.predict_proba(np.eye(3)), np.where(Y == 1, 0.9, 0.1), atol=1e-5
    )


def test_dropout_and_batch_normalisation_learn_the_moons():
    """NE-18, NE-19 with ReLUs, T29: half of the hidden units are off in every step."""
    X, y = make_moons(400, noise=0.15, random_state=0)
    for settings in (
        {"dropout": 0.5},
        {"batch_norm": True},
        {"dropout": [0.2], "batch_norm": True},
    ):
        model = MLPClassifier(
            (60,), learning_rate_init=0.02, max_iter=150, random_state=0, **settings
        )
        assert model.fit(X, y).score(X, y) > 0.93


def test_scaling_is_fitted_on_training_rows_only():
    """NE-25: a pipeline standardises by the training rows, and training becomes possible."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = (rng.normal(size=(400, 3)) + y[:, None]) * [1e-3, 1.0, 1e3] + [0, 50, 1e4]
    net = MLPClassifier((10,), learning_rate_init=0.02, max_iter=40, random_state=0)
    scaled = make_pipeline(StandardScaler(), net).fit(X[:300], y[:300])
    assert scaled.score(X[300:], y[300:]) > 0.75
    np.testing.assert_allclose(scaled[0].mean_, X[:300].mean(axis=0))


def test_codes_are_one_hot():
    """NE-34: a class per output, of which the target is 1 and the others 0."""
    X, y = load_digits(return_X_y=True)
    model = MLPClassifier((5,), max_iter=2, random_state=0).fit(X, y)
    assert model.n_outputs_ == 10
    assert model.out_activation_ == "softmax"
    P = MLPClassifier((5,), solver="lbfgs", alpha=0, max_iter=2, random_state=0).fit(X, y)
    one_hot = (y[:, None] == np.arange(10)).astype(float)
    expected = -(one_hot * np.log(P.predict_proba(X))).sum(axis=1).mean()
    assert P.loss_ == pytest.approx(expected, rel=1e-9)
    words = MLPClassifier((5,), max_iter=2, random_state=0).fit(X, np.char.add("d", y.astype(str)))
    np.testing.assert_array_equal(words.predict_proba(X), model.predict_proba(X))


def test_partial_fit_needs_all_labels_first():
    X, y = np.eye(4), np.array([0, 1, 2, 0])
    model = MLPClassifier((3,), random_state=0)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="labels that are not in classes_"):
        model.partial_fit(X, [0, 1, 2, 9])
    with pytest.raises(ValueError, match="is not the same as on the last call"):
        model.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="'balanced' is not supported for partial_fit"):
        MLPClassifier(class_weight="balanced").partial_fit(X, y, classes=[0, 1, 2])
    assert model.partial_fit(X[:1], y[:1]).training_state_["t"] == 2


def test_one_class_is_predicted_everywhere():
    model = MLPClassifier((3,), max_iter=3, random_state=0).fit(np.eye(4), ["a"] * 4)
    assert set(model.predict(np.eye(4))) == {"a"}
    np.testing.assert_array_equal(model.predict_proba(np.eye(4)), np.ones((4, 1)))


def test_class_weights_multiply_the_weights_of_rows():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [90, 10])
    X = rng.normal(size=(100, 2)) + y[:, None]
    settings = {"hidden_layer_sizes": (4,), "max_iter": 30, "random_state": 0}
    one = MLPClassifier(class_weight={1: 9.0}, **settings).fit(X, y)
    other = MLPClassifier(**settings).fit(X, y, sample_weight=np.where(y, 9.0, 1.0))
    np.testing.assert_array_equal(one.coefs_[0], other.coefs_[0])
    with pytest.raises(ValueError, match="class_weight needs one label per row"):
        MLPClassifier(class_weight="balanced").fit(X, np.eye(2, dtype=int)[y])


def test_more_hidden_units_fit_the_training_rows_better():
    """NE-27: the width is a parameter like any other."""
    X, y = make_moons(200, noise=0.3, random_state=0)
    losses = [
        MLPClassifier((width,), solver="lbfgs", max_iter=300, n_init=2, random_state=0)
        .fit(X, y)
        .loss_
        for width in (1, 4, 40)
    ]
    assert losses[0] > losses[1] > losses[2]


@pytest.mark.slow
def test_letters_are_read_at_97_percent(data_folder):
    """Frey and Slate's 20,000 letters, the last 4,000 held out."""
    X, y = real(data_folder, "letterrecognition", "lettr")
    X = StandardScaler().fit(X[:16000]).transform(X).astype(np.float32)
    model = MLPClassifier(
        (256, 128),
        batch_size=100,
        learning_rate="cosine",
        learning_rate_init=0.004,
        dropout=0.1,
        max_iter=40,
        tol=0,
        random_state=0,
    )
    with pytest.warns(ConvergenceWarning):
        model.fit(X[:16000], y[:16000])
    assert model.score(X[16000:], y[16000:]) > 0.97
