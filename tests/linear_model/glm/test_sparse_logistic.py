"""l1 and elastic-net logistic regression: conditions, agreement, paths."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import StandardScaler

from gramian import LogisticRegression
from gramian.linear_model import logistic_path


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 9999),
    n=st.integers(6, 60),
    d=st.integers(1, 80),
    ratio=st.sampled_from([0.5, 1.0]),
    C=st.floats(0.05, 5.0),
    sparse=st.booleans(),
)
def test_the_conditions_of_a_minimum_hold(seed, n, d, ratio, C, sparse):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.4 if sparse else 1.0)
    y = (rng.random(n) < expit(X[:, 0])).astype(int)
    y[:2] = 0, 1
    w = rng.random(n) + 0.5
    model = LogisticRegression(C=C, l1_ratio=ratio, tol=1e-10, max_iter=1000)
    model.fit(sp.csr_array(X) if sparse else X, y, w)
    coef = model.coef_[0]
    r = w * (y - expit(X @ coef + model.intercept_[0]))
    pull = r @ X - (1 - ratio) / C * coef
    at = coef != 0
    assert np.abs(pull[at] - ratio / C * np.sign(coef[at])).max(initial=0) <= 1e-3
    assert (np.abs(pull[~at]) - ratio / C).max(initial=0) <= 1e-3
    assert abs(r.sum()) <= 1e-8


@pytest.mark.parametrize("ratio", [0.5, 1.0])
def test_agrees_with_scikit_learn_on_real_data(ratio):
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours = LogisticRegression(C=0.1, l1_ratio=ratio, tol=1e-9).fit(X, y)
    theirs = peers.LogisticRegression(
        C=0.1, l1_ratio=ratio, solver="saga", tol=1e-8, max_iter=20_000
    )
    np.testing.assert_allclose(ours.coef_, theirs.fit(X, y).coef_, atol=1e-4)
    assert (ours.coef_ == 0).any()


def test_three_classes_by_proximal_gradients_and_one_against_the_rest():
    X, y = load_iris(return_X_y=True)
    ours = LogisticRegression(l1_ratio=1.0, C=0.5, tol=1e-7).fit(X, y)
    theirs = peers.LogisticRegression(l1_ratio=1.0, C=0.5, solver="saga", tol=1e-9, max_iter=50_000)
    theirs.fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
    rest = LogisticRegression(l1_ratio=1.0, C=0.5, tol=1e-9, multi_class="ovr").fit(X, y)
    alone = LogisticRegression(l1_ratio=1.0, C=0.5, tol=1e-9).fit(X, y == 1)
    np.testing.assert_allclose(rest.coef_[1], alone.coef_[0], atol=1e-6)


def test_the_path_starts_at_no_weights_and_each_point_is_a_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 20))
    y = (X[:, 0] - X[:, 1] + rng.normal(size=80) > 0).astype(int)
    path = logistic_path(X, y, Cs=8, tol=1e-9)
    assert not path.coef[0].any()
    assert path.converged.all()
    for k in (3, 7):
        model = LogisticRegression(C=path.Cs[k], l1_ratio=1.0, tol=1e-9).fit(X, y)
        np.testing.assert_allclose(model.coef_[0], path.coef[k], atol=1e-4)


def test_unsupported_settings_raise_an_error():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 2, 0]
    with pytest.raises(ValueError, match="multinomial"):
        LogisticRegression(l1_ratio=1.0, multi_class="reference").fit(X, y)
    with pytest.raises(ValueError, match="use fit, in memory"):
        LogisticRegression(l1_ratio=1.0).fit_chunks([(X, y)])
    with pytest.raises(ValueError, match="Cs must be positive"):
        logistic_path(X, [0, 1, 1, 0], Cs=[-1.0])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_objective_is_the_weighted_loss_and_the_penalty(rng, classes):
    X, w = rng.normal(size=(60, 3)), rng.random(60)
    y = np.arange(60) % classes
    model = LogisticRegression(C=2.0, l1_ratio=0.5, multi_class="ovr", tol=1e-10).fit(X, y, w)
    z = X @ model.coef_.T + model.intercept_
    hits = (y[:, None] == model.classes_[-z.shape[1] :]).astype(float)
    expected = w @ (np.logaddexp(0, z) - hits * z).sum(axis=1)
    expected += (0.5 * np.abs(model.coef_).sum() + 0.25 * (model.coef_**2).sum()) / 2.0
    assert model.objective_ == pytest.approx(expected, rel=1e-12)
