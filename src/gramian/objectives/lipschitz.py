"""The Lipschitz constant of the gradient of a sum of losses."""

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from gramian.base.errors import DataError
from gramian.base.types import Data, Floats
from gramian.objectives.loss import Loss
from gramian.objectives.passes import NumPyPasses


def data_lipschitz(loss: Loss, X: Data, intercept: bool, omega: Floats) -> float:
    """Return sup L'' times the largest eigenvalue of sum_i omega_i (x_i, 1) (x_i, 1)'.

    Examples
    --------
    >>> from gramian.objectives import SquaredError
    >>> data_lipschitz(SquaredError(), np.array([[1.0], [2.0]]), False, np.array([0.5, 0.5]))
    2.5
    """
    m = X.shape[1] + intercept
    rows = NumPyPasses(loss, X, intercept)
    gram = LinearOperator(
        (m, m), matvec=lambda v: rows.adjoint(omega * rows.scores(np.ravel(v))), dtype=float
    )
    return loss.curvature_bound * _largest_eigenvalue(gram)


def _largest_eigenvalue(operator: LinearOperator) -> float:
    m = operator.shape[0]
    if not np.isfinite(operator @ np.ones(m)).all():
        raise DataError(
            "LinearProblem: X must contain values whose squares can be summed; got an infinite "
            "sum. Scale the columns, see sklearn.preprocessing.StandardScaler."
        )
    if m <= 2:
        return float(np.linalg.eigvalsh(operator @ np.eye(m))[-1])
    found = eigsh(operator, k=1, which="LA", v0=np.ones(m), return_eigenvectors=False, tol=1e-6)
    return float(found[0]) * (1 + 1e-5)  # eigsh converges from below
