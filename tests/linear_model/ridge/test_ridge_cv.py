"""Ridge with alpha chosen by exact cross-validation."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from numpy.testing import assert_allclose
from sklearn.model_selection import KFold, ShuffleSplit

from gramian import Ridge, RidgeCV
from gramian.base.errors import DataError
from tests.linear_model.data import boston, table
from tests.linear_model.ridge.ridge_data import ALPHAS


@pytest.mark.slow
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


def test_masks_are_folds_too():
    X, y, _ = table(40)
    first = np.arange(40) < 20
    masks = [(first, ~first), (~first, first)]
    numbers = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in masks]
    ours = RidgeCV(ALPHAS, cv=masks).fit(X, y)
    assert ours.best_score_ == pytest.approx(RidgeCV(ALPHAS, cv=numbers).fit(X, y).best_score_)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cv": "five"}, "cv must be an integer >= 2, a splitter or an iterable"),
        ({"alphas": [0.0, 1.0]}, "alphas must contain finite numbers > 0"),
        ({"cv": 3, "store_cv_results": True}, "need cv=None"),
        ({"cv": 200}, "cv=200 cannot split these rows"),
        ({"scoring": "nonsense"}, "scoring must be"),
    ],
)
def test_bad_parameters_raise_helpful_errors(settings, message):
    X, y, _ = table()
    with pytest.raises(ValueError, match=message) as error:
        RidgeCV(**settings).fit(X, y)
    assert str(error.value).startswith("RidgeCV: ")


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [-1000, -560, -70, 70, 530, 1000])
@pytest.mark.parametrize("d", [6, 60])
@pytest.mark.parametrize(
    "settings", [{}, {"cv": 5}, {"scoring": "r2"}, {"cv": 5, "scoring": "explained_variance"}]
)
def test_targets_of_any_size_choose_the_same_alpha(settings, d, exponent):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, d))
    y = X[:, 0] + 3 * rng.normal(size=40)
    alphas = np.logspace(-3, 4, 15)
    plain = RidgeCV(alphas, **settings).fit(X, y)
    scaled = RidgeCV(alphas, **settings).fit(X, np.ldexp(y, exponent))
    assert scaled.alpha_ == plain.alpha_ != alphas[0]
    assert_allclose(np.ldexp(scaled.coef_, -exponent), plain.coef_, rtol=1e-12)
    unit = 0 if settings else 2 * exponent
    with np.errstate(over="ignore"):
        assert scaled.best_score_ == pytest.approx(np.ldexp(plain.best_score_, unit))


def test_targets_of_different_sizes_have_their_own_alphas_and_results():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    Y = np.column_stack([X @ np.ones(6), rng.normal(size=40)])
    settings = {"alpha_per_target": True, "store_cv_results": True}
    plain = RidgeCV(ALPHAS, **settings).fit(X, Y)
    scaled = RidgeCV(ALPHAS, **settings).fit(X, Y * [1.0, 2.0**-450])
    assert_allclose(scaled.alpha_, plain.alpha_)
    assert_allclose(scaled.cv_results_, plain.cv_results_ * [[[1.0], [2.0**-900]]])


@pytest.mark.parametrize("size", [1e200, 1e-200])
@pytest.mark.parametrize("cv", [None, 5])
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_scores_that_cannot_tell_alphas_apart_are_refused(cv, size):
    X, y, _ = table(40)
    model = RidgeCV(ALPHAS, cv=cv, scoring="neg_mean_squared_error")
    with pytest.raises(DataError, match=r"RidgeCV: y must have a scale .*Divide y"):
        model.fit(X, y * size)
    assert RidgeCV(ALPHAS, cv=cv, scoring="neg_mean_absolute_error").fit(X, y * size).alpha_ > 0


def test_the_svd_mode_for_sparse_rows_gives_a_warning():
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.warns(FutureWarning, match="not supported for sparse X"):
        model = RidgeCV(gcv_mode="svd").fit(sp.csr_array(X), X[:, 0])
    assert_allclose(model.coef_, RidgeCV(gcv_mode="svd").fit(X, X[:, 0]).coef_)
