"""The normal distribution in several dimensions."""

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gaussian, MultivariateGaussian

pytestmark = pytest.mark.numeric

MEAN = np.array([1.0, -2.0, 0.5])
S = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.7]])
JOINT = MultivariateGaussian(MEAN, S)
X = JOINT.sample(50, random_state=0)


def test_density_agrees_with_scipy_out_to_40_sigma():
    far = np.vstack([X, MEAN + 40 * np.sqrt(np.diag(S)), MEAN])
    theirs = scipy.stats.multivariate_normal(MEAN, S)
    assert_allclose(JOINT.log_prob(far), theirs.logpdf(far), rtol=1e-10)
    assert JOINT.entropy() == pytest.approx(theirs.entropy())


def test_normalizer_is_the_root_of_the_determinant_of_2_pi_s():
    """sqrt((2 pi)^d |S|), not (sqrt(2 pi |S|))^d."""
    assert JOINT.prob(MEAN) == pytest.approx(1 / np.sqrt((2 * np.pi) ** 3 * np.linalg.det(S)))


def test_isotropic_density():
    """(2 pi v)^(-d/2) exp(-|x - m|^2 / 2v)."""
    ball = MultivariateGaussian.isotropic(MEAN, 0.3)
    q = ((X - MEAN) ** 2).sum(axis=1)
    assert_allclose(ball.prob(X), (2 * np.pi * 0.3) ** -1.5 * np.exp(-q / 0.6))


def test_bivariate_form_in_sigma_and_rho():
    s1, s2, rho = 1.5, 0.7, -0.6
    ours = MultivariateGaussian.bivariate([1.0, 2.0], [s1, s2], rho)
    x = np.array([[0.3, 2.5], [4.0, 1.0]])
    z1, z2 = (x[:, 0] - 1) / s1, (x[:, 1] - 2) / s2
    bottom = 2 * np.pi * s1 * s2 * np.sqrt(1 - rho**2)
    density = np.exp(-(z1**2 - 2 * rho * z1 * z2 + z2**2) / (2 * (1 - rho**2))) / bottom
    assert_allclose(ours.prob(x), density)
    assert_allclose(ours.correlation, [[1, rho], [rho, 1]])
    with pytest.raises(ParameterError, match=r"rho in \[-1, 1\]"):
        MultivariateGaussian.bivariate([0, 0], [1, 1], 1.5)


def test_density_is_a_product_over_the_axes():
    """Of the coordinates if the covariance is diagonal, else along its eigenvectors."""
    diagonal = MultivariateGaussian.diagonal(MEAN, [2.0, 1.0, 0.7])
    parts = [
        Gaussian(m, v).log_prob(X[:, k])
        for k, (m, v) in enumerate(zip(MEAN, [2, 1, 0.7], strict=True))
    ]
    assert_allclose(diagonal.log_prob(X), np.sum(parts, axis=0))
    axes = JOINT.axes
    z = (X - MEAN) @ axes.directions
    parts = [Gaussian(0, v).log_prob(z[:, k]) for k, v in enumerate(axes.variances)]
    assert_allclose(JOINT.log_prob(X), np.sum(parts, axis=0))
    assert_allclose((axes.directions * axes.variances) @ axes.directions.T, S, atol=1e-14)


def test_a_matrix_from_its_eigenpairs():
    """T7: (1, 1) with 2 and (1, -1) with -1/2 make [[0.75, 1.25], [1.25, 0.75]], no covariance."""
    U = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    A = (U * [2, -0.5]) @ U.T
    assert_allclose(A, [[0.75, 1.25], [1.25, 0.75]])
    with pytest.raises(ParameterError, match=r"an eigenvalue of -0\.5"):
        MultivariateGaussian([0, 0], A)


def test_mahalanobis_and_precision():
    P = np.linalg.inv(S)
    assert_allclose(JOINT.precision, P)
    assert_allclose(JOINT.mahalanobis(X), np.einsum("ni,ij,nj->n", X - MEAN, P, X - MEAN))
    again = MultivariateGaussian.from_precision(MEAN, P)
    assert_allclose(again.covariance, S, rtol=1e-12)
    with pytest.raises(ParameterError, match="rank 1 of 2"):
        MultivariateGaussian.from_precision([0, 0], np.ones((2, 2)))


def test_conditional_of_two():
    """T32: S = [[2, 1], [1, 3]], mean 0, x_b = 2 gives mean 2/3 and variance 5/3."""
    conditional = MultivariateGaussian([0, 0], [[2, 1], [1, 3]]).conditional([1], [2.0])
    assert_allclose(conditional.mean, [2 / 3])
    assert_allclose(conditional.covariance, [[5 / 3]])


def test_conditional_by_the_precision_matrix():
    """mean m_a - L_aa^-1 L_ab (x_b - m_b), covariance L_aa^-1, L the precision."""
    L, known = np.linalg.inv(S), [2]
    conditional = JOINT.conditional(known, [1.5])
    inverse = np.linalg.inv(L[:2, :2])
    assert_allclose(conditional.covariance, inverse)
    assert_allclose(conditional.mean, MEAN[:2] - inverse @ L[:2, 2] * (1.5 - MEAN[2]))


def test_joint_is_marginal_times_conditional():
    part = JOINT.marginal([2, 0])
    assert_allclose(part.covariance, S[np.ix_([2, 0], [2, 0])])
    for x in X[:5]:
        chain = part.log_prob(x[[2, 0]]) + JOINT.conditional([2, 0], x[[2, 0]]).log_prob(x[[1]])
        assert JOINT.log_prob(x) == pytest.approx(chain)


