"""Logistic regression: optimality, agreement with scikit-learn, the syllabus, bad input."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, log_softmax, softmax
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

import gramian
from gramian import LogisticRegression, RidgeClassifier, TimeBudget
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model import Hyperplane
from tests.linear_model.real import real

INF = float("inf")


def binary(n=200, d=4, seed=0, scale=1.0):
    """Rows and labels drawn from a logistic model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (rng.random(n) < expit(scale * X @ rng.normal(size=d) + 0.3)).astype(int)


def several(n=300, d=4, classes=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=(d, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)


def objective(model, X, y, C=1.0):
    """The cost of the docstring, from the fitted attributes alone."""
    z = X @ model.coef_.T + model.intercept_
    penalty = (model.coef_**2).sum() / (2 * C)
    if len(model.coef_) == 1:
        positive = y == model.classes_[1]
        return (np.logaddexp(0, z[:, 0]) - positive * z[:, 0]).sum() + penalty
    codes = np.searchsorted(model.classes_, y)
    return -log_softmax(z, axis=1)[np.arange(len(y)), codes].sum() + penalty


# Optimality


@settings(deadline=None, max_examples=30)
@given(
    st.integers(5, 60),
    st.integers(1, 8),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.booleans(),
    st.sampled_from(["auto", "lbfgs", "newton-cg", "newton-cholesky"]),
)
def test_the_gradient_is_zero_at_the_answer(n, d, C, intercept, solver):
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
def test_the_softmax_gradient_is_zero_at_the_answer(n, d, classes, C):
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


def test_stochastic_steps_come_near_it():
    """LC-17: w <- w + eps (y_i - s_i) x_i, from w = 0."""
    X, y = binary(400)
    best = LogisticRegression().fit(X, y)
    rough = LogisticRegression(solver="sgd", max_iter=50, tol=1e-3, random_state=0)
    with pytest.warns(ConvergenceWarning):
        rough.fit(X, y)
    assert rough.objective_ < 1.02 * best.objective_


def test_objective_is_the_cost_of_the_docstring():
    for make in (binary, several):
        X, y = make()
        model = LogisticRegression(C=0.3).fit(X, y)
        assert model.objective_ == pytest.approx(objective(model, X, y, 0.3), rel=1e-9)


# Routes


def test_many_rows_take_a_sample_first_and_reach_the_same_minimum():
    X, y = binary(60_000, 5)
    model = LogisticRegression(tol=1e-9).fit(X, y)
    plain = LogisticRegression(tol=1e-9, solver="newton-cholesky").fit(X, y)
    assert (model.solver_, plain.solver_) == ("SampledNewton", "Newton")
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-7)


