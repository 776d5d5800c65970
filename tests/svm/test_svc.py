"""Support vector classification with kernels."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import svm as peer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score

import gramian
from gramian import SVC
from gramian.base.errors import DataError
from gramian.objectives import Function
from gramian.svm.linear_svc import NotSeparableError
from gramian.textbook.optimization import (
    ProjectedGradient,
    onto_box_and_plane,
    onto_positive,
    quadratic_program,
    smo,
)
from tests.svm.kernel_machine_data import (
    SETS,
    noisy_rings,
    pair_objectives,
    rbf,
    real_set,
    violation,
)


def test_two_points_have_multipliers_of_a_quarter():
    """(1, 1) and (-1, -1): w = (1/2, 1/2), b = 0, alpha = 1/4, margin sqrt(2)."""
    model = SVC(kernel="linear", C=np.inf, tol=1e-9).fit([[1.0, 1.0], [-1.0, -1.0]], [1, -1])
    np.testing.assert_allclose(np.abs(model.dual_coef_), 0.25, rtol=1e-6)
    np.testing.assert_allclose(model.coef_, [[0.5, 0.5]], rtol=1e-6)
    assert model.intercept_ == pytest.approx(0, abs=1e-9)
    assert 1 / np.linalg.norm(model.coef_) == pytest.approx(np.sqrt(2), rel=1e-6)


@pytest.mark.parametrize("name", SETS)
def test_the_objective_agrees_with_libsvm(name, data_folder):
    X, y = real_set(name, data_folder)
    gamma = 1 / X.shape[1]
    K = rbf(X, X, gamma)
    ours = SVC(C=3.0, gamma=gamma, tol=1e-6).fit(X, y)
    theirs = peer.SVC(C=3.0, gamma=gamma, tol=1e-6).fit(X, y)
    a, b = pair_objectives(ours, K, y), pair_objectives(theirs, K, y)
    np.testing.assert_allclose(a, b, rtol=1e-6)
    np.testing.assert_allclose(ours.objective_, a, rtol=1e-5)
    clear = np.abs(peer.SVC.decision_function(theirs.set_params(decision_function_shape="ovo"), X))
    clear = clear.reshape(len(X), -1).min(axis=1) > 1e-4
    assert (ours.predict(X) == theirs.predict(X))[clear].all()


@settings(max_examples=60, deadline=None)
@given(
    arrays(float, st.tuples(st.integers(4, 30), st.integers(1, 3)), elements=st.integers(-3, 3)),
    st.sampled_from([1e-6, 0.3, 1.0, 50.0]),
    st.integers(0, 100),
)
def test_the_optimality_conditions_hold(X, C, seed):
    """Duplicates, constant columns and equal rows of both classes are among the data."""
    y = np.random.default_rng(seed).integers(0, 2, len(X))
    y[:2] = 0, 1
    model = SVC(C=C, gamma=0.5, tol=1e-5).fit(X, y)
    assert np.abs(model.dual_coef_).max() <= C
    assert model.dual_coef_.sum() == pytest.approx(0, abs=1e-9 * max(C, 1))
    assert violation(model, X, y, C, rbf(X, X, 0.5)) < 1e-5 + 1e-5 * C


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("cache_size", [200, 1])
def test_rows_left_out_satisfy_the_optimality_conditions_too(C, cache_size):
    """Their gradients, and so the objective, follow what changed after they were left out."""
    X, y = noisy_rings(2000, seed=5)
    K = rbf(X, X, 0.5)
    common = {"C": C, "gamma": 0.5, "cache_size": cache_size}
    model = SVC(**common).fit(X, y)
    whole = SVC(**common, shrinking=False).fit(X, y)
    assert model.kernel_entries_ != whole.kernel_entries_  # some were left out
    rounding = 2.0**-22 * np.abs(model.dual_coef_).sum()
    assert violation(model, X, y, C, K) < model.tol + rounding
    np.testing.assert_allclose(model.objective_, pair_objectives(model, K, y), rtol=1e-6)
    np.testing.assert_allclose(model.objective_, whole.objective_, rtol=1e-4)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("shift", [0.0, 20.0])
def test_the_linear_kernel_meets_tol_in_double_precision(rng, sparse, shift):
    """Rounding errors of single precision alone would exceed a quarter of tol."""
    X = 3 * rng.normal(size=(1500, 20)) + shift
    y = (X[:, 0] - shift + 3 * rng.normal(size=1500) > 0).astype(int)
    model = SVC(kernel="linear", C=0.1).fit(sp.csr_array(X) if sparse else X, y)
    centred = X - shift  # the same machine, because its coefficients sum to zero
    assert violation(model, X, y, 0.1, centred @ centred.T) < model.tol


def test_large_coefficients_do_not_magnify_the_rounding_of_kernel_values():
    """Coefficients of 1000: an error of 1e-6 in kernel values would move scores by 0.01."""
    X, y = noisy_rings(1500, seed=6)
    X = np.repeat(X[:1100], 2, axis=0)[:1500] + 0.2 * X
    model = SVC(C=1000.0, gamma=3.0).fit(X, y)
    K = rbf(X, X, 3.0)
    assert violation(model, X, y, 1000.0, K) < 3 * model.tol
    exact = K[:, model.support_] @ model.dual_coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), exact, atol=3 * model.tol)


@settings(max_examples=15, deadline=None)
@given(
    arrays(float, st.tuples(st.integers(4, 20), st.integers(1, 2)), elements=st.integers(-2, 2)),
    st.sampled_from([1e-3, 1e8]),
    st.sampled_from(["sigmoid", "linear", "poly"]),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_fit_ends(X, C, kernel):
    """Indefinite kernels and a huge C end within max_iter steps, or at the limit of rounding."""
    y = np.arange(len(X)) % 2
    model = SVC(C=C, kernel=kernel, gamma=1.0, coef0=-1.0, max_iter=20_000).fit(X, y)
    assert (model.n_iter_ <= 20_000).all()
    assert np.isfinite(model.decision_function(X)).all()


def test_four_solvers_give_one_optimum():
    X, y = noisy_rings(16)
    n, signs, C, K = len(X), np.where(y == 1, 1.0, -1.0), 2.0, rbf(X, X, 0.7)
    model = SVC(C=C, gamma=0.7, tol=1e-8).fit(X, y)
    assert -model.objective_[0] == pytest.approx(smo(K, signs, C, tol=1e-9).value, rel=1e-6)
    Q = K * np.outer(signs, signs)
    dual = Function(lambda a: 0.5 * a @ Q @ a - a.sum(), lambda a: Q @ a - 1, lambda a: Q, size=n)
    rule = ProjectedGradient(onto_box_and_plane(0.0, C, signs), max_iter=20_000, tol=1e-5)
    assert rule.minimize(dual).value == pytest.approx(model.objective_[0], rel=1e-6)
    program = quadratic_program(
        Q / 2,
        -np.ones(n),
        np.vstack([np.eye(n), -np.eye(n), signs, -signs]),
        np.r_[np.full(n, C), np.zeros(n + 2)],
        start=np.zeros(n),
    )
    assert program.value == pytest.approx(model.objective_[0], rel=1e-6)


def test_ascent_on_the_dual_without_a_bias():
    """The gradient is 1 - sum_j lambda_j y_i y_j k_ij; projected onto lambda >= 0."""
    X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [-2.0, -0.5]])
    signs = np.array([1.0, 1.0, -1.0, -1.0])
    Q = (X @ X.T) * np.outer(signs, signs)
    dual = Function(lambda a: 0.5 * a @ Q @ a - a.sum(), lambda a: Q @ a - 1, lambda a: Q, size=4)
    found = ProjectedGradient(onto_positive, max_iter=20_000, tol=1e-9).minimize(dual)
    w = (found.x * signs) @ X
    margins = signs * (X @ w)
    assert margins.min() == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose((margins - 1) * found.x, 0, atol=1e-6)


def test_the_hard_margin_agrees_with_the_dual():
    X, y = noisy_rings(30, seed=3)
    signs = np.where(y == 1, 1.0, -1.0)
    model = SVC(C=np.inf, gamma=2.0, tol=1e-6).fit(X, y)
    exact = smo(rbf(X, X, 2.0), signs, np.inf, tol=1e-9)
    assert -model.objective_[0] == pytest.approx(exact.value, rel=1e-4)
    assert (signs * model.decision_function(X) >= 1 - 1e-4).all()


def test_no_hard_margin_is_an_error():
    X, y = [[0.0], [1.0], [0.0], [1.0]], [0, 1, 1, 0]
    with pytest.raises(NotSeparableError, match="finite C"):
        SVC(C=np.inf).fit(X, y)
    with pytest.raises(NotSeparableError):
        SVC(C=np.inf, kernel="linear").fit([[0.0], [1.0], [2.0]], ["a", "b", "a"])


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
def test_kernels_agree_with_scikit_learn(kernel):
    X, y = noisy_rings()
    common = {"kernel": kernel, "gamma": 0.2, "coef0": 0.1, "degree": 2, "tol": 1e-6}
    ours, theirs = SVC(**common).fit(X, y), peer.SVC(**common).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("shape", ["ovo", "ovr"])
@pytest.mark.parametrize("ties", [False, True])
def test_several_classes_agree_with_scikit_learn(data_folder, shape, ties):
    X, y = real_set("glass", data_folder)
    common = {"class_weight": "balanced", "tol": 1e-6, "decision_function_shape": shape}
    ours, theirs = SVC(**common).fit(X, y), peer.SVC(**common).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    if not (ties and shape == "ovo"):
        ours.break_ties = theirs.break_ties = ties
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_sparse_rows_functions_and_matrices_give_the_same_machine():
    X, y = noisy_rings()
    X[X < 0] = 0
    plain = SVC(gamma=0.5, tol=1e-8).fit(X, y)
    scores = plain.decision_function(X)
    sparse = SVC(gamma=0.5, tol=1e-8).fit(sp.csr_array(X), y)
    called = SVC(kernel=lambda A, B: rbf(A, B, 0.5), tol=1e-8).fit(X, y)
    given_matrix = SVC(kernel="precomputed", tol=1e-8).fit(rbf(X, X, 0.5), y)
    assert sp.issparse(sparse.support_vectors_)
    for found in (
        sparse.decision_function(sp.csr_array(X)),
        sparse.decision_function(X),
        plain.decision_function(sp.csr_array(X)),
        called.decision_function(X),
        given_matrix.decision_function(rbf(X, X, 0.5)),
    ):
        np.testing.assert_allclose(found, scores, atol=1e-5)


def test_cross_validation_slices_a_precomputed_kernel():
    X, y = noisy_rings()
    rows = cross_val_score(SVC(gamma=0.5), X, y)
    matrix = cross_val_score(SVC(kernel="precomputed"), rbf(X, X, 0.5), y)
    np.testing.assert_array_equal(rows, matrix)


def test_the_result_does_not_depend_on_threads_or_cache(data_folder):
    X, y = real_set("letterrecognition", data_folder)
    kept = y < 4
    rows, labels = np.tile(X[kept], (8, 1)), np.tile(y[kept], 8)
    rows = rows + 0.3 * np.random.default_rng(0).normal(size=rows.shape)
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(SVC(C=10.0).fit(rows, labels).dual_coef_)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)
    small = SVC(C=10.0, cache_size=0.5, tol=1e-5).fit(rows, labels)
    large = SVC(C=10.0, shrinking=False, tol=1e-5).fit(rows, labels)
    np.testing.assert_allclose(small.objective_, large.objective_, rtol=1e-6)


def test_pairs_share_the_kernel_values_within_classes(data_folder):
    X, y = real_set("digits", data_folder)
    model = SVC().fit(X, y)
    sizes = np.bincount(y)
    separate = sum((a + b) ** 2 for a, b in itertools.combinations(sizes[sizes > 0], 2))
    assert model.kernel_entries_ <= len(X) ** 2 < 0.6 * separate


def test_a_path_gives_the_machines_of_separate_fits():
    X, y = noisy_rings(300)
    Cs = [10.0, 0.1, 1.0, 100.0]
    path = SVC(tol=1e-6).fit_path(X, y, Cs)
    apart = [SVC(C=C, tol=1e-6).fit(X, y) for C in Cs]
    for one, other in zip(path, apart, strict=True):
        assert one.C == other.C
        np.testing.assert_allclose(one.objective_, other.objective_, rtol=1e-7)
        np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), atol=1e-4)
    assert sum(m.kernel_entries_ for m in path) < sum(m.kernel_entries_ for m in apart)
    for Cs in ([1.0, -1.0], ["large"], 1.0):
        with pytest.raises(ValueError, match="Cs must be finite"):
            SVC().fit_path(X, y, Cs)


def test_a_path_past_the_hard_margin_takes_no_steps():
    """Where no multiplier is at its bound a larger C has the same solution."""
    X, y = noisy_rings(200)
    soft, wide, wider = SVC(gamma=20.0, tol=1e-6).fit_path(X, y, [1e-2, 1e3, 1e5])
    assert np.abs(soft.dual_coef_).max() == pytest.approx(1e-2)
    assert np.abs(wide.dual_coef_).max() < 1e3
    assert wider.n_iter_.tolist() == [0]
    np.testing.assert_allclose(wider.dual_coef_, wide.dual_coef_, rtol=1e-5)


def test_weights_count_as_rows_repeated():
    X, y = noisy_rings(80)
    counts = np.random.default_rng(1).integers(0, 4, 80)
    weighted = SVC(tol=1e-8).fit(X, y, sample_weight=counts)
    repeated = SVC(tol=1e-8).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.objective_, repeated.objective_, rtol=1e-6)


def test_float32_stays_float32():
    X, y = noisy_rings()
    model = SVC().fit(X.astype(np.float32), y)
    assert model.support_vectors_.dtype == model.decision_function(X).dtype == np.float32


def test_rows_far_from_the_origin_are_distinguished():
    X, y = noisy_rings(1500)
    near = SVC(gamma=0.5, tol=1e-6).fit(X, y)
    far = SVC(gamma=0.5, tol=1e-6).fit(X + 1e5, y)
    np.testing.assert_allclose(near.objective_, far.objective_, rtol=1e-5)


def test_too_few_steps_give_a_warning():
    X, y = noisy_rings()
    with pytest.warns(ConvergenceWarning, match="violated by"):
        model = SVC(max_iter=3).fit(X, y)
    assert model.fit_status_ == 1


def nan_kernel(A, B):
    return np.full((A.shape[0], B.shape[0]), np.nan)


@pytest.mark.parametrize(
    ("parameters", "y", "words"),
    [
        ({}, [1, 1, 1], "2 classes"),
        ({"gamma": 0.0}, [0, 1, 1], "gamma"),
        ({"gamma": -1.0}, [0, 1, 1], "gamma"),
        ({"gamma": np.inf}, [0, 1, 1], "gamma"),
        ({"kernel": lambda A, B: "ones"}, [0, 1, 1], "numeric matrix"),
        ({"C": 0.0}, [0, 1, 1], "C must be"),
        ({"kernel": nan_kernel}, [0, 1, 1], "NaN or infinity"),
        ({"kernel": lambda A, B: np.ones((1, 1))}, [0, 1, 1], "shape"),
        ({"kernel": "precomputed"}, [0, 1, 1], "square matrix"),
        ({"kernel": lambda A, B: A @ np.ones_like(B).T}, [0, 1, 1], "symmetric"),
        ({"kernel": "poly", "degree": 400, "gamma": 1e3}, [0, 1, 1], "too large"),
    ],
)
def test_bad_input_raises_helpful_errors(parameters, y, words):
    with pytest.raises(ValueError, match=words):
        SVC(**parameters).fit([[0.0, 1.0], [1.0, 5.0], [2.0, 3.0]], y)


def test_a_class_without_weight_is_an_error():
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "c"]
    with pytest.raises(ValueError, match="'c' has none"):
        SVC().fit(X, y, sample_weight=[1, 1, 0])


def test_ties_need_a_score_per_class():
    X, y = noisy_rings()
    model = SVC(break_ties=True, decision_function_shape="ovo").fit(X, y)
    with pytest.raises(ValueError, match="break_ties must be False"):
        model.predict(X)


@pytest.mark.numeric
def test_an_undetermined_intercept_is_the_middle_of_its_interval(rng):
    X, y = rng.normal(size=(57, 3)), np.repeat([0, 1], [46, 11])
    model = SVC(gamma=1e-3, class_weight="balanced", tol=1e-9).fit(X, y)
    held = np.abs(model.dual_coef_[0])
    np.testing.assert_array_equal(held, model.class_weight_[y[model.support_]])  # all at a bound
    scores = model.decision_function(X)
    assert scores[y == 1].max() - 1 == pytest.approx(-1 - scores[y == 0].min(), abs=1e-6)


def test_columns_of_labels_share_one_kernel_matrix():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(60, 3))
    Y = np.column_stack([A[:, 0] > 0, (A**2).sum(axis=1) > 2, A[:, 1] > A[:, 2]]).astype(int)
    for kernel in ("rbf", "linear"):
        found = SVC(kernel=kernel, tol=1e-6).fit_columns(A, Y)
        for model, column in zip(found, Y.T, strict=True):
            alone = SVC(kernel=kernel, tol=1e-6).fit(A, column)
            np.testing.assert_allclose(
                model.decision_function(A), alone.decision_function(A), atol=1e-3
            )
    with pytest.raises(DataError, match="one column per machine"):
        SVC().fit_columns(A, Y[:, 0])


def test_the_degree_of_a_polynomial_is_chosen_by_validation():
    """KE-14: a circle is of degree 2, so that a line fits neither it nor new rows."""
    X, y = noisy_rings(200)
    model = SVC(kernel="poly", gamma=1.0, coef0=1.0)
    search = GridSearchCV(model, {"degree": [1, 2]}, cv=5).fit(X, y)
    assert search.best_params_ == {"degree": 2}
    line, circle = search.cv_results_["mean_test_score"]
    assert circle > line + 0.1
