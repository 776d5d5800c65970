"""Separable classes: without a penalty, logistic regression has no finite minimum on them.

If some hyperplane has every row on its right side, scaling its weights up lowers every loss, so
|w| grows without bound while J falls to 0. The direction w / |w| tends to that of the widest
margin (Soudry et al. 2018). A fitted w that itself separates is the proof.
"""

import numpy as np

from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.loss import Floats

SEPARABLE = (
    "LogisticRegression: the classes are separable and there is no penalty, so the weights grow "
    "without bound while the cost falls to 0; coef_ is a direction that separates them, its "
    "length means nothing. Give a finite C."
)


def separates(problem: LinearProblem, x: Floats) -> bool:
    """Tell whether the unknowns x put every row of positive weight on its right side.

    Examples
    --------
    >>> from gramian.objectives import Logistic
    >>> problem = LinearProblem([[0.0], [1.0]], [0.0, 1.0], Logistic())
    >>> separates(problem, np.array([2.0, -1.0])), separates(problem, np.array([2.0, 1.0]))
    (True, False)
    """
    w, b = problem.unpack(x)
    counted = problem.functional.weights(np.zeros(problem.n_rows)) > 0
    y, z = problem.y[counted], (problem.X @ w + b)[counted]
    if z.ndim == 1:
        return bool(((y == 1) & (z > 0) | (y == 0) & (z < 0)).all())
    if y.ndim == 2 and not (y.max(axis=1) == 1).all():
        return False  # soft targets: a sure prediction would cost without bound
    codes = y if y.ndim == 1 else y.argmax(axis=1)
    rows = np.arange(len(codes))
    own = z[rows, codes].copy()
    z[rows, codes] = -np.inf
    return bool((own > z.max(axis=1)).all())
