"""Logistic regression: optimality, agreement with scikit-learn, the syllabus, bad input."""

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import PolynomialFeatures

import gramian
from gramian import LogisticRegression, RidgeClassifier
from gramian.base.errors import DataError, ParameterError
from tests.linear_model.glm.logistic_data import INF, binary, objective, several
from tests.linear_model.real import real


@settings(deadline=None, max_examples=30)
@given(
    st.integers(5, 60),
    st.integers(1, 8),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.booleans(),
    st.sampled_from(["auto", "lbfgs", "newton-cg", "newton-cholesky"]),
)
def test_the_gradient_is_zero_at_the_solution(n, d, C, intercept, solver):
    """X'(s - y) + w / C = 0 and sum(s - y) = 0 (Hastie et al. 2009, 4.4.1)."""
    X, y = binary(n, d, seed=n + d)
    y[:2] = [0, 1]
    model = LogisticRegression(
        C=C, fit_intercept=intercept, solver=solver, tol=1e-10, max_iter=1000
    ).fit(X, y)
    r = model.predict_proba(X)[:, 1] - y
    np.testing.assert_allclose(X.T @ r + model.coef_[0] / C, 0, atol=1e-6 * n)
    if intercept:
        assert abs(r.sum()) < 1e-6 * n
    else:
        assert model.intercept_[0] == 0


@settings(deadline=None, max_examples=20)
@given(st.integers(8, 60), st.integers(1, 6), st.integers(3, 5), st.sampled_from([0.1, 10.0]))
def test_the_softmax_gradient_is_zero_at_the_solution(n, d, classes, C):
    X, y = several(n, d, classes, seed=n)
    y[:classes] = np.arange(classes)
    model = LogisticRegression(C=C, tol=1e-10).fit(X, y)
    R = model.predict_proba(X) - np.eye(classes)[y]
    np.testing.assert_allclose(R.T @ X + model.coef_ / C, 0, atol=1e-6 * n)
    np.testing.assert_allclose(R.sum(axis=0), 0, atol=1e-6 * n)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cg", "newton-cholesky", "gradient"])
@pytest.mark.parametrize("make", [binary, several])
def test_every_solver_finds_the_same_minimum(make, solver):
    X, y = make()
    best = LogisticRegression(tol=1e-10).fit(X, y)
    other = LogisticRegression(tol=1e-7, solver=solver, max_iter=20_000).fit(X, y)
    assert other.objective_ == pytest.approx(best.objective_, rel=1e-8)
    np.testing.assert_allclose(other.coef_, best.coef_, atol=1e-4)


def test_stochastic_steps_come_near_the_minimum():
    """LC-17: w <- w + eps (y_i - s_i) x_i, from w = 0."""
    X, y = binary(400)
    best = LogisticRegression().fit(X, y)
    rough = LogisticRegression(solver="sgd", max_iter=50, tol=1e-3, random_state=0)
    with pytest.warns(ConvergenceWarning):
        rough.fit(X, y)
    assert rough.objective_ < 1.02 * best.objective_


def test_columns_of_very_different_scale_need_no_scaling():
    X, y = binary(2000, 4)
    factors = np.array([1e-3, 1.0, 1e3, 1e5])
    plain = LogisticRegression(C=INF, tol=1e-10).fit(X, y)
    scaled = LogisticRegression(C=INF, tol=1e-6).fit(X * factors, y)
    np.testing.assert_allclose(scaled.coef_ * factors, plain.coef_, rtol=1e-5)


@pytest.mark.parametrize("name", ["pimaindiansdiabetes", "sonar"])
def test_agrees_with_scikit_learn_on_two_classes(data_folder, name):
    X, y = real(data_folder, name)
    ours = LogisticRegression(tol=1e-7).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(
        solver="newton-cholesky", tol=1e-10, max_iter=1000
    ).fit(X, y)
    assert objective(ours, X, y) == pytest.approx(objective(theirs, X, y), rel=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.slow
def test_agrees_with_scikit_learn_on_letters(data_folder):
    X, y = real(data_folder, "letterrecognition")
    X, y = X[:3000] / 15, y[:3000]
    ours = LogisticRegression(tol=1e-6).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-8, max_iter=2000).fit(X, y)
    assert objective(ours, X, y) == pytest.approx(objective(theirs, X, y), rel=1e-6)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.999


def test_quadratic_columns_give_a_curved_boundary():
    """LC-21, LC-28: logistic regression on basis functions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = ((X**2).sum(axis=1) > 1.4).astype(int)
    lifted = PolynomialFeatures(2, include_bias=False).fit_transform(X)
    assert LogisticRegression().fit(X, y).score(X, y) < 0.7
    assert LogisticRegression(C=100).fit(lifted, y).score(lifted, y) > 0.97


def test_other_priors_move_the_bias_by_the_log_ratio():
    """LC-22: logit = log likelihood ratio + log prior ratio, so w0 = w0 + log(P1/P2) ratio."""
    rng = np.random.default_rng(1)
    means = np.array([0.0, 2.0])

    def draw(n0, n1):
        return np.r_[rng.normal(means[0], 1, n0), rng.normal(means[1], 1, n1)][:, None], np.repeat(
            [0, 1], [n0, n1]
        )

    X, y = draw(20_000, 20_000)
    model = LogisticRegression(C=INF).fit(X, y)
    rare = model.with_priors([0.9, 0.1])
    assert rare.intercept_ - model.intercept_ == pytest.approx(np.log(0.1 / 0.9))
    np.testing.assert_array_equal(rare.coef_, model.coef_)
    # equal variances 1: logit = 2 x - 2 + log(P1/P0), the likelihood ratio in closed form
    assert model.coef_[0, 0] == pytest.approx(2, abs=0.06)
    assert rare.intercept_[0] == pytest.approx(-2 + np.log(0.1 / 0.9), abs=0.06)
    refitted = LogisticRegression(C=INF).fit(*draw(36_000, 4000))
    assert rare.intercept_[0] == pytest.approx(refitted.intercept_[0], abs=0.12)
    back = rare.with_priors(model.class_prior_)
    np.testing.assert_allclose(back.intercept_, model.intercept_)


def test_other_priors_of_several_classes_multiply_the_odds():
    X, y = several()
    model = LogisticRegression().fit(X, y)
    priors = np.array([0.1, 0.2, 0.3, 0.4])
    P, Q = model.predict_proba(X), model.with_priors(priors).predict_proba(X)
    expected = P * priors / model.class_prior_
    np.testing.assert_allclose(Q, expected / expected.sum(axis=1, keepdims=True), atol=1e-12)


def test_probabilities_are_recovered():
    """RG-26: regression on targets in [0, 1]; exact ones give their own model back."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(50, 3)), np.array([1.0, -2.0, 0.5])
    model = LogisticRegression(C=INF, tol=1e-10).fit_probabilities(X, expit(X @ w - 1))
    np.testing.assert_allclose(np.r_[model.coef_[0], model.intercept_], [*w, -1], atol=1e-6)
    assert not model.separable_


