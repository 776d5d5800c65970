"""Base class of kernel machines."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn import svm as peer
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from gramian import SVC, SVR, NuSVC, OneClassSVM
from gramian.base.errors import ParameterError
from gramian.kernels import RBF, Laplacian, Linear, Polynomial, Precomputed, Sigmoid
from gramian.svm.pair_scores import winning_classes
from tests.svm.kernel_machine_data import dual_of, dual_violation, noisy_rings


def test_scale_means_one_over_the_variance(rng):
    X, y = rng.normal(2, 3, size=(50, 4)), rng.integers(0, 2, 50)
    assert SVC().fit(X, y).gamma_ == pytest.approx(1 / (4 * X.var()))
    assert SVC(gamma="auto").fit(X, y).gamma_ == 0.25
    counts = rng.integers(0, 3, 50)
    repeated = np.repeat(X, counts, axis=0).var()
    for table in (X, sp.csr_array(X)):
        assert SVR().fit(table, y, counts).gamma_ == pytest.approx(1 / (4 * repeated))
    assert SVR().fit(np.ones((3, 2)), [1.0, 2.0, 3.0]).gamma_ == 1


@pytest.mark.parametrize("degree", [2**31, 2**40])
def test_degrees_that_the_core_does_not_hold_are_refused_or_left_to_python(degree):
    X, y = noisy_rings(40)
    with pytest.raises(ParameterError, match="SVC: degree must be an integer"):
        SVC(degree=degree).fit(X, y)
    small = X / (2 * np.abs(X).max())
    model = SVC(kernel=Polynomial(degree=degree, gamma=1.0, coef0=0.0)).fit(small, y)
    assert np.isfinite(model.decision_function(small)).all()


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
    named, as_object = (SVC(kernel=kernel).fit(K, y) for kernel in ("precomputed", Precomputed()))
    np.testing.assert_array_equal(as_object.decision_function(K), named.decision_function(K))
    assert as_object.__sklearn_tags__().input_tags.pairwise
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
def test_kernels_with_a_name_match_the_core(kernel, named, monkeypatch):
    """Their training matrix is not stored: `fit` does not call the function."""
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


def kernel_values(X, name, gamma, coef0):
    """The kernel in extended precision."""
    X = X.astype(np.longdouble)
    products = X @ X.T
    if name == "rbf":
        squares = np.diag(products)
        return np.exp(-gamma * (squares[:, None] + squares - 2 * products))
    return {
        "linear": lambda: products,
        "poly": lambda: (gamma * products + coef0) ** 3,
        "sigmoid": lambda: np.tanh(gamma * products + coef0),
    }[name]()


LAYOUTS = {"plain": (1.0, 0.0), "shifted": (1.0, 100.0), "small": (1e-4, 0.0), "large": (4.0, 0.0)}
SMALL_MARGINS = {("shifted", "sigmoid"), ("small", "linear")}  # of NuSVC; negative for sigmoid
MACHINES = [
    SVC(C=20, tol=1e-6),
    NuSVC(nu=0.4, tol=1e-6),
    SVR(C=2, tol=1e-6),
    OneClassSVM(nu=0.3, tol=1e-6),
]


@pytest.mark.parametrize("n", [50, 120])  # one block, and rows in either precision
@pytest.mark.parametrize("name", ["linear", "rbf", "poly", "sigmoid"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model", MACHINES, ids=lambda m: type(m).__name__)
def test_the_conditions_hold_to_tol_in_double_precision(model, layout, name, n):
    rng = np.random.default_rng(3)
    scale, offset = LAYOUTS[layout]
    X = rng.normal(size=(n, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(float)
    X = X * scale + offset
    size = scale**2 + offset**2
    gamma, coef0 = (0.2 / scale**2 if name == "rbf" else 0.3 / size), float(name == "poly")
    K = kernel_values(X, name, gamma, coef0)
    for kernel, table in ((name, X), ("precomputed", K.astype(float)), (name, sp.csr_array(X))):
        fitted = clone(model).set_params(kernel=kernel, gamma=gamma, coef0=coef0)
        with warnings.catch_warnings():
            if (layout, name) in SMALL_MARGINS:
                warnings.filterwarnings("ignore", "NuSVC: the margin of", ConvergenceWarning)
            fitted.fit(table, y)
        used = K.astype(float) if kernel == "precomputed" else K
        assert dual_violation(dual_of(fitted, y), used) < 1e-6


def test_a_shifted_linear_kernel_has_the_dual_of_the_centred_rows():
    """Single precision gave 10,332 in place of 11,393 on rows like these, without a warning."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int)
    plain = peer.SVC(kernel="linear", C=100, tol=1e-8).fit(X, y)
    b = plain.dual_coef_[0]
    K = plain.support_vectors_ @ plain.support_vectors_.T
    least = 0.5 * b @ K @ b - np.abs(b).sum()
    machine = SVC(kernel="linear", C=100, tol=1e-6)
    path = machine.fit_path(X + 100, y, [1.0, 100.0])[1]
    (column,) = machine.fit_columns(X + 100, y[:, None])
    for model in (machine.fit(X + 100, y), path, column):
        assert model.fit_status_ == 0
        assert model.objective_[0] == pytest.approx(least, rel=1e-7)
        assert dual_violation(dual_of(model, y), (X + 100) @ (X + 100).T) < 2e-6
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-4, atol=1e-4)
        scores = plain.decision_function(X)
        np.testing.assert_allclose(model.decision_function(X + 100), scores, rtol=0, atol=1e-3)