@pytest.mark.parametrize("d", [60, 300])
def test_many_classes_and_columns_use_a_metric(d):
    X, y = several(3000, d, 6)
    X = X * np.logspace(0, 1.5, d)  # hard for a metric that knows no scale
    model = LogisticRegression(C=1e-3, tol=1e-5).fit(X, y)
    plain = LogisticRegression(C=1e-3, tol=1e-5, solver="lbfgs", max_iter=1000).fit(X, y)
    assert model.solver_ == "PreconditionedLBFGS"
    assert model.n_iter_[0] < plain.n_iter_[0]
    assert model.objective_ == pytest.approx(plain.objective_, rel=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_more_columns_than_rows_are_solved_in_the_rows_own_space(classes, intercept):
    X, y = several(40, 300, classes)
    wide = LogisticRegression(tol=1e-10, fit_intercept=intercept).fit(X, y)
    plain = LogisticRegression(
        tol=1e-9, fit_intercept=intercept, solver="lbfgs", max_iter=5000
    ).fit(X, y)
    np.testing.assert_allclose(wide.coef_, plain.coef_, atol=1e-6)
    np.testing.assert_allclose(wide.intercept_, plain.intercept_, atol=1e-6)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_with_many_columns(index, dtype, rng):
    X = sp.random_array((300, 2500), density=0.02, rng=rng, format="csr", dtype=dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    y = (X @ rng.normal(size=2500) > 0).astype(int)
    model = LogisticRegression(tol=1e-6, C=10).fit(X, y)
    dense = LogisticRegression(tol=1e-6, C=10).fit(X.toarray(), y)
    assert model.solver_ == "DualCoordinate"
    assert model.coef_.dtype == dtype
    assert model.objective_ == pytest.approx(dense.objective_, rel=1e-7)
    products = LogisticRegression(tol=1e-6, C=10, solver="newton-cg").fit(X, y)
    assert products.objective_ == pytest.approx(dense.objective_, rel=1e-7)


def test_columns_of_very_different_scale_need_no_scaling():
    X, y = binary(2000, 4)
    factors = np.array([1e-3, 1.0, 1e3, 1e5])
    plain = LogisticRegression(C=INF, tol=1e-10).fit(X, y)
    scaled = LogisticRegression(C=INF, tol=1e-6).fit(X * factors, y)
    np.testing.assert_allclose(scaled.coef_ * factors, plain.coef_, rtol=1e-5)


# Agreement on real data


@pytest.mark.parametrize("name", ["pimaindiansdiabetes", "sonar"])
def test_agrees_with_scikit_learn_on_two_classes(data_folder, name):
    X, y = real(data_folder, name)
    ours = LogisticRegression(tol=1e-7).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(
        solver="newton-cholesky", tol=1e-10, max_iter=1000
    ).fit(X, y)
    assert objective(ours, X, y) == pytest.approx(objective(theirs, X, y), rel=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


def test_agrees_with_scikit_learn_on_letters(data_folder):
    X, y = real(data_folder, "letterrecognition")
    X, y = X[:3000] / 15, y[:3000]
    ours = LogisticRegression(tol=1e-6).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-8, max_iter=2000).fit(X, y)
    assert objective(ours, X, y) == pytest.approx(objective(theirs, X, y), rel=1e-6)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.999


# The syllabus


def test_xor_becomes_separable_with_the_product_of_its_columns():
    """T26: XOR is not linearly separable; with x1 x2 as a third column it is."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    y = np.array([0, 1, 1, 0])
    plain = LogisticRegression(C=INF).fit(X, y)
    assert not plain.separable_
    np.testing.assert_allclose(plain.predict_proba(X), 0.5, atol=1e-6)
    lifted = np.c_[X, X[:, 0] * X[:, 1]]
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = LogisticRegression(C=INF).fit(lifted, y)
    assert model.separable_
    assert model.score(lifted, y) == 1


def test_softmax_of_two_classes_is_the_sigmoid_of_the_difference():
    """T28: softmax with K = 2 equals the sigmoid of the difference of the scores."""
    X, y = binary()
    two = LogisticRegression(C=INF, tol=1e-10).fit(X, y)
    shares = np.eye(2)[y]
    Z = np.c_[np.zeros(len(X)), two.decision_function(X)]
    np.testing.assert_allclose(two.predict_proba(X), softmax(Z, axis=1), atol=1e-15)
    as_shares = LogisticRegression(C=INF, tol=1e-10).fit_probabilities(X, shares)
    np.testing.assert_allclose(as_shares.coef_, two.coef_, atol=1e-8)


def test_newton_step_solves_the_weighted_normal_equations():
    """LC-18: (X' Omega X) e = X'(y - s), Omega = diag(s_i (1 - s_i))."""
    X, y = binary(60, 3)
    A = np.c_[X, np.ones(60)]
    w = np.zeros(4)
    for steps in range(1, 5):
        s = expit(A @ w)
        w = w + np.linalg.solve((A.T * (s * (1 - s))) @ A, A.T @ (y - s))
        model = LogisticRegression(C=INF, tol=0, max_iter=steps, solver="newton-cholesky")
        with pytest.warns(ConvergenceWarning, match="max_iter"):
            model.fit(X, y)
        np.testing.assert_allclose(np.r_[model.coef_[0], model.intercept_], w, atol=1e-9)


def test_weights_of_separable_data_grow_and_turn_to_the_widest_margin():
    """LC-20: |w| -> infinity, J -> 0, and the direction tends to that of the widest margin."""
    X = np.array([[0.0, 0.0], [-5.0, 3.0], [-1.0, -9.0], [2.0, 0.0], [4.0, 8.0], [20.0, 1.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    lengths, margins = [], []
    for tol in (1e-1, 1e-3, 1e-8):
        with pytest.warns(ConvergenceWarning, match="Give a finite C"):
            model = LogisticRegression(C=INF, tol=tol, max_iter=1000).fit(X, y)
        assert model.separable_
        lengths.append(np.linalg.norm(model.coef_))
        margins.append(((2 * y - 1) * Hyperplane.of(model).distance(X)).min())
    assert lengths[0] < lengths[1] < lengths[2]
    assert margins[0] < margins[1] < margins[2]
    widest = 1 / np.linalg.norm(SVC(kernel="linear", C=1e9).fit(X, y).coef_)
    assert margins[2] == pytest.approx(widest, rel=0.05)


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


def test_reference_class_has_no_weights_and_the_odds_are_relative_to_it():
    """LC-24: P(C_K) = 1 / (1 + sum exp); without a penalty it is softmax itself."""
    X, y = several(classes=3)
    model = LogisticRegression(C=INF, multi_class="reference", tol=1e-9).fit(X, y)
    np.testing.assert_array_equal(model.coef_[2], 0)
    assert model.intercept_[2] == 0
    E = np.exp(X @ model.coef_[:2].T + model.intercept_[:2])
    np.testing.assert_allclose(model.predict_proba(X)[:, 2], 1 / (1 + E.sum(axis=1)))
    full = LogisticRegression(C=INF, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), full.predict_proba(X), atol=1e-6)
    first = LogisticRegression(multi_class="reference", reference=0, tol=1e-9).fit(X, y)
    np.testing.assert_array_equal(first.coef_[0], 0)
    with pytest.raises(ValueError, match="reference must be one of the classes"):
        LogisticRegression(multi_class="reference", reference=7).fit(X, y)


def test_one_against_the_rest_is_a_machine_of_binary_fits():
    """LC-26: g_k(x) = w_k . x + w_k0, the largest wins."""
    X, y = several(classes=3)
    model = LogisticRegression(multi_class="ovr", tol=1e-9).fit(X, y)
    for k in range(3):
        one = LogisticRegression(tol=1e-9).fit(X, (y == k).astype(int))
        np.testing.assert_allclose(model.coef_[k], one.coef_[0], atol=1e-9)
        np.testing.assert_allclose(model.decision_function(X)[:, k], one.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X).argmax(axis=1))
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


# Soft targets


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


@pytest.mark.parametrize(
    ("P", "phrase"),
    [
        ([0.5, 1.2, 0.1], "must lie in .0, 1.; got 1.2 at row 1"),
        ([0.5, -0.1, 0.1], "got -0.1 at row 1"),
        ([[0.5, 0.2], [0.5, 0.5], [1, 0]], "must sum to 1; got 0.7 at row 0"),
        ([0.0, 0.0, 0.0], "at least 2 classes"),
        ([0.5, np.nan, 0.1], "NaN"),
    ],
)
def test_soft_targets_that_are_no_probabilities_are_refused(P, phrase):
    with pytest.raises(ValueError, match=phrase):
        LogisticRegression().fit_probabilities([[0.0], [1.0], [2.0]], P)
    with pytest.raises(ValueError, match="need labels"):
        LogisticRegression(class_weight="balanced").fit_probabilities([[0.0]], [0.5])


# Weights


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
    with pytest.raises(ValueError, match="which y does not hold"):
        LogisticRegression(class_weight={"maybe": 2.0}).fit(X, y)


# Loops


def test_warm_start_begins_at_the_last_answer():
    X, y = several()
    model = LogisticRegression(warm_start=True, tol=1e-6).fit(X, y)
    assert model.fit(X, y).n_iter_[0] == 0
    assert LogisticRegression(tol=1e-6).fit(X, y).n_iter_[0] > 0


def test_a_callback_stops_it_without_a_warning():
    X, y = binary()
    model = LogisticRegression(tol=0, solver="gradient", max_iter=10_000)
    model.set_callbacks(TimeBudget(0.0)).fit(X, y)
    assert model.n_iter_[0] == 1


def test_too_few_steps_are_told():
    X, y = binary()
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        LogisticRegression(max_iter=1, tol=1e-9).fit(X, y)


@pytest.mark.parametrize("make", [binary, several])
def test_chunks_give_the_answer_of_all_rows(make):
    X, y = make()
    weights = np.random.default_rng(0).random(len(y))
    whole = LogisticRegression(tol=1e-9, class_weight="balanced").fit(X, y, sample_weight=weights)
    for size in (37, 150):
        cuts = range(0, len(y), size)
        chunks = [(X[i : i + size], y[i : i + size], weights[i : i + size]) for i in cuts]
        model = LogisticRegression(tol=1e-9, class_weight="balanced").fit_chunks(chunks)
        np.testing.assert_allclose(model.coef_, whole.coef_, atol=1e-7)
        np.testing.assert_allclose(model.intercept_, whole.intercept_, atol=1e-7)
        np.testing.assert_allclose(model.class_prior_, whole.class_prior_)
        assert model.objective_ == pytest.approx(whole.objective_, rel=1e-9)


def test_chunks_that_cannot_be_read_twice_are_refused():
    X, y = binary()
    with pytest.raises(ValueError, match="a new pass each time"):
        LogisticRegression().fit_chunks(iter([(X, y)]))
    with pytest.raises(ValueError, match="chunks is empty"):
        LogisticRegression().fit_chunks([])
    with pytest.raises(ValueError, match="which classes does not"):
        LogisticRegression().fit_chunks([(X, y)], classes=[0, 5])
    with pytest.raises(ValueError, match="serves multi_class='multinomial'"):
        LogisticRegression(multi_class="ovr").fit_chunks([several()])


# Bad input


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes") as error:
        LogisticRegression().fit([[0.0], [1.0]], ["a", "a"])
    assert "'a'" in str(error.value)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LogisticRegression().fit([[0.0], [1.0]], ["a", "b"], sample_weight=[1, 0])


@pytest.mark.parametrize("C", [1.0, INF])
def test_constant_and_duplicated_columns(C):
    X, y = binary(100, 2)
    plain = LogisticRegression(C=C, tol=1e-9).fit(X, y)
    doubled = LogisticRegression(C=C, tol=1e-9).fit(np.c_[X, X, np.ones(100), np.zeros(100)], y)
    if np.isinf(C):  # the copies share the weight; the constant column is a second bias
        lifted = np.c_[X, X, np.ones(100), np.zeros(100)]
        P = doubled.predict_proba(lifted)
        np.testing.assert_allclose(P, plain.predict_proba(X), atol=1e-6)
    assert doubled.coef_[0, 5] == 0
    np.testing.assert_allclose(doubled.coef_[0, :2], doubled.coef_[0, 2:4], atol=1e-8)


def test_fewer_rows_than_columns():
    X, y = binary(6, 20, seed=3)
    y[:2] = [0, 1]
    model = LogisticRegression(tol=1e-9).fit(X, y)
    assert model.score(X, y) == 1
    with pytest.warns(ConvergenceWarning, match="separable"):
        LogisticRegression(C=INF).fit(X, y)


def test_float32_is_close_to_float64():
    X, y = binary(5000, 6)
    narrow = LogisticRegression().fit(X.astype(np.float32), y)
    assert narrow.coef_.dtype == np.float32
    np.testing.assert_allclose(narrow.coef_, LogisticRegression().fit(X, y).coef_, atol=2e-4)


# What a fit must own up to


def test_a_sample_of_all_rows_is_each_row_once():
    """Rows drawn twice and others never made the sample separable, and its metric a bad one."""
    X, y = load_digits(return_X_y=True)
    spread = X.std(axis=0)
    model = LogisticRegression().fit((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), y)
    assert model.solver_ == "PreconditionedLBFGS"
    assert model.objective_ <= 113.49


def test_separable_rows_of_many_classes_are_told():
    X = np.random.default_rng(1).normal(size=(80, 40))
    with pytest.warns(ConvergenceWarning, match="separable") as told:
        model = LogisticRegression(C=INF).fit(X, np.arange(80) % 10)
    assert model.separable_
    assert told[0].filename == __file__


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_columns_too_large_to_square_are_refused(solver):
    X, y = binary()
    with pytest.raises(DataError, match=r"LogisticRegression: .* scale the columns"):
        LogisticRegression(solver=solver).fit(X * 1e160, y)


def test_chunks_of_separable_classes_are_told():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([0, 0, 1, 1])
    with pytest.warns(ConvergenceWarning, match="separable") as told:
        model = LogisticRegression(C=INF).fit_chunks([(X[::2], y[::2]), (X[1::2], y[1::2])])
    assert model.separable_
    assert told[0].filename == __file__
    X, y = binary()
    assert not LogisticRegression(C=INF).fit_chunks([(X[:90], y[:90]), (X[90:], y[90:])]).separable_


def test_chunks_take_the_solver_that_was_asked_for():
    X, y = binary()
    chunks = [(X[:90], y[:90]), (X[90:], y[90:])]
    assert LogisticRegression(solver="lbfgs").fit_chunks(chunks).solver_ == "LBFGS"
    with pytest.raises(ParameterError, match="solver='sgd'"):
        LogisticRegression(solver="sgd").fit_chunks(chunks)
    with pytest.warns(ConvergenceWarning, match="max_iter=1") as told:
        LogisticRegression(max_iter=1, tol=1e-12).fit_chunks(chunks)
    assert told[0].filename == __file__


@pytest.mark.parametrize("weights", [{0: -0.5}, {0: INF}, {1: float("nan")}, {0: "a"}])
@pytest.mark.parametrize("make", [LogisticRegression, RidgeClassifier])
def test_weights_of_classes_are_finite_and_not_negative(make, weights):
    X, y = binary()
    with pytest.raises(ParameterError, match=f"{make.__name__}: class_weight"):
        make(class_weight=weights).fit(X, y)


@pytest.mark.parametrize("make", [LogisticRegression, RidgeClassifier])
def test_weights_of_classes_name_labels_of_y(make):
    X, y = binary()
    with pytest.raises(ParameterError, match=f"{make.__name__}: class_weight names 'zzz'"):
        make(class_weight={"zzz": 3}).fit(X, y)


def test_weights_of_classes_leave_some_row():
    X, y = binary()
    with pytest.raises(ParameterError, match="every row with weight 0"):
        RidgeClassifier(class_weight={0: 0, 1: 0}).fit(X, y)
    with pytest.raises(ParameterError, match="several labels"):
        RidgeClassifier(class_weight={0: 2}).fit(X, np.c_[y, 1 - y])


@pytest.mark.parametrize("priors", [[INF, 1.0], [float("nan"), 1.0]])
def test_priors_are_finite(priors):
    with pytest.raises(DataError, match="positive finite"):
        LogisticRegression().fit(*binary()).with_priors(priors)


@pytest.mark.parametrize("solver", ["liblinear", "sag", "saga"])
@pytest.mark.parametrize("shape", [(200, 4), (20, 300)])
def test_solvers_of_scikit_learn_mean_the_automatic_one(solver, shape):
    X, y = binary(*shape)
    theirs = {"dual": False, "intercept_scaling": 1, "verbose": 0}
    model = LogisticRegression(solver=solver, **theirs).fit(X, y)
    auto = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(model.coef_, auto.coef_)
    chunked = LogisticRegression(solver=solver).fit_chunks([(X, y)])
    assert chunked.solver_ == LogisticRegression().fit_chunks([(X, y)]).solver_


@pytest.mark.parametrize("name", ["LogisticRegression", "PoissonRegressor"])
def test_parameters_of_scikit_learn_are_taken(name):
    theirs = getattr(sklearn.linear_model, name)().get_params()
    ours = getattr(gramian, name)().get_params()
    assert set(theirs) - set(ours) <= {"penalty", "n_jobs"}  # both deprecated there
