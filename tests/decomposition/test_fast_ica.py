import numpy as np
import pytest
from sklearn import decomposition as peer
from sklearn.exceptions import ConvergenceWarning

from gramian import FastICA
from gramian.base.errors import DataError, ParameterError
from gramian.decomposition import fastica

rng = np.random.default_rng(0)
TIME = np.linspace(0, 8, 2000)
S = np.column_stack([np.sin(2 * TIME), np.sign(np.sin(3 * TIME)), rng.laplace(size=2000)])
S = (S - S.mean(axis=0)) / S.std(axis=0)
A = np.array([[1.0, 1, 1], [0.5, 2, 1], [1.5, 1, 2], [1, 0, 1]])
X = S @ A.T + [3, 2, 1, 0]


def recovered(found):
    return np.abs(np.corrcoef(S.T, found.T)[:3, 3:]).max(axis=1).min()


@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("fun", ["logcosh", "exp", "cube"])
def test_mixed_sources_come_apart(algorithm, fun):
    model = FastICA(3, algorithm=algorithm, fun=fun, random_state=0, max_iter=1000)
    found = model.fit_transform(X)
    assert recovered(found) > 0.95
    np.testing.assert_allclose(np.cov(found.T, ddof=0), np.eye(3), atol=1e-6)
    np.testing.assert_allclose(model.inverse_transform(found), X, atol=1e-6)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("whiten", ["unit-variance", "arbitrary-variance"])
def test_from_the_same_start_the_sources_are_scikit_learns(whiten):
    settings = {"w_init": rng.normal(size=(3, 3)), "whiten": whiten, "tol": 1e-10, "max_iter": 500}
    ours, theirs = (c(3, **settings).fit(X) for c in (FastICA, peer.FastICA))
    a, b = ours.transform(X), theirs.transform(X)
    order = np.abs(np.corrcoef(a.T, b.T)[:3, 3:]).argmax(axis=1)
    np.testing.assert_allclose(np.abs(a), np.abs(b[:, order]), atol=1e-4)


def test_white_rows_need_no_whitening_and_functions_of_ones_own():
    white = FastICA(3, random_state=0).fit_transform(X) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    own = FastICA(whiten=False, fun=lambda U: (U**3, (3 * U**2).mean(axis=-1)), random_state=0)
    assert recovered(own.fit_transform(white)) > 0.9
    assert not hasattr(own, "mean_")


def test_all_directions_with_variance_are_used():
    assert FastICA(random_state=0).fit(X).components_.shape == (3, 4)


def test_what_cannot_be_done_is_said():
    with pytest.raises(DataError, match=r"exceeds the rank .* which is 3"):
        FastICA(4).fit(X)
    with pytest.raises(ParameterError, match=r"at most .*=4"):
        FastICA(5).fit(X)
    with pytest.raises(ParameterError, match=r"alpha must be in \[1, 2\]"):
        FastICA(3, fun_args={"alpha": 3}).fit(X)
    with pytest.raises(DataError, match="all rows are equal"):
        FastICA().fit(np.ones((5, 2)))
    with pytest.raises(DataError, match=r"w_init must have shape \(3, 3\)"):
        FastICA(3, w_init=np.eye(2)).fit(X)
    with pytest.warns(ConvergenceWarning, match="did not converge after max_iter=1"):
        FastICA(3, max_iter=1, tol=1e-12, random_state=0).fit(X)


def test_without_whitening_there_are_as_many_sources_as_columns(rng):
    with pytest.warns(UserWarning, match="Ignoring n_components with whiten=False"):
        model = FastICA(2, whiten=False, random_state=0).fit(rng.normal(size=(50, 3)))
    assert model.mixing_.shape == (3, 3)


@pytest.mark.parametrize("whiten", ["unit-variance", "arbitrary-variance", False])
def test_the_function_gives_the_matrices_of_the_estimator(whiten):
    rows = X[:, :3] if whiten else S
    K, W, sources, mean, n_iter = fastica(
        rows, whiten=whiten, random_state=0, return_X_mean=True, return_n_iter=True
    )
    model = FastICA(whiten=whiten, random_state=0).fit(rows)
    np.testing.assert_allclose(sources, model.transform(rows))
    np.testing.assert_allclose(W if K is None else W @ K, model.components_)
    assert (K is None) == (mean is None) == (whiten is False)
    assert n_iter == model.n_iter_
    assert len(fastica(rows, whiten=whiten, random_state=0, compute_sources=False)) == 3
