"""Find columns that are correlated within classes, against the assumption of naive Bayes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fields import params
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.targets import check_labels
from gramian.base.kinds import Estimator
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.types import Floats, Table


class CorrelationReport(NamedTuple):
    """Correlations within the classes, and the pairs of columns above the threshold."""

    correlation: Floats  # (d, d), pooled over the classes; 0 for a constant column
    pairs: list[tuple[int, int, float]]  # columns i < j and their correlation, strongest first


@params
class _Report(Estimator):
    """Provides the name `correlated_features` for error messages."""


_Report.__name__ = "correlated_features"


def correlated_features(X: Table, y: npt.ArrayLike, *, threshold: float = 0.8) -> CorrelationReport:
    """Return the columns that are correlated given the class.

    Naive Bayes multiplies the evidence of all columns as if they were independent given the class.
    Strongly correlated columns count nearly twice, and posteriors become too extreme. Drop one of
    them, or use `QuadraticDiscriminantAnalysis`.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows.
    y : array of shape (n,)
        Labels.
    threshold : float
        Pairs with a larger absolute correlation are listed.

    Returns
    -------
    CorrelationReport
        ``correlation``, pooled over the classes, and ``pairs``.

    Examples
    --------
    >>> from gramian.naive_bayes import correlated_features
    >>> X = [[0.0, 0.1, 3.0], [1.0, 1.0, 1.0], [5.0, 5.2, 2.0], [7.0, 7.1, 2.5]]
    >>> [(i, j) for i, j, _ in correlated_features(X, [0, 0, 1, 1], threshold=0.95).pairs]
    [(0, 1)]
    """
    if not 0 <= threshold <= 1:
        raise ParameterError(
            f"correlated_features: threshold must be a number in [0, 1]; got {threshold!r}."
        )
    call = _Report()
    table = check_fit(call, X)
    check_size(call, "X", table)
    codes, classes = check_labels(call, y, table.shape[0])
    table = np.ldexp(table, -np.frexp(np.abs(table).max(axis=0))[1])  # no square underflows
    scatter = ClassMoments.of(table, codes, len(classes), None).within()
    spread = np.sqrt(np.maximum(np.diag(scatter), 0.0))
    scale = np.outer(spread, spread)
    correlation = np.divide(scatter, scale, out=np.zeros_like(scatter), where=scale > 0)
    upper = np.argwhere(np.triu(np.abs(correlation) > threshold, 1))
    found = [(int(i), int(j), float(correlation[i, j])) for i, j in upper]
    return CorrelationReport(correlation, sorted(found, key=lambda pair: -abs(pair[2])))
