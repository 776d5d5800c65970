"""Chunks and summaries of linear regressors: the division of the rows changes nothing."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import NotFittedError

from gramian import (
    ElasticNet,
    KMeans,
    Lars,
    Lasso,
    LassoLars,
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeCV,
)
from gramian.base.errors import DataError
from tests.linear_model.data import table

MODELS = [LinearRegression(), LinearRegression(fit_intercept=False), Ridge(alpha=0.5)]


CUTS = [[5000], [1, 4095, 4097, 9000], [4096, 8192], list(range(100, 10_000, 100))]


def chunks_of(X, y, w, cuts):
    ends = [0, *cuts, len(y)]
    return [(X[a:b], y[a:b], w[a:b]) for a, b in pairwise(ends)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("cuts", CUTS, ids=lambda cuts: f"{len(cuts)} cuts")
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_chunks_give_bitwise_the_same_model(model, cuts, dtype):
    X, y, w = table(10_000, 6)
    X = X.astype(dtype)
    whole = model.fit(X, y, w)
    coef, intercept = whole.coef_, whole.intercept_
    parts = model.fit_chunks(chunks_of(X, y, w, cuts))
    assert_array_equal(parts.coef_, coef)
    assert parts.intercept_ == intercept
    assert parts.n_features_in_ == 6


@pytest.mark.parametrize("cuts", CUTS[:2], ids=lambda cuts: f"{len(cuts)} cuts")
def test_ill_conditioned_chunks_give_bitwise_the_same_model(cuts):
    x = np.linspace(0, 1, 10_000)
    X = np.vander(x, 9)[:, :-1]
    y = np.sin(9 * x)
    whole = LinearRegression().fit(X, y)
    parts = LinearRegression().fit_chunks(chunks_of(X, y, np.ones(10_000), cuts))
    assert whole.solver_ == parts.solver_ == "qr, refined"
    assert_array_equal(parts.coef_, whole.coef_)


def test_sparse_chunks():
    X, y, w = table(9000, 6)
    X[np.abs(X) < 3] = 0
    whole = Ridge().fit(sp.csr_array(X), y, w)
    parts = Ridge().fit_chunks(chunks_of(sp.csr_array(X), y, w, [10, 5000]))
    assert_array_equal(parts.coef_, whole.coef_)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_merged_summaries_give_the_fit_of_all_rows(model):
    """The order of merging moves last bits only: 1e-9 of the coefficients here."""
    X, y, w = table(300, 5, m=2)
    coef = model.fit(X, y, w).coef_
    parts = [model.summarise(*part) for part in chunks_of(X + 0, y, w, [7, 40, 200])]
    forward = parts[0].merge(parts[1]).merge(parts[2]).merge(parts[3])
    backward = parts[3].merge(parts[2]).merge(parts[1].merge(parts[0]))
    for summary in (forward, backward):
        assert summary.n_rows == 300
        assert summary.weight == pytest.approx(w.sum())
        solved = model.solve(summary)
        assert_allclose(solved.coef_, coef, rtol=1e-9)
        assert solved.predict(X).shape == (300, 2)


def test_a_summary_of_dependent_columns_gives_the_least_norm_and_a_warning():
    X, y, _ = table(d=2)
    doubled = np.column_stack([X, X[:, 0]])
    model = LinearRegression()
    summary = model.summarise(doubled, y)
    with pytest.warns(LinAlgWarning, match="fit_chunks"):
        model.solve(summary)
    assert model.coef_[0] == pytest.approx(model.coef_[2], rel=1e-6)
    assert model.solver_ == "eigh"


def test_summaries_of_other_columns_do_not_merge():
    X, y, _ = table(d=3)
    model = LinearRegression()
    with pytest.raises(ValueError, match=r"Summary.merge: both must have the same columns"):
        model.summarise(X, y).merge(model.summarise(X[:, :2], y))


def test_chunks_that_can_be_read_once_are_refused():
    X, y, w = table()
    with pytest.raises(
        ValueError, match=r"LinearRegression: chunks must give a new pass each time"
    ):
        LinearRegression().fit_chunks(iter(chunks_of(X, y, w, [10])))
    with pytest.raises(ValueError, match="chunks must contain at least one row"):
        LinearRegression().fit_chunks([])


def test_a_bad_chunk_raises_an_error():
    X, y, w = table()
    chunks = chunks_of(X, y, w, [10])
    chunks[1] = (chunks[1][0][:, :-1], *chunks[1][1:])
    with pytest.raises(ValueError, match="features, but LinearRegression is expecting 5"):
        LinearRegression().fit_chunks(chunks)


@pytest.mark.parametrize("model", [LinearRegression(positive=True), Ridge(positive=True)], ids=repr)
def test_solve_rejects_settings_that_need_rows(model):
    X, y, _ = table()
    with pytest.raises(ValueError, match="positive=True; use fit"):
        model.solve(model.summarise(X, y))


@pytest.mark.parametrize("model", [LinearRegression(), LogisticRegression(), KMeans(2)])
def test_chunks_of_another_kind_are_refused_by_name(model):
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    name = type(model).__name__
    chunks = [(X[:10], y[:10]), (X[10:].astype(np.float32), y[10:])]
    with pytest.raises(DataError, match=f"{name}: a chunk is float32 but the first one is float64"):
        model.fit_chunks(chunks)
    chunks = [(X[:10], y[:10]), (sp.csr_array(X[10:]), y[10:])]
    with pytest.raises(DataError, match=f"{name}: a chunk is sparse but the first one is dense"):
        model.fit_chunks(chunks)
    with pytest.raises(DataError, match=f"{name}: a chunk is dense but the first one is sparse"):
        model.fit_chunks(chunks[::-1])


def test_chunks_of_integers_take_the_type_of_the_first():
    X, y = np.arange(12).reshape(6, 2) ** 2, np.arange(6.0)
    model = LinearRegression().fit_chunks([(X[:3].astype(np.float32), y[:3]), (X[3:], y[3:])])
    assert model.coef_.dtype == np.float32


@pytest.mark.parametrize(
    "model",
    [
        ElasticNet(),
        Lars(),
        Lasso(),
        LassoLars(),
        Ridge(),
        RidgeCV(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_target_of_one_column_has_coefficients_of_one_dimension(model):
    X = np.random.default_rng(0).normal(size=(30, 4))
    y = X.sum(axis=1, keepdims=True) + 3
    model.fit(X, y)
    assert model.coef_.shape == (4,)
    assert model.intercept_.shape == (1,)
    assert model.predict(X).shape == (30,)
    assert LinearRegression().fit(X, y).coef_.shape == (1, 4)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge()], ids=repr)
def test_a_summary_knows_its_columns_and_does_not_change_the_estimator(model):
    X, y, _ = table(d=3)
    fresh = type(model)()
    fresh.summarise(X, y)
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    model.fit(pd.DataFrame(X, columns=list("abc")), y)
    other = model.summarise(pd.DataFrame(X[:, :2], columns=list("de")), y)
    assert model.feature_names_in_.tolist() == list("abc")
    model.predict(pd.DataFrame(X, columns=list("abc")))
    assert model.solve(other.merge(other)).feature_names_in_.tolist() == list("de")
    assert not hasattr(model.solve(model.summarise(X, y)), "feature_names_in_")