def test_a_soft_row_is_a_weighted_pair_of_hard_rows():
    X, _ = several(40, 3, 3)
    P = np.random.default_rng(0).dirichlet(np.ones(3), 40)
    soft = LogisticRegression(tol=1e-10).fit_probabilities(X, P, classes=["a", "b", "c"])
    hard = LogisticRegression(tol=1e-10).fit(
        np.repeat(X, 3, axis=0), np.tile(["a", "b", "c"], 40), sample_weight=P.ravel()
    )
    np.testing.assert_allclose(soft.coef_, hard.coef_, atol=1e-7)
    assert soft.predict(X).tolist() == hard.predict(X).tolist()


def test_a_weight_is_a_number_of_copies():
    X, y = several()
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=weights)
    repeated = LogisticRegression(tol=1e-10).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-8)
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-10)


def test_class_weights_are_weights_of_rows():
    X, y = binary()
    balanced = LogisticRegression(class_weight="balanced", tol=1e-10).fit(X, y)
    shares = np.bincount(y) / len(y)
    by_row = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=0.5 / shares[y])
    by_name = LogisticRegression(class_weight=dict(enumerate(0.5 / shares)), tol=1e-10).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, by_row.coef_, atol=1e-8)
    np.testing.assert_allclose(by_name.coef_, by_row.coef_, atol=1e-8)
    np.testing.assert_allclose(balanced.class_prior_, 0.5)
    with pytest.raises(ValueError, match="which is not in y"):
        LogisticRegression(class_weight={"maybe": 2.0}).fit(X, y)


@pytest.mark.parametrize("weights", [{0: -0.5}, {0: INF}, {1: float("nan")}, {0: "a"}])
@pytest.mark.parametrize("make", [LogisticRegression, RidgeClassifier])
def test_class_weights_must_be_finite_and_not_negative(make, weights):
    X, y = binary()
    with pytest.raises(ParameterError, match=f"{make.__name__}: class_weight"):
        make(class_weight=weights).fit(X, y)


@pytest.mark.parametrize("make", [LogisticRegression, RidgeClassifier])
def test_class_weights_must_have_labels_of_y(make):
    X, y = binary()
    with pytest.raises(ParameterError, match=f"{make.__name__}: class_weight names 'zzz'"):
        make(class_weight={"zzz": 3}).fit(X, y)


def test_class_weights_must_not_all_be_zero():
    X, y = binary()
    with pytest.raises(ParameterError, match="every row with weight 0"):
        RidgeClassifier(class_weight={0: 0, 1: 0}).fit(X, y)
    with pytest.raises(ParameterError, match="several labels"):
        RidgeClassifier(class_weight={0: 2}).fit(X, np.c_[y, 1 - y])


@pytest.mark.parametrize("priors", [[INF, 1.0], [float("nan"), 1.0]])
def test_priors_must_be_finite(priors):
    with pytest.raises(DataError, match="positive finite"):
        LogisticRegression().fit(*binary()).with_priors(priors)


@pytest.mark.parametrize("name", ["LogisticRegression", "PoissonRegressor"])
def test_parameters_of_scikit_learn_are_accepted(name):
    theirs = getattr(sklearn.linear_model, name)().get_params()
    ours = getattr(gramian, name)().get_params()
    assert set(theirs) - set(ours) <= {"penalty", "n_jobs"}  # both deprecated there


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("liblinear", "Liblinear failed to converge, increase the number of iterations"),
        ("newton-cholesky", "Newton solver did not converge after 1 iterations"),
        ("sag", "The max_iter was reached which means the coef_ did not converge"),
        ("saga", "The max_iter was reached which means the coef_ did not converge"),
        ("lbfgs", "lbfgs failed to converge"),
        ("newton-cg", "newton-cg failed to converge"),
    ],
)
def test_the_warning_has_the_wording_of_scikit_learn(solver, words):
    X, y = load_iris(return_X_y=True)
    model = gramian.LogisticRegression(max_iter=1, tol=1e-15, solver=solver, random_state=0)
    with pytest.warns(ConvergenceWarning, match=words):
        model.fit(X, y == 1)


def test_a_warm_start_from_non_finite_coefficients_is_refused():
    X, y = load_iris(return_X_y=True)
    model = gramian.LogisticRegression(warm_start=True).fit(X, y)
    model.coef_[:] = np.nan
    with pytest.raises(DataError, match="LogisticRegression: Floating-point under-/overflow"):
        model.fit(X, y)
