"""Rows with heavy-tailed errors, and the signs of their targets."""

import numpy as np

_rng = np.random.default_rng(0)
X = _rng.normal(size=(40, 4))
Y = X @ [1.0, 0.0, -2.0, 0.5] + 0.3 + _rng.standard_t(3, size=40)
SIGNS = np.where(Y > 0, 1.0, -1.0)
