import numpy as np
from hypothesis import given

from gramian.graph import Graph
from gramian.textbook.graphs import zero_eigenvalues
from tests.graph.graphs import graphs


@given(graph=graphs(connected=False))
def test_as_many_eigenvalues_are_zero_as_there_are_components(graph):
    zeros = zero_eigenvalues(graph)
    assert zeros.n_zeros == graph.components()[0]
    assert np.abs(graph.laplacian() @ zeros.indicators.toarray()).max() <= 1e-12


def test_a_tolerance_counts_small_eigenvalues_as_zero():
    weak = Graph.from_edges([[0, 1], [1, 2], [2, 3]], [1.0, 1e-6, 1.0])
    assert zero_eigenvalues(weak).n_zeros == 1
    assert zero_eigenvalues(weak, tol=1e-4).n_zeros == 2
