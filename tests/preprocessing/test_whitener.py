import numpy as np
import pytest
from sklearn.datasets import load_iris

from gramian.base.errors import DataError
from gramian.linalg import symmetric_power
from gramian.preprocessing import Whitener

X = load_iris().data
S = np.cov(X.T)


@pytest.mark.parametrize("method", ["zca", "pca", "cholesky"])
def test_whitened_rows_are_uncorrelated_with_variance_one(method):
    model = Whitener(method)
    Z = model.fit_transform(X)
    np.testing.assert_allclose(np.cov(Z.T), np.eye(4), atol=1e-10)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-10)
    np.testing.assert_allclose(model.whitening_ @ S @ model.whitening_.T, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(model.inverse_transform(Z), X, atol=1e-10)


def test_decorrelation_rotates_rows_to_the_principal_axes():
    model = Whitener("decorrelate").fit(X)
    values = np.sort(np.linalg.eigvalsh(S))[::-1]
    np.testing.assert_allclose(np.cov(model.transform(X).T), np.diag(values), atol=1e-10)
    V = model.whitening_.T
    np.testing.assert_allclose(V * values @ V.T, S, atol=1e-10)  # Var(R) = V L V'


def test_sphering_is_the_inverse_root_and_changes_the_rows_least():
    zca, pca = Whitener("zca").fit(X), Whitener("pca").fit(X)
    np.testing.assert_allclose(zca.whitening_, symmetric_power(S, -0.5), atol=1e-9)
    centred = X - X.mean(axis=0)
    near, far = (((m.transform(X) - centred) ** 2).sum() for m in (zca, pca))
    assert near < far


def test_cholesky_leaves_the_first_column_its_direction():
    Z = Whitener("cholesky").fit_transform(X)
    np.testing.assert_allclose(Z[:, 0], (X[:, 0] - X[:, 0].mean()) / X[:, 0].std(ddof=1))


def test_directions_without_variance_become_zero_or_are_refused():
    flat = np.column_stack([X[:, 0], 2 * X[:, 0], np.ones(150)])
    Z = Whitener().fit_transform(flat)
    np.testing.assert_allclose(np.linalg.matrix_rank(Z, tol=1e-6), 1)
    with pytest.raises(DataError, match="got rank 1 of 3"):
        Whitener("cholesky").fit(flat)
    assert np.isfinite(Whitener("cholesky", ridge=0.1).fit_transform(flat)).all()
    with pytest.raises(DataError, match="rows of 3 columns"):
        Whitener().fit(flat).inverse_transform(X)


def test_columns_of_very_different_scales_are_whitened_or_give_a_warning():
    X = np.random.default_rng(0).normal(size=(300, 3))
    units = np.array([1.0, 1e-9, 1e6])
    plain = Whitener(method="cholesky").fit_transform(X)
    np.testing.assert_allclose(
        Whitener(method="cholesky").fit_transform(X * units), plain, atol=1e-9
    )
    for method in ("zca", "pca"):
        with pytest.warns(UserWarning, match=r"too far apart .* 1 directions become 0. Scale"):
            Whitener(method=method).fit(X * units)
