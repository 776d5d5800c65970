import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import decomposition as peer
from sklearn.datasets import load_digits, load_iris

from gramian import PCA
from gramian.base.errors import DataError, ParameterError

CROSS = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
DIGITS = load_digits().data


def test_t45_a_cross_has_its_axes():
    model = PCA().fit(CROSS)
    # The notes divide by n, here it is n - 1: 2 and 0.5 become 8/3 and 2/3.
    np.testing.assert_allclose(model.explained_variance_ * 3 / 4, [2.0, 0.5])
    np.testing.assert_allclose(model.explained_variance_ratio_, [0.8, 0.2])
    np.testing.assert_allclose(np.abs(model.components_), np.eye(2), atol=1e-15)


@pytest.mark.slow
def test_t16_eigenfaces_are_a_thousandth_of_the_numbers():
    rng = np.random.default_rng(0)
    faces = (rng.normal(size=(500, 40)) @ rng.normal(size=(40, 40_000))).astype(np.float32)
    model = PCA(40).fit(faces)
    coordinates = model.transform(faces)
    assert (coordinates.size, faces.size) == (20_000, 20_000_000)
    again = model.inverse_transform(coordinates[:5])
    np.testing.assert_allclose(again, faces[:5], atol=1e-4 * np.abs(faces[:5]).max())


@pytest.mark.parametrize("solver", ["covariance_eigh", "gram", "full", "arpack", "randomized"])
@pytest.mark.parametrize("whiten", [False, True])
def test_every_solver_has_the_answer_of_scikit_learn(solver, whiten):
    theirs = peer.PCA(8, svd_solver="full", whiten=whiten).fit(DIGITS[:300])
    ours = PCA(8, svd_solver=solver, whiten=whiten, random_state=0).fit(DIGITS[:300])
    atol = 1e-3 if solver == "randomized" else 1e-7
    for name in ("mean_", "explained_variance_", "explained_variance_ratio_", "singular_values_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=atol, atol=1e-9)
    assert ours.noise_variance_ == pytest.approx(theirs.noise_variance_, rel=atol)
    np.testing.assert_allclose(
        ours.transform(DIGITS[:40]), theirs.transform(DIGITS[:40]), atol=100 * atol
    )


@pytest.mark.parametrize("shape", [(5000, 30), (30, 5000), (600, 501)])
def test_auto_has_the_digits_of_lapack(shape):
    rng = np.random.default_rng(1)
    X = rng.normal(size=shape) * 0.9 ** np.minimum(np.arange(shape[1]), 60) + 7
    s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[1:]
    model = PCA(10).fit(X)
    assert model.solver_ != "krylov"
    np.testing.assert_allclose(model.singular_values_, s[:10], atol=1e-10 * s[0])
    V = model.components_
    np.testing.assert_allclose(V @ V.T, np.eye(10), atol=1e-12)
    assert np.linalg.norm(V - (V @ Vt[:10].T) @ Vt[:10], 2) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(560, 700), (700, 560), (560, 5000)])
@pytest.mark.parametrize("mean", [2.0, 1e4])
def test_many_rows_and_columns_have_the_digits_of_lapack_too(shape, mean):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(shape[0], 12)) * 0.8 ** np.arange(12) @ rng.normal(size=(12, shape[1]))
    X += 0.1 * rng.normal(size=shape) + mean
    s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[1:]
    model = PCA(3, random_state=0).fit(X)
    assert model.solver_ == "krylov"
    np.testing.assert_allclose(model.singular_values_, s[:3], atol=1e-10 * s[0])
    V = model.components_
    np.testing.assert_allclose(V @ V.T, np.eye(3), atol=1e-12)
    assert np.linalg.norm(V - (V @ Vt[:3].T) @ Vt[:3], 2) < 1e-10
    narrow = PCA(3, random_state=0).fit(X.astype(np.float32))
    doubles = PCA(3, random_state=0).fit(X.astype(np.float32).astype(np.float64))
    np.testing.assert_allclose(narrow.singular_values_, doubles.singular_values_, rtol=1e-6)
    np.testing.assert_allclose(narrow.components_, doubles.components_, atol=1e-6)


