"""Separable classes: without a penalty, logistic regression has no finite minimum on them.

If some hyperplane has every row on its correct side, scaling its weights up lowers every loss, so
|w| grows without bound while J falls to 0. The direction w / |w| tends to that of the widest
margin (Soudry et al. 2018). A fitted w that separates the classes proves it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Data, Floats, Matrix

SEPARABLE = (
    "LogisticRegression: the classes are separable and there is no penalty, so the weights grow "
    "without bound while the cost falls to 0; coef_ is a direction that separates them, but its "
    "length has no meaning. Set a finite C."
)
QUASI_SEPARABLE = (
    "LogisticRegression: the classes are quasi-separable and there is no penalty: a hyperplane has "
    "no row on its wrong side, though some lie on it, so the weights of its columns grow without "
    "bound and have no meaning. Set a finite C, or drop or merge the columns: {columns}."
)


def model_separates(
    model: tuple[Matrix, Matrix],
    X: Data,
    targets: npt.NDArray[Any],
    weights: Floats,
    *,
    one_vs_rest: bool = False,
) -> bool:
    """Return whether a linear model, (coef, intercept), classifies every weighted row correctly."""
    coef, intercept = model
    Z = np.asarray(X @ coef.T + intercept, dtype=float)
    if len(coef) == 1:
        return separates(Z[:, 0], targets, weights)
    if one_vs_rest:
        return all(separates(Z[:, k], targets == k, weights) for k in range(Z.shape[1]))
    return separates(Z, targets, weights)


def separates(scores: Floats, targets: npt.NDArray[Any], weights: Floats) -> bool:
    """Return whether the scores put every row of positive weight on its correct side.

    Scores have shape (n,) with targets in [0, 1], or (n, K) with class codes or probabilities. A
    target strictly between 0 and 1 has no correct side: the cost is unbounded on both.

    Examples
    --------
    >>> z, omega = np.array([-1.0, 2.0]), np.ones(2)
    >>> separates(z, np.array([0, 1]), omega), separates(z, np.array([0.1, 1]), omega)
    (True, False)
    """
    counted = weights > 0
    y, z = targets[counted], scores[counted]
    if z.ndim == 1:
        return bool(((y == 1) & (z > 0) | (y == 0) & (z < 0)).all())
    if y.ndim == 2 and not (y.max(axis=1) == 1).all():
        return False
    codes = y if y.ndim == 1 else y.argmax(axis=1)
    rows = np.arange(len(codes))
    own = z[rows, codes].copy()
    z[rows, codes] = -np.inf
    return bool((own > z.max(axis=1)).all())