def test_bad_partitions():
    with pytest.raises(ParameterError, match="integers from 0 to 2; got"):
        JOINT.marginal([3])
    with pytest.raises(ParameterError, match="must differ"):
        JOINT.marginal([0, 0])
    with pytest.raises(ParameterError, match="must not contain all coordinates"):
        JOINT.conditional([0, 1, 2], [0, 0, 0])


def test_a_singular_covariance_has_its_density_on_a_plane():
    """Rows on a line in the plane: the density is that along the line."""
    line = MultivariateGaussian([1.0, 2.0], [[1.0, 2.0], [2.0, 4.0]])
    assert line.rank == 1
    step = np.array([1.0, 2.0]) / np.sqrt(5)
    on = line.mean + np.outer([-1.0, 0.0, 2.5], step)
    assert_allclose(line.log_prob(on), Gaussian(0, 5.0).log_prob([-1.0, 0.0, 2.5]))
    assert line.log_prob([[1.0, 2.5]]).tolist() == [-np.inf]
    assert line.entropy() == pytest.approx(Gaussian(0, 5.0).entropy())
    drawn = line.sample(100, random_state=0)
    assert np.isfinite(line.log_prob(drawn)).all()
    fitted = MultivariateGaussian.fit(drawn)
    assert fitted.rank == 1
    point = MultivariateGaussian.fit([[3.0, 4.0]])
    assert point.rank == 0
    assert point.log_prob([[3.0, 4.0], [3.0, 5.0]]).tolist() == [0.0, -np.inf]


def test_conditional_rejects_invalid_values():
    line = MultivariateGaussian([0.0, 0.0, 0.0], np.diag([1.0, 0.0, 2.0]))
    with pytest.raises(DataError, match="outside the range"):
        line.conditional([1], [3.0])
    assert line.conditional([1], [0.0]).covariance.tolist() == [[1.0, 0.0], [0.0, 2.0]]


def test_fit_is_mean_and_covariance_divided_by_n():
    w = np.random.default_rng(0).random(50)
    fitted = MultivariateGaussian.fit(X, w)
    assert_allclose(fitted.mean, np.average(X, axis=0, weights=w))
    assert_allclose(fitted.covariance, np.cov(X.T, aweights=w, bias=True))


def test_mgf_of_normal_draws():
    t = np.array([0.2, -0.1, 0.3])
    assert JOINT.mgf(t) == pytest.approx(np.exp(t @ MEAN + t @ S @ t / 2))


def test_draws_have_mean_and_covariance():
    drawn = JOINT.sample(40000, random_state=1)
    assert_allclose(drawn.mean(axis=0), MEAN, atol=0.03)
    assert_allclose(np.cov(drawn.T), S, atol=0.05)


def test_many_rows_are_scored_in_tiles_as_in_one():
    many = np.tile(X, (100, 1))
    assert_allclose(JOINT.log_prob(many), np.tile(JOINT.log_prob(X), 100), rtol=1e-13)


def test_shapes_and_symmetry():
    with pytest.raises(ParameterError, match=r"got \(2,\) and \(3, 3\)"):
        MultivariateGaussian([0, 0], np.eye(3))
    with pytest.raises(ParameterError, match="symmetric"):
        MultivariateGaussian([0, 0], [[1, 0.5], [0, 1]])
    with pytest.raises(DataError, match="3 coordinates"):
        JOINT.log_prob([1.0, 2.0])


def test_units_of_the_columns_do_not_change_the_rank():
    units = np.array([1e6, 1e-3])
    wide = MultivariateGaussian.diagonal([0, 0], units**2)
    assert wide.rank == 2
    expected = scipy.stats.norm.logpdf([0, 5]).sum() - np.log(units).sum()
    assert_allclose(wide.log_prob([0, 0.005]), expected)
    assert np.std(wide.sample(200, random_state=0)[:, 1]) > 5e-4
    X = np.random.default_rng(0).normal(size=(500, 2)) * units
    assert MultivariateGaussian.fit(X).rank == 2


def test_the_rank_of_a_singular_covariance_with_mixed_units():
    A = np.array([[1e5, 0.0], [0.0, 1e-3], [0.0, 2e-3]])
    flat = MultivariateGaussian(np.zeros(3), A @ A.T)
    assert flat.rank == 2
    assert_allclose(
        flat.precision @ (A @ A.T) @ flat.precision, flat.precision, rtol=1e-6, atol=1e-9
    )
    x = A @ np.array([1.0, -2.0])
    assert_allclose(flat.mahalanobis(x), 5.0, rtol=1e-9)


@pytest.mark.parametrize("covariance", ["diagonal", "isotropic"])
def test_fits_of_fewer_parameters_are_the_maximum_and_merge(rng, covariance):
    X, w = rng.normal(size=(40, 3)) * [1, 2, 3] + 5, rng.random(40)
    fitted = MultivariateGaussian.fit(X, w, covariance=covariance)
    best = w @ fitted.log_prob(X)
    for factor in (0.97, 1.03):
        one = np.array([factor, 1, 1]) if covariance == "diagonal" else factor
        other = MultivariateGaussian(fitted.mean, fitted.covariance * one)
        assert w @ other.log_prob(X) < best
    assert len(np.unique(fitted.variance)) == (1 if covariance == "isotropic" else 3)
    parts = [
        MultivariateGaussian.sufficient_statistics(X[i::3], w[i::3], covariance=covariance)
        for i in range(3)
    ]
    merged = MultivariateGaussian.from_statistics(parts[0] + parts[1] + parts[2])
    assert_allclose(merged.covariance, fitted.covariance, rtol=1e-12)
    with pytest.raises(DataError, match="same fixed parameters"):
        parts[0] + MultivariateGaussian.sufficient_statistics(X)
    with pytest.raises(ParameterError, match="'diagonal' or 'isotropic'"):
        MultivariateGaussian.fit(X, covariance="spherical")
