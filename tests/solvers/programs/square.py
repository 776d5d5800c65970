"""The unit square as half-planes."""

import numpy as np

SQUARE = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]]), np.array([1.0, 1, 0, 0])
