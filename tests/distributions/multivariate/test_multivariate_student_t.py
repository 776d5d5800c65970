"""Student's t in several dimensions."""

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.distributions import MultivariateStudentT, StudentT

S = np.array([[2.0, 0.5], [0.5, 1.0]])


def test_density_and_entropy_agree_with_scipy():
    ours, theirs = MultivariateStudentT(3.5, [1, 2], S), scipy.stats.multivariate_t([1, 2], S, 3.5)
    x = np.array([[0.0, 0.0], [1.0, 2.0], [400.0, -7.0]])
    assert_allclose(ours.log_prob(x), theirs.logpdf(x), rtol=1e-10)
    assert ours.entropy() == pytest.approx(theirs.entropy())


def test_marginal_is_a_student_t():
    part = MultivariateStudentT(3.5, [1, 2], S).marginal([0])
    x = np.array([-1.0, 0.5, 8.0])
    assert_allclose(part.log_prob(x[:, None]), StudentT(3.5, 1, np.sqrt(2)).log_prob(x))


def test_conditional_is_joint_over_marginal():
    joint = MultivariateStudentT(3.5, [1, 2], S)
    conditional = joint.conditional([1], [0.5])
    for x in (-2.0, 0.0, 3.0):
        ratio = joint.log_prob([x, 0.5]) - joint.marginal([1]).log_prob([0.5])
        assert conditional.log_prob([x]) == pytest.approx(ratio)


def test_moments():
    assert np.isnan(MultivariateStudentT(1.0, [1, 2], S).mean).all()
    assert np.isinf(MultivariateStudentT(2.0, [1, 2], S).variance).all()
    x = MultivariateStudentT(8.0, [1, 2], S).sample(50000, random_state=0)
    assert_allclose(np.cov(x.T), S * 8 / 6, atol=0.08)
    assert MultivariateStudentT(8.0, [1, 2], S).mgf([[0, 0], [1, 0]]).tolist() == [1, np.inf]


def test_shapes_must_agree():
    with pytest.raises(ParameterError, match="location and scale must have shapes"):
        MultivariateStudentT(3.0, [1, 2, 3], S)


@pytest.mark.parametrize("d", [1, 2, 20])
def test_many_degrees_of_freedom_are_a_normal_distribution(d):
    """The log density differs from the normal one by O(1 / df)."""
    x = np.full(d, 0.7)
    t = MultivariateStudentT(1e13, np.zeros(d), np.eye(d))
    normal = -0.5 * (d * np.log(2 * np.pi) + x @ x)
    assert t.log_prob(x) == pytest.approx(normal, rel=1e-11)


def test_density_where_squared_distances_overflow():
    """In one dimension the density is that of Student's t."""
    ours = MultivariateStudentT(3.0, [0.0], [[4.0]])
    x = np.array([1e200, -1e300])
    assert_allclose(ours.log_prob(x[:, None]), StudentT(3.0, 0.0, 2.0).log_prob(x), rtol=1e-14)
