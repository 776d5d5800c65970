"""Leaving out by formula equals leaving out by refitting."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, ShuffleSplit

from gramian import Ridge, RidgeClassifier, RidgeClassifierCV, RidgeCV
from tests.linear_model.data import boston, table

ALPHAS = np.logspace(-3, 3, 7)


def refitted(X, Y, w, alpha, fit_intercept):
    """Errors of each row after fitting to the others."""
    errors = np.empty(Y.shape)
    for i in range(len(Y)):
        rest = np.arange(len(Y)) != i
        model = Ridge(alpha, fit_intercept=fit_intercept).fit(X[rest], Y[rest], w[rest])
        errors[i] = Y[i] - model.predict(X[i : i + 1])[0]
    return errors


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(4, 25),
    d=st.integers(1, 30),
    m=st.integers(1, 2),
    fit_intercept=st.booleans(),
    weighted=st.booleans(),
    seed=st.integers(0, 5),
)
def test_leave_one_out_equals_refitting(n, d, m, fit_intercept, weighted, seed):
    X, Y, w = table(n, d, m, seed)
    w = w if weighted else np.ones(n)
    model = RidgeCV([0.5, 20.0], fit_intercept=fit_intercept, store_cv_results=True).fit(X, Y, w)
    for a, alpha in enumerate([0.5, 20.0]):
        squares = np.square(refitted(X, Y, w, alpha, fit_intercept))
        expected = squares * (w if m == 1 else w[:, None])
        atol = 1e-8 * expected.max()
        assert_allclose(model.cv_results_[..., a], expected, rtol=1e-6, atol=atol)


@pytest.mark.parametrize("d", [4, 60])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "cv", [5, KFold(4, shuffle=True, random_state=0), ShuffleSplit(3, random_state=0)]
)
def test_folds_equal_refitting(cv, make, d):
    X, y, w = table(50, d)
    model = RidgeCV(ALPHAS, cv=cv).fit(make(X), y, w)
    splits = list((KFold(cv) if cv == 5 else cv).split(X))
    scores = [
        np.mean([Ridge(alpha).fit(X[a], y[a], w[a]).score(X[b], y[b], w[b]) for a, b in splits])
        for alpha in ALPHAS
    ]
    assert model.alpha_ == ALPHAS[np.argmax(scores)]
    assert model.best_score_ == pytest.approx(max(scores), rel=1e-8)
    assert_allclose(model.coef_, Ridge(model.alpha_).fit(X, y, w).coef_, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("settings", [{}, {"cv": 5}, {"scoring": "neg_mean_absolute_error"}])
def test_agrees_with_scikit_learn_on_boston(data_folder, settings):
    X, y = boston(data_folder)
    ours = RidgeCV(ALPHAS, **settings).fit(X, y)
    theirs = sklearn.linear_model.RidgeCV(ALPHAS, **settings).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-8)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7)


def test_an_alpha_per_target():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    Y = np.column_stack([X @ np.ones(6), rng.normal(size=40)])  # all signal, all noise
    model = RidgeCV(ALPHAS, alpha_per_target=True).fit(X, Y)
    assert model.alpha_[0] < model.alpha_[1]
    assert model.best_score_.shape == (2,)
    for t in range(2):
        alone = RidgeCV(ALPHAS).fit(X, Y[:, t])
        assert model.alpha_[t] == alone.alpha_
        assert_allclose(model.coef_[t], alone.coef_, rtol=1e-9)


def test_kept_predictions_are_what_the_scorer_saw():
    X, y, _ = table(30, 3)
    model = RidgeCV(ALPHAS, scoring="neg_max_error", store_cv_results=True).fit(X, y)
    worst = np.abs(model.cv_results_ - y[:, None]).max(axis=0)
    assert model.best_score_ == pytest.approx(-worst.min())
    assert model.alpha_ == ALPHAS[worst.argmin()]


def test_a_row_of_its_own_column_has_no_leave_one_out_fit_but_a_finite_error():
    X = np.eye(4)[:, :2]
    model = RidgeCV([1e-6, 1.0], fit_intercept=False, store_cv_results=True).fit(X, np.ones(4))
    assert np.isfinite(model.cv_results_).all()
    assert_allclose(model.cv_results_[:, 1], 1)  # left out, its own column says nothing


@pytest.mark.parametrize("settings", [{}, {"cv": 3}, {"scoring": "accuracy"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_classifier_agrees_with_scikit_learn(settings, classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes, 1:], np.array(["ash", "birch", "cedar"])[y[y < classes]]
    ours = RidgeClassifierCV(ALPHAS, **settings).fit(X, y)
    theirs = sklearn.linear_model.RidgeClassifierCV(ALPHAS, **settings).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("class_weight", [None, "balanced", {"ash": 3.0}])
def test_class_weights_agree_with_scikit_learn(class_weight):
    X, y = load_iris(return_X_y=True)
    X, y = X[20:], np.array(["ash", "birch", "cedar"])[y[20:]]
    ours = RidgeClassifier(class_weight=class_weight).fit(X, y)
    theirs = sklearn.linear_model.RidgeClassifier(class_weight=class_weight).fit(X, y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)


def test_several_labels():
    X, Y, _ = table(m=3)
    labels = (np.median(Y, axis=0) < Y).astype(int)
    ours = RidgeClassifier().fit(X, labels)
    theirs = sklearn.linear_model.RidgeClassifier().fit(X, labels)
    assert ours.multilabel_
    assert (ours.predict(X) == theirs.predict(X)).all()
    best = RidgeClassifierCV(cv=3).fit(X, labels)
    assert best.predict(X).shape == (80, 3)


def test_folds_whose_training_rows_are_drawn_anew():
    """As many rows as a fold leaves over, but not those: the folds' sums must not be used."""
    X, y, _ = table(60)
    rng = np.random.default_rng(0)
    tests = np.array_split(rng.permutation(60), 3)
    folds = [(rng.choice(np.setdiff1d(np.arange(60), t), size=60 - len(t)), t) for t in tests]
    ours = RidgeCV(ALPHAS, cv=folds).fit(X, y)
    theirs = sklearn.linear_model.RidgeCV(ALPHAS, cv=folds).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    assert RidgeCV(ALPHAS, cv=iter(folds)).fit(X, y).best_score_ == ours.best_score_


