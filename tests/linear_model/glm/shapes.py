"""Problems of given shapes."""

import numpy as np
import scipy.sparse as sp

from gramian.objectives import L2, LinearProblem, Logistic, Softmax


def shaped(n, d, classes=2, *, sparse=False):
    """Return a problem of this shape; the choice depends on nothing else, so X is zero."""
    X = sp.csr_array((n, d)) if sparse else np.zeros((n, d), dtype=np.float32)
    if classes == 2:
        return LinearProblem(X, np.arange(n) % 2 * 1.0, Logistic(), L2(2.0))
    y = (np.arange(n) % classes).astype(np.int32)
    return LinearProblem(X, y, Softmax(), L2(2.0), outputs=classes)
