"""Tests of hyperplane."""

import numpy as np
import pytest

from gramian.linear_model import Hyperplane


def test_margins_of_a_plane():
    H = Hyperplane([3.0, 4.0], -5.0)
    X, y = [[3.0, 4.0], [1.0, 1.0], [0.0, 0.0]], [1, 1, -1]
    np.testing.assert_allclose(H.margins(X, y), [4, 0.4, 1])
    assert H.margin(X, y) == pytest.approx(0.4)
    assert H.class_margins(X, y) == (pytest.approx(1), pytest.approx(0.4))