def test_noise_without_leading_directions_costs_a_limited_number_of_products():
    X = np.random.default_rng(5).normal(size=(560, 600))
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[:3]
    model = PCA(3, random_state=0).fit(X)
    assert model.solver_ == "krylov"
    np.testing.assert_allclose(model.singular_values_, exact, rtol=1e-4)


def test_what_is_not_finite_or_too_large_is_found_by_the_pass_of_moments():
    X = np.ones((600, 3))
    for value, message in ((np.nan, "contains NaN"), (np.inf, "infinity"), (1e160, "of size 1e")):
        for row in (0, 599):
            bad = X.copy()
            bad[row, 1] = value
            with pytest.raises(DataError, match=message):
                PCA(svd_solver="covariance_eigh").fit(bad)
    large = (1e19 * np.random.default_rng(0).normal(size=(600, 3))).astype(np.float32)
    exact = np.linalg.svd(large.astype(float) - large.astype(float).mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(PCA().fit(large).singular_values_, exact, rtol=1e-6)


def test_tiny_variances_are_found_by_qr():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 4)) * [1, 1e-3, 1e-6, 1e-9]
    model = PCA().fit(X)
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    assert model.solver_ == "full"
    np.testing.assert_allclose(model.singular_values_, exact, rtol=1e-6)
    chunks = PCA().fit_chunks([X[:100], X[100:]])
    np.testing.assert_allclose(chunks.singular_values_, exact, rtol=1e-6)


def test_coordinates_are_left_vectors_times_singular_values():
    U, s, _ = np.linalg.svd(DIGITS - DIGITS.mean(axis=0), full_matrices=False)
    Z = PCA(5).fit_transform(DIGITS)
    np.testing.assert_allclose(np.abs(Z), np.abs(U[:, :5] * s[:5]), atol=1e-8)
    np.testing.assert_allclose(Z.T @ Z, np.diag(s[:5] ** 2), atol=1e-6)


def test_whitened_coordinates_have_variance_one():
    Z = PCA(10, whiten=True).fit_transform(DIGITS)
    np.testing.assert_allclose(np.cov(Z.T), np.eye(10), atol=1e-10)


def test_all_components_lose_nothing_and_scaling_first_is_the_users_choice():
    model = PCA().fit(DIGITS)
    np.testing.assert_allclose(model.inverse_transform(model.transform(DIGITS)), DIGITS, atol=1e-9)
    varying = DIGITS[:, DIGITS.std(axis=0) > 0]
    scaled = PCA().fit((varying - varying.mean(axis=0)) / varying.std(axis=0, ddof=1))
    correlations = np.linalg.eigvalsh(np.corrcoef(varying.T))[::-1]
    np.testing.assert_allclose(scaled.explained_variance_, correlations, atol=1e-10)


@pytest.mark.parametrize(
    ("k", "expected"), [(0.5, 5), (0.9, 21), ("mle", None), ("parallel", None)]
)
def test_the_number_of_components_is_chosen(k, expected):
    model = PCA(k, random_state=0).fit(DIGITS[:, 1:])
    assert len(model.components_) == model.n_components_ < 63
    theirs = peer.PCA(k if k != "parallel" else 13).fit(DIGITS[:, 1:])
    if k != "parallel":
        assert model.n_components_ == theirs.n_components_
    assert expected is None or model.n_components_ == expected


def test_chunks_and_merged_moments_do_not_depend_on_the_cut():
    X = DIGITS[:, 3:9] + 50
    whole = PCA(4).fit_chunks([X])
    for cuts in ([1000], [1, 700, 701]):
        parts = PCA(4).fit_chunks(np.split(X, cuts))
        np.testing.assert_array_equal(parts.components_, whole.components_)
        np.testing.assert_array_equal(parts.explained_variance_, whole.explained_variance_)
    plain = PCA(4).fit(X)
    np.testing.assert_allclose(whole.components_, plain.components_, atol=1e-10)
    model = PCA(4)
    merged = model.summarise(X[:77]).merge(model.summarise(X[77:]))
    np.testing.assert_allclose(model.solve(merged).components_, plain.components_, atol=1e-10)
    assert model.n_samples_ == len(X)


