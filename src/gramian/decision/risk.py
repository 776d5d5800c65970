r"""Conditional risk, and the action that minimises it.

With posteriors P(C_k | x) and costs lambda_ik of action i when the truth is C_k,

    R(a_i | x) = sum_k lambda_ik P(C_k | x),        choose argmin_i R(a_i | x),

and reject, at cost lambda, if even the least risk is greater than lambda. With equal costs of all
mistakes, R(a_i | x) = 1 - P(C_i | x): the most probable class is chosen, and x is rejected if its
posterior is below 1 - lambda (Chow, IEEE Trans. Information Theory 16, 1970). The functions
g_i(x) = -R(a_i | x) are discriminants: the largest one gives the action. Reference: Duda, Hart
and Stork, Pattern Classification, 2001, chapter 2.
"""

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats

Actions = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
REJECT = -1


def conditional_risk(proba: ArrayLike, costs: ArrayLike | None = None) -> Floats:
    """Return the expected cost of every action for every row.

    Parameters
    ----------
    proba
        Posterior probabilities, shape (n, classes); every row sums to one.
    costs
        ``costs[i, k]`` is the cost of action i when the truth is class k, shape (actions,
        classes), or (n, actions, classes) if every row has its own costs. None means 1 for
        each mistake and 0 for a correct decision.

    Returns
    -------
    risk
        Shape (n, actions).

    Examples
    --------
    >>> conditional_risk([[0.9, 0.1]], [[0, 10], [1, 0]])
    array([[1. , 0.9]])
    """
    return risk_of("conditional_risk", proba, costs)


def least_risk(risk: ArrayLike, reject: float | None = None) -> Actions:
    """Return the action of least risk in every row, -1 if rejection costs less.

    Parameters
    ----------
    risk
        Conditional risks, shape (n, actions); ties go to the first action.
    reject
        Cost of rejection (making no decision); None never rejects.

    Returns
    -------
    actions
        Indices, shape (n,).

    Examples
    --------
    >>> least_risk([[0.45, 0.55]], reject=0.4), least_risk([[0.45, 0.55]], reject=0.5)
    (array([-1]), array([0]))
    """
    table = np.asarray(risk, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] == 0 or np.isnan(table).any():
        raise DataError(
            "least_risk: risk must have a row for each case and a column for each action, "
            f"without NaN; got shape {table.shape}."
        )
    actions: Actions = table.argmin(axis=1)
    if reject is not None:
        actions[table.min(axis=1) > check_reject("least_risk", reject)] = REJECT
    return actions


def risk_of(owner: str, proba: ArrayLike, costs: ArrayLike | None) -> Floats:
    """Return the conditional risks; errors name `owner`."""
    posteriors = check_probabilities(owner, proba)
    if costs is None:
        return 1.0 - posteriors
    table = check_costs(owner, costs, posteriors.shape[1], rows=len(posteriors))
    if table.ndim == 2:
        return posteriors @ table.T
    rows: Floats = np.einsum("nk,nak->na", posteriors, table)
    return rows


def check_probabilities(owner: str, proba: ArrayLike, *, name: str = "proba") -> Floats:
    """Return rows of probabilities; raise an error that names the first invalid row."""
    raw = np.asarray(proba)
    table = raw.astype(np.float64)
    if table.ndim != 2 or table.shape[1] == 0:
        raise DataError(
            f"{owner}: {name} must have a row for each case and a column for each class; "
            f"got shape {table.shape}."
        )
    tolerance = 1e-4 if raw.dtype in (np.float32, np.float16) else 1e-6
    sums: Floats = table.sum(axis=1)
    bad = ~(
        (table >= -tolerance).all(axis=1) & (np.abs(sums - 1) <= tolerance)
    )  # NaN is invalid too
    if bad.any():
        at = int(np.argmax(bad))
        advice = (
            "Divide each row by its sum, or turn scores into probabilities by calibration: "
            "BayesDecision(estimator, cv=5), or sklearn.calibration.CalibratedClassifierCV."
        )
        raise DataError(
            f"{owner}: every row of {name} must contain probabilities that sum to one; row {at} is "
            f"{np.array2string(table[at], precision=4, threshold=6)} with sum {sums[at]:.6g}. "
            f"{advice if name == 'proba' else 'Divide each row by its sum.'}"
        )
    return table


def check_costs(owner: str, costs: ArrayLike, classes: int, *, rows: int | None = None) -> Floats:
    """Return costs, one column per class; with `rows`, one matrix per row is allowed too."""
    try:
        table = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{owner}: costs must be a table of numbers with rows of equal length; got {costs!r}."
        ) from None
    whole = table.ndim == 2 and table.shape[0] > 0 and table.shape[1] == classes
    apart = (
        table.ndim == 3
        and table.shape[1] > 0
        and (table.shape[0], table.shape[2])
        == (
            rows,
            classes,
        )
    )
    if not (whole or apart):
        per_row = "" if rows is None else f", or ({rows}, actions, {classes}) for costs of each row"
        transposed = (
            " The shape fits when transposed: rows are actions, columns are true classes."
            * (table.ndim == 2 and table.shape[0] == classes)
        )
        raise DataError(
            f"{owner}: costs[i, k] is the cost of action i when the truth is class k, so costs "
            f"must have shape (actions, {classes}){per_row}; got shape {table.shape}.{transposed}"
        )
    if not np.isfinite(table).all():
        raise DataError(
            f"{owner}: costs contains NaN or inf; to forbid an action, give it a large finite cost."
        )
    return table


def check_reject(owner: str, reject: float) -> float:
    """Return the cost of rejection."""
    if not 0 <= reject < np.inf:
        raise ParameterError(
            f"{owner}: reject must be the cost of rejecting, a finite number >= 0; got {reject!r}."
        )
    return float(reject)