def test_rounding_above_tol_gives_a_warning(rng):
    X = sp.csr_array(rng.normal(size=(80, 3)) + 1e7)  # not centred, as it is sparse
    y = rng.integers(0, 2, 80)
    with pytest.warns(ConvergenceWarning, match="the limit of rounding was reached"):
        model = SVC(kernel="linear", tol=1e-6).fit(X, y)
    assert model.fit_status_ == 1


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("kind", [SVC, NuSVC])
def test_many_classes_are_scored_as_scikit_learn_does(kind, kernel, rng):
    """So many that the scores are computed pair by pair."""
    y = np.repeat(np.arange(60), 3)
    X = rng.normal(size=(60, 6))[y] + 0.3 * rng.normal(size=(180, 6))
    theirs = getattr(peer, kind.__name__)(kernel=kernel, tol=1e-6).fit(X, y)
    ours = kind(kernel=kernel, tol=1e-6).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.decision_function(X).shape == (180, 60)
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=0, atol=1e-4
    )
    for model in (ours, theirs):
        model.set_params(decision_function_shape="ovo")
    pairs = theirs.decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), pairs, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(winning_classes(pairs, 60), ours.predict(X))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by the system")
def test_hundreds_of_classes_need_little_memory():
    script = """
import numpy as np, resource
from gramian import SVC, set_num_threads
set_num_threads(1)
y = np.repeat(np.arange(600), 2)
X = np.random.default_rng(0).normal(size=(1200, 5)) + y[:, None]
SVC().fit(X[:20], y[:20]).predict(X)
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 150_000_000,) * 2)
model = SVC().fit(X, y)
assert model.predict(X[:64]).shape == (64,)
assert model.decision_function(X[:64]).shape == (64, 600)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 0


@pytest.mark.parametrize(
    "model",
    [SVC(kernel="linear", C=10, tol=1e-8), SVR(kernel="linear", tol=1e-8)],
    ids=["SVC", "SVR"],
)
@pytest.mark.parametrize("n_classes", [2, 4, 20])
@pytest.mark.parametrize("queries", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("kernel", ["linear", Linear()], ids=["name", "object"])
def test_linear_scores_far_from_zero(model, n_classes, queries, kernel):
    """The same rows with all columns shifted have the same scores; the shift rounds nothing."""
    rng = np.random.default_rng(0)
    Z = np.round(rng.normal(size=(120, 4)) * 2**20) / 2**20
    y = rng.integers(0, n_classes, 120) if n_classes > 2 else Z[:, 0] + rng.normal(size=120) > 0
    model = clone(model).set_params(kernel=kernel)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + 1e6, y)
    give = "predict" if isinstance(model, SVR) else "decision_function"
    scores = getattr(far, give)(queries(Z + 1e6))
    assert_allclose(scores, getattr(near, give)(Z), atol=1e-5)
    assert_allclose(far.predict(queries(Z + 1e6)), far.predict(Z + 1e6), atol=1e-5)
    if kernel != "linear":
        return
    if give == "predict" or n_classes == 2:
        assert_allclose((Z + 1e6) @ far.coef_[0] + far.intercept_[0], scores, atol=1e-5)
