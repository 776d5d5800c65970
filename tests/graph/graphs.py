"""Small graphs that several tests use."""

import numpy as np
from hypothesis import strategies as st

from gramian.graph import Graph

PATH = Graph.from_edges([[0, 1], [1, 2], [2, 3]])
TRIANGLES = Graph.from_edges([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]])


@st.composite
def graphs(draw, most=8, connected=True, masses=True):
    """A graph with random weights and masses; a random tree makes it connected."""
    n = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    A = np.triu(rng.uniform(0.1, 1.0, (n, n)) * (rng.random((n, n)) < 0.4), 1)
    if connected:
        for i in range(1, n):
            A[rng.integers(i), i] = rng.uniform(0.1, 1.0)
    A = A + A.T
    kind = draw(st.sampled_from(["unit", "degree", "own"])) if masses else "unit"
    return Graph(A, rng.uniform(0.5, 2.0, n) if kind == "own" else kind)
