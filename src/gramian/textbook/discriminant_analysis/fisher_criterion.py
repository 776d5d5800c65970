"""Fisher's criterion: the ratio of between-class to within-class scatter along directions."""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import params
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import check_labels
from gramian.base.kinds import Estimator
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.types import Floats, Table


@params
class _Criterion(Estimator):
    """Name of `fisher_criterion` in error messages."""


_Criterion.__name__ = "fisher_criterion"


def fisher_criterion(X: Table, y: npt.ArrayLike, directions: npt.ArrayLike) -> Floats:
    """Return J(w) = w' S_b w / w' S_w w for each direction w.

    S_w is the scatter within the classes, S_b = sum_k N_k (m_k - m)(m_k - m)' that between them. No
    direction has a larger J than the first of `LinearDiscriminantAnalysis.scalings_`, which for two
    classes is proportional to S_w^-1 (m_1 - m_0). Reference: Fisher 1936.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows.
    y : array of shape (n,)
        Labels.
    directions : array of shape (d,) or (d, m)
        The directions, as columns; their lengths do not matter.

    Returns
    -------
    J : array of shape (m,)
        The criterion; 0 along directions in which the class means are equal.

    Examples
    --------
    >>> from gramian.textbook.discriminant_analysis import fisher_criterion
    >>> fisher_criterion([[0.0, 0.0], [2.0, 1.0], [6.0, 0.0], [8.0, 1.0]], [0, 0, 1, 1], [1, 0])
    array([9.])
    """
    call = _Criterion()
    table = check_fit(call, X)
    codes, classes = check_labels(call, y, table.shape[0])
    w = np.asarray(directions, dtype=np.float64)
    w = w[:, None] if w.ndim == 1 else w
    if w.ndim != 2 or len(w) != table.shape[1]:
        raise DataError(
            f"fisher_criterion: directions must have {table.shape[1]} rows, one per column of X; "
            f"got shape {np.shape(directions)}."
        )
    if not np.isfinite(w).all() or not w.any(axis=0).all():
        raise DataError(
            "fisher_criterion: directions must be finite numbers, not all 0; drop these directions."
        )
    exponents = np.frexp(np.abs(table).max(axis=0))[
        1
    ]  # scaled so that squares neither underflow nor overflow
    table = np.ldexp(table, -exponents)
    w = np.ldexp(w / np.abs(w).max(axis=0), (exponents - exponents.max())[:, None])
    w /= np.maximum(np.abs(w).max(axis=0), np.finfo(np.float64).tiny)
    moments = ClassMoments.of(table, codes, len(classes), None)
    within = np.einsum("im,ij,jm->m", w, moments.within(), w)
    between = np.einsum("im,ij,jm->m", w, moments.between(), w)
    with np.errstate(divide="ignore"):
        ratio = np.divide(between, within, out=np.zeros_like(between), where=between > 0)
    return np.asarray(ratio)
