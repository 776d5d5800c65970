"""Nystroem's features against the kernel, and scikit-learn's."""

from threading import get_ident

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.kernel_approximation import Nystroem as Theirs

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.base.runtime.threads import threads_for
from gramian.kernel_approximation import Nystroem
from gramian.kernels import RBF, FunctionKernel, Linear, Polynomial

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(50, 3)), rng.normal(size=(9, 3))


def test_the_kernel_of_chosen_rows_is_exact():
    model = Nystroem(kernel=RBF(0.5), n_components=20, random_state=0).fit(X)
    phi, psi = model.transform(X[model.component_indices_]), model.transform(Z)
    np.testing.assert_allclose(phi @ phi.T, RBF(0.5)(model.components_), atol=1e-9)
    np.testing.assert_allclose(phi @ psi.T, RBF(0.5)(model.components_, Z), atol=1e-6)


def test_all_rows_give_the_whole_kernel():
    model = Nystroem(gamma=0.5, n_components=200, random_state=0).fit(X)
    assert model.normalization_.shape == (50, 50)
    phi = model.transform(X)
    np.testing.assert_allclose(phi @ phi.T, RBF(0.5)(X), atol=1e-8)


@pytest.mark.parametrize("settings", [{"kernel": "rbf", "gamma": 0.3}, {"kernel": "poly"},
                                      {"kernel": "poly", "degree": 2, "coef0": 0.5},
                                      {"kernel": "cosine"}])  # fmt: skip
def test_the_same_rows_give_the_features_of_scikit_learn(settings):
    ours = Nystroem(n_components=12, random_state=0, **settings).fit(X)
    theirs = Theirs(n_components=12, random_state=0, **settings).fit(X[ours.component_indices_])
    np.testing.assert_allclose(
        ours.transform(Z) @ ours.transform(X).T,
        theirs.transform(Z) @ theirs.transform(X).T,
        rtol=1e-5,
        atol=1e-6,
    )


def test_sparse_and_single_precision():
    dense = Nystroem(gamma=0.5, n_components=10, random_state=0).fit(X)
    sparse = Nystroem(gamma=0.5, n_components=10, random_state=0).fit(sp.csr_array(X))
    np.testing.assert_allclose(sparse.transform(sp.csr_array(Z)), dense.transform(Z), atol=1e-10)
    single = Nystroem(gamma=0.5, n_components=10, random_state=0).fit(X.astype(np.float32))
    features = single.transform(Z.astype(np.float32))
    assert features.dtype == np.float32
    np.testing.assert_allclose(features @ features.T, dense.transform(Z) @ dense.transform(Z).T,
                               atol=1e-3)  # fmt: skip
    assert dense.get_feature_names_out()[0] == "nystroem0"


def test_bad_input():
    with pytest.raises(DataError, match="square"):
        Nystroem(kernel="precomputed").fit(X[:5])
    with pytest.raises(ParameterError, match="gamma"):
        Nystroem(gamma=0.0).fit(X)
    with pytest.raises(DataError, match="NaN"):
        Nystroem(kernel=lambda a, b: np.nan).fit(X)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_a_precomputed_matrix_gives_the_features_of_the_rows(make, tmp_path):
    """Columns of the chosen rows are read, which are those that the rows themselves choose."""
    rows = Nystroem(kernel=RBF(0.5), n_components=20, random_state=0).fit(X)
    precomputed = Nystroem(kernel="precomputed", n_components=20, random_state=0)
    precomputed.fit(make(RBF(0.5)(X)))
    np.testing.assert_array_equal(precomputed.component_indices_, rows.component_indices_)
    new = make(RBF(0.5)(Z, X))
    np.testing.assert_allclose(precomputed.transform(new), rows.transform(Z), atol=1e-9)
    gramian.save(precomputed, tmp_path / "given.gram")
    loaded = gramian.load(tmp_path / "given.gram")
    np.testing.assert_array_equal(loaded.transform(new), precomputed.transform(new))
    loaded.component_indices_ = loaded.component_indices_ + 50
    with pytest.raises(DataError, match="component_indices_"):
        loaded._check_loaded()


def test_a_matrix_of_all_rows_gives_the_same_result_as_scikit_learn():
    K = RBF(0.5)(X)
    phi = Nystroem(kernel="precomputed", n_components=50, random_state=0).fit_transform(K)
    theirs = Theirs(kernel="precomputed", n_components=50, random_state=0).fit_transform(K)
    np.testing.assert_allclose(phi @ phi.T, theirs @ theirs.T, atol=1e-8)


def test_a_singular_kernel_matrix_is_allowed():
    features = Nystroem(kernel=Linear(), n_components=20, random_state=0).fit_transform(X)
    np.testing.assert_allclose(features @ features.T, X @ X.T, atol=1e-4)


@pytest.mark.parametrize("kernel", [RBF(0.2), Polynomial(2), Linear() + 1.0])
def test_many_rows_do_not_depend_on_threads_or_blocks(kernel):
    rows = rng.normal(size=(3000, 4))
    model = Nystroem(kernel=kernel, n_components=300, random_state=0).fit(rows)
    expected = kernel(rows, model.components_) @ model.normalization_.T
    answers = []
    for threads in (1, 2, 5):
        with threads_for(threads):
            answers.append(model.transform(rows))
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])
    np.testing.assert_allclose(answers[0], expected, atol=1e-8 * np.abs(expected).max())


def test_a_function_is_called_on_the_thread_of_the_caller():
    threads = set()

    def kernel(left, right):
        threads.add(get_ident())
        return np.asarray(left) @ np.asarray(right).T

    function = FunctionKernel(kernel, arguments="tables")
    Nystroem(kernel=function, n_components=300).fit(X[:40]).transform(np.tile(X, (200, 1)))
    assert threads == {get_ident()}


def test_an_overflow_in_any_block_is_an_error():
    model = Nystroem(kernel=Polynomial(3), n_components=300).fit(rng.normal(size=(400, 3)))
    rows = rng.normal(size=(3000, 3))
    rows[-1] = 1e120
    with threads_for(2), pytest.raises(DataError, match="infinity"):
        model.transform(rows)
