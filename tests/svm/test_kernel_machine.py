"""What kernel machines share."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from gramian import SVC, SVR
from gramian.kernels import RBF, Laplacian, Linear, Polynomial, Precomputed, Sigmoid
from gramian.svm.kernel_machine import pair_scores, votes_of
from tests.svm.kernel_machine_data import noisy_rings


def test_scale_means_one_over_the_variance(rng):
    X, y = rng.normal(2, 3, size=(50, 4)), rng.integers(0, 2, 50)
    assert SVC().fit(X, y).gamma_ == pytest.approx(1 / (4 * X.var()))
    assert SVC(gamma="auto").fit(X, y).gamma_ == 0.25
    counts = rng.integers(0, 3, 50)
    repeated = np.repeat(X, counts, axis=0).var()
    for table in (X, sp.csr_array(X)):
        assert SVR().fit(table, y, counts).gamma_ == pytest.approx(1 / (4 * repeated))
    assert SVR().fit(np.ones((3, 2)), [1.0, 2.0, 3.0]).gamma_ == 1


def test_votes_and_scores_of_a_matrix_are_those_of_the_core():
    X, y = noisy_rings(90)
    y = y + (X[:, 0] > 0.5)
    model = SVC(gamma=0.5, decision_function_shape="ovo").fit(X, y)
    K = np.exp(-0.5 * ((X[:, None] - model.support_vectors_[None]) ** 2).sum(axis=2))
    starts = np.concatenate([[0], np.cumsum(model.n_support_)])
    scores = pair_scores(K, starts, model.dual_coef_, model.intercept_)
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-6)
    np.testing.assert_array_equal(model.classes_[votes_of(scores, 3)], model.predict(X))


def test_only_the_linear_kernel_has_weights_of_columns():
    X, y = noisy_rings()
    linear = SVC(kernel="linear").fit(X, y)
    scores = X @ linear.coef_[0] + linear.intercept_
    np.testing.assert_allclose(linear.decision_function(X), scores, atol=1e-5)
    with pytest.raises(AttributeError, match="linear kernel"):
        _ = SVC().fit(X, y).coef_


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", ["linear", "poly", "sigmoid"])
@pytest.mark.parametrize("sparse", [False, True])
def test_scores_of_rows_far_from_the_origin_have_all_digits(kernel, sparse):
    X, y = load_iris(return_X_y=True)
    X = X + 100
    model = SVC(kernel=kernel, C=100, gamma=1e-4, max_iter=2000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(sp.csr_array(X) if sparse else X, y)
    V = X[model.support_]
    inner = X @ V.T
    K = {
        "linear": inner,
        "poly": (1e-4 * inner) ** 3,
        "sigmoid": np.tanh(1e-4 * inner),
    }[kernel]
    starts = np.concatenate([[0], np.cumsum(model.n_support_)])
    expected = np.empty((len(X), 3))
    for p, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        a, b = slice(starts[i], starts[i + 1]), slice(starts[j], starts[j + 1])
        expected[:, p] = K[:, a] @ model.dual_coef_[j - 1, a] + K[:, b] @ model.dual_coef_[i, b]
    expected += model.intercept_
    found = model.set_params(decision_function_shape="ovo").decision_function(X)
    size = np.abs(K).max() * np.abs(model.dual_coef_).sum()
    np.testing.assert_allclose(found, expected, atol=1e-13 * size)


def test_a_precomputed_kernel_is_a_name_or_an_object():
    X, y = noisy_rings(60)
    K = X @ X.T
    named, given = (SVC(kernel=kernel).fit(K, y) for kernel in ("precomputed", Precomputed()))
    np.testing.assert_array_equal(given.decision_function(K), named.decision_function(K))
    assert given.__sklearn_tags__().input_tags.pairwise
    with pytest.raises(ValueError, match="square matrix"):
        SVC(kernel=Precomputed()).fit(X, y)


@pytest.mark.parametrize(
    ("kernel", "named"),
    [
        (RBF(0.3), {"kernel": "rbf", "gamma": 0.3}),
        (Linear(), {"kernel": "linear"}),
        (Polynomial(2, 0.5, 1.0), {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0}),
        (Sigmoid(0.1, 0.0), {"kernel": "sigmoid", "gamma": 0.1}),
    ],
)
def test_kernels_with_a_name_are_those_of_the_core(kernel, named, monkeypatch):
    """Their training matrix is not held: the function is not called in a fit."""
    X, y = noisy_rings(90)
    with monkeypatch.context() as patch:
        patch.setattr(type(kernel), "__call__", None)
        values = [SVC(kernel=kernel).fit(table, y) for table in (X, sp.csr_array(X))]
    for model, table in zip(values, (X, sp.csr_array(X)), strict=True):
        other = SVC(**named).fit(table, y)
        np.testing.assert_array_equal(model.dual_coef_, other.dual_coef_)
        np.testing.assert_allclose(model.decision_function(X), other.decision_function(X))
    assert SVC(kernel=Laplacian(0.5)).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gamma_", "scale"),
        ("gamma_", np.nan),
        ("support_", [0, 1]),
        ("support_", np.array([0.0, 1.0])),
        ("dual_coef_", np.ones((1, 2), dtype=np.float32)),
        ("dual_coef_", np.array([[np.nan, 1.0]])),
        ("intercept_", np.array([np.inf])),
    ],
)
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_damaged_file_is_refused(kernel, name, value):
    model = SVC(kernel=kernel).fit([[0.0], [1.0]], [0, 1])
    setattr(model, name, value)
    with pytest.raises(ValueError, match=name):
        model._check_loaded()
