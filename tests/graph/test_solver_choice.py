import numpy as np
import scipy.sparse as sp

from gramian.graph import knn_graph
from gramian.graph.eigenproblem import Eigenproblem
from gramian.graph.solver_choice import choose_solver, shape_of


def grid(height, width):
    lines = [sp.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1]) for n in (height, width)]
    return sp.csr_array(
        sp.kron(lines[0], sp.eye_array(width)) + sp.kron(sp.eye_array(height), lines[1])
    )


def test_levels_of_a_grid_are_its_diagonals():
    shape = shape_of(Eigenproblem(grid(30, 10), None))
    assert shape == (39, 10)


def test_a_long_graph_is_factorised_and_a_wide_one_filtered():
    assert choose_solver(Eigenproblem(grid(200, 10), None), 5) == "arpack"
    cloud = knn_graph(np.random.default_rng(0).normal(size=(2000, 10)), 10)
    assert choose_solver(Eigenproblem(cloud.weights, None), 5) == "chebyshev"


def test_few_vertices_or_most_of_the_eigenpairs_are_left_to_lapack():
    assert choose_solver(Eigenproblem(grid(10, 10), None), 5) == "dense"
    assert choose_solver(Eigenproblem(grid(30, 20), None), 300) == "dense"


def test_a_dense_matrix_is_factorised_unless_it_is_large_for_the_pairs_wanted():
    problem = Eigenproblem(np.ones((1001, 1001)), None)
    assert choose_solver(problem, 2) == "arpack"
    assert choose_solver(problem, 1) == "chebyshev"