@pytest.mark.parametrize("shape", [(400, 50), (50, 1500)])
def test_sparse_rows_are_centred_unseen(shape):
    X = sp.random_array(shape, density=0.1, rng=np.random.default_rng(0), format="csr")
    dense = PCA(3).fit(X.toarray())
    sparse = PCA(3, random_state=0).fit(X)
    np.testing.assert_allclose(sparse.singular_values_, dense.singular_values_, rtol=1e-9)
    np.testing.assert_allclose(sparse.transform(X), dense.transform(X.toarray()), atol=1e-7)


def test_float32_has_the_float64_answer():
    rng = np.random.default_rng(2)
    X = (rng.normal(size=(3000, 20)) * np.geomspace(3, 1, 20) + 4).astype(np.float32)
    narrow, doubles = PCA(5).fit(X), PCA(5).fit(X.astype(np.float64))
    assert narrow.components_.dtype == np.float32
    scale = doubles.singular_values_[0]
    np.testing.assert_allclose(narrow.singular_values_, doubles.singular_values_, atol=1e-6 * scale)


def test_more_components_than_the_rank_say_what_was_found():
    X = np.random.default_rng(0).normal(size=(40, 2)) @ np.ones((2, 5)) + np.eye(40)[:, :5]
    with pytest.raises(ParameterError, match=r"must be between 1 and .*=5"):
        PCA(6).fit(X)
    plane = np.random.default_rng(0).normal(size=(40, 2)) @ [[1.0, 0, 1, 2], [0, 1, 1, 0]]
    with pytest.warns(UserWarning, match=r"n_components=3 exceeds.* which is 2; the last 1"):
        model = PCA(3).fit(plane)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-12)


def test_constant_rows_have_no_variance():
    model = PCA().fit(np.full((5, 3), 4.0))
    np.testing.assert_array_equal(model.explained_variance_ratio_, np.zeros(3))
    np.testing.assert_array_equal(model.transform(np.full((1, 3), 4.0)), np.zeros((1, 3)))


def test_what_cannot_be_done_is_refused():
    with pytest.raises(DataError, match="n_samples=1 while a minimum of 2"):
        PCA().fit([[1.0, 2.0]])
    with pytest.raises(ParameterError, match="at least as many rows as columns; got 2 and 3"):
        PCA("mle").fit(np.eye(3)[:2])
    with pytest.raises(ParameterError, match="needs all variances"):
        PCA(0.5, svd_solver="randomized").fit(CROSS)
    with pytest.raises(DataError, match="needs dense rows"):
        PCA("parallel").fit(sp.csr_array(CROSS))
    with pytest.raises(ParameterError, match="needs the rows"):
        PCA("parallel").solve(PCA().summarise(CROSS))
    with pytest.raises(DataError, match="n_samples=1"):
        PCA().solve(PCA().summarise(CROSS[:1]))
    assert PCA().fit(CROSS[:, :1]).components_.tolist() == [[1.0]]


def test_a_fraction_may_be_a_number_of_numpy():
    assert PCA(np.float32(0.5)).fit(DIGITS).n_components_ == PCA(0.5).fit(DIGITS).n_components_


def test_many_rows_of_single_precision_have_their_rank():
    X = np.random.default_rng(0).normal(size=(200_000, 2)).astype(np.float32)
    X[:, 1] *= 0.01  # far above what rounding changes, below rows times eps
    for model in (PCA(2).fit(X), PCA(2).fit_chunks([X[:9], X[9:]])):  # warnings are errors
        np.testing.assert_allclose(model.explained_variance_, [1, 1e-4], rtol=0.02)


def test_a_value_that_is_not_finite_is_found_without_a_look_at_each():
    X = np.ones((40, 3))
    X[30, 1] = np.nan
    with pytest.raises(DataError, match=r"contains NaN \(row 10, column 1\).*chunk 1"):
        PCA(1).fit_chunks([X[:20], X[20:]])


def test_a_proportion_that_k_components_have_exactly_takes_one_more():
    rows = load_iris().data
    proportions = PCA().fit(rows).explained_variance_ratio_.cumsum()
    assert [PCA(float(p)).fit(rows).n_components_ for p in proportions[:-1]] == [2, 3, 4]