def test_masks_are_folds_too():
    X, y, _ = table(40)
    first = np.arange(40) < 20
    masks = [(first, ~first), (~first, first)]
    numbers = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in masks]
    ours = RidgeCV(ALPHAS, cv=masks).fit(X, y)
    assert ours.best_score_ == pytest.approx(RidgeCV(ALPHAS, cv=numbers).fit(X, y).best_score_)


def test_wide_sparse_rows_in_single_precision_keep_their_digits():
    """Sums of products about the means cancel, so they are made in double."""
    X, y, _ = table(12, 30)
    X = (X + 50).astype(np.float32)
    dense = RidgeCV(ALPHAS).fit(X.astype(float), y)
    sparse = RidgeCV(ALPHAS).fit(sp.csr_array(X), y)
    assert sparse.best_score_ == pytest.approx(dense.best_score_, rel=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cv": "five"}, "cv must be an integer >= 2, a splitter or an iterable"),
        ({"alphas": [0.0, 1.0]}, "alphas must hold finite numbers > 0"),
        ({"cv": 3, "store_cv_results": True}, "need cv=None"),
        ({"cv": 200}, "cv=200 does not suit the rows"),
        ({"scoring": "nonsense"}, "scoring must be"),
    ],
)
def test_bad_parameters_say_what_to_do(settings, message):
    X, y, _ = table()
    with pytest.raises(ValueError, match=message) as error:
        RidgeCV(**settings).fit(X, y)
    assert str(error.value).startswith("RidgeCV: ")
