"""Data shared by the tests of curves."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def scored(draw):
    """Truth with both classes, and scores with many ties."""
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    n = draw(st.integers(4, 40))
    y = np.r_[0, 1, rng.integers(2, size=n - 2)]
    return y, rng.integers(8, size=n) / 4 + 0.5 * y
