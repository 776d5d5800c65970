import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from gramian.graph.chebyshev import chebyshev_pairs, filtered
from gramian.graph.eigenproblem import Eigenproblem


def random_graph(n, seed):
    A = sp.random_array((n, n), density=6 / n, random_state=np.random.default_rng(seed))
    return sp.csr_array(A + A.T)


def test_the_filter_is_the_scaled_chebyshev_polynomial_of_each_eigenvalue():
    problem = Eigenproblem(random_graph(40, 0), None)
    values, vectors = np.linalg.eigh(problem.matrix().toarray())
    cut, degree = 0.5, 7
    center, half = (problem.bound + cut) / 2, (problem.bound - cut) / 2
    polynomial = np.polynomial.Chebyshev([0] * degree + [1])
    expected = polynomial((values - center) / half) / polynomial(-center / half)
    found = filtered(problem, vectors.copy(), cut, degree)
    assert_allclose(vectors.T @ found, np.diag(expected), atol=1e-10)


def test_pairs_have_the_residuals_they_report_and_are_the_smallest():
    problem = Eigenproblem(random_graph(600, 1), None)
    found = chebyshev_pairs(problem, 5, 1e-8, np.random.default_rng(0), 3000)
    exact = np.linalg.eigvalsh(problem.matrix().toarray())[problem.n_components :][:5]
    assert_allclose(found.values, exact, atol=1e-8)
    left = problem.apply(found.vectors) - found.vectors * found.values
    assert_allclose(np.linalg.norm(left, axis=0), found.residuals, atol=1e-12)
    assert found.residuals.max() <= 1e-8 * problem.bound


def test_it_stops_at_the_allowed_number_of_products():
    line = sp.diags_array([np.ones(1999)] * 2, offsets=[-1, 1])
    problem = Eigenproblem(sp.csr_array(line), None)
    found = chebyshev_pairs(problem, 3, 1e-12, np.random.default_rng(0), 40)
    assert 40 <= found.n_products <= 60
