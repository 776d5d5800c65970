"""Rotations and reflections."""

import numpy as np
import pytest

from gramian.textbook.linear_algebra import orientation


@pytest.mark.parametrize("d", [1, 2, 5])
def test_swapping_two_axes_turns_a_rotation_into_a_reflection(d):
    V = np.linalg.qr(np.random.default_rng(d).normal(size=(d, d)))[0]
    if np.linalg.det(V) < 0:
        V[:, 0] *= -1
    assert orientation(V) == "rotation"
    V[:, -1] *= -1
    assert orientation(V) == "reflection"


def test_other_matrices_are_neither():
    with pytest.raises(ValueError, match="orthonormal"):
        orientation([[2.0, 0.0], [0.0, 0.5]])
    with pytest.raises(ValueError, match="square"):
        orientation(np.eye(3)[:, :2])
